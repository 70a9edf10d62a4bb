// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/fair/throttle.hpp"

#include "core/fair/bandwidth.hpp"
#include "core/fair/counts.hpp"
#include "core/fair/entity.hpp"
#include "core/fair/hierarchy.hpp"
#include "core/pelt/pelt.hpp"

namespace picknext::fair {
namespace {

// --- the list of throttled queues of a group ---

void list_throttled(State& st, QueueId queue) {
    Bandwidth& pool = st.pool(st.queue(queue).group);
    if (pool.throttled_last) st.bandwidth_of(pool.throttled_last).next_throttled = queue;
    else pool.throttled_first = queue;
    pool.throttled_last = queue;
}

void unlist_throttled(State& st, QueueId queue) {
    Bandwidth& pool = st.pool(st.queue(queue).group);
    QueueId previous;
    for (QueueId q = pool.throttled_first; q != queue; q = st.bandwidth_of(q).next_throttled) previous = q;
    QueueId& next = st.bandwidth_of(queue).next_throttled;
    if (previous) st.bandwidth_of(previous).next_throttled = next;
    else pool.throttled_first = next;
    if (pool.throttled_last == queue) pool.throttled_last = previous;
    next = QueueId::none();
}

// --- the queues below ---

bool is_below(const State& st, GroupId group, GroupId top) {
    while (group.index() > top.index()) group = st.groups[group.index()].parent; // parents come before children
    return group == top;
}

/// Calls f for the queue and those of the groups below its group on its CPU.
template <class F>
void for_each_below(State& st, QueueId queue, F&& f) {
    const GroupId top = st.queue(queue).group;
    const CpuId cpu = st.queue(queue).cpu;
    for (std::size_t g = top.index(); g < st.groups.size(); ++g)
        if (is_below(st, GroupId{g}, top)) f(queue_of(st, GroupId{g}, cpu));
}

/// fn: tg_throttle_down. The PELT clock stands still.
void freeze(State& st, QueueId queue) {
    for_each_below(st, queue, [&](QueueId below) {
        if (st.queue(below).throttle_count++ == 0)
            st.bandwidth_of(below).throttled_clock_pelt = pelt::throttle_clock(st, st.queue(below).cpu);
    });
}
/// fn: tg_unthrottle_up.
void unfreeze(State& st, QueueId queue) {
    for_each_below(st, queue, [&](QueueId below) {
        if (--st.queue(below).throttle_count != 0) return;
        QueueBandwidth& own = st.bandwidth_of(below);
        own.throttled_clock_pelt_time += pelt::throttle_clock(st, st.queue(below).cpu) - own.throttled_clock_pelt;
    });
}

// --- the levels above ---

Counts counts_of(const Queue& q) { return {q.h_nr_queued, q.h_nr_runnable, q.h_nr_idle}; }

/// The group's entity leaves, and every one above that becomes empty; the levels above forget the tasks.
template <DecisionSink S>
void take_off(State& st, Recorder<S>& rec, const Queue& q) {
    Counts n = counts_of(q);
    bool emptied = true;
    EntityId e = q.owner;
    for (; e && st.entity(e).on_rq != 0; e = st.entity(e).parent) {
        Queue& above = st.queue(st.entity(e).queue);
        if (emptied) {
            const bool delayed = st.entity(e).sched_delayed != 0;
            dequeue_group(st, rec, e, {.sleep = true, .special = true, .delayed = delayed});
            emptied = above.weight.fine == 0;
        } else {
            pelt::update_load(st, e, pelt::Attach::no, pelt::GroupSum::leave);
            renew_runnable(st, st.entity(e));
        }
        pass_idle_group(st, st.queue(st.entity(e).my_queue), n);
        subtract(above, n);
    }
    if (!e) subtract_running(st, q.cpu, n.queued);
}

/// The reverse, up to a queue that is throttled itself.
template <DecisionSink S>
void put_back(State& st, Recorder<S>& rec, const Queue& q) {
    Counts n = counts_of(q);
    bool joins = true;
    for (EntityId e = q.owner; e; e = st.entity(e).parent) {
        Queue& above = st.queue(st.entity(e).queue);
        if (joins && st.entity(e).sched_delayed != 0) dequeue_group(st, rec, e, {.sleep = true, .delayed = true});
        joins = joins && st.entity(e).on_rq == 0;
        if (joins) {
            enqueue_group(st, rec, e);
        } else {
            pelt::update_load(st, e, pelt::Attach::no);
            renew_runnable(st, st.entity(e));
        }
        pass_idle_group(st, st.queue(st.entity(e).my_queue), n);
        add(above, n);
        if (above.throttled != 0) return;
    }
    add_running(st, q.cpu, n.queued);
}

/// fn: throttle_cfs_rq. False when runtime came into the pool after the queue had asked for it in vain.
template <DecisionSink S>
bool throttle(State& st, Recorder<S>& rec, QueueId queue) {
    Queue& q = st.queue(queue);
    QueueBandwidth& own = st.bandwidth_of(queue);
    const Nanos left{st.pool(q.group).runtime}, overrun{-own.runtime_remaining};
    const bool supplied = rec.open().template decide<Chk::pool_covers_overrun>(q.owner, left, overrun, left > overrun);
    rec.announce(st, make_header(Kind::throttle, supplied ? Reason::throttle_supplied : Reason::throttle_used_up, q.cpu,
                                 rq_of(st, q).curr, supplied ? -1 : q.owner.value, st.entity(q.owner).depth));
    const bool runs_on = take_runtime(st, q, 1);
    PICKNEXT_DEBUG_ASSERT(runs_on == supplied, "queue {}: {} ns left after {} ns overrun", queue, own.runtime_remaining, overrun.ns);
    if (runs_on) return false;
    list_throttled(st, queue);
    freeze(st, queue);
    take_off(st, rec, q);
    q.throttled = 1;
    own.throttled_clock = rq_of(st, q).clock;
    return true;
}

} // namespace

template <DecisionSink S>
bool throttle_if_used_up(State& st, Recorder<S>& rec, QueueId queue) {
    if (st.bandwidth_of(queue).runtime_remaining > 0) return false;
    return st.queue(queue).throttled != 0 || throttle(st, rec, queue); // it may be made to run in spite of it
}

template <DecisionSink S>
void throttle_if_enqueued_without(State& st, Recorder<S>& rec, QueueId queue) {
    Queue& q = st.queue(queue);
    if (q.curr || q.throttled != 0) return; // a running one is looked at when it is put back
    account_runtime(st, q, 0);
    if (st.bandwidth_of(queue).runtime_remaining <= 0) throttle(st, rec, queue);
}

template <DecisionSink S>
void unthrottle(State& st, Recorder<S>& rec, QueueId queue) {
    Queue& q = st.queue(queue);
    QueueBandwidth& own = st.bandwidth_of(queue);
    Rq& rq = rq_of(st, q);
    q.throttled = 0;
    st.pool(q.group).throttled_time += static_cast<std::uint64_t>(rq.clock - own.throttled_clock);
    unlist_throttled(st, queue);
    unfreeze(st, queue);
    if (q.weight.fine != 0) put_back(st, rec, q);
    if (!rq.curr && st.root_queue(q.cpu).nr_queued != 0) rq.need_resched = 1;
}

#define X(S)                                                                                                 \
    template bool throttle_if_used_up<S>(State&, Recorder<S>&, QueueId);                                     \
    template void throttle_if_enqueued_without<S>(State&, Recorder<S>&, QueueId);                            \
    template void unthrottle<S>(State&, Recorder<S>&, QueueId);
PICKNEXT_FOR_EACH_SINK(X)
#undef X

} // namespace picknext::fair
