// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/support/small_scenario.hpp"

namespace picknext::test {
namespace {

Dist fixed(std::int64_t ns) {
    Dist d;
    d.a = ns;
    return d;
}

Op op(OpKind kind, std::int64_t ns) {
    Op o;
    o.kind = kind;
    o.amount = fixed(ns);
    return o;
}

TaskSpec looping(const std::string& name, std::vector<Op> ops) {
    Phase phase;
    phase.name = "all";
    phase.loop = forever;
    phase.ops = std::move(ops);
    TaskSpec task;
    task.name = name;
    task.phases.push_back(std::move(phase));
    return task;
}

} // namespace

Machine flat_machine(int cores) {
    MachineCounts counts;
    counts.cores = cores;
    return build_machine(counts).value();
}

TaskSpec hog(const std::string& name, int nice) {
    TaskSpec task = looping(name, {op(OpKind::run, 1'000'000'000)});
    task.nice = nice;
    task.affinity.add(CpuId{0});
    return task;
}

TaskSpec sleeper(const std::string& name, std::int64_t run_ns, std::int64_t sleep_ns) {
    return looping(name, {op(OpKind::run, run_ns), op(OpKind::sleep, sleep_ns)});
}

Scenario scenario_of(Kernel kernel, Machine machine, std::vector<TaskSpec> tasks) {
    Scenario s;
    s.name = "test";
    s.settings = default_settings(kernel, machine.online().size());
    s.machine = std::move(machine);
    s.workload.tasks = std::move(tasks);
    return s;
}

} // namespace picknext::test
