// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/fair/tick.hpp"

#include "core/fair/buddies.hpp"
#include "core/fair/charge.hpp"
#include "core/fair/entity.hpp"
#include "core/fair/reweight.hpp"
#include "core/fair/slice.hpp"
#include "core/pelt/pelt.hpp"
#include "core/state/level.hpp"

namespace picknext::fair {
namespace {

void apply_cfs_tick(State& st, const Level& at, Reason reason) {
    if (!cfs_tick_reschedules(reason)) return;
    at.rq.need_resched = 1;
    if (reason == Reason::tick_slice_used) clear_buddies(st, at.q, at.id);
}

template <DecisionSink S>
void record(State& st, Recorder<S>& rec, const Level& at, TaskId task, Reason reason, bool resched) {
    rec.announce(st, make_header(Kind::tick, reason, at.q.cpu, task, resched ? 1 : 0, at.e.depth));
}

/// EEVDF asks while it charges; CFS charges first.
template <DecisionSink S>
void tick_entity(State& st, Recorder<S>& rec, const Level& at, TaskId task) {
    Evidence<S>& why = rec.open();
    PICKNEXT_DEBUG_ASSERT(at.current(), "a tick of entity {}, which does not run", at.id);
    const bool advanced = advance_running(st, at.q, at.e, at.rq.clock);
    if (st.settings.eevdf()) {
        const ChargeOutcome outcome = advanced ? decide_charge(st, at.q, at.e, why) : ChargeOutcome{};
        record(st, rec, at, task, outcome.reason, outcome.resched);
        if (advanced) apply_charge(st, at.q, at.e, outcome);
        pelt::update_load(st, at, pelt::Attach::no);
        update_group_weight(st, at);
        return;
    }
    if (advanced) apply_charge(st, at.q, at.e, {});
    pelt::update_load(st, at, pelt::Attach::no);
    update_group_weight(st, at);
    const Reason reason = decide_cfs_tick(st, at, why);
    record(st, rec, at, task, reason, cfs_tick_reschedules(reason));
    apply_cfs_tick(st, at, reason);
}

} // namespace

template <DecisionSink S>
Reason decide_cfs_tick(const State& st, const Level& at, Evidence<S>& why) {
    const auto& [entity, curr, q, rq] = at;
    if (!why.template decide<Chk::more_than_one>(EntityId::none(), q.nr_queued, 1, q.nr_queued > 1))
        return Reason::tick_alone;
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

template <DecisionSink S>
void tick_task(State& st, Recorder<S>& rec, TaskId task) {
    for (EntityId e = st.task(task).entity; e;) {
        const Level at = level_of(st, e);
        tick_entity(st, rec, at, task);
        e = at.e.parent;
    }
}

#define X(S)                                                        \
    template void tick_task<S>(State&, Recorder<S>&, TaskId);       \
    template Reason decide_cfs_tick<S>(const State&, const Level&, Evidence<S>&);
PICKNEXT_FOR_EACH_SINK(X)
#undef X

} // namespace picknext::fair
