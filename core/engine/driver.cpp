// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/engine/driver.hpp"

#include <algorithm>

#include "core/base/rng.hpp"
#include "core/engine/balancing.hpp"
#include "core/engine/bandwidth.hpp"
#include "core/engine/schedstat.hpp"
#include "core/placement/idle_sibling.hpp"
#include "core/placement/queue_wakeup.hpp"
#include "core/placement/select_cpu.hpp"
#include "core/state/wake_list.hpp"

namespace picknext::engine {
namespace {

/// Is the end of what the task does an event of its own?
bool timed(const Task& task) { return task.doing == Doing::working || task.doing == Doing::spinning || task.entry == 1; }

/// (ns * numerator + round) / denominator without overflow; all non-negative, the denominator positive.
std::int64_t scaled(std::int64_t ns, std::int64_t numerator, std::int64_t denominator, std::int64_t round = 0) {
    const WideProduct product = static_cast<WideProduct>(ns) * static_cast<WideProduct>(numerator) + static_cast<WideProduct>(round);
    return static_cast<std::int64_t>(product / static_cast<WideProduct>(denominator));
}

/// Where the timer of a task that slept on `cpu` expires: those of a CPU that went offline moved to the first one online
/// (fn: hrtimers_cpu_dying).
CpuId timer_cpu(const State& st, CpuId cpu) {
    for (std::size_t c = 0; st.rq(cpu).online == 0; ++c) cpu = CpuId{c};
    return cpu;
}

} // namespace

template <DecisionSink S>
void Driver<S>::handle(const Event& event) {
    switch (event.kind) {
    case EventKind::start: {
        const TaskId task{event.subject};
        start(task, starting_cpu(task), false);
        break;
    }
    case EventKind::timer: {
        const TaskId task{event.subject};
        if (st.task(task).state != TaskState::sleeping || st.task(task).activation != event.generation) break;
        const CpuId cpu = timer_cpu(st, st.task(task).cpu);
        if (const std::int64_t awake = charging.awake_at(cpu); awake > st.now) {
            push_event(st, awake, EventKind::timer, event.subject, event.generation);
            break;
        }
        interrupt(cpu);
        st.task(task).passed_time = 1;
        wake(task, cpu, false);
        break;
    }
    case EventKind::tick:
        if (st.rq(CpuId{event.subject}).tick_generation == event.generation) tick(CpuId{event.subject});
        break;
    case EventKind::run_end: {
        const CpuId cpu{event.subject};
        if (st.rq(cpu).run_generation != event.generation) break;
        Task& task = st.task(st.rq(cpu).curr);
        pause(cpu);
        task.passed_time = 1;
        if (task.entry == 1) task.entry = 2;
        else task.doing = Doing::between;
        task.work_left = 0;
        touch(cpu);
        break;
    }
    case EventKind::bandwidth_period: {
        bandwidth_period_timer(m_context, GroupId{event.subject});
        touch_asked();
        break;
    }
    case EventKind::bandwidth_slack: {
        bandwidth_slack_timer(m_context, GroupId{event.subject});
        touch_asked();
        break;
    }
    case EventKind::arrival:
        if (st.rq(CpuId{event.subject}).arrival == static_cast<std::int64_t>(event.generation)) arrive(CpuId{event.subject});
        break;
    case EventKind::edit:
    case EventKind::count:
        PICKNEXT_ASSERT(false, "event kind {}", static_cast<int>(event.kind));
    }
    settle();
}

template <DecisionSink S>
void Driver<S>::touch(CpuId cpu) {
    const auto at = std::lower_bound(m_touched.begin(), m_touched.end(), cpu);
    if (at == m_touched.end() || *at != cpu) m_touched.insert(at, cpu);
}

/// Every CPU that was asked to reschedule: groups come back on several.
template <DecisionSink S>
void Driver<S>::touch_asked() {
    for (std::size_t c = 0; c < st.cpu_count(); ++c)
        if (st.rqs[c].need_resched != 0) touch(CpuId{c});
}

template <DecisionSink S>
void Driver<S>::settle() {
    while (!m_touched.empty()) {
        const CpuId cpu = m_touched.front();
        m_touched.erase(m_touched.begin());
        m_here = cpu;
        run_wake_list(cpu);
        if (st.rq(cpu).need_resched != 0) reschedule(cpu);
        const TaskId curr = st.rq(cpu).curr;
        if (curr && !timed(st.task(curr)) && (st.task(curr).doing == Doing::between || st.task(curr).doing == Doing::retrying))
            advance_program(*this, cpu);
        if (st.rq(cpu).need_resched != 0) touch(cpu);
        settle_balance();
    }
    plan_interrupted();
}

/// An interrupt takes time from what the CPU does, which ends later. Without costs it takes none.
template <DecisionSink S>
void Driver<S>::interrupt(CpuId cpu) {
    m_here = cpu;
    if (!charging.on()) return;
    const TaskId curr = st.rq(cpu).curr;
    if (!curr || !timed(st.task(curr))) return;
    pause(cpu);
    m_interrupted.push_back(cpu);
}

/// Whom nothing else has planned since.
template <DecisionSink S>
void Driver<S>::plan_interrupted() {
    for (const CpuId cpu : m_interrupted) {
        const TaskId curr = st.rq(cpu).curr;
        if (curr && timed(st.task(curr))) {
            pause(cpu);
            work(cpu);
        }
    }
    m_interrupted.clear();
    if (!m_touched.empty()) settle();
}

/// An IPI arrives, or the CPU has left its idle state. While it still goes idle it cannot take it.
template <DecisionSink S>
void Driver<S>::arrive(CpuId cpu) {
    Rq& rq = st.rq(cpu);
    if (!rq.curr && rq.kernel_until > st.now) {
        rq.arrival = rq.kernel_until;
        push_event(st, rq.arrival, EventKind::arrival, cpu.value, static_cast<std::uint64_t>(rq.arrival));
        return;
    }
    rq.arrival = 0;
    interrupt(cpu);
    m_balancer.kicked(cpu);
    settle_balance();
    touch(cpu);
}

/// The other CPU has work to look at: at once, or when the IPI arrives.
template <DecisionSink S>
void Driver<S>::alert(CpuId target, CpuId from, By by) {
    if (!charging.on() || target == from) return touch(target);
    const Rq& rq = st.rq(target);
    if (rq.need_resched != 0 || rq.ttwu_pending != 0) charging.notify(from, target, by == By::futex);
}

template <DecisionSink S>
bool Driver<S>::enters(CpuId cpu, const Op& op) {
    if (!charging.on()) return false;
    Task& task = st.task(st.rq(cpu).curr);
    if (task.entry == 2) {
        task.entry = 0;
        return false;
    }
    switch (op.kind) {
    case OpKind::run:
    case OpKind::spin:
    case OpKind::stamp:
    case OpKind::sample:
    case OpKind::mark: return false; // outside of the kernel; they begin when it is left
    default: break;
    }
    const std::int64_t ns = charging.entry(op, scenario.workload, task.doing == Doing::retrying);
    if (ns == 0 && charging.clock(cpu) == st.now) return false;
    st.accounts.spend(Spend::syscall, ns);
    task.entry = 1;
    task.work_left = ns;
    work(cpu);
    return true;
}

/// Accounts the work the current task did since it was last looked at, and forgets its planned end.
template <DecisionSink S>
void Driver<S>::pause(CpuId cpu) {
    Rq& rq = st.rq(cpu);
    ++rq.run_generation;
    if (!rq.curr) return;
    Task& task = st.task(rq.curr);
    if (!timed(task)) return;
    const std::int64_t elapsed = std::max<std::int64_t>(0, st.now - task.work_since);
    task.work_since = std::max(task.work_since, st.now);
    if (task.entry == 1) { // the profile is of this machine: kernel work does not stretch
        task.work_left = std::max<std::int64_t>(0, task.work_left - elapsed);
        return;
    }
    if (charging.on()) task.footprint = std::min(task.footprint + elapsed, charging.cost(cost::Cost::working_set) / bytes_per_ns);
    if (task.doing == Doing::working) task.work_left = std::max<std::int64_t>(0, task.work_left - scaled(elapsed, rq.capacity, full_capacity));
}

template <DecisionSink S>
void Driver<S>::work(CpuId cpu) {
    Rq& rq = st.rq(cpu);
    Task& task = st.task(rq.curr);
    const std::int64_t begin = charging.clock(cpu);
    std::int64_t end = std::max(task.until, begin);
    task.work_since = begin;
    if (task.entry == 1) end = begin + task.work_left;
    else if (task.doing == Doing::working) end = begin + scaled(task.work_left, full_capacity, rq.capacity, rq.capacity - 1);
    if (end <= st.now) { // nothing left to do
        if (task.entry == 1) task.entry = 2;
        else task.doing = Doing::between;
        touch(cpu);
        return;
    }
    push_event(st, end, EventKind::run_end, cpu.value, ++rq.run_generation);
}

template <DecisionSink S>
void Driver<S>::reschedule(CpuId cpu) {
    const TaskId prev = st.rq(cpu).curr;
    pause(cpu);
    update_rq_clock(st, cpu, st.now);
    if (schedule(m_context, cpu)) switched(cpu, prev, st.rq(cpu).curr);
    const TaskId curr = st.rq(cpu).curr;
    if (!curr) {
        idle_loop(cpu);
        return;
    }
    m_balancer.runs(cpu);
    if (timed(st.task(curr))) work(cpu);
    else touch(cpu);
}

template <DecisionSink S>
void Driver<S>::switched(CpuId cpu, TaskId prev, TaskId next) {
    Rq& rq = st.rq(cpu);
    ++st.switches;
    charging.switched(cpu, prev, next);
    if (prev) {
        Task& task = st.task(prev);
        rq.busy_ns += static_cast<std::uint64_t>(st.now - task.last_switched);
        task.last_switched = st.now;
        if (task.state == TaskState::runnable) leave_forbidden_cpu(prev);
    }
    if (next) {
        end_wait(st, next);
        ++rq.stat.pcount;
        if (!prev && rq.online != 0) arm_tick(cpu);
    } else if (rq.idle_stamp == 0) {
        rq.idle_stamp = st.now;
    }
}

/// One pass of the idle loop: the tick stops if the settings say so, and the CPU joins those without one.
template <DecisionSink S>
void Driver<S>::idle_loop(CpuId cpu) {
    Rq& rq = st.rq(cpu);
    m_balancer.enter_idle_loop(cpu);
    if (rq.curr || rq.nr_running != 0) return; // something was pulled here
    const bool stops = rq.tick_stopped != 0 || m_balancer.stops_tick(cpu);
    m_balancer.idle_pass(cpu, stops);
    if (stops && rq.tick_stopped == 0) {
        rq.tick_stopped = 1;
        ++rq.tick_generation;
    }
    charging.idles(cpu);
}

/// Touches whom balancing gave or took tasks, and pushes running tasks away where it asked for that.
template <DecisionSink S>
void Driver<S>::settle_balance() {
    const auto tell = [&](CpuId cpu) {
        if (charging.on() && st.rq(cpu).need_resched != 0) alert(cpu, m_here, By::kernel);
        else touch(cpu);
    };
    for (const CpuId cpu : m_balancer.take_touched()) tell(cpu);
    for (const CpuId cpu : m_balancer.take_pushes()) push_running_away(cpu);
    for (const CpuId cpu : m_balancer.take_touched()) tell(cpu);
}

/// The stopper runs on the CPU, so its task waits and can be moved like any other.
template <DecisionSink S>
void Driver<S>::push_running_away(CpuId cpu) {
    if (const TaskId running = st.rq(cpu).curr) {
        pause(cpu);
        stop_current(m_context, cpu);
        switched(cpu, running, TaskId::none());
    }
    charging.stopper(cpu);
    m_balancer.push(cpu);
    touch(cpu);
}

/// All CPUs tick at the same instants: the multiples of the tick length.
template <DecisionSink S>
void Driver<S>::arm_tick(CpuId cpu) {
    Rq& rq = st.rq(cpu);
    const std::int64_t length = st.settings.tick_ns();
    rq.tick_stopped = 0;
    push_event(st, (st.now / length + 1) * length, EventKind::tick, cpu.value, ++rq.tick_generation);
}

template <DecisionSink S>
void Driver<S>::tick(CpuId cpu) {
    ++st.ticks;
    interrupt(cpu);
    charging.tick(cpu);
    retick(cpu);
    update_rq_clock(st, cpu, st.now);
    sched_tick(m_context, cpu);
    m_balancer.tick(cpu);
    settle_balance();
    if (!st.rq(cpu).curr && st.rq(cpu).nr_running == 0) idle_loop(cpu);
    touch(cpu);
}

/// Ticks alone do not keep a run going: where nothing else is left to happen, an idle CPU's tick ends.
template <DecisionSink S>
void Driver<S>::retick(CpuId cpu) {
    // From the back: ticks are near and so in front of the heap.
    const auto waits = [&] { return std::any_of(st.events.rbegin(), st.events.rend(), [](const Event& e) { return e.kind != EventKind::tick; }); };
    if (st.rq(cpu).curr || waits()) return arm_tick(cpu);
    st.rq(cpu).tick_stopped = 1;
}

/// Idle CPUs that a search of the mask could not find, as their bits are gone.
template <DecisionSink S>
void Driver<S>::count_missing_bits(const placement::Wake& wake) {
    if (!m_looks.mask_of) return;
    const Domain& llc = m_domains.domain(m_domains.cpu(m_looks.mask_of).sd_llc);
    bool missing = false;
    for_each_cpu(intersection(llc.span, st.mask(st.task(wake.task).affinity)),
                 [&](CpuId c) { return !(missing = idle_cpu(st, c) && !contains(st.llc_idle_cpus, c)); });
    if (missing) st.accounts.count(Tally::stale_mask_bits);
}

template <DecisionSink S>
CpuId Driver<S>::place(placement::Wake wake) {
    m_looks.queues.clear();
    m_looks.flag_of = m_looks.mask_of = {};
    m_looks.scanned = false;
    wake.looks = &m_looks;
    placement::Placement placed = placement::select_cpu(st, st.settings, m_domains, scenario.machine, wake, m_rec.open());
    DecisionHeader header = make_header(Kind::place, placed.reason, wake.waker_cpu, wake.task, placed.cpu.value);
    header.site = wake.fork ? Site::fork : wake.sync ? Site::sync_wakeup : Site::wakeup;
    m_rec.announce(st, header);
    if (m_looks.scanned) st.accounts.count(Tally::select_idle);
    if (m_looks.flag_of) st.accounts.count(Tally::flag_reads);
    st.accounts.count(Tally::scanned_cpus, placed.scanned);
    count_missing_bits(wake);
    if (charging.on()) {
        const std::int64_t ns = charging.searched(wake.waker_cpu, placed, m_looks);
        if (placed.avg_scan_cost) placement::learn_scan(st, st.settings, m_domains, wake, static_cast<std::uint64_t>(ns), placed);
    }
    placement::apply(st, m_domains, wake, placed);
    if (placed.target) m_balancer.write_mask(placed.cpu, placement::MaskHook::wakeup, {}, wake.waker_cpu);
    return placed.cpu;
}

template <DecisionSink S>
void Driver<S>::start(TaskId id, CpuId parent_cpu, bool forked) {
    Task& task = st.task(id);
    if (forked) charging.wakeup(parent_cpu);
    task.cpu = task.recent_used_cpu = parent_cpu;
    const CpuId cpu = place({.task = id, .prev = parent_cpu, .waker_cpu = parent_cpu, .fork = true});
    task.state = TaskState::runnable;
    task.last_switched = st.now;
    task.round_began = st.now;
    ++task.activation;
    ++st.wakeups;
    update_rq_clock(st, cpu, st.now);
    wake_up_new_task(m_context, id, cpu, parent_cpu);
    if (forked) {
        charging.queue_changed(parent_cpu, cpu);
        alert(cpu, parent_cpu, By::kernel);
    } else {
        touch(cpu);
    }
    touch(parent_cpu); // CHILD_RUNS_FIRST asks the parent to make way, wherever the child went
}

template <DecisionSink S>
void Driver<S>::wake(TaskId id, CpuId waker, bool sync, By by) {
    Task& task = st.task(id);
    if (task.state != TaskState::sleeping) return;
    if (by == By::futex) charging.futex_wake(waker);
    else charging.wakeup(waker);
    if (task.doing != Doing::retrying) task.doing = Doing::between;
    task.state = TaskState::runnable;
    task.last_switched = st.now;
    ++task.activation;
    ++st.wakeups;
    const CpuId prev = task.cpu;
    if (task.on_rq != 0) { // its dequeue was delayed: no CPU is selected
        Evidence<S>& why = m_rec.open();
        why.template decide<Chk::delayed_in_place>(id, true, true, true);
        DecisionHeader header;
        header.kind = Kind::place;
        header.reason = Reason::place_in_place;
        header.task = id.value;
        header.cpu = static_cast<std::uint16_t>(waker.value);
        header.outcome = prev.value;
        header.site = sync ? Site::sync_wakeup : Site::wakeup;
        m_rec.announce(st, header);
        count_wakeup(st, m_domains, id, waker, prev, sync, false);
        update_rq_clock(st, prev, st.now);
        revive_task(m_context, id, {.sync = sync});
        alert(prev, waker, by);
        return;
    }
    const CpuId cpu = place({.task = id, .prev = prev, .waker_cpu = waker, .sync = sync});
    const bool migrated = cpu != prev;
    if (migrated) {
        ++task.migrations;
        st.accounts.count(Tally::migrations);
    }
    count_wakeup(st, m_domains, id, waker, cpu, sync, migrated);
    if (joins_wake_list(id, waker, cpu)) {
        if (migrated) move_sleeper(st, id, cpu);
        wake_list_push(st, cpu, id, migrated);
        return alert(cpu, waker, by);
    }
    update_rq_clock(st, cpu, st.now);
    activate_task(m_context, id, cpu, {.sync = sync, .migrated = migrated});
    charging.queue_changed(waker, cpu);
    alert(cpu, waker, by);
}

/// A machine of one CPU has no wake lists.
template <DecisionSink S>
bool Driver<S>::joins_wake_list(TaskId id, CpuId waker, CpuId target) {
    if (st.cpu_count() == 1) return false;
    const placement::QueueWakeup answer = placement::queue_wakeup(st, st.settings, m_domains, id, waker, target, m_rec.open());
    m_rec.announce(st, make_header(Kind::queue_wakeup, answer.reason, waker, id, answer.remote ? target.value : -1));
    return answer.remote;
}

/// The IPI arrived: the CPU enqueues whom others woke for it (fn: sched_ttwu_pending). Until then it is not idle for
/// anybody.
template <DecisionSink S>
void Driver<S>::run_wake_list(CpuId cpu) {
    if (st.rq(cpu).ttwu_pending == 0) return;
    while (const TaskId id = wake_list_pop(st, cpu)) {
        activate_task(m_context, id, cpu, {.migrated = st.task(id).wake_migrated != 0});
        st.task(id).wake_migrated = 0;
        charging.queue_changed(cpu, cpu);
        leave_forbidden_cpu(id);
    }
    st.rq(cpu).ttwu_pending = 0;
}

template <DecisionSink S>
void Driver<S>::block(CpuId cpu) {
    st.task(st.rq(cpu).curr).state = TaskState::sleeping;
    pause(cpu);
    update_rq_clock(st, cpu, st.now);
    block_current(m_context, cpu, false);
    charging.queue_changed(cpu, cpu);
    reschedule(cpu);
}

template <DecisionSink S>
void Driver<S>::exit_current(CpuId cpu) {
    const TaskId task = st.rq(cpu).curr;
    st.task(task).state = TaskState::dead;
    pause(cpu);
    update_rq_clock(st, cpu, st.now);
    block_current(m_context, cpu, true);
    reschedule(cpu);
    task_dead(st, task);
}

template <DecisionSink S>
void Driver<S>::yield(CpuId cpu) {
    pause(cpu);
    update_rq_clock(st, cpu, st.now);
    yield_current(m_context, cpu);
    reschedule(cpu);
}

/// Where a task is born that may not start where its program says. The kernel's parent would run on some CPU it may use.
template <DecisionSink S>
CpuId Driver<S>::starting_cpu(TaskId id) {
    const TaskSpec& spec = scenario.workload.tasks[static_cast<std::size_t>(st.task(id).program)];
    const CpuId cpu = spec.start_cpu.value_or(first_cpu(st.mask(st.task(id).affinity)));
    if (st.rq(cpu).online != 0) return cpu;
    Evidence<NullSink> unseen;
    return placement::fallback_cpu(st, scenario.machine, id, cpu, unseen).cpu;
}

/// A queued task moves, as the stopper would move it, where its affinity no longer holds its CPU or that is offline.
template <DecisionSink S>
void Driver<S>::leave_forbidden_cpu(TaskId id) {
    const Task& task = st.task(id);
    const CpuId from = task.cpu;
    const bool stays = contains(st.mask(task.affinity), from) && st.rq(from).online != 0;
    if (task.on_rq == 0 || stays || st.rq(from).curr == id) return;
    Evidence<S>& why = m_rec.open();
    why.template decide<Chk::cpu_allowed>(from, false, true, false);
    const placement::Fallback fallback = placement::fallback_cpu(st, scenario.machine, id, from, why);
    const CpuId to = fallback.cpu;
    const Reason reason = fallback.widens_affinity ? Reason::place_widened : Reason::place_affinity;
    m_rec.announce(st, make_header(Kind::place, reason, from, id, to.value));
    if (fallback.widens_affinity) st.task(id).affinity = MaskId{0};
    ++st.task(id).migrations;
    if (task.state == TaskState::runnable) end_wait(st, id);
    update_rq_clock(st, from, st.now);
    update_rq_clock(st, to, st.now);
    move_queued_task(m_context, id, to);
    touch(from);
    touch(to);
}

/// After an affinity change: the running task is moved by the stopper thread, a waiting one at once.
template <DecisionSink S>
void Driver<S>::enforce_affinity(TaskId id) {
    const Task& task = st.task(id);
    if (task.on_rq == 0 || contains(st.mask(task.affinity), task.cpu)) return;
    const CpuId cpu = task.cpu;
    if (st.rq(cpu).curr != id) return leave_forbidden_cpu(id);
    pause(cpu);
    stop_current(m_context, cpu);
    charging.stopper(cpu);
    switched(cpu, id, TaskId::none()); // moves it
    touch(cpu);
}

template <DecisionSink S>
void Driver<S>::change_attributes(TaskId id, const Attributes& change) {
    if (change.nice || change.policy || change.slice) {
        const Task& task = st.task(id);
        const Entity& entity = st.entity(task.entity);
        const std::int64_t own_slice = entity.custom_slice != 0 ? static_cast<std::int64_t>(entity.slice) : 0;
        const SchedAttr attr{.policy = change.policy.value_or(task.policy),
                             .nice = change.nice.value_or(task.nice),
                             .slice = change.slice.value_or(own_slice)};
        const CpuId cpu = task.cpu;
        const bool running = st.rq(cpu).curr == id;
        if (running) pause(cpu);
        update_rq_clock(st, cpu, st.now);
        if (change.policy || change.slice) set_attributes(m_context, id, attr);
        else set_nice(m_context, id, attr.nice);
        if (running && timed(task)) work(cpu);
        touch(cpu);
    }
    if (change.affinity) change_affinity(id, *change.affinity);
}

template class Driver<NullSink>;
template class Driver<CountSink>;
template class Driver<HeaderSink>;
template class Driver<FullSink>;

} // namespace picknext::engine
