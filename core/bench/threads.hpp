// SPDX-License-Identifier: GPL-3.0-or-later
// The five mail threads as plans: the command, machine and kernel each measured, and its figures beside ours. One file a thread.
#pragma once

#include <functional>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/bench/figures.hpp"
#include "core/bench/plan.hpp"
#include "core/bench/published.hpp"
#include "core/trace/decision.hpp"

namespace picknext::bench {

/// Shipped machines and cost profiles by name; whoever reads files provides them.
struct Platforms {
    std::function<Result<Machine>(const std::string& name)> machine;
    std::function<Result<cost::CostProfile>(const std::string& name)> costs;
};

/// One table of a thread: a plan of two arms, before and after.
struct Panel {
    std::string name;               // as Published::panel
    std::string command;            // as published
    std::string topology, costs, kernel; // names
    std::string note;               // what is special here; empty: nothing
    std::optional<Kind> same;       // decisions of this kind must come out the same in both arms
    std::vector<std::string> shown; // derived figures to print besides
    Plan plan;
    std::int64_t scale = 1;         // what loops or seconds were divided by
};

struct Thread {
    int number = 0;
    std::string_view title, author, date;
    std::string_view machine;       // it was measured on
    std::string_view cannot_show;   // what the model cannot show, in plain sentences
    /// full: the published sizes, else scaled down. Errors: those of platforms, commands and settings.
    Result<std::vector<Panel>> (*panels)(const Platforms& platforms, bool full) = nullptr;
};
[[nodiscard]] std::span<const Thread> threads();

// Each in its file.
[[nodiscard]] Result<std::vector<Panel>> thread_1(const Platforms& platforms, bool full);
[[nodiscard]] Result<std::vector<Panel>> thread_2(const Platforms& platforms, bool full);
[[nodiscard]] Result<std::vector<Panel>> thread_3(const Platforms& platforms, bool full);
[[nodiscard]] Result<std::vector<Panel>> thread_4(const Platforms& platforms, bool full);
[[nodiscard]] Result<std::vector<Panel>> thread_5(const Platforms& platforms, bool full);

/// What a panel is made of.
struct PanelSpec {
    std::string name;
    std::vector<std::string> commands; // a cell each, or one per point of the sweep
    std::string sweep;                 // as read_sweep, empty for none
    std::string topology, costs, kernel;
    std::string before, after;         // changes of settings
    std::int64_t scale = 1;            // when scaled down
    int repeats = 1, full_repeats = 1;
    std::string note = {};
    std::optional<Kind> same = {};
    std::vector<std::string> shown = {};
    std::function<void(cost::Costs&)> costs_changed = {};
    std::function<void(Workload&, const Machine&)> around = {}; // adds what else ran on the machine
};
[[nodiscard]] Result<Panel> make_panel(const PanelSpec& spec, const Platforms& platforms, bool full);
[[nodiscard]] Result<std::vector<Panel>> make_panels(const std::vector<PanelSpec>& specs, const Platforms& platforms, bool full);

/// A published row beside the simulated one.
struct Judged {
    const Published* published = nullptr;
    std::vector<double> before, after; // simulated, by repeat
    std::optional<metrics::Paired> paired;
    Verdict before_verdict = Verdict::not_run, after_verdict = Verdict::not_run, effect = Verdict::not_run;
};
/// Every published row of the panel. A row without a point is judged by all cells together: their counters added up where there
/// are several.
[[nodiscard]] std::vector<Judged> judge(int thread, const Panel& panel, const Outcome& outcome);

/// The counters of all cells of a repeat added up, as one run without metrics of its own; not done unless all are.
[[nodiscard]] Run pooled(const Outcome& outcome, std::size_t cells, std::size_t arm, int repeat);

} // namespace picknext::bench
