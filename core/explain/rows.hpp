// SPDX-License-Identifier: GPL-3.0-or-later
// Checks as rows: the question, its inputs with numbers, the verdict.
#pragma once

#include <string>
#include <vector>

#include "core/explain/explain.hpp"
#include "core/explain/moment.hpp"

namespace picknext {

/// One row per check, in the order made.
[[nodiscard]] std::vector<ExplainedCheck> check_rows(const Moment& m);

/// Left and right of a check put into numbers: "v − V = +0.858 > 0", without what follows from it.
[[nodiscard]] std::string values_text(const Moment& m, const Check& check);

/// How many nodes of the tree the heap search of a pick looked at.
[[nodiscard]] std::size_t visited_nodes(const Moment& m);

} // namespace picknext
