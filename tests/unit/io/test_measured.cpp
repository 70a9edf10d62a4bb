// SPDX-License-Identifier: GPL-3.0-or-later
// What benchmark tools print, read as figures; and results written.
#include <QTest>

#include "core/io/document.hpp"
#include "core/io/measured.hpp"
#include "core/io/results_json.hpp"

using namespace picknext;
using namespace picknext::io;
using bench::Measured;

namespace {

std::vector<Measured> read(std::string_view text) {
    Report report;
    Result<std::vector<Measured>> out = read_measured(text, "saved.txt", report);
    return out ? *out : std::vector<Measured>{};
}
std::string refused(std::string_view text) {
    Report report;
    const Result<std::vector<Measured>> out = read_measured(text, "saved.txt", report);
    return out ? "" : out.error().text();
}
std::vector<double> of(const std::vector<Measured>& all, std::string_view metric) {
    for (const Measured& m : all)
        if (m.metric == metric) return m.values;
    return {};
}

} // namespace

class TestMeasured : public QObject {
    Q_OBJECT
  private Q_SLOTS:
    void hackbenchRunsAreSamples() {
        const std::vector<Measured> found = read("Running in threaded mode with 2 groups using 40 file descriptors each (== 80 tasks)\n"
                                                 "Each sender will pass 100 messages of 100 bytes\nTime: 0.205\n"
                                                 "Running in threaded mode with 2 groups using 40 file descriptors each (== 80 tasks)\r\nTime: 0.215\r\n"
                                                 "Running in threaded mode with 4 groups using 40 file descriptors each (== 160 tasks)\nTime: 0.4");
        QCOMPARE(found.size(), std::size_t{2});
        QVERIFY((found[0] == Measured{"hackbench", "g=2", "time", "s", bench::Better::lower, {0.205, 0.215}}));
        QCOMPARE(found[1].point, std::string("g=4"));
        QCOMPARE(bench::measured_for(found, "g=2", {"time", "s", bench::Better::lower, 0}).size(), std::size_t{2});
        QCOMPARE(bench::measured_for(found, "", {"time", "s", bench::Better::lower, 0}).size(), std::size_t{3});
        QVERIFY(bench::measured_for(found, "g=6", {"time", "s", bench::Better::lower, 0}).empty());
    }
    void perfBench() {
        const std::vector<Measured> messaging = read("# Running 'sched/messaging' benchmark:\n# 20 sender and receiver processes per group\n# 1 groups == 40 processes run\n\n     Total time: 0.047 [sec]\n");
        QVERIFY((messaging == std::vector{Measured{"perf bench sched messaging", "g=1", "time", "s", bench::Better::lower, {0.047}}}));
        const std::vector<Measured> pipe = read("# Running 'sched/pipe' benchmark:\n# Executed 20000 pipe operations between two processes\n\n     Total time: 0.105 [sec]\n\n       5.275750 usecs/op\n         189546 ops/sec\n");
        QCOMPARE(of(pipe, "usecs/op"), std::vector{5.27575});
        QCOMPARE(of(pipe, "ops/sec"), std::vector{189546.0});
        QCOMPARE(of(read("0.104\n"), "time"), std::vector{0.104});
    }
    void schbenchOfThreeAges() {
        const std::vector<Measured> first = read("Latency percentiles (usec)\n\t50.0000th: 1686\n\t*99.0000th: 12976\n\tOver=0, min=0, max=15248\n");
        QCOMPARE(of(first, "p50.0"), std::vector{1686.0});
        QCOMPARE(of(first, "p99.0"), std::vector{12976.0});
        QCOMPARE(of(first, "max"), std::vector{15248.0});
        const std::vector<Measured> second = read("Latency percentiles (usec) runtime 3 (s) (92 total samples)\n\t50.0th: 44 (46 samples)\n\t99.9th: 9168 (0 samples)\n\tmin=14, max=9173\n");
        QCOMPARE(of(second, "p99.9"), std::vector{9168.0});
        QCOMPARE(of(second, "min"), std::vector{14.0});
        const std::vector<Measured> now = read("Wakeup Latencies percentiles (usec) runtime 2 (s) (1 total samples)\n\t  50.0th: 9          (58 samples)\n\t  min=2, max=13\n"
                                               "Wakeup Latencies percentiles (usec) runtime 3 (s) (2 total samples)\n\t  50.0th: 7          (71 samples)\n\t* 99.0th: 12368      (27 samples)\n"
                                               "\t  min=2, max=14\nRequest Latencies percentiles (usec) runtime 3 (s) (2 total samples)\n\t  50.0th: 14352      (91 samples)\n"
                                               "RPS percentiles (requests) runtime 3 (s) (4 total samples)\n\t* 50.0th: 92         (1 samples)\naverage rps: 99.67\n");
        QCOMPARE(of(now, "wakeup p50.0"), std::vector{7.0}); // the last of the blocks
        QCOMPARE(of(now, "wakeup max"), std::vector{14.0});
        QCOMPARE(of(now, "request p50.0"), std::vector{14352.0});
        QCOMPARE(of(now, "rps p50.0"), std::vector{92.0});
        QCOMPARE(of(now, "average rps"), std::vector{99.67});
        const std::vector<Measured> json = read(R"({"normal": {"hostname": "h"},"int": {"time": 1, "wakeup_latency_pct99.0": 4728, "wakeup_latency_min": 2, "rps_pct50.0": 87}})");
        QCOMPARE(json.size(), std::size_t{3});
        QCOMPARE(of(json, "wakeup p99.0"), std::vector{4728.0});
        QCOMPARE(of(json, "wakeup min"), std::vector{2.0});
        QCOMPARE(of(json, "rps p50.0"), std::vector{87.0});
    }
    void tables() {
        const std::vector<Measured> t = read("name,unit,better,value\nthroughput,Mb/s,higher,24.83,24.9\n");
        QVERIFY((t == std::vector{Measured{"table", "", "throughput", "Mb/s", bench::Better::higher, {24.83, 24.9}}}));
        QCOMPARE(refused("a,s,lower,1\nb,s,less,1\n"), std::string("saved.txt:2:1: error E-ENUM: \"less\" is not lower or higher; a row is name,unit,better,value[,value...]"));
        QCOMPARE(refused("a,s,lower,1\nb,s,lower,x\n"), std::string("saved.txt:2:1: error E-RANGE: \"x\" is no number"));
        QCOMPARE(refused("a,s,lower,1\nb,s\n"), std::string("saved.txt:2:1: error E-FORMAT: this row has fewer than four fields; a row is name,unit,better,value[,value...]"));
    }
    void othersAreRefused() {
        for (const char* text : {"", "hello\nworld\n", "Time: none\n", "{}", "-1"}) QVERIFY2(refused(text).find("E-FORMAT") != std::string::npos || refused(text).find("E-EMPTY") != std::string::npos, text);
    }
    void scenariosNameTheirCosts() {
        const std::string head = R"({"format": "picknext-scenario/1", "topology": {"build": {"cores": 2}}, "workload": {"tasks": [{"name": "t", "phases": [{"name": "p", "ops": [{"run": "1ms"}]}]}]}, "costs": )";
        Report report;
        const Result<Scenario> named = read_scenario(head + "\"hikey\"}", "s.json", report);
        QVERIFY2(named.has_value(), named ? "" : named.error().text().c_str());
        QCOMPARE(named->costs.costs[cost::Cost::context_switch], std::int64_t{5000});
        const Result<Scenario> again = read_scenario(write_scenario(*named), "s.json", report);
        QVERIFY(again && again->costs == named->costs);
        const Result<Scenario> wrong = read_scenario(head + "\"hikee\"}", "s.json", report);
        QVERIFY(!wrong && wrong.error().code == "E-SHIPPED" && wrong.error().place.pointer == "/costs");
        const Result<Scenario> number = read_scenario(head + "5}", "s.json", report);
        QVERIFY(!number && number.error().code == "E-TYPE");
        const Result<Scenario> none = read_scenario(R"({"format": "picknext-scenario/1", "topology": {"build": {"cores": 2}}, "workload": {"tasks": [{"name": "t", "phases": [{"name": "p", "ops": [{"run": "1ms"}]}]}]}})", "s.json", report);
        QVERIFY(none && none->costs == cost::CostProfile{});
    }
};

QTEST_APPLESS_MAIN(TestMeasured)
#include "test_measured.moc"
