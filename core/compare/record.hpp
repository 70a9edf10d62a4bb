// SPDX-License-Identifier: GPL-3.0-or-later
// One decision of a run, whole.
#pragma once

#include <vector>

#include "core/state/state.hpp"

namespace picknext::compare {

struct Record {
    State before;               // before.decisions is its number
    DecisionHeader header;
    std::vector<Check> checks;
};

/// What of a decision must agree for two runs to have decided alike.
[[nodiscard]] constexpr bool same_outcome(const DecisionHeader& a, const DecisionHeader& b) {
    return a.kind == b.kind && a.cpu == b.cpu && a.task == b.task && a.level == b.level && a.outcome == b.outcome;
}
/// And for the same cause; a pick may come to the same task on another path.
[[nodiscard]] constexpr bool same_reason(const DecisionHeader& a, const DecisionHeader& b) { return a.reason == b.reason && a.path == b.path; }

} // namespace picknext::compare
