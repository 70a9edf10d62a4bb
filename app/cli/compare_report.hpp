// SPDX-License-Identifier: GPL-3.0-or-later
// What "compare" prints for people.
#pragma once

#include "core/compare/comparison.hpp"

namespace picknext::cli {

void print_comparison(const compare::Comparison& comparison);

/// Two decisions and their checks side by side: rows that are alike in short, the others with their numbers.
void print_side_by_side(const Scenario& a, const Scenario& b, const compare::Divergence& divergence);

} // namespace picknext::cli
