// SPDX-License-Identifier: GPL-3.0-or-later
// picknext-cli compare: one scenario under two settings.
#include <algorithm>
#include <memory>
#include <string>

#include <fmt/format.h>

#include "app/cli/compare_report.hpp"
#include "app/cli/inputs.hpp"
#include "app/cli/progress.hpp"
#include "core/io/compare_json.hpp"
#include "core/profile/changes.hpp"

namespace picknext::cli {
namespace {

struct Options {
    ScenarioChoice choice;
    std::string a, b, matrix;
    bool first_divergence = false;
    bool metrics = false;
    std::uint64_t seeds = 1;
    bool json = false;
};

int cpus_of(const Scenario& s) { return s.machine.online().size(); }

/// The scenario under changed settings; nothing when they are refused.
std::shared_ptr<const Scenario> under(const Scenario& scenario, const std::string& option, const std::string& set) {
    const Result<Settings> settings = changed(scenario.settings, cpus_of(scenario), set);
    if (!settings) {
        complain(option_error(option, settings.error()));
        return nullptr;
    }
    auto out = std::make_shared<Scenario>(scenario);
    out->settings = *settings;
    return out;
}

std::vector<std::string> split(const std::string& list) {
    std::vector<std::string> out;
    for (std::size_t at = 0; at <= list.size();) {
        const std::size_t end = std::min(list.find(',', at), list.size());
        out.push_back(list.substr(at, end - at));
        at = end + 1;
    }
    return out;
}

/// Watches over a long comparison.
struct Watcher {
    ProgressLine line{INT64_MAX};
    std::stop_source stop;
    [[nodiscard]] Progress progress() {
        return [this](const State& st) {
            if (interrupted()) stop.request_stop();
            line.show(st);
        };
    }
};

/// Every arm of a matrix; nothing when a toggle is refused.
std::optional<compare::Matrix> matrix_of(const Scenario& base, const Options& options, const RunLimit& limit, Watcher& watcher) {
    compare::Matrix out;
    out.toggles = split(options.matrix);
    if (out.toggles.size() > compare::max_toggles) {
        complain({"E-USAGE", Place{"--matrix", 0, 0, {}}, fmt::format("{} toggles are {} arms; at most {} are possible", out.toggles.size(), std::size_t{1} << std::min<std::size_t>(out.toggles.size(), 62), compare::max_toggles)});
        return std::nullopt;
    }
    for (unsigned set = 0; set < 1U << out.toggles.size(); ++set) {
        std::string items;
        for (std::size_t t = 0; t < out.toggles.size(); ++t)
            if ((set >> t & 1U) != 0) items += (items.empty() ? "" : ",") + out.toggles[t];
        const std::shared_ptr<const Scenario> arm = under(base, "--matrix", items);
        if (!arm) return std::nullopt;
        out.arms.push_back(compare::sample(*arm, options.seeds, limit, watcher.stop.get_token(), watcher.progress()));
    }
    return out;
}

Exit compare_arms(Options options) {
    if (!options.metrics && options.matrix.empty()) options.first_divergence = true;
    if (options.seeds > 1 && !options.metrics && options.matrix.empty()) options.metrics = true;
    const std::optional<Scenario> scenario = compose_or_complain(options.choice);
    if (!scenario) return Exit::refused;
    compare::Comparison c;
    c.a = under(*scenario, "--a", options.a);
    c.b = c.a ? under(*scenario, "--b", options.b) : nullptr;
    if (!c.a || !c.b) return Exit::refused;
    c.changes = changes(c.a->settings, c.b->settings, cpus_of(*scenario));
    const RunLimit limit = limit_of(*scenario);
    heed_interrupts();
    {
        Watcher watcher;
        if (options.first_divergence)
            c.divergences = compare::find_divergences(c.a, c.b, {.limit = limit}, watcher.stop.get_token(), watcher.progress());
        if (options.metrics)
            c.samples = {compare::sample(*c.a, options.seeds, limit, watcher.stop.get_token(), watcher.progress()),
                         compare::sample(*c.b, options.seeds, limit, watcher.stop.get_token(), watcher.progress())};
        if (!options.matrix.empty()) {
            c.matrix = matrix_of(*c.a, options, limit, watcher);
            if (!c.matrix) return Exit::refused;
        }
    }
    if (interrupted()) {
        fmt::print(stderr, "Interrupted: both runs were not compared to their end.\n");
        return Exit::interrupted;
    }
    if (options.json) fmt::print("{}\n", io::comparison_json(c));
    else print_comparison(c);
    return c.differs() ? Exit::no : Exit::done;
}

} // namespace

void add_compare(CLI::App& app, Exit& exit) {
    auto options = std::make_shared<Options>();
    CLI::App* command = app.add_subcommand("compare", "Run a scenario under two settings and say where they part and what it comes to");
    add_scenario_options(*command, options->choice, true);
    command->add_option("--a", options->a, "what arm A changes: kernel=, patch.ID=, feature.NAME= or tunable.NAME= with a value, commas between; nothing by default");
    command->add_option("--b", options->b, "what arm B changes");
    command->add_flag("--first-divergence", options->first_divergence, "print the first decision that differs, with both lists of checks; the default");
    command->add_flag("--metrics", options->metrics, "print what both runs came to, and the difference");
    command->add_option("--seeds", options->seeds, "run with so many seeds, from the scenario's on: means, and the interval of their difference")
        ->check(CLI::Range(std::uint64_t{1}, std::uint64_t{10'000}))->capture_default_str();
    command->add_option("--matrix", options->matrix, "up to four settings, commas between: run every combination of them over A and print what they do alone and together");
    command->add_flag("--json", options->json, "print one JSON object");
    command->footer("Exit status: 0 every outcome is the same, 1 some differ, 2 refused, 3 failed, 130 interrupted. For git bisect, turn 2 and\nabove into 125.\n"
                    "Examples:\n"
                    "  picknext-cli compare thread-2-spread-in-llc --b patch.lb_llc_spread=on\n"
                    "  picknext-cli compare node-of-24 --a kernel=eevdf-6.6 --b kernel=eevdf-6.12 --metrics --seeds 10\n"
                    "  picknext-cli compare two-llcs --matrix patch.idle_mask=v2,feature.SIS_UTIL=off --seeds 5");
    command->callback([options, &exit] { exit = compare_arms(*options); });
}

} // namespace picknext::cli
