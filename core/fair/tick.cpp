// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/fair/tick.hpp"

#include "core/fair/buddies.hpp"
#include "core/fair/charge.hpp"
#include "core/fair/entity.hpp"
#include "core/fair/reweight.hpp"
#include "core/fair/slice.hpp"
#include "core/pelt/pelt.hpp"

namespace picknext::fair {
namespace {

/// fn: check_preempt_tick. Compares a virtual distance with wall time in the end, as the kernel means to.
template <DecisionSink S>
Reason decide_cfs_tick(const State& st, const Queue& q, EntityId entity, Evidence<S>& why) {
    if (!why.template decide<Chk::more_than_one>(EntityId::none(), q.nr_queued, 1, q.nr_queued > 1))
        return Reason::tick_alone;
    const Entity& curr = st.entity(entity);
    const Nanos slice{sched_slice(st, q, entity)};
    const Nanos ran{static_cast<std::int64_t>(curr.sum_exec - curr.prev_sum_exec)};
    if (why.template decide<Chk::slice_exceeded>(entity, ran, slice, ran > slice))
        return Reason::tick_slice_used;
    const Nanos least{st.settings[Tunable::min_granularity]};
    if (!why.template decide<Chk::min_granularity_reached>(entity, ran, least, ran >= least))
        return Reason::tick_below_min_granularity;
    if (!q.leftmost) return Reason::tick_continue;
    const Nanos distance{curr.vruntime - st.entity(q.leftmost).vruntime};
    if (why.template decide<Chk::lag_exceeded>(entity, distance, slice, distance > slice))
        return Reason::tick_lag;
    return Reason::tick_continue;
}

void apply_cfs_tick(State& st, Queue& q, EntityId entity, Reason reason) {
    if (reason != Reason::tick_slice_used && reason != Reason::tick_lag) return;
    request_resched(st, q);
    if (reason == Reason::tick_slice_used) clear_buddies(st, q, entity);
}

template <DecisionSink S>
void record(State& st, Recorder<S>& rec, const Queue& q, const Entity& e, TaskId task, Reason reason,
            bool resched) {
    rec.announce(st, make_header(Kind::tick, reason, q.cpu, task, resched ? 1 : 0, e.depth));
}

/// EEVDF asks while it charges; CFS charges first.
template <DecisionSink S>
void tick_entity(State& st, Recorder<S>& rec, EntityId entity, TaskId task) {
    const Entity& e = st.entity(entity);
    Queue& q = st.queue(e.queue);
    Evidence<S>& why = rec.open();
    const bool advanced = advance_current(st, q);
    if (st.settings.eevdf()) {
        const ChargeOutcome outcome = advanced ? decide_charge(st, q, why) : ChargeOutcome{};
        record(st, rec, q, e, task, outcome.reason, outcome.resched);
        if (advanced) apply_charge(st, q, outcome);
        pelt::update_load(st, entity, pelt::Attach::no);
        update_group_weight(st, entity);
        return;
    }
    if (advanced) apply_charge(st, q, {});
    pelt::update_load(st, entity, pelt::Attach::no);
    update_group_weight(st, entity);
    const Reason reason = decide_cfs_tick(st, q, entity, why);
    record(st, rec, q, e, task, reason, reason == Reason::tick_slice_used || reason == Reason::tick_lag);
    apply_cfs_tick(st, q, entity, reason);
}

} // namespace

template <DecisionSink S>
void tick_task(State& st, Recorder<S>& rec, TaskId task) {
    for (EntityId e = st.task(task).entity; e; e = st.entity(e).parent)
        tick_entity(st, rec, e, task);
}

#define X(S) template void tick_task<S>(State&, Recorder<S>&, TaskId);
PICKNEXT_FOR_EACH_SINK(X)
#undef X

} // namespace picknext::fair
