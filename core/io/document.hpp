// SPDX-License-Identifier: GPL-3.0-or-later
// Reading and writing files people have. Nothing is lost silently: refusals are Errors, everything dropped or guessed
// is a Warning in the report, harmless things are Notes. No exception leaves these functions.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/result.hpp"
#include "core/cost/costs.hpp"
#include "core/engine/scenario.hpp"
#include "core/packet/packet.hpp"

namespace picknext::io {

enum class Severity : std::uint8_t { note, warning, error };

struct Message {
    Severity severity = Severity::note;
    std::string code;        // "W-DUPKEY"
    Place place;
    std::string text;
    std::uint64_t count = 1; // of the same code and key, past the first 20
    [[nodiscard]] std::string line() const; // "web.json:17:13: warning W-DUPKEY /tasks/t/run#2: ..."
};

using Report = std::vector<Message>;

/// What a file turned out to be, found by content.
enum class Format : std::uint8_t { topology, workload, scenario, costs, packet, rtapp, hwloc_xml, unknown };

/// The bytes of a file; "-" reads standard input. Errors: E-OPEN (missing, unreadable, with the system's words),
/// E-DIRECTORY, E-SIZE, E-EMPTY.
[[nodiscard]] Result<std::string> read_file(const std::string& path, std::size_t limit = std::size_t{64} << 20);

/// Writes beside and renames, so that the old or the new file is whole. "-" writes standard output.
[[nodiscard]] Result<bool> write_file(const std::string& path, std::string_view text);

[[nodiscard]] Format detect(std::string_view text);

/// `name` is what messages call the file. Each adds to the report.
[[nodiscard]] Result<Machine> read_topology(std::string_view text, const std::string& name, Report& report);  // native or hwloc
/// Affinities are checked against the machine.
[[nodiscard]] Result<Workload> read_workload(std::string_view text, const std::string& name, const Machine& machine,
                                             Report& report);                                                  // native or rt-app
/// Relative file references are resolved against the scenario's own folder.
[[nodiscard]] Result<Scenario> read_scenario(std::string_view text, const std::string& name, Report& report);

/// What a platform charges for operations.
[[nodiscard]] Result<cost::CostProfile> read_costs(std::string_view text, const std::string& name, Report& report);

/// A review packet. Its toggles fit its scenario's kernel, and its conditions compile.
[[nodiscard]] Result<packet::Packet> read_packet(std::string_view text, const std::string& name, Report& report);

/// Whatever FILE is, made a scenario: a scenario as it is; that of a packet under its toggles; a topology (or a folder that holds a copy of /sys) with the
/// default workload; a workload (also rt-app) on `machine`, or without one on the default machine.
[[nodiscard]] Result<Scenario> open_any(const std::string& path, Report& report, const Machine* machine = nullptr);
/// The same for text that was read already.
[[nodiscard]] Result<Scenario> open_text(std::string_view text, const std::string& path, Report& report,
                                         const Machine* machine = nullptr);

[[nodiscard]] std::string write_topology(const Machine& machine);
[[nodiscard]] std::string write_workload(const Workload& workload, const Machine& machine);
[[nodiscard]] std::string write_scenario(const Scenario& scenario); // everything inline
[[nodiscard]] std::string write_packet(const packet::Packet& packet); // everything inline
[[nodiscard]] std::string write_costs(const cost::CostProfile& profile);
/// A value for people: "1.5us", "500 ‰", "on".
[[nodiscard]] std::string cost_text(std::int64_t value, cost::CostUnit unit);

/// This computer, from /sys.
[[nodiscard]] Result<Machine> read_this_machine(Report& report);

/// Shipped files, by bare name ("generic-x86", "three-nice-levels"), ascending; kinds: "topologies", "workloads", "scenarios",
/// "costs".
[[nodiscard]] std::vector<std::string> shipped_names(std::string_view kind);
/// Path of a shipped file. E-SHIPPED lists what there is.
[[nodiscard]] Result<std::string> shipped_file(std::string_view kind, std::string_view name);

inline constexpr std::string_view default_scenario = "default";      // what the window opens
inline constexpr std::string_view default_topology = "generic-x86";
inline constexpr std::string_view default_workload = "default";

} // namespace picknext::io
