// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/table.hpp"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

namespace picknext::cli {

void Table::print() const {
    std::vector<std::size_t> widths;
    for (const auto& row : m_rows)
        for (std::size_t c = 0; c < row.size(); ++c) {
            if (c == widths.size()) widths.push_back(0);
            widths[c] = std::max(widths[c], row[c].size());
        }
    for (const auto& row : m_rows) {
        std::string line;
        for (std::size_t c = 0; c < row.size(); ++c) line += c < m_left ? fmt::format("  {:<{}}", row[c], widths[c]) : fmt::format("  {:>{}}", row[c], widths[c]);
        line.resize(line.find_last_not_of(' ') + 1);
        fmt::print("{}\n", line);
    }
}

std::string short_number(double value) {
    if (!std::isfinite(value)) return "-";
    if (value == 0) return "0";
    const double size = std::abs(value);
    if (size >= 1e15 || size < 1e-6) return fmt::format("{:.3e}", value);
    const int digits = std::clamp(3 - static_cast<int>(std::floor(std::log10(size))), 0, 9);
    return fmt::format("{:.{}f}", value, digits);
}

std::string percent_change(double ratio) { return fmt::format("{:+.1f} %", (ratio - 1) * 100); }

} // namespace picknext::cli
