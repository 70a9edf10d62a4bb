// SPDX-License-Identifier: GPL-3.0-or-later
// Arms of a comparison over several seeds: what differs on average and how sure that is, and what toggles do together
// beyond what each does alone.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "core/compare/measure.hpp"
#include "core/metrics/summary.hpp"

namespace picknext::compare {

inline constexpr std::size_t max_toggles = 4; // 2^4 arms

/// One arm: by seed. All arms are run with the same seeds.
using Samples = std::vector<Measured>;

/// Runs the scenario with its own seed and the ones that follow it; fewer than `seeds` when cancelled.
[[nodiscard]] Samples sample(const Scenario& scenario, std::uint64_t seeds, const RunLimit& limit, std::stop_token stop = {}, const Progress& progress = {});

/// A measure in two arms: of the seeds at which both have it.
struct Paired {
    std::size_t seeds = 0;                      // 0: the rest means nothing
    double a = 0, b = 0;                        // means
    double difference = 0;                      // mean of B - A
    std::optional<metrics::Interval> interval;  // 95 %, of the mean difference; from two seeds on
    /// The interval lies on one side of 0.
    [[nodiscard]] bool clear() const { return interval && (interval->low > 0 || interval->high < 0); }
};
[[nodiscard]] Paired paired(const Samples& a, const Samples& b, Measure measure);

/// The interaction of a set of toggles (bits of `toggles`, not 0): what they change together that no smaller set of them
/// accounts for. For one toggle its effect alone. arms: by set of toggles that are on, a power of two of them.
[[nodiscard]] Paired interaction(std::span<const Samples> arms, unsigned toggles, Measure measure);

} // namespace picknext::compare
