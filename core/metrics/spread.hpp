// SPDX-License-Identifier: GPL-3.0-or-later
// How far the repeats of a measurement lie apart, and what two arms that share their seeds differ by.
#pragma once

#include <cstddef>
#include <optional>
#include <span>

#include "core/metrics/summary.hpp"

namespace picknext::metrics {

/// Samples in a few numbers, in their unit. Quartiles are of the nearest rank, as percentile().
struct Spread {
    std::size_t count = 0;
    double mean = 0;
    double median = 0;    // of an even number: the mean of the middle two
    double least = 0, most = 0;
    double lower_quartile = 0, upper_quartile = 0;
    double deviation = 0; // standard deviation of a sample (n - 1), 0 for one
    friend bool operator==(const Spread&, const Spread&) = default;
};
/// In any order; all zeros for none.
[[nodiscard]] Spread spread(std::span<const double> samples);

/// The samples of two arms by pairs: a[i] and b[i] had the same seed.
struct Paired {
    double difference = 0;          // mean of b - a
    std::optional<Interval> difference_95; // of that mean, 95 %; nothing below two pairs
    double ratio = 1;               // mean of b / a
    std::optional<Interval> ratio_95;
};
/// As many of each, at least one; nothing when some a is 0, for then there is no ratio.
[[nodiscard]] std::optional<Paired> paired(std::span<const double> a, std::span<const double> b);

} // namespace picknext::metrics
