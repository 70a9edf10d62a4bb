// SPDX-License-Identifier: GPL-3.0-or-later
// Figures, shares and assumptions of made-up runs, worked out by hand.
#include <QtTest>

#include <cmath>

#include "core/bench/assumptions.hpp"
#include "core/bench/figures.hpp"
#include "tests/unit/bench/small_plan.hpp"

using namespace picknext;
using namespace picknext::bench;
using namespace picknext::bench::test;

namespace {

Run made_up(double time, std::uint64_t direct, std::uint64_t slow) {
    Run r;
    r.end = End::done;
    r.figures = {{"time", "s", Better::lower, time}};
    r.operations = 4;
    r.took = 2'000'000'000;
    r.accounts.count(Tally::pick_direct, direct);
    r.accounts.count(Tally::pick_slow, slow);
    r.accounts.count(Tally::kicks, 10);
    r.accounts.count(Tally::nohz_runs, 2);
    r.accounts.count(Tally::nohz_run_ns, 78'000);
    r.accounts.spend(Spend::syscall, 600);
    r.accounts.spend(Spend::tick, 200);
    r.lines[0].transfers = 3;
    return r;
}

} // namespace

class TestFigures : public QObject {
    Q_OBJECT
  private Q_SLOTS:
    void figuresByName() {
        const Run r = made_up(1.5, 3, 1);
        QCOMPARE(figure(r, "time"), std::optional{1.5});
        QCOMPARE(figure(r, "pick_direct"), std::optional{75.0});
        QCOMPARE(figure(r, "pick_slow"), std::optional{25.0});
        QCOMPARE(figure(r, "kicks"), std::optional{5.0});      // 10 in 2 s
        QCOMPARE(figure(r, "nohz_run"), std::optional{39.0});  // us
        QVERIFY(!figure(r, "nohz_enter"));                     // never entered
        QVERIFY(!figure(r, "nosuch"));
        QVERIFY(!figure(Run{}, "time"));
    }
    /// Repeats not done in both arms are left out of a comparison: pairs share their seeds.
    void comparisonsAreByPairs() {
        const Plan plan = small_plan(3, fixed(1));
        Outcome out{std::vector<Run>(plan.runs()), 3, 2};
        out.runs[0] = made_up(1.0, 1, 0);
        out.runs[1] = made_up(2.0, 1, 0);
        out.runs[2] = made_up(4.0, 1, 0);
        out.runs[3] = made_up(1.1, 1, 0);
        out.runs[5] = made_up(4.4, 1, 0);
        const Compared c = compare(out, 0, "time");
        QCOMPARE(c.a, (std::vector{1.0, 4.0}));
        QCOMPARE(c.b, (std::vector{1.1, 4.4}));
        QVERIFY(c.paired && std::abs(c.paired->ratio - 1.1) < 1e-12);
        QCOMPARE(samples(out, 0, 0, "time").size(), std::size_t{3});
        QVERIFY(compare(out, 1, "time").a.empty());
    }
    void breakdownsAreMeans() {
        Outcome out{std::vector<Run>(4), 2, 2};
        out.runs[0] = made_up(1, 3, 1);
        out.runs[1] = made_up(1, 5, 1);
        const Breakdown b = breakdown(out, 0, 0);
        QCOMPARE(b.runs, std::size_t{2});
        QCOMPARE(b.tallies[static_cast<std::size_t>(Tally::pick_direct)], 4.0);
        QCOMPARE(b.kernel_time(), 800.0);
        QCOMPARE(b.lines[0].transfers, std::uint64_t{6});
        QCOMPARE(breakdown(out, 0, 1).runs, std::size_t{0});
    }
    /// 600 of 800 ns in system calls, 200 in ticks; the workload has a pipe and no socket.
    void assumptionsAreWhatWasCharged() {
        Plan plan = small_plan(1, fixed(1));
        plan.costs = cost::default_profile();
        plan.costs.provenance[cost::index_of(cost::Cost::tick)].basis = cost::Basis::published;
        Workload w;
        w.resources = {{"p", ResourceKind::pipe, 0, true}};
        Outcome out{{made_up(1, 1, 0)}, 1, 1};
        const std::vector<Assumption> list = assumptions(plan, w, breakdown(out, 0, 0));
        const auto of = [&](cost::Cost c) { return std::find_if(list.begin(), list.end(), [&](const Assumption& a) { return a.constant == c; }); };
        QVERIFY(of(cost::Cost::pipe_write) != list.end() && of(cost::Cost::pipe_write)->share == 0.75);
        QVERIFY(of(cost::Cost::tick) != list.end() && of(cost::Cost::tick)->basis == cost::Basis::published);
        QVERIFY(of(cost::Cost::tcp_send) == list.end());
        QVERIFY(of(cost::Cost::stopper) == list.end());
        QCOMPARE(time_by_basis(list), (std::array{0.25, 0.0, 0.0, 0.75}));
        QVERIFY(assumptions(plan, w, Breakdown{}).empty());
    }
    void everyKindOfTimeHasItsConstants() {
        for (std::size_t k = 0; k < static_cast<std::size_t>(Spend::count); ++k)
            QVERIFY2(static_cast<Spend>(k) == Spend::idle_exit || !constants_of(static_cast<Spend>(k)).empty(), std::string(spend_names[k]).c_str());
    }
};

QTEST_APPLESS_MAIN(TestFigures)
#include "test_figures.moc"
