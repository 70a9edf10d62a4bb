// SPDX-License-Identifier: GPL-3.0-or-later
// picknext-cli why: one decision with every check that led to it.
#include <cstdint>
#include <memory>

#include <fmt/format.h>

#include "app/cli/inputs.hpp"
#include "app/cli/what_if.hpp"
#include "core/explain/explain.hpp"
#include "core/io/decision_json.hpp"

namespace picknext::cli {
namespace {

struct Options {
    ScenarioChoice choice;
    std::uint64_t decision = 0;
    std::string format = "text";
    bool what_if = false;
    std::vector<std::string> sets;
};

Exit why(const Options& options) {
    std::optional<Scenario> scenario = compose_or_complain(options.choice);
    if (!scenario) return Exit::refused;
    std::optional<std::vector<Alternative>> alternatives;
    if (options.what_if || !options.sets.empty())
        if (alternatives = alternatives_of(*scenario, options.sets); !alternatives) return Exit::refused;
    Timeline timeline(std::make_shared<const Scenario>(std::move(*scenario)));
    if (!timeline.seek_decision(options.decision)) {
        fmt::print(stderr, "The run has no decision {}: it ends with decision {} at {} ms.\n", options.decision,
                   timeline.position().decision, plain(ms_length(timeline.state().now, 6)));
        return Exit::no;
    }
    const bool json = options.format == "json";
    const std::shared_ptr<const Snapshot> snapshot = timeline.snapshot();
    if (!alternatives || !json) print_explained(*snapshot, json);
    if (alternatives) print_what_if(*snapshot, *alternatives, json);
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
    command->add_flag("--what-if", options->what_if, "also take it again, from the state it saw, under every patch value, feature and kernel");
    command->add_option("--try", options->sets, "with these settings instead, as --set takes them; may be given again")->allow_extra_args(false);
    command->footer("Examples:\n  picknext-cli why three-nice-levels --decision 42\n  picknext-cli why web.json --decision 4711 --format json\n  picknext-cli why node-of-24 --decision 284 --what-if");
    command->callback([options, &exit] { exit = why(*options); });
}

} // namespace picknext::cli
