// SPDX-License-Identifier: GPL-3.0-or-later
// CPUs that idle without a tick, worked out by hand. Of the small examples this is "nohz: CPU enters idle with tick stop".
#include <QtTest>

#include "core/nohz/nohz.hpp"
#include "tests/support/many_cpus.hpp"

using namespace picknext;
using test::ManyCpus;

namespace {

constexpr CpuId cpu0{0}, cpu1{1}, cpu2{2};

MachineCounts four_cores() {
    MachineCounts n;
    n.cores = 4;
    return n;
}

/// The tick of a CPU that runs something.
nohz::Kick busy_tick(ManyCpus& m, CpuId cpu) {
    m.st.rq(cpu).idle_balance = 0;
    Evidence<NullSink> why;
    const nohz::Kick kick = nohz::decide_kick(m.st, m.st.settings, m.domains, cpu, why);
    nohz::apply_kick(m.st, m.domains, cpu, kick);
    return kick;
}

} // namespace

class TestNohz : public QObject {
    Q_OBJECT
  private slots:
    /// Idle at t, a task at t + 1 ms, asleep again at t + 1.5 ms with no tick between.
    void aShortRunWithoutATickIsNotSeen() {
        ManyCpus m(Kernel::eevdf_6_12y, four_cores());
        m.on(cpu0);
        QCOMPARE(m.st.llc_shared[0].nr_busy_cpus, 4U);
        nohz::enter_idle(m.st, m.domains, cpu1);
        const auto in_mask = [&] { return contains(m.st.nohz_idle_cpus, cpu1); };
        QVERIFY(in_mask());
        QCOMPARE(m.st.nohz.nr_cpus, 1U);
        QCOMPARE(m.st.llc_shared[0].nr_busy_cpus, 3U);
        QCOMPARE(m.st.nohz.has_blocked, 1U);

        m.st.nohz.has_blocked = 0; // meanwhile everything decayed
        m.st.rq(cpu1).has_blocked_load = 0;
        m.st.now += 1'000'000;
        const TaskId task = m.on(cpu1);
        QVERIFY(in_mask());
        m.st.now += 500'000;
        m.detach(task, cpu1);
        m.st.rq(cpu1).curr = TaskId::none();
        nohz::enter_idle(m.st, m.domains, cpu1);
        QVERIFY(in_mask());
        QCOMPARE(m.st.nohz.nr_cpus, 1U);
        QCOMPARE(m.st.llc_shared[0].nr_busy_cpus, 3U);
        QCOMPARE(m.st.nohz.has_blocked, 1U); // again: it may carry load of the task
        QCOMPARE(m.st.rq(cpu1).has_blocked_load, std::uint8_t{1});
    }

    /// The mask lags: a bit goes at the first tick that finds the CPU busy, not when idleness ends.
    void theFirstBusyTickTakesItOut() {
        ManyCpus m(Kernel::eevdf_6_12y, four_cores());
        nohz::enter_idle(m.st, m.domains, cpu1);
        m.on(cpu1);
        QVERIFY(contains(m.st.nohz_idle_cpus, cpu1));
        busy_tick(m, cpu1);
        QVERIFY(!contains(m.st.nohz_idle_cpus, cpu1));
        QCOMPARE(m.st.nohz.nr_cpus, 0U);
        QCOMPARE(m.st.llc_shared[0].nr_busy_cpus, 4U);
    }

    /// The lowest CPU of the mask that is idle now, and only one request is sent.
    void theLowestIdleCpuIsKicked() {
        ManyCpus m(Kernel::cfs_6_1, four_cores());
        for (const CpuId c : {cpu1, cpu2}) nohz::enter_idle(m.st, m.domains, c);
        m.on(cpu0);
        m.on(cpu0);
        m.on(cpu1); // busy, but no tick has seen it yet
        m.st.nohz.next_balance = m.st.jiffies();
        nohz::Kick kick = busy_tick(m, cpu0);
        QCOMPARE(kick.reason, Reason::kick_tasks);
        QCOMPARE(kick.ilb, cpu2);
        QVERIFY(kick.ipi);
        QCOMPARE(m.st.nohz.next_balance, m.st.jiffies() + 1);
        m.st.now += m.st.settings.tick_ns();
        kick = busy_tick(m, cpu0);
        QVERIFY(!kick.ipi); // it was told already
    }

    void blockedLoadIsRefreshedEvery32ms() {
        QCOMPARE(nohz::blocked_period(250), 8);
        QCOMPARE(nohz::blocked_period(1000), 32);
        QCOMPARE(nohz::blocked_period(100), 4); // 3.2, rounded up
    }
};

QTEST_APPLESS_MAIN(TestNohz)
#include "test_nohz.moc"
