// SPDX-License-Identifier: GPL-3.0-or-later
// What the running task gives away by sched_yield (fn: yield_task_fair).
#pragma once

#include "core/state/state.hpp"
#include "core/trace/recorder.hpp"

namespace picknext::fair {

/// CFS marks it to be skipped; EEVDF up to 6.12 moves its deadline out by a slice; 6.12y lets an eligible
/// task's vruntime jump to its deadline. Nothing when it is the only task of the CPU. True when something was
/// given.
template <DecisionSink S>
bool yield_task(State& st, Recorder<S>& rec, TaskId task);

} // namespace picknext::fair
