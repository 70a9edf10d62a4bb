// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/engine/sched_core.hpp"

#include <algorithm>
#include <utility>

#include "core/engine/charging.hpp"
#include "core/fair/average.hpp"
#include "core/fair/buddies.hpp"
#include "core/fair/charge.hpp"
#include "core/fair/entity.hpp"
#include "core/fair/hierarchy.hpp"
#include "core/fair/pick.hpp"
#include "core/fair/preempt.hpp"
#include "core/fair/reweight.hpp"
#include "core/fair/switch.hpp"
#include "core/fair/throttle.hpp"
#include "core/fair/tick.hpp"
#include "core/fair/weights.hpp"
#include "core/fair/yield.hpp"
#include "core/pelt/pelt.hpp"
#include "core/state/throttled.hpp"

namespace picknext {
namespace {

constexpr std::int64_t least_own_slice = 100'000, most_own_slice = 100'000'000; // ns

bool own_slices(const State& st) { return st.settings.kernel >= Kernel::eevdf_6_12; }

/// fn: __setparam_fair. Takes effect at the next renewal or placement.
void set_slice(const State& st, Entity& e, std::int64_t slice) {
    e.custom_slice = own_slices(st) && slice != 0 ? 1 : 0;
    if (e.custom_slice != 0)
        e.slice = static_cast<std::uint64_t>(std::clamp(slice, least_own_slice, most_own_slice));
    else if (st.settings.eevdf())
        e.slice = static_cast<std::uint64_t>(st.settings[Tunable::base_slice]);
}

/// fn: __set_task_cpu, set_task_rq.
void set_task_cpu(State& st, TaskId task, CpuId cpu) {
    Task& t = st.task(task);
    t.cpu = cpu;
    fair::attach_to_queue(st, st.entity(t.entity), fair::queue_of(st, t.group, cpu));
}

/// The queue a new task is placed on: that of the task that runs on the parent's CPU, or the root queue.
Queue& forking_queue(State& st, CpuId parent_cpu) {
    const TaskId curr = st.rq(parent_cpu).curr;
    return curr ? st.queue(st.entity(curr).queue) : st.root_queue(parent_cpu);
}

/// fn: task_fork_fair of CFS: behind the parent, then relative until it is queued.
template <DecisionSink S>
void place_fork(Context<S>& cx, TaskId task, Queue& q) {
    State& st = cx.st;
    const EntityId child = st.task(task).entity;
    Entity& e = st.entity(child);
    if (q.curr) e.vruntime = st.entity(q.curr).vruntime;
    const fair::Placement p = fair::decide_place(st, q, child, {.initial = true}, cx.rec.open());
    cx.rec.announce(st, make_header(Kind::enqueue, p.reason, q.cpu, task, 0, e.depth));
    fair::apply_place(st, q, e, p);
    if (st.settings.on(Feature::child_runs_first) && q.curr &&
        before(st.entity(q.curr).vruntime, e.vruntime)) {
        std::swap(st.entity(q.curr).vruntime, e.vruntime);
        fair::request_resched(st, q);
    }
    e.vruntime = VTime{e.vruntime.ns - q.ref.ns};
}

/// What happens on the parent's CPU. 6.12 does nothing there; 6.6 and 6.8 place too, but the enqueue places
/// again.
template <DecisionSink S>
void fork_on_parent(Context<S>& cx, TaskId task, CpuId parent_cpu) {
    State& st = cx.st;
    if (st.settings.kernel >= Kernel::eevdf_6_12) return;
    update_rq_clock(st, parent_cpu, st.now);
    Queue& q = forking_queue(st, parent_cpu);
    fair::update_curr(st, q);
    if (!st.settings.eevdf()) place_fork(cx, task, q);
}

/// A CPU that was stamped idle learns how long it was (fn: ttwu_do_activate); 6.1's SIS_PROP ages a copy.
void note_end_of_idle(State& st, CpuId cpu) {
    Rq& rq = st.rq(cpu);
    if (rq.idle_stamp == 0) return;
    const std::int64_t idle = rq.clock - rq.idle_stamp;
    const auto average = static_cast<std::int64_t>(rq.avg_idle);
    rq.avg_idle = std::min(static_cast<std::uint64_t>(average + (idle - average) / 8), 2 * rq.max_idle_balance_cost);
    rq.idle_stamp = 0;
    if (st.settings.kernel != Kernel::cfs_6_1) return;
    rq.wake_stamp = st.jiffies();
    rq.wake_avg_idle = rq.avg_idle / 2;
}

/// Charges the queue's running entity. True when the queue must not run: its group has used up its runtime. Up to
/// 6.8 only the branch that runs is looked at.
template <DecisionSink S>
bool charge_before_pick(Context<S>& cx, QueueId queue) {
    State& st = cx.st;
    Queue& q = st.queue(queue);
    if (fair::queued_current(st, q)) fair::update_curr(st, q);
    if (q.runtime_enabled == 0 || (!q.curr && st.settings.kernel < Kernel::eevdf_6_12)) return false;
    return fair::throttle_if_used_up(st, cx.rec, queue);
}

/// A group is made below one that is throttled (fn: sync_throttle).
void inherit_throttling(State& st, Queue& q) {
    q.throttle_count = st.queue(st.entity(q.owner).queue).throttle_count;
    st.queue_bandwidth.back().throttled_clock_pelt = pelt::throttle_clock(st, q.cpu);
}

template <DecisionSink S>
EntityId pick_on(Context<S>& cx, Queue& q, TaskId curr, int depth) {
    State& st = cx.st;
    Evidence<S>& why = cx.rec.open();
    const fair::Pick pick = fair::pick_next(st, q, why);
    const bool delayed = st.entity(pick.entity).sched_delayed != 0;
    if (delayed) why.template decide<Chk::delayed_picked>(pick.entity, true, true, true);
    const Reason reason = delayed ? Reason::pick_delayed_finish : pick.reason;
    DecisionHeader h = make_header(Kind::pick, reason, q.cpu, curr, pick.entity.value, depth);
    h.path = pick.path;
    cx.rec.announce(st, h);
    fair::count_pick(st.accounts, pick.path);
    if (cx.charging != nullptr) cx.charging->picked(q.cpu, pick.path, q.nr_queued);
    if (st.settings.kernel < Kernel::cfs_6_1) fair::clear_buddies(st, q, pick.entity);
    return pick.entity;
}

/// From the root down (fn: pick_task_fair). A delayed entity that is found leaves, and so does a group without
/// runtime: the pick starts again. Up to 6.8 the running task is put back first in the latter case.
template <DecisionSink S>
TaskId pick_task(Context<S>& cx, CpuId cpu) {
    State& st = cx.st;
    const TaskId curr = st.rq(cpu).curr;
    QueueId queue{cpu.index()};
    for (int depth = 0; st.queue(queue).nr_queued != 0; ++depth) {
        if (charge_before_pick(cx, queue)) {
            queue = QueueId{cpu.index()};
            depth = -1;
            if (st.settings.kernel < Kernel::eevdf_6_12 && st.queue(queue).nr_queued != 0)
                fair::put_prev_task(st, cx.rec, curr);
            continue;
        }
        const EntityId picked = pick_on(cx, st.queue(queue), curr, depth);
        if (st.entity(picked).sched_delayed != 0) {
            fair::finish_delayed(st, cx.rec, picked);
            queue = QueueId{cpu.index()};
            depth = -1;
            continue;
        }
        if (const TaskId task = st.entity(picked).task) return task;
        queue = st.entity(picked).my_queue;
    }
    return {};
}

Reason schedule_reason(TaskId prev, TaskId next) {
    if (!next) return Reason::schedule_idle;
    if (next == prev) return Reason::schedule_same;
    return prev ? Reason::schedule_switch : Reason::schedule_from_idle;
}

template <DecisionSink S>
void announce_schedule(Context<S>& cx, CpuId cpu, TaskId prev, TaskId next) {
    Evidence<S>& why = cx.rec.open();
    const std::uint32_t queued = cx.st.root_queue(cpu).nr_queued;
    if (!why.template decide<Chk::queue_empty>(cpu, queued, 0, queued == 0))
        why.template decide<Chk::same_task>(next, next, prev, next == prev);
    cx.rec.announce(cx.st, make_header(Kind::schedule, schedule_reason(prev, next), cpu, prev, next.value));
}

/// fn: prio_changed_fair.
template <DecisionSink S>
void nice_changed(Context<S>& cx, TaskId task, int old_nice) {
    State& st = cx.st;
    const Task& t = st.task(task);
    if (t.on_rq == 0 || st.root_queue(t.cpu).nr_queued == 1) return;
    if (st.rq(t.cpu).curr == task) {
        if (t.nice > old_nice) st.rq(t.cpu).need_resched = 1;
    } else {
        fair::check_preempt(st, cx.rec, t.cpu, task, false);
    }
}

/// Takes the task off its queue and CPU, lets `change` edit it, gives it its new weight and puts it back.
template <DecisionSink S, class F>
void change_off_queue(Context<S>& cx, TaskId task, bool move, F&& change) {
    State& st = cx.st;
    const Task& t = st.task(task);
    const bool queued = t.on_rq != 0;
    const bool running = t.cpu && st.rq(t.cpu).curr == task;
    if (t.cpu) update_rq_clock(st, t.cpu, st.now);
    if (queued) fair::dequeue_task(st, cx.rec, task, {.save = true, .move = move});
    if (running) fair::put_prev_task(st, cx.rec, task);
    change();
    fair::set_load_weight(st, task);
    if (queued) fair::enqueue_task(st, cx.rec, task, {.restore = true});
    if (running) fair::set_next_task(st, task);
}

} // namespace

TaskId add_task(State& st, Policy policy, int nice, std::int64_t slice, GroupId group, MaskId affinity) {
    PICKNEXT_ASSERT(group && group.index() < st.groups.size(), "task in group {}", group);
    const TaskId task{st.tasks.size()};
    const EntityId entity{st.entities.size()};
    Task t;
    t.entity = entity;
    t.group = group;
    t.affinity = affinity;
    t.policy = policy;
    t.nice = static_cast<std::int8_t>(nice);
    st.tasks.push_back(t);
    Entity e;
    e.task = task;
    fair::set_task_weight(e, policy, nice);
    set_slice(st, e, slice);
    pelt::init_entity(e);
    fair::attach_to_queue(st, e, fair::queue_of(st, group, CpuId{0})); // until it is woken
    st.entities.push_back(e);
    return task;
}

GroupId add_group(State& st, GroupId parent, std::uint64_t shares, bool idle) {
    const GroupId id{st.groups.size()};
    Group g;
    g.parent = parent;
    g.idle = idle ? 1 : 0;
    g.shares = Weight{(idle ? std::uint64_t{fair::idle_policy_weight.coarse} : shares) << 10};
    g.first_entity = EntityId{st.entities.size()};
    g.first_queue = QueueId{st.queues.size()};
    st.groups.push_back(g);
    if (st.bandwidth_used()) st.bandwidth.emplace_back();
    for (std::size_t c = 0; c < st.cpu_count(); ++c) {
        const CpuId cpu{c};
        const EntityId entity{st.entities.size()};
        Queue q;
        q.ref = VTime{queue_start_vtime};
        q.cpu = cpu;
        q.group = id;
        q.owner = entity;
        Entity e;
        e.my_queue = QueueId{st.queues.size()};
        e.weight = nice_0_weight;
        pelt::init_entity(e);
        fair::attach_to_queue(st, e, fair::queue_of(st, parent, cpu));
        st.queues.push_back(q);
        st.entities.push_back(e);
        if (st.bandwidth_used()) st.queue_bandwidth.emplace_back();
        update_rq_clock(st, cpu, st.now);
        pelt::attach_new(st, entity);
        if (st.bandwidth_used()) inherit_throttling(st, st.queues.back());
    }
    return id;
}

void update_rq_clock(State& st, CpuId cpu, std::int64_t now) {
    Rq& rq = st.rq(cpu);
    if (rq.skip_clock_update != 0) {
        rq.skip_clock_update = 0;
        return;
    }
    const std::int64_t passed = std::max<std::int64_t>(now - rq.clock, 0);
    rq.clock += passed;
    pelt::update_clock(rq, passed);
}

template <DecisionSink S>
void wake_up_new_task(Context<S>& cx, TaskId task, CpuId cpu, CpuId parent_cpu) {
    State& st = cx.st;
    const EntityId entity = st.task(task).entity;
    set_task_cpu(st, task, parent_cpu);
    fork_on_parent(cx, task, parent_cpu);
    set_task_cpu(st, task, cpu);
    update_rq_clock(st, cpu, st.now);
    pelt::init_utilization(st, entity, st.entity(entity).queue);
    if (st.settings.kernel < Kernel::cfs_6_1) pelt::attach_new(st, entity);
    fair::enqueue_task(st, cx.rec, task, {.initial = true});
    st.task(task).state = TaskState::runnable;
    fair::check_preempt(st, cx.rec, cpu, task, true);
}

void move_sleeper(State& st, TaskId task, CpuId to) {
    Entity& e = st.entity(task);
    if (!st.settings.eevdf()) e.vruntime = VTime{e.vruntime.ns - st.queue(e.queue).ref.ns}; // relative while it travels
    pelt::migrate_sleeper(st, st.task(task).entity);
    if (st.settings.kernel < Kernel::cfs_6_1) e.exec_start = 0;
    set_task_cpu(st, task, to);
}

template <DecisionSink S>
void activate_task(Context<S>& cx, TaskId task, CpuId cpu, WakeFlags flags) {
    State& st = cx.st;
    if (flags.migrated && st.task(task).cpu != cpu) move_sleeper(st, task, cpu);
    update_rq_clock(st, cpu, st.now);
    fair::enqueue_task(st, cx.rec, task, {.wakeup = true, .migrated = flags.migrated});
    st.task(task).state = TaskState::runnable;
    fair::check_preempt(st, cx.rec, cpu, task, flags.fork);
    note_end_of_idle(st, cpu);
}

template <DecisionSink S>
void revive_task(Context<S>& cx, TaskId task, WakeFlags flags) {
    State& st = cx.st;
    const CpuId cpu = st.task(task).cpu;
    update_rq_clock(st, cpu, st.now);
    fair::revive_delayed(st, cx.rec, task);
    st.task(task).state = TaskState::runnable;
    if (st.rq(cpu).curr != task) fair::check_preempt(st, cx.rec, cpu, task, flags.fork);
}

template <DecisionSink S>
void block_current(Context<S>& cx, CpuId cpu, bool exiting) {
    State& st = cx.st;
    const TaskId task = st.rq(cpu).curr;
    PICKNEXT_ASSERT(task, "CPU {} runs nobody who could block", cpu);
    update_rq_clock(st, cpu, st.now);
    st.task(task).state = exiting ? TaskState::dead : TaskState::sleeping;
    fair::dequeue_task(st, cx.rec, task, {.sleep = true, .special = exiting});
}

template <DecisionSink S>
[[gnu::flatten]] bool schedule(Context<S>& cx, CpuId cpu) {
    State& st = cx.st;
    Rq& rq = st.rq(cpu);
    update_rq_clock(st, cpu, st.now);
    ++rq.stat.sched_count;
    const TaskId prev = rq.curr;
    TaskId next = pick_task(cx, cpu);
    if (!next && cx.idle_path != nullptr && cx.idle_path->pull_before_idle(cpu)) next = pick_task(cx, cpu);
    announce_schedule(cx, cpu, prev, next);
    if (!next) ++rq.stat.sched_goidle;
    if (!next) pelt::going_idle(st, cpu);
    if (!next && cx.idle_path != nullptr) cx.idle_path->going_idle(cpu);
    if (next != prev) {
        const bool to_be_put = st.root_queue(cpu).curr.valid(); // the pick may have put it back already
        if (to_be_put && next)
            fair::switch_entities(st, cx.rec, prev, next);
        else if (to_be_put)
            fair::put_prev_task(st, cx.rec, prev);
        else if (next)
            fair::set_from_idle(st, next);
    }
    rq.need_resched = 0; // whatever the charges of this very switch asked for
    if (next == prev) return false;
    rq.curr = next;
    ++rq.nr_switches;
    return true;
}

template <DecisionSink S>
void stop_current(Context<S>& cx, CpuId cpu) {
    State& st = cx.st;
    Rq& rq = st.rq(cpu);
    const TaskId prev = rq.curr;
    PICKNEXT_ASSERT(prev, "CPU {} runs nobody who could be stopped", cpu);
    update_rq_clock(st, cpu, st.now);
    Evidence<S>& why = cx.rec.open();
    const bool allowed = contains(st.mask(st.task(prev).affinity), cpu) && rq.online != 0;
    why.template decide<Chk::cpu_allowed>(cpu, allowed, true, allowed);
    DecisionHeader h;
    h.kind = Kind::schedule;
    h.reason = Reason::schedule_stopper;
    h.cpu = static_cast<std::uint16_t>(cpu.value);
    h.task = prev.value;
    cx.rec.announce(st, h);
    fair::put_prev_task(st, cx.rec, prev);
    rq.curr = TaskId::none();
    rq.need_resched = 1;
    ++rq.nr_switches;
}

void task_dead(State& st, TaskId task) { pelt::remove(st, st.task(task).entity); }

template <DecisionSink S>
void sched_tick(Context<S>& cx, CpuId cpu) {
    update_rq_clock(cx.st, cpu, cx.st.now);
    if (const TaskId curr = cx.st.rq(cpu).curr) fair::tick_task(cx.st, cx.rec, curr);
}

template <DecisionSink S>
void yield_current(Context<S>& cx, CpuId cpu) {
    State& st = cx.st;
    update_rq_clock(st, cpu, st.now);
    ++st.rq(cpu).stat.yld_count;
    if (fair::yield_task(st, cx.rec, st.rq(cpu).curr)) st.rq(cpu).skip_clock_update = 1;
}

template <DecisionSink S>
void yield_to(Context<S>& cx, CpuId cpu, TaskId target) {
    const bool throttled = throttled_hierarchy(cx.st.queue(cx.st.entity(target).queue));
    if (cx.st.task(target).on_rq != 0 && !throttled) fair::set_next_buddy(cx.st, cx.st.task(target).entity);
    yield_current(cx, cpu);
}

template <DecisionSink S>
void set_nice(Context<S>& cx, TaskId task, int nice) {
    Task& t = cx.st.task(task);
    const int old_nice = t.nice;
    if (nice == old_nice || t.state == TaskState::dead) return;
    change_off_queue(cx, task, false, [&] { t.nice = static_cast<std::int8_t>(nice); });
    nice_changed(cx, task, old_nice);
}

template <DecisionSink S>
void set_attributes(Context<S>& cx, TaskId task, const SchedAttr& attr) {
    State& st = cx.st;
    Task& t = st.task(task);
    Entity& e = st.entity(t.entity);
    const int old_nice = t.nice;
    const bool same_slice = !own_slices(st) || static_cast<std::uint64_t>(attr.slice) == e.slice;
    if (t.state == TaskState::dead || (attr.policy == t.policy && attr.nice == old_nice && same_slice))
        return;
    // DEQUEUE_MOVE is dropped when the priority stays; with CFS it was recorded set throughout.
    const bool move = !st.settings.eevdf() || attr.nice != old_nice;
    change_off_queue(cx, task, move, [&] {
        t.policy = attr.policy;
        t.nice = static_cast<std::int8_t>(attr.nice);
        set_slice(st, e, attr.slice);
    });
    if (attr.nice != old_nice) nice_changed(cx, task, old_nice);
}

template <DecisionSink S>
void set_group_shares(Context<S>& cx, GroupId group, std::uint64_t shares) {
    State& st = cx.st;
    Group& g = st.groups[group.index()];
    const Weight wanted{shares << 10};
    if (group.value == 0 || g.shares == wanted) return;
    g.shares = wanted;
    for (std::size_t c = 0; c < st.cpu_count(); ++c) {
        update_rq_clock(st, CpuId{c}, st.now);
        for (EntityId e{g.first_entity.index() + c}; e; e = st.entity(e).parent) {
            pelt::update_load(st, e, pelt::Attach::no);
            fair::update_group_weight(st, e);
        }
    }
}

template <DecisionSink S>
void detach_queued_task(Context<S>& cx, TaskId task) {
    State& st = cx.st;
    const CpuId from = st.task(task).cpu;
    PICKNEXT_ASSERT(st.task(task).on_rq != 0 && st.rq(from).curr != task, "task {} is not waiting on a queue",
                    task);
    update_rq_clock(st, from, st.now);
    fair::dequeue_task(st, cx.rec, task, {.migrating = true});
    if (st.settings.kernel < Kernel::cfs_6_1) st.entity(task).exec_start = 0;
}

template <DecisionSink S>
void attach_queued_task(Context<S>& cx, TaskId task, CpuId to) {
    State& st = cx.st;
    set_task_cpu(st, task, to);
    update_rq_clock(st, to, st.now);
    fair::enqueue_task(st, cx.rec, task, {.migrated = true});
    fair::check_preempt(st, cx.rec, to, task, false);
}

template <DecisionSink S>
void move_queued_task(Context<S>& cx, TaskId task, CpuId to) {
    detach_queued_task(cx, task);
    attach_queued_task(cx, task, to);
}

#define X(S)                                                                                                 \
    template void wake_up_new_task<S>(Context<S>&, TaskId, CpuId, CpuId);                                    \
    template void activate_task<S>(Context<S>&, TaskId, CpuId, WakeFlags);                                   \
    template void revive_task<S>(Context<S>&, TaskId, WakeFlags);                                            \
    template void block_current<S>(Context<S>&, CpuId, bool);                                                \
    template bool schedule<S>(Context<S>&, CpuId);                                                           \
    template void stop_current<S>(Context<S>&, CpuId);                                                       \
    template void sched_tick<S>(Context<S>&, CpuId);                                                         \
    template void yield_current<S>(Context<S>&, CpuId);                                                      \
    template void yield_to<S>(Context<S>&, CpuId, TaskId);                                                   \
    template void set_nice<S>(Context<S>&, TaskId, int);                                                     \
    template void set_attributes<S>(Context<S>&, TaskId, const SchedAttr&);                                  \
    template void set_group_shares<S>(Context<S>&, GroupId, std::uint64_t);                                  \
    template void detach_queued_task<S>(Context<S>&, TaskId);                                                \
    template void attach_queued_task<S>(Context<S>&, TaskId, CpuId);                                         \
    template void move_queued_task<S>(Context<S>&, TaskId, CpuId);
PICKNEXT_FOR_EACH_SINK(X)
#undef X

} // namespace picknext
