// SPDX-License-Identifier: GPL-3.0-or-later
// Samples in a few numbers. Nothing here reaches a decision, so doubles may be used.
#pragma once

#include <cstdint>
#include <optional>
#include <span>

namespace picknext::metrics {

/// By nearest rank: the least of the samples that at least `permille` of 1000 of them do not exceed; 0 gives the least.
/// The samples are in ascending order, at least one; permille 0..1000.
[[nodiscard]] std::int64_t percentile(std::span<const std::int64_t> ascending, int permille);

/// At least one sample.
[[nodiscard]] double mean(std::span<const double> samples);

struct Interval {
    double low = 0, high = 0;
};
/// Where the mean of what the samples were drawn from lies with 95 % confidence, if they are normally distributed: the
/// mean and the standard error times Student's t. Nothing below two samples.
[[nodiscard]] std::optional<Interval> mean_interval(std::span<const double> samples);

/// Student's t that a variable of so many degrees of freedom (>= 1) exceeds in absolute value with a probability of 5 %.
[[nodiscard]] double student_t_95(int degrees);

} // namespace picknext::metrics
