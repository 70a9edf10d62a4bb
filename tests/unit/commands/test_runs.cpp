// SPDX-License-Identifier: GPL-3.0-or-later
// Benchmarks run to their end on small machines, without costs: how many messages, wakeups and samples there are follows from the
// programs.
#include <QTest>

#include <algorithm>
#include <array>
#include <cmath>

#include "core/commands/benchmark.hpp"
#include "core/commands/programs.hpp"
#include "core/engine/engine.hpp"
#include "tests/support/small_scenario.hpp"

namespace picknext {
namespace {

using namespace commands;
constexpr std::int64_t us = 1'000, ms = 1'000'000, second = 1'000'000'000;

struct Run {
    Benchmark benchmark;
    State state;
    StopReason end = StopReason::cancelled;
    [[nodiscard]] std::uint64_t operator[](Tally t) const { return state.accounts[t]; }
    [[nodiscard]] double figure(const std::string& name) const {
        for (const Figure& f : figures(benchmark, state))
            if (f.name == name) return f.value;
        return -1;
    }
};

Benchmark benchmark(const char* line, int cpus, std::int64_t scale = 1) {
    Result<Benchmark> read = read_benchmark(line, test::flat_machine(cpus), {.scale = scale});
    if (!read) qFatal("%s", read.error().text().c_str());
    return std::move(*read);
}
Run run(Benchmark benchmark, int cpus, std::uint64_t seed = 1) {
    Scenario scenario = test::scenario_of(Kernel::eevdf_6_12y, test::flat_machine(cpus), {});
    scenario.workload = benchmark.workload;
    scenario.seed = seed;
    Engine engine(test::shared(std::move(scenario)));
    NullSink sink;
    const StopReason end = engine.run({.time = std::min(time_limit(benchmark), 100 * second)}, sink);
    return {std::move(benchmark), engine.state(), end};
}
Run run(const char* line, int cpus, std::int64_t scale = 1, std::uint64_t seed = 1) { return run(benchmark(line, cpus, scale), cpus, seed); }

std::uint64_t dead(const State& state) {
    return static_cast<std::uint64_t>(std::count_if(state.tasks.begin(), state.tasks.end(), [](const Task& t) { return t.state == TaskState::dead; }));
}

class TestRuns final : public QObject {
    Q_OBJECT
  private Q_SLOTS:
    void hackbenchEnds_data() {
        QTest::addColumn<QString>("line");
        QTest::addColumn<int>("messages"); // groups * fds * fds * loops, and a byte of each task that reports ready
        QTest::addColumn<int>("tasks");
        QTest::newRow("pipes, threads") << "hackbench -p -T -g 2 -f 3 -l 5" << 2 * 3 * 3 * 5 + 12 << 13;
        QTest::newRow("sockets, processes") << "hackbench -g 1 -l 10" << 20 * 20 * 10 + 40 << 41;
        QTest::newRow("pipes fill") << "hackbench -p -g 1 -f 4 -l 700 -s 100" << 4 * 4 * 700 + 8 << 9;
        QTest::newRow("sockets fill") << "hackbench -g 1 -f 4 -l 700" << 4 * 4 * 700 + 8 << 9;
        QTest::newRow("tcp") << "hackbench -i -g 1 -f 2 -l 3" << 2 * 2 * 3 + 4 << 5;
        QTest::newRow("perf") << "perf bench sched messaging -t -p -g 1 -l 2" << 20 * 20 * 2 + 40 << 41;
        QTest::newRow("long messages") << "hackbench -p -g 1 -f 2 -l 40 -s 65536" << 2 * 2 * 40 + 4 << 5;
    }
    void hackbenchEnds() {
        QFETCH(QString, line);
        QFETCH(int, messages);
        QFETCH(int, tasks);
        for (const int cpus : {1, 4}) {
            const Run r = run(line.toUtf8().constData(), cpus);
            QCOMPARE(r.end, StopReason::finished);
            QCOMPARE(r[Tally::messages], static_cast<std::uint64_t>(messages));
            QCOMPARE(dead(r.state), static_cast<std::uint64_t>(tasks));
            QCOMPARE(r.state.samples.size(), std::size_t{1});
            QVERIFY(r.figure("time") >= 0);
            for (const Resource& resource : r.state.resources) QVERIFY(!resource.first_waiter && !resource.first_writer);
        }
    }
    void hackbenchScales() {
        const Run r = run("hackbench -p -g 1 -f 2 -l 100", 2, 10);
        QCOMPARE(r[Tally::messages], std::uint64_t{2 * 2 * 10 + 4}); // 10 of 100 loops
        QVERIFY(r.state.samples[0].ns > 0);
        QCOMPARE(r.figure("time"), static_cast<double>(r.state.samples[0].ns) / 1e9 * 10);
        QCOMPARE(QString::fromStdString(r.benchmark.scaled), QStringLiteral("ran 10 of 100 loops; times are 10 times what it took"));
    }
    void confinementHolds() {
        const Run r = run("taskset -c 1,2 nice -n 5 hackbench -p -T -g 1 -f 2 -l 20", 4);
        QCOMPARE(r.state.rqs[0].busy_ns + r.state.rqs[3].busy_ns, std::uint64_t{0});
        for (const Task& t : r.state.tasks) QCOMPARE(int{t.nice}, 5);
    }

    /// Two wakeups a round trip: who waits is woken by each message. Here reading costs 1 us, so that the other one waits by then: the
    /// child waits first, so all 2 N messages wake. A round trip takes 2 us.
    void schedPipe() {
        for (const char* line : {"perf bench sched pipe -l 50", "perf bench sched pipe -T -l 50"}) {
            Benchmark b = benchmark(line, 3);
            for (TaskSpec& t : b.workload.tasks)
                for (Phase& p : t.phases)
                    for (std::size_t i = 0; i < p.ops.size(); ++i)
                        if (p.ops[i].kind == OpKind::read) p.ops.insert(p.ops.begin() + static_cast<std::ptrdiff_t>(i) + 1, commands::run(us));
            const Run r = run(std::move(b), 3);
            QCOMPARE(r.end, StopReason::finished);
            QCOMPARE(r[Tally::messages], std::uint64_t{100});
            std::uint64_t sync = 0;
            for (const Task& t : r.state.tasks) sync += t.stat.nr_wakeups_sync;
            QCOMPARE(sync, std::uint64_t{2 * 50});
            QCOMPARE(r.figure("usecs/op"), 2.0);
            QCOMPARE(r.figure("ops/sec"), 500'000.0);
        }
        QVERIFY(benchmark("perf bench sched pipe", 1).workload.tasks[1].process);
        QVERIFY(!benchmark("perf bench sched pipe -T", 1).workload.tasks[1].process);
    }

    /// Without costs a worker that has a CPU for itself sees no latency; what is 0 us long does not count.
    void schbenchWithoutContention() {
        const Run r = run("schbench -m 2 -t 3 -s 10000 -c 1000000 -r 10", 8);
        QCOMPARE(r.end, StopReason::limit);
        QCOMPARE(r.state.now, 10 * second);
        QCOMPARE(r.figure("p50.0"), -1.0); // no sample longer than 0
        // A round is 1 s of spinning and a reply after 10.05 to 12.55 ms: 9 whole rounds of 6 workers.
        QCOMPARE(r.state.samples.size(), std::size_t{9 * 6});
    }
    /// One CPU, two workers: they spin 20 ms of wall time side by side, and who is served while the other runs has to wait for it.
    void schbenchWithContention() {
        const Run r = run("schbench -m 1 -t 2 -s 1000 -c 20000 -r 5", 1);
        QVERIFY(r.figure("p50.0") >= 0);
        QVERIFY(r.figure("max") >= r.figure("p99.9") * 0.99 && r.figure("p99.9") >= r.figure("p50.0"));
        for (const Sample& s : r.state.samples) QVERIFY(s.ns >= 0 && s.series == 0);
    }
    /// All that posted are stamped at once and woken newest first.
    void aMessageThreadServesNewestFirst() {
        Workload w;
        w.series = {"latency"};
        w.resources.push_back({.name = "posts", .kind = ResourceKind::mailbox});
        const auto op = [](OpKind kind, std::int64_t ns = 0) {
            Op o;
            o.kind = kind;
            o.resource = 0;
            o.target = 0;
            o.amount.a = ns;
            return o;
        };
        const auto program = [](const char* name, std::vector<Op> ops) {
            TaskSpec t;
            t.name = name;
            t.loop = 1;
            t.phases.push_back(phase("", std::move(ops)));
            return t;
        };
        w.tasks = {program("message", {op(OpKind::sleep, 5 * ms), op(OpKind::serve)}), program("old", {op(OpKind::run, ms), op(OpKind::post), op(OpKind::run, ms)}),
                   program("new", {op(OpKind::sleep, 2 * ms), op(OpKind::run, ms), op(OpKind::post), op(OpKind::run, ms)})};
        for (TaskSpec& t : w.tasks) t.affinity.add(CpuId{0});
        Scenario scenario = test::scenario_of(Kernel::cfs_6_1, test::flat_machine(1), {});
        scenario.workload = w;
        Engine engine(test::shared(std::move(scenario)));
        NullSink sink;
        engine.run({.time = 100 * ms}, sink);
        QCOMPARE(engine.state().samples.size(), std::size_t{2});
        QCOMPARE(engine.state().samples[0].task, TaskId{2}); // new came back first: woken first
        QCOMPARE(engine.state().samples[1].task, TaskId{1});
        QCOMPARE(engine.state().samples[0].ns, std::int64_t{0});
        QCOMPARE(engine.state().samples[1].ns, ms);           // it waited for new's millisecond
    }
    /// Posting wakes who collects; who collects after somebody posted does not wait.
    void schbench2023() {
        const Run r = run("schbench -n 1 -F 24 -L -r 3", 2); // matrices of 32: 32768 steps of 0.83 ns = 27,197 ns
        std::array<std::int64_t, 3> count{};
        for (const Sample& s : r.state.samples) {
            ++count[static_cast<std::size_t>(s.series)];
            if (s.series == 1) QVERIFY(s.ns >= 150'000 + 27'197);
        }
        QCOMPARE(count[2], std::int64_t{3});                     // main looked at the clock each second
        QVERIFY(count[0] >= count[1] && count[0] <= count[1] + 2); // each request begins with a wakeup; two workers
        // Two workers, 177.197 us a request and nothing else that takes time: 2 * 3.001 s / 177.197 us = 33,872 at most.
        QVERIFY2(count[1] <= 33'872 && count[1] > 33'000, qPrintable(QString::number(count[1])));
        QVERIFY(std::abs(r.figure("average rps") - static_cast<double>(count[1]) / 3.001) < 1);
        QCOMPARE(r.figure("rps p20.0"), 0.0); // the look before anything was done
        QVERIFY(r.figure("request p50.0") >= 177);
    }

    void netperfCounts() {
        const Run rr = run("netperf -t TCP_RR -l 1 x2 -- -r 64,1024", 4, 20);
        QCOMPARE(rr.end, StopReason::limit);
        QCOMPARE(rr.figure("transactions"), static_cast<double>(rr[Tally::messages]) / 2 * 20); // in a twentieth of a second
        QVERIFY(rr.figure("transactions") > 0);
        const Run stream = run("netperf -l 1", 2, 20);
        QCOMPARE(stream.figure("received"), static_cast<double>(stream[Tally::messages]) * 16384 * 20);
        const Run udp = run("netperf -t UDP_STREAM -l 1 -- -m 1024", 1, 20); // one CPU: the sender fills the buffer and goes on
        QVERIFY(udp[Tally::dropped] > 0);
        QVERIFY(udp.figure("sent") > udp.figure("received"));
        const std::int64_t waiting = udp.state.resources[0].value / 1024;
        QCOMPARE(udp.figure("sent"), static_cast<double>(udp[Tally::messages] + udp[Tally::dropped] + static_cast<std::uint64_t>(waiting)) * 1024 * 20);
    }
    void uperfAndTbench() {
        const Run uperf = run("nthr=3 duration=50ms uperf -m netperf.xml", 4);
        QCOMPARE(uperf.state.tasks.size(), std::size_t{6});
        QCOMPARE(uperf.figure("throughput"), static_cast<double>(uperf[Tally::messages]) * 90 * 8 / 1e6 * 20);
        const Run tbench = run("tbench -t 1 2", 4);
        // 40 operations of 6 us carry 2 * (4 + 24 + 44 + 64) KiB = 278,528 bytes: 2 clients in 1 s about 2 * 278,528 / 240 us.
        QVERIFY(std::abs(tbench.figure("throughput") - 2 * 278'528 / 240e-6 / 1e6) < 25);
    }
    void stormAndKick() {
        const Run storm = run("storm -n 3 -p 12ms -t 100ms", 4);
        QCOMPARE(storm.state.tasks.size(), std::size_t{4});
        // Edges at 0, 12, ... 96 ms: nine times 100 us each.
        for (std::size_t c = 1; c < 4; ++c) QCOMPARE(storm.state.entity(storm.state.tasks[c].entity).sum_exec, std::uint64_t{9 * 100 * us});
        const Run kick = run("kick_ilb -t 2s", 4);
        QVERIFY(kick[Tally::kicks] >= kick[Tally::stats_kicks]);
        QCOMPARE(kick.state.now, 2 * second);
    }
    /// The same line and seed give the same run; another seed another one where something is drawn.
    void repeats() {
        const char* line = "schbench -m 1 -t 2 -s 1000 -c 3000 -r 1";
        QVERIFY(run(line, 2).state.samples == run(line, 2).state.samples);
        QVERIFY(run(line, 1, 1, 1).state.samples != run(line, 1, 1, 2).state.samples);
    }
};

} // namespace
} // namespace picknext

QTEST_APPLESS_MAIN(picknext::TestRuns)
#include "test_runs.moc"
