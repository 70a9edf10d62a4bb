// SPDX-License-Identifier: GPL-3.0-or-later
// What CPUs ask of each other in a run. HZ 250: ticks at multiples of 4 ms.
#include <QTest>

#include "core/engine/engine.hpp"
#include "tests/support/small_scenario.hpp"

using namespace picknext;
using namespace picknext::test;

namespace {

constexpr std::int64_t ms = 1'000'000;
constexpr CpuId cpu0{0}, cpu1{1};

/// Counts schedule decisions of CPU 0 at 1 ms.
struct Reschedules final : Observer {
    int seen = 0;
    void on_decision(const State&, const DecisionHeader& h, std::span<const Check>) override {
        if (h.kind == Kind::schedule && h.cpu == 0 && h.at == ms) ++seen;
    }
};

} // namespace

class TestSeveralCpus : public QObject {
    Q_OBJECT
  private Q_SLOTS:
    /// Where no tick ever stops all three CPUs tick from the start, though only CPU 0 has work: 3 ticks each 4 ms. Where idle
    /// CPUs stop theirs it is CPU 0 alone.
    void idle_cpus_tick() {
        for (const NohzTick when : {NohzTick::never, NohzTick::always}) {
            Scenario s = scenario_of(Kernel::cfs_6_1, flat_machine(3), {hog("a", 0)});
            s.settings.set(Patch::nohz_tick, static_cast<int>(when));
            Engine engine(shared(s));
            NullSink sink;
            engine.run({.time = 8 * ms}, sink);
            QCOMPARE(engine.state().ticks, when == NohzTick::never ? 6U : 2U);
            QCOMPARE(engine.state().nohz.nr_cpus, when == NohzTick::never ? 0U : 2U);
        }
    }

    /// CPU 0 has 400 of CPU 1's 1024. A task that always works there grows to 400; from 320 on, 80 % of it, it fits no longer,
    /// and the larger CPU pulls it while it runs. One that may run on CPU 0 only stays, and is no misfit.
    void misfits_move_to_the_larger_cpu() {
        for (const Kernel kernel : {Kernel::cfs_6_1, Kernel::eevdf_6_12, Kernel::eevdf_6_12y}) {
            Machine machine = flat_machine(2);
            machine.cpus[0].capacity = 400;
            TaskSpec task = hog("grows", 0);
            task.affinity = {}; // any CPU
            task.start_cpu = cpu0;
            Scenario s = scenario_of(kernel, machine, {task});
            Engine engine(shared(s));
            NullSink sink;
            engine.run({.time = 12 * ms}, sink);
            QCOMPARE(engine.state().rq(cpu0).misfit_task_load, 0U); // its utilisation is below 320 still
            engine.run({.time = 400 * ms}, sink);
            QCOMPARE(engine.state().task(TaskId{0}).cpu, cpu1);
            // There it soon fills more than 80 % again; that no CPU is larger counts from 6.11 on.
            QCOMPARE(engine.state().rq(cpu1).misfit_task_load != 0, kernel < Kernel::eevdf_6_12);

            s.workload.tasks[0].affinity = CpuSet(2);
            s.workload.tasks[0].affinity.add(cpu0);
            Engine bound(shared(s));
            bound.run({.time = 400 * ms}, sink);
            QCOMPARE(bound.state().rq(cpu0).misfit_task_load, 0U);
            QCOMPARE(bound.state().task(TaskId{0}).cpu, cpu0);
        }
    }

    /// A child of CPU 0 that may run on CPU 1 only. It is placed behind its parent, so with CHILD_RUNS_FIRST they change
    /// places and the parent is asked to make way: CPU 0 schedules, and no request is left.
    void child_runs_first_elsewhere() {
        TaskSpec child = hog("child", 0);
        child.affinity = CpuSet(2);
        child.affinity.add(cpu1);
        child.start = Nanos{ms};
        child.start_cpu = cpu0;
        for (const bool first : {true, false}) {
            Scenario s = scenario_of(Kernel::cfs_5_10, flat_machine(2), {hog("parent", 0), child});
            s.settings.set(Feature::child_runs_first, first);
            Engine engine(shared(s));
            Reschedules asked;
            HeaderSink sink{&asked};
            engine.run({.time = ms}, sink);
            QCOMPARE(engine.state().task(TaskId{1}).cpu, cpu1);
            QCOMPARE(asked.seen, first ? 1 : 0);
            QCOMPARE(int{engine.state().rq(cpu0).need_resched}, 0);
        }
    }
};

QTEST_APPLESS_MAIN(TestSeveralCpus)
#include "test_several_cpus.moc"
