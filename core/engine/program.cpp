// SPDX-License-Identifier: GPL-3.0-or-later
// The interpreter of task programs: one operation after the other, until one takes time or blocks.
#include <algorithm>
#include <utility>

#include "core/engine/channel.hpp"
#include "core/engine/driver.hpp"

namespace picknext::engine {
namespace {

/// One operation of one task. Answers whether the task goes on to the next operation at once.
template <DecisionSink S>
class Step {
    using By = typename Driver<S>::By;

  public:
    Step(Driver<S>& driver, CpuId cpu) : m_driver(driver), m_st(driver.st), m_cpu(cpu), m_id(m_st.rq(cpu).curr) {}

    [[nodiscard]] bool run(const Op& op) {
        switch (op.kind) {
        case OpKind::run: return work(Doing::working, amount(op));
        case OpKind::spin: return work(Doing::spinning, amount(op));
        case OpKind::sleep: return rest(m_st.now + amount(op));
        case OpKind::timer: return wait_for_timer(op);
        case OpKind::lock: return lock(ResourceId{op.resource});
        case OpKind::unlock: unlock(ResourceId{op.resource}); return next();
        case OpKind::wait: return wait_condition(ResourceId{op.resource}, ResourceId{op.second});
        case OpKind::signal: grant_one(ResourceId{op.resource}); return next();
        case OpKind::broadcast: while (grant_one(ResourceId{op.resource})) {} return next();
        case OpKind::barrier: return barrier(op);
        case OpKind::sem_post: sem_post(ResourceId{op.resource}); return next();
        case OpKind::sem_wait: return sem_wait(ResourceId{op.resource});
        case OpKind::suspend: return wait_on(ResourceId{op.resource});
        case OpKind::resume: while (wake_first(ResourceId{op.resource}, false, By::kernel)) {} return next();
        case OpKind::wake: wake_by_name(op.target); return next();
        case OpKind::fork: return fork(op.target);
        case OpKind::yield: skip(); m_driver.yield(m_cpu); return false;
        case OpKind::read: return read(op);
        case OpKind::write: return write(op);
        case OpKind::post: return post(op);
        case OpKind::serve: return serve(ResourceId{op.resource});
        case OpKind::collect: return collect(ResourceId{op.resource});
        case OpKind::stamp: task().stamp = m_driver.charging.clock(m_cpu); return next();
        case OpKind::sample: add_sample(op.target); return next();
        case OpKind::set: skip(); m_driver.change_attributes(m_id, op.attributes); return true;
        case OpKind::mark: return next();
        case OpKind::exit: m_driver.exit_current(m_cpu); return false;
        }
        PICKNEXT_ASSERT(false, "operation {}", static_cast<int>(op.kind));
    }

  private:
    Task& task() { return m_st.task(m_id); }
    Resource& resource(ResourceId id) { return m_st.resources[id.index()]; }
    const ResourceSpec& spec(std::int32_t id) const {
        return m_driver.scenario.workload.resources[static_cast<std::size_t>(id)];
    }
    std::int64_t amount(const Op& op) {
        const auto stream = static_cast<std::uint64_t>(m_id.value) + 1;
        if (op.amount.kind != Dist::Kind::list) return draw(op.amount, m_st.seed, stream, task().draws++);
        return draw(op.amount, m_st.seed, stream, static_cast<std::uint64_t>(list_row(op).value++));
    }
    /// Counts how often an operation with a list of durations was reached: each list goes through by itself.
    Resource& list_row(const Op& op) {
        const auto program = static_cast<std::size_t>(task().program);
        const auto& lists = m_driver.plan.own_lists[program];
        const auto at = std::find(lists.begin(), lists.end(), &op);
        PICKNEXT_ASSERT(at != lists.end(), "task {} has a list its program does not know", m_id);
        return m_st.resources[task().first_own.index() + m_driver.plan.own_timers[program].size() +
                              static_cast<std::size_t>(at - lists.begin())];
    }
    void skip() {
        ++task().op;
        task().doing = Doing::between;
    }
    bool next() {
        skip();
        return true;
    }

    bool work(Doing doing, std::int64_t ns) {
        skip();
        if (ns <= 0) return true;
        task().doing = doing;
        task().work_left = ns;
        task().until = m_driver.charging.clock(m_cpu) + ns;
        m_driver.work(m_cpu);
        return false;
    }
    bool rest(std::int64_t until) {
        skip();
        if (until <= m_st.now) return true;
        task().doing = Doing::resting;
        task().until = until;
        push_event(m_st, until, EventKind::timer, m_id.value, task().activation);
        m_driver.block(m_cpu);
        return false;
    }

    /// rt-app's timer: expiries at base + k * period; base is the task's start. A missed expiry passes at once;
    /// relative then counts anew from now, absolute keeps the grid.
    bool wait_for_timer(const Op& op) {
        Resource& timer = resource(timer_row(op.resource));
        const TaskSpec& program = m_driver.scenario.workload.tasks[static_cast<std::size_t>(task().program)];
        if (timer.value == 0) timer.value = program.start.ns + op.period;
        const std::int64_t expiry = timer.value;
        const bool missed = expiry <= m_st.now;
        timer.value = (missed && !op.absolute ? m_st.now : expiry) + op.period;
        return rest(expiry);
    }
    ResourceId timer_row(std::int32_t id) {
        if (spec(id).shared) return ResourceId{id};
        const auto& own = m_driver.plan.own_timers[static_cast<std::size_t>(task().program)];
        for (std::size_t i = 0; i < own.size(); ++i)
            if (own[i] == id) return ResourceId{task().first_own.value + static_cast<std::int32_t>(i)};
        PICKNEXT_ASSERT(false, "timer {} is not one of task {}", id, m_id);
    }

    // Waiting: first come, first served.
    struct WaitList {
        TaskId &first, &last;
    };
    WaitList waiters(ResourceId id) { return {resource(id).first_waiter, resource(id).last_waiter}; }
    WaitList writers(ResourceId id) { return {resource(id).first_writer, resource(id).last_writer}; }
    void append(WaitList list, ResourceId id, TaskId who) {
        Task& t = m_st.task(who);
        t.blocked_on = id;
        t.next_waiter = TaskId::none();
        (list.last ? m_st.task(list.last).next_waiter : list.first) = who;
        list.last = who;
    }
    TaskId take_first(WaitList list) {
        const TaskId first = list.first;
        if (!first) return first;
        Task& t = m_st.task(first);
        list.first = t.next_waiter;
        if (!list.first) list.last = TaskId::none();
        t.next_waiter = TaskId::none();
        t.blocked_on = ResourceId::none();
        return first;
    }
    void enqueue_waiter(ResourceId id, TaskId who) { append(waiters(id), id, who); }
    TaskId dequeue_waiter(ResourceId id) { return take_first(waiters(id)); }
    /// The current task waits; the operation is over once somebody wakes it.
    bool wait_on(ResourceId id) {
        skip();
        enqueue_waiter(id, m_id);
        task().doing = Doing::waiting;
        m_driver.block(m_cpu);
        return false;
    }
    bool wake_first(ResourceId id, bool sync, By by) {
        const TaskId who = dequeue_waiter(id);
        if (who) m_driver.wake(who, m_cpu, sync, by);
        return who.valid();
    }

    bool lock(ResourceId id) {
        Resource& r = resource(id);
        if (r.owner) return wait_on(id);
        r.owner = m_id;
        return next();
    }
    /// The mutex passes to who waits longest. Unlocking what one does not hold does nothing.
    void unlock(ResourceId id) {
        Resource& r = resource(id);
        if (r.owner != m_id) return;
        r.owner = r.first_waiter;
        wake_first(id, false, By::futex);
    }
    bool wait_condition(ResourceId cond, ResourceId mutex) {
        unlock(mutex);
        skip();
        task().until = mutex.value; // taken again before it goes on
        enqueue_waiter(cond, m_id);
        task().doing = Doing::waiting;
        m_driver.block(m_cpu);
        return false;
    }
    /// One waiter of a condition goes on, or waits for its mutex first. Lost when nobody waits.
    bool grant_one(ResourceId cond) {
        const TaskId who = dequeue_waiter(cond);
        if (!who) return false;
        const ResourceId mutex{static_cast<std::int32_t>(m_st.task(who).until)};
        Resource& m = resource(mutex);
        if (m.owner) {
            enqueue_waiter(mutex, who);
        } else {
            m.owner = who;
            m_driver.wake(who, m_cpu, false, By::futex);
        }
        return true;
    }
    bool barrier(const Op& op) {
        const ResourceId id{op.resource};
        Resource& r = resource(id);
        if (++r.value < spec(op.resource).initial) return wait_on(id);
        r.value = 0;
        while (wake_first(id, false, By::futex)) {}
        return next();
    }
    void sem_post(ResourceId id) {
        if (!wake_first(id, false, By::futex)) ++resource(id).value;
    }
    bool sem_wait(ResourceId id) {
        Resource& r = resource(id);
        if (r.value == 0) return wait_on(id);
        --r.value;
        return next();
    }
    // Pipes and sockets. Wakeups are sync.
    const Op& op_of(TaskId id) const {
        const Task& t = m_st.task(id);
        return m_driver.scenario.workload.tasks[static_cast<std::size_t>(t.program)].phases[t.phase].ops[t.op];
    }
    bool write(const Op& op) {
        const ResourceId id{op.resource};
        const TaskId reader = resource(id).first_waiter;
        const Transfer transfer = decide_write(spec(op.resource), resource(id), op.bytes, reader ? op_of(reader).bytes : 0, task().doing == Doing::retrying);
        if (!transfer.done) return wait_for_room(id);
        resource(id) = transfer.after;
        if (transfer.dropped) m_st.accounts.count(Tally::dropped);
        skip();
        if (!transfer.dropped) m_driver.charging.passed_message(m_cpu, spec(op.resource), resource(id));
        if (transfer.wakes_reader) while (wake_first(id, true, By::kernel) && wakes_all(spec(op.resource))) {}
        if (transfer.wakes_writer) wake_writer(id);
        return true;
    }
    bool read(const Op& op) {
        const ResourceId id{op.resource};
        const TaskId writer = resource(id).first_writer;
        const Transfer transfer = decide_read(spec(op.resource), resource(id), op.bytes, writer ? op_of(writer).bytes : 0, task().doing == Doing::retrying);
        if (!transfer.done) {
            enqueue_waiter(id, m_id);
            return retry_later();
        }
        const bool waited = task().doing == Doing::retrying;
        resource(id) = transfer.after;
        m_st.accounts.count(Tally::messages);
        skip();
        m_driver.charging.passed_message(m_cpu, spec(op.resource), resource(id));
        if (!waited) m_driver.charging.read_returned(m_cpu, spec(op.resource));
        if (transfer.wakes_writer) while (wake_writer(id) && wakes_all(spec(op.resource))) {}
        if (transfer.wakes_reader) wake_first(id, true, By::kernel);
        return true;
    }
    bool retry_later() {
        task().doing = Doing::retrying;
        m_driver.block(m_cpu);
        return false;
    }
    bool wait_for_room(ResourceId id) {
        const WaitList list = writers(id);
        if (wakes_all(spec(id.value))) { // newest first
            task().blocked_on = id;
            task().next_waiter = list.first;
            list.first = m_id;
            if (!list.last) list.last = m_id;
        } else {
            append(list, id, m_id);
        }
        return retry_later();
    }
    bool wake_writer(ResourceId id) {
        const TaskId first = take_first(writers(id));
        if (first) m_driver.wake(first, m_cpu, true);
        return first.valid();
    }

    // The mailbox of schbench.
    void add_sample(std::int32_t series) {
        if (m_st.samples.size() < max_samples) m_st.samples.push_back({.ns = m_driver.charging.clock(m_cpu) - task().stamp, .series = series, .task = m_id});
    }
    bool post(const Op& op) {
        if (task().doing == Doing::retrying) { // it was served
            add_sample(op.target);
            return next();
        }
        Resource& r = resource(ResourceId{op.resource});
        task().blocked_on = ResourceId{op.resource};
        task().next_waiter = r.first_waiter;
        r.first_waiter = m_id;
        if (const TaskId collector = std::exchange(r.owner, TaskId::none())) m_driver.wake(collector, m_cpu, false, By::futex);
        return retry_later();
    }
    /// All that posted, newest first; one time for all.
    bool serve(ResourceId id) {
        const std::int64_t stamp = m_driver.charging.clock(m_cpu);
        for (TaskId who = std::exchange(resource(id).first_waiter, TaskId::none()); who;) {
            Task& t = m_st.task(who);
            const TaskId following = t.next_waiter;
            t.next_waiter = TaskId::none();
            t.blocked_on = ResourceId::none();
            t.stamp = stamp;
            m_driver.wake(who, m_cpu, false, By::futex);
            who = following;
        }
        return next();
    }
    bool collect(ResourceId id) {
        Resource& r = resource(id);
        if (r.first_waiter) return next();
        skip();
        r.owner = m_id;
        task().doing = Doing::waiting;
        m_driver.block(m_cpu);
        return false;
    }

    /// A child starts at once. At max_tasks nobody is born any more.
    bool fork(std::int32_t target) {
        if (task().passed_time == 0) {
            task().doing = Doing::working;
            task().work_left = fork_at_birth_ns;
            m_driver.work(m_cpu);
            return false; // comes back to this operation
        }
        if (m_st.tasks.size() < max_tasks) {
            const TaskId child = add_instance(m_st, m_driver.scenario, m_driver.plan, target, next_instance(target));
            m_driver.start(child, m_cpu, true);
        }
        return next();
    }
    /// Instances are numbered in the order of their ids: the latest one is met first.
    std::int32_t next_instance(std::int32_t program) const {
        const auto latest = std::find_if(m_st.tasks.rbegin(), m_st.tasks.rend(), [&](const Task& t) { return t.program == program; });
        return latest == m_st.tasks.rend() ? 0 : latest->instance + 1;
    }
    /// Wakes the first instance that rests or is suspended; a task that waits for a lock or a pipe is not disturbed.
    void wake_by_name(std::int32_t target) {
        for (std::size_t i = 0; i < m_st.tasks.size(); ++i) {
            const Task& t = m_st.tasks[i];
            if (t.program != target || t.state != TaskState::sleeping) continue;
            const bool suspended = t.doing == Doing::waiting && t.blocked_on && t.blocked_on.index() < m_driver.scenario.workload.resources.size() &&
                                   spec(t.blocked_on.value).kind == ResourceKind::suspend;
            if (!suspended && t.doing != Doing::resting) continue;
            if (suspended) unlink_waiter(t.blocked_on, TaskId{i});
            m_driver.wake(TaskId{i}, m_cpu, false);
            return;
        }
    }
    void unlink_waiter(ResourceId id, TaskId who) {
        std::vector<TaskId> others;
        while (const TaskId first = dequeue_waiter(id))
            if (first != who) others.push_back(first);
        for (const TaskId other : others) enqueue_waiter(id, other);
    }

    Driver<S>& m_driver;
    State& m_st;
    CpuId m_cpu;
    TaskId m_id;
};

enum class Where : std::uint8_t { at_operation, at_end, spinning };

/// Moves past ends of phases and rounds to the next operation.
template <DecisionSink S>
Where find_operation(Driver<S>& driver, CpuId cpu) {
    State& st = driver.st;
    const TaskId id = st.rq(cpu).curr;
    const TaskSpec& spec = driver.scenario.workload.tasks[static_cast<std::size_t>(st.task(id).program)];
    if (spec.phases.empty() || spec.loop == 0) return Where::at_end;
    for (;;) {
        Task& task = st.task(id);
        const Phase& phase = spec.phases[task.phase];
        if (task.op < phase.ops.size()) {
            if (task.op == 0 && task.doing == Doing::between && task.entry == 0) task.round_began = st.now;
            if (task.op == 0 && task.phase_round == 0 && !(phase.set == Attributes{}) && task.phase_began == 0) {
                task.phase_began = 1;
                driver.change_attributes(id, phase.set);
            }
            return Where::at_operation;
        }
        task.op = 0;
        ++task.phase_round;
        const bool again = phase.loop == forever || task.phase_round < static_cast<std::uint64_t>(phase.loop);
        if (phase.loop == forever) task.phase_round = 1;
        bool wrapped = again;
        if (!again) {
            task.phase_round = 0;
            task.phase_began = 0;
            if (++task.phase == spec.phases.size()) {
                task.phase = 0;
                ++task.task_round;
                wrapped = true;
                if (spec.loop != forever && task.task_round >= static_cast<std::uint64_t>(spec.loop)) return Where::at_end;
            }
        }
        if (!wrapped) continue;
        if (driver.charging.clock(cpu) != task.round_began) continue;
        task.doing = Doing::working;
        task.work_left = zero_time_round_ns;
        driver.work(cpu);
        return Where::spinning;
    }
}

} // namespace

template <DecisionSink S>
void advance_program(Driver<S>& driver, CpuId cpu) {
    State& st = driver.st;
    const TaskId id = st.rq(cpu).curr;
    while (st.rq(cpu).need_resched == 0) {
        const Where where = find_operation(driver, cpu);
        if (where == Where::spinning) return;
        if (where == Where::at_end) {
            driver.exit_current(cpu);
            return;
        }
        if (st.rq(cpu).need_resched != 0) break; // attributes of a phase may ask for it
        const Task& task = st.task(id);
        const TaskSpec& spec = driver.scenario.workload.tasks[static_cast<std::size_t>(task.program)];
        const Op& op = spec.phases[task.phase].ops[task.op];
        if (driver.enters(cpu, op)) return;
        if (!Step<S>(driver, cpu).run(op)) return;
    }
    driver.touch(cpu);
}

template void advance_program(Driver<NullSink>&, CpuId);
template void advance_program(Driver<CountSink>&, CpuId);
template void advance_program(Driver<HeaderSink>&, CpuId);
template void advance_program(Driver<FullSink>&, CpuId);

} // namespace picknext::engine
