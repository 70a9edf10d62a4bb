// SPDX-License-Identifier: GPL-3.0-or-later
// Which CPU a woken, new or executing task goes to, as the wakeup code outside the fair class asks for it
// (fn: select_task_rq). Pure; the engine applies the answer.
#pragma once

#include "core/placement/select_task.hpp"
#include "core/state/idle.hpp"

namespace picknext::placement {

/// Idle as the scheduler sees it, and online.
[[nodiscard]] inline bool cpu_is_idle(const State& st, CpuId cpu) { return idle_cpu(st, cpu) && st.rq(cpu).online != 0; }

/// A single allowed CPU is taken unasked; an answer the task must not or cannot use is replaced (fallback_cpu).
template <DecisionSink S>
[[nodiscard]] Placement select_cpu(const State& st, const Settings& settings, const Domains& domains, const Machine& machine,
                                   const Wake& wake, Evidence<S>& why);

struct Fallback {
    CpuId cpu = {};
    bool widens_affinity = false; // no allowed CPU is online: all are allowed from now on
};
/// The first allowed online CPU of the node of `near`, else of the machine; if there is none the affinity is given up and
/// the first online one of the node, else of the machine is taken (fns: select_fallback_rq, without cpusets of version 2).
template <DecisionSink S>
[[nodiscard]] Fallback fallback_cpu(const State& st, const Machine& machine, TaskId task, CpuId near, Evidence<S>& why);

} // namespace picknext::placement
