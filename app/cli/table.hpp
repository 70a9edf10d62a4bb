// SPDX-License-Identifier: GPL-3.0-or-later
// Columns of text on standard output.
#pragma once

#include <string>
#include <vector>

namespace picknext::cli {

class Table {
  public:
    /// The first `left` columns stand left, the others right.
    explicit Table(std::size_t left = 1) : m_left(left) {}
    void row(std::vector<std::string> cells) { m_rows.push_back(std::move(cells)); }
    [[nodiscard]] bool empty() const { return m_rows.size() < 2; } // but for its heading
    void print() const;

  private:
    std::size_t m_left;
    std::vector<std::vector<std::string>> m_rows;
};

/// Four digits that mean something: "1.815", "14290", "0.00012", "-".
[[nodiscard]] std::string short_number(double value);
/// A ratio as a change: "+1.5 %", "-8.3 %".
[[nodiscard]] std::string percent_change(double ratio);

} // namespace picknext::cli
