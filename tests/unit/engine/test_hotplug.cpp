// SPDX-License-Identifier: GPL-3.0-or-later
// CPUs go offline and come online under running tasks; values worked by hand. HZ 250.
#include <QTest>

#include "core/engine/engine.hpp"
#include "core/engine/invariants.hpp"
#include "core/topology/domains.hpp"
#include "tests/support/small_scenario.hpp"

namespace picknext {
namespace {

constexpr std::int64_t us = 1'000, ms = 1'000'000;

Edit cpu_edit(EditKind kind, int cpu, std::int64_t at = 0) {
    Edit e;
    e.kind = kind;
    e.cpu = CpuId{cpu};
    e.at = at;
    return e;
}
CpuSet only(std::initializer_list<int> cpus) {
    CpuSet set(8);
    for (const int c : cpus) set.add(CpuId{c});
    return set;
}
TaskSpec worker(const std::string& name, std::int64_t run_ns, std::int64_t sleep_ns, std::initializer_list<int> cpus) {
    TaskSpec t = test::sleeper(name, run_ns, sleep_ns);
    t.affinity = only(cpus);
    return t;
}

/// Placements and hotplug as "name>cpu reason" and "cpu reason", in order, with the us they were made at.
class Seen final : public Observer {
  public:
    explicit Seen(const Scenario& scenario) : m_scenario(scenario) {}
    void on_decision(const State& st, const DecisionHeader& h, std::span<const Check>) override {
        if (h.kind != Kind::place && h.kind != Kind::hotplug) return;
        const std::string who = h.task < 0 ? fmt::format("CPU{}", h.cpu) : fmt::format("{}>{}", task_name(m_scenario.workload, st.task(TaskId{h.task})), h.outcome);
        text += QString::fromStdString(fmt::format("{}{}:{} {}", text.isEmpty() ? "" : ", ", h.at / us, who, info(h.reason).name));
    }
    QString text;

  private:
    const Scenario& m_scenario;
};

struct Run {
    QString decisions;
    State state;
};
Run run(Scenario scenario, std::int64_t until) {
    const auto shared = test::shared(std::move(scenario));
    Engine engine(shared);
    Seen seen(*shared);
    HeaderSink sink{&seen};
    while (engine.next_event_time() <= until && engine.step(sink))
        if (const std::string broken = broken_invariant(engine.state()); !broken.empty()) qFatal("%s", broken.c_str());
    return {seen.text, engine.state()};
}

class TestHotplug final : public QObject {
    Q_OBJECT

  private Q_SLOTS:
    void aRunningTaskMovesToItsOtherCpu() { // 5 ms there, 5 ms here
        Scenario s = test::scenario_of(Kernel::eevdf_6_12, test::flat_machine(3), {worker("a", 10 * ms, 90 * ms, {1, 2})});
        s.edits = {cpu_edit(EditKind::offline, 1, 5 * ms)};
        const Run r = run(s, 20 * ms);
        QCOMPARE(r.decisions, QStringLiteral("0:a>1 place.slow_stay, 5000:CPU1 hotplug.offline, 5000:a>2 place.affinity"));
        QCOMPARE(r.state.task(TaskId{0}).cpu, CpuId{2});
        QCOMPARE(r.state.task(TaskId{0}).until, 100 * ms); // it slept from 10 ms on: no work was lost or counted twice
        QCOMPARE(r.state.entity(TaskId{0}).sum_exec, std::uint64_t{10 * ms});
        QCOMPARE(count(r.state.mask(r.state.task(TaskId{0}).affinity)), 2);
        QCOMPARE(r.state.rq(CpuId{1}).busy_ns, std::uint64_t{5 * ms});
    }
    void aTaskWhoseOnlyCpuGoesMayRunAnywhere() { // asleep: it finds out when it wakes, its timer on CPU 0
        Scenario s = test::scenario_of(Kernel::eevdf_6_12, test::flat_machine(3), {worker("a", ms, 4 * ms, {1})});
        s.edits = {cpu_edit(EditKind::offline, 1, 3 * ms)};
        const Run r = run(s, 5500 * us);
        QCOMPARE(r.decisions, QStringLiteral("0:a>1 place.only_allowed, 3000:CPU1 hotplug.offline, 5000:a>0 place.widened"));
        QCOMPARE(count(r.state.mask(r.state.task(TaskId{0}).affinity)), 3);
    }
    void allThatWaitMoveToo() { // three tasks bound to one CPU; all are widened, the running one first
        Scenario s = test::scenario_of(Kernel::eevdf_6_12, test::flat_machine(2),
                                       {worker("a", 50 * ms, ms, {1}), worker("b", 50 * ms, ms, {1}), worker("c", 50 * ms, ms, {1})});
        s.edits = {cpu_edit(EditKind::offline, 1, ms)};
        const Run r = run(s, 2 * ms);
        for (const char* who : {"a", "b", "c"}) QCOMPARE(r.decisions.count(QStringLiteral("1000:%1>0 place.widened").arg(QLatin1String(who))), 1);
        QCOMPARE(r.decisions.indexOf(QStringLiteral("place.widened")), r.decisions.indexOf(QStringLiteral("1000:a>0 place.widened")) + 9);
        QCOMPARE(r.state.rq(CpuId{0}).nr_running, 3U);
        QCOMPARE(r.state.rq(CpuId{1}).nr_running, 0U);
    }
    void theLastCpuStays() {
        Scenario s = test::scenario_of(Kernel::eevdf_6_12, test::flat_machine(2), {test::sleeper("a", ms, ms)});
        s.edits = {cpu_edit(EditKind::offline, 0, 0), cpu_edit(EditKind::offline, 0, 0), cpu_edit(EditKind::offline, 1, 0)};
        const Run r = run(s, 0);
        QVERIFY(r.decisions.startsWith(QStringLiteral("0:CPU0 hotplug.offline, 0:CPU0 hotplug.same, 0:CPU1 hotplug.last")));
        QCOMPARE(r.state.rq(CpuId{0}).online, std::uint8_t{0});
        QCOMPARE(r.state.rq(CpuId{1}).online, std::uint8_t{1});
        QCOMPARE(r.state.rq(CpuId{1}).nr_running, 1U);
    }
    void domainsFollow() { // 2 cores of 2 threads: without one thread, its sibling has no SMT domain
        MachineCounts counts;
        counts.cores = 2;
        counts.threads = 2;
        const Machine machine = build_machine(counts).value();
        CpuId sibling;
        for (std::size_t c = 1; c < 4; ++c)
            if (machine.cpu(CpuId{c}).core == machine.cpu(CpuId{0}).core) sibling = CpuId{c};
        CpuSet online = machine.online();
        QCOMPARE(build_domains(machine, online, Kernel::eevdf_6_12).domain(build_domains(machine, online, Kernel::eevdf_6_12).cpu(CpuId{0}).base).weight, 2);
        online.remove(sibling);
        const Domains d = build_domains(machine, online, Kernel::eevdf_6_12);
        QCOMPARE(d.domain(d.cpu(CpuId{0}).base).level, SdLevel::mc);
        QCOMPARE(d.domain(d.cpu(CpuId{0}).base).weight, 3);
        QVERIFY(!d.cpu(sibling).base);
        QCOMPARE(d.cpu(sibling).llc_size, 1);
        QVERIFY(d.smt_present); // the other core has two threads still

        Engine engine(test::shared(test::scenario_of(Kernel::eevdf_6_12, machine, {test::sleeper("a", ms, ms)})));
        NullSink sink;
        const std::size_t rows = engine.state().domains.size(); // SMT and MC of four
        QCOMPARE(rows, std::size_t{8});
        engine.edit(cpu_edit(EditKind::offline, sibling.value), sink);
        QCOMPARE(engine.state().domains.size(), std::size_t{5}); // MC of three, SMT of two
        engine.edit(cpu_edit(EditKind::online, sibling.value), sink);
        QCOMPARE(engine.state().domains.size(), rows);
    }
    void nohzForgetsTheCpu() {
        Scenario s = test::scenario_of(Kernel::eevdf_6_12, test::flat_machine(4), {test::sleeper("a", ms, ms)});
        s.workload.tasks[0].start = Nanos{50 * ms};
        Engine engine(test::shared(s));
        NullSink sink;
        const State& st = engine.state();
        QCOMPARE(st.nohz.nr_cpus, 4U);
        QCOMPARE(st.llc_shared[0].nr_busy_cpus, 0U);
        engine.edit(cpu_edit(EditKind::offline, 3), sink);
        QCOMPARE(st.nohz.nr_cpus, 3U);
        QCOMPARE(st.nohz_idle_cpus[0], std::uint64_t{0b0111});
        // The new domain counts all its CPUs busy: those in the mask are not counted out again before they left it.
        QCOMPARE(st.llc_shared.size(), std::size_t{1});
        QCOMPARE(st.llc_shared[0].nr_busy_cpus, 3U);
        QCOMPARE(broken_invariant(st), std::string());
        engine.edit(cpu_edit(EditKind::online, 3), sink);
        QCOMPARE(broken_invariant(st), std::string());
        QCOMPARE(st.rq(CpuId{3}).online, std::uint8_t{1});
        // It comes up with its tick. Whether the idle loop stops it at once is the governor's; the books agree either way.
        QCOMPARE(st.nohz.nr_cpus, 3U + st.rq(CpuId{3}).nohz_tick_stopped);
        QCOMPARE(st.llc_shared[0].nr_busy_cpus, 4U - st.rq(CpuId{3}).llc_nohz_idle);
    }
    void scaledTunablesFollow() { // base_slice 0.75 ms times 1 + log2 of the CPUs: 3 for four, 2 for three
        Engine engine(test::shared(test::scenario_of(Kernel::eevdf_6_12, test::flat_machine(4), {test::sleeper("a", ms, ms)})));
        NullSink sink;
        QCOMPARE(engine.state().settings[Tunable::base_slice], std::int64_t{2'250'000});
        engine.edit(cpu_edit(EditKind::offline, 1), sink);
        QCOMPARE(engine.state().settings[Tunable::base_slice], std::int64_t{1'500'000});
        engine.edit(cpu_edit(EditKind::online, 1), sink);
        QCOMPARE(engine.state().settings[Tunable::base_slice], std::int64_t{2'250'000});
    }
    void anotherAffinityMovesARunningTask() {
        Scenario s = test::scenario_of(Kernel::eevdf_6_12, test::flat_machine(3), {worker("a", 10 * ms, 90 * ms, {0})});
        Edit e;
        e.kind = EditKind::affinity;
        e.at = 2 * ms;
        e.task = 0;
        e.cpus = only({2});
        s.edits = {e};
        const Run r = run(s, 20 * ms);
        QCOMPARE(r.decisions, QStringLiteral("0:a>0 place.only_allowed, 2000:a>2 place.affinity"));
        QCOMPARE(r.state.entity(TaskId{0}).sum_exec, std::uint64_t{10 * ms});
    }
    void aRestoredStateBringsItsDomains() { // an engine that never met that set of CPUs goes on as the other one does
        const auto scenario = test::shared(test::scenario_of(Kernel::eevdf_6_12, test::flat_machine(4),
                                                             {test::sleeper("a", ms, ms), test::sleeper("b", 2 * ms, ms)}));
        NullSink sink;
        Engine one(scenario), other(scenario);
        one.run({.time = 10 * ms}, sink);
        one.edit(cpu_edit(EditKind::offline, 0), sink);
        other.restore(one.state());
        one.run({.time = 60 * ms}, sink);
        other.run({.time = 60 * ms}, sink);
        QCOMPARE(digest(one.state()), digest(other.state()));
        QCOMPARE(one.state().rq(CpuId{0}).online, std::uint8_t{0});
    }
};

} // namespace
} // namespace picknext

using picknext::TestHotplug;
QTEST_APPLESS_MAIN(TestHotplug)
#include "test_hotplug.moc"
