// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/fair/hierarchy.hpp"

#include "core/fair/average.hpp"
#include "core/fair/bandwidth.hpp"
#include "core/fair/buddies.hpp"
#include "core/fair/charge.hpp"
#include "core/fair/counts.hpp"
#include "core/fair/entity.hpp"
#include "core/fair/reweight.hpp"
#include "core/fair/slice.hpp"
#include "core/fair/throttle.hpp"
#include "core/pelt/pelt.hpp"
#include "core/rbtree/tree.hpp"
#include "core/state/idle.hpp"
#include "core/state/level.hpp"
#include "core/state/task_list.hpp"
#include "core/state/throttled.hpp"

namespace picknext::fair {
namespace {

/// The levels above a task count it as runnable or not (fn: set_delayed, clear_delayed), up to a throttled
/// one. A group entity has none below.
void mark_delayed(State& st, Entity& e, bool delayed) {
    e.sched_delayed = delayed ? 1 : 0;
    if (!e.task) return;
    const std::uint32_t by = delayed ? 1 : ~0U;
    for (QueueId level = e.queue; level;) {
        Queue& q = st.queue(level);
        q.h_nr_delayed += by;
        q.h_nr_runnable -= by;
        if (q.throttled != 0) return;
        level = q.owner ? st.entity(q.owner).queue : QueueId::none();
    }
}

void account_enqueue(State& st, Queue& q, const Entity& e) {
    q.weight = q.weight + e.weight;
    ++q.nr_queued;
    if (is_idle(st, e)) ++q.idle_nr;
    if (e.task) list_add_first(st, q.cpu, e.task);
}
void account_dequeue(State& st, Queue& q, const Entity& e) {
    q.weight = q.weight - e.weight;
    --q.nr_queued;
    if (is_idle(st, e)) --q.idle_nr;
    if (e.task) list_remove(st, q.cpu, e.task);
}

bool group_slices(const State& st) { return st.settings.augment() == Augment::min_vruntime_min_slice; }

/// A queued group entity takes over the smallest slice of its queue; its deadline stays.
void pass_slice(State& st, EntityId entity, std::uint64_t slice) {
    Entity& e = st.entity(entity);
    e.slice = slice;
    if (st.queue(e.queue).curr != entity) rbtree::refresh(st, entity);
}

template <DecisionSink S>
void record(State& st, Recorder<S>& rec, Kind kind, Reason reason, const Level& at, TaskId task, bool outcome) {
    rec.announce(st, make_header(kind, reason, at.q.cpu, task, outcome ? 1 : 0, at.e.depth));
}

template <DecisionSink S>
void place(State& st, Recorder<S>& rec, const Level& at, TaskId task, EnqueueFlags flags) {
    const Placement p = decide_place(st, at.q, at.id, flags, rec.open());
    record(st, rec, Kind::enqueue, p.reason, at, task, false);
    apply_place(st, at.q, at.e, p);
}

/// CFS keeps the vruntime of a task that is off its queue, but not asleep, relative to min_vruntime.
template <DecisionSink S>
void denormalize(State& st, Recorder<S>& rec, const Level& at, TaskId task) {
    const VTime vruntime{at.e.vruntime.ns + at.q.ref.ns};
    rec.open().template note<Chk::placed_vruntime>(at.id, vruntime, at.q.ref);
    record(st, rec, Kind::enqueue, Reason::enqueue_normalized, at, task, false);
    at.e.vruntime = vruntime;
}

template <DecisionSink S>
void enqueue_entity(State& st, Recorder<S>& rec, const Level& at, TaskId task, EnqueueFlags flags) {
    auto& [entity, e, q, rq] = at;
    const bool eevdf = st.settings.eevdf();
    const bool relative = !eevdf && (!flags.wakeup || flags.migrated);
    // A group whose last task just blocked is still current here when newidle balancing pulls another of its tasks.
    const bool current = at.current();
    if (current && relative) denormalize(st, rec, at, task);
    if (current && eevdf) place(st, rec, at, task, flags);
    update_curr(st, q, rq);
    if (!current && relative) denormalize(st, rec, at, task);
    pelt::update_load(st, at, pelt::Attach::if_new);
    renew_runnable(st, e);
    update_group_weight(st, at);
    if (!current && eevdf) place(st, rec, at, task, flags);
    account_enqueue(st, q, e);
    if (!eevdf && flags.wakeup) place(st, rec, at, task, flags);
    if (flags.migrated) e.exec_start = 0;
    if (!current) tree_insert(st, q, entity);
    e.on_rq = 1;
    if (q.runtime_enabled != 0 && q.nr_queued == 1) throttle_if_enqueued_without(st, rec, e.queue);
}

struct DequeueOutcome {
    bool leaves = true;
    Reason reason = Reason::dequeue_now;
};

template <DecisionSink S>
DequeueOutcome decide_dequeue(const State& st, const Level& at, DequeueFlags flags, Evidence<S>& why) {
    const auto& [entity, e, q, rq] = at;
    if (flags.delayed) {
        why.template decide<Chk::delayed_picked>(entity, true, true, true);
        return {true, Reason::dequeue_delayed_finish};
    }
    if (!why.template decide<Chk::sleeping>(entity, flags.sleep, true, flags.sleep))
        return {true, Reason::dequeue_moved};
    if (flags.special || !st.settings.on(Feature::delay_dequeue)) return {};
    VTime average;
    if constexpr (Evidence<S>::recording) average = average_vruntime(st, q);
    const bool owed = eligible(sums_of(st, q), e.vruntime);
    if (why.template decide<Chk::sleeper_eligible>(entity, e.vruntime, average, owed)) return {};
    return {false, Reason::dequeue_delayed};
}

void leave_queue(State& st, const Level& at, DequeueFlags flags) {
    auto& [entity, e, q, rq] = at;
    const Settings& settings = st.settings;
    const bool eevdf = settings.eevdf();
    pelt::update_load(st, at, pelt::Attach::no);
    if (flags.migrating && e.task) {
        pelt::detach(st, e.queue, entity);
        pelt::update_group_load(st, e.queue);
    }
    renew_runnable(st, e);
    clear_buddies(st, q, entity);
    if (eevdf) store_lag(st, q, e);
    if (settings.on(Feature::place_rel_deadline) && !flags.sleep) {
        e.deadline = VTime{e.deadline.ns - e.vruntime.ns};
        e.rel_deadline = 1;
    }
    if (!at.current()) tree_erase(st, q, entity);
    e.on_rq = 0;
    account_dequeue(st, q, e);
    if (q.runtime_enabled != 0 && q.nr_queued == 0) return_runtime(st, q);
    if (!eevdf && !flags.sleep) e.vruntime = VTime{e.vruntime.ns - q.ref.ns};
    update_group_weight(st, at);
    if (!flags.save || flags.move) advance_min_vruntime(st, q);
    if (st.bandwidth_used() && q.nr_queued == 0) pelt::note_emptied(st, e.queue);
    if (flags.delayed) {
        mark_delayed(st, e, false);
        if (settings.on(Feature::delay_zero) && e.vlag > 0) e.vlag = 0;
    }
}

/// False when the dequeue is delayed.
template <DecisionSink S>
bool dequeue_entity(State& st, Recorder<S>& rec, const Level& at, TaskId task, DequeueFlags flags) {
    update_curr(st, at.q, at.rq);
    if (st.settings.kernel == Kernel::eevdf_6_12y) clear_buddies(st, at.q, at.id);
    const DequeueOutcome outcome = decide_dequeue(st, at, flags, rec.open());
    record(st, rec, Kind::dequeue, outcome.reason, at, task, outcome.leaves);
    if (outcome.leaves) {
        leave_queue(st, at, flags);
    } else {
        pelt::update_load(st, at, pelt::Attach::no, pelt::GroupSum::leave);
        mark_delayed(st, at.e, true);
    }
    return outcome.leaves;
}

/// fn: dequeue_entities. False when the first entity's dequeue was delayed.
template <DecisionSink S>
bool dequeue_upward(State& st, Recorder<S>& rec, EntityId first, DequeueFlags flags) {
    const bool slices = group_slices(st);
    const TaskId task = st.entity(first).task;
    const bool sleeping = flags.sleep, finishing = flags.delayed;
    Counts n;
    if (task) {
        const bool runnable = sleeping || finishing || st.entity(first).sched_delayed == 0;
        n = {1, runnable ? 1U : 0U, st.task(task).policy == Policy::idle ? 1U : 0U};
    }
    const Counts of_task = n;
    const bool was_sched_idle = sched_idle_cpu(st, st.queue(st.entity(first).queue).cpu);
    bool throttled = false; // then the levels above do not count it
    std::uint64_t slice = 0;
    EntityId e = first;
    while (e) {
        const Level at = level_of(st, e);
        Queue& q = at.q;
        if (!dequeue_entity(st, rec, at, task, flags)) {
            if (e == first) return false;
            if (slices) slice = min_slice(st, q);
            break;
        }
        subtract(q, n);
        pass_idle_group(st, q, n);
        throttled = q.throttled != 0;
        e = throttled ? EntityId::none() : at.e.parent;
        if (q.weight.fine != 0) {
            if (slices) slice = min_slice(st, q);
            if (sleeping && e && !throttled_hierarchy(q)) set_next_buddy(st, e); // somebody of this group may go on in its slice
            break;
        }
        flags.sleep = true;
        flags.delayed = flags.special = false;
    }
    for (; e && !throttled; e = st.entity(e).parent) {
        renew_from_below(st, e);
        Queue& q = st.queue(st.entity(e).queue);
        if (slices) {
            pass_slice(st, e, slice);
            slice = min_slice(st, q);
        }
        subtract(q, n);
        pass_idle_group(st, q, n);
        throttled = q.throttled != 0;
    }
    if (!throttled) {
        const CpuId cpu = st.queue(st.entity(first).queue).cpu;
        subtract_running(st, cpu, of_task.queued);
        if (!was_sched_idle && sched_idle_cpu(st, cpu)) st.rq(cpu).next_balance = st.jiffies(); // nothing urgent runs: balance early
    }
    if (task && finishing) st.task(task).on_rq = 0;
    return true;
}

/// Out of the tree with its lag forgotten, and back at V (DELAY_ZERO).
template <DecisionSink S>
void place_revived(State& st, Recorder<S>& rec, const Level& at, TaskId task) {
    auto& [entity, e, q, rq] = at;
    const bool running = at.current();
    --q.nr_queued;
    if (!running) tree_erase(st, q, entity);
    e.vlag = 0;
    const Placement p = decide_place(st, q, entity, {}, rec.open());
    record(st, rec, Kind::enqueue, Reason::enqueue_revived, at, task, false);
    apply_place(st, q, e, p);
    if (!running) tree_insert(st, q, entity);
    ++q.nr_queued;
}

/// fn: requeue_delayed_entity.
template <DecisionSink S>
void requeue_delayed(State& st, Recorder<S>& rec, const Level& at, TaskId task) {
    Entity& e = at.e;
    const bool zero = st.settings.on(Feature::delay_zero);
    if (zero) store_lag(st, at.q, e);
    if (zero && e.vlag > 0) {
        place_revived(st, rec, at, task);
    } else {
        rec.open();
        record(st, rec, Kind::enqueue, Reason::enqueue_revived, at, task, false);
    }
    pelt::update_load(st, at, pelt::Attach::no, pelt::GroupSum::leave);
    mark_delayed(st, e, false);
}

} // namespace

void renew_from_below(State& st, EntityId entity) {
    const Level at = level_of(st, entity);
    pelt::update_load(st, at, pelt::Attach::no);
    renew_runnable(st, at.e);
    update_group_weight(st, at);
}

// Flat: its steps have names to be found by, but as calls they cost 5 % of a sleep and a wake.
template <DecisionSink S>
[[gnu::flatten]] void enqueue_task(State& st, Recorder<S>& rec, TaskId task, EnqueueFlags flags) {
    const bool slices = group_slices(st);
    EntityId e = st.task(task).entity;
    const bool delayed = st.entity(e).sched_delayed != 0;
    if (!delayed) pelt::util_est_enqueue(st, task);
    Counts n{1, delayed ? 0U : 1U, st.task(task).policy == Policy::idle ? 1U : 0U};
    bool throttled = false; // then the levels above do not count it
    std::uint64_t slice = 0;
    while (e && !throttled) {
        const Level at = level_of(st, e);
        auto& [id, se, q, rq] = at;
        if (se.on_rq != 0) {
            if (se.sched_delayed != 0) requeue_delayed(st, rec, at, task);
            break;
        }
        if (slice != 0) {
            se.slice = slice;
            se.custom_slice = 1;
        }
        enqueue_entity(st, rec, at, task, flags);
        if (slices) slice = min_slice(st, q);
        add(q, n);
        pass_idle_group(st, q, n);
        throttled = q.throttled != 0;
        flags = EnqueueFlags{.wakeup = true};
        e = se.parent;
    }
    for (; e && !throttled; e = st.entity(e).parent) {
        renew_from_below(st, e);
        Queue& q = st.queue(st.entity(e).queue);
        if (slices) {
            pass_slice(st, e, slice);
            slice = min_slice(st, q);
        }
        add(q, n);
        pass_idle_group(st, q, n);
        throttled = q.throttled != 0;
    }
    if (!throttled) add_running(st, st.task(task).cpu, 1);
    st.task(task).on_rq = 1;
}

// Flat, like enqueue_task.
template <DecisionSink S>
[[gnu::flatten]] bool dequeue_task(State& st, Recorder<S>& rec, TaskId task, DequeueFlags flags) {
    const EntityId e = st.task(task).entity;
    const bool estimated_first = st.settings.kernel >= Kernel::eevdf_6_12;
    if (st.entity(e).sched_delayed == 0) pelt::util_est_dequeue(st, task);
    if (estimated_first) pelt::util_est_update(st, task, flags.sleep);
    if (!dequeue_upward(st, rec, e, flags)) return false;
    if (!estimated_first) pelt::util_est_update(st, task, flags.sleep);
    st.task(task).on_rq = 0;
    return true;
}

template <DecisionSink S>
[[gnu::flatten]] void finish_delayed(State& st, Recorder<S>& rec, EntityId entity) {
    dequeue_upward(st, rec, entity, DequeueFlags{.sleep = true, .delayed = true});
}

template <DecisionSink S>
[[gnu::flatten]] void revive_delayed(State& st, Recorder<S>& rec, TaskId task) {
    pelt::util_est_enqueue(st, task);
    requeue_delayed(st, rec, level_of(st, st.task(task).entity), task);
}

template <DecisionSink S>
void enqueue_group(State& st, Recorder<S>& rec, EntityId entity) {
    enqueue_entity(st, rec, level_of(st, entity), TaskId::none(), {.wakeup = true});
}

template <DecisionSink S>
void dequeue_group(State& st, Recorder<S>& rec, EntityId entity, DequeueFlags flags) {
    dequeue_entity(st, rec, level_of(st, entity), TaskId::none(), flags);
}

#define X(S)                                                                                                 \
    template void enqueue_task<S>(State&, Recorder<S>&, TaskId, EnqueueFlags);                               \
    template bool dequeue_task<S>(State&, Recorder<S>&, TaskId, DequeueFlags);                               \
    template void finish_delayed<S>(State&, Recorder<S>&, EntityId);                                         \
    template void revive_delayed<S>(State&, Recorder<S>&, TaskId);                                           \
    template void enqueue_group<S>(State&, Recorder<S>&, EntityId);                                          \
    template void dequeue_group<S>(State&, Recorder<S>&, EntityId, DequeueFlags);
PICKNEXT_FOR_EACH_SINK(X)
#undef X

} // namespace picknext::fair
