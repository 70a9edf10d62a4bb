// SPDX-License-Identifier: GPL-3.0-or-later
// What a throttled group means to those who place and move tasks.
#pragma once

#include "core/state/state.hpp"

namespace picknext {

/// The queue, or one above it, ran out of runtime: nothing on it runs before it is given some
/// (fn: throttled_hierarchy).
[[nodiscard]] inline bool throttled_hierarchy(const Queue& q) { return q.throttle_count != 0; }

/// A queued task does not move between CPUs while its group is throttled on either
/// (fn: throttled_lb_pair). src: the CPU it is on.
[[nodiscard]] inline bool throttled_pair(const State& st, TaskId task, CpuId src, CpuId dst) {
    if (!st.bandwidth_used()) return false;
    const GroupId group = st.task(task).group;
    if (group.value == 0) return false;
    const QueueId first = st.groups[group.index()].first_queue;
    const auto throttled_on = [&](CpuId cpu) { return throttled_hierarchy(st.queue(QueueId{first.index() + cpu.index()})); };
    return throttled_on(src) || throttled_on(dst);
}

} // namespace picknext
