// SPDX-License-Identifier: GPL-3.0-or-later
// Load, utilisation and capacity of CPUs and tasks as placement and balancing look at them. 1024 = one full CPU.
#pragma once

#include <algorithm>

#include "core/state/state.hpp"

namespace picknext::balance {

[[nodiscard]] inline std::uint64_t cpu_load(const State& st, CpuId cpu) { return st.root_queue(cpu).avg.load_avg; }
[[nodiscard]] inline std::uint64_t cpu_runnable(const State& st, CpuId cpu) { return st.root_queue(cpu).avg.runnable_avg; }
/// Capped at the original capacity (fn: cpu_util_cfs).
[[nodiscard]] inline std::uint64_t cpu_util(const State& st, const Settings& settings, CpuId cpu) {
    const LoadAvg& avg = st.root_queue(cpu).avg;
    const std::uint64_t util = settings.on(Feature::util_est) ? std::max<std::uint64_t>(avg.util_avg, avg.util_est) : avg.util_avg;
    return std::min(util, static_cast<std::uint64_t>(st.rq(cpu).capacity));
}
/// What RT and interrupts leave is below the original by more than the domain's margin (fn: check_cpu_capacity).
[[nodiscard]] inline bool capacity_reduced(const State& st, CpuId cpu, int imbalance_pct) {
    return st.rq(cpu).cpu_capacity * imbalance_pct < st.rq(cpu).capacity * 100;
}
/// a is larger than b by more than 5 % (fn: capacity_greater).
[[nodiscard]] constexpr bool capacity_greater(std::int64_t a, std::int64_t b) { return a * 1024 > b * 1078; }

/// The task's part of the load of its CPU (fn: task_h_load). Without groups its own load. The kernel renews the
/// groups' factors once a jiffy; here they are always current.
[[nodiscard]] std::uint64_t task_h_load(const State& st, TaskId task);
/// fn: task_util_est.
[[nodiscard]] inline std::uint64_t task_util_est(const State& st, const Settings& settings, TaskId task) {
    const LoadAvg& avg = st.entity(task).avg;
    if (!settings.on(Feature::util_est)) return avg.util_avg;
    return std::max<std::uint64_t>(avg.util_avg, std::max(avg.util_est, avg.util_est_ewma));
}
/// The task fits with a margin of 20 % (fn: fits_capacity).
[[nodiscard]] constexpr bool fits_capacity(std::uint64_t util, std::int64_t capacity) {
    return util * 1280 < static_cast<std::uint64_t>(capacity) * 1024;
}

} // namespace picknext::balance
