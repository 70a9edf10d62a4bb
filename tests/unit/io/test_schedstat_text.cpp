// SPDX-License-Identifier: GPL-3.0-or-later
// The text of /proc/schedstat, of runs worked out by hand.
#include <QTest>

#include "core/engine/engine.hpp"
#include "core/io/schedstat_text.hpp"
#include "tests/support/small_scenario.hpp"

using namespace picknext;

namespace {

QString printed(const Engine& engine, int version) {
    const Scenario& s = engine.scenario();
    const Domains domains = build_domains(s.machine, s.machine.online(), s.settings.kernel);
    return QString::fromStdString(io::schedstat_text(engine.state(), domains, version));
}

} // namespace

class TestSchedstatText : public QObject {
    Q_OBJECT
  private Q_SLOTS:
    void versions() {
        QCOMPARE(io::schedstat_version(Kernel::cfs_5_10), 15);
        QCOMPARE(io::schedstat_version(Kernel::cfs_6_1), 15);
        QCOMPARE(io::schedstat_version(Kernel::eevdf_6_12), 16);
        QCOMPARE(io::schedstat_version(Kernel::eevdf_6_12y), 16);
    }

    void masks_data() {
        QTest::addColumn<int>("cpus");
        QTest::addColumn<int>("members"); // the lowest ones
        QTest::addColumn<QString>("text");
        QTest::newRow("one") << 1 << 1 << "1";
        QTest::newRow("half of 8") << 8 << 4 << "0f";
        QTest::newRow("24") << 24 << 24 << "ffffff";
        QTest::newRow("half of 48") << 48 << 24 << "0000,00ffffff";
        QTest::newRow("64") << 64 << 64 << "ffffffff,ffffffff";
        QTest::newRow("65 of 66") << 66 << 65 << "1,ffffffff,ffffffff";
    }
    void masks() {
        QFETCH(int, cpus);
        QFETCH(int, members);
        CpuSet set(static_cast<std::size_t>(cpus));
        for (int c = 0; c < members; ++c) set.add(CpuId{c});
        QTEST(QString::fromStdString(io::mask_text(set, static_cast<std::size_t>(cpus))), "text");
    }

    /// A task works 1 ms and sleeps 1 ms, alone on its CPU. At 10 ms it was started, woke at 2, 4, 6, 8 and 10 ms, and went
    /// to sleep 5 times: 11 calls of schedule(), 5 to idle, 6 timeslices, 5 ms; one CPU has no domain. Its timer wakes it
    /// where it sleeps: all 5 wakeups are local. 2 ticks of 4 ms passed.
    void oneCpu() {
        Engine engine(test::shared(test::scenario_of(Kernel::cfs_6_1, test::flat_machine(1), {test::sleeper("s", 1'000'000, 1'000'000)})));
        NullSink sink;
        engine.run({.time = 10'000'000}, sink);
        QCOMPARE(printed(engine, 15), QStringLiteral("version 15\ntimestamp 2\ncpu0 0 0 11 5 5 5 5000000 0 6\n"));
    }

    /// What each kind counted stands in its own column: idle first in 15, busy first in 16.
    void orderOfIdleKinds() {
        Engine engine(test::shared(test::scenario_of(Kernel::eevdf_6_12, test::flat_machine(2), {})));
        State st = engine.state();
        DomainSchedstat& s = st.domains[0].stat;
        for (std::uint32_t k = 0; k < 3; ++k) s.by_idle[k] = {10 * k + 1, 10 * k + 2, 10 * k + 3, 10 * k + 4, 10 * k + 5, 10 * k + 6, 10 * k + 7, 10 * k + 8};
        s.alb_count = 41;
        s.alb_failed = 42;
        s.alb_pushed = 43;
        s.ttwu_wake_remote = 44;
        s.ttwu_move_affine = 45;
        engine.restore(st);
        const QString end = QStringLiteral(" 21 22 23 24 25 26 27 28 41 42 43 0 0 0 0 0 0 44 45 0");
        const QString idle = QStringLiteral(" 1 2 3 4 5 6 7 8"), busy = QStringLiteral(" 11 12 13 14 15 16 17 18");
        QCOMPARE(printed(engine, 15).split(QLatin1Char('\n')).at(3), QStringLiteral("domain0 3") + idle + busy + end);
        QCOMPARE(printed(engine, 16).split(QLatin1Char('\n')).at(3), QStringLiteral("domain0 3") + busy + idle + end);
        QCOMPARE(end.split(QLatin1Char(' ')).size() + 16, 1 + 36); // as many numbers as the kernel prints
    }
};

QTEST_APPLESS_MAIN(TestSchedstatText)
#include "test_schedstat_text.moc"
