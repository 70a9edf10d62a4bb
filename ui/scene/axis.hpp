// SPDX-License-Identifier: GPL-3.0-or-later
// A straight axis: a range of ns laid over a range of pixels, and where its labels go.
#pragma once

#include <cstdint>
#include <vector>

namespace picknext::ui {

struct Axis {
    double from = 0, to = 1;   // ns, from < to
    double left = 0, right = 1; // px
    [[nodiscard]] double x(double ns) const { return left + (ns - from) * (right - left) / (to - from); }
    [[nodiscard]] double at(double px) const { return from + (px - left) * (to - from) / (right - left); }
    [[nodiscard]] double per_pixel() const { return (to - from) / (right - left); } // ns
    [[nodiscard]] double span() const { return to - from; }
};

/// The distance between labels, 1, 2 or 5 times a power of ten ns, so that they stand at least `min_gap` px apart.
[[nodiscard]] std::int64_t tick_step(const Axis& axis, double min_gap);

/// Multiples of the step within the axis.
[[nodiscard]] std::vector<std::int64_t> ticks(const Axis& axis, std::int64_t step);

/// The axis with its range scaled by `factor` about the pixel `px`, kept within [lowest, highest] and not shorter than
/// `shortest` ns.
[[nodiscard]] Axis zoomed(Axis axis, double factor, double px, double lowest, double highest, double shortest);
/// Moved by `ns`, kept within [lowest, highest].
[[nodiscard]] Axis moved(Axis axis, double ns, double lowest, double highest);

} // namespace picknext::ui
