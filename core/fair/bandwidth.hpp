// SPDX-License-Identifier: GPL-3.0-or-later
// Bandwidth control (cpu.max): the pool of a group and what each of its queues takes from it. Runtime is wall time in
// ns, counted over all CPUs. Nothing here takes a group off a CPU: throttle.hpp does.
#pragma once

#include <cstdint>

#include "core/state/state.hpp"

namespace picknext::fair {

inline constexpr std::int64_t least_kept_runtime = 1'000'000; // ns an emptied queue keeps (min_cfs_rq_runtime)
inline constexpr std::int64_t slack_delay = 5'000'000;        // ns until slack is handed out (cfs_bandwidth_slack_period)
inline constexpr std::int64_t least_expiration = 2'000'000;   // ns: so near to a refill it is not (min_bandwidth_expiration)

/// Charges `delta` >= 0 ns to a queue whose group has a quota, and takes a slice from the pool when nothing is left.
/// Asks for a reschedule when the pool has nothing either (fn: account_cfs_rq_runtime). 0 ns: makes sure it has some.
void account_runtime(State& st, Queue& q, std::int64_t delta);

/// Takes from the pool what the queue lacks to have `target` ns, or what there is. True when it has runtime now
/// (fn: __assign_cfs_rq_runtime).
bool take_runtime(State& st, Queue& q, std::int64_t target);

/// A queue that has just become empty gives back what it has above least_kept_runtime
/// (fn: return_cfs_rq_runtime).
void return_runtime(State& st, Queue& q);

/// A period begins: the pool gets its quota. From 5.14 on what was left stays, up to the burst
/// (fn: __refill_cfs_bandwidth_runtime).
void refill(const Settings& settings, Bandwidth& pool);

/// The period timer runs from now on; it expires at multiples of the period (fn: start_cfs_bandwidth). Assumed: no
/// random offset, which kernels from 6.2 on give each group.
void start_period_timer(State& st, GroupId group);

/// The next refill is less than `least` ns away (fn: runtime_refresh_within). The period timer is on.
[[nodiscard]] inline bool refills_within(const State& st, const Bandwidth& pool, std::int64_t least) {
    return pool.period_expires - st.now < least;
}

/// Runtime a queue takes at a time, ns (fn: sched_cfs_bandwidth_slice).
[[nodiscard]] inline std::int64_t bandwidth_slice(const State& st) { return st.settings[Tunable::bandwidth_slice] * 1000; }

[[nodiscard]] inline QueueId id_of(const State& st, const Queue& q) {
    return QueueId{static_cast<std::size_t>(&q - st.queues.data())};
}

} // namespace picknext::fair
