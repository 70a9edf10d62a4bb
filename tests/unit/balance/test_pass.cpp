// SPDX-License-Identifier: GPL-3.0-or-later
// Whole balance passes worked out by hand: an LLC of four CPUs where one holds two spinners (before and after thread 2's
// patch), the same with new tasks and beside long spinners, and two LLCs. Of the small examples these are
// "MC of 4 single-CPU groups", "brand-new tasks", "long spinners" and "2 LLCs of 4 CPUs under PKG".
#include <QtTest>

#include "tests/support/many_cpus.hpp"

using namespace picknext;
using namespace picknext::balance;
using test::ManyCpus;

namespace {

constexpr CpuId cpu0{0}, cpu1{1}, cpu2{2}, cpu3{3};

MachineCounts cores(int llcs, int each) {
    MachineCounts n;
    n.llcs = llcs;
    n.cores = each;
    return n;
}

/// CPU 1 idles, with 60 left of a task that sleeps; CPU 0 has two tasks, CPUs 2 and 3 one each.
struct OneCache : ManyCpus {
    TaskId running, waiting;
    OneCache(Kernel kernel, std::uint64_t util_of_each, std::uint64_t runnable_of_each, std::uint64_t util_of_others) : ManyCpus(kernel, cores(1, 4)) {
        running = on(cpu0, 1024, util_of_each, runnable_of_each);
        waiting = on(cpu0, 1024, util_of_each, runnable_of_each);
        on(cpu2, 1024, util_of_others, util_of_others);
        on(cpu3, 1024, util_of_others, util_of_others);
        st.root_queue(cpu1).avg.util_avg = 60;
    }
    /// Each of the two ran alone before: 1002 by its estimate, whatever it got lately.
    void estimated() {
        for (const TaskId t : {running, waiting}) {
            st.entity(t).avg.util_est = st.entity(t).avg.util_est_ewma = 1002;
            st.root_queue(cpu0).avg.util_est += 1002;
        }
    }
};

} // namespace

class TestBalancePass : public QObject {
    Q_OBJECT
  private slots:
    void spinnersInOneCache_data() {
        QTest::addColumn<int>("spread");
        QTest::addColumn<int>("shift");
        QTest::addColumn<QString>("moves");
        QTest::newRow("before, as it was: never") << 0 << 0 << "0 0 0";
        QTest::newRow("before, with the later shift: after one failure") << 0 << 1 << "0 1 0";
        QTest::newRow("after: at once") << 1 << 0 << "1 0 0";
    }
    void spinnersInOneCache() {
        QFETCH(int, spread);
        QFETCH(int, shift);
        QFETCH(QString, moves);
        OneCache m(Kernel::cfs_6_1, 512, 1024, 500);
        m.estimated();
        m.st.settings.set(Patch::spread_in_llc, spread);
        m.st.settings.set(Patch::util_detach_shift, shift);
        QStringList moved(QString::number(m.pass(cpu1, 0, IdleKind::idle)));
        const auto* imbalance = m.last(Kind::imbalance);
        QCOMPARE(imbalance->header.reason, spread ? Reason::imbalance_tasks : Reason::imbalance_util);
        QCOMPARE(imbalance->header.outcome, spread ? 1 : 964); // 1024 - 60
        QCOMPARE(m.last(Kind::busiest)->header.outcome, 0);
        QCOMPARE(m.last(Kind::queue)->header.outcome, 0);
        moved += QString::number(m.pass(cpu1, 0, IdleKind::idle));
        moved += QString::number(m.pass(cpu1, 0, IdleKind::idle));
        QCOMPARE(moved.join(' '), moves);
        QCOMPARE(m.st.task(m.waiting).cpu, moves.contains('1') ? cpu1 : cpu0);
        QCOMPARE(m.st.task(m.running).cpu, cpu0);
        QVERIFY(!m.pushed);
    }
    void aNewlyIdleCpuCountsNoFailures() {
        OneCache m(Kernel::cfs_6_1, 512, 1024, 500);
        m.estimated();
        m.st.settings.set(Patch::spread_in_llc, 0);
        for (int i = 0; i < 3; ++i) QCOMPARE(m.pass(cpu1, 0, IdleKind::newly_idle), 0); // 1002 stays above 964
        QCOMPARE(m.st.domains[m.domains.cpu(cpu1).base.index()].nr_balance_failed, 0U);
    }

    void newTasksMoveByCount() {
        for (const int spread : {0, 1}) {
            OneCache m(Kernel::cfs_6_1, 150, 300, 200); // 300 and 600 together: not overloaded
            m.st.settings.set(Patch::spread_in_llc, spread);
            QCOMPARE(m.pass(cpu1, 0, IdleKind::idle), 1);
            QCOMPARE(m.last(Kind::busiest)->header.outcome, 0); // as idle as the others, but two tasks
            QCOMPARE(m.last(Kind::imbalance)->header.reason, Reason::imbalance_tasks);
            QCOMPARE(m.last(Kind::imbalance)->header.outcome, 1);
            QCOMPARE(m.st.task(m.waiting).cpu, cpu1);
        }
    }

    void longSpinnersHideTheWaitingTask() {
        OneCache m(Kernel::cfs_6_1, 150, 300, 876);
        QCOMPARE(m.pass(cpu1, 0, IdleKind::idle), 0);
        QCOMPARE(m.last(Kind::busiest)->header.reason, Reason::busiest_one_task_only);
        QCOMPARE(m.st.rq(cpu0).nr_running, 2U);
        OneCache below(Kernel::cfs_6_1, 150, 300, 875); // one less is not fully busy
        QCOMPARE(below.pass(cpu1, 0, IdleKind::idle), 1);
    }

    void twoCachesOfFour_data() {
        QTest::addColumn<Kernel>("kernel");
        QTest::addColumn<int>("spread");
        QTest::newRow("6.1 before") << Kernel::cfs_6_1 << 0;
        QTest::newRow("6.1 after") << Kernel::cfs_6_1 << 1;
        QTest::newRow("6.12 before") << Kernel::eevdf_6_12y << 0;
        QTest::newRow("6.12 after") << Kernel::eevdf_6_12y << 1;
    }
    void twoCachesOfFour() {
        QFETCH(Kernel, kernel);
        QFETCH(int, spread);
        ManyCpus m(kernel, cores(2, 4));
        m.st.settings.set(Patch::spread_in_llc, spread);
        for (const CpuId c : {cpu0, cpu1, cpu2, cpu3}) m.on(c, 1024, 900, 950);
        const TaskId fifth = m.on(cpu3, 1024, 200, 950); // a CPU counts for 1024 at most: 3724 of 4096, above 3501, by five tasks: overloaded
        m.on(CpuId{5}, 1024, 300, 300);
        QCOMPARE(m.pass(CpuId{4}, 1, IdleKind::idle), 1);
        QCOMPARE(m.last(Kind::busiest)->header.reason, Reason::busiest_sibling); // 5 - 1 is more than 1
        QCOMPARE(m.last(Kind::imbalance)->header.reason, Reason::imbalance_util);
        QCOMPARE(m.last(Kind::imbalance)->header.outcome, 4096 - 300);
        QCOMPARE(m.last(Kind::queue)->header.outcome, 3);
        QCOMPARE(m.st.task(fifth).cpu, CpuId{4});
    }
};

QTEST_APPLESS_MAIN(TestBalancePass)
#include "test_pass.moc"
