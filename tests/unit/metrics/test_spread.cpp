// SPDX-License-Identifier: GPL-3.0-or-later
// Spreads and paired differences worked out by hand.
#include <QtTest>

#include <cmath>

#include "core/metrics/spread.hpp"

using namespace picknext::metrics;

class TestSpread : public QObject {
    Q_OBJECT
  private slots:
    void spreadOfEight() {
        const double samples[] = {9, 4, 5, 4, 7, 5, 4, 2}; // 2 4 4 4 5 5 7 9: sum 40, squares about 5: 9+1+1+1+0+0+4+16 = 32
        const Spread s = spread(samples);
        QCOMPARE(s.count, std::size_t{8});
        QCOMPARE(s.mean, 5.0);
        QCOMPARE(s.median, 4.5);
        QCOMPARE(s.least, 2.0);
        QCOMPARE(s.most, 9.0);
        QCOMPARE(s.lower_quartile, 4.0); // rank 2 of 8
        QCOMPARE(s.upper_quartile, 5.0); // rank 6
        QCOMPARE(s.deviation, std::sqrt(32.0 / 7.0));
    }
    void spreadOfOddAndFew() {
        const double three[] = {3, 1, 8};
        QCOMPARE(spread(three).median, 3.0);
        const double one[] = {7};
        QCOMPARE(spread(one).deviation, 0.0);
        QCOMPARE(spread(one).lower_quartile, 7.0);
        QCOMPARE(spread({}), Spread{});
    }
    /// Pairs cancel what a seed does to both arms: 10, 20, 30 against 11, 22, 33 is a ratio of 1.1 without any spread, while the
    /// differences 1, 2, 3 have the mean 2, the deviation 1 and t(2) = 4.303: 2 +- 4.303 / sqrt(3) = 2 +- 2.484.
    void pairsShareTheirSeeds() {
        const double a[] = {10, 20, 30}, b[] = {11, 22, 33};
        const std::optional<Paired> p = paired(a, b);
        QVERIFY(p && p->difference_95 && p->ratio_95);
        QCOMPARE(p->difference, 2.0);
        QVERIFY(std::abs(p->difference_95->low - -0.484) < 0.001);
        QVERIFY(std::abs(p->difference_95->high - 4.484) < 0.001);
        QVERIFY(std::abs(p->ratio - 1.1) < 1e-12);
        QVERIFY(std::abs(p->ratio_95->high - p->ratio_95->low) < 1e-9);
    }
    void onePairHasNoInterval() {
        const double a[] = {4}, b[] = {3};
        const std::optional<Paired> p = paired(a, b);
        QVERIFY(p && !p->difference_95 && !p->ratio_95);
        QCOMPARE(p->ratio, 0.75);
    }
    void nothingIsNoRatio() {
        const double a[] = {0, 1}, b[] = {1, 1};
        QVERIFY(!paired(a, b));
    }
};

QTEST_APPLESS_MAIN(TestSpread)
#include "test_spread.moc"
