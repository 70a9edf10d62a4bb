// SPDX-License-Identifier: GPL-3.0-or-later
// The numbers of balancing worked out by hand. Of the small examples these are "SIS_UTIL and interval rows",
// "sibling_imbalance" and "Overload thresholds"; those that need tasks on CPUs are in test_pass.cpp.
#include <QtTest>

#include "core/balance/busiest.hpp"
#include "core/balance/intervals.hpp"
#include "core/balance/scan_limit.hpp"

using namespace picknext;
using namespace picknext::balance;

namespace {

GroupStats group(std::uint32_t weight, std::uint32_t running, std::uint64_t util, std::uint64_t runnable, int pct = 117) {
    GroupStats g;
    g.weight = weight;
    g.nr_running = g.h_nr_running = running;
    g.idle_cpus = running < weight ? weight - running : 0;
    g.load = std::uint64_t{1024} * running;
    g.util = util;
    g.runnable = runnable;
    g.capacity = std::uint64_t{1024} * weight;
    g.min_capacity = g.max_capacity = 1024;
    g.first_cpu = CpuId{0};
    g.type = classify(g, pct);
    if (g.type == GroupType::overloaded) g.avg_load = g.load * 1024 / g.capacity;
    return g;
}

/// A group of one type, as full as that takes. Two CPUs.
GroupStats of_type(GroupType type) {
    GroupStats g = type == GroupType::has_spare    ? group(2, 1, 300, 300)
                   : type == GroupType::fully_busy ? group(2, 2, 2000, 2000)
                   : type == GroupType::overloaded ? group(2, 4, 2048, 4096)
                                                   : group(2, 2, 300, 300);
    g.misfit_load = type == GroupType::misfit_task ? 900 : 0;
    g.asym_packing = type == GroupType::asym_packing;
    g.imbalanced = type == GroupType::imbalanced;
    g.type = classify(g, 117);
    return g;
}

Busiest find(const GroupStats& local, const GroupStats& candidate, Kernel kernel, std::vector<Check>* checks = nullptr, IdleKind idle = IdleKind::idle) {
    BalanceView view;
    view.idle = idle;
    const std::vector<GroupStats> groups{local, candidate};
    Evidence<FullSink> why;
    const Busiest found = find_busiest_group(view, groups, default_settings(kernel, 8), why);
    if (checks) checks->assign(why.checks().begin(), why.checks().end());
    return found;
}

} // namespace

class TestBalanceNumbers : public QObject {
    Q_OBJECT
  private slots:
    void scanLimit_data() {
        QTest::addColumn<int>("percent");
        QTest::addColumn<int>("of16");
        QTest::addColumn<int>("of64");
        const std::array<int, 10> percent{0, 10, 20, 30, 40, 50, 60, 70, 80, 85}, of16{16, 15, 15, 14, 12, 10, 8, 5, 2, 0};
        const std::array<int, 9> of64{64, 63, 60, 56, 50, 42, 32, 21, 8};
        for (std::size_t i = 0; i < percent.size(); ++i)
            QTest::addRow("%d %%", percent[i]) << percent[i] << of16[i] << (i < of64.size() ? of64[i] : 0);
    }
    void scanLimit() {
        QFETCH(int, percent);
        QFETCH(int, of16);
        QFETCH(int, of64);
        const auto limit = [&](std::uint64_t cpus) { return static_cast<int>(idle_scan_limit(cpus * 1024 * static_cast<std::uint64_t>(percent) / 100, cpus, 117)); };
        QCOMPARE(limit(16), of16);
        QCOMPARE(limit(64), of64);
    }

    void interval_data() {
        QTest::addColumn<int>("weight");
        QTest::addColumn<int>("idle250");
        QTest::addColumn<int>("busy250");
        QTest::addColumn<int>("idle1000");
        QTest::addColumn<int>("busy1000");
        QTest::newRow("4") << 4 << 1 << 15 << 4 << 63;
        QTest::newRow("8") << 8 << 2 << 31 << 8 << 127;
        QTest::newRow("16") << 16 << 4 << 63 << 16 << 255;
        QTest::newRow("64") << 64 << 16 << 255 << 64 << 1023;
    }
    void interval() {
        QFETCH(int, weight);
        QFETCH(int, idle250);
        QFETCH(int, busy250);
        QFETCH(int, idle1000);
        QFETCH(int, busy1000);
        const auto jiffies = [&](bool busy, int hz) { return static_cast<int>(balance_interval(weight, 16, busy, hz, 64)); };
        QCOMPARE(jiffies(false, 250), idle250);
        QCOMPARE(jiffies(true, 250), busy250);
        QCOMPARE(jiffies(false, 1000), idle1000);
        QCOMPARE(jiffies(true, 1000), busy1000);
    }
    void anIntervalHasLimits() {
        QCOMPARE(balance_interval(1, 16, false, 100, 1), 1);  // 1 ms is less than a jiffy
        QCOMPARE(balance_interval(512, 16, true, 250, 8), 200); // a tenth of a second per CPU
    }

    void overloadThresholds_data() {
        QTest::addColumn<int>("pct");
        QTest::addColumn<int>("util");
        QTest::addColumn<int>("runnable");
        QTest::newRow("other levels") << 117 << 876 << 1199;
        QTest::newRow("threads of a core") << 110 << 931 << 1127;
    }
    void overloadThresholds() {
        QFETCH(int, pct);
        QFETCH(int, util);
        QFETCH(int, runnable);
        const auto overloaded = [&](std::uint32_t tasks, int u, int r) {
            return group(1, tasks, static_cast<std::uint64_t>(u), static_cast<std::uint64_t>(r), pct).type == GroupType::overloaded;
        };
        QVERIFY(overloaded(2, util, 0) && !overloaded(2, util - 1, 0));
        QVERIFY(overloaded(2, 0, runnable) && !overloaded(2, 0, runnable - 1));
        QVERIFY(!overloaded(1, 1024, 4096)); // as many tasks as CPUs are never too many
    }

    /// Cores of busiest and local group, tasks of busiest and local group; the difference of tasks by cores.
    void siblingImbalance_data() {
        QTest::addColumn<int>("busiestCores");
        QTest::addColumn<int>("localCores");
        QTest::addColumn<int>("busiestTasks");
        QTest::addColumn<int>("localTasks");
        QTest::addColumn<int>("difference");
        QTest::newRow("core against core") << 1 << 1 << 2 << 0 << 2;
        QTest::newRow("one core against four idle") << 1 << 4 << 2 << 0 << 4;
        QTest::newRow("one core against four, one busy") << 1 << 4 << 2 << 1 << 3;
        QTest::newRow("eight cores against four") << 8 << 4 << 10 << 3 << 3;
        QTest::newRow("one core against four busy") << 1 << 4 << 2 << 4 << 2;
    }
    void siblingImbalance() {
        QFETCH(int, busiestCores);
        QFETCH(int, localCores);
        QFETCH(int, busiestTasks);
        QFETCH(int, localTasks);
        QFETCH(int, difference);
        const auto make = [](int cores, int tasks) {
            GroupStats g = group(static_cast<std::uint32_t>(2 * cores), static_cast<std::uint32_t>(tasks), 100, 100);
            g.cores = static_cast<std::uint32_t>(cores);
            g.flags = sd::prefer_sibling;
            return g;
        };
        const auto asked = [&](IdleKind idle) {
            std::vector<Check> checks;
            find(make(localCores, localTasks), make(busiestCores, busiestTasks), Kernel::eevdf_6_12y, &checks, idle);
            for (const Check& c : checks)
                if (c.id == Chk::sibling_difference) return static_cast<int>(c.left);
            return -1;
        };
        QCOMPARE(asked(IdleKind::idle), difference);
        QCOMPARE(asked(IdleKind::not_idle), 0); // a busy CPU does not even out
    }

    /// Which of two groups, and by what rule.
    void verdicts_data() {
        QTest::addColumn<int>("busiest");
        QTest::addColumn<int>("local");
        QTest::addColumn<int>("reason");
        const auto row = [](const char* name, GroupType busiest, GroupType local, Reason reason) {
            QTest::newRow(name) << static_cast<int>(busiest) << static_cast<int>(local) << static_cast<int>(reason);
        };
        using enum GroupType;
        row("spare, spare: idle CPUs", has_spare, has_spare, Reason::busiest_idle_close);
        row("spare, full", has_spare, fully_busy, Reason::busiest_type);
        row("spare, overloaded", has_spare, overloaded, Reason::busiest_type);
        row("full, spare: idle CPUs", fully_busy, has_spare, Reason::busiest_idle_close);
        row("full, full: idle CPUs", fully_busy, fully_busy, Reason::busiest_idle_close);
        row("full, overloaded", fully_busy, overloaded, Reason::busiest_type);
        row("misfit, spare", misfit_task, has_spare, Reason::busiest_misfit);
        row("packing, spare", asym_packing, has_spare, Reason::busiest_asym_packing);
        row("packing, full", asym_packing, fully_busy, Reason::busiest_asym_packing);
        row("packing, overloaded", asym_packing, overloaded, Reason::busiest_asym_packing);
        row("imbalanced, spare", imbalanced, has_spare, Reason::busiest_imbalanced);
        row("imbalanced, full", imbalanced, fully_busy, Reason::busiest_imbalanced);
        row("imbalanced, overloaded", imbalanced, overloaded, Reason::busiest_imbalanced);
        row("overloaded, spare", overloaded, has_spare, Reason::busiest_load);
        row("overloaded, full", overloaded, fully_busy, Reason::busiest_load);
        row("overloaded, overloaded: load", overloaded, overloaded, Reason::busiest_own_load);
    }
    void verdicts() {
        QFETCH(int, busiest);
        QFETCH(int, local);
        QFETCH(int, reason);
        const GroupStats candidate = of_type(static_cast<GroupType>(busiest)), own = of_type(static_cast<GroupType>(local));
        QCOMPARE(static_cast<int>(candidate.type), busiest);
        QCOMPARE(static_cast<int>(own.type), local);
        for (const Kernel kernel : {Kernel::cfs_6_1, Kernel::eevdf_6_12y}) {
            const Busiest found = find(own, candidate, kernel);
            QCOMPARE(found.index, 1);
            QCOMPARE(static_cast<int>(found.reason), reason);
        }
    }

    void nodesMayDiffer() {
        QCOMPARE(adjust_numa_imbalance(2, 4, 4), 0); // running 4 there, 4 allowed
        QCOMPARE(adjust_numa_imbalance(3, 4, 4), 3);
        QCOMPARE(adjust_numa_imbalance(2, 5, 4), 2);
    }

    void unsignedDifferenceWraps() {
        // Fewer idle CPUs here than in the busiest group, which is chosen because a lower level could not balance.
        GroupStats local = group(8, 8, 100, 100), busiest = group(8, 24, 9000, 9000);
        local.idle_cpus = 1;
        busiest.idle_cpus = 3;
        local.type = GroupType::has_spare;
        busiest.type = GroupType::overloaded;
        BalanceView view;
        view.domain_flags = sd::share_llc;
        Settings settings = default_settings(Kernel::cfs_6_1, 16);
        Evidence<NullSink> why;
        QCOMPARE(calculate_imbalance(view, local, busiest, {}, settings, why).amount, std::int64_t{0xfffffffe} >> 1);
        settings.set(Patch::signed_idle_difference, 1);
        QCOMPARE(calculate_imbalance(view, local, busiest, {}, settings, why).amount, 0);
    }
};

QTEST_APPLESS_MAIN(TestBalanceNumbers)
#include "test_numbers.moc"
