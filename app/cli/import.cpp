// SPDX-License-Identifier: GPL-3.0-or-later
// picknext-cli import: writes foreign (and own) files as native ones.
#include <memory>

#include <fmt/format.h>

#include "app/cli/command.hpp"

namespace picknext::cli {
namespace {

struct Options {
    std::string file, out, as = "auto";
    bool strict = false;
};

/// Whether a file of this format holds a part of the asked kind itself; all else would be a default put in its place.
bool holds(io::Format format, std::string_view kind) {
    switch (format) {
    case io::Format::topology:
    case io::Format::hwloc_xml: return kind == "topology";
    case io::Format::workload:
    case io::Format::rtapp: return kind != "topology";
    case io::Format::scenario:
    case io::Format::packet:
    case io::Format::costs:   // refused when it is read
    case io::Format::unknown: break; // unknown: reading says what was tried
    }
    return true;
}

/// An rt-app file says how long it runs, which a workload file cannot hold: it becomes a scenario.
std::string native_kind(io::Format format) {
    switch (format) {
    case io::Format::topology:
    case io::Format::hwloc_xml: return "topology";
    case io::Format::workload: return "workload";
    case io::Format::scenario:
    case io::Format::rtapp:
    case io::Format::packet:
    case io::Format::costs:
    case io::Format::unknown: break; // unknown: reading says what was tried
    }
    return "scenario";
}

Exit import_file(const Options& options) {
    const Result<std::string> text = io::read_file(options.file);
    const bool folder = !text && text.error().code == "E-DIRECTORY"; // a copy of /sys
    if (!text && !folder) {
        complain(text.error());
        return Exit::refused;
    }
    io::Report report;
    const std::string kind = options.as != "auto" ? options.as : folder ? "topology" : native_kind(io::detect(*text));
    if (text && !holds(io::detect(*text), kind)) {
        complain({"E-USAGE", Place{options.file, 0, 0, {}}, fmt::format("holds no {}; leave out --as, or name a file that does", kind)});
        return Exit::refused;
    }
    Result<Scenario> scenario = folder ? io::open_any(options.file, report) : io::open_text(*text, options.file, report);
    const bool accepted = accept_report(report, options.strict);
    if (!scenario) {
        complain(scenario.error());
        return Exit::refused;
    }
    if (!accepted) return Exit::refused;
    const std::string written = kind == "topology"   ? io::write_topology(scenario->machine)
                                : kind == "workload" ? io::write_workload(scenario->workload, scenario->machine)
                                                     : io::write_scenario(*scenario);
    if (Result<bool> done = io::write_file(options.out, written); !done) {
        complain(done.error());
        return Exit::failed;
    }
    return Exit::done;
}

} // namespace

void add_import(CLI::App& app, Exit& exit) {
    auto options = std::make_shared<Options>();
    CLI::App* command = app.add_subcommand("import", "Write an rt-app, hwloc or native file as a native file");
    command->add_option("FILE", options->file, "the file to read; its format is found by its content")->required();
    command->add_option("-o,--output", options->out, "the file to write, or - for standard output")->required();
    command->add_option("--as", options->as, "kind to write; auto: hwloc becomes a topology, rt-app a scenario")
        ->check(CLI::IsMember({"auto", "topology", "workload", "scenario"}))->capture_default_str();
    command->add_flag("--strict", options->strict, "treat warnings as errors");
    command->footer("Examples:\n  picknext-cli import rt-app.json -o scenario.json\n  picknext-cli import laptop.xml -o -");
    command->callback([options, &exit] { exit = import_file(*options); });
}

} // namespace picknext::cli
