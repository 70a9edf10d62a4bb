// SPDX-License-Identifier: GPL-3.0-or-later
// Figures published in the five mail threads, and what a simulated figure says beside one.
#pragma once

#include <optional>
#include <span>
#include <string_view>

#include "core/metrics/spread.hpp"

namespace picknext::bench {

/// One published cell: the same measurement without and with a patch, or a figure that stands alone.
struct Published {
    int thread = 0;                // 1..5
    std::string_view panel;        // which plan of the thread it belongs to
    std::string_view cell;         // label of the cell, empty where the plan has one
    std::string_view metric;       // as figure() knows it
    std::string_view unit;
    std::optional<double> before;  // without the patch
    std::optional<double> after;   // with it
    double tolerance = 0;          // of a figure, a share of it: 0.15 = within 15 %; in the unit itself where `absolute`
    double effect_tolerance = 0;   // of after / before, a share: 0.01 = within one percentage point
    bool absolute = false;
    std::string_view source = {};
    bool ratio_only = false;       // only the effect was published: before is 1       // mail, commit
};
[[nodiscard]] std::span<const Published> published_table();

/// What a simulated figure or effect says about a published one.
enum class Verdict : std::uint8_t {
    agrees,        // inside the simulated interval or the stated tolerance
    same_sign,     // an effect in the same direction, of another size
    no_effect,     // none was found: the interval of the difference holds 0, or the arms are equal
    opposite_sign, // an effect in the other direction
    differs,       // a figure outside the tolerance
    not_run        // there is no simulated figure
};
[[nodiscard]] std::string_view words_of(Verdict verdict); // "agrees", "same sign", ...

/// A figure that stands alone: agrees if the median of the repeats lies within the tolerance (a wide interval would prove nothing).
[[nodiscard]] Verdict judge_value(double published, double tolerance, bool absolute, std::span<const double> simulated);

/// An effect, after / before - 1. published: of the thread; simulated: pairs of repeats, nothing when there are none.
/// Agrees: the published ratio lies within the tolerance of the simulated mean, or in its 95 % interval, unless that holds
/// "no effect" as well: an interval that wide says nothing.
[[nodiscard]] Verdict judge_effect(double before, double after, double tolerance, const std::optional<metrics::Paired>& simulated);

} // namespace picknext::bench
