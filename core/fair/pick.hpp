// SPDX-License-Identifier: GPL-3.0-or-later
// Which entity of one queue runs next. Pure: nothing is charged, moved or marked here.
#pragma once

#include "core/fair/slice.hpp"
#include "core/state/state.hpp"
#include "core/trace/recorder.hpp"

namespace picknext::fair {

struct Pick {
    EntityId entity; // none: nothing is queued
    Reason reason = Reason::pick_empty;
    PickPath path = PickPath::none;
};

/// The algorithm of the settings, without buddies in EEVDF (fn: pick_eevdf), with them in CFS (fn:
/// pick_next_entity). The running entity counts if it is still queued.
template <DecisionSink S>
[[nodiscard]] Pick pick_cfs(const State& st, const Queue& q, Evidence<S>& why);
/// Earliest deadline among the eligible, in a tree sorted by deadline (6.8 and later).
template <DecisionSink S>
[[nodiscard]] Pick pick_eevdf(const State& st, const Queue& q, Evidence<S>& why);
/// The same in a tree sorted by vruntime (6.6): two passes.
template <DecisionSink S>
[[nodiscard]] Pick pick_eevdf_by_vruntime(const State& st, const Queue& q, Evidence<S>& why);

/// What a schedule takes from a queue: an eligible next buddy where the gate is open, else the algorithm
/// (fn: pick_next_entity).
template <DecisionSink S>
[[nodiscard]] Pick pick_next(const State& st, const Queue& q, Evidence<S>& why);
/// What a preemption check asks: the algorithm alone (EEVDF).
template <DecisionSink S>
[[nodiscard]] Pick pick_for_preemption(const State& st, const Queue& q, Evidence<S>& why);

/// Counts a call of pick_eevdf by how it ended, a buddy beside it; those of preemption checks count too, and each level of a hierarchy
/// (thread 4).
void count_pick(Accounts& accounts, PickPath path);

/// CFS: is `e` behind `first` by more than the wakeup granularity (of `first`)?  -1 not behind, 0 within, 1
/// more (fn: wakeup_preempt_entity(c, e) with c behind).
[[nodiscard]] inline int behind(const State& st, const Entity& e, const Entity& first) {
    const std::int64_t distance = e.vruntime - first.vruntime;
    if (distance <= 0) return -1;
    return distance > wakeup_granularity(st, first) ? 1 : 0;
}

} // namespace picknext::fair
