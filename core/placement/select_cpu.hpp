// SPDX-License-Identifier: GPL-3.0-or-later
// Which CPU a woken or new task goes to (fn: select_task_rq_fair). Pure; the engine applies the answer.
#pragma once

#include "core/state/state.hpp"
#include "core/topology/machine.hpp"
#include "core/trace/recorder.hpp"

namespace picknext::placement {

/// Who wakes whom, from where.
struct Wake {
    TaskId task;
    CpuId prev;          // where the task ran last (fork: the parent's CPU)
    CpuId waker_cpu;     // CPU that executes the wakeup
    bool sync = false;
    bool fork = false;
};

struct Placement {
    CpuId cpu;
    Reason reason = Reason::none;
    std::uint32_t scanned = 0; // CPUs looked at
};

/// Idle as the scheduler sees it: runs the idle task, nothing queued, no pending remote wakeup (fn: idle_cpu).
[[nodiscard]] bool cpu_is_idle(const State& st, CpuId cpu);

/// The CPU for a wakeup. The allowed set must hold an online CPU (the engine widens it otherwise, as the kernel's
/// fallback does).
template <DecisionSink S>
[[nodiscard]] Placement select_cpu(const State& st, const Settings& settings, const Machine& machine, const Wake& wake,
                                   Evidence<S>& why);

} // namespace picknext::placement
