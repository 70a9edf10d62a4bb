// SPDX-License-Identifier: GPL-3.0-or-later
// Going back: a run as positions one can travel to. History is replay from checkpoints; a checkpoint is only a cache.
// A position lies at a decision: State is the one that decision saw, before its outcome is applied.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <stop_token>
#include <vector>

#include "core/engine/engine.hpp"

namespace picknext {

/// Where one stands. decision: number of the decision being shown (1-based), 0 = the start, before everything.
/// check: how many of its checks are already seen (stepping by check), 0..header.checks; equal to checks when not
/// stepping by check; stepping forward enters a decision with its first check seen.
struct Position {
    std::uint64_t event = 0;
    std::uint64_t decision = 0;
    std::uint16_t check = 0;
    friend auto operator<=>(const Position&, const Position&) = default;
};

enum class StepUnit : std::uint8_t { check, decision, context_switch, wakeup, tick, millisecond };
enum class Direction : std::uint8_t { forward, back };

/// One row of the decision log; its number is its index + 1.
struct LogRow {
    DecisionHeader header;
};

/// A task's time on a CPU. end = INT64_MAX while it still runs at the frontier; task none never occurs (gaps are idle).
struct LaneSlice {
    std::int64_t begin = 0, end = 0; // ns
    TaskId task;
};

/// From `at` on, so many tasks are queued on a CPU beside the running one, as the decisions on it saw it.
struct WaitStep {
    std::int64_t at = 0; // ns
    std::uint32_t tasks = 0;
};

/// What was computed so far, up to the frontier; immutable chunks, cheap to copy, safe to read from another thread.
struct RunIndex {
    static constexpr std::size_t chunk_rows = 4096;
    std::vector<std::shared_ptr<const std::vector<DecisionHeader>>> log;  // every chunk full but the last
    std::uint64_t rows = 0;
    std::vector<std::shared_ptr<const std::vector<LaneSlice>>> lanes;     // by CPU, ascending, disjoint
    std::vector<std::shared_ptr<const std::vector<WaitStep>>> waiting;    // by CPU, ascending in time
    std::int64_t frontier = 0;                                            // ns computed up to
    [[nodiscard]] const DecisionHeader& row(std::uint64_t index) const {  // index < rows
        return (*log[index / chunk_rows])[index % chunk_rows];
    }
};

/// One moment as views see it: immutable, shared between threads.
struct Snapshot {
    std::shared_ptr<const Scenario> scenario;
    State state;                      // at the decision, before it is applied
    Position position;
    DecisionHeader header;            // of the decision shown; kind count at the start
    std::vector<Check> checks;        // all of them
    RunIndex index;
    bool at_end = false;              // nothing further to compute
    std::uint64_t digest = 0;         // of state
    bool has_previous = false;        // one can go back: to the decision before, or to the start
};

struct HistoryBudget {
    std::size_t bytes = std::size_t{256} << 20; // of checkpoints
    std::size_t near = 16;                      // closely spaced checkpoints before the cursor
};

/// Looks at a decision and the state it saw; false = enough.
using Visitor = std::function<bool(const State& before, const DecisionHeader& header, std::span<const Check> checks)>;

/// One run and a cursor in it. Not thread-safe: lives on one thread, hands out Snapshots.
class Timeline {
  public:
    explicit Timeline(std::shared_ptr<const Scenario> scenario, HistoryBudget budget = {});
    ~Timeline();
    Timeline(Timeline&&) noexcept;
    Timeline& operator=(Timeline&&) noexcept;

    [[nodiscard]] Position position() const;
    [[nodiscard]] const State& state() const;
    [[nodiscard]] const Scenario& scenario() const;
    [[nodiscard]] std::shared_ptr<const Snapshot> snapshot() const;

    /// Moves by n units; returns false when the run ends (or begins) first, standing on the last decision (or at the
    /// start) then, and when cancelled. stop: polled; a cancelled call leaves the cursor where it was, or where it got
    /// to when it computed further. Units: a context switch is a schedule decision that switches, a wakeup a place
    /// decision. A scenario without an end that never comes to such a decision again is computed until stopped.
    bool step(StepUnit unit, Direction direction, std::uint64_t n = 1, std::stop_token stop = {},
              const Progress& progress = {});
    /// To decision `number` (1-based); 0 = the start. Beyond the end: the last one, returns false.
    bool seek_decision(std::uint64_t number, std::stop_token stop = {}, const Progress& progress = {});
    /// To the first decision at or after `ns`.
    bool seek_time(std::int64_t ns, std::stop_token stop = {}, const Progress& progress = {});

    /// Shows decisions first..last (numbers from 1) to a visitor, in order, computing what is not computed yet; the cursor
    /// stays. detail: header (checks are empty then) or checks. Returns the number of the last one shown, first - 1 for
    /// none: less than `last` when the run ended, the visitor had enough, or stop was requested.
    std::uint64_t visit(std::uint64_t first, std::uint64_t last, Detail detail, const Visitor& visitor, std::stop_token stop = {},
                        const Progress& progress = {});

    /// Replay verifies checkpoint digests it passes; the first mismatch (a bug of ours) as a sentence, else empty.
    [[nodiscard]] const std::string& replay_mismatch() const;
    /// Bytes held by checkpoints, and how many there are.
    [[nodiscard]] std::size_t checkpoint_bytes() const;
    [[nodiscard]] std::size_t checkpoint_count() const;

  private:
    struct Impl;
    std::unique_ptr<Impl> m_impl;
};

} // namespace picknext
