// SPDX-License-Identifier: GPL-3.0-or-later
// The syntax tree to a program: what each word means, and whether the types fit. All errors of an expression are found
// here or before.
#pragma once

#include <string_view>

#include "core/engine/scenario.hpp"
#include "core/expr/program.hpp"
#include "core/expr/syntax.hpp"

namespace picknext::expr {

/// What an expression is for.
enum class Want : std::uint8_t {
    condition, // breakpoints and filters
    value      // a watch: anything with a value
};

/// text: what the tree was parsed from. Names are those of the scenario: its tasks, task groups, CPUs.
/// Errors: E-NAME (unknown word, field, task, group; with what was probably meant), E-TYPE (types do not fit), E-RANGE
/// (no such CPU, a range backwards), E-ARGUMENTS, E-LIMIT (more than two any and all within each other), E-ABSENT (what
/// the state does not hold).
[[nodiscard]] Result<Program> check(std::string_view text, const Syntax& syntax, const Scenario& scenario, Want want);

} // namespace picknext::expr
