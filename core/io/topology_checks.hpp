// SPDX-License-Identifier: GPL-3.0-or-later
// What is odd but possible in a machine, whatever format it came in.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "core/topology/machine.hpp"

namespace picknext::io {

/// Code and sentence of each oddity of a finished machine: LLC and node crossing (W-CROSSING), siblings of unequal
/// capacity (W-CAPACITY), distances that differ by direction (W-DISTANCE).
[[nodiscard]] std::vector<std::pair<std::string, std::string>> oddities(const Machine& machine);

/// Turns numbers into a set; the numbers no CPU has are appended to `missing`.
[[nodiscard]] CpuSet cpus_numbered(const Machine& machine, const std::vector<int>& numbers, std::vector<int>& missing);

} // namespace picknext::io
