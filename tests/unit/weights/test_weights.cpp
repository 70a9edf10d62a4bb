// SPDX-License-Identifier: GPL-3.0-or-later
// The numbers of fair-class weights worked out by hand: the nice table, inverses, and the fixed-point scaling.
#include <QtTest>

#include "core/fair/weights.hpp"

using namespace picknext;

namespace {

Weight coarse(std::uint64_t w) { return Weight{w << 10}; }

Entity entity_of(Policy policy, int nice) {
    Entity e;
    fair::set_task_weight(e, policy, nice);
    return e;
}

/// Virtual time of a stretch at a nice value.
std::uint64_t virtual_time(std::uint64_t ns, int nice) { return fair::to_virtual(ns, entity_of(Policy::normal, nice)); }

/// A share of a period as CFS computes it: the inverse of a queue's load is never cached.
std::uint64_t share(std::uint64_t period, std::uint64_t weight, std::uint64_t load) {
    return fair::scale_delta(period, coarse(weight), coarse(load), 0);
}

} // namespace

class TestWeights : public QObject {
    Q_OBJECT

  private slots:
    void tableOfNice() {
        const std::vector<std::uint32_t> weights{
            88761, 71755, 56483, 46273, 36291, 29154, 23254, 18705, 14949, 11916, 9548, 7620, 6100, 4904,
            3906,  3121,  2501,  1991,  1586,  1277,  1024,  820,   655,   526,   423,  335,  272,  215,
            172,   137,   110,   87,    70,    56,    45,    36,    29,    23,    18,   15};
        for (int nice = -20; nice <= 19; ++nice)
            QCOMPARE(fair::nice_weight(nice).coarse, weights[static_cast<std::size_t>(nice + 20)]);
    }

    void oneStepIsAboutAQuarter() {
        for (int nice = -20; nice < 19; ++nice) {
            const double ratio = static_cast<double>(fair::nice_weight(nice).coarse) / fair::nice_weight(nice + 1).coarse;
            QVERIFY2(ratio > 1.19 && ratio < 1.29, qPrintable(QString::number(nice)));
        }
    }

    void inversesFollowNoSingleRule() {
        for (int nice = -20; nice <= 19; ++nice) {
            const fair::NiceWeight w = fair::nice_weight(nice);
            const std::uint64_t one = std::uint64_t{1} << 32;
            const bool cut = nice == 13 || nice == 14 || nice == 16 || nice == 17;
            QCOMPARE(std::uint64_t{w.inverse}, cut ? one / w.coarse : (one + w.coarse / 2) / w.coarse);
        }
    }

    void weightOfATask() {
        QCOMPARE(entity_of(Policy::normal, 0).weight.fine, nice_0_weight.fine);
        QCOMPARE(entity_of(Policy::normal, 0).inv_weight, 4194304U);
        QCOMPARE(entity_of(Policy::batch, 5).weight.fine, std::uint64_t{335} << 10);
        QCOMPARE(entity_of(Policy::batch, 5).inv_weight, 12820798U);
        QCOMPARE(entity_of(Policy::idle, -20).weight.fine, std::uint64_t{3} << 10); // whatever its nice value
        QCOMPARE(entity_of(Policy::idle, -20).inv_weight, 1431655765U);
    }

    void coarseWeightIsAtLeastTwo() {
        QCOMPARE(Weight{0}.coarse(), std::uint64_t{0});
        QCOMPARE(Weight{1}.coarse(), std::uint64_t{2});
        QCOMPARE(Weight{2048}.coarse(), std::uint64_t{2});
        QCOMPARE(Weight{3072}.coarse(), std::uint64_t{3});
    }

    void inverseOfAnyWeight() {
        QCOMPARE(fair::dynamic_inverse(Weight{0}), 0xffffffffU);
        QCOMPARE(fair::dynamic_inverse(coarse(1024)), 4194303U); // one less than the table's
        QCOMPARE(fair::dynamic_inverse(coarse(1359)), 3160388U);
        QCOMPARE(fair::dynamic_inverse(coarse(6193)), 693519U);
        QCOMPARE(fair::dynamic_inverse(coarse(0xfffffffeULL)), 1U);
        QCOMPARE(fair::dynamic_inverse(coarse(0xffffffffULL)), 1U);
        QCOMPARE(fair::dynamic_inverse(coarse(0x100000000ULL)), 1U);
    }

    void virtualTime_data() {
        QTest::addColumn<quint64>("ns");
        QTest::addColumn<int>("nice");
        QTest::addColumn<quint64>("result");
        const auto row = [](const char* name, std::uint64_t ns, int nice, std::uint64_t result) {
            QTest::newRow(name) << quint64{ns} << nice << quint64{result};
        };
        row("1 ms, nice 0", 1'000'000, 0, 1'000'000);
        row("1 ms, nice 5", 1'000'000, 5, 3'056'716);
        row("3 ms, nice 5", 3'000'000, 5, 9'170'149);
        row("4 ms, nice 5", 4'000'000, 5, 12'226'865);
        row("1000 ns, nice 5", 1000, 5, 3056);
        row("1 ns, nice 5", 1, 5, 3);
        row("1000 s, nice 5", 1'000'000'000'000, 5, 3'056'716'442'108);
        row("1 ms, nice -20", 1'000'000, -20, 11'536);
        row("1 ms, nice -10", 1'000'000, -10, 107'247);
        row("1 ms, nice -5", 1'000'000, -5, 328'099);
        row("1 ms, nice -1", 1'000'000, -1, 801'879);
        row("1 ms, nice 1", 1'000'000, 1, 1'248'780);
        row("1 ms, nice 10", 1'000'000, 10, 9'309'090);
        row("1 ms, nice 13", 1'000'000, 13, 18'285'714);
        row("1 ms, nice 19", 1'000'000, 19, 68'266'666);
        row("wakeup granularity 4 ms, nice -20", 4'000'000, -20, 46'146);
        row("wakeup granularity 4 ms, nice -5", 4'000'000, -5, 1'312'399);
        row("wakeup granularity 4 ms, nice 19", 4'000'000, 19, 273'066'666);
        row("lag limit 5.6 ms, nice 5", 5'600'000, 5, 17'117'612);
        row("lag limit 6 ms, nice 5", 6'000'000, 5, 18'340'298);
        row("lag limit 5.6 ms, nice -20", 5'600'000, -20, 64'604);
        row("lag limit 6 ms, nice -20", 6'000'000, -20, 69'219);
    }
    void virtualTime() {
        QFETCH(quint64, ns);
        QFETCH(int, nice);
        QFETCH(quint64, result);
        QCOMPARE(quint64{virtual_time(ns, nice)}, result);
    }

    void everyCallCutsOnItsOwn() { QCOMPARE(3 * virtual_time(1'000'000, 5), virtual_time(3'000'000, 5) - 1); }

    void virtualTimeOfIdlePolicy() {
        QCOMPARE(fair::to_virtual(1'000'000, entity_of(Policy::idle, 0)), std::uint64_t{341'333'333});
        QCOMPARE(fair::to_virtual(4'000'000, entity_of(Policy::idle, 0)), std::uint64_t{1'365'333'333});
    }

    void sharesOfAPeriod() {
        QCOMPARE(share(6'000'000, 1024, 1024), std::uint64_t{5'999'998});
        QCOMPARE(share(24'000'000, 1024, 2048), std::uint64_t{11'999'994});
        QCOMPARE(share(24'000'000, 1024, 3072), std::uint64_t{7'999'998});
        QCOMPARE(share(24'000'000, 1024, 8192), std::uint64_t{2'999'994});
        QCOMPARE(share(24'000'000, 1024, 1359), std::uint64_t{18'083'885});
        QCOMPARE(share(24'000'000, 335, 1359), std::uint64_t{5'916'114});
        QCOMPARE(share(18'000'000, 3121, 6193), std::uint64_t{9'071'200});
        QCOMPARE(share(18'000'000, 1024, 6193), std::uint64_t{2'976'260});
        QCOMPARE(share(share(24'000'000, 1024, 2048), 1024, 2048), std::uint64_t{5'999'994});
    }

    void aWideProductKeepsItsLowHalf() {
        // 1024 * 2^22 is cut to 2^31 at shift 31: the value itself, and 2^64 - 1 survives
        QCOMPARE(fair::scale_delta(UINT64_MAX, nice_0_weight, nice_0_weight, 4194304), std::uint64_t{UINT64_MAX});
        // twice the weight over the load: the top bit falls off
        QCOMPARE(fair::scale_delta(UINT64_MAX, coarse(2048), nice_0_weight, 4194304), std::uint64_t{UINT64_MAX - 1});
    }
};

QTEST_APPLESS_MAIN(TestWeights)
#include "test_weights.moc"
