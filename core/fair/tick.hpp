// SPDX-License-Identifier: GPL-3.0-or-later
// The tick of the running task (fn: task_tick_fair).
#pragma once

#include "core/state/level.hpp"
#include "core/state/state.hpp"
#include "core/trace/recorder.hpp"

namespace picknext::fair {

/// From the task up: charge, load, group weight, and whether to ask for a reschedule. One record per level.
template <DecisionSink S>
void tick_task(State& st, Recorder<S>& rec, TaskId task);

/// What the tick of a running CFS entity asks for, once it is charged (fn: check_preempt_tick). Compares a virtual distance
/// with wall time in the end, as the kernel means to. Pure.
template <DecisionSink S>
[[nodiscard]] Reason decide_cfs_tick(const State& st, const Level& at, Evidence<S>& why);
/// That reason asks for a reschedule.
[[nodiscard]] constexpr bool cfs_tick_reschedules(Reason reason) { return reason == Reason::tick_slice_used || reason == Reason::tick_lag; }

} // namespace picknext::fair
