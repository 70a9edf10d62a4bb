// SPDX-License-Identifier: GPL-3.0-or-later
// What a run is reported by: the benchmark's metrics, what follows from the counters, and where the time went.
#pragma once

#include <array>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/bench/run.hpp"
#include "core/metrics/spread.hpp"

namespace picknext::bench {

/// A figure that follows from what every run counts.
struct Derived {
    std::string_view name;     // key in files
    std::string_view unit;
    std::string_view what;     // what it says, a phrase
    std::optional<double> (*value)(const Run&); // nothing where it does not arise
};
/// Shares of pick paths (%), scans, migrations, kicks and the nohz times, per operation or per second of simulated time.
[[nodiscard]] std::span<const Derived> derived_table();

/// A metric of the benchmark or a derived figure, by its name; nothing when this run has none.
[[nodiscard]] std::optional<double> figure(const Run& run, std::string_view name);

/// The figure of all repeats of one arm that are done, in their order; empty when one of them has none.
[[nodiscard]] std::vector<double> samples(const Outcome& outcome, std::size_t cell, std::size_t arm, std::string_view name);

/// A figure of both arms, over the repeats done in both.
struct Compared {
    std::vector<double> a, b;
    std::optional<metrics::Paired> paired; // nothing without a pair, or where A is 0
};
/// Arms 0 and 1 of the plan.
[[nodiscard]] Compared compare(const Outcome& outcome, std::size_t cell, std::string_view name);

/// The benchmark's own metrics of a cell, as its first run that is done has them; the values are of that run.
[[nodiscard]] std::vector<Figure> metrics_of(const Outcome& outcome, std::size_t cell);

/// Means over the repeats of an arm that are done.
struct Breakdown {
    std::size_t runs = 0;
    double operations = 0;
    double took = 0;                                                     // ns of simulated time
    std::array<double, static_cast<std::size_t>(Spend::count)> spent{};  // ns of all CPUs together
    std::array<double, static_cast<std::size_t>(Tally::count)> tallies{};
    LinesByKind lines{};                                                 // sums, not means
    [[nodiscard]] double kernel_time() const;                            // sum of spent
};
[[nodiscard]] Breakdown breakdown(const Outcome& outcome, std::size_t cell, std::size_t arm);

} // namespace picknext::bench
