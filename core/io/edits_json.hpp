// SPDX-License-Identifier: GPL-3.0-or-later
// The "edits" of scenario/1: what happens to the machine and its tasks from outside, at given times.
#pragma once

#include "core/engine/scenario.hpp"
#include "core/io/json_node.hpp"
#include "core/io/json_value.hpp"

namespace picknext::io {

/// Reads [{"at": duration, "edit": {"offline": cpu} | {"online": cpu} | {"affinity": {"task", "cpus"}}}]. The machine and
/// the workload of the scenario must have been read. Refused: unknown CPUs and tasks, the last online CPU going offline.
[[nodiscard]] std::vector<Edit> edits_of(const JsonNode& list, const Scenario& scenario);

/// The array as it is written.
[[nodiscard]] JsonValue tree_of_edits(const Scenario& scenario);

} // namespace picknext::io
