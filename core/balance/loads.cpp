// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/balance/loads.hpp"

namespace picknext::balance {
namespace {

/// How much of the CPU's load goes through this queue (fn: update_cfs_rq_h_load).
std::uint64_t queue_h_load(const State& st, QueueId queue) {
    const Queue& q = st.queue(queue);
    if (!q.owner) return q.avg.load_avg;
    const Entity& owner = st.entity(q.owner);
    return queue_h_load(st, owner.queue) * owner.avg.load_avg / (st.queue(owner.queue).avg.load_avg + 1);
}

} // namespace

std::uint64_t task_h_load(const State& st, TaskId task) {
    const Entity& entity = st.entity(task);
    if (!entity.queue || !st.queue(entity.queue).owner) return entity.avg.load_avg;
    return entity.avg.load_avg * queue_h_load(st, entity.queue) / (st.queue(entity.queue).avg.load_avg + 1);
}

} // namespace picknext::balance
