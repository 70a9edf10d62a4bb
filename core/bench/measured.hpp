// SPDX-License-Identifier: GPL-3.0-or-later
// Figures somebody measured on a real machine, to stand beside simulated ones.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "core/bench/benchmark.hpp"

namespace picknext::bench {

struct Measured {
    std::string tool;           // "hackbench"; "table" for a table
    std::string point;          // which cell it belongs to, as its label: "g=2"; empty: the tool does not say
    std::string metric;         // as Figure::name
    std::string unit;
    Better better = Better::lower;
    std::vector<double> values; // one per run of the tool
    friend bool operator==(const Measured&, const Measured&) = default;
};

/// Those of a metric that belong to the cell of this label; a figure without a point belongs to every cell.
[[nodiscard]] std::vector<double> measured_for(const std::vector<Measured>& all, std::string_view label, const Figure& metric);

} // namespace picknext::bench
