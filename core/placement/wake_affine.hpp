// SPDX-License-Identifier: GPL-3.0-or-later
// Should a wakeup pull the task towards the waker's CPU? (fns: record_wakee, wake_wide, wake_affine)
#pragma once

#include "core/placement/wake.hpp"
#include "core/trace/recorder.hpp"

namespace picknext::placement {

/// What the waker knows of its wakees after this wakeup.
struct WakeeRecord {
    std::uint32_t flips = 0;
    std::int64_t decay = 0; // jiffies
};
/// Flips are halved once if the last halving was more than a second ago, then count one more if the wakee is another
/// than last time (fn: record_wakee).
[[nodiscard]] WakeeRecord record_wakee(std::int64_t jiffies, std::int64_t hz, TaskId last_wakee, std::uint32_t flips,
                                       std::int64_t decay_jiffies, TaskId wakee);

/// Waker and wakee have so many partners that pulling them together would crowd one cache (fn: wake_wide).
template <DecisionSink S>
[[nodiscard]] bool wake_wide(TaskId wakee, std::uint32_t waker_flips, std::uint32_t wakee_flips, std::uint32_t llc_size,
                             Evidence<S>& why);

/// Everything wake_affine looks at.
struct AffineInput {
    CpuId this_cpu, prev_cpu;
    bool sync = false;
    bool share_cache = false;
    bool this_idle = false, prev_idle = false;
    std::int64_t nr_running_this = 0;  // as idle_cpu sees it
    std::int64_t nr_delayed_this = 0;  // of these, those whose dequeue is only delayed
    std::int64_t nr_running_prev = 0;
    std::int64_t load_this = 0, load_prev = 0, task_load = 0, curr_load = 0;
    std::int64_t capacity_this = full_capacity, capacity_prev = full_capacity;
    int imbalance_pct = 117;           // of the domain that holds both CPUs
};
[[nodiscard]] AffineInput gather_affine(const State& st, const Domains& domains, const Wake& wake, const Domain& domain);

/// this_cpu or prev_cpu by idleness, none without an opinion (fn: wake_affine_idle).
template <DecisionSink S>
[[nodiscard]] CpuId affine_idle(const AffineInput& in, const Settings& settings, Evidence<S>& why);
/// this_cpu if it is the lighter one with the task moved, else none (fn: wake_affine_weight).
template <DecisionSink S>
[[nodiscard]] CpuId affine_weight(const AffineInput& in, const Settings& settings, Evidence<S>& why);
/// The target of the idle search (fn: wake_affine).
template <DecisionSink S>
[[nodiscard]] CpuId wake_affine(const AffineInput& in, const Settings& settings, Evidence<S>& why);

} // namespace picknext::placement
