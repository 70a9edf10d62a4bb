// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/unit/explain/crowded_queue.hpp"

#include <array>
#include <string>

#include "core/base/assert.hpp"
#include "tests/support/small_scenario.hpp"

namespace picknext::test {
namespace {

constexpr std::uint64_t origin = 10'000'000; // what V would be if the lags below summed up to nothing
constexpr std::int32_t cpu = 3;

/// v and d relative to the origin, the position in the tree by names of the children.
struct Row {
    const char* name;
    int nice;
    std::uint64_t weight; // coarse
    std::int64_t v, d;
    const char *left, *right;
    bool red;
};
// Sum of weight * v = -956,952 over a weight of 12,615: V lies 76 ns before the origin.
constexpr std::array rows{
    Row{"cc1#0", 0, 1024, 858'000, 3'858'000, "", "", false}, // runs
    Row{"cc1#1", 0, 1024, -615'000, 2'385'000, "xorg", "tar", false},
    Row{"cc1#2", 0, 1024, -345'000, 2'655'000, "", "", false},
    Row{"cc1#3", 0, 1024, -955'000, 2'045'000, "kwin", "", false},
    Row{"audio", 0, 1024, 292'000, 792'000, "", "", false},
    Row{"xorg", -5, 3121, 346'000, 1'330'000, "audio", "cc1#3", true},
    Row{"kwin", -3, 1991, 76'000, 1'619'000, "", "", true},
    Row{"ld", 0, 1024, 195'000, 3'195'000, "", "rsync", false},
    Row{"tar", 0, 1024, -171'000, 2'829'000, "cc1#2", "ld", true},
    Row{"rsync", 5, 335, -1'413'000, 7'757'000, "", "", true},
};
constexpr std::size_t running = 0;

VTime at(std::int64_t relative) { return VTime{origin} + relative; }

EntityId by_name(const std::string& name) {
    for (std::size_t i = 0; i < rows.size(); ++i)
        if (name == rows[i].name) return EntityId{i};
    return EntityId::none();
}

void add_task(CrowdedQueue& q, std::size_t i) {
    const Row& row = rows[i];
    Task task;
    task.entity = EntityId{i};
    task.cpu = CpuId{cpu};
    task.program = static_cast<std::int32_t>(i < 4 ? 0 : i - 3);
    task.instance = static_cast<std::int32_t>(i < 4 ? i : 0);
    task.state = TaskState::runnable;
    task.nice = static_cast<std::int8_t>(row.nice);
    task.on_rq = 1;
    Entity e;
    e.task = TaskId{i};
    e.queue = QueueId{cpu};
    e.vruntime = at(row.v);
    e.deadline = at(row.d);
    e.slice = 3'000'000;
    e.weight = Weight{row.weight << 10};
    e.on_rq = 1;
    q.st.tasks.push_back(task);
    q.st.entities.push_back(e);
}

void link_tree(State& st) {
    for (std::size_t i = 0; i < rows.size(); ++i) {
        if (i == running) continue;
        TreeLink& link = st.entities[i].link;
        link.in_tree = 1;
        link.red = rows[i].red ? 1 : 0;
        link.left = by_name(rows[i].left);
        link.right = by_name(rows[i].right);
        for (EntityId child : {link.left, link.right})
            if (child) st.entity(child).link.parent = EntityId{i};
    }
}

void fill_queue(State& st) {
    Queue& q = st.queue(QueueId{cpu});
    q.root = by_name("cc1#1");
    q.leftmost = by_name("audio");
    q.curr = EntityId{running};
    q.ref = at(-1'413'000);
    q.nr_queued = q.h_nr_queued = q.h_nr_runnable = static_cast<std::uint32_t>(rows.size());
    for (std::size_t i = 0; i < rows.size(); ++i) {
        q.weight = q.weight + st.entities[i].weight;
        if (i == running) continue;
        q.sum_weight += rows[i].weight;
        q.sum_w_vruntime += static_cast<std::int64_t>(rows[i].weight) * (st.entities[i].vruntime - q.ref);
    }
}

} // namespace

EntityId CrowdedQueue::entity(const char* name) const {
    const EntityId found = by_name(name);
    PICKNEXT_ASSERT(found.valid(), "no task {}", name);
    return found;
}

CrowdedQueue::CrowdedQueue() {
    TaskSpec cc1 = hog("cc1", 0);
    cc1.count = 4;
    std::vector<TaskSpec> specs{cc1};
    for (std::size_t i = 4; i < rows.size(); ++i) specs.push_back(hog(rows[i].name, rows[i].nice));
    scenario = scenario_of(Kernel::eevdf_6_12, flat_machine(4), specs);

    st.settings = scenario.settings;
    st.now = 84'001'500;
    st.event = 900;
    st.decisions = 4711;
    st.rqs.resize(4);
    st.queues.resize(4);
    st.groups.emplace_back();
    st.groups[0].first_queue = QueueId{0};
    for (std::size_t c = 0; c < 4; ++c) {
        st.queues[c].cpu = CpuId{c};
        st.queues[c].group = GroupId{0};
    }
    for (std::size_t i = 0; i < rows.size(); ++i) add_task(*this, i);
    link_tree(st);
    fill_queue(st);
    st.rqs[cpu].curr = TaskId{running};
    st.rqs[cpu].nr_running = static_cast<std::uint32_t>(rows.size());
    st.rqs[cpu].need_resched = 1;

    header.event = st.event;
    header.at = st.now;
    header.task = static_cast<std::int32_t>(running);
    header.cpu = cpu;
    header.kind = Kind::pick;
    header.reason = Reason::pick_search;
    header.outcome = entity("cc1#3").value;

    const std::int64_t v = static_cast<std::int64_t>(origin) - 76;
    const auto add = [&](Chk id, Verdict verdict, const char* name, std::int64_t relative) {
        checks.push_back({id, verdict, 0, name == nullptr ? -1 : entity(name).value, static_cast<std::int64_t>(origin) + relative, v});
    };
    checks.push_back({Chk::only_entity, Verdict::no, 0, -1, 10, 1});
    add(Chk::current_eligible, Verdict::no, "cc1#0", 858'000);
    checks.push_back({Chk::current_protected, Verdict::not_asked, 0, entity("cc1#0").value, 0, 0});
    add(Chk::leftmost_eligible, Verdict::no, "audio", 292'000);
    add(Chk::left_subtree_eligible, Verdict::yes, "cc1#1", -955'000);
    add(Chk::left_subtree_eligible, Verdict::no, "xorg", 292'000);
    add(Chk::node_eligible, Verdict::no, "xorg", 346'000);
    add(Chk::left_subtree_eligible, Verdict::no, "cc1#3", 76'000);
    add(Chk::node_eligible, Verdict::yes, "cc1#3", -955'000);
    header.deciding = static_cast<std::uint16_t>(checks.size() - 1);
    checks.push_back({Chk::current_earlier_deadline, Verdict::not_asked, 0, entity("cc1#0").value, 0, 0});
    header.checks = static_cast<std::uint16_t>(checks.size());
}

} // namespace picknext::test
