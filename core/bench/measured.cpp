// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/bench/measured.hpp"

namespace picknext::bench {

std::vector<double> measured_for(const std::vector<Measured>& all, std::string_view label, const Figure& metric) {
    std::vector<double> out;
    for (const Measured& m : all)
        if (m.metric == metric.name && m.unit == metric.unit && (m.point.empty() || label.empty() || m.point == label))
            out.insert(out.end(), m.values.begin(), m.values.end());
    return out;
}

} // namespace picknext::bench
