// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/inputs.hpp"

#include <filesystem>

#include <fmt/format.h>

#include "core/base/duration.hpp"

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

/// Settings of another kernel or machine that differ from its defaults where the old ones differed from theirs.
Settings carry_over(const Settings& old, int old_cpus, Kernel kernel, int cpus) {
    const Settings from = default_settings(old.kernel, old_cpus);
    Settings to = default_settings(kernel, cpus);
    for (const FeatureInfo& f : feature_table())
        if (old.on(f.id) != from.on(f.id) && f.by_kernel[static_cast<std::size_t>(kernel)] != absent) to.set(f.id, old.on(f.id));
    for (const TunableInfo& t : tunable_table())
        if (old[t.id] != from[t.id] && to[t.id] != absent) to[t.id] = old[t.id];
    for (const PatchInfo& p : patch_table())
        if (old.patch(p.id) != from.patch(p.id) && to.patch(p.id) != absent) to.set(p.id, old.patch(p.id));
    return to;
}

int online_cpus(const Machine& machine) { return machine.online().size(); }

Result<Machine> read_machine(const std::string& name, io::Report& report) {
    Result<Input> input = read_input("topologies", name);
    if (!input) return input.error();
    return io::read_topology(input->text, input->path, report);
}

/// Puts the settings on another machine: tunables scale anew.
void replace_machine(Scenario& scenario, const Machine& machine) {
    scenario.settings = carry_over(scenario.settings, online_cpus(scenario.machine), scenario.settings.kernel, online_cpus(machine));
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

/// "id=value".
std::optional<Error> set_patch(Settings& settings, const std::string& text) {
    const std::size_t equals = text.find('=');
    if (equals == std::string::npos) return Error{"E-USAGE", {}, fmt::format("\"{}\" is no patch and value; write idle_mask=v2", text)};
    const std::string id = text.substr(0, equals), name = text.substr(equals + 1);
    const std::optional<Patch> patch = find_patch(id);
    if (!patch) {
        std::string known;
        for (const PatchInfo& p : patch_table()) known += fmt::format("{}{}", known.empty() ? "" : ", ", p.name);
        return Error{"E-PATCH", {}, fmt::format("no patch \"{}\"; known: {}", id, known)};
    }
    const PatchInfo& info = patch_table()[static_cast<std::size_t>(*patch)];
    if (settings.patch(*patch) == absent) return Error{"E-PATCH", {}, fmt::format("kernel {} does not have patch {}", name_of(settings.kernel), id)};
    const std::optional<int> value = find_variant(info, name);
    if (!value) return Error{"E-ENUM", {}, fmt::format("patch {} has no variant \"{}\"; known: {}", id, name, variant_names(info))};
    settings.set(*patch, *value);
    return std::nullopt;
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
    if (!choice.kernel.empty()) {
        const std::optional<Kernel> kernel = find_kernel(choice.kernel);
        if (!kernel)
            return option_error("--kernel", {"E-KERNEL", {}, fmt::format("no kernel \"{}\"; known: {}", choice.kernel, kernel_names())});
        const int cpus = online_cpus(scenario.machine);
        scenario.settings = carry_over(scenario.settings, cpus, *kernel, cpus);
    }
    for (const std::string& patch : choice.patches)
        if (std::optional<Error> wrong = set_patch(scenario.settings, patch)) return option_error("--patch", std::move(*wrong));
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
    command.add_option("--patch", choice.patches, "switch a patch: id=value, as in idle_mask=draft; may be given again")->allow_extra_args(false);
    command.add_option("--seed", choice.seed, "seed of the random numbers");
    command.add_option("--until", choice.until, "simulated time to stop at, with a unit: 250us, 100ms, 2s");
    command.add_flag("--strict", choice.strict, "treat warnings as errors");
}

} // namespace picknext::cli
