// SPDX-License-Identifier: GPL-3.0-or-later
// What long runs share: how far they go, how far they got, and Ctrl-C.
#pragma once

#include <chrono>
#include <cstdint>

#include "core/bench/run.hpp"
#include "core/engine/engine.hpp"

namespace picknext::cli {

inline constexpr std::int64_t default_until_ns = 1'000'000'000; // of a scenario that names no end

/// How far a scenario is run.
[[nodiscard]] RunLimit limit_of(const Scenario& scenario);

/// From now on Ctrl-C does not end the program.
void heed_interrupts();
/// Ctrl-C was pressed since.
[[nodiscard]] bool interrupted();

/// One line on a terminal, a few times a second.
class ProgressLine {
  public:
    /// until: ns, INT64_MAX = not known.
    explicit ProgressLine(std::int64_t until);
    ~ProgressLine() { clear(); }
    ProgressLine(const ProgressLine&) = delete;
    ProgressLine& operator=(const ProgressLine&) = delete;

    void show(const State& st);
    void clear();

  private:
    std::int64_t m_until;
    bool m_on;
    bool m_shown = false;
    std::chrono::steady_clock::time_point m_last{};
};

/// Runs a plan with a line of progress and the time it will still take, on a terminal; Ctrl-C keeps what is done.
[[nodiscard]] bench::Outcome run_watched(const bench::Plan& plan, int jobs);

} // namespace picknext::cli
