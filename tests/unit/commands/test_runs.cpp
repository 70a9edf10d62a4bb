// SPDX-License-Identifier: GPL-3.0-or-later
// Benchmarks run to their end on small machines, without costs: how many messages, wakeups and samples there are follows from the
// programs.
#include <QTest>

#include "core/commands/benchmark.hpp"
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

Run run(const char* line, int cpus, std::int64_t scale = 1, std::uint64_t seed = 1) {
    const Machine machine = test::flat_machine(cpus);
    Result<Benchmark> benchmark = read_benchmark(line, machine, {.scale = scale});
    if (!benchmark) qFatal("%s", benchmark.error().text().c_str());
    Scenario scenario = test::scenario_of(Kernel::eevdf_6_12y, machine, {});
    scenario.workload = benchmark->workload;
    scenario.seed = seed;
    Engine engine(test::shared(std::move(scenario)));
    NullSink sink;
    const StopReason end = engine.run({.time = std::min(time_limit(*benchmark), 100 * second)}, sink);
    return {std::move(*benchmark), engine.state(), end};
}

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
};

} // namespace
} // namespace picknext

QTEST_APPLESS_MAIN(picknext::TestRuns)
#include "test_runs.moc"
