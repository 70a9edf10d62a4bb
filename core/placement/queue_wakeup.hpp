// SPDX-License-Identifier: GPL-3.0-or-later
// Who enqueues a woken task: the waker, or the CPU it goes to (fns: ttwu_queue_wakelist, ttwu_queue_cond; feature
// TTWU_QUEUE).
#pragma once

#include "core/state/state.hpp"
#include "core/topology/domains.hpp"
#include "core/trace/recorder.hpp"

namespace picknext::placement {

struct QueueWakeup {
    bool remote = false; // onto the target's wake list
    Reason reason = Reason::none;
};
/// A target that shares no cache with the waker's CPU, or (6.0 and later) another CPU with nothing queued, enqueues the
/// task itself. Earlier kernels do the latter only while the target still switches that very task out, which takes no
/// time here. Pure.
template <DecisionSink S>
[[nodiscard]] QueueWakeup queue_wakeup(const State& st, const Settings& settings, const Domains& domains, TaskId task,
                                       CpuId waker_cpu, CpuId target, Evidence<S>& why);

} // namespace picknext::placement
