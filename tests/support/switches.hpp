// SPDX-License-Identifier: GPL-3.0-or-later
// A run told by its context switches, with the invariants looked at after every event.
#pragma once

#include <cstdint>
#include <string>

#include "core/engine/scenario.hpp"
#include "core/state/state.hpp"

namespace picknext::test {

struct Run {
    std::string switches;  // who began to run where and when: "name@cpu:us", in order
    std::int64_t last = 0; // ns: when the last switch was
    State state;
    std::string broken;    // the first broken invariant; the run ends there
};

/// Runs a scenario until `until` ns.
[[nodiscard]] Run run_switches(Scenario scenario, std::int64_t until);

} // namespace picknext::test
