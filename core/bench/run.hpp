// SPDX-License-Identifier: GPL-3.0-or-later
// Runs a plan on a few threads. What comes out does not depend on how many.
#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <optional>
#include <stop_token>
#include <string>
#include <vector>

#include "core/bench/plan.hpp"
#include "core/cost/lines.hpp"
#include "core/state/accounts.hpp"

namespace picknext::bench {

inline constexpr int max_jobs = 256;

/// Counters of all cache lines of one kind.
struct LineCounts {
    std::uint64_t reads = 0, writes = 0, hits = 0, transfers = 0, waits = 0;
    std::uint64_t wait_ns = 0, ns = 0;
    LineCounts& operator+=(const LineCounts& more);
    friend bool operator==(const LineCounts&, const LineCounts&) = default;
};
using LinesByKind = std::array<LineCounts, static_cast<std::size_t>(cost::LineKind::count)>;

/// The largest thing the tasks measured, by its place in State::samples.
struct Slowest {
    std::size_t sample = 0;
    std::int64_t ns = 0;
    std::int32_t series = 0;
    friend bool operator==(const Slowest&, const Slowest&) = default;
};

/// How a run ended: not at all (stopped before), done, or not by itself within longest_run.
enum class End : std::uint8_t { stopped, done, too_long };

/// What came of one run. Without an end of its own the rest is empty.
struct Run {
    End end = End::stopped;
    std::vector<Figure> figures;   // Benchmark::figures
    double operations = 0;         // Benchmark::operations
    std::int64_t took = 0;         // ns of simulated time
    std::uint64_t events = 0, switches = 0, wakeups = 0;
    Accounts accounts;
    LinesByKind lines = {};
    std::optional<Slowest> slowest; // nothing where nothing was sampled
    std::string report;            // Benchmark::report
    friend bool operator==(const Run&, const Run&) = default;
};

struct Outcome {
    std::vector<Run> runs;         // by cell, arm, repeat
    int repeats = 1;
    std::size_t arms = 1;
    [[nodiscard]] const Run& run(std::size_t cell, std::size_t arm, int repeat) const {
        return runs[(cell * arms + arm) * static_cast<std::size_t>(repeats) + static_cast<std::size_t>(repeat)];
    }
    [[nodiscard]] bool complete() const;
    friend bool operator==(const Outcome&, const Outcome&) = default;
};

struct Done {
    std::size_t runs = 0, of = 0;
    double fraction = 0;           // of all runs, those under way included, 0..1
};

struct Running {
    int jobs = 1;                  // threads, 1..max_jobs
    std::stop_token stop = {};     // runs under way are given up, those done are kept
    std::function<void(const Done&)> progress = {}; // from any of the threads, one at a time, often
    /// A run that came to an end, with its place in Outcome::runs: from any of the threads, one at a time.
    std::function<void(std::size_t index, const Run&)> ended = {};
};

/// How many repeats of all cells, done in arms 0 and 1, ended in the same way to the last count and nanosecond.
struct Equal {
    int pairs = 0, equal = 0;
    friend bool operator==(const Equal&, const Equal&) = default;
};
[[nodiscard]] Equal equal_pairs(const Outcome& outcome, std::size_t cells);

/// Runs everything. No recording.
[[nodiscard]] Outcome run(const Plan& plan, const Running& how = {});

/// When a sample was taken.
struct Moment {
    std::uint64_t event = 0;       // State::event after it
    std::uint64_t decision = 0;    // State::decisions after it: the decision to open at
    std::int64_t at = 0;           // ns
};
/// Runs a scenario again up to the moment its slowest sample was taken; the end of the run without one. Nothing when stopped.
[[nodiscard]] std::optional<Moment> slowest_moment(const Scenario& scenario, const std::optional<Slowest>& slowest, std::stop_token stop = {});

} // namespace picknext::bench
