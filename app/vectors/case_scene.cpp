// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/vectors/case_scene.hpp"

#include "core/engine/sched_core.hpp"
#include "core/fair/average.hpp"
#include "core/fair/entity.hpp"

namespace picknext::vectors {

std::int64_t Case::number(std::string_view key) const {
    const Value* own = m_values->find(key);
    return own != nullptr ? own->number() : (*m_defaults)[key].number();
}

Scene case_scene(const Settings& settings, const Case& c) {
    const VTime z{static_cast<std::uint64_t>(c.number("z"))};
    Scene scene = empty_scene(settings, z);
    State& st = scene.st;
    Queue& q = st.root_queue(the_cpu);
    const bool runs = c.number("c") >= 0;
    const Value::List& entities = c["e"].list();
    for (std::size_t i = 0; i < entities.size(); ++i) {
        const TaskId task = add_task(st, Policy::normal, 0, 0, GroupId{0}, MaskId{0});
        const EntityId id = st.task(task).entity;
        scene.name(id, static_cast<FileId>(i));
        Entity& e = st.entity(id);
        fair::attach_to_queue(st, e, QueueId{0});
        e.vruntime = z + entities[i][0].number();
        e.deadline = z + entities[i][1].number();
        e.weight = Weight{entities[i][2].pattern() << 10};
        e.inv_weight = 0;
        const bool is_current = runs && i == 0;
        e.on_rq = is_current ? static_cast<std::uint8_t>(c.number("c")) : 1;
        if (e.on_rq != 0) {
            q.weight = q.weight + e.weight;
            ++q.nr_queued;
        }
        if (!is_current) {
            fair::tree_insert(st, q, id);
            continue;
        }
        q.curr = id;
        st.rq(the_cpu).curr = task;
    }
    return scene;
}

} // namespace picknext::vectors
