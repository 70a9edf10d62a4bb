// SPDX-License-Identifier: GPL-3.0-or-later
// Published rows, verdicts worked by hand, and that every thread's plan can be made.
#include <QtTest>

#include <set>

#include "core/bench/redecisions.hpp"
#include "core/bench/threads.hpp"
#include "core/io/results_json.hpp"

using namespace picknext;
using bench::Published;

Q_DECLARE_METATYPE(bench::Verdict)

class TestThreads : public QObject {
    Q_OBJECT
  private Q_SLOTS:
    void everyPlanCanBeMade() {
        std::set<std::string> panels;
        for (const bench::Thread& t : bench::threads())
            for (const bool full : {false, true}) {
                const Result<std::vector<bench::Panel>> made = t.panels(io::shipped_platforms(), full);
                QVERIFY2(made.has_value(), made ? "" : made.error().text().c_str());
                for (const bench::Panel& p : *made) {
                    panels.insert(std::to_string(t.number) + p.name);
                    QCOMPARE(p.plan.arms.size(), std::size_t{2});
                    QVERIFY(!(p.plan.arms[0].settings == p.plan.arms[1].settings));
                    QVERIFY(!p.plan.cells.empty());
                }
            }
        for (const Published& row : bench::published_table()) QVERIFY2(panels.contains(std::to_string(row.thread) + std::string(row.panel)), std::string(row.panel).c_str());
    }
    /// Thread 2's run is as long as the published one. The median hangs on constants, the tail on decisions.
    void theTailOfThread2() {
        const Result<std::vector<bench::Panel>> panels = bench::thread_2(io::shipped_platforms(), false);
        const bench::Outcome outcome = bench::run(panels->front().plan, {.jobs = 2});
        QVERIFY(outcome.complete());
        const auto median = [&](std::size_t arm, const char* name) { return metrics::spread(bench::samples(outcome, 0, arm, name)).median; };
        for (const std::size_t arm : {std::size_t{0}, std::size_t{1}}) QVERIFY(std::abs(median(arm, "p50.0") / 33 - 1) <= 0.25);
        QVERIFY(median(0, "p95.0") >= 1000);
        QVERIFY(median(0, "max") >= 8000);
        QVERIFY(median(1, "p99.0") <= 150);
    }
    /// Thread 5: entering the mask costs 233 ns, and one transfer of a line more with a cpumask beside.
    void theEntryOfThread5() {
        const Result<std::vector<bench::Panel>> panels = bench::thread_5(io::shipped_platforms(), false);
        const bench::Outcome outcome = bench::run(panels->front().plan, {.jobs = 2});
        QVERIFY(std::abs(*bench::figure(outcome.run(0, 0, 0), "enter") / 233 - 1) <= 0.1);
        QVERIFY(std::abs(*bench::figure(outcome.run(0, 1, 0), "enter") / 283 - 1) <= 0.1);
    }
    /// Thread 1 on a machine with SMT: every count and every nanosecond is the same.
    void thread1ChangesNothingWithSmt() {
        const Result<std::vector<bench::Panel>> panels = bench::thread_1(io::shipped_platforms(), false);
        const bench::Panel& smt = panels->back();
        const bench::Equal equal = bench::equal_pairs(bench::run(smt.plan, {.jobs = 2}), smt.plan.cells.size());
        QCOMPARE(equal.equal, equal.pairs);
        QVERIFY(equal.pairs > 0);
    }
    /// The sums of the published shares: 100 but for rounding.
    void sharesOfPicksAddUp() {
        for (const std::string_view panel : {"hackbench", "netperf", "tbench", "schbench"}) {
            double sum = 0;
            int rows = 0;
            for (const Published& row : bench::published_table())
                if (row.thread == 4 && row.panel == panel) {
                    sum += *row.after;
                    ++rows;
                }
            QCOMPARE(rows, 4);
            QVERIFY(std::abs(sum - 100) < 0.02);
        }
    }
    void valuesAreJudged() {
        using enum bench::Verdict;
        const double near[] = {1.9, 2.0, 2.2}, far[] = {3.0, 3.0, 3.0}, wide[] = {1.0, 3.0, 5.0};
        QCOMPARE(bench::judge_value(1.8151, 0.15, false, near), agrees);     // 2.0 is 10 % above
        QCOMPARE(bench::judge_value(1.8151, 0.15, false, far), differs);
        QCOMPARE(bench::judge_value(1.8151, 0.15, false, wide), differs);    // 3 +- 4.97 holds it, as it holds anything
        QCOMPARE(bench::judge_value(92.95, 6, true, std::vector{87.0}), agrees);
        QCOMPARE(bench::judge_value(92.95, 6, true, std::vector{86.9}), differs);
        QCOMPARE(bench::judge_value(1, 1, false, {}), not_run);
    }
    void effectsAreJudged_data() {
        QTest::addColumn<double>("ratio");
        QTest::addColumn<double>("reach"); // of its interval; below 0: none
        QTest::addColumn<bench::Verdict>("verdict");
        using enum bench::Verdict; // published: 9.0340 -> 8.2882, a ratio of 0.917; tolerance 0.015
        QTest::newRow("near") << 0.930 << 0.0 << agrees;
        QTest::newRow("inside the interval") << 0.950 << 0.04 << agrees;
        QTest::newRow("smaller") << 0.970 << 0.01 << same_sign;
        QTest::newRow("larger") << 0.800 << 0.01 << same_sign;
        QTest::newRow("equal arms") << 1.0 << 0.0 << no_effect;
        QTest::newRow("interval holds nothing too") << 0.970 << 0.2 << no_effect;
        QTest::newRow("other way") << 1.05 << 0.01 << opposite_sign;
        QTest::newRow("one seed") << 0.970 << -1.0 << same_sign;
    }
    void effectsAreJudged() {
        QFETCH(double, ratio);
        QFETCH(double, reach);
        QFETCH(bench::Verdict, verdict);
        metrics::Paired p;
        p.ratio = ratio;
        if (reach >= 0) p.ratio_95 = metrics::Interval{ratio - reach, ratio + reach};
        QCOMPARE(bench::judge_effect(9.0340, 8.2882, 0.015, p), verdict);
        QCOMPARE(bench::judge_effect(9.0340, 8.2882, 0.015, {}), bench::Verdict::not_run);
    }
    /// Thread 1 changes time alone: no placement differs.
    void placementsStayTheSame() {
        Result<std::vector<bench::Panel>> made = bench::thread_1(io::shipped_platforms(), false);
        QVERIFY(made.has_value());
        const bench::Redecisions r = bench::take_again(made->front().plan, 0, 0, 1, Kind::place, 50);
        QCOMPARE(r.again, std::uint64_t{50});
        QVERIFY(r.of >= r.again);
        QCOMPARE(r.differ, std::uint64_t{0});
    }
};

QTEST_APPLESS_MAIN(TestThreads)
#include "test_threads.moc"
