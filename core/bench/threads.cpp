// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/bench/threads.hpp"

#include <array>

#include <fmt/format.h>

#include "core/profile/changes.hpp"

namespace picknext::bench {
namespace {

constexpr std::array table{
    Thread{1, "sched/fair: Optimize test_idle_cores() for !SMT", "Barry Song", "21 March 2021", "Kunpeng 920, one NUMA node, no SMT",
           "The patch saves two reads of a cache line per search. Known distances between CPUs explain a third to a half of the published gain at most; the rest is "
           "charged as llc_shared_extra, a constant fitted to this very table, and the second panel leaves it out. What causes the rest is not in the thread.",
           &thread_1},
    Thread{2, "sched/fair: ensure tasks spreading in LLC during LB", "Vincent Guittot", "2 November 2020", "HiKey, 8 arm64 CPUs",
           "The tail comes from decisions and hangs on no constant. The medians hang on the futex, interrupt and cold-cache constants, which were fitted to them.",
           &thread_2},
    Thread{3, "RFC: select idle cpu from idle cpumask in sched domain", "Aubrey Li; tests by Vincent Guittot", "September 2020", "HiKey, 8 arm64 CPUs",
           "A machine that nobody uses still wakes short tasks now and then. Assumed here: some that fill all CPUs for 40 ms, by which the first draft loses every bit of "
           "its mask, and one that runs 30 us every 4 ms. With the draft a pair that meets on one CPU stays there for good, and one that comes apart stays apart: which, is a matter "
           "of the first moments, so runs fall in two heaps. The pair starts at 30 ms, a moment chosen among five: there 7 of 8 seeds of sched pipe stay on one CPU, "
           "at 0 ms 4 and at 50 ms 3 of 8; with two or more such tasks the one seed tried came apart, with one per CPU the loss was 2 to 15 %. So the size of the loss is "
           "that of the state the thread saw, not a forecast of how often it is met. tcp_send and tcp_receive were fitted to both uperf figures. uperf's figures fit one connection, not one per "
           "CPU. The loss of the first draft depends on the platform: on the HiKey a switch between tasks costs more than waking another CPU, on x86 it does not, and the "
           "sign may turn. The wake path of the HiKey profile was fitted to the two published sched pipe figures.",
           &thread_3},
    Thread{4, "sched/eevdf: O(1) fastpath for task selection", "Abel Wu", "7 November 2023", "2 x Xeon 8260, 2 nodes of 24 cores with SMT, one cgroup",
           "Shares of pick paths follow from queue lengths, so from how workloads are modelled. The patch changes what a pick costs, never which task it picks; no "
           "throughput can show it.",
           &thread_4},
    Thread{5, "sched: Stop nohz stats when decayed", "Vincent Guittot; measured by Valentin Schneider", "9 February 2018", "not stated; the HiKey is assumed",
           "The published loop fits a round that brings all idle CPUs up to date, as before the thread; with the flag most have nothing left to decay in this workload, and "
           "the round is shorter than published. The storm of CPUs that go idle at once was asked for in the thread and never measured: its figures are ours alone.",
           &thread_5},
};

bool in_panel(const Published& row, int thread, const Panel& panel) { return row.thread == thread && row.panel == panel.name; }

} // namespace

std::span<const Thread> threads() { return table; }

Result<Panel> make_panel(const PanelSpec& spec, const Platforms& platforms, bool full) {
    Panel out{spec.name, spec.commands.front(), spec.topology, spec.costs, spec.kernel, spec.note, spec.same, spec.shown, {}, full ? 1 : spec.scale};
    Plan& plan = out.plan;
    Result<Machine> machine = platforms.machine(spec.topology);
    if (!machine) return machine.error();
    plan.machine = std::move(*machine);
    Result<cost::CostProfile> costs = platforms.costs(spec.costs);
    if (!costs) return costs.error();
    plan.costs = std::move(*costs);
    if (spec.costs_changed) spec.costs_changed(plan.costs.costs);
    const int cpus = plan.machine.online().size();
    const std::optional<Kernel> kernel = find_kernel(spec.kernel);
    PICKNEXT_ASSERT(kernel.has_value(), "kernel {} of panel {}", spec.kernel, spec.name);
    for (const auto& [name, changes] : {std::pair<std::string, std::string>{"before", spec.before}, {"after", spec.after}}) {
        Result<Settings> settings = changed(default_settings(*kernel, cpus), cpus, changes);
        if (!settings) return settings.error();
        plan.arms.push_back({name, changes, *settings});
    }
    std::optional<Sweep> sweep;
    if (!spec.sweep.empty()) {
        Result<Sweep> read = read_sweep(spec.sweep);
        if (!read) return read.error();
        sweep = std::move(*read);
    }
    const Reader read = reader_of({.scale = full ? 1 : spec.scale});
    plan.command = out.command;
    plan.repeats = full ? spec.full_repeats : spec.repeats;
    for (const std::string& command : spec.commands) {
        Result<std::vector<Cell>> cells = cells_of(command, sweep ? &*sweep : nullptr, plan.machine, read);
        if (!cells) return cells.error();
        for (Cell& cell : *cells) {
            if (spec.commands.size() > 1) cell.label = cell.benchmark.command;
            if (spec.around) spec.around(cell.benchmark.workload, plan.machine);
            plan.cells.push_back(std::move(cell));
        }
    }
    return out;
}

Result<std::vector<Panel>> make_panels(const std::vector<PanelSpec>& specs, const Platforms& platforms, bool full) {
    std::vector<Panel> out;
    for (const PanelSpec& spec : specs) {
        Result<Panel> panel = make_panel(spec, platforms, full);
        if (!panel) {
            Error error = panel.error();
            error.message = fmt::format("panel \"{}\": {}", spec.name, error.message);
            return error;
        }
        out.push_back(std::move(*panel));
    }
    return out;
}

Run pooled(const Outcome& outcome, std::size_t cells, std::size_t arm, int repeat) {
    Run out;
    for (std::size_t c = 0; c < cells; ++c) {
        const Run& run = outcome.run(c, arm, repeat);
        if (run.end != End::done) return {};
        out.operations += run.operations;
        out.took += run.took;
        out.events += run.events;
        out.switches += run.switches;
        out.wakeups += run.wakeups;
        for (std::size_t i = 0; i < out.accounts.spent.size(); ++i) out.accounts.spent[i] += run.accounts.spent[i];
        for (std::size_t i = 0; i < out.accounts.tallies.size(); ++i) out.accounts.tallies[i] += run.accounts.tallies[i];
        for (std::size_t i = 0; i < out.lines.size(); ++i) out.lines[i] += run.lines[i];
    }
    out.end = End::done;
    return out;
}

std::vector<Judged> judge(int thread, const Panel& panel, const Outcome& outcome) {
    std::vector<Judged> out;
    const std::vector<Cell>& cells = panel.plan.cells;
    for (const Published& row : published_table()) {
        if (!in_panel(row, thread, panel)) continue;
        Judged j{&row, {}, {}, {}};
        for (std::size_t c = 0; c < cells.size(); ++c) {
            if (!row.cell.empty() && cells[c].label != row.cell) continue;
            const bool all = row.cell.empty() && cells.size() > 1;
            for (int r = 0; r < outcome.repeats; ++r) {
                const auto value = [&](std::size_t arm) { return figure(all ? pooled(outcome, cells.size(), arm, r) : outcome.run(c, arm, r), row.metric); };
                const std::optional<double> before = value(0), after = value(1);
                if (!before || !after) continue;
                j.before.push_back(*before);
                j.after.push_back(*after);
            }
            break;
        }
        if (!j.before.empty()) j.paired = metrics::paired(j.before, j.after);
        if (row.before && !row.ratio_only) j.before_verdict = judge_value(*row.before, row.tolerance, row.absolute, j.before);
        if (row.after && !row.ratio_only) j.after_verdict = judge_value(*row.after, row.tolerance, row.absolute, j.after);
        if (row.before && row.after) j.effect = judge_effect(*row.before, *row.after, row.effect_tolerance, j.paired);
        out.push_back(std::move(j));
    }
    return out;
}

} // namespace picknext::bench
