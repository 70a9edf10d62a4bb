// SPDX-License-Identifier: GPL-3.0-or-later
// How long tasks wait between being runnable and running.
#pragma once

#include <cstdint>
#include <functional>
#include <vector>

#include "core/state/state.hpp"

namespace picknext::watch {

struct Wait {
    TaskId task;
    CpuId cpu;                       // where it ran then, or still waits
    std::int64_t begin = 0, end = 0; // ns
    [[nodiscard]] std::int64_t ns() const { return end - begin; }
};

class Starvation {
  public:
    /// on_long_wait: called when a wait longer than `limit` (ns, >= 0) ends.
    Starvation(std::int64_t limit, std::function<void(const Wait&)> on_long_wait) : m_limit(limit), m_on_long_wait(std::move(on_long_wait)) {}

    /// Each decision as it is announced, with the state it saw.
    void note(const State& before, const DecisionHeader& header);
    /// Ends the waits of those that still wait.
    void finish(const State& st);

    /// By task, one that never waited has an empty one; the earliest of equals.
    [[nodiscard]] const std::vector<Wait>& longest() const { return m_longest; }
    [[nodiscard]] std::int64_t limit() const { return m_limit; }
    [[nodiscard]] std::uint64_t long_waits() const { return m_long_waits; }
    [[nodiscard]] std::int64_t long_ns() const { return m_long_ns; } // of those waits together

  private:
    void end(const Wait& wait);

    std::int64_t m_limit;
    std::function<void(const Wait&)> m_on_long_wait;
    std::vector<Wait> m_longest;
    std::uint64_t m_long_waits = 0;
    std::int64_t m_long_ns = 0;
};

} // namespace picknext::watch
