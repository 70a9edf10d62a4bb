// SPDX-License-Identifier: GPL-3.0-or-later
// What programs do: every operation against times worked out by hand. HZ 250 unless said.
#include <QTest>

#include "tests/support/small_scenario.hpp"
#include "tests/support/switches.hpp"

namespace picknext {
namespace {

constexpr std::int64_t us = 1'000, ms = 1'000'000;

Dist fixed(std::int64_t ns) {
    Dist d;
    d.a = ns;
    return d;
}
Op timed(OpKind kind, std::int64_t ns) {
    Op op;
    op.kind = kind;
    op.amount = fixed(ns);
    return op;
}
Op on(OpKind kind, std::int32_t resource, std::int32_t second = -1) {
    Op op;
    op.kind = kind;
    op.resource = resource;
    op.second = second;
    return op;
}
TaskSpec task(const std::string& name, std::vector<Op> ops, std::int64_t loop = 1) {
    TaskSpec spec;
    spec.name = name;
    spec.loop = loop;
    Phase phase;
    phase.ops = std::move(ops);
    spec.phases.push_back(std::move(phase));
    return spec;
}
CpuSet only(int cpu) {
    CpuSet set(8);
    set.add(CpuId{cpu});
    return set;
}

struct Run {
    QString switches;
    std::int64_t last = 0;
    State state;
};
Run run(Scenario scenario, std::int64_t until) {
    test::Run r = test::run_switches(std::move(scenario), until);
    if (!r.broken.empty()) qFatal("%s", r.broken.c_str());
    return {QString::fromStdString(r.switches), r.last, std::move(r.state)};
}
Scenario scenario(int cpus, std::vector<TaskSpec> tasks, std::vector<ResourceSpec> resources = {}) {
    Scenario s = test::scenario_of(Kernel::eevdf_6_12y, test::flat_machine(cpus), std::move(tasks));
    s.workload.resources = std::move(resources);
    return s;
}
ResourceSpec resource(ResourceKind kind, std::int64_t initial = 0, bool shared = true) {
    return {.name = "r", .kind = kind, .initial = initial, .shared = shared};
}

class TestEngine final : public QObject {
    Q_OBJECT
  private Q_SLOTS:
    void runsAndSleeps() {
        const Run r = run(scenario(1, {task("a", {timed(OpKind::run, 2 * ms), timed(OpKind::sleep, 3 * ms), timed(OpKind::run, ms)})}), 20 * ms);
        QCOMPARE(r.switches, QStringLiteral("a@0:0 idle@0:2000 a@0:5000 idle@0:6000"));
        QCOMPARE(r.state.entity(TaskId{0}).sum_exec, std::uint64_t{3 * ms});
        QCOMPARE(r.state.task(TaskId{0}).state, TaskState::dead);
    }
    void workStretchesOnASmallCpu() {
        Scenario s = scenario(1, {task("a", {timed(OpKind::run, ms)})});
        s.machine.cpus[0].capacity = 512; // twice the time
        QCOMPARE(run(std::move(s), 20 * ms).switches, QStringLiteral("a@0:0 idle@0:2000"));
    }
    void spinningEndsByTheClock() { // preempted time counts: b begins at the first tick, 4 ms, and ends at 14 ms
        TaskSpec a = task("a", {timed(OpKind::spin, 10 * ms)}), b = task("b", {timed(OpKind::spin, 10 * ms)});
        const Run r = run(scenario(1, {a, b}), 20 * ms);
        QCOMPARE(r.last, 14 * ms);
        QCOMPARE(r.state.entity(TaskId{0}).sum_exec + r.state.entity(TaskId{1}).sum_exec, std::uint64_t{14 * ms});
    }
    void aRunningTaskLeavesAForbiddenCpu() {
        Op move;
        move.kind = OpKind::set;
        move.attributes.affinity = only(1);
        TaskSpec a = task("a", {timed(OpKind::run, ms), move, timed(OpKind::run, ms)});
        a.affinity = only(0);
        TaskSpec h = test::hog("h", 0);
        h.start = Nanos{500 * us};
        const Run r = run(scenario(2, {a, h}), 3 * ms);
        // The stopper leaves CPU 0 to h; a goes on at CPU 1 at once.
        QCOMPARE(r.switches, QStringLiteral("a@0:0 idle@0:1000 h@0:1000 a@1:1000 idle@1:2000"));
        QCOMPARE(r.state.task(TaskId{0}).migrations, std::uint64_t{1});
    }
    void aListGoesThroughByItself() {
        Op first = timed(OpKind::run, 0), second = timed(OpKind::sleep, 0);
        first.amount.kind = second.amount.kind = Dist::Kind::list;
        first.amount.values = {ms, 2 * ms};
        second.amount.values = {3 * ms, 4 * ms};
        const Run r = run(scenario(1, {task("a", {first, second}, 3)}), 40 * ms);
        QCOMPARE(r.switches, QStringLiteral("a@0:0 idle@0:1000 a@0:4000 idle@0:6000 a@0:10000 idle@0:11000 a@0:14000 idle@0:14000"));
    }
    void aMutexPassesToWhoWaitsLongest() {
        const std::vector<Op> ops{on(OpKind::lock, 0), timed(OpKind::run, 2 * ms), on(OpKind::unlock, 0)};
        TaskSpec a = task("a", ops), b = task("b", ops), c = task("c", ops);
        a.affinity = only(0);
        b.affinity = only(1);
        c.affinity = only(2);
        b.start = Nanos{2 * us};
        c.start = Nanos{us};
        const Run r = run(scenario(3, {a, b, c}, {resource(ResourceKind::mutex)}), 20 * ms);
        // c came first although b is named first. Who unlocks wakes the next; CPUs settle lowest first, the unlocker's own at once.
        QCOMPARE(r.switches, QStringLiteral("a@0:0 c@2:1 idle@2:1 b@1:2 idle@1:2 idle@0:2000 c@2:2000 idle@2:4000 b@1:4000 idle@1:6000"));
    }
    void aSignalWithoutWaiterIsLost() {
        TaskSpec waiter = task("w", {timed(OpKind::sleep, 2 * ms), on(OpKind::lock, 1), on(OpKind::wait, 0, 1), on(OpKind::unlock, 1)});
        TaskSpec early = task("e", {timed(OpKind::sleep, ms), on(OpKind::signal, 0)});
        const Run r = run(scenario(2, {waiter, early}, {resource(ResourceKind::cond), resource(ResourceKind::mutex)}), 20 * ms);
        QCOMPARE(r.state.task(TaskId{0}).state, TaskState::sleeping);
        QCOMPARE(r.state.task(TaskId{0}).doing, Doing::waiting);
    }
    void semaphoresCount() {
        TaskSpec poster = task("p", {on(OpKind::sem_post, 0), on(OpKind::sem_post, 0)});
        TaskSpec taker = task("t", {timed(OpKind::sleep, ms), on(OpKind::sem_wait, 0), on(OpKind::sem_wait, 0), on(OpKind::sem_wait, 0), timed(OpKind::run, ms)});
        const Run r = run(scenario(2, {poster, taker}, {resource(ResourceKind::sem, 1)}), 20 * ms);
        QCOMPARE(r.state.task(TaskId{1}).state, TaskState::dead); // one to begin with and two posted
        QCOMPARE(r.state.resources[0].value, std::int64_t{0});
    }
    void aBarrierWaitsForAllParties() {
        const auto party = [](const char* name, int cpu, std::int64_t work) {
            TaskSpec t = task(name, {timed(OpKind::run, work), on(OpKind::barrier, 0), timed(OpKind::run, ms)});
            t.affinity = only(cpu);
            return t;
        };
        const Run r = run(scenario(2, {party("a", 0, ms), party("b", 1, 3 * ms)}, {resource(ResourceKind::barrier, 2)}), 20 * ms);
        QCOMPARE(r.switches, QStringLiteral("a@0:0 b@1:0 idle@0:1000 a@0:3000 idle@0:4000 idle@1:4000"));
    }
    void aFullPipeBlocksTheWriter() {
        Op write = on(OpKind::write, 0), read = on(OpKind::read, 0);
        write.bytes = read.bytes = 3;
        TaskSpec w = task("w", {write, write, timed(OpKind::run, ms)});
        TaskSpec r = task("r", {timed(OpKind::sleep, 2 * ms), read, read, timed(OpKind::run, ms)});
        w.affinity = only(0);
        r.affinity = only(1);
        const Run done = run(scenario(2, {w, r}, {resource(ResourceKind::pipe, 4)}), 20 * ms); // room for one message
        QCOMPARE(done.state.resources[0].value, std::int64_t{0});
        QCOMPARE(done.state.task(TaskId{0}).state, TaskState::dead);
        QCOMPARE(done.state.task(TaskId{1}).state, TaskState::dead);
        QCOMPARE(done.last, 3 * ms);
    }
    void timersKeepTheirGridOrNot_data() {
        QTest::addColumn<bool>("absolute");
        QTest::addColumn<QString>("switches");
        // Period 4 ms, work of 6 ms: the second expiry (8 ms) is missed at 10 ms.
        QTest::newRow("relative: counts anew") << false << "a@0:0 idle@0:0 a@0:4000 idle@0:11000 a@0:14000 idle@0:15000";
        QTest::newRow("absolute: keeps the grid") << true << "a@0:0 idle@0:0 a@0:4000 idle@0:11000 a@0:12000 idle@0:13000";
    }
    void timersKeepTheirGridOrNot() {
        QFETCH(bool, absolute);
        Op timer = on(OpKind::timer, 0);
        timer.period = 4 * ms;
        timer.absolute = absolute;
        const Run r = run(scenario(1, {task("a", {timer, timed(OpKind::run, 6 * ms), timer, timed(OpKind::run, ms), timer, timed(OpKind::run, ms)})},
                                   {resource(ResourceKind::timer)}), 40 * ms);
        QTEST(r.switches, "switches");
    }
    void resumeWakesOnlyWhoSleeps() {
        TaskSpec s = task("s", {timed(OpKind::sleep, 2 * ms), on(OpKind::suspend, 0), timed(OpKind::run, ms)});
        TaskSpec early = task("e", {timed(OpKind::sleep, ms), on(OpKind::resume, 0), timed(OpKind::sleep, 4 * ms), on(OpKind::resume, 0)});
        const Run r = run(scenario(2, {s, early}, {resource(ResourceKind::suspend)}), 20 * ms);
        QCOMPARE(r.last, 6 * ms); // resumed at 5 ms by the second one
        QCOMPARE(r.state.task(TaskId{0}).state, TaskState::dead);
    }
    void aForkRunsItsOwnProgram() {
        Op fork;
        fork.kind = OpKind::fork;
        fork.target = 1;
        TaskSpec child = task("child", {timed(OpKind::run, ms)});
        child.count = 0;
        const Run r = run(scenario(4, {task("p", {timed(OpKind::run, ms), fork, fork, timed(OpKind::run, ms)}), child}), 20 * ms);
        QCOMPARE(r.state.tasks.size(), std::size_t{3});
        QCOMPARE(r.state.task(TaskId{2}).instance, 1);
        QCOMPARE(r.last, 2 * ms); // all three end together on CPUs of their own
    }
    void zeroTimeRoundsGoOn() { // a loop of wakeups that take no time: 1 us of assumed work a round
        const Run r = run(scenario(1, {task("a", {on(OpKind::sem_post, 0)}, forever)}, {resource(ResourceKind::sem)}), 10 * us);
        QCOMPARE(r.state.resources[0].value, std::int64_t{11}); // at 0, 1, ... 10 us
    }
    void aLoneTaskTicksAtMultiples() {
        const Run r = run(scenario(1, {task("a", {timed(OpKind::sleep, ms), timed(OpKind::run, 10 * ms)})}), 20 * ms);
        QCOMPARE(r.state.ticks, std::uint64_t{2}); // at 4 and 8 ms; it ran from 1 to 11 ms
    }
};

} // namespace
} // namespace picknext

using picknext::TestEngine;
QTEST_APPLESS_MAIN(TestEngine)
#include "test_engine.moc"
