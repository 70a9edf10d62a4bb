// SPDX-License-Identifier: GPL-3.0-or-later
// picknext-cli validate: reads a file as the window would and says what it is.
#include <memory>

#include <fmt/format.h>

#include "app/cli/command.hpp"

namespace picknext::cli {
namespace {

Exit validate_costs(std::string_view text, const std::string& path, bool strict) {
    io::Report report;
    const Result<cost::CostProfile> profile = io::read_costs(text, path, report);
    const bool accepted = accept_report(report, strict);
    if (!profile) complain(profile.error());
    if (!profile || !accepted) return Exit::refused;
    fmt::print("{}: loads; {} cost constants, {} idle states\n", path, cost::cost_count, profile->costs.idle_state_count);
    return Exit::done;
}

Exit validate(const std::string& path, bool strict) {
    const Result<std::string> text = io::read_file(path);
    if (text && io::detect(*text) == io::Format::costs) return validate_costs(*text, path, strict);
    io::Report report;
    Result<Scenario> scenario = text ? io::open_text(*text, path, report) : io::open_any(path, report); // the latter: a copy of /sys
    const bool accepted = accept_report(report, strict);
    if (!scenario) {
        complain(scenario.error());
        return Exit::refused;
    }
    if (!accepted) return Exit::refused;
    std::size_t tasks = 0;
    for (const TaskSpec& t : scenario->workload.tasks) tasks += static_cast<std::size_t>(t.count);
    fmt::print("{}: loads; {} CPUs ({}), {} tasks, kernel {}\n", path, scenario->machine.cpu_count(), summary(scenario->machine), tasks,
               name_of(scenario->settings.kernel));
    return Exit::done;
}

} // namespace

void add_validate(CLI::App& app, Exit& exit) {
    struct Options {
        std::string file;
        bool strict = false;
    };
    auto options = std::make_shared<Options>();
    CLI::App* command = app.add_subcommand("validate", "Read a file and say whether it loads, with every warning");
    command->add_option("FILE", options->file, "scenario, workload, topology, cost, rt-app or hwloc XML file, or - for standard input")->required();
    command->add_flag("--strict", options->strict, "treat warnings as errors");
    command->footer("Exit status 0: it loads; 2: it is refused.\nExample:\n  picknext-cli validate --strict web.json");
    command->callback([options, &exit] { exit = validate(options->file, options->strict); });
}

} // namespace picknext::cli
