// SPDX-License-Identifier: GPL-3.0-or-later
// Runs of plans: their order, their seeds, how they end, and that threads change nothing.
#include <QtTest>

#include "core/bench/run.hpp"
#include "tests/unit/bench/small_plan.hpp"

using namespace picknext;
using namespace picknext::bench;
using namespace picknext::bench::test;

class TestRun : public QObject {
    Q_OBJECT
  private Q_SLOTS:
    void threadsChangeNothing() {
        const Plan plan = small_plan(5, uniform(1'000'000, 9'000'000));
        const Outcome one = run(plan, {.jobs = 1});
        QVERIFY(one.complete());
        QCOMPARE(one.runs.size(), std::size_t{20});
        QVERIFY(run(plan, {.jobs = 2}) == one);
        QVERIFY(run(plan, {.jobs = 7}) == one);
    }
    /// Repeat r of either arm has seed 7 + r: the sums drawn differ between repeats, not between arms on idle CPUs.
    void armsShareTheirSeeds() {
        const Plan plan = small_plan(3, uniform(1'000'000, 9'000'000));
        const Outcome out = run(plan);
        for (int r = 0; r < 3; ++r) {
            QCOMPARE(scenario_of(plan, 1, 1, r).seed, std::uint64_t(7 + r));
            QVERIFY(out.run(0, 0, r).figures == out.run(0, 1, r).figures);
        }
        QVERIFY(out.run(0, 0, 0).figures != out.run(0, 0, 1).figures);
    }
    /// Two tasks that run 2 ms three times on four CPUs: each round takes 2 ms, six rounds in all.
    void valuesAreThoseOfTheEnd() {
        const Outcome out = run(small_plan(1, fixed(2'000'000)));
        const Run& first = out.run(0, 0, 0);
        QCOMPARE(first.figures.at(0).value, 0.002);
        QCOMPARE(first.figures.at(1).value, 6.0);
        QCOMPARE(first.operations, 6.0);
        QVERIFY(first.slowest && first.slowest->ns == 2'000'000 && first.slowest->sample == 0);
        QVERIFY(first.report.starts_with("Time: "));
    }
    void progressEndsWithAll() {
        std::size_t calls = 0;
        Done last;
        const Plan plan = small_plan(2, fixed(1'000'000));
        (void)run(plan, {.jobs = 2, .progress = [&](const Done& d) { ++calls; last = d; }});
        QVERIFY(calls >= 8);
        QCOMPARE(last.runs, std::size_t{8});
        QCOMPARE(last.of, std::size_t{8});
        QVERIFY(last.fraction > 0.999);
    }
    void stoppingKeepsWhatIsDone() {
        std::stop_source stop;
        const Plan plan = small_plan(4, fixed(1'000'000));
        const Outcome out = run(plan, {.stop = stop.get_token(), .progress = [&](const Done& d) { if (d.runs == 3) stop.request_stop(); }});
        QVERIFY(!out.complete());
        for (std::size_t i = 0; i < out.runs.size(); ++i) QCOMPARE(out.runs[i].end, i < 3 ? End::done : End::stopped);
    }
    /// Two rounds of 2 ms each end within 5 ms, the third does not.
    void aDurationEndsTheRun() {
        Plan plan = small_plan(1, fixed(2'000'000));
        plan.cells[0].benchmark.duration = 5'000'000;
        const Run cut = run(plan).run(0, 0, 0);
        QCOMPARE(cut.end, End::done);
        QCOMPARE(cut.took, std::int64_t{5'000'000});
        QCOMPARE(cut.figures.at(1).value, 4.0);
    }
    void whatDoesNotEndIsNotDone() {
        Plan plan = small_plan(1, fixed(600'000'000'000));
        plan.cells[0].benchmark = runners(1, 7, fixed(600'000'000'000)); // 70 minutes
        plan.arms.resize(1);
        plan.arms[0].settings[Tunable::hz] = 100;
        const Outcome out = run(plan);
        QCOMPARE(out.run(0, 0, 0).end, End::too_long);
        QVERIFY(out.run(0, 0, 0).figures.empty());
        QVERIFY(!out.complete());
    }
    /// The third round of the first task is the longest: 3 + 4 + 5 ms.
    void theSlowestMomentIsFoundAgain() {
        Plan plan = small_plan(1, {Dist::Kind::list, 0, 0, {3'000'000, 4'000'000, 5'000'000}, true});
        plan.cells[0].benchmark = runners(1, 3, plan.cells[0].benchmark.workload.tasks[0].phases[0].ops[1].amount);
        const Run first = run(plan).run(0, 0, 0);
        QVERIFY(first.slowest && first.slowest->sample == 2);
        const std::optional<Moment> moment = slowest_moment(scenario_of(plan, 0, 0, 0), first.slowest);
        QVERIFY(moment.has_value());
        QCOMPARE(moment->at, std::int64_t{12'000'000});
        QVERIFY(moment->event <= first.events && moment->decision > 0);
    }
};

QTEST_APPLESS_MAIN(TestRun)
#include "test_run.moc"
