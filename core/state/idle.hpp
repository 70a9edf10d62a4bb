// SPDX-License-Identifier: GPL-3.0-or-later
// When a CPU counts as idle. Every decision about CPUs asks these, and none is as simple as "nothing runs there".
#pragma once

#include "core/state/state.hpp"

namespace picknext {

/// Runs the idle task, nothing queued, no remote wakeup pending (fn: idle_cpu). Between the dequeue of the last task
/// and the switch to idle it is not. On bare metal available_idle_cpu is the same.
[[nodiscard]] inline bool idle_cpu(const State& st, CpuId cpu) {
    const Rq& rq = st.rq(cpu);
    return !rq.curr.valid() && rq.nr_running == 0 && rq.ttwu_pending == 0;
}
/// Has tasks, and all of them are of idle policy (fn: sched_idle_cpu).
[[nodiscard]] inline bool sched_idle_cpu(const State& st, CpuId cpu) {
    const std::uint32_t running = st.rq(cpu).nr_running;
    return running != 0 && running == st.root_queue(cpu).h_nr_idle;
}
/// All siblings but the CPU itself are idle (fn: is_core_idle).
[[nodiscard]] inline bool is_core_idle(const State& st, CpuSetView siblings, CpuId cpu) {
    bool idle = true;
    for_each_cpu(siblings, [&](CpuId c) { return idle = c == cpu || idle_cpu(st, c); });
    return idle;
}

} // namespace picknext
