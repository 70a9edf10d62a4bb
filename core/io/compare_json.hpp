// SPDX-License-Identifier: GPL-3.0-or-later
// A comparison as JSON, for scripts.
#pragma once

#include <string>

#include "core/compare/comparison.hpp"

namespace picknext::io {

/// One object on one line: scenario, changes, differs, and what was looked at of divergence, metrics and matrix. Decisions have
/// the keys of the decision log; integers above 2^53 are strings.
[[nodiscard]] std::string comparison_json(const compare::Comparison& comparison);

} // namespace picknext::io
