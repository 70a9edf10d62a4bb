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
