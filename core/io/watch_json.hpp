// SPDX-License-Identifier: GPL-3.0-or-later
// What a watch found, as JSON: one object a line. CPUs by the firmware's numbers, times in ns, no line ends.
#pragma once

#include <string>

#include "core/engine/scenario.hpp"
#include "core/watch/watch.hpp"

namespace picknext::io {

/// Keys: watch = "idle", idle_cpu, task, queue_cpu, begin_ns, end_ns, cause.
[[nodiscard]] std::string interval_json(const Scenario& scenario, const State& st, const watch::Interval& interval);

/// Keys: watch = "wait", task, cpu, begin_ns, end_ns.
[[nodiscard]] std::string wait_json(const Scenario& scenario, const State& st, const watch::Wait& wait);

/// Keys: watch = "summary", lost_ns, intervals, causes: array of {cause, ns, stretches, longest_ns, what}, longest_waits:
/// array of {task, ns, cpu, begin_ns} by task, wait_limit_ns, long_waits, long_waits_ns, lag_sum: {sum, weight, cpu, time_ns} or null.
[[nodiscard]] std::string watch_summary_json(const Scenario& scenario, const State& st, const watch::Watch& watch);

} // namespace picknext::io
