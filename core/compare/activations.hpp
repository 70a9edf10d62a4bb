// SPDX-License-Identifier: GPL-3.0-or-later
// Two runs compared by what became of each wakeup. Once costs or patches shift times, the n-th decision of one run and of
// the other are no longer about the same thing; the n-th wakeup of a task still is.
#pragma once

#include <cstdint>
#include <map>
#include <optional>

#include "core/state/state.hpp"

namespace picknext::compare {

/// A decision a wakeup asks for: where to, who enqueues, whom it preempts. Tasks are the same when their ids are: those
/// forked in another order are not told apart.
struct ActivationKey {
    std::int32_t task = -1;
    std::uint64_t activation = 0; // Task::activation
    Kind kind = Kind::count;
    std::uint32_t rank = 0;       // which of that kind in this activation
    friend auto operator<=>(const ActivationKey&, const ActivationKey&) = default;
};
struct ActivationRow {
    std::uint64_t number = 0;     // of the decision
    std::int64_t at = 0;          // ns
    std::int32_t outcome = -1;
    Reason reason = Reason::none;
};
struct ActivationPair {
    ActivationKey key;
    ActivationRow a, b;
};

struct ActivationTotals {
    std::uint64_t pairs = 0;            // decided in both runs
    std::uint64_t other_outcome = 0;    // of these
    std::uint64_t other_reason = 0;     // same outcome
    std::uint64_t other_time = 0;       // at another time, whatever the outcome
    std::uint64_t only_a = 0, only_b = 0;
    std::optional<ActivationPair> first; // other outcome: the one of the least number in A
    std::int64_t farthest = 0;          // ns: the largest distance in time of a pair, B - A, the earliest of equals
};

/// Collects the decisions of both runs; what both have made is counted and forgotten.
class Activations {
  public:
    void note_a(const State& before, const DecisionHeader& header) { note(m_a, before, header); }
    void note_b(const State& before, const DecisionHeader& header) { note(m_b, before, header); }
    /// Pairs what has come so far: keeps what waits for its partner small.
    void pair_up();
    /// What has no partner has none.
    [[nodiscard]] ActivationTotals finish();

  private:
    struct Side {
        std::map<ActivationKey, ActivationRow> open;
        std::map<std::pair<std::int32_t, Kind>, std::pair<std::uint64_t, std::uint32_t>> last; // activation, decisions of it
    };
    static void note(Side& side, const State& before, const DecisionHeader& header);
    void count(const ActivationPair& pair);

    Side m_a, m_b;
    ActivationTotals m_totals;
};

} // namespace picknext::compare
