// SPDX-License-Identifier: GPL-3.0-or-later
// picknext-cli topology: shows a machine as the simulator sees it.
#include <memory>

#include <fmt/format.h>

#include "app/cli/inputs.hpp"

namespace picknext::cli {
namespace {

struct Options {
    std::string file;
    std::string format = "text";
    bool this_machine = false;
    bool strict = false;
};

Result<Machine> read(const Options& options, io::Report& report) {
    if (options.this_machine) return io::read_this_machine(report);
    Result<std::string> path = find_input("topologies", options.file);
    if (!path) return path.error();
    Result<std::string> text = io::read_file(*path);
    if (!text && text.error().code == "E-DIRECTORY") { // a copy of /sys
        Result<Scenario> scenario = io::open_any(*path, report);
        if (!scenario) return scenario.error();
        return std::move(scenario->machine);
    }
    if (!text) return text.error();
    return io::read_topology(*text, *path, report);
}

void print_spans(const Machine& machine, std::string_view level, const std::vector<CpuSet>& spans) {
    for (std::size_t i = 0; i < spans.size(); ++i) fmt::print("{:<9} {:>4}  CPUs {}\n", level, i, cpu_list(machine, spans[i]));
}

void print_machine(const Machine& machine) {
    if (!machine.name.empty()) fmt::print("{}\n", machine.name);
    fmt::print("{}\n", summary(machine));
    print_spans(machine, "node", machine.node_span);
    print_spans(machine, "package", machine.package_span);
    print_spans(machine, "LLC", machine.llc_span);
    if (machine.has_clusters) print_spans(machine, "cluster", machine.cluster_span);
    print_spans(machine, "core", machine.core_span);
    if (const CpuSet online = machine.online(); online.size() < static_cast<int>(machine.cpu_count()))
        fmt::print("online    CPUs {}\n", cpu_list(machine, online));
    for (const Cpu& cpu : machine.cpus)
        if (cpu.capacity != full_capacity) fmt::print("capacity  CPU {}: {}\n", cpu.number, cpu.capacity);
    if (machine.nodes.size() < 2) return;
    fmt::print("distances\n");
    for (std::size_t from = 0; from < machine.nodes.size(); ++from) {
        fmt::print("  node {:>4}:", machine.nodes[from].number);
        for (std::size_t to = 0; to < machine.nodes.size(); ++to) fmt::print(" {:>3}", machine.distance(NodeId{from}, NodeId{to}));
        fmt::print("\n");
    }
}

Exit show(const Options& options) {
    if (options.this_machine == !options.file.empty()) {
        complain({"E-USAGE", {}, "topology show wants a FILE or --this-machine, one of the two"});
        return Exit::refused;
    }
    io::Report report;
    Result<Machine> machine = read(options, report);
    const bool accepted = accept_report(report, options.strict);
    if (!machine) {
        complain(machine.error());
        return Exit::refused;
    }
    if (!accepted) return Exit::refused;
    if (options.format == "json") fmt::print("{}", io::write_topology(*machine));
    else print_machine(*machine);
    return Exit::done;
}

} // namespace

void add_topology(CLI::App& app, Exit& exit) {
    auto options = std::make_shared<Options>();
    CLI::App* command = app.add_subcommand("topology", "Look at machines");
    command->require_subcommand(1);
    CLI::App* show_command = command->add_subcommand("show", "Print nodes, caches, cores and CPUs of a machine");
    show_command->add_option("FILE", options->file, "topology or hwloc XML file, the name of a shipped topology, or - for standard input");
    show_command->add_flag("--this-machine", options->this_machine, "this computer, from /sys");
    show_command->add_option("--format", options->format, "text, or a topology file")->check(CLI::IsMember({"text", "json"}))->capture_default_str();
    show_command->add_flag("--strict", options->strict, "treat warnings as errors");
    show_command->footer("Examples:\n  picknext-cli topology show laptop.xml\n  picknext-cli topology show --this-machine --format json > mine.json");
    show_command->callback([options, &exit] { exit = show(*options); });
}

} // namespace picknext::cli
