// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/io/document.hpp"

#include <array>
#include <optional>

#include "core/io/hwloc_xml.hpp"
#include "core/io/json_reader.hpp"
#include "core/io/native.hpp"
#include "core/io/rtapp.hpp"

namespace picknext::io {
namespace {

constexpr std::array severity_names{"note", "warning", "error"};

/// Signatures of files that are no text we read, and what helps.
struct Signature {
    std::string_view bytes;
    std::string_view advice;
};
using namespace std::string_view_literals;
constexpr std::array signatures{Signature{"\x1f\x8b"sv, "it is packed by gzip; unpack it with gunzip"},
                                Signature{"BZh"sv, "it is packed by bzip2; unpack it with bunzip2"},
                                Signature{"\xfd\x37zXZ\0"sv, "it is packed by xz; unpack it with unxz"},
                                Signature{"PERFILE2"sv, "it is a perf.data file; this version reads no traces"},
                                Signature{"\x17\x08\x44tracing"sv, "it is a trace.dat file; this version reads no traces"}};

Error unknown(const Source& source, std::string_view wanted) {
    const std::string_view text = source.text();
    if (text.empty()) return Error{"E-EMPTY", source.place(0), "the file is empty"};
    for (const Signature& s : signatures)
        if (text.starts_with(s.bytes)) return Error{"E-FORMAT", source.place(0), std::string{s.advice}};
    if (const Result<std::size_t> mark = check_encoding(source); !mark) return mark.error();
    const Skipped first = skip_insignificant(text, 0);
    if (first.to >= text.size()) return Error{"E-EMPTY", source.place(first.to), "there is nothing in this file but white space"};
    if (text[first.to] == '{') { // broken JSON says more by its break than by what it lacks
        Report ignored;
        if (const Result<JsonValue> root = parse_json(source, ignored); !root) return root.error();
    }
    return Error{"E-FORMAT", source.place(first.to), fmt::format("this is not {}", wanted)};
}

constexpr std::string_view topology_formats = "a topology (picknext-topology/1, hwloc XML)";
constexpr std::string_view workload_formats = "a workload (picknext-workload/1, rt-app JSON)";
constexpr std::string_view scenario_formats = "a scenario (picknext-scenario/1)";
constexpr std::string_view packet_formats = "a review packet (picknext-packet/1)";
constexpr std::string_view cost_formats = "a cost profile (picknext-costs/1)";

/// Parses and hands the root to `reader`; the first thing that was wrong is the result.
template <class Reader>
auto read_native(const Source& source, Report& report, Reader reader) -> Result<decltype(reader(std::declval<const JsonNode&>()))> {
    const Result<JsonValue> tree = parse_json(source, report);
    if (!tree) return tree.error();
    Reading reading(source, report);
    auto value = reader(JsonNode(reading, *tree));
    if (reading.failed()) return reading.error();
    return value;
}

std::string folder_of(const std::string& path) {
    const std::size_t slash = path.rfind('/');
    if (slash == std::string::npos) return {};
    return slash == 0 ? "/" : path.substr(0, slash);
}

} // namespace

std::string Message::line() const {
    std::string out;
    if (!place.file.empty()) out += place.file + ":";
    if (place.line > 0) out += fmt::format("{}:{}:", place.line, place.column);
    if (!out.empty()) out += " ";
    out += fmt::format("{} {}", severity_names[static_cast<std::size_t>(severity)], code);
    if (!place.pointer.empty()) out += " " + place.pointer;
    out += ": " + text;
    if (count > 1) out += fmt::format(" (and {} more like this)", count - 1);
    return out;
}

Result<Machine> read_topology(std::string_view text, const std::string& name, Report& report) {
    const Source source(name, text);
    switch (detect(text)) {
    case Format::topology: return read_native(source, report, [](const JsonNode& root) { return topology_of(root, false); });
    case Format::hwloc_xml: return read_hwloc(source, report);
    default: return unknown(source, topology_formats);
    }
}

Result<Workload> read_workload(std::string_view text, const std::string& name, const Machine& machine, Report& report) {
    const Source source(name, text);
    switch (detect(text)) {
    case Format::workload: return read_native(source, report, [&](const JsonNode& root) { return workload_of(root, machine, false); });
    case Format::rtapp: {
        Result<RtappImport> import = read_rtapp(text, name, machine, report);
        if (!import) return import.error();
        return std::move(import->workload);
    }
    default: return unknown(source, workload_formats);
    }
}

Result<Scenario> read_scenario(std::string_view text, const std::string& name, Report& report) {
    const Source source(name, text);
    if (detect(text) != Format::scenario) return unknown(source, scenario_formats);
    return read_native(source, report, [&](const JsonNode& root) { return scenario_of(root, folder_of(name)); });
}

Result<packet::Packet> read_packet(std::string_view text, const std::string& name, Report& report) {
    const Source source(name, text);
    if (detect(text) != Format::packet) return unknown(source, packet_formats);
    return read_native(source, report, [&](const JsonNode& root) { return packet_of(root, folder_of(name)); });
}

Result<cost::CostProfile> read_costs(std::string_view text, const std::string& name, Report& report) {
    const Source source(name, text);
    if (detect(text) != Format::costs) return unknown(source, cost_formats);
    return read_native(source, report, [](const JsonNode& root) { return costs_of(root, false); });
}

std::string write_topology(const Machine& machine) { return json_text(tree_of(machine)); }
std::string write_workload(const Workload& workload, const Machine& machine) { return json_text(tree_of(workload, machine)); }
std::string write_scenario(const Scenario& scenario) { return json_text(tree_of(scenario)); }
std::string write_packet(const packet::Packet& packet) { return json_text(tree_of(packet)); }
std::string write_costs(const cost::CostProfile& profile) { return json_text(tree_of(profile)); }

} // namespace picknext::io
