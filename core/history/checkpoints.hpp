// SPDX-License-Identifier: GPL-3.0-or-later
// States kept along a run so that any moment can be replayed soon. Two sets share one budget of bytes: coarse ones,
// evenly spaced over the whole run, bound every jump; near ones, dense before the cursor, make the next step back cheap.
#pragma once

#include <cstdint>
#include <vector>

#include "core/history/timeline.hpp"
#include "core/state/state.hpp"

namespace picknext {

struct Checkpoint {
    State state;              // between events
    std::uint64_t digest = 0; // coarse ones: what a replay must arrive at
};

class Checkpoints {
  public:
    /// The start is kept whatever the budget.
    Checkpoints(const State& start, HistoryBudget budget);

    [[nodiscard]] const State& start() const { return m_coarse.front().state; }
    /// Keeps a state of the frontier if it is one of the evenly spaced ones. Spacing doubles when the budget is full.
    void lay_coarse(const State& st);
    /// Keeps a state before the cursor; those after `cursor_event` and then the oldest make room.
    void lay_near(const State& st, std::uint64_t cursor_event);
    /// The last kept state at or before an event boundary.
    [[nodiscard]] const State& last_before(std::uint64_t event) const;
    /// The first coarse checkpoint after `from` and up to `to`, or nullptr.
    [[nodiscard]] const Checkpoint* next_coarse(std::uint64_t from, std::uint64_t to) const;

    [[nodiscard]] std::size_t bytes() const { return m_coarse_bytes + m_near_bytes; }
    [[nodiscard]] std::size_t count() const { return m_coarse.size() + m_near.size(); }

  private:
    void thin_out();
    State take_spare(const State& st);
    void drop_near(std::size_t index);

    HistoryBudget m_budget;
    std::uint64_t m_spacing = 64; // events; a power of two
    std::vector<Checkpoint> m_coarse, m_near; // ascending by event
    std::size_t m_coarse_bytes = 0, m_near_bytes = 0;
    std::vector<State> m_spare; // memory of dropped ones, warm for the next
};

/// How many events take about as long as copying the state. Measured: an event costs what copying 4 KB costs.
[[nodiscard]] std::uint64_t events_per_copy(const State& st);

} // namespace picknext
