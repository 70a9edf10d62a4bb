// SPDX-License-Identifier: GPL-3.0-or-later
// The tick of the running task (fn: task_tick_fair).
#pragma once

#include "core/state/state.hpp"
#include "core/trace/recorder.hpp"

namespace picknext::fair {

/// From the task up: charge, load, group weight, and whether to ask for a reschedule. One record per level.
template <DecisionSink S>
void tick_task(State& st, Recorder<S>& rec, TaskId task);

} // namespace picknext::fair
