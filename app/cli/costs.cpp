// SPDX-License-Identifier: GPL-3.0-or-later
// picknext-cli costs: shows what operations cost on a platform, and how well that is known.
#include <memory>

#include <fmt/format.h>

#include "app/cli/inputs.hpp"

namespace picknext::cli {
namespace {

struct Options {
    std::string file;
    std::string format = "text";
    bool strict = false;
};

Result<cost::CostProfile> read(const Options& options, io::Report& report) {
    Result<std::string> path = find_input("costs", options.file);
    if (!path) return path.error();
    Result<std::string> text = io::read_file(*path);
    if (!text) return text.error();
    return io::read_costs(*text, *path, report);
}

void print_row(std::string_view name, std::int64_t value, cost::CostUnit unit, const cost::Provenance& p) {
    const std::string range =
        unit == cost::CostUnit::flag ? std::string{} : fmt::format("{} .. {}", io::cost_text(p.low, unit), io::cost_text(p.high, unit));
    fmt::print("{:<22} {:>12}  {:<27} {:<9}  {}\n", name, io::cost_text(value, unit), range, cost::basis_names[static_cast<std::size_t>(p.basis)],
               p.text);
}

void print_profile(const cost::CostProfile& profile) {
    if (!profile.name.empty()) fmt::print("{}\n", profile.name);
    if (!profile.description.empty()) fmt::print("{}\n", profile.description);
    fmt::print("{:<22} {:>12}  {:<27} {:<9}  {}\n", "constant", "value", "range", "basis", "from");
    for (const cost::CostInfo& i : cost::cost_table()) print_row(i.name, profile.costs[i.id], i.unit, profile.provenance[cost::index_of(i.id)]);
    for (std::size_t i = 0; i < static_cast<std::size_t>(profile.costs.idle_state_count); ++i) {
        const cost::IdleState& s = profile.costs.idle_states[i];
        print_row(fmt::format("idle {}", profile.idle_state_names[i]), s.charged_exit, cost::CostUnit::ns, profile.idle_state_provenance[i]);
        fmt::print("{:<22} {:>12}  exit latency {}\n", "  pays above", io::cost_text(s.residency, cost::CostUnit::ns),
                   io::cost_text(s.exit_latency, cost::CostUnit::ns));
    }
}

Exit show(const Options& options) {
    io::Report report;
    const Result<cost::CostProfile> profile = read(options, report);
    const bool accepted = accept_report(report, options.strict);
    if (!profile) {
        complain(profile.error());
        return Exit::refused;
    }
    if (!accepted) return Exit::refused;
    if (options.format == "json") fmt::print("{}", io::write_costs(*profile));
    else print_profile(*profile);
    return Exit::done;
}

} // namespace

void add_costs(CLI::App& app, Exit& exit) {
    auto options = std::make_shared<Options>();
    CLI::App* command = app.add_subcommand("costs", "Look at what operations cost");
    command->require_subcommand(1);
    CLI::App* show_command = command->add_subcommand("show", "Print each constant of a cost profile with its range and basis");
    show_command->add_option("NAME", options->file, "the name of a shipped cost profile, a file, or - for standard input")->required();
    show_command->add_option("--format", options->format, "text, or a cost file")->check(CLI::IsMember({"text", "json"}))->capture_default_str();
    show_command->add_flag("--strict", options->strict, "treat warnings as errors");
    show_command->footer("Examples:\n  picknext-cli costs show kunpeng920-node\n  picknext-cli costs show generic-x86 --format json > mine.json");
    show_command->callback([options, &exit] { exit = show(*options); });
}

} // namespace picknext::cli
