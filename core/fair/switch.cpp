// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/fair/switch.hpp"
#include "core/state/level.hpp"
#include "core/state/task_list.hpp"

#include "core/fair/average.hpp"
#include "core/fair/bandwidth.hpp"
#include "core/fair/buddies.hpp"
#include "core/fair/charge.hpp"
#include "core/fair/entity.hpp"
#include "core/fair/throttle.hpp"
#include "core/pelt/pelt.hpp"

namespace picknext::fair {

namespace {

template <DecisionSink S>
void put_prev(State& st, Recorder<S>& rec, const Level& at) {
    if (at.e.on_rq != 0) update_curr(st, at.q, at.rq);
    if (at.q.runtime_enabled != 0) throttle_if_used_up(st, rec, at.e.queue);
    if (at.e.on_rq != 0) {
        tree_insert(st, at.q, at.id);
        pelt::update_load(st, at, pelt::Attach::no, pelt::GroupSum::leave);
    }
    at.q.curr = EntityId::none();
}

void set_next(State& st, const Level& at) {
    auto& [entity, e, q, rq] = at;
    if (st.settings.kernel >= Kernel::cfs_6_1) clear_buddies(st, q, entity); // before, the pick does
    if (e.on_rq != 0) {
        tree_erase(st, q, entity);
        pelt::update_load(st, at, pelt::Attach::no);
        if (st.settings.eevdf()) protect(e);
        if (e.task) list_to_first(st, q.cpu, e.task); // the balancer looks at it last
    }
    e.exec_start = rq.clock;
    e.prev_sum_exec = e.sum_exec;
    q.curr = entity;
}

} // namespace

template <DecisionSink S>
void put_prev_entity(State& st, Recorder<S>& rec, EntityId entity) {
    put_prev(st, rec, level_of(st, entity));
}
void set_next_entity(State& st, EntityId entity) { set_next(st, level_of(st, entity)); }

template <DecisionSink S>
void put_prev_task(State& st, Recorder<S>& rec, TaskId task) {
    for (EntityId e = st.task(task).entity; e; e = st.entity(e).parent)
        put_prev_entity(st, rec, e);
}

void set_next_task(State& st, TaskId task) {
    for (EntityId e = st.task(task).entity; e; e = st.entity(e).parent) {
        set_next_entity(st, e);
        Queue& q = st.queue(st.entity(e).queue);
        if (q.runtime_enabled != 0) account_runtime(st, q, 0);
    }
}

// Flat, like enqueue_task.
template <DecisionSink S>
[[gnu::flatten]] void switch_entities(State& st, Recorder<S>& rec, TaskId prev, TaskId next) {
    EntityId p = st.task(prev).entity;
    EntityId n = st.task(next).entity;
    while (st.entity(p).queue != st.entity(n).queue) {
        const std::int32_t p_depth = st.entity(p).depth, n_depth = st.entity(n).depth;
        if (n_depth <= p_depth) {
            put_prev_entity(st, rec, p);
            p = st.entity(p).parent;
        }
        if (n_depth >= p_depth) {
            set_next_entity(st, n);
            n = st.entity(n).parent;
        }
    }
    put_prev_entity(st, rec, p);
    set_next_entity(st, n);
}

namespace {
void set_from_root(State& st, EntityId entity) {
    if (const EntityId parent = st.entity(entity).parent) set_from_root(st, parent);
    set_next_entity(st, entity);
}
} // namespace

void set_from_idle(State& st, TaskId next) {
    if (st.settings.kernel >= Kernel::eevdf_6_12)
        set_next_task(st, next);
    else
        set_from_root(st, st.task(next).entity);
}

#define X(S)                                                                                                 \
    template void put_prev_entity<S>(State&, Recorder<S>&, EntityId);                                        \
    template void put_prev_task<S>(State&, Recorder<S>&, TaskId);                                            \
    template void switch_entities<S>(State&, Recorder<S>&, TaskId, TaskId);
PICKNEXT_FOR_EACH_SINK(X)
#undef X

} // namespace picknext::fair
