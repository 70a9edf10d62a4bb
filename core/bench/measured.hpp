// SPDX-License-Identifier: GPL-3.0-or-later
// Figures somebody measured on a real machine, to stand beside simulated ones.
#pragma once

#include <string_view>
#include <vector>

#include "core/bench/benchmark.hpp"

namespace picknext::bench {

using commands::Measured;

/// Those of a metric that belong to the cell of this label; a figure without a point belongs to every cell.
[[nodiscard]] std::vector<double> measured_for(const std::vector<Measured>& all, std::string_view label, const Figure& metric);

} // namespace picknext::bench
