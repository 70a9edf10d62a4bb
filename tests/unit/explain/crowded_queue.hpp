// SPDX-License-Identifier: GPL-3.0-or-later
// A queue of ten built by hand, with the checks a pick by heap search makes on it.
#pragma once

#include <vector>

#include "core/engine/scenario.hpp"
#include "core/state/state.hpp"
#include "core/trace/decision.hpp"

namespace picknext::test {

/// CPU 3 of eevdf-6.12: cc1#1 runs and is not eligible, the leftmost (audio) is not either; cc1#4 is found third.
struct CrowdedQueue {
    Scenario scenario;
    State st;
    DecisionHeader header; // the pick
    std::vector<Check> checks;

    CrowdedQueue();
    [[nodiscard]] EntityId entity(const char* name) const; // by task name
};

} // namespace picknext::test
