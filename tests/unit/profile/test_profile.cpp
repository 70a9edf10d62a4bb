// SPDX-License-Identifier: GPL-3.0-or-later
// Numbers of kernel profiles worked out by hand: the length of a tick, and how tunables grow with the CPUs.
#include <QtTest>

#include "core/profile/changes.hpp"
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

    void changesAreReadFromLeftToRight() {
        const Settings start = default_settings(Kernel::eevdf_6_12y, 4);
        const Result<Settings> to = changed(start, 4, "patch.idle_mask=draft, feature.SIS_UTIL=off,tunable.base_slice=3ms,patch.idle_mask=v2,kernel=eevdf-6.12");
        QVERIFY(to.has_value());
        QCOMPARE(to->kernel, Kernel::eevdf_6_12);
        QCOMPARE(to->idle_mask(), IdleMask::v2);
        QVERIFY(!to->on(Feature::sis_util));
        QCOMPARE((*to)[Tunable::base_slice], 3'000'000);
        QCOMPARE(changed(start, 4, "")->features, start.features);
    }
    /// What the kernel does not have is left behind, and what it scales is scaled anew: 750 us for four CPUs is 2.25 ms.
    void anotherKernelTakesWhatItHas() {
        Settings start = default_settings(Kernel::eevdf_6_12y, 4);
        start.set(Feature::delay_dequeue, false);
        start.set(Patch::idle_mask, 4);
        const Settings cfs = carried_over(start, 4, Kernel::cfs_6_1, 4);
        QCOMPARE(cfs.idle_mask(), IdleMask::v2);
        QCOMPARE(cfs[Tunable::min_granularity], 3 * 750'000);
        QCOMPARE(cfs[Tunable::base_slice], std::int64_t{absent});
    }
    void scalingChangesTheTimes() {
        const Settings start = default_settings(Kernel::eevdf_6_12, 8); // 4 times 750 us
        QCOMPARE((*changed(start, 8, "tunable.tunable_scaling=0"))[Tunable::base_slice], 750'000);
        QCOMPARE((*changed(start, 8, "tunable.tunable_scaling=2"))[Tunable::base_slice], 8 * 750'000);
    }
    void wrongChangesAreRefused_data() {
        QTest::addColumn<QString>("text");
        QTest::addColumn<QString>("error");
        const auto row = [](const char* text, const char* error) { QTest::addRow("%s", text) << QString(text) << QString(error); };
        row("idle_mask=v2", "1:1: error E-USAGE: \"idle_mask\" is no setting; write kernel=NAME, patch.NAME=VALUE, feature.NAME=on or tunable.NAME=VALUE; did you mean \"patch.idle_mask\"?");
        row("patch.idle_mask=v2, kernel=foo", "1:21: error E-KERNEL: no kernel \"foo\"; known: cfs-5.10, cfs-5.12, cfs-6.1, eevdf-6.6, eevdf-6.8, eevdf-6.12, eevdf-6.12y");
        row("patch.idle_mask=v4", "1:1: error E-ENUM: patch idle_mask has no variant \"v4\"; known: off, v1, draft, draft_fixed, v2, v3, v5, v6, v11");
        row("feature.SIS_UTIL=maybe", "1:1: error E-ENUM: feature SIS_UTIL is on or off, not \"maybe\"");
        row("feature.SIS_PROP=on", "1:1: error E-FEATURE: kernel eevdf-6.12y does not have feature SIS_PROP");
        row("tunable.latency=3ms", "1:1: error E-TUNABLE: kernel eevdf-6.12y does not have tunable latency");
        row("tunable.base_slice=1ns", "1:1: error E-RANGE: 1ns is out of range; 100us to 1s are possible");
        row("tunable.base_slice=3", "1:1: error E-UNIT: \"3\" has no unit; write ns, us, ms or s behind it");
        row("tunable.cfs_bandwidth_slice=1500ns", "1:1: error E-RANGE: cfs_bandwidth_slice_us is kept in microseconds; 1500ns is finer");
        row("tunable.nr_migrate=8x", "1:1: error E-RANGE: \"8x\" is no whole number");
        row("patch.idle_mask", "1:1: error E-USAGE: \"patch.idle_mask\" has no value; write patch.idle_mask=v2");
        row("patch.idle_mask=v2,,", "1:20: error E-USAGE: a setting is missing before the comma; write patch.idle_mask=v2");
    }
    void wrongChangesAreRefused() {
        QFETCH(QString, text);
        QFETCH(QString, error);
        const Result<Settings> to = changed(default_settings(Kernel::eevdf_6_12y, 4), 4, text.toStdString());
        QVERIFY(!to.has_value());
        QCOMPARE(QString::fromStdString(to.error().text()), error);
    }
    /// The items that lead from one to the other, read again, lead there.
    void changesAreWrittenAsTheyAreRead_data() {
        QTest::addColumn<QString>("text");
        for (const char* text : {"", "patch.idle_mask=draft", "kernel=cfs-6.1,patch.lb_llc_spread=off,feature.SIS_UTIL=off,tunable.latency=3ms,tunable.nr_migrate=8",
                                 "tunable.tunable_scaling=0,tunable.cfs_bandwidth_slice=2ms", "feature.child_runs_first=on"})
            QTest::addRow("%s", text) << QString(text);
    }
    void changesAreWrittenAsTheyAreRead() {
        QFETCH(QString, text);
        const Settings start = default_settings(Kernel::cfs_5_12, 4);
        const Result<Settings> to = changed(start, 4, text.toStdString());
        QVERIFY(to.has_value());
        QString written;
        for (const std::string& item : changes(start, *to, 4)) written += (written.isEmpty() ? "" : ",") + QString::fromStdString(item);
        QCOMPARE(written, text);
    }
};

QTEST_APPLESS_MAIN(TestProfile)
#include "test_profile.moc"
