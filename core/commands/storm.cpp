// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/commands/storm.hpp"

#include <algorithm>
#include <array>

#include <fmt/format.h>

#include "core/commands/programs.hpp"

namespace picknext::commands {
namespace {

constexpr std::int64_t ms = 1'000'000;
constexpr std::array storm_options{Option{'n', "tasks", true}, Option{'p', "period", true}, Option{'w', "work", true}, Option{'t', "time", true}};
constexpr std::array kick_options{Option{'t', "time", true}};

CpuSet only(CpuId cpu) {
    CpuSet set;
    set.add(cpu);
    return set;
}
TaskSpec pinned(std::string name, CpuId cpu, Phase work) {
    TaskSpec t = task(std::move(name), {std::move(work)});
    t.affinity = only(cpu);
    t.start_cpu = cpu;
    return t;
}

} // namespace

Storm read_storm(Arguments& args, std::int64_t cpus, std::int64_t scale) {
    Storm tool;
    Word last{{}, 1};
    while (const auto a = args.next(storm_options)) {
        last = a->value;
        switch (a->letter) {
        case 'n': tool.tasks = args.integer(a->value, 1, static_cast<std::int64_t>(max_cpus)); break;
        case 'p': tool.period = args.duration(a->value, 1000); break;
        case 'w': tool.work = args.duration(a->value, 1); break;
        case 't': tool.runtime = args.duration(a->value, ms); break;
        default: args.unexpected(*a);
        }
    }
    if (tool.tasks == 0) tool.tasks = std::max<std::int64_t>(cpus - 1, 1);
    if (tool.tasks >= cpus)
        args.fail("E-RANGE", last, fmt::format("{} tasks and one that always runs need {} CPUs, there are {}; lower -n or choose a larger topology", tool.tasks, tool.tasks + 1, cpus));
    tool.runtime = std::max(tool.runtime / scale, ms);
    return tool;
}

KickIlb read_kick_ilb(Arguments& args, std::int64_t cpus, std::int64_t scale) {
    KickIlb tool;
    while (const auto a = args.next(kick_options)) {
        if (a->letter == 't') tool.runtime = args.duration(a->value, ms);
        else args.unexpected(*a);
    }
    if (cpus < 3) args.fail("E-RANGE", {{}, 1}, fmt::format("kick_ilb needs 3 CPUs, there are {}; choose a larger topology", cpus));
    tool.runtime = std::max(tool.runtime / scale, ms);
    return tool;
}

Workload workload_of(const Storm& tool, const std::vector<CpuId>& cpus) {
    Workload w;
    w.name = "idle and sleep storm";
    Op edge = on(OpKind::timer, add_resource(w, "edge", ResourceKind::timer));
    w.resources.back().shared = false; // each its own, all from the same start
    edge.period = tool.period;
    edge.absolute = true;
    w.tasks.push_back(pinned("always", cpus[0], phase("run", {run(100 * ms)}, forever)));
    for (std::int64_t i = 0; i < tool.tasks; ++i)
        w.tasks.push_back(pinned(fmt::format("storm {}", i), cpus[static_cast<std::size_t>(i) + 1], phase("work and sleep", {run(tool.work), edge}, forever)));
    return w;
}

Workload workload_of(const KickIlb&, const std::vector<CpuId>& cpus) {
    Workload w;
    w.name = "kick_ilb";
    w.tasks.push_back(pinned("on and off", cpus[1], phase("run and sleep", {run(500 * ms), sleep(1000 * ms)}, forever)));
    w.tasks.push_back(pinned("ticking", cpus[2], phase("run", {run(100 * ms)}, forever)));
    w.tasks.back().start = Nanos{600 * ms};
    return w;
}

std::vector<Figure> nohz_figures(const State& state) {
    std::vector<Figure> out;
    const auto mean = [&](std::string name, std::string unit, Tally time, Tally count, double scale) {
        const auto n = static_cast<double>(state.accounts[count]);
        if (n > 0) out.push_back({std::move(name), std::move(unit), Better::lower, static_cast<double>(state.accounts[time]) / n / scale});
    };
    mean("enter", "ns", Tally::nohz_enter_ns, Tally::nohz_enters, 1);
    mean("loop", "us", Tally::nohz_run_ns, Tally::nohz_runs, 1e3);
    if (state.now <= 0) return out;
    const auto rate = [&](Tally t) { return static_cast<double>(state.accounts[t]) * 1e9 / static_cast<double>(state.now); };
    out.push_back({"stats kicks", "1/s", Better::lower, rate(Tally::stats_kicks)});
    out.push_back({"kicks", "1/s", Better::lower, rate(Tally::kicks)});
    return out;
}

std::string nohz_report(const State& state) {
    std::string out;
    for (const Figure& f : nohz_figures(state)) out += fmt::format("{:<12} {:12.3f} {}\n", f.name, f.value, f.unit);
    return out;
}

} // namespace picknext::commands
