// SPDX-License-Identifier: GPL-3.0-or-later
// What a check of one file found.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace picknext::vectors {

/// One value that is not as recorded.
struct Difference {
    std::string field;    // "vruntime of entity 3"
    std::string expected;
    std::string got;
};
[[nodiscard]] std::string sentence(const Difference& d);

/// Numbers compare as numbers; the first difference of a case is kept.
class Comparison {
  public:
    template <class Field>
    void expect(std::int64_t expected, std::int64_t got, Field&& field) {
        if (expected != got && !m_first) m_first = Difference{field(), std::to_string(expected), std::to_string(got)};
    }
    template <class Field>
    void expect(const std::string& expected, const std::string& got, Field&& field) {
        if (expected != got && !m_first) m_first = Difference{field(), quoted(expected), quoted(got)};
    }
    [[nodiscard]] bool equal() const { return !m_first; }
    [[nodiscard]] const std::optional<Difference>& first() const { return m_first; }

  private:
    static std::string quoted(const std::string& s) { return '"' + s + '"'; }
    std::optional<Difference> m_first;
};

/// Counts the cases of a file and describes the wrong ones.
class Tally {
  public:
    /// Counts one case. where: "trace equal_hogs, operation 12 (tick, t 5000000)", asked only when it is wrong.
    template <class Where>
    void add(const Comparison& c, Where&& where) {
        ++m_checked;
        if (!c.equal()) m_wrong.push_back(where() + ": " + sentence(*c.first()));
    }
    [[nodiscard]] std::size_t checked() const { return m_checked; }
    [[nodiscard]] const std::vector<std::string>& wrong() const { return m_wrong; }

  private:
    std::size_t m_checked = 0;
    std::vector<std::string> m_wrong;
};

} // namespace picknext::vectors
