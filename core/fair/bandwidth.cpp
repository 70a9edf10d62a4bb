// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/fair/bandwidth.hpp"

#include <algorithm>

#include "core/fair/entity.hpp"
#include "core/state/events.hpp"

namespace picknext::fair {

void account_runtime(State& st, Queue& q, std::int64_t delta) {
    QueueBandwidth& own = st.bandwidth_of(id_of(st, q));
    own.runtime_remaining -= delta;
    if (own.runtime_remaining > 0 || q.throttled != 0) return;
    if (!take_runtime(st, q, bandwidth_slice(st)) && q.curr) request_resched(st, q);
}

bool take_runtime(State& st, Queue& q, std::int64_t target) {
    QueueBandwidth& own = st.bandwidth_of(id_of(st, q));
    Bandwidth& pool = st.pool(q.group);
    start_period_timer(st, q.group);
    if (pool.runtime > 0) {
        const std::int64_t amount = std::min(pool.runtime, target - own.runtime_remaining);
        pool.runtime -= amount;
        pool.idle = 0;
        own.runtime_remaining += amount;
    }
    return own.runtime_remaining > 0;
}

void return_runtime(State& st, Queue& q) {
    QueueBandwidth& own = st.bandwidth_of(id_of(st, q));
    const std::int64_t slack = own.runtime_remaining - least_kept_runtime;
    if (slack <= 0) return;
    own.runtime_remaining -= slack;
    Bandwidth& pool = st.pool(q.group);
    pool.runtime += slack;
    if (pool.runtime <= bandwidth_slice(st) || !pool.throttled_first) return;
    if (pool.slack_started != 0 || refills_within(st, pool, slack_delay + least_expiration)) return;
    pool.slack_started = 1;
    push_event(st, st.now + slack_delay, EventKind::bandwidth_slack, q.group.value, 0);
}

void refill(const Settings& settings, Bandwidth& pool) {
    const bool bursts = settings.kernel >= Kernel::cfs_6_1;
    pool.runtime = bursts ? std::min(pool.runtime + pool.quota, pool.quota + pool.burst) : pool.quota;
}

void start_period_timer(State& st, GroupId group) {
    Bandwidth& pool = st.pool(group);
    if (pool.period_active != 0) return;
    pool.period_active = 1;
    if (pool.period_expires <= st.now) pool.period_expires += ((st.now - pool.period_expires) / pool.period + 1) * pool.period;
    push_event(st, pool.period_expires, EventKind::bandwidth_period, group.value, 0);
}

} // namespace picknext::fair
