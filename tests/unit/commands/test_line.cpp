// SPDX-License-Identifier: GPL-3.0-or-later
// Command lines: words, what stands before a tool, options of each tool, and what is said about those that cannot be honoured.
#include <QTest>

#include "core/commands/benchmark.hpp"
#include "core/topology/machine.hpp"

namespace picknext {
namespace {

using namespace commands;

/// Two nodes of four CPUs.
Machine two_nodes() {
    MachineCounts counts;
    counts.nodes = 2;
    counts.cores = 4;
    return *build_machine(counts);
}
QString text(const Error& e) { return QString::fromStdString(e.text()); }

template <class T>
T tool(const char* line, std::vector<std::string>* notes = nullptr, BenchmarkOptions options = {}) {
    const Result<Benchmark> b = read_benchmark(line, two_nodes(), options);
    if (!b) qFatal("%s", b.error().text().c_str());
    if (notes != nullptr) *notes = b->notes;
    if (!std::holds_alternative<T>(b->tool)) qFatal("%s: another tool", line);
    return std::get<T>(b->tool);
}
std::string where(const char* line) {
    const Machine machine = two_nodes();
    const Result<Benchmark> b = read_benchmark(line, machine);
    if (!b) return b.error().text();
    const TaskSpec& t = b->workload.tasks.back();
    return fmt::format("{} nice {} policy {} {}", t.affinity.empty() ? "all" : cpu_list(machine, t.affinity), t.nice, static_cast<int>(t.policy), t.group);
}

class TestLine final : public QObject {
    Q_OBJECT
  private Q_SLOTS:
    void words() {
        const Result<std::vector<Word>> w = split_command("  a 'b c'\"d \\\" e\"  f\\ g ''");
        QVERIFY(w.has_value());
        QStringList all;
        for (const Word& word : *w) all += QStringLiteral("%1@%2").arg(QString::fromStdString(word.text)).arg(word.column);
        QCOMPARE(all.join(QLatin1Char('|')), QStringLiteral("a@3|b cd \" e@5|f g@20|@25"));
        QCOMPARE(split_command("ü x")->at(1).column, 3); // code points
    }
    void wrongLines_data() {
        QTest::addColumn<QString>("line");
        QTest::addColumn<QString>("says");
        const auto row = [](const char* line, const char* says) { QTest::newRow(line) << line << says; };
        row("", "command:1:1: error E-EMPTY: no command; write one like \"hackbench -p -T -g 4 -l 100\"");
        row("hackbench | tee x", "command:1:11: error E-SHELL: \"|\" is for a shell; one command alone is understood. Quote it if it belongs to a word");
        row("hackbench 'x", "command:1:11: error E-QUOTE: this quote ' is not closed");
        row("hackbnch -p", "command:1:1: error E-TOOL: \"hackbnch\" is no benchmark that is simulated; did you mean \"hackbench\"?; there are hackbench, perf bench sched "
                           "messaging, perf bench sched pipe, schbench, netperf, uperf, tbench, storm and kick_ilb");
        row("hackbench -p -q", "command:1:14: error E-OPTION: hackbench has no option -q; understood are -p -i -T -P --processes -g -f -l -s");
        row("hackbench --loop 5", "command:1:11: error E-OPTION: hackbench has no option --loop; did you mean \"loops\"?; understood are -p -i -T -P --processes -g -f -l -s");
        row("hackbench -F", "command:1:11: error E-OPTION: -F of hackbench is not simulated: only the fair class is; leave it out");
        row("hackbench -g", "command:1:11: error E-VALUE: -g of hackbench needs a value behind it");
        row("hackbench -g 2k", "command:1:14: error E-NUMBER: \"2k\" is no whole number");
        row("hackbench -g 0", "command:1:14: error E-RANGE: 0 is out of range; 1 to 100000 are possible");
        row("hackbench -p=1", "command:1:11: error E-OPTION: hackbench has no option -=; understood are -p -i -T -P --processes -g -f -l -s");
        row("hackbench --pipe=1", "command:1:11: error E-VALUE: --pipe of hackbench takes no value");
        row("hackbench 10 process 5 6", "command:1:24: error E-OPTION: hackbench takes no word \"6\" here");
        row("hackbench -s 100000 -p", "command:1:21: error E-RANGE: a message of 100000 bytes is longer than a pipe; -s goes up to 65536 with -p");
        row("hackbench -g 2500", "command:1:14: error E-LIMIT: 2500 groups of 20 senders and receivers are 100000 tasks; fewer than 100000 are possible");
        row("perf stat ls", "command:1:6: error E-TOOL: of perf, \"perf bench sched messaging\" and \"perf bench sched pipe\" are simulated; \"bench\" comes first");
        row("perf bench mem", "command:1:12: error E-TOOL: of perf, \"perf bench sched messaging\" and \"perf bench sched pipe\" are simulated; \"sched\" is missing");
        row("perf bench sched pip", "command:1:18: error E-TOOL: which benchmark of perf bench sched?; did you mean \"pipe\"? There are messaging and pipe");
        row("perf bench sched pipe -n", "command:1:23: error E-OPTION: -n of perf is not simulated: tasks wait in read(); leave it out");
        row("schbench -R 100", "command:1:10: error E-OPTION: -R of schbench is not simulated: requests at a fixed rate are not; leave it out");
        row("netperf -t TCP_CRR", "command:1:12: error E-OPTION: the test TCP_CRR is not simulated; did you mean \"TCP_RR\"?; there are TCP_STREAM, UDP_STREAM, TCP_RR, UDP_RR");
        row("netperf -t TCP_RR -- -m 5", "command:1:22: error E-OPTION: -m is for TCP_STREAM and UDP_STREAM; requests and responses take -r");
        row("netperf -l -1000", "command:1:12: error E-VALUE: -l counts seconds here, not bytes or transactions");
        row("tbench", "command:1:1: error E-VALUE: tbench needs the number of clients: \"tbench 24\"");
        row("uperf -m web.xml", "command:1:10: error E-OPTION: the profile web.xml is not simulated; netperf.xml is");
        row("storm -n 8", "command:1:10: error E-RANGE: 8 tasks and one that always runs need 9 CPUs, there are 8; lower -n or choose a larger topology");
        row("storm -p 12", "command:1:10: error E-UNIT: \"12\" has no unit; write ns, us, ms or s behind it");
        row("taskset -c 0,1 kick_ilb", "command:1:16: error E-RANGE: kick_ilb needs 3 CPUs, there are 2; choose a larger topology");
        row("numactl -N 2 hackbench", "command:1:12: error E-AFFINITY: this machine has no node 2; it has 0, 1");
        row("taskset -c 6-8 hackbench", "command:1:12: error E-AFFINITY: this machine has no CPU 8; it has 0-7");
        row("taskset -c 0 numactl -N 1 hackbench", "command:1:25: error E-AFFINITY: no CPU is left to run on");
        row("chrt -f 50 hackbench", "command:1:6: error E-OPTION: -f of chrt is not simulated: only the fair class is simulated; use -o, -b or -i");
        row("numactl -N 0", "command:1:1: error E-TOOL: numactl has no command behind it");
    }
    void wrongLines() {
        QFETCH(QString, line);
        QFETCH(QString, says);
        const Result<Benchmark> b = read_benchmark(line.toStdString(), two_nodes());
        QVERIFY(!b.has_value());
        QCOMPARE(text(b.error()), says);
    }
    void longLines() {
        QVERIFY(split_command("hackbench" + std::string(max_command - 9, ' ')).has_value());
        QCOMPARE(QString::fromStdString(split_command("hackbench" + std::string(max_command - 8, ' ')).error().code), QStringLiteral("E-LIMIT"));
    }

    void hackbenchForms() {
        Hackbench h;
        QCOMPARE(tool<Hackbench>("hackbench"), h); // 10 groups, sockets, processes
        h.channel = ResourceKind::pipe;
        h.threads = true;
        h.loops = h.run_loops = 20000;
        QCOMPARE(tool<Hackbench>("numactl -N 0 /usr/bin/hackbench -p -T -l 20000 -g 10"), h);
        QCOMPARE(tool<Hackbench>("./hackbench -pTl20000 --groups=10"), h);
        QCOMPARE(tool<Hackbench>("hackbench --pipe --threads --loops 20000"), h);
        QCOMPARE(tool<Hackbench>("hackbench -pipe 10 thread 20000"), h);
        h.run_loops = 200;
        QCOMPARE(tool<Hackbench>("hackbench -p -T -l 20000", nullptr, {.scale = 100}), h);
        h = {};
        h.loops = h.run_loops = 50;
        h.groups = 4;
        QCOMPARE(tool<Hackbench>("hackbench 4 process 50"), h);
        QCOMPARE(tool<Hackbench>("hackbench -T -P -g 4 -l 50"), h); // the last one counts
        h = {};
        h.from_perf = h.threads = h.simple_format = true;
        h.groups = 2;
        QCOMPARE(tool<Hackbench>("perf bench -f simple sched messaging -t -g 2"), h);
    }
    void otherTools() {
        QCOMPARE(tool<SchedPipe>("perf bench sched pipe -T -l 5").run_loops, std::int64_t{5});
        const Schbench s = tool<Schbench>("schbench -m 2 -t 4 -s 10000 -c 1000000 -r 10");
        QCOMPARE(s.reply, std::int64_t{10'000'000});
        QCOMPARE(s.spin, std::int64_t{1'000'000'000});
        QCOMPARE(s.runtime, std::int64_t{10'000'000'000});
        QCOMPARE(tool<Schbench2023>("schbench -n 10 -m 2").workers, std::int64_t{4}); // 8 CPUs shared out
        QCOMPARE(tool<Schbench2023>("schbench", nullptr, {.schbench = SchbenchVersion::of_2023}).operations, std::int64_t{5});
        QCOMPARE(tool<Schbench>("schbench-2020").workers, std::int64_t{16});
        QCOMPARE(tool<Schbench2023>("taskset -c 0-2 schbench-2023 -L").workers, std::int64_t{3});
    }
    void netperfOptions() {
        const Netperf n = tool<Netperf>("netperf -H localhost -t udp_rr -l 60 -T 0,5 x24 -- -r 32,1024");
        QCOMPARE(n.test, Netperf::Test::udp_rr);
        QCOMPARE(n.pairs, std::int64_t{24});
        QCOMPARE(n.request, std::int64_t{32});
        QCOMPARE(n.response, std::int64_t{1024});
        QVERIFY(n.client.has(CpuId{0}) && n.server.has(CpuId{5}) && n.client.size() == 1 && n.server.size() == 1);
        QCOMPARE(tool<Netperf>("netperf -- -m 8192 x3").pairs, std::int64_t{3});
        QCOMPARE(tool<Uperf>("nthr=96 proto=udp uperf -m ./netperf.xml -a").connections, std::int64_t{96});
        QCOMPARE(tool<Tbench>("tbench -t 60 24 localhost").clients, std::int64_t{24});
        QCOMPARE(tool<Storm>("storm").tasks, std::int64_t{7});
        QCOMPARE(tool<Storm>("storm -n 3 -p 16ms").period, std::int64_t{16'000'000});
    }
    /// A file that keeps the command makes the same again, whatever was chosen for the bare name.
    void generatorsSayWhichSchbench() {
        const auto command = [](const char* line, SchbenchVersion version) {
            return QString::fromStdString(read_benchmark(line, two_nodes(), {.schbench = version})->workload.generated.generators.at(0).command);
        };
        QCOMPARE(command("cgexec -g cpu:schbench ./schbench -m 1", SchbenchVersion::of_2023), QStringLiteral("cgexec -g cpu:schbench ./schbench-2023 -m 1"));
        QCOMPARE(command("cgexec -g cpu:\u00fc \"schbench\" -m 1", SchbenchVersion::by_options), QStringLiteral("cgexec -g cpu:\u00fc \"schbench-2020\" -m 1"));
        QCOMPARE(command("schbench-2023", SchbenchVersion::of_2020), QStringLiteral("schbench-2023"));
        QVERIFY(read_benchmark("hackbench", two_nodes(), {.scale = 10})->workload.generated.generators.empty()); // its size is not what the line says
    }
    void notes() {
        std::vector<std::string> notes;
        (void)tool<Netperf>("numactl -N 0 -l netperf -H 10.0.0.2 -c -- -D", &notes);
        QCOMPARE(notes.size(), std::size_t{4});
        QCOMPARE(QString::fromStdString(notes[0]), QStringLiteral("-l of numactl is ignored: memory has no place in the model"));
        QCOMPARE(QString::fromStdString(notes[1]), QStringLiteral("-H 10.0.0.2 of netperf is taken as loopback: there is one machine"));
        (void)tool<Hackbench>("LANG=C sudo time hackbench", &notes);
        QCOMPARE(notes.size(), std::size_t{1});
        QCOMPARE(QString::fromStdString(notes[0]), QStringLiteral("LANG=C is ignored: hackbench does not read it here"));
        (void)tool<Schbench2023>("schbench-2023", &notes);
        QCOMPARE(QString::fromStdString(notes[0]), QStringLiteral("the spinning per-CPU lock of schbench is not simulated; requests go as with -L"));
    }
    void whatStandsBefore_data() {
        QTest::addColumn<QString>("line");
        QTest::addColumn<QString>("tasks");
        const auto row = [](const char* line, const char* tasks) { QTest::newRow(line) << line << tasks; };
        row("hackbench", "all nice 0 policy 0 ");
        row("numactl -N 1 hackbench", "4-7 nice 0 policy 0 ");
        row("numactl --cpunodebind=0,1 hackbench", "0-7 nice 0 policy 0 ");
        row("numactl -C 0-2,5 hackbench", "0-2,5 nice 0 policy 0 ");
        row("numactl -N 1 taskset -c 3-5 hackbench", "4-5 nice 0 policy 0 ");
        row("taskset 0x5 hackbench", "0,2 nice 0 policy 0 ");
        row("taskset F0 hackbench", "4-7 nice 0 policy 0 ");
        row("nice hackbench", "all nice 10 policy 0 ");
        row("nice -n -5 chrt -b 0 hackbench", "all nice -5 policy 3 ");
        row("chrt -i 0 hackbench", "all nice 0 policy 5 ");
        row("cgexec -g cpu:bench hackbench", "all nice 0 policy 0 /bench");
        row("cgexec -g cpu:/a/b hackbench", "all nice 0 policy 0 /a/b");
    }
    void whatStandsBefore() {
        QFETCH(QString, line);
        QFETCH(QString, tasks);
        QCOMPARE(QString::fromStdString(where(line.toUtf8().constData())), tasks);
    }

    void sweeps_data() {
        QTest::addColumn<QString>("line");
        QTest::addColumn<QString>("option");
        QTest::addColumn<QString>("swept"); // to 7
        const auto row = [](const char* line, const char* option, const char* swept) { QTest::newRow(swept) << line << option << swept; };
        row("hackbench -p -g 2 -l 5", "g", "hackbench -p -g 7 -l 5");
        row("hackbench -p -g2", "g", "hackbench -p -g7");
        row("hackbench --groups=2", "groups", "hackbench --groups=7");
        row("numactl -N 0 hackbench -p", "g", "numactl -N 0 hackbench -g 7 -p");
        row("perf bench sched messaging -p", "g", "perf bench sched messaging -g 7 -p");
        row("netperf -t TCP_RR x2 -l 5", "n", "netperf -t TCP_RR x7 -l 5");
        row("uperf -m netperf.xml", "n", "uperf x7 -m netperf.xml");
        row("tbench -t 60 2", "n", "tbench -t 60 7");
        row("schbench -m 2 -t 4", "m", "schbench -m 7 -t 4");
        row("storm -n 3", "n", "storm -n 7");
    }
    void sweeps() {
        QFETCH(QString, line);
        QFETCH(QString, option);
        QFETCH(QString, swept);
        const Result<std::string> out = with_option(line.toStdString(), option.toStdString(), "7");
        QVERIFY(out.has_value());
        QCOMPARE(QString::fromStdString(*out), swept);
        QVERIFY(read_benchmark(*out, two_nodes()).has_value());
    }

    /// Receivers and senders group by group, after main (19.1).
    void creationOrder() {
        const Result<Benchmark> b = read_benchmark("hackbench -g 2 -f 2 -l 3", two_nodes());
        QStringList names;
        for (const TaskSpec& t : b->workload.tasks) names += QStringLiteral("%1*%2").arg(QString::fromStdString(t.name)).arg(t.count);
        QCOMPARE(names.join(QLatin1Char(' ')), QStringLiteral("main*1 receiver 0.0*1 receiver 0.1*1 sender 0*2 receiver 1.0*1 receiver 1.1*1 sender 1*2"));
        QVERIFY(b->workload.tasks[1].process);
        QCOMPARE(b->workload.tasks[1].phases[1].loop, std::int64_t{2 * 3});
        QCOMPARE(b->workload.tasks[3].phases[1].ops.size(), std::size_t{2});
        QVERIFY(!b->duration);
    }
    /// 278 messages of 100 bytes (256 + 512 accounted for each), 93 of 1000 (256 + 2048), one of a length that fills the buffer.
    void unixBuffers() {
        QCOMPARE(unix_capacity(100), std::int64_t{278 * 100});
        QCOMPARE(unix_capacity(1000), std::int64_t{93 * 1000});
        QCOMPARE(unix_capacity(262'144), std::int64_t{262'144});
    }
};

} // namespace
} // namespace picknext

QTEST_APPLESS_MAIN(picknext::TestLine)
#include "test_line.moc"
