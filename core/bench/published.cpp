// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/bench/published.hpp"

#include <array>
#include <cmath>

namespace picknext::bench {
namespace {

constexpr std::string_view thread_1 = "changelog of c8987ae5af79, mail of 21 Mar 2021";
constexpr std::string_view thread_2 = "mail of 2 Nov 2020, merged as 16b0a7a1a0af";
constexpr std::string_view thread_3 = "replies of September 2020 to the RFC";
constexpr std::string_view thread_4 = "cover letter of 7 Nov 2023, merged as ee4373dc902c";
constexpr std::string_view thread_5 = "reply of February 2018 to the series merged as f643ea220701";

/// hackbench, seconds without and with the patch. Cells carry about 1.5 % of noise: the patch only removes work, and yet
/// the first one grows.
constexpr Published hackbench(std::string_view cell, double before, double after) {
    return {1, "hackbench", cell, "time", "s", before, after, 0.15, 0.015, false, thread_1};
}
/// schbench, us. The median is the same both ways and hangs on constants; the tail is the effect.
constexpr Published schbench(std::string_view metric, double before, double after, double tolerance) {
    return {2, "schbench", "", metric, "us", before, after, tolerance, 0.1, false, thread_2};
}
constexpr Published picks(std::string_view panel, std::string_view metric, double share) {
    return {4, panel, "", metric, "%", std::nullopt, share, 6, 0, true, thread_4};
}

constexpr std::array table{
    hackbench("g=2", 1.8151, 1.8428), hackbench("g=4", 3.8499, 3.7436), hackbench("g=6", 5.5142, 5.4501), hackbench("g=8", 7.2491, 6.9522),
    hackbench("g=10", 9.0340, 8.2882), hackbench("g=12", 10.7345, 9.9535), hackbench("g=14", 12.0929, 11.3367),

    schbench("p50.0", 33, 34, 0.25), schbench("p75.0", 45, 47, 0.25), schbench("p90.0", 51, 52, 0.25), schbench("p95.0", 4152, 78, 0.5),
    schbench("p99.0", 14288, 94, 0.5), schbench("p99.9", 14288, 94, 0.5), schbench("max", 14276, 94, 0.5),

    // Throughput or its inverse with the first draft of the mask, against the kernel before.
    Published{3, "uperf, draft", "", "throughput", "Mb/s", 24.83, 19.02, 0.25, 0.03, false, thread_3},
    Published{3, "uperf, draft_fixed", "", "throughput", "of before", 1, 0.98, 0, 0.03, false, thread_3, true},
    Published{3, "uperf, v2", "", "throughput", "Mb/s", 24.83, 24.97, 0.25, 0.03, false, thread_3},
    Published{3, "sched pipe, draft", "", "usecs/op", "us/op", 19.609, 25.674, 0.25, 0.03, false, thread_3},

    picks("hackbench", "pick_direct", 92.95), picks("hackbench", "pick_parity", 2.02), picks("hackbench", "pick_fast", 4.91), picks("hackbench", "pick_slow", 0.12),
    picks("netperf", "pick_direct", 68.08), picks("netperf", "pick_parity", 6.60), picks("netperf", "pick_fast", 24.18), picks("netperf", "pick_slow", 1.14),
    picks("tbench", "pick_direct", 67.55), picks("tbench", "pick_parity", 11.22), picks("tbench", "pick_fast", 20.61), picks("tbench", "pick_slow", 0.62),
    picks("schbench", "pick_direct", 69.91), picks("schbench", "pick_parity", 2.65), picks("schbench", "pick_fast", 25.73), picks("schbench", "pick_slow", 1.71),

    Published{5, "kick_ilb", "", "loop", "us", 39, 33, 0.1, 0.1, false, thread_5},
    Published{5, "kick_ilb", "", "enter", "ns", 233, 283, 0.1, 0.1, false, thread_5},
};

bool inside(const std::optional<metrics::Interval>& interval, double value) { return interval && interval->low <= value && value <= interval->high; }

} // namespace

std::span<const Published> published_table() { return table; }

std::string_view words_of(Verdict verdict) {
    switch (verdict) {
    case Verdict::agrees: return "agrees";
    case Verdict::same_sign: return "same sign";
    case Verdict::no_effect: return "no effect found";
    case Verdict::opposite_sign: return "opposite sign";
    case Verdict::differs: return "differs";
    case Verdict::not_run: return "not run";
    }
    return "";
}

Verdict judge_value(double published, double tolerance, bool absolute, std::span<const double> simulated) {
    if (simulated.empty()) return Verdict::not_run;
    const double reach = absolute ? tolerance : tolerance * std::abs(published);
    return std::abs(metrics::spread(simulated).median - published) <= reach ? Verdict::agrees : Verdict::differs;
}

Verdict judge_effect(double before, double after, double tolerance, const std::optional<metrics::Paired>& simulated) {
    if (!simulated) return Verdict::not_run;
    const double published = after / before;
    const bool near = std::abs(simulated->ratio - published) <= tolerance, nothing = simulated->ratio == 1 || inside(simulated->ratio_95, 1);
    if (near || (!nothing && inside(simulated->ratio_95, published))) return Verdict::agrees;
    if (nothing) return Verdict::no_effect;
    return (simulated->ratio > 1) == (published > 1) ? Verdict::same_sign : Verdict::opposite_sign;
}

} // namespace picknext::bench
