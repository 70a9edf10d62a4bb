// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/inputs.hpp"

#include <filesystem>

#include <fmt/format.h>

#include "core/base/duration.hpp"
#include "core/profile/changes.hpp"

namespace picknext::cli {
namespace {

/// The text of an input and the path messages call it by.
struct Input {
    std::string path, text;
};

Result<Input> read_input(std::string_view kind, const std::string& name) {
    Result<std::string> path = find_input(kind, name);
    if (!path) return path.error();
    Result<std::string> text = io::read_file(*path);
    if (!text) return text.error();
    return Input{*path, std::move(*text)};
}

int online_cpus(const Machine& machine) { return machine.online().size(); }

Result<Machine> read_machine(const std::string& name, io::Report& report) {
    Result<Input> input = read_input("topologies", name);
    if (!input) return input.error();
    return io::read_topology(input->text, input->path, report);
}

Result<cost::CostProfile> read_cost_profile(const std::string& name, io::Report& report) {
    Result<Input> input = read_input("costs", name);
    if (!input) return input.error();
    return io::read_costs(input->text, input->path, report);
}

/// Puts the settings on another machine: tunables scale anew.
void replace_machine(Scenario& scenario, const Machine& machine) {
    scenario.settings = carried_over(scenario.settings, online_cpus(scenario.machine), scenario.settings.kernel, online_cpus(machine));
    scenario.machine = machine;
    scenario.select_cpu.reset();
}

/// The workload stays: its affinities are read again against the CPUs of another machine.
Result<bool> refit_workload(Scenario& scenario, const Machine& machine, io::Report& report) {
    Result<Workload> workload = io::read_workload(io::write_workload(scenario.workload, scenario.machine),
                                                  fmt::format("{} on another machine", scenario.workload.name), machine, report);
    if (!workload) return workload.error();
    scenario.workload = std::move(*workload);
    return true;
}

/// The moments a scenario points at belong to the run it describes; another workload has others.
Result<bool> replace_workload(Scenario& scenario, const std::string& name, io::Report& report) {
    Result<Input> input = read_input("workloads", name);
    if (!input) return input.error();
    Result<Workload> workload = io::read_workload(input->text, input->path, scenario.machine, report);
    if (!workload) return workload.error();
    scenario.workload = std::move(*workload);
    scenario.bookmarks.clear();
    scenario.notes.clear();
    scenario.cursor_decision.reset();
    return true;
}

/// What is left of the default scenario when its workload is another is no longer that scenario.
void rename_after_workload(Scenario& scenario, const std::string& file) {
    scenario.name = scenario.workload.name.empty() ? std::filesystem::path(file).filename().string() : scenario.workload.name;
    scenario.description = scenario.workload.description;
    scenario.until_ns.reset();
}

std::string kernel_names() {
    std::string names;
    for (const KernelInfo& k : kernel_table()) names += fmt::format("{}{}", names.empty() ? "" : ", ", k.name);
    return names;
}

/// Puts what an option gives over the settings. prefix: what the option's name stands for, before the text.
std::optional<Error> change(Scenario& scenario, std::string_view option, std::string_view prefix, const std::string& text) {
    Result<Settings> settings = changed(scenario.settings, online_cpus(scenario.machine), fmt::format("{}{}", prefix, text));
    if (settings) {
        scenario.settings = *settings;
        return std::nullopt;
    }
    Error error = settings.error();
    if (!prefix.empty()) error.place = {};
    return option_error(option, std::move(error));
}

} // namespace

Error option_error(std::string_view option, Error error) {
    error.place.file = std::string(option);
    return error;
}

Result<std::string> find_input(std::string_view kind, const std::string& name) {
    std::error_code ignored;
    if (name == "-" || std::filesystem::exists(name, ignored)) return name;
    Result<std::string> shipped = io::shipped_file(kind, name);
    if (shipped) return shipped;
    return Error{"E-OPEN", Place{name, 0, 0, {}}, fmt::format("there is no such file, and {}", shipped.error().message)};
}

Result<Scenario> compose(const ScenarioChoice& choice, io::Report& report) {
    std::optional<Machine> machine;
    if (!choice.topology.empty()) {
        Result<Machine> given = read_machine(choice.topology, report);
        if (!given) return given.error();
        machine = std::move(*given);
    }
    // A topology by itself is opened as the file it is: with the default workload, which fits any machine.
    const bool topology_alone = machine && choice.scenario.empty() && choice.workload.empty();
    Result<std::string> path = topology_alone ? find_input("topologies", choice.topology)
                                              : find_input("scenarios", choice.scenario.empty() ? std::string(io::default_scenario) : choice.scenario);
    if (!path) return path.error();
    Result<Scenario> result = io::open_any(*path, report, machine && !topology_alone ? &*machine : nullptr);
    if (!result) return result;
    Scenario& scenario = *result;
    if (machine && !(scenario.machine == *machine)) {
        if (choice.workload.empty())
            if (Result<bool> done = refit_workload(scenario, *machine, report); !done) return done.error();
        replace_machine(scenario, *machine);
    }
    if (!choice.workload.empty()) {
        if (Result<bool> done = replace_workload(scenario, choice.workload, report); !done) return done.error();
        if (choice.scenario.empty()) rename_after_workload(scenario, choice.workload);
    }
    if (!choice.kernel.empty())
        if (std::optional<Error> wrong = change(scenario, "--kernel", "kernel=", choice.kernel)) return *std::move(wrong);
    if (!choice.costs.empty()) {
        Result<cost::CostProfile> costs = read_cost_profile(choice.costs, report);
        if (!costs) return costs.error();
        scenario.costs = std::move(*costs);
    }
    for (const std::string& patch : choice.patches)
        if (std::optional<Error> wrong = change(scenario, "--patch", "patch.", patch)) return *std::move(wrong);
    for (const std::string& set : choice.sets)
        if (std::optional<Error> wrong = change(scenario, "--set", "", set)) return *std::move(wrong);
    if (choice.seed) scenario.seed = *choice.seed;
    if (!choice.until.empty()) {
        Result<std::int64_t> until = parse_duration(choice.until);
        if (!until) return option_error("--until", until.error());
        scenario.until_ns = *until;
        scenario.until_events.reset();
    }
    return result;
}

std::optional<Scenario> compose_or_complain(const ScenarioChoice& choice) {
    io::Report report;
    Result<Scenario> scenario = compose(choice, report);
    const bool accepted = accept_report(report, choice.strict);
    if (!scenario) {
        complain(scenario.error());
        return std::nullopt;
    }
    if (!accepted) return std::nullopt;
    return std::move(*scenario);
}

void add_scenario_options(CLI::App& command, ScenarioChoice& choice, bool required) {
    CLI::Option* scenario = command.add_option("SCENARIO", choice.scenario,
                                               "a scenario, workload, rt-app, topology or hwloc XML file, the name of a shipped scenario, or - for standard input");
    if (required) scenario->required();
    command.add_option("--topology", choice.topology, "run on this machine: a file or the name of a shipped topology");
    command.add_option("--workload", choice.workload, "run this workload: a file or the name of a shipped workload");
    command.add_option("--kernel", choice.kernel, fmt::format("kernel profile: {}", kernel_names()));
    command.add_option("--cost", choice.costs, "charge what operations of the kernel cost: a file or the name of a shipped cost profile");
    command.add_option("--patch", choice.patches, "switch a patch: id=value, as in idle_mask=draft; may be given again")->allow_extra_args(false);
    command.add_option("--set", choice.sets, "change settings: kernel=, patch.ID=, feature.NAME= or tunable.NAME= with a value, several with commas between; may be given again")->allow_extra_args(false);
    command.add_option("--seed", choice.seed, "seed of the random numbers");
    command.add_option("--until", choice.until, "simulated time to stop at, with a unit: 250us, 100ms, 2s");
    command.add_flag("--strict", choice.strict, "treat warnings as errors");
}

} // namespace picknext::cli
