// SPDX-License-Identifier: GPL-3.0-or-later
// Two runs in lockstep, and the first decision in which they differ. Decisions are compared in order; chunks of the log
// whose digests agree are not looked at again.
#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <stop_token>

#include "core/compare/activations.hpp"
#include "core/compare/record.hpp"
#include "core/engine/engine.hpp"

namespace picknext::compare {

/// How two decisions at the same place of the order differ, the strongest of these.
enum class Depth : std::uint8_t {
    outcome, // kind, CPU, task, level or outcome
    reason,  // same outcome, other reason or path
    checks,  // same outcome and reason, other checks
    time,    // all the same at another time
    count
};
inline constexpr std::size_t depth_count = static_cast<std::size_t>(Depth::count);

/// One place of the order at which the runs differ. One record is missing where that run has no decision there any more.
struct Divergence {
    std::optional<Record> a, b;
};

struct Divergences {
    std::uint64_t compared = 0;      // decisions compared in order: up to the first other outcome, or the end
    std::array<std::uint64_t, depth_count> differ = {};             // of these, how many at each depth
    std::array<std::optional<Divergence>, depth_count> first = {};  // at each depth
    std::uint64_t left_out_a = 0, left_out_b = 0; // decisions of a kind that only the settings of one run ask for
    ActivationTotals activations;
    std::optional<Divergence> activation;  // that of activations.first
    std::uint64_t decisions_a = 0, decisions_b = 0;
    std::uint64_t chunks = 0, chunks_equal = 0;   // told to be equal by their digests alone
    bool cancelled = false;

    [[nodiscard]] bool differs(Depth depth) const { return first[static_cast<std::size_t>(depth)].has_value(); }
    [[nodiscard]] const std::optional<Divergence>& at(Depth depth) const { return first[static_cast<std::size_t>(depth)]; }
};

struct DivergenceOptions {
    RunLimit limit;                  // of each run
    bool checks = true;              // compare checks too; without, the depth checks stays empty and runs are faster
    bool activations = true;         // go on to the end for them; without, stop at the first other outcome
    std::uint64_t chunk = 4096;      // decisions
};

/// Runs both scenarios, which should differ in their settings only.
[[nodiscard]] Divergences find_divergences(std::shared_ptr<const Scenario> a, std::shared_ptr<const Scenario> b, const DivergenceOptions& options,
                                           std::stop_token stop = {}, const Progress& progress = {});

/// The decision of this number (from 1) of a run, nothing when it has fewer.
[[nodiscard]] std::optional<Record> record_at(const std::shared_ptr<const Scenario>& scenario, std::uint64_t number, const RunLimit& limit);

} // namespace picknext::compare
