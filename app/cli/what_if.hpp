// SPDX-License-Identifier: GPL-3.0-or-later
// What "what-if" and "why --what-if" print.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "app/cli/command.hpp"
#include "core/redecide/alternatives.hpp"

namespace picknext::cli {

/// Of the scenario: all there are, or those that sets (comma lists) make; nothing when one is refused.
[[nodiscard]] std::optional<std::vector<Alternative>> alternatives_of(const Scenario& scenario, const std::vector<std::string>& sets);

/// The decision a snapshot stands at under each alternative: those that change it in full, the others counted.
void print_what_if(const Snapshot& snapshot, const std::vector<Alternative>& alternatives, bool json);

} // namespace picknext::cli
