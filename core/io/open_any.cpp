// SPDX-License-Identifier: GPL-3.0-or-later
// Any file as something to run.
#include <filesystem>
#include <system_error>

#include "core/io/document.hpp"
#include "core/io/rtapp.hpp"
#include "core/io/sysfs.hpp"

namespace picknext::io {
namespace {

Result<std::string> shipped_text(std::string_view kind, std::string_view name) {
    const Result<std::string> path = shipped_file(kind, name);
    if (!path) return path.error();
    return read_file(*path);
}

Result<Machine> shipped_machine(Report& report) {
    const Result<std::string> text = shipped_text("topologies", default_topology);
    if (!text) return text.error();
    return read_topology(*text, std::string{default_topology}, report);
}

Result<Workload> shipped_workload(const Machine& machine, Report& report) {
    const Result<std::string> text = shipped_text("workloads", default_workload);
    if (!text) return text.error();
    return read_workload(*text, std::string{default_workload}, machine, report);
}

Scenario scenario_from(Machine machine, Workload workload) {
    Scenario s;
    s.name = workload.name;
    s.description = workload.description;
    s.settings = default_settings(Settings{}.kernel, machine.online().size());
    s.machine = std::move(machine);
    s.workload = std::move(workload);
    return s;
}

/// People know a nameless workload by its file.
Scenario named_after(Scenario s, const std::string& path) {
    if (s.name.empty()) s.name = std::filesystem::path(path).filename().string();
    return s;
}

/// The default workload on a machine that was read.
Result<Scenario> run_on(Result<Machine> machine, Report& report) {
    if (!machine) return machine.error();
    Result<Workload> workload = shipped_workload(*machine, report);
    if (!workload) return workload.error();
    return scenario_from(std::move(machine).value(), std::move(workload).value());
}

} // namespace

Result<Scenario> open_any(const std::string& path, Report& report, const Machine* machine) {
    std::error_code ignored;
    if (std::filesystem::is_directory(path + "/sys/devices/system/cpu", ignored)) return run_on(read_sysfs(path, report), report);
    const Result<std::string> text = read_file(path);
    if (!text) return text.error();
    return open_text(*text, path, report, machine);
}

Result<Scenario> open_text(std::string_view text, const std::string& path, Report& report, const Machine* machine) {
    switch (detect(text)) {
    case Format::topology:
    case Format::hwloc_xml: return run_on(read_topology(text, path, report), report);
    case Format::rtapp: {
        Result<Machine> on = machine != nullptr ? Result<Machine>(*machine) : shipped_machine(report);
        if (!on) return on.error();
        Result<RtappImport> import = read_rtapp(text, path, *on, report);
        if (!import) return import.error();
        Scenario s = scenario_from(std::move(on).value(), std::move(import->workload));
        s.until_ns = import->duration;
        return named_after(std::move(s), path);
    }
    case Format::workload: {
        Result<Machine> on = machine != nullptr ? Result<Machine>(*machine) : shipped_machine(report);
        if (!on) return on.error();
        Result<Workload> workload = read_workload(text, path, *on, report);
        if (!workload) return workload.error();
        return named_after(scenario_from(std::move(on).value(), std::move(workload).value()), path);
    }
    case Format::packet: {
        const Result<packet::Packet> packet = read_packet(text, path, report);
        if (!packet) return packet.error();
        return packet::scenario_under_toggles(*packet);
    }
    case Format::costs:
        return Error{"E-FORMAT", Place{path, 0, 0, {}}, "this is a cost profile, which runs nothing by itself; \"picknext-cli costs show\" prints it"};
    default: return read_scenario(text, path, report);
    }
}

} // namespace picknext::io
