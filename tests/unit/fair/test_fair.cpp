// SPDX-License-Identifier: GPL-3.0-or-later
// The rules of the fair class one by one, with numbers worked out by hand.
#include <QtTest>

#include "core/engine/invariants.hpp"
#include "core/fair/charge.hpp"
#include "core/fair/pick.hpp"
#include "core/fair/place.hpp"
#include "core/fair/preempt.hpp"
#include "core/fair/reweight.hpp"
#include "core/fair/slice.hpp"
#include "core/fair/views.hpp"
#include "tests/unit/fair/one_cpu.hpp"

using namespace picknext;

namespace {

constexpr qint64 ms = OneCpu::ms;
VTime vt(std::int64_t ns) { return VTime{static_cast<std::uint64_t>(ns)}; }

fair::Pick pick(OneCpu& m, std::vector<Check>* checks = nullptr) {
    Evidence<FullSink> why;
    const fair::Pick p = fair::pick_next(m.st, m.q(), why);
    if (checks) checks->assign(why.checks().begin(), why.checks().end());
    return p;
}
std::size_t visited(const std::vector<Check>& checks) {
    std::vector<std::int32_t> nodes;
    for (const Check& c : checks)
        if ((c.id == Chk::left_subtree_eligible || c.id == Chk::node_eligible) &&
            (nodes.empty() || nodes.back() != c.subject))
            nodes.push_back(c.subject);
    return nodes.size();
}
/// Where a task with this lag and weight is placed.
VTime placed(OneCpu& m, TaskId t, std::int64_t lag, fair::EnqueueFlags flags = {}) {
    m.se(t).vlag = lag;
    Evidence<NullSink> why;
    const fair::Placement p = fair::decide_place(m.st, m.q(), m.st.task(t).entity, flags, why);
    m.se(t).deadline = p.deadline;
    return p.vruntime;
}

} // namespace

class FairTest : public QObject {
    Q_OBJECT
  private slots:
    // --- average and eligibility ---
    void averageIsRoundedDown() {
        OneCpu m(Kernel::eevdf_6_8);
        m.q().ref = vt(1000);
        const TaskId a = m.waiting(1000, 5000);
        m.waiting(2001, 5000);
        QCOMPARE(m.q().sum_w_vruntime, 1025024);
        QCOMPARE(fair::average_vruntime(m.st, m.q()), vt(1500));
        fair::move_ref(m.q(), 1001);
        QCOMPARE(m.q().sum_w_vruntime, -1025024);
        QCOMPARE(fair::average_vruntime(m.st, m.q()), vt(1500)); // not 1501: the mean is 1500.5
        QVERIFY(fair::eligible(fair::sums_of(m.st, m.q()), vt(1500)));
        QVERIFY(!fair::eligible(fair::sums_of(m.st, m.q()), vt(1501)));
        QVERIFY(fair::is_eligible(m.st.settings, m.st, QueueId{0}, m.st.task(a).entity));
    }
    void averageOfThreeWeights() {
        OneCpu m(Kernel::eevdf_6_12);
        m.q().ref = vt(9 * ms);
        m.waiting(10 * ms, 20 * ms, 0);
        m.waiting(12 * ms, 20 * ms, 5);
        m.waiting(9 * ms, 20 * ms, -5);
        const fair::Sums s = fair::sums_of(m.st, m.q());
        QCOMPARE(s.weighted, 2029000000);
        QCOMPARE(s.weight, std::uint64_t{4480});
        QCOMPARE(fair::average_of(s), vt(9452901));
        QVERIFY(fair::eligible(s, vt(9452901)));
        QVERIFY(!fair::eligible(s, vt(9452902)));
    }
    void runningEntityCountsWhileQueued() {
        OneCpu m(Kernel::eevdf_6_12y);
        const TaskId a = m.running(10 * ms, 20 * ms);
        m.waiting(8 * ms, 20 * ms);
        QCOMPARE(fair::average_vruntime(m.st, m.q()), vt(9 * ms));
        QVERIFY(!fair::is_eligible(m.st.settings, m.st, QueueId{0}, m.st.task(a).entity));
        m.se(a).on_rq = 0;
        QCOMPARE(fair::average_vruntime(m.st, m.q()), vt(8 * ms));
    }

    // --- min_vruntime ---
    void minVruntimeNeverGoesBack() {
        OneCpu m(Kernel::cfs_6_1);
        m.q().ref = vt(100);
        m.running(130, 0);
        m.waiting(120, 0);
        fair::advance_min_vruntime(m.st, m.q());
        QCOMPARE(m.q().ref, vt(120));
        m.waiting(90, 0);
        fair::advance_min_vruntime(m.st, m.q());
        QCOMPARE(m.q().ref, vt(120));
    }

    // --- placement ---
    void lagSurvivesJoining() {
        OneCpu m(Kernel::eevdf_6_12y);
        m.waiting(50 * ms, 60 * ms);
        m.waiting(50 * ms, 60 * ms);
        const TaskId t = m.task();
        QCOMPARE(placed(m, t, 1'000'000), vt(48'500'000));
        QCOMPARE(placed(m, t, -1'000'000), vt(51'500'000));
    }
    void lagOfALightTask() {
        OneCpu m(Kernel::eevdf_6_12y);
        m.waiting(50 * ms, 60 * ms);
        QCOMPARE(placed(m, m.task(5), -3'000'000), vt(53'981'445));
    }
    void anEmptyQueueForgetsLag() {
        OneCpu m(Kernel::eevdf_6_12y, 8);
        m.st.settings[Tunable::base_slice] = 3 * ms;
        m.q().ref = vt(7 * ms);
        const TaskId t = m.task(5);
        QCOMPARE(placed(m, t, 12'345), vt(7 * ms));
        QCOMPARE(m.se(t).deadline, vt(7 * ms + 9'170'149));
        QCOMPARE(placed(m, t, 0, {.initial = true}), vt(7 * ms));
        QCOMPARE(m.se(t).deadline, vt(7 * ms + 4'585'074)); // half a slice
    }
    void sleeperCredit_data() {
        QTest::addColumn<bool>("gentle");
        QTest::addColumn<Policy>("policy");
        QTest::addColumn<qint64>("slept_at");
        QTest::addColumn<qint64>("placed_at");
        QTest::newRow("far behind") << true << Policy::normal << 50 * ms << 88 * ms;
        QTest::newRow("near") << true << Policy::normal << 95 * ms << 95 * ms;
        QTest::newRow("ahead") << true << Policy::normal << 120 * ms << 120 * ms;
        QTest::newRow("not gentle") << false << Policy::normal << 50 * ms << 76 * ms;
        QTest::newRow("idle policy") << true << Policy::idle << 50 * ms << qint64{98'500'000};
    }
    void sleeperCredit() {
        QFETCH(bool, gentle);
        QFETCH(Policy, policy);
        QFETCH(qint64, slept_at);
        QFETCH(qint64, placed_at);
        OneCpu m(Kernel::cfs_6_1, 8);
        m.st.settings.set(Feature::gentle_fair_sleepers, gentle);
        m.q().ref = vt(100 * ms);
        const TaskId t = m.task(0, policy);
        m.se(t).vruntime = vt(slept_at);
        QCOMPARE(placed(m, t, 0), vt(placed_at));
    }
    void aNewTaskStartsOneSliceBehind() {
        OneCpu m(Kernel::cfs_6_1, 8);
        m.q().ref = vt(100 * ms);
        m.running(100 * ms, 0);
        const TaskId child = m.task();
        m.se(child).vruntime = vt(100 * ms);
        QCOMPARE(placed(m, child, 0, {.initial = true}), vt(111'999'994));
    }

    // --- slices and granularity ---
    void cfsSlices() {
        OneCpu m(Kernel::cfs_5_12, 8);
        const TaskId first = m.running(0, 0);
        m.waiting(0, 0);
        QCOMPARE(fair::sched_slice(m.st, m.q(), m.st.task(first).entity), 11'999'994);
        for (int i = 0; i < 6; ++i)
            m.waiting(0, 0);
        QCOMPARE(fair::sched_slice(m.st, m.q(), m.st.task(first).entity), 2'999'994); // eight
        m.st.settings.kernel = Kernel::cfs_6_1;
        m.st.settings.set(Feature::base_slice, true);
        QCOMPARE(fair::sched_slice(m.st, m.q(), m.st.task(first).entity), 3'000'000);
    }
    void wakeupGranularityIsTheWakees() {
        OneCpu m(Kernel::cfs_6_1, 8);
        const auto of = [&](int nice) { return fair::wakeup_granularity(m.st, m.se(m.task(nice))); };
        QCOMPARE(of(-20), 46146);
        QCOMPARE(of(-5), 1312399);
        QCOMPARE(of(0), 4000000);
        QCOMPARE(of(5), 12226865);
        QCOMPARE(of(19), 273066666);
        QCOMPARE(fair::wakeup_granularity(m.st, m.se(m.task(0, Policy::idle))), 1365333333);
        Entity c, e;
        c.weight = e.weight = nice_0_weight;
        c.vruntime = vt(20 * ms);
        e.vruntime = vt(16 * ms);
        QCOMPARE(fair::behind(m.st, c, e), 0);
        e.vruntime = vt(16 * ms - 1);
        QCOMPARE(fair::behind(m.st, c, e), 1);
        e.vruntime = vt(20 * ms);
        QCOMPARE(fair::behind(m.st, c, e), -1);
    }
    // --- charge ---
    void anOverrunIsNotCarried() {
        OneCpu m(Kernel::eevdf_6_8, 8, 250);
        const TaskId a = m.running(0, 3 * ms);
        m.waiting(0, 30 * ms);
        m.at(4 * ms);
        fair::update_curr(m.st, m.q());
        QCOMPARE(m.se(a).vruntime, vt(4 * ms));
        QCOMPARE(m.se(a).deadline, vt(7 * ms));
        QCOMPARE(m.st.rq(OneCpu::cpu).need_resched, std::uint8_t{1});
    }
    void aloneNothingIsRequested() {
        OneCpu m(Kernel::eevdf_6_12y);
        m.running(0, 1 * ms);
        m.at(4 * ms);
        sched_tick(m.cx, OneCpu::cpu);
        QCOMPARE(m.st.rq(OneCpu::cpu).need_resched, std::uint8_t{0});
        QCOMPARE(m.recorded.last(Kind::tick)->header.reason, Reason::tick_alone);
    }

    // --- reweight (see test_fair_lag.cpp for the queued one) ---
    void reweightOffTheQueueScalesLag() {
        OneCpu m(Kernel::eevdf_6_12y);
        const TaskId a = m.task();
        m.se(a).vlag = -600'000;
        fair::reweight_entity(m.st, m.st.task(a).entity, Weight{335 << 10});
        QCOMPARE(m.se(a).vlag, -1'834'029);
    }

    // --- EEVDF picks: the trees are v/d, inserted in the order written ---
    void searchTakesTheEarliestEligibleDeadline() {
        OneCpu m(Kernel::eevdf_6_8);
        m.waiting(10, 12);
        const TaskId b = m.waiting(2, 15);
        m.waiting(4, 20);
        m.waiting(6, 25);
        std::vector<Check> checks;
        const fair::Pick p = pick(m, &checks);
        QCOMPARE(p.entity, m.st.task(b).entity);
        QCOMPARE(p.path, PickPath::slow);
        QCOMPARE(visited(checks), std::size_t{1});
    }
    void searchGoesRight() {
        OneCpu m(Kernel::eevdf_6_8);
        m.waiting(10, 12);
        m.waiting(9, 15);
        const TaskId c = m.waiting(1, 20);
        m.waiting(2, 25);
        std::vector<Check> checks;
        const fair::Pick p = pick(m, &checks);
        QCOMPARE(p.entity, m.st.task(c).entity);
        QCOMPARE(visited(checks), std::size_t{2});
    }
    void currentWinsOnlyWithAnEarlierDeadline() {
        OneCpu m(Kernel::eevdf_6_8);
        m.waiting(10, 12);
        m.waiting(2, 15);
        m.waiting(4, 20);
        m.waiting(6, 25);
        const TaskId x = m.running(5, 11);
        m.se(x).vlag = 0; // not protected
        const fair::Pick p = pick(m);
        QCOMPARE(p.entity, m.st.task(x).entity);
        QCOMPARE(p.path, PickPath::slow);
        QCOMPARE(p.reason, Reason::pick_current_earlier);
        m.se(x).deadline = vt(15);
        QVERIFY(pick(m).entity != m.st.task(x).entity); // a tie goes to the tree
    }
    void leftmostEligibleIsFast() {
        OneCpu m(Kernel::eevdf_6_8);
        const TaskId a = m.waiting(1, 12);
        m.waiting(9, 15);
        QCOMPARE(pick(m).entity, m.st.task(a).entity);
        QCOMPARE(pick(m).path, PickPath::fast);
        m.st.settings.set(Patch::eevdf_fast_path, 0);
        QCOMPARE(pick(m).entity, m.st.task(a).entity);
        QCOMPARE(pick(m).path, PickPath::slow);
    }
    void protectionHoldsWhileEligible() {
        OneCpu m(Kernel::eevdf_6_12y);
        const TaskId x = m.running(3, 9);
        m.waiting(3, 5);
        std::vector<Check> checks;
        const fair::Pick p = pick(m, &checks);
        QCOMPARE(p.entity, m.st.task(x).entity);
        QCOMPARE(p.path, PickPath::parity);
        QCOMPARE(checks.size(), std::size_t{3}); // P1, P2, P3
        QCOMPARE(checks[0].id, Chk::only_entity);
        QCOMPARE(checks[1].id, Chk::current_eligible);
        QCOMPARE(checks[2].id, Chk::current_protected);
        m.se(x).vruntime = vt(5); // the mean is 4: dropped before protection is looked at
        QCOMPARE(pick(m).path, PickPath::fast);
    }
    void theOnlyEntityIsDirect() {
        OneCpu m(Kernel::eevdf_6_12y);
        const TaskId x = m.running(3, 9);
        QCOMPARE(pick(m).path, PickPath::direct);
        QCOMPARE(pick(m).entity, m.st.task(x).entity);
    }

    // --- preemption ---
    void aShorterSliceEndsProtection() {
        OneCpu m(Kernel::eevdf_6_12y);
        const TaskId c = m.running(3 * ms, 6 * ms);
        const TaskId w = m.waiting(3 * ms, 5 * ms);
        fair::check_preempt(m.st, m.recorder, OneCpu::cpu, w, false);
        QCOMPARE(m.recorded.last(Kind::preempt)->header.reason, Reason::preempt_not_picked);
        QCOMPARE(m.recorded.last(Kind::pick)->header.path, PickPath::parity);
        QCOMPARE(m.recorded.last(Kind::pick)->header.site, Site::preempt);
        m.se(w).slice = m.se(c).slice - 1;
        fair::check_preempt(m.st, m.recorder, OneCpu::cpu, w, false);
        QCOMPARE(m.recorded.last(Kind::preempt)->header.reason, Reason::preempt_picked);
        QCOMPARE(m.se(c).vlag, 6 * ms + 1);
        QCOMPARE(m.st.rq(OneCpu::cpu).need_resched, std::uint8_t{1});
    }
    void protectionEndsAtZeroLag() {
        OneCpu m(Kernel::eevdf_6_12y);
        m.running(4 * ms, 6 * ms);
        const TaskId w = m.waiting(3 * ms, 5 * ms);
        fair::check_preempt(m.st, m.recorder, OneCpu::cpu, w, false);
        QCOMPARE(m.recorded.last(Kind::preempt)->header.reason, Reason::preempt_picked);
    }
    void batchPreemptsNobody() {
        OneCpu m(Kernel::eevdf_6_12y);
        m.running(4 * ms, 6 * ms);
        const TaskId w = m.waiting(3 * ms, 5 * ms);
        m.st.task(w).policy = Policy::batch;
        fair::check_preempt(m.st, m.recorder, OneCpu::cpu, w, false);
        QCOMPARE(m.recorded.last(Kind::preempt)->header.reason, Reason::preempt_policy);
    }

    // --- yield ---
    void yieldPushesTheDeadlineOut() {
        OneCpu m(Kernel::eevdf_6_8, 8);
        const TaskId a = m.running(5 * ms, 7 * ms);
        m.waiting(6 * ms, 9 * ms);
        yield_current(m.cx, OneCpu::cpu);
        QCOMPARE(m.se(a).vruntime, vt(5 * ms));
        QCOMPARE(m.se(a).deadline, vt(10 * ms));
    }
    void yieldForfeitsIn612y() {
        OneCpu m(Kernel::eevdf_6_12y);
        m.st.settings[Tunable::base_slice] = 3 * ms;
        const TaskId a = m.running(5 * ms, 7 * ms);
        m.waiting(6 * ms, 9 * ms);
        yield_current(m.cx, OneCpu::cpu);
        QCOMPARE(m.se(a).vruntime, vt(7 * ms));
        QCOMPARE(m.se(a).deadline, vt(10 * ms));
        yield_current(m.cx, OneCpu::cpu); // no longer eligible: nothing more to give
        QCOMPARE(m.se(a).vruntime, vt(7 * ms));
        QCOMPARE(m.recorded.last(Kind::yield)->header.reason, Reason::yield_not_eligible);
    }
    void aloneNothingIsYielded() {
        OneCpu m(Kernel::eevdf_6_8);
        const TaskId a = m.running(5 * ms, 7 * ms);
        yield_current(m.cx, OneCpu::cpu);
        QCOMPARE(m.se(a).deadline, vt(7 * ms));
        QCOMPARE(m.recorded.last(Kind::yield)->header.reason, Reason::yield_alone);
    }

    // --- delayed dequeue ---
    void anIneligibleSleeperStaysUntilItsLagIsPaid() {
        OneCpu m(Kernel::eevdf_6_12y);
        const TaskId a = m.running(10 * ms, 12 * ms);
        const TaskId b = m.waiting(8 * ms, 11 * ms); // mean 9: A is not eligible
        block_current(m.cx, OneCpu::cpu, false);
        QCOMPARE(m.recorded.last(Kind::dequeue)->header.reason, Reason::dequeue_delayed);
        QCOMPARE(m.st.task(a).on_rq, std::uint8_t{1});
        schedule(m.cx, OneCpu::cpu);
        QCOMPARE(m.st.rq(OneCpu::cpu).curr, b);
        QCOMPARE(m.q().nr_queued, 2U);
        QCOMPARE(m.q().h_nr_delayed, 1U);
        QCOMPARE(m.q().h_nr_runnable, 1U);
        m.se(b).slice = 1 * ms;
        m.st.now = 4 * ms; // B.v 12, past its deadline: the mean 11 lets A be found, and it leaves
        sched_tick(m.cx, OneCpu::cpu);
        schedule(m.cx, OneCpu::cpu);
        QCOMPARE(m.st.task(a).on_rq, std::uint8_t{0});
        QCOMPARE(m.se(a).vlag, 0); // DELAY_ZERO
        std::vector<Reason> picks; // what was found, and that its pick began again
        for (const Recorded::One& d : m.recorded.all)
            if (d.header.kind == Kind::pick) picks.push_back(d.header.reason);
        QCOMPARE(picks, (std::vector<Reason>{Reason::pick_leftmost_eligible, Reason::pick_delayed_finish,
                                             Reason::pick_only_entity}));
        QCOMPARE(m.st.rq(OneCpu::cpu).curr, b);
        QCOMPARE(m.q().nr_queued, 1U);
        QCOMPARE(QString::fromStdString(broken_invariant(m.st)), QString());
    }

    // --- migration ---
    void aMovedTaskKeepsItsRelativeDeadline_data() {
        QTest::addColumn<Kernel>("kernel");
        QTest::addColumn<qint64>("deadline");
        QTest::newRow("6.12") << Kernel::eevdf_6_12 << 42 * ms;
        QTest::newRow("6.8: a fresh one") << Kernel::eevdf_6_8 << 43 * ms;
    }
    void aMovedTaskKeepsItsRelativeDeadline() {
        QFETCH(Kernel, kernel);
        QFETCH(qint64, deadline);
        OneCpu m(kernel);
        m.st.settings[Tunable::base_slice] = 3 * ms;
        m.st.rqs.resize(2);
        m.st.masks = {3};
        m.st.queues.push_back(m.st.queues[0]);
        m.st.queues[1].cpu = CpuId{1};
        m.st.queues[1].ref = vt(40 * ms);
        const TaskId t = m.waiting(5 * ms, 7 * ms);
        move_queued_task(m.cx, t, CpuId{1});
        QCOMPARE(m.se(t).vruntime, vt(40 * ms));
        QCOMPARE(m.se(t).deadline, vt(deadline));
        QCOMPARE(m.st.task(t).cpu, CpuId{1});
        QCOMPARE(m.st.root_queue(CpuId{0}).nr_queued, 0U);
    }

    // --- attributes ---
    void anOwnSliceIsClamped() {
        OneCpu m(Kernel::eevdf_6_12y);
        const TaskId t = m.task();
        set_attributes(m.cx, t, {.policy = Policy::normal, .nice = 0, .slice = 1});
        QCOMPARE(m.se(t).slice, std::uint64_t{100'000});
        QCOMPARE(m.se(t).custom_slice, std::uint8_t{1});
        set_attributes(m.cx, t, {.policy = Policy::normal, .nice = 0, .slice = 0});
        QCOMPARE(m.se(t).slice, std::uint64_t{700'000});
        QCOMPARE(m.se(t).custom_slice, std::uint8_t{0});
    }
};

QTEST_APPLESS_MAIN(FairTest)
#include "test_fair.moc"
