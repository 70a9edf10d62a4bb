// SPDX-License-Identifier: GPL-3.0-or-later
// Does a woken task take the CPU from the running one (fn: check_preempt_wakeup, check_preempt_wakeup_fair)?
#pragma once

#include "core/fair/place.hpp"
#include "core/state/state.hpp"
#include "core/trace/recorder.hpp"

namespace picknext::fair {

/// Charges where the kernel does, may nominate buddies, cancel protection and request a reschedule. One
/// record; the pick it may ask for has its own before it. `wakee` is queued on this CPU; fork: its first
/// wakeup.
template <DecisionSink S>
void check_preempt(State& st, Recorder<S>& rec, CpuId cpu, TaskId wakee, bool fork);

} // namespace picknext::fair
