// SPDX-License-Identifier: GPL-3.0-or-later
// What a run came to, in numbers that can be set against those of another run.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <stop_token>
#include <string_view>

#include "core/engine/engine.hpp"

namespace picknext::compare {

enum class Measure : std::uint8_t {
    makespan, latency_p50, latency_p90, latency_p99, latency_p999, latency_max, waited, longest_wait, ran, idle_while_queued,
    idle_intervals, switches, wakeups, migrations, ticks, decisions, picks_direct, picks_parity, picks_fast, picks_slow, picks_buddy,
    picks_leftmost, picks_skip, picks_last, placed_idle, placed_busy, pulled, count
};
inline constexpr std::size_t measure_count = static_cast<std::size_t>(Measure::count);

enum class Better : std::uint8_t { neither, lower, higher };

struct MeasureInfo {
    Measure id;
    std::string_view name;   // "wakeup latency p99"
    std::string_view key;    // "latency_p99", in JSON
    bool time;               // ns; else a number
    Better better;
    std::string_view what;   // one sentence
};
[[nodiscard]] std::span<const MeasureInfo> measure_table();
[[nodiscard]] inline const MeasureInfo& info(Measure m) { return measure_table()[static_cast<std::size_t>(m)]; }

struct Measured {
    std::array<std::optional<std::int64_t>, measure_count> values = {}; // nothing: the run has no such number
    std::uint64_t outcomes = 0;  // digest of all outcomes in order: equal when two runs decided alike
    bool whole = true;           // false: cancelled
    [[nodiscard]] const std::optional<std::int64_t>& operator[](Measure m) const { return values[static_cast<std::size_t>(m)]; }
    friend bool operator==(const Measured&, const Measured&) = default;
};

/// Runs the scenario to the limit.
[[nodiscard]] Measured measure(std::shared_ptr<const Scenario> scenario, const RunLimit& limit, std::stop_token stop = {}, const Progress& progress = {});

} // namespace picknext::compare
