// SPDX-License-Identifier: GPL-3.0-or-later
// What tools print, byte by byte in the shape of their own output, and schbench's histogram.
#include <QTest>

#include "core/commands/benchmark.hpp"
#include "tests/support/small_scenario.hpp"

namespace picknext {
namespace {

using namespace commands;

State measured(std::vector<std::int64_t> ns, std::int64_t now = 0, std::uint64_t messages = 0) {
    State st;
    for (const std::int64_t v : ns) st.samples.push_back({.ns = v, .series = 0, .task = TaskId{0}});
    st.now = now;
    st.accounts.count(Tally::messages, messages);
    return st;
}
QString printed(const char* line, const State& state) {
    const Result<Benchmark> b = read_benchmark(line, test::flat_machine(4));
    if (!b) qFatal("%s", b.error().text().c_str());
    return QString::fromStdString(report(*b, state));
}

class TestReport final : public QObject {
    Q_OBJECT
  private Q_SLOTS:
    void hackbenchOutput() {
        QCOMPARE(printed("hackbench -g 2", measured({205'999'999})), // cut, not rounded
                 QStringLiteral("Running in process mode with 2 groups using 40 file descriptors each (== 80 tasks)\n"
                                "Each sender will pass 100 messages of 100 bytes\nTime: 0.205\n"));
        QCOMPARE(printed("hackbench -T -g 1 -l 50", measured({12'017'000'000})),
                 QStringLiteral("Running in threaded mode with 1 groups using 40 file descriptors each (== 40 tasks)\n"
                                "Each sender will pass 50 messages of 100 bytes\nTime: 12.017\n"));
    }
    void perfOutput() {
        QCOMPARE(printed("perf bench sched messaging -g 1", measured({47'000'000})),
                 QStringLiteral("# Running 'sched/messaging' benchmark:\n# 20 sender and receiver processes per group\n# 1 groups == 40 processes run\n\n"
                                "     Total time: 0.047 [sec]\n"));
        QCOMPARE(printed("perf bench -f simple sched messaging -t", measured({47'000'000})), QStringLiteral("0.047\n"));
        QCOMPARE(printed("perf bench sched pipe -l 20000", measured({105'515'000})),
                 QStringLiteral("# Running 'sched/pipe' benchmark:\n# Executed 20000 pipe operations between two processes\n\n"
                                "     Total time: 0.105 [sec]\n\n       5.275750 usecs/op\n         189546 ops/sec\n"));
        QCOMPARE(printed("perf bench sched pipe -T -l 2000", measured({11'577'000})),
                 QStringLiteral("# Running 'sched/pipe' benchmark:\n# Executed 2000 pipe operations between two threads\n\n"
                                "     Total time: 0.011 [sec]\n\n       5.788500 usecs/op\n         172756 ops/sec\n"));
        QCOMPARE(printed("perf bench -f simple sched pipe -l 20000", measured({104'000'000})), QStringLiteral("0.104\n"));
    }
    /// 100 samples of 1 to 100 us but the longest, which is 9173 us: shown as 9168, min and max are exact.
    void schbenchOutput() {
        std::vector<std::int64_t> ns{0, 999}; // below a microsecond: not counted
        for (std::int64_t us = 1; us < 100; ++us) ns.push_back(us * 1000 + 500);
        ns.push_back(9'173'000);
        QCOMPARE(printed("schbench -m 2 -r 3", measured(ns)),
                 QStringLiteral("Latency percentiles (usec) runtime 3 (s) (100 total samples)\n\t50.0th: 50 (50 samples)\n\t75.0th: 75 (25 samples)\n"
                                "\t90.0th: 90 (15 samples)\n\t95.0th: 95 (5 samples)\n\t*99.0th: 99 (4 samples)\n\t99.5th: 9168 (1 samples)\n"
                                "\t99.9th: 9168 (0 samples)\n\tmin=1, max=9173\n"));
        QCOMPARE(printed("schbench -r 3", measured({})), QStringLiteral("Latency percentiles (usec) runtime 3 (s) (0 total samples)\n\tmin=0, max=0\n"));
    }
    /// Counts are those since the percentile before, shown or not: two of four samples lie below the 20th already.
    void schbench2023Output() {
        State st = measured({9'000, 9'000, 3'900'000, 13'229'000}, 2'001'000'000);
        for (const std::int64_t ns : {13'840'000, 26'656'000}) st.samples.push_back({.ns = ns, .series = 1, .task = {}});
        st.samples.push_back({.ns = 0, .series = 2, .task = {}}); // a second is over: two requests
        st.samples.push_back({.ns = 13'000'000, .series = 1, .task = {}});
        st.samples.push_back({.ns = 0, .series = 2, .task = {}});
        QCOMPARE(printed("schbench-2023 -r 2", st),
                 QStringLiteral("Wakeup Latencies percentiles (usec) runtime 2 (s) (4 total samples)\n\t  50.0th: 9          (0 samples)\n"
                                "\t  90.0th: 13232      (2 samples)\n\t* 99.0th: 13232      (0 samples)\n\t  99.9th: 13232      (0 samples)\n"
                                "\t  min=9, max=13229\n"
                                "Request Latencies percentiles (usec) runtime 2 (s) (3 total samples)\n\t  50.0th: 13840      (1 samples)\n"
                                "\t  90.0th: 26656      (1 samples)\n\t* 99.0th: 26656      (0 samples)\n\t  99.9th: 26656      (0 samples)\n"
                                "\t  min=13000, max=26656\n"
                                "RPS percentiles (requests) runtime 2 (s) (3 total samples)\n\t  20.0th: 0          (1 samples)\n"
                                "\t* 50.0th: 1          (1 samples)\n\t  90.0th: 2          (1 samples)\n\t  min=1, max=2\naverage rps: 1.50\n"));
    }
    void warmUp() { // of three seconds the first does not count
        State st = measured({500'000'000});
        const auto add = [&](std::int64_t ns, std::int32_t series) { st.samples.push_back({.ns = ns, .series = series, .task = {}}); };
        add(0, 1);
        add(7'000, 0);
        add(0, 1);
        QVERIFY(printed("schbench -w 1 -r 3", st).endsWith(QStringLiteral("min=7, max=7\n")));
        QVERIFY(printed("schbench -w 3 -r 3", st).endsWith(QStringLiteral("min=7, max=500000\n"))); // the original never comes to it
    }
    void netperfOutput() {
        const QString rr = printed("netperf -t TCP_RR -l 10", measured({}, 10'000'000'000, 2 * 587'641));
        QCOMPARE(rr.section(QLatin1Char('\n'), 6, 7), QStringLiteral("16384  131072 1        1       10.00    58764.10   \n16384  131072"));
        const QString stream = printed("netperf -l 10", measured({}, 10'000'000'000, 10'000));
        QCOMPARE(stream.section(QLatin1Char('\n'), 6, 6), QStringLiteral("131072  16384  16384    10.00    131.07   "));
    }
    void histogram_data() {
        QTest::addColumn<quint32>("us");
        QTest::addColumn<quint32>("shown");
        const auto row = [](quint32 us, quint32 shown) { QTest::newRow(qPrintable(QString::number(us))) << us << shown; };
        row(0, 0);
        row(511, 511);
        row(512, 513); // buckets of 2: 512 + 0.5 * 2
        row(513, 513);
        row(1023, 1023);
        row(1024, 1026);
        row(4144, 4152); // [4144, 4160): published 4152
        row(4159, 4152);
        row(4160, 4168);
        row(9173, 9168);
        row(14276, 14288); // published: shown above its own maximum
        row((1U << 26) - 1, (1U << 26) - (1U << 16));
        row(1U << 30, (1U << 26) - (1U << 16)); // the last bucket takes all
    }
    void histogram() {
        QFETCH(quint32, us);
        QFETCH(quint32, shown);
        QCOMPARE(shown_latency(us), shown);
    }
    /// The tool computes 99.9 / 100.0 * 1000 in doubles: 999.0000000000001, so the 1000th sample it is. Of 2000 samples 1998 do not reach it either.
    void aPercentileIsADouble() {
        std::vector<std::int64_t> us;
        for (std::int64_t i = 1; i <= 1000; ++i) us.push_back(i < 1000 ? 5 : 400);
        constexpr std::array permille{500, 999};
        QCOMPARE(sum_up(us, permille).percentiles[1].us, 400U);
        us.insert(us.end(), 1000, 5); // 2000 samples, 1999 of them 5
        QCOMPARE(sum_up(us, permille).percentiles[1].us, 5U);
    }
};

} // namespace
} // namespace picknext

QTEST_APPLESS_MAIN(picknext::TestReport)
#include "test_report.moc"
