// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/metrics/spread.hpp"

#include <algorithm>
#include <cmath>
#include <vector>

#include "core/base/assert.hpp"

namespace picknext::metrics {
namespace {

/// The least of the samples that at least `permille` of them do not exceed.
double by_rank(std::span<const double> ascending, std::size_t permille) {
    const std::size_t rank = (ascending.size() * permille + 999) / 1000;
    return ascending[rank == 0 ? 0 : rank - 1];
}

} // namespace

Spread spread(std::span<const double> samples) {
    Spread out;
    out.count = samples.size();
    if (samples.empty()) return out;
    std::vector<double> sorted(samples.begin(), samples.end());
    std::sort(sorted.begin(), sorted.end());
    const std::size_t n = sorted.size();
    out.mean = mean(sorted);
    out.median = n % 2 == 1 ? sorted[n / 2] : (sorted[n / 2 - 1] + sorted[n / 2]) / 2;
    out.least = sorted.front();
    out.most = sorted.back();
    out.lower_quartile = by_rank(sorted, 250);
    out.upper_quartile = by_rank(sorted, 750);
    if (n > 1) {
        double squares = 0;
        for (const double s : sorted) squares += (s - out.mean) * (s - out.mean);
        out.deviation = std::sqrt(squares / static_cast<double>(n - 1));
    }
    return out;
}

std::optional<Paired> paired(std::span<const double> a, std::span<const double> b) {
    PICKNEXT_ASSERT(a.size() == b.size() && !a.empty(), "pairs of {} and {} samples", a.size(), b.size());
    std::vector<double> differences, ratios;
    for (std::size_t i = 0; i < a.size(); ++i) {
        if (a[i] == 0) return std::nullopt;
        differences.push_back(b[i] - a[i]);
        ratios.push_back(b[i] / a[i]);
    }
    return Paired{mean(differences), mean_interval(differences), mean(ratios), mean_interval(ratios)};
}

} // namespace picknext::metrics
