// SPDX-License-Identifier: GPL-3.0-or-later
// The native formats topology/1, workload/1, scenario/1, packet/1 and costs/1 as trees: what document.hpp's functions are made of.
#pragma once

#include <string>
#include <string_view>

#include "core/io/json_value.hpp"
#include "core/io/json_node.hpp"

namespace picknext::io {

inline constexpr int native_version = 1;

/// Checks "format": "picknext-<kind>/<major>". Fails with E-FORMAT or E-VERSION; inside another file it may be absent.
bool check_envelope(const JsonNode& root, std::string_view kind, bool may_be_absent);

[[nodiscard]] Machine topology_of(const JsonNode& root, bool inside);
[[nodiscard]] Workload workload_of(const JsonNode& root, const Machine& machine, bool inside);
[[nodiscard]] cost::CostProfile costs_of(const JsonNode& root, bool inside);
/// File references are resolved against `folder` ("" = the current one).
[[nodiscard]] Scenario scenario_of(const JsonNode& root, const std::string& folder);
[[nodiscard]] packet::Packet packet_of(const JsonNode& root, const std::string& folder);

[[nodiscard]] JsonValue tree_of(const Machine& machine);
[[nodiscard]] JsonValue tree_of(const Workload& workload, const Machine& machine);
[[nodiscard]] JsonValue tree_of(const Scenario& scenario);
[[nodiscard]] JsonValue tree_of(const packet::Packet& packet);
[[nodiscard]] JsonValue tree_of(const cost::CostProfile& profile);

} // namespace picknext::io
