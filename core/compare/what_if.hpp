// SPDX-License-Identifier: GPL-3.0-or-later
// What other settings would have made of decisions, each from the very state it was taken from. A counterfactual keeps the
// state: what another setting would have done to it before is another run, which a comparison shows.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <stop_token>
#include <vector>

#include "core/compare/align.hpp"
#include "core/compare/record.hpp"
#include "core/engine/engine.hpp"
#include "core/redecide/alternatives.hpp"
#include "core/redecide/redecide.hpp"

namespace picknext::compare {

/// What one alternative makes of a decision.
enum class Effect : std::uint8_t {
    unknown, // it cannot be taken again, see Redecision::under
    none,    // same outcome and reason from the same checks
    checks,  // same outcome and reason, other checks
    reason,  // same outcome, other reason or path
    not_asked, // nobody asks for it: a write of a mask that is not there
    outcome,
    count
};
inline constexpr std::size_t effect_count = static_cast<std::size_t>(Effect::count);

[[nodiscard]] Effect effect_of(const DecisionHeader& header, std::span<const Check> checks, const std::optional<Redecided>& again);

/// Decisions of this kind can be taken again.
[[nodiscard]] bool taken_again(Kind kind);
/// A record of what was decided instead, as if the run had been under these settings.
[[nodiscard]] Record decided(const Record& record, const Redecided& again, const Settings& settings);

struct WhatIf {
    Alternative alternative;
    std::optional<Redecided> again;
    Effect effect = Effect::unknown;
};
struct WhatIfs {
    bool possible = false;      // the decision is of a kind that can be taken again, and the record holds what it was asked
    std::vector<WhatIf> all;    // one per alternative, in their order
};
/// domains: those in force at the record.
[[nodiscard]] WhatIfs what_if(const Record& record, const std::vector<Alternative>& alternatives, const Machine& machine, const Domains& domains);

/// How often an alternative would have mattered in a run.
struct Tally {
    Alternative alternative;
    std::array<std::uint64_t, effect_count> count = {};  // decisions, by effect
    std::array<std::uint64_t, effect_count> first = {};  // number of the first of each, 0 = none
};
struct Tallies {
    std::uint64_t decisions = 0;   // of the run
    std::uint64_t taken_again = 0; // of these, under their own settings, with the same answer
    std::array<std::uint64_t, kind_count> asked = {}, again = {}; // by kind: how many there were, and were taken again
    std::vector<Tally> all;
    bool cancelled = false;
};
/// Runs the scenario to the limit and takes each decision again under each alternative, given by what they change of the settings
/// of the scenario; where those in force follow the number of online CPUs, they do too.
[[nodiscard]] Tallies tally(std::shared_ptr<const Scenario> scenario, const std::vector<Alternative>& alternatives, const RunLimit& limit, std::stop_token stop = {},
                            const Progress& progress = {});

} // namespace picknext::compare
