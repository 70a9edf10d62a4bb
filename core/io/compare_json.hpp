// SPDX-License-Identifier: GPL-3.0-or-later
// A comparison as JSON, for scripts.
#pragma once

#include <string>

#include "core/compare/comparison.hpp"
#include "core/compare/what_if.hpp"

namespace picknext::io {

/// One object on one line: scenario, changes, differs, and what was looked at of divergence, metrics and matrix. Decisions have
/// the keys of the decision log; integers above 2^53 are strings.
[[nodiscard]] std::string comparison_json(const compare::Comparison& comparison);

/// One decision under alternatives: decision (with its checks), possible, and alternatives with change, effect (unknown, none, checks,
/// reason, not_asked, outcome) and what would have been decided where that is another.
[[nodiscard]] std::string what_if_json(const Scenario& scenario, const compare::Record& record, const compare::WhatIfs& what);

/// How often each alternative would have mattered: decisions, taken_again, alternatives with a count and the number of the first
/// for each effect.
[[nodiscard]] std::string tallies_json(const Scenario& scenario, const compare::Tallies& tallies);

} // namespace picknext::io
