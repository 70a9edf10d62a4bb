// SPDX-License-Identifier: GPL-3.0-or-later
// Saved outputs of benchmark tools: which figures they hold, and what is said about the lines that could not be read.
#include <QDir>
#include <QTest>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "core/commands/benchmark.hpp"
#include "core/io/tool_output.hpp"

using namespace picknext;
using commands::Measured;

class TestToolOutput : public QObject {
    Q_OBJECT
  private Q_SLOTS:
    void texts_data();
    void texts();
    void refusals_data();
    void refusals();
    void messages();
    void ownReportsReadBack_data();
    void ownReportsReadBack();
    void samples_data();
    void samples();
};

namespace {

QString all(const std::vector<Measured>& figures) {
    std::string out;
    for (const Measured& m : figures)
        out += fmt::format("{}{}{}|{}|{}|{}|{}", out.empty() ? "" : "\n", m.tool, m.point.empty() ? "" : " " + m.point, m.metric, m.unit,
                           m.better == commands::Better::lower ? "lower" : "higher", fmt::join(m.values, " "));
    return QString::fromStdString(out);
}
QString values(const std::vector<Measured>& figures) { // of one tool, shorter
    std::string out;
    for (const Measured& m : figures) out += fmt::format("{}{}={}", out.empty() ? "" : " ", m.metric, fmt::join(m.values, "/"));
    return QString::fromStdString(out);
}

} // namespace

void TestToolOutput::texts_data() {
    QTest::addColumn<QByteArray>("text");
    QTest::addColumn<QString>("figures");
    const auto row = [](const char* name, const char* text, const char* figures) { QTest::newRow(name) << QByteArray(text) << figures; };
    row("hackbench, two runs of one size and one of another",
        "Running in threaded mode with 2 groups using 40 file descriptors each (== 80 tasks)\nEach sender will pass 100 messages of 100 bytes\nTime: 0.205\n"
        "Running in threaded mode with 2 groups using 40 file descriptors each (== 80 tasks)\nEach sender will pass 100 messages of 100 bytes\nTime: 0.211\n"
        "Running in threaded mode with 4 groups using 40 file descriptors each (== 160 tasks)\r\nEach sender will pass 100 messages of 100 bytes\r\nTime: 0.4\r\n",
        "hackbench g=2|time|s|lower|0.205 0.211\nhackbench g=4|time|s|lower|0.4");
    row("times alone", "Time: 1.5\nTime: 1.7", "hackbench|time|s|lower|1.5 1.7");
    row("messaging", "# Running 'sched/messaging' benchmark:\n# 20 sender and receiver processes per group\n# 10 groups == 400 processes run\n\n     Total time: 0.308 [sec]\n",
        "perf bench sched messaging g=10|time|s|lower|0.308");
    row("pipe", "# Running 'sched/pipe' benchmark:\n# Executed 2000 pipe operations between two threads\n\n     Total time: 0.011 [sec]\n\n       5.788500 usecs/op\n         172756 ops/sec\n",
        "perf bench sched pipe|time|s|lower|0.011\nperf bench sched pipe|usecs/op|us/op|lower|5.7885\nperf bench sched pipe|ops/sec|1/s|higher|172756");
    row("simple format", "0.104\n0.106\n", "perf bench|time|s|lower|0.104 0.106");
    row("schbench 2016", "Latency percentiles (usec)\n\t50.0000th: 1686\n\t*99.0000th: 12976\n\tOver=0, min=0, max=15248\n",
        "schbench|p50.0|us|lower|1686\nschbench|p99.0|us|lower|12976\nschbench|min|us|lower|0\nschbench|max|us|lower|15248");
    row("schbench 2020, two runs",
        "Latency percentiles (usec) runtime 3 (s) (92 total samples)\n\t50.0th: 44 (46 samples)\n\t*99.0th: 9168 (4 samples)\n\tmin=14, max=9173\n"
        "Latency percentiles (usec) runtime 3 (s) (90 total samples)\n\t50.0th: 40 (45 samples)\n\t*99.0th: 9000 (4 samples)\n\tmin=13, max=9001\n",
        "schbench|p50.0|us|lower|44 40\nschbench|p99.0|us|lower|9168 9000\nschbench|min|us|lower|14 13\nschbench|max|us|lower|9173 9001");
    row("schbench's interim report", "Latency percentiles (usec) runtime 10 (s) (9 total samples)\n\t50.0th: 1 (5 samples)\n\tmin=1, max=2\n"
                                     "Latency percentiles (usec) runtime 20 (s) (20 total samples)\n\t50.0th: 3 (10 samples)\n\tmin=1, max=4\n",
        "schbench|p50.0|us|lower|3\nschbench|min|us|lower|1\nschbench|max|us|lower|4");
    row("schbench of 2023, interim and end, twice",
        "Wakeup Latencies percentiles (usec) runtime 2 (s) (1 total samples)\n\t  50.0th: 9          (1 samples)\n\t  min=2, max=9\n"
        "RPS percentiles (requests) runtime 2 (s) (3 total samples)\n\t  20.0th: 0          (1 samples)\n\t* 50.0th: 92         (1 samples)\n\t  min=92, max=93\n"
        "sched delay: message 2451 (usec) worker 2653 (usec)\ncurrent rps: 92.75\n"
        "Wakeup Latencies percentiles (usec) runtime 3 (s) (2 total samples)\n\t  50.0th: 7          (1 samples)\n\t  min=2, max=8\n"
        "RPS percentiles (requests) runtime 3 (s) (4 total samples)\n\t* 50.0th: 91         (2 samples)\n\t  min=92, max=109\naverage rps: 99.67\n"
        "Wakeup Latencies percentiles (usec) runtime 3 (s) (2 total samples)\n\t  50.0th: 6          (1 samples)\n\t  min=1, max=8\naverage rps: 101\n",
        "schbench|wakeup p50.0|us|lower|7 6\nschbench|wakeup min|us|lower|2 1\nschbench|wakeup max|us|lower|8 8\nschbench|rps p50.0|requests/s|higher|91\n"
        "schbench|rps min|requests/s|higher|92\nschbench|rps max|requests/s|higher|109\nschbench|average rps|requests/s|higher|99.67 101");
    row("schbench -j", "{\"normal\": {\"hostname\": \"secret\"}, \"int\": {\"time\": 5, \"wakeup_latency_pct99.0\": 4728, \"request_latency_max\": 28774, \"rps_pct50.0\": 87, \"runtime\": 2}}",
        "schbench|wakeup p99.0|us|lower|4728\nschbench|request max|us|lower|28774\nschbench|rps p50.0|requests/s|higher|87");
    row("table", "\xef\xbb\xbfname,unit,better,value\n# from netperf\ntransactions,1/s,higher,67036, 67100.5\nthroughput,Mb/s,higher,24.83\n",
        "table|transactions|1/s|higher|67036 67100.5\ntable|throughput|Mb/s|higher|24.83");
}
void TestToolOutput::texts() {
    QFETCH(QByteArray, text);
    QFETCH(QString, figures);
    io::Report report;
    const Result<std::vector<Measured>> out = io::read_tool_output(text.toStdString(), "out.txt", report);
    QVERIFY2(out.has_value(), out ? "" : out.error().text().c_str());
    QCOMPARE(all(*out), figures);
    QVERIFY2(report.empty(), report.empty() ? "" : report[0].line().c_str());
}

void TestToolOutput::refusals_data() {
    QTest::addColumn<QByteArray>("text");
    QTest::addColumn<QString>("says");
    const auto row = [](const char* name, const QByteArray& text, const char* says) { QTest::newRow(name) << text << says; };
    constexpr const char* nothing = "out.txt:1:1: error E-FORMAT: there is no result of hackbench, perf bench sched messaging or pipe, or schbench in it; of another tool make a "
                                    "table: a row is name,unit,better,value[,value...], better being lower or higher";
    row("nothing", "", nothing);
    row("a song", "Hello\n", nothing);
    row("heading alone", "Running in process mode with 2 groups using 40 file descriptors each (== 80 tasks)\n", nothing);
    row("other JSON", "{\"a\": 1}", nothing);
    row("broken JSON", "{\"int\": ", "out.txt:1:9: error E-TRUNCATED /int: the text ends before the object that begins in line 1 is closed");
    row("UTF-16", QByteArray("\xff\xfeT\0", 4), "out.txt:1:1: error E-ENCODING: the text is UTF-16; save it as UTF-8");
    row("short row", "a,us,lower,1\nb,us\n", "out.txt:2:1: error E-TABLE: this row has 2 of at least 4 fields; a row is name,unit,better,value[,value...], better being lower or higher");
    row("direction", "a,us,lower,1\nb,us,up,2\n", "out.txt:2:1: error E-ENUM: \"up\" is not lower or higher; a row is name,unit,better,value[,value...], better being lower or higher");
    row("number", "a,us,lower,1,x\n", "out.txt:1:1: error E-NUMBER: field 5, \"x\", is no number; a row is name,unit,better,value[,value...], better being lower or higher");
}
void TestToolOutput::refusals() {
    QFETCH(QByteArray, text);
    QFETCH(QString, says);
    io::Report report;
    const Result<std::vector<Measured>> out = io::read_tool_output(text.toStdString(), "out.txt", report);
    QVERIFY(!out.has_value());
    QCOMPARE(QString::fromStdString(out.error().text()), says);
}

void TestToolOutput::messages() {
    io::Report report;
    const std::string text = "$ hackbench\nTime: 0,205\nTime: -1\nTime: 0.3\nbye\nLatency percentiles (usec)\n\t50.0th: many (3 samples)\n\tmin=1, max=2\n";
    const Result<std::vector<Measured>> out = io::read_tool_output(text, "out.txt", report);
    QVERIFY(out.has_value());
    QCOMPARE(values(*out), QStringLiteral("time=0.3 min=1 max=2"));
    QStringList lines;
    for (const io::Message& m : report) lines += QString::fromStdString(m.line());
    QCOMPARE(lines.join(QLatin1Char('\n')), QStringLiteral("out.txt:2:1: warning W-UNREADABLE: \"0,205\" is no number; this line was left out\n"
                                                          "out.txt:3:1: warning W-UNREADABLE: \"-1\" is no number; this line was left out\n"
                                                          "out.txt:7:1: warning W-UNREADABLE: \"many\" is no number; this line was left out\n"
                                                          "out.txt:1:1: note N-IGNORED: this line and 1 more are of no tool that is known; they were ignored"));
}

/// What a simulated run prints in a tool's format is read as the figures of that run (cut as the tool cuts).
void TestToolOutput::ownReportsReadBack_data() {
    QTest::addColumn<QString>("line");
    QTest::addColumn<QString>("figures");
    const auto row = [](const char* line, const char* figures) { QTest::newRow(line) << line << figures; };
    row("hackbench -g 2", "time=0.104");
    row("perf bench sched messaging", "time=0.104");
    row("perf bench sched pipe -l 1000", "time=0.104 usecs/op=104.5 ops/sec=9569");
    row("perf bench -f simple sched pipe -l 1000", "time=0.104");
    row("schbench -r 3", "p50.0=104576 p75.0=104576 p90.0=104576 p95.0=104576 p99.0=104576 p99.5=104576 p99.9=104576 min=104500 max=104500");
}
void TestToolOutput::ownReportsReadBack() {
    QFETCH(QString, line);
    QFETCH(QString, figures);
    const Result<commands::Benchmark> b = commands::read_benchmark(line.toStdString(), *build_machine(MachineCounts{}));
    QVERIFY(b.has_value());
    State st;
    st.samples.push_back({.ns = 104'500'000, .series = 0, .task = {}}); // [104448, 104704) us: shown as 104576
    io::Report report;
    const Result<std::vector<Measured>> out = io::read_tool_output(commands::report(*b, st), "own", report);
    QVERIFY2(out.has_value(), out ? "" : out.error().text().c_str());
    QVERIFY2(report.empty(), report.empty() ? "" : report[0].line().c_str());
    QCOMPARE(values(*out), figures);
    for (const Measured& m : *out) { // the same names and units as the figures
        bool found = false;
        for (const commands::Figure& f : commands::figures(*b, st)) found = found || (f.name == m.metric && f.unit == m.unit && f.better == m.better);
        QVERIFY2(found, m.metric.c_str());
    }
}

void TestToolOutput::samples_data() {
    QTest::addColumn<QString>("file");
    QTest::addColumn<QString>("figures");
    const auto row = [](const char* file, const char* figures) { QTest::newRow(file) << file << figures; };
    row("hackbench.txt", "time=0.205 time=0.017"); // of 2 groups and of 1
    row("perf-bench-sched-messaging.txt", "time=0.047");
    row("perf-bench-sched-pipe-simple.txt", "time=0.104");
    row("perf-bench-sched-pipe-threads.txt", "time=0.011 usecs/op=5.7885 ops/sec=172756");
    row("perf-bench-sched-pipe.txt", "time=0.105 usecs/op=5.27575 ops/sec=189546");
    row("schbench-2016-text.txt", "p50.0=1686 p75.0=4904 p90.0=10032 p95.0=11280 p99.0=12976 p99.5=13968 p99.9=15248 min=0 max=15248");
    row("schbench-2020-text.txt", "p50.0=44 p75.0=3356 p90.0=5320 p95.0=8272 p99.0=9168 p99.5=9168 p99.9=9168 min=14 max=9173");
    row("schbench-new-v1.0-text.txt", "wakeup p50.0=7 wakeup p90.0=4004 wakeup p99.0=12368 wakeup p99.9=13232 wakeup min=2 wakeup max=13229 request p50.0=14352 "
                                      "request p90.0=26912 request p99.0=89472 request p99.9=238848 request min=4858 request max=238744 rps p20.0=0 rps p50.0=92 "
                                      "rps p90.0=109 rps min=92 rps max=109 average rps=99.67");
    row("schbench-new.json", "wakeup p20.0=3 wakeup p50.0=4 wakeup p90.0=2844 wakeup p99.0=4728 wakeup p99.9=4904 wakeup min=2 wakeup max=4899 request p20.0=12848 "
                             "request p50.0=23840 request p90.0=24160 request p99.0=28064 request p99.9=28768 request min=4818 request max=28774 rps p20.0=0 rps p50.0=87 "
                             "rps p90.0=114 rps p99.0=114 rps p99.9=114 rps min=87 rps max=114");
}
void TestToolOutput::samples() {
    QFETCH(QString, file);
    QFETCH(QString, figures);
    const std::string path = PICKNEXT_SHARED_DIR "/samples/tool-output/" + file.toStdString();
    const Result<std::string> text = io::read_file(path);
    if (!text) QSKIP("the samples are not here");
    io::Report report;
    const Result<std::vector<Measured>> out = io::read_tool_output(*text, path, report);
    QVERIFY2(out.has_value(), out ? "" : out.error().text().c_str());
    QVERIFY2(report.empty(), report.empty() ? "" : report[0].line().c_str());
    QCOMPARE(values(*out), figures);
}

QTEST_APPLESS_MAIN(TestToolOutput)
#include "test_tool_output.moc"
