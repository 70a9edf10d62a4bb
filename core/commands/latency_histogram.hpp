// SPDX-License-Identifier: GPL-3.0-or-later
// How schbench sums up latencies: a histogram that keeps 8 bits of each value, so that published percentiles are midpoints of
// buckets (4152 and 14288, where nothing of the kind was measured).
#pragma once

#include <cstdint>
#include <span>
#include <vector>

namespace picknext::commands {

/// What schbench shows for a latency in us: itself up to 511, else the middle of its bucket, 256 buckets to a power of two
/// (rounded down). Values from 2^26 on all share the last bucket.
[[nodiscard]] std::uint32_t shown_latency(std::uint32_t us);

struct Percentile {
    std::uint32_t us = 0;       // as shown
    std::uint64_t samples = 0;  // between the percentile before and this one
    friend bool operator==(const Percentile&, const Percentile&) = default;
};

struct Latencies {
    std::uint64_t samples = 0;
    std::uint32_t min = 0, max = 0;     // us, exact
    std::vector<Percentile> percentiles; // one for each asked for; none without samples
};

/// us: latencies in any order. Those of 0 us are not counted (schbench: recorded if > 0) unless `zeros`.
/// permille: ascending, of 1000. A percentile is the first bucket at which so many of the samples are reached.
[[nodiscard]] Latencies sum_up(std::span<const std::int64_t> us, std::span<const int> permille, bool zeros = false);

} // namespace picknext::commands
