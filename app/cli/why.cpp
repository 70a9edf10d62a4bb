// SPDX-License-Identifier: GPL-3.0-or-later
// picknext-cli why: one decision with every check that led to it.
#include <cstdint>
#include <memory>

#include <fmt/format.h>

#include "app/cli/inputs.hpp"
#include "core/explain/explain.hpp"
#include "core/io/decision_json.hpp"

namespace picknext::cli {
namespace {

struct Options {
    ScenarioChoice choice;
    std::uint64_t decision = 0;
    std::string format = "text";
};

Exit why(const Options& options) {
    std::optional<Scenario> scenario = compose_or_complain(options.choice);
    if (!scenario) return Exit::refused;
    Timeline timeline(std::make_shared<const Scenario>(std::move(*scenario)));
    if (!timeline.seek_decision(options.decision)) {
        fmt::print(stderr, "The run has no decision {}: it ends with decision {} at {} ms.\n", options.decision,
                   timeline.position().decision, plain(ms_length(timeline.state().now, 6)));
        return Exit::no;
    }
    print_explained(*timeline.snapshot(), options.format == "json");
    return Exit::done;
}

} // namespace

void print_explained(const Snapshot& s, bool json) {
    if (json) fmt::print("{}\n", io::explained_json(*s.scenario, s.state, s.header, s.checks));
    else fmt::print("{}", as_mail_text(*s.scenario, s.state, s.header, s.checks));
}

void add_why(CLI::App& app, Exit& exit) {
    auto options = std::make_shared<Options>();
    CLI::App* command = app.add_subcommand("why", "Explain one decision: its reason, its checks in order, what it writes");
    add_scenario_options(*command, options->choice, true);
    command->add_option("--decision", options->decision, "number of the decision, as \"run --log decisions\" prints it; from 1")
        ->required()->check(CLI::PositiveNumber);
    command->add_option("--format", options->format, "format of the answer")->check(CLI::IsMember({"text", "json"}))->capture_default_str();
    command->footer("Examples:\n  picknext-cli why three-nice-levels --decision 42\n  picknext-cli why web.json --decision 4711 --format json");
    command->callback([options, &exit] { exit = why(*options); });
}

} // namespace picknext::cli
