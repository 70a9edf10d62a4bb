// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/scene/axis.hpp"

#include <algorithm>
#include <cmath>

namespace picknext::ui {

std::int64_t tick_step(const Axis& axis, double min_gap) {
    const double wanted = axis.per_pixel() * min_gap;
    for (std::int64_t power = 1; power < 1'000'000'000'000'000'000; power *= 10)
        for (std::int64_t digit : {1, 2, 5})
            if (static_cast<double>(digit * power) >= wanted) return digit * power;
    return 1'000'000'000'000'000'000;
}

std::vector<std::int64_t> ticks(const Axis& axis, std::int64_t step) {
    std::vector<std::int64_t> result;
    const double s = static_cast<double>(step);
    for (double v = std::ceil(axis.from / s); v * s <= axis.to && result.size() < 1000; ++v)
        result.push_back(static_cast<std::int64_t>(v) * step);
    return result;
}

Axis moved(Axis axis, double ns, double lowest, double highest) {
    const double span = axis.span();
    axis.from = std::max(lowest, std::min(axis.from + ns, highest - span));
    axis.to = axis.from + span;
    return axis;
}

Axis zoomed(Axis axis, double factor, double px, double lowest, double highest, double shortest) {
    const double span = std::clamp(axis.span() * factor, shortest, std::max(shortest, highest - lowest));
    const double held = axis.at(px), share = (px - axis.left) / (axis.right - axis.left);
    axis.from = held - share * span;
    axis.to = axis.from + span;
    return moved(axis, 0, lowest, highest);
}

} // namespace picknext::ui
