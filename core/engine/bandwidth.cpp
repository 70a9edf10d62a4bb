// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/engine/bandwidth.hpp"

#include <algorithm>

#include "core/fair/bandwidth.hpp"
#include "core/fair/entity.hpp"
#include "core/fair/throttle.hpp"
#include "core/state/events.hpp"

namespace picknext {
namespace {

template <DecisionSink S>
void announce_refill(Context<S>& cx, GroupId group, Reason reason) {
    cx.rec.announce(cx.st, make_header(Kind::refill, reason, CpuId{0}, TaskId::none(), cx.st.groups[group.index()].first_entity.value));
}

template <DecisionSink S>
void announce_unthrottle(Context<S>& cx, QueueId queue, Reason reason) {
    const State& st = cx.st;
    const Queue& q = st.queue(queue);
    const bool returns = reason != Reason::unthrottle_short;
    cx.rec.announce(cx.st, make_header(Kind::unthrottle, reason, q.cpu, st.rq(q.cpu).curr, returns ? q.owner.value : -1, st.entity(q.owner).depth));
}

template <DecisionSink S>
void release(Context<S>& cx, QueueId queue) {
    update_rq_clock(cx.st, cx.st.queue(queue).cpu, cx.st.now);
    fair::unthrottle(cx.st, cx.rec, queue);
}

/// Gives one throttled queue what it overran and 1 ns, or what is left.
template <DecisionSink S>
void supply(Context<S>& cx, QueueId queue) {
    State& st = cx.st;
    Bandwidth& pool = st.pool(st.queue(queue).group);
    QueueBandwidth& own = st.bandwidth_of(queue);
    const Nanos overrun{-own.runtime_remaining};
    const Nanos given{std::min(pool.runtime, overrun.ns + 1)};
    const bool covered = cx.rec.open().template decide<Chk::given_covers_overrun>(st.queue(queue).owner, given, overrun, given > overrun);
    announce_unthrottle(cx, queue, covered ? Reason::unthrottle_covered : Reason::unthrottle_short);
    pool.runtime -= given.ns;
    own.runtime_remaining += given.ns;
    if (covered) release(cx, queue);
}

/// fn: distribute_cfs_runtime. Assumed: from 6.3 on, where each CPU is sent its part, all take it at this instant in the
/// same order.
template <DecisionSink S>
void distribute(Context<S>& cx, GroupId group) {
    const Bandwidth& pool = cx.st.pool(group);
    for (QueueId q = pool.throttled_first, next; q && pool.runtime > 0; q = next) {
        next = cx.st.bandwidth_of(q).next_throttled;
        supply(cx, q);
    }
}

} // namespace

template <DecisionSink S>
void set_group_bandwidth(Context<S>& cx, GroupId group, const BandwidthLimit& limit) {
    State& st = cx.st;
    PICKNEXT_ASSERT(group.value > 0 && group.index() < st.groups.size(), "limit of group {}", group);
    PICKNEXT_ASSERT(limit.quota >= 0 && limit.period > 0 && limit.burst >= 0, "quota {}, period {}, burst {}", limit.quota, limit.period, limit.burst);
    if (limit.quota == 0 && !st.bandwidth_used()) return;
    st.bandwidth.resize(st.groups.size());
    st.queue_bandwidth.resize(st.queues.size());
    Bandwidth& pool = st.pool(group);
    pool.quota = limit.quota;
    pool.period = limit.period;
    pool.burst = limit.burst;
    fair::refill(st.settings, pool);
    if (limit.quota != 0) fair::start_period_timer(st, group);
    for (std::size_t c = 0; c < st.cpu_count(); ++c) {
        const QueueId queue = fair::queue_of(st, group, CpuId{c});
        st.queue(queue).runtime_enabled = limit.quota != 0 && st.rqs[c].online != 0 ? 1 : 0;
        st.bandwidth_of(queue).runtime_remaining = 0;
        if (st.queue(queue).throttled == 0) continue;
        cx.rec.open();
        announce_unthrottle(cx, queue, Reason::unthrottle_changed);
        release(cx, queue);
    }
}

template <DecisionSink S>
void lift_limits(Context<S>& cx, CpuId offline) {
    State& st = cx.st;
    for (std::size_t g = 1; g < st.bandwidth.size(); ++g) {
        const QueueId queue = fair::queue_of(st, GroupId{g}, offline);
        st.queue(queue).runtime_enabled = 0;
        if (st.queue(queue).throttled == 0) continue;
        st.bandwidth_of(queue).runtime_remaining = 1;
        cx.rec.open();
        announce_unthrottle(cx, queue, Reason::unthrottle_offline);
        release(cx, queue);
    }
}

void restore_limits(State& st, CpuId online) {
    for (std::size_t g = 1; g < st.bandwidth.size(); ++g)
        st.queue(fair::queue_of(st, GroupId{g}, online)).runtime_enabled = st.bandwidth[g].quota != 0 ? 1 : 0;
}

template <DecisionSink S>
void bandwidth_period_timer(Context<S>& cx, GroupId group) {
    State& st = cx.st;
    Bandwidth& pool = st.pool(group);
    pool.period_expires += pool.period;
    if (pool.quota == 0) { // the limit was lifted
        pool.period_active = 0;
        return;
    }
    const EntityId subject = st.groups[group.index()].first_entity;
    const bool throttled = pool.throttled_first.valid();
    Bandwidth filled = pool;
    fair::refill(st.settings, filled);
    Evidence<S>& why = cx.rec.open();
    const bool was_idle = why.template decide<Chk::runtime_unused>(subject, pool.idle != 0, true, pool.idle != 0);
    const bool stops = was_idle && !why.template decide<Chk::queues_throttled>(subject, throttled, true, throttled);
    why.template note<Chk::pool_filled>(subject, Nanos{filled.runtime}, Nanos{pool.runtime});
    announce_refill(cx, group, stops ? Reason::refill_idle : Reason::refill_period);
    ++pool.nr_periods;
    const bool fills_anyway = st.settings.kernel >= Kernel::cfs_6_1; // a burst grows in idle periods too
    if (!stops || fills_anyway) pool.runtime = filled.runtime;
    if (stops) {
        pool.period_active = 0;
        return;
    }
    push_event(st, pool.period_expires, EventKind::bandwidth_period, group.value, 0);
    pool.idle = throttled ? 0 : 1;
    if (!throttled) return;
    ++pool.nr_throttled;
    while (pool.throttled_first && pool.runtime > 0) distribute(cx, group);
    pool.idle = 0;
}

template <DecisionSink S>
void bandwidth_slack_timer(Context<S>& cx, GroupId group) {
    State& st = cx.st;
    Bandwidth& pool = st.pool(group);
    pool.slack_started = 0;
    const EntityId subject = st.groups[group.index()].first_entity;
    const Nanos until{pool.period_expires - st.now}, least{fair::least_expiration};
    const Nanos left{pool.runtime}, slice{fair::bandwidth_slice(st)};
    Evidence<S>& why = cx.rec.open();
    Reason reason = Reason::refill_slack;
    if (why.template decide<Chk::period_begins_soon>(subject, until, least, fair::refills_within(st, pool, least.ns)))
        reason = Reason::refill_slack_late;
    else if (!why.template decide<Chk::slack_above_slice>(subject, left, slice, pool.quota != 0 && left > slice))
        reason = Reason::refill_slack_little;
    announce_refill(cx, group, reason);
    if (reason == Reason::refill_slack) distribute(cx, group);
}

#define X(S)                                                                                                 \
    template void set_group_bandwidth<S>(Context<S>&, GroupId, const BandwidthLimit&);                       \
    template void lift_limits<S>(Context<S>&, CpuId);                                                        \
    template void bandwidth_period_timer<S>(Context<S>&, GroupId);                                           \
    template void bandwidth_slack_timer<S>(Context<S>&, GroupId);
PICKNEXT_FOR_EACH_SINK(X)
#undef X

} // namespace picknext
