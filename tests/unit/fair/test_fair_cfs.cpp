// SPDX-License-Identifier: GPL-3.0-or-later
// CFS: picks with buddies, wakeup preemption, tick, yield, fork. Eight CPUs' tunables: wakeup granularity 4
// ms, latency 24 ms.
#include <QtTest>

#include "core/fair/pick.hpp"
#include "core/fair/preempt.hpp"
#include "tests/unit/fair/one_cpu.hpp"

using namespace picknext;

namespace {

constexpr qint64 ms = OneCpu::ms;

fair::Pick pick(OneCpu& m) {
    Evidence<FullSink> why;
    return fair::pick_next(m.st, m.q(), why);
}
Reason preempt(OneCpu& m, TaskId wakee) {
    m.st.rq(OneCpu::cpu).need_resched = 0;
    fair::check_preempt(m.st, m.recorder, OneCpu::cpu, wakee, false);
    return m.recorded.last(Kind::preempt)->header.reason;
}

} // namespace

class FairCfsTest : public QObject {
    Q_OBJECT
  private slots:
    void smallestVruntimeIsPicked() {
        OneCpu m(Kernel::cfs_6_1, 8);
        const TaskId curr = m.running(5 * ms, 0);
        const TaskId left = m.waiting(4 * ms, 0);
        QCOMPARE(pick(m).entity, m.st.task(left).entity);
        QCOMPARE(pick(m).path, PickPath::leftmost);
        m.se(curr).vruntime = VTime{4'000'000}; // a tie: the waiting one
        QCOMPARE(pick(m).entity, m.st.task(left).entity);
        m.se(curr).vruntime = VTime{3'999'999};
        QCOMPARE(pick(m).entity, m.st.task(curr).entity);
        QCOMPARE(pick(m).reason, Reason::pick_current_leftmost);
    }
    void nextBuddyWithinGranularity() {
        OneCpu m(Kernel::cfs_6_1, 8);
        m.waiting(0, 0);
        const TaskId near = m.waiting(4 * ms, 0);
        const TaskId far = m.waiting(4 * ms + 1, 0);
        m.q().next = m.st.task(near).entity;
        QCOMPARE(pick(m).path, PickPath::buddy);
        QCOMPARE(pick(m).entity, m.st.task(near).entity);
        m.q().next = m.st.task(far).entity;
        QCOMPARE(pick(m).path, PickPath::leftmost);
        m.q().last = m.st.task(near).entity;
        QCOMPARE(pick(m).path, PickPath::last);
    }
    void skippedFirstYieldsToASecondThatIsNear() {
        OneCpu m(Kernel::cfs_6_1, 8);
        const TaskId curr = m.running(0, 0);
        const TaskId second = m.waiting(4 * ms, 0);
        m.q().skip = m.st.task(curr).entity;
        QCOMPARE(pick(m).entity, m.st.task(second).entity);
        QCOMPARE(pick(m).path, PickPath::skip);
        m.se(curr).vruntime = VTime{0} - 1;
        QCOMPARE(pick(m).entity, m.st.task(curr).entity);
    }
    void granularityDecidesPreemption() {
        OneCpu m(Kernel::cfs_6_1, 8);
        m.running(20 * ms, 0);
        QCOMPARE(preempt(m, m.waiting(16 * ms, 0)), Reason::preempt_within_granularity);
        const TaskId ahead = m.waiting(16 * ms - 1, 0);
        QCOMPARE(preempt(m, ahead), Reason::preempt_granularity);
        QCOMPARE(m.q().next, m.st.task(ahead).entity);
        QVERIFY(!m.q().last); // fewer than 8 queued
        const auto* decision = m.recorded.last(Kind::preempt);
        const Check& c = decision->checks[decision->header.deciding];
        QCOMPARE(c.id, Chk::beyond_granularity);
        QCOMPARE(c.left, 4'000'001);
        QCOMPARE(c.right, 4'000'000);
    }
    void manyQueuedMakeTheLoserLastBuddy() {
        OneCpu m(Kernel::cfs_6_1, 8);
        const TaskId curr = m.running(20 * ms, 0);
        for (int i = 0; i < 6; ++i)
            m.waiting(20 * ms, 0);
        QCOMPARE(preempt(m, m.waiting(0, 0)), Reason::preempt_granularity);
        QCOMPARE(m.q().last, m.st.task(curr).entity);
    }
    void idlePolicyIsPreemptedAtOnce() {
        OneCpu m(Kernel::cfs_6_1, 8);
        const TaskId curr = m.running(0, 0);
        m.st.task(curr).policy = Policy::idle;
        const TaskId w = m.waiting(90 * ms, 0);
        QCOMPARE(preempt(m, w), Reason::preempt_current_idle_policy);
        m.st.task(w).policy = Policy::idle;
        QCOMPARE(preempt(m, w), Reason::preempt_policy);
        m.st.task(curr).policy = Policy::normal;
        QCOMPARE(preempt(m, w), Reason::preempt_policy);
    }
    void aPendingRequestEndsTheQuestion() {
        OneCpu m(Kernel::cfs_6_1, 8);
        m.running(20 * ms, 0);
        const TaskId w = m.waiting(0, 0);
        m.st.rq(OneCpu::cpu).need_resched = 1;
        fair::check_preempt(m.st, m.recorder, OneCpu::cpu, w, false);
        QCOMPARE(m.recorded.last(Kind::preempt)->header.reason, Reason::preempt_already);
    }
    void yieldMarksToBeSkipped() {
        OneCpu m(Kernel::cfs_6_1, 8);
        const TaskId curr = m.running(0, 0);
        const TaskId other = m.waiting(1 * ms, 0);
        yield_current(m.cx, OneCpu::cpu);
        QCOMPARE(m.q().skip, m.st.task(curr).entity);
        QVERIFY(schedule(m.cx, OneCpu::cpu));
        QCOMPARE(m.st.rq(OneCpu::cpu).curr, other);
    }
    void buddyMarksGoAtThePickOrAtTheSwitch_data() {
        QTest::addColumn<Kernel>("kernel");
        QTest::addColumn<bool>("kept");
        QTest::newRow("5.12: every pick clears") << Kernel::cfs_5_12 << false;
        QTest::newRow("6.1: a kept task keeps its mark") << Kernel::cfs_6_1 << true;
    }
    void buddyMarksGoAtThePickOrAtTheSwitch() {
        QFETCH(Kernel, kernel);
        QFETCH(bool, kept);
        OneCpu m(kernel, 8);
        const TaskId curr = m.running(0, 0);
        m.waiting(1 * ms, 0);
        m.q().next = m.st.task(curr).entity;
        QVERIFY(!schedule(m.cx, OneCpu::cpu));
        QCOMPARE(m.q().next.valid(), kept);
    }
    void tickTestsSliceThenLag() {
        OneCpu m(Kernel::cfs_6_1, 8);
        const TaskId curr = m.running(0, 0);
        m.waiting(0, 0);
        const auto tick = [&](std::int64_t at) {
            m.st.now = at;
            sched_tick(m.cx, OneCpu::cpu);
            return m.recorded.last(Kind::tick)->header.reason;
        };
        QCOMPARE(tick(1 * ms), Reason::tick_below_min_granularity);
        QCOMPARE(tick(4 * ms), Reason::tick_continue);
        m.se(curr).vruntime = VTime{20'000'000};
        QCOMPARE(tick(5 * ms), Reason::tick_lag);
        QCOMPARE(tick(12 * ms), Reason::tick_slice_used);
    }
    void childRunsFirstSwapsVruntimes() {
        OneCpu m(Kernel::cfs_6_1, 8);
        m.st.settings.set(Feature::child_runs_first, true);
        const TaskId parent = m.running(0, 0);
        const TaskId child = m.fork();
        QCOMPARE(m.se(child).vruntime, VTime{0});
        QCOMPARE(m.se(parent).vruntime, VTime{11'999'994});
    }
    void aTaskThatMovesTravelsRelative() {
        OneCpu m(Kernel::cfs_6_1, 8);
        m.st.rqs.resize(2);
        m.st.masks = {3};
        m.st.queues.push_back(m.st.queues[0]);
        m.st.queues[0].ref = VTime{10'000'000};
        m.st.queues[1].cpu = CpuId{1};
        m.st.queues[1].ref = VTime{70'000'000};
        const TaskId t = m.waiting(12 * ms, 0);
        m.waiting(10 * ms, 0);
        move_queued_task(m.cx, t, CpuId{1});
        QCOMPARE(m.se(t).vruntime, VTime{72'000'000});
    }
};

QTEST_APPLESS_MAIN(FairCfsTest)
#include "test_fair_cfs.moc"
