// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/metrics/summary.hpp"

#include <cmath>
#include <numbers>

#include "core/base/assert.hpp"

namespace picknext::metrics {
namespace {

/// P(|T| <= t) of Student's distribution for whole degrees of freedom: the finite sums in the angle atan(t / sqrt(n)).
double within(double t, int n) {
    const double angle = std::atan(t / std::sqrt(static_cast<double>(n)));
    const double c2 = std::cos(angle) * std::cos(angle);
    double term = n % 2 == 0 ? 1.0 : std::cos(angle), sum = n == 1 ? 0.0 : term;
    for (int k = n % 2 == 0 ? 2 : 3; k <= n - 2; k += 2) {
        term *= c2 * (k - 1) / k;
        sum += term;
    }
    sum *= std::sin(angle);
    return n % 2 == 0 ? sum : 2 / std::numbers::pi * (angle + sum);
}

} // namespace

std::int64_t percentile(std::span<const std::int64_t> ascending, int permille) {
    PICKNEXT_ASSERT(!ascending.empty() && permille >= 0 && permille <= 1000, "permille {} of {} samples", permille, ascending.size());
    const std::size_t rank = (ascending.size() * static_cast<std::size_t>(permille) + 999) / 1000;
    return ascending[rank == 0 ? 0 : rank - 1];
}

double mean(std::span<const double> samples) {
    PICKNEXT_ASSERT(!samples.empty(), "the mean of no samples");
    double sum = 0;
    for (const double s : samples) sum += s;
    return sum / static_cast<double>(samples.size());
}

std::optional<Interval> mean_interval(std::span<const double> samples) {
    if (samples.size() < 2) return std::nullopt;
    const double middle = mean(samples), n = static_cast<double>(samples.size());
    double squares = 0;
    for (const double s : samples) squares += (s - middle) * (s - middle);
    const double reach = student_t_95(static_cast<int>(samples.size()) - 1) * std::sqrt(squares / (n - 1) / n);
    return Interval{middle - reach, middle + reach};
}

double student_t_95(int degrees) {
    PICKNEXT_ASSERT(degrees >= 1, "{} degrees of freedom", degrees);
    double low = 0, high = 16; // 12.706 for one degree is the largest
    for (int i = 0; i < 60; ++i) {
        const double middle = (low + high) / 2;
        (within(middle, degrees) < 0.95 ? low : high) = middle;
    }
    return high;
}

} // namespace picknext::metrics
