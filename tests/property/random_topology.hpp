// SPDX-License-Identifier: GPL-3.0-or-later
// Machines from a seed, odd ones too: mixed cores, LLCs across nodes, any distances, CPUs that are offline.
#pragma once

#include <cstdint>

#include "core/topology/machine.hpp"

namespace picknext::testing {

/// 1 to 64 CPUs, at least one online. The same seed gives the same machine everywhere.
[[nodiscard]] Machine random_topology(std::uint64_t seed);

} // namespace picknext::testing
