// SPDX-License-Identifier: GPL-3.0-or-later
// What is done to tasks of a throttled group, and what its pool and its clocks hold, step by step. Two CPUs, a group /g
// with 10 ms per 100 ms, slices of 5 ms.
#include <QtTest>

#include "core/engine/bandwidth.hpp"
#include "core/engine/invariants.hpp"
#include "core/fair/bandwidth.hpp"
#include "core/pelt/pelt.hpp"
#include "core/state/events.hpp"
#include "core/state/throttled.hpp"
#include "tests/unit/fair/one_cpu.hpp"

using namespace picknext;

namespace {

constexpr std::int64_t ms = OneCpu::ms;

struct TwoCpus : OneCpu {
    static constexpr CpuId other{1};
    GroupId g;

    explicit TwoCpus(Kernel kernel, std::int64_t quota = 10 * ms) : OneCpu(kernel) {
        st.masks = {3, 1};
        st.rqs.resize(2);
        st.queues.resize(2);
        st.queues[1] = st.queues[0];
        st.queues[1].cpu = other;
        st.groups[0].first_queue = QueueId{0};
        g = add_group(st, GroupId{0}, 1024, false);
        set_group_bandwidth(cx, g, {.quota = quota});
    }
    TaskId in_group(CpuId c, GroupId group) {
        const TaskId t = add_task(st, Policy::normal, 0, 0, group, MaskId{0});
        wake_up_new_task(cx, t, c, c);
        settle();
        return t;
    }
    void settle() {
        for (const CpuId c : {cpu, other})
            while (st.rq(c).need_resched != 0) schedule(cx, c);
        check();
    }
    /// Time passes, with ticks, and the timers of bandwidth control.
    void until(std::int64_t ns) {
        while (st.now < ns) {
            st.now = std::min(ns, (st.now / ms + 1) * ms);
            while (!st.events.empty() && st.events.front().at <= st.now) {
                const Event e = pop_event(st);
                if (e.kind == EventKind::bandwidth_period) bandwidth_period_timer(cx, GroupId{e.subject});
                else bandwidth_slack_timer(cx, GroupId{e.subject});
                settle();
            }
            for (const CpuId c : {cpu, other}) sched_tick(cx, c);
            settle();
        }
    }
    void check() {
        const std::string broken = broken_invariant(st);
        if (!broken.empty()) qFatal("%s", broken.c_str());
    }
    [[nodiscard]] QueueId queue_id(CpuId c) const { return QueueId{st.groups[g.index()].first_queue.index() + c.index()}; }
    [[nodiscard]] Queue& queue(CpuId c) { return st.queue(queue_id(c)); }
    [[nodiscard]] QueueBandwidth& bandwidth(CpuId c) { return st.bandwidth_of(queue_id(c)); }
    [[nodiscard]] Bandwidth& pool() { return st.pool(g); }
    [[nodiscard]] Reason last_reason(Kind kind) const { return recorded.last(kind)->header.reason; }
};

} // namespace

class FairBandwidthTest : public QObject {
    Q_OBJECT
    void kernels() {
        QTest::addColumn<int>("kernel");
        for (const KernelInfo& k : kernel_table()) QTest::newRow(std::string(k.name).c_str()) << static_cast<int>(k.id);
    }
    static Kernel kernel() {
        QFETCH(int, kernel);
        return static_cast<Kernel>(kernel);
    }

  private slots:
    void throttledAtTheEndOfItsRuntime_data() { kernels(); }
    void throttledAtTheEndOfItsRuntime() {
        TwoCpus m(kernel());
        const TaskId t = m.in_group(m.cpu, m.g);
        QCOMPARE(m.bandwidth(m.cpu).runtime_remaining, 5 * ms);
        QCOMPARE(m.pool().runtime, 5 * ms);
        m.until(9 * ms);
        QCOMPARE(m.bandwidth(m.cpu).runtime_remaining, 1 * ms);
        QCOMPARE(m.pool().runtime, std::int64_t{0});
        QCOMPARE(m.st.rq(m.cpu).curr, t);
        m.until(10 * ms);
        QVERIFY(!m.st.rq(m.cpu).curr);
        QCOMPARE(int{m.queue(m.cpu).throttled}, 1);
        QCOMPARE(m.last_reason(Kind::throttle), Reason::throttle_used_up);
        QCOMPARE(m.recorded.last(Kind::throttle)->header.outcome, m.queue(m.cpu).owner.value);
        QCOMPARE(int{m.queue(m.other).throttled}, 0); // nobody is there who could run out
    }
    /// Renicing the running one at the instant its group is out puts it back, which throttles, and sets it again: it
    /// runs in a throttled group until the schedule that was asked for.
    void renicedInTheLastInstant_data() { kernels(); }
    void renicedInTheLastInstant() {
        TwoCpus m(kernel());
        const TaskId t = m.in_group(m.cpu, m.g);
        m.until(9 * ms);
        m.st.now = 10 * ms;
        set_nice(m.cx, t, 5);
        m.check();
        QCOMPARE(m.st.rq(m.cpu).curr, t);
        QCOMPARE(int{m.queue(m.cpu).throttled}, 1);
        QCOMPARE(m.st.rq(m.cpu).nr_running, 0U);
        QCOMPARE(int{m.st.rq(m.cpu).need_resched}, 1);
        m.settle();
        QVERIFY(!m.st.rq(m.cpu).curr);
        QCOMPARE(m.queue(m.cpu).h_nr_queued, 1U);
        m.until(101 * ms);
        QCOMPARE(m.st.rq(m.cpu).curr, t);
        QCOMPARE(m.st.entity(t).weight.coarse(), std::uint64_t{335});
    }
    void exitsInAThrottledGroup_data() { kernels(); }
    void exitsInAThrottledGroup() {
        TwoCpus m(kernel());
        const TaskId t = m.in_group(m.cpu, m.g);
        m.until(9 * ms);
        m.st.now = 10 * ms;
        set_nice(m.cx, t, 5); // as above: it runs on
        block_current(m.cx, m.cpu, true);
        m.st.rq(m.cpu).need_resched = 1;
        m.settle();
        task_dead(m.st, t);
        QCOMPARE(m.queue(m.cpu).h_nr_queued, 0U);
        QCOMPARE(m.st.rq(m.cpu).nr_running, 0U);
        m.until(100 * ms); // comes back with nobody
        QCOMPARE(int{m.queue(m.cpu).throttled}, 0);
        QCOMPARE(m.st.root_queue(m.cpu).nr_queued, 0U);
        QVERIFY(!m.st.rq(m.cpu).curr);
    }
    /// A waiting task of a throttled group changes its nice value, then its CPU: counts follow, nobody runs.
    void changedAndMovedWhileThrottled_data() { kernels(); }
    void changedAndMovedWhileThrottled() {
        TwoCpus m(kernel());
        const TaskId a = m.in_group(m.cpu, m.g), b = m.in_group(m.cpu, m.g);
        m.until(20 * ms);
        QCOMPARE(m.queue(m.cpu).h_nr_queued, 2U);
        set_nice(m.cx, a, 5);
        m.settle();
        QCOMPARE(m.queue(m.cpu).weight.coarse(), std::uint64_t{1024 + 335});
        QCOMPARE(m.st.rq(m.cpu).nr_running, 0U);
        move_queued_task(m.cx, b, m.other); // the pool is empty: throttled there at once
        m.settle();
        QCOMPARE(m.queue(m.cpu).h_nr_queued, 1U);
        QCOMPARE(m.queue(m.other).h_nr_queued, 1U);
        QCOMPARE(int{m.queue(m.other).throttled}, 1);
        QCOMPARE(m.st.rq(m.other).nr_running, 0U);
        QVERIFY(!m.st.rq(m.other).curr);
        m.until(100 * ms);
        QCOMPARE(m.st.rq(m.cpu).curr, a);
        QCOMPARE(m.st.rq(m.other).curr, b);
    }
    /// A wakeup into a throttled group preempts nobody.
    void wakesIntoAThrottledGroup_data() { kernels(); }
    void wakesIntoAThrottledGroup() {
        TwoCpus m(kernel());
        m.in_group(m.cpu, m.g);
        m.until(12 * ms);
        const TaskId free = m.in_group(m.cpu, GroupId{0});
        const TaskId t = m.in_group(m.cpu, m.g);
        QCOMPARE(m.last_reason(Kind::preempt), Reason::preempt_throttled);
        QCOMPARE(m.st.rq(m.cpu).curr, free);
        QCOMPARE(m.st.rq(m.cpu).nr_running, 1U);
        QCOMPARE(m.queue(m.cpu).h_nr_queued, 2U);
        QVERIFY(throttled_pair(m.st, t, m.cpu, m.other) && throttled_pair(m.st, t, m.other, m.cpu));
        QVERIFY(!throttled_pair(m.st, t, m.other, m.other) && !throttled_pair(m.st, free, m.cpu, m.other));
    }
    /// From 10 to 100 nothing decays in the group, and its clock has lost these 90 ms; the root queue's load decays.
    void loadStandsStill_data() { kernels(); }
    void loadStandsStill() {
        TwoCpus m(kernel());
        m.in_group(m.cpu, m.g);
        m.until(10 * ms);
        const LoadAvg before = m.queue(m.cpu).avg;
        const std::uint64_t root = m.st.root_queue(m.cpu).avg.util_avg;
        QCOMPARE(pelt::queue_clock(m.st, m.queue_id(m.cpu)), pelt::clock(m.st, m.cpu));
        m.until(99 * ms);
        pelt::update_blocked(m.st, m.cpu);
        QVERIFY(m.queue(m.cpu).avg == before);
        QVERIFY(m.st.root_queue(m.cpu).avg.util_avg < root / 2);
        QCOMPARE(pelt::queue_clock(m.st, m.queue_id(m.cpu)), pelt::clock(m.st, m.cpu) - static_cast<std::uint64_t>(89 * ms));
        m.until(100 * ms);
        QCOMPARE(m.bandwidth(m.cpu).throttled_clock_pelt_time, static_cast<std::uint64_t>(90 * ms));
        m.until(101 * ms);
        QCOMPARE(pelt::queue_clock(m.st, m.queue_id(m.cpu)), pelt::clock(m.st, m.cpu) - static_cast<std::uint64_t>(90 * ms));
        QVERIFY(m.queue(m.cpu).avg.util_avg >= before.util_avg);
    }
    /// The group's weight stays what it was; it is computed anew when it comes back.
    void weightStandsStill() {
        TwoCpus m(Kernel::eevdf_6_12y);
        m.in_group(m.cpu, m.g);
        m.until(10 * ms);
        const Weight before = m.st.entity(m.queue(m.cpu).owner).weight;
        set_group_shares(m.cx, m.g, 512);
        QVERIFY(m.st.entity(m.queue(m.cpu).owner).weight == before);
        m.until(101 * ms);
        QCOMPARE(m.st.entity(m.queue(m.cpu).owner).weight.coarse(), std::uint64_t{512});
    }
    /// 12 ms in the pool and somebody throttled: the timer starts unless a refill comes within 5 + 2 ms.
    void slackTimer_data() {
        QTest::addColumn<qint64>("now");
        QTest::addColumn<bool>("starts");
        QTest::newRow("7 ms before") << qint64{93 * ms} << true;
        QTest::newRow("less") << qint64{93 * ms + 1} << false;
    }
    void slackTimer() {
        QFETCH(qint64, now);
        QFETCH(bool, starts);
        TwoCpus m(Kernel::eevdf_6_8);
        m.in_group(m.cpu, m.g);
        m.until(12 * ms);
        m.st.now = now;
        m.bandwidth(m.other).runtime_remaining = 7 * ms;
        fair::return_runtime(m.st, m.queue(m.other));
        QCOMPARE(m.bandwidth(m.other).runtime_remaining, 1 * ms);
        QCOMPARE(m.pool().runtime, 6 * ms);
        QCOMPARE(m.pool().slack_started != 0, starts);
        if (!starts) return;
        m.until(now + 5 * ms); // less than 2 ms are left: 100 - 98 is not less
        QCOMPARE(m.last_reason(Kind::refill), Reason::refill_slack);
        QCOMPARE(int{m.queue(m.cpu).throttled}, 0);
    }
    /// The limit is lifted: the group comes back at once, and the timer stops when it expires next.
    void limitLifted_data() { kernels(); }
    void limitLifted() {
        TwoCpus m(kernel());
        const TaskId t = m.in_group(m.cpu, m.g);
        m.until(12 * ms);
        set_group_bandwidth(m.cx, m.g, {});
        m.settle();
        QCOMPARE(m.last_reason(Kind::unthrottle), Reason::unthrottle_changed);
        QCOMPARE(m.st.rq(m.cpu).curr, t);
        m.until(300 * ms);
        QCOMPARE(m.st.rq(m.cpu).curr, t);
        QVERIFY(m.st.events.empty());
    }
    /// Runtime that comes into the pool between the charge that found none and the schedule saves the group.
    void suppliedInTime_data() { kernels(); }
    void suppliedInTime() {
        TwoCpus m(kernel());
        const TaskId t = m.in_group(m.cpu, m.g);
        m.until(9 * ms);
        m.st.now = 10 * ms;
        sched_tick(m.cx, m.cpu);
        QCOMPARE(int{m.st.rq(m.cpu).need_resched}, 1);
        m.pool().runtime = 3 * ms;
        m.settle();
        QCOMPARE(m.last_reason(Kind::throttle), Reason::throttle_supplied);
        QCOMPARE(m.recorded.last(Kind::throttle)->header.outcome, -1);
        QCOMPARE(m.st.rq(m.cpu).curr, t);
        QCOMPARE(m.bandwidth(m.cpu).runtime_remaining, std::int64_t{1}); // no more than it takes to go on
        QCOMPARE(m.pool().runtime, 3 * ms - 1);
    }
};

QTEST_APPLESS_MAIN(FairBandwidthTest)
#include "test_fair_bandwidth.moc"
