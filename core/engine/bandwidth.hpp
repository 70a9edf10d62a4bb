// SPDX-License-Identifier: GPL-3.0-or-later
// What the timers of bandwidth control do to a group on all CPUs, and how its limit is set. The engine calls these when
// their events are due; the period timer plans its next one itself.
#pragma once

#include <cstdint>

#include "core/engine/sched_core.hpp"

namespace picknext {

/// A limit as cpu.max and cpu.max.burst give it, ns.
struct BandwidthLimit {
    std::int64_t quota = 0;            // 0 = none
    std::int64_t period = 100'000'000; // > 0
    std::int64_t burst = 0;            // 0..quota; without effect before 5.14
};

/// Sets the limit of a group but the root: the pool is filled, every queue of the group begins anew without runtime,
/// throttled ones come back (fn: tg_set_cfs_bandwidth).
template <DecisionSink S>
void set_group_bandwidth(Context<S>& cx, GroupId group, const BandwidthLimit& limit);

/// The CPU goes offline: no group limits it any more, what is throttled there comes back so that its tasks can move. It
/// comes online: the limits hold there again (fns: unthrottle_offline_cfs_rqs, update_runtime_enabled).
template <DecisionSink S>
void lift_limits(Context<S>& cx, CpuId offline);
void restore_limits(State& st, CpuId online);

/// EventKind::bandwidth_period: the pool is filled and handed to throttled queues, each as much as makes its runtime
/// 1 ns, in the order they were throttled; a period in which nothing was used stops the timer
/// (fns: sched_cfs_period_timer, do_sched_cfs_period_timer). One record, and one per throttled queue.
template <DecisionSink S>
void bandwidth_period_timer(Context<S>& cx, GroupId group);

/// EventKind::bandwidth_slack: what emptied queues gave back goes to throttled queues, if it is more than a slice and
/// the next period is not near (fn: do_sched_cfs_slack_timer).
template <DecisionSink S>
void bandwidth_slack_timer(Context<S>& cx, GroupId group);

} // namespace picknext
