// SPDX-License-Identifier: GPL-3.0-or-later
// Scenarios from a seed: a random machine, tasks and operations. The same seed gives the same scenario everywhere.
#pragma once

#include <cstdint>

#include "core/engine/scenario.hpp"

namespace picknext::test {

/// 1 to 16 CPUs, any kernel, 1 to 10 task specs with every kind of operation, groups with and without quotas, 40 to 150 ms long.
[[nodiscard]] Scenario random_scenario(std::uint64_t seed);

/// Puts the scenario on another machine and switches some of the kernel's patches and features at random.
void put_on_machine(Scenario& scenario, Machine machine, std::uint64_t seed);

/// One line that says what it is, for a failed test.
[[nodiscard]] std::string describe(std::uint64_t seed, const Scenario& scenario);

} // namespace picknext::test
