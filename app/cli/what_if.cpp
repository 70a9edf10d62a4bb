// SPDX-License-Identifier: GPL-3.0-or-later
// picknext-cli what-if: how often other settings would have decided otherwise.
#include "app/cli/what_if.hpp"

#include <algorithm>
#include <memory>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "app/cli/compare_report.hpp"
#include "app/cli/inputs.hpp"
#include "app/cli/progress.hpp"
#include "core/compare/what_if.hpp"
#include "core/engine/plan.hpp"
#include "core/explain/explain.hpp"
#include "core/io/compare_json.hpp"
#include "core/profile/changes.hpp"

namespace picknext::cli {
namespace {

using compare::Effect;

struct Options {
    ScenarioChoice choice;
    std::vector<std::string> sets;
    bool json = false;
};

constexpr std::string_view no_history = "; what it reads (idle mask, scan limit or cost) was not kept up in this run and is as it began";

void print_effects(const Snapshot& s, const compare::Record& record, const compare::WhatIfs& what) {
    fmt::print("\nWhat if: the same decision from the same state under other settings\n");
    if (!what.possible) {
        fmt::print("  It cannot be taken again: {}.\n", compare::taken_again(record.header.kind) ? "its record does not hold all it was asked"
                                                                                                : "decisions of this kind cannot");
        return;
    }
    const auto unkept = [&](const compare::WhatIf& w) { return record.header.kind == Kind::place && w.alternative.without_history; }; // only wakeups read it
    const auto those = [&](Effect effect) {
        std::vector<std::string> out;
        for (const compare::WhatIf& w : what.all)
            if (w.effect == effect) out.push_back(w.alternative.change);
        return out;
    };
    for (const Effect effect : {Effect::outcome, Effect::reason, Effect::checks}) {
        std::vector<const compare::WhatIf*> left;
        for (const compare::WhatIf& w : what.all)
            if (w.effect == effect) left.push_back(&w);
        while (!left.empty()) { // those that decide alike are told together
            const compare::WhatIf& first = *left.front();
            std::vector<std::string> alike;
            std::erase_if(left, [&](const compare::WhatIf* w) {
                if (*w->again != *first.again || unkept(*w) != unkept(first)) return false;
                alike.push_back(w->alternative.change);
                return true;
            });
            fmt::print("\n{}: {}{}\n", fmt::join(alike, ", "), effect == Effect::outcome ? "another outcome" : effect == Effect::reason ? "same outcome, other reason" : "same outcome and reason, other checks",
                       unkept(first) ? no_history : "");
            print_side_by_side(*s.scenario, *s.scenario, {record, compare::decided(record, *first.again, first.alternative.settings)});
        }
    }
    const std::vector<std::string> same = those(Effect::none), unasked = those(Effect::not_asked), unknown = those(Effect::unknown);
    if (!unasked.empty()) fmt::print("\n{} would not ask: {}\n", unasked.size(), fmt::join(unasked, ", "));
    if (!same.empty()) fmt::print("\n{} change nothing: {}\n", same.size(), fmt::join(same, ", "));
    if (!unknown.empty()) fmt::print("\n{} would have led to another state before: {}\n", unknown.size(), fmt::join(unknown, ", "));
}

void print_tallies(const Scenario& scenario, const compare::Tallies& t) {
    fmt::print("{}, {}, {}\n{} decisions; {} taken again from the state they saw, each under {} other settings\n", scenario.name, name_of(scenario.settings.kernel),
               summary(scenario.machine), t.decisions, t.taken_again, t.all.size());
    std::vector<std::string> never;
    for (std::size_t k = 0; k < kind_count; ++k)
        if (t.asked[k] > t.again[k]) never.push_back(fmt::format("{} {}", t.asked[k] - t.again[k], info(static_cast<Kind>(k)).name));
    if (!never.empty()) fmt::print("Not taken again: {}\n", fmt::join(never, ", "));
    const auto cell = [](const compare::Tally& row, Effect e) {
        const auto i = static_cast<std::size_t>(e);
        return row.count[i] == 0 ? std::string("0") : fmt::format("{}, first #{}", row.count[i], row.first[i]);
    };
    fmt::print("\n{:<38} {:>20} {:>20} {:>20} {:>18} {:>8}\n", "setting", "other outcome", "other reason", "other checks", "not asked", "unknown");
    bool starred = false;
    std::vector<std::string> idle;
    for (const compare::Tally& row : t.all) {
        const auto count = [&](Effect e) { return row.count[static_cast<std::size_t>(e)]; };
        if (count(Effect::outcome) + count(Effect::not_asked) + count(Effect::reason) + count(Effect::checks) == 0) {
            idle.push_back(row.alternative.change);
            continue;
        }
        fmt::print("{:<38} {:>20} {:>20} {:>20} {:>18} {:>8}{}\n", row.alternative.change, cell(row, Effect::outcome), cell(row, Effect::reason), cell(row, Effect::checks),
                   cell(row, Effect::not_asked), count(Effect::unknown), row.alternative.without_history ? " *" : "");
        starred = starred || row.alternative.without_history;
    }
    if (starred) fmt::print("* {}\n", no_history.substr(2));
    if (!idle.empty()) fmt::print("\n{} change no decision: {}\n", idle.size(), fmt::join(idle, ", "));
    fmt::print("\nEach decision stands alone: what one of them would have led to, compare shows.\n");
}

Exit what_if(const Options& options) {
    std::optional<Scenario> composed = compose_or_complain(options.choice);
    if (!composed) return Exit::refused;
    const auto scenario = std::make_shared<const Scenario>(std::move(*composed));
    const std::optional<std::vector<Alternative>> alternatives = alternatives_of(*scenario, options.sets);
    if (!alternatives) return Exit::refused;
    const RunLimit limit = limit_of(*scenario);
    heed_interrupts();
    compare::Tallies tallies;
    {
        ProgressLine line(limit.time);
        std::stop_source stop;
        tallies = compare::tally(scenario, *alternatives, limit, stop.get_token(), [&](const State& st) {
            if (interrupted()) stop.request_stop();
            line.show(st);
        });
    }
    if (options.json) fmt::print("{}\n", io::tallies_json(*scenario, tallies));
    else print_tallies(*scenario, tallies);
    if (!tallies.cancelled) return Exit::done;
    fmt::print(stderr, "Interrupted after {} decisions.\n", tallies.decisions);
    return Exit::interrupted;
}

} // namespace

std::optional<std::vector<Alternative>> alternatives_of(const Scenario& scenario, const std::vector<std::string>& sets) {
    const int cpus = scenario.machine.online().size();
    if (sets.empty()) return alternatives(scenario.settings, cpus);
    std::vector<Alternative> out;
    for (const std::string& set : sets) {
        const Result<Settings> settings = changed(scenario.settings, cpus, set);
        if (!settings) {
            complain(option_error("--try", settings.error()));
            return std::nullopt;
        }
        out.push_back({set, *settings, reads_unkept(scenario.settings, *settings)});
    }
    return out;
}

void print_what_if(const Snapshot& s, const std::vector<Alternative>& alternatives, bool json) {
    const compare::Record record{s.state, s.header, s.checks};
    engine::DomainsInForce domains(s.scenario->machine, s.scenario->settings.kernel);
    const compare::WhatIfs what = compare::what_if(record, alternatives, s.scenario->machine, domains.at(s.state));
    if (json) fmt::print("{}\n", io::what_if_json(*s.scenario, record, what));
    else print_effects(s, record, what);
}

void add_what_if(CLI::App& app, Exit& exit) {
    auto options = std::make_shared<Options>();
    CLI::App* command = app.add_subcommand("what-if", "Count how many decisions of a run other settings would have made otherwise");
    add_scenario_options(*command, options->choice, true);
    command->add_option("--try", options->sets, "settings to try: kernel=, patch.ID=, feature.NAME= or tunable.NAME= with a value; may be given again. By default every patch value, feature and kernel")
        ->allow_extra_args(false);
    command->add_flag("--json", options->json, "print one JSON object");
    command->footer("Examples:\n  picknext-cli what-if thread-2-spread-in-llc\n  picknext-cli what-if node-of-24 --try patch.idle_mask=v2 --try feature.SIS_UTIL=off --until 10ms\n"
                    "  picknext-cli why node-of-24 --decision 284 --what-if        one decision");
    command->callback([options, &exit] { exit = what_if(*options); });
}

} // namespace picknext::cli
