// SPDX-License-Identifier: GPL-3.0-or-later
// Percentiles and intervals against numbers from printed tables and worked by hand.
#include <QTest>

#include <array>

#include "core/metrics/summary.hpp"

using namespace picknext;

class TestSummary : public QObject {
    Q_OBJECT
  private slots:
    void percentilesAreSamples() {
        const std::array<std::int64_t, 5> five{15, 20, 35, 40, 50}; // the usual example of the nearest rank
        QCOMPARE(metrics::percentile(five, 50), 15);
        QCOMPARE(metrics::percentile(five, 300), 20);
        QCOMPARE(metrics::percentile(five, 400), 20);
        QCOMPARE(metrics::percentile(five, 500), 35);
        QCOMPARE(metrics::percentile(five, 1000), 50);
        QCOMPARE(metrics::percentile(five, 0), 15);
        const std::array<std::int64_t, 1> one{7};
        QCOMPARE(metrics::percentile(one, 999), 7);
    }
    /// Two-sided 95 % values of Student's t as every table prints them.
    void studentsT_data() {
        QTest::addColumn<int>("degrees");
        QTest::addColumn<double>("t");
        for (const auto& [degrees, t] : {std::pair{1, 12.706}, {2, 4.303}, {3, 3.182}, {4, 2.776}, {5, 2.571}, {9, 2.262}, {10, 2.228}, {30, 2.042}, {120, 1.980}})
            QTest::addRow("%d", degrees) << degrees << t;
    }
    void studentsT() {
        QFETCH(int, degrees);
        QFETCH(double, t);
        QVERIFY(std::abs(metrics::student_t_95(degrees) - t) < 0.0006);
    }
    /// 2, 4, 6: mean 4, variance 4, standard error 2 / sqrt(3) = 1.1547, times 4.303 = 4.968.
    void intervalOfAMean() {
        const std::array samples{2.0, 4.0, 6.0};
        QCOMPARE(metrics::mean(samples), 4.0);
        const auto interval = metrics::mean_interval(samples);
        QVERIFY(interval.has_value());
        QVERIFY(std::abs(interval->low + 0.968) < 0.001 && std::abs(interval->high - 8.968) < 0.001);
        QVERIFY(!metrics::mean_interval(std::span(samples).first(1)));
    }
};

QTEST_APPLESS_MAIN(TestSummary)
#include "test_summary.moc"
