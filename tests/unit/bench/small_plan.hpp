// SPDX-License-Identifier: GPL-3.0-or-later
// A benchmark whose figures anybody can work out: tasks that only run.
#pragma once

#include <algorithm>

#include "core/bench/plan.hpp"

namespace picknext::bench::test {

/// `tasks` tasks on as many CPUs without SMT, each of `rounds` rounds that stamp, run `amount` and sample how long it took.
inline Benchmark runners(int tasks, std::int64_t rounds, const Dist& amount) {
    Benchmark b;
    b.command = "runners";
    b.workload.series = {"round"};
    TaskSpec spec;
    spec.name = "runner";
    spec.count = tasks;
    spec.loop = rounds;
    Op stamp, work, sample;
    stamp.kind = OpKind::stamp;
    work.kind = OpKind::run;
    work.amount = amount;
    sample.kind = OpKind::sample;
    sample.target = 0;
    spec.phases = {Phase{"all", 1, {}, {stamp, work, sample}}};
    b.workload.tasks = {spec};
    b.figures = [](const State& st) {
        std::int64_t longest = 0;
        for (const Sample& s : st.samples) longest = std::max(longest, s.ns);
        return std::vector<Figure>{{"time", "s", Better::lower, static_cast<double>(longest) / 1e9}, {"rounds", "", Better::higher, static_cast<double>(st.samples.size())}};
    };
    b.report = [](const State& st) { return "Time: " + std::to_string(st.now) + "\n"; };
    b.of = static_cast<double>(tasks) * static_cast<double>(rounds);
    b.operations = [](const State& st) { return static_cast<double>(st.samples.size()); };
    b.operation = "round";
    return b;
}

inline Dist fixed(std::int64_t ns) { return {Dist::Kind::fixed, ns, 0, {}, true}; }
inline Dist uniform(std::int64_t low, std::int64_t high) { return {Dist::Kind::uniform, low, high, {}, true}; }

/// Two cells and two arms of it on four CPUs.
inline Plan small_plan(int repeats, const Dist& amount) {
    Plan p;
    p.command = "runners";
    MachineCounts counts;
    counts.cores = 4;
    p.machine = *build_machine(counts);
    const Settings settings = default_settings(Kernel::eevdf_6_12, 4);
    p.arms = {{"A", "", settings}, {"B", "feature.RUN_TO_PARITY=off", settings}};
    p.arms[1].settings.set(Feature::run_to_parity, false);
    p.cells = {{"n=2", runners(2, 3, amount)}, {"n=6", runners(6, 3, amount)}};
    p.repeats = repeats;
    p.seed = 7;
    return p;
}

} // namespace picknext::bench::test
