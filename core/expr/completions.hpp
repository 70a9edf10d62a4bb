// SPDX-License-Identifier: GPL-3.0-or-later
// What could be written next, for editors of expressions.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "core/engine/scenario.hpp"

namespace picknext::expr {

struct Candidate {
    std::string text;    // what to put in place of what was begun
    std::string meaning; // one line; fields: with their unit and the kernel's name
    friend bool operator==(const Candidate&, const Candidate&) = default;
};

struct Completions {
    int from = 1;        // column of what a candidate replaces, up to the column asked for
    std::vector<Candidate> candidates;
};

/// What may stand at a column (from 1, in code points; beyond the end is the end), where a word or a name in quotes may
/// be begun. The text need not be right; what stands behind the column does not count.
[[nodiscard]] Completions completions(std::string_view text, int column, const Scenario& scenario);

} // namespace picknext::expr
