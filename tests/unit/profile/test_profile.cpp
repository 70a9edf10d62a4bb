// SPDX-License-Identifier: GPL-3.0-or-later
// Numbers of kernel profiles worked out by hand: the length of a tick, and how tunables grow with the CPUs.
#include <QtTest>

#include "core/profile/profile.hpp"

using namespace picknext;

class TestProfile : public QObject {
    Q_OBJECT
  private slots:
    void lengthOfATick() {
        Settings s = default_settings(Kernel::eevdf_6_12y, 8);
        const auto tick = [&](std::int64_t hz) {
            s[Tunable::hz] = hz;
            return s.tick_ns();
        };
        QCOMPARE(tick(100), 10'000'000);
        QCOMPARE(tick(250), 4'000'000);
        QCOMPARE(tick(300), 3'333'333);
        QCOMPARE(tick(1000), 1'000'000);
    }

    void tunablesGrowWithTheCpus_data() {
        QTest::addColumn<int>("cpus");
        QTest::addColumn<int>("factor");
        for (const auto& [cpus, factor] : {std::pair{1, 1}, {2, 2}, {3, 2}, {4, 3}, {7, 3}, {8, 4}, {9, 4}, {1000, 4}})
            QTest::addRow("%d CPUs", cpus) << cpus << factor;
    }
    void tunablesGrowWithTheCpus() {
        QFETCH(int, cpus);
        QFETCH(int, factor);
        QCOMPARE(scaling_factor(1, cpus), factor);
        QCOMPARE(scaling_factor(0, cpus), 1);
        QCOMPARE(scaling_factor(2, cpus), std::min(cpus, 8));
        const Settings cfs = default_settings(Kernel::cfs_6_1, cpus);
        QCOMPARE(cfs[Tunable::latency], factor * 6'000'000);
        QCOMPARE(cfs[Tunable::min_granularity], factor * 750'000);
        QCOMPARE(cfs[Tunable::wakeup_granularity], factor * 1'000'000);
        QCOMPARE(cfs[Tunable::idle_min_granularity], 750'000); // not scaled
        QCOMPARE(cfs[Tunable::nr_latency], 8);
        for (const Kernel kernel : {Kernel::eevdf_6_6, Kernel::eevdf_6_8, Kernel::eevdf_6_12})
            QCOMPARE(default_settings(kernel, cpus)[Tunable::base_slice], factor * 750'000);
        QCOMPARE(default_settings(Kernel::eevdf_6_12y, cpus)[Tunable::base_slice], factor * 700'000);
    }
};

QTEST_APPLESS_MAIN(TestProfile)
#include "test_profile.moc"
