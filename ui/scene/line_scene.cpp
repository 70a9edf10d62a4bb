// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/scene/line_scene.hpp"

#include <algorithm>
#include <cmath>

namespace picknext::ui {
namespace {

constexpr double shortest_axis = 1'000; // ns to either side, for queues where all is equal

double median(std::vector<double> values) {
    if (values.empty()) return 0;
    const auto middle = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
    std::nth_element(values.begin(), middle, values.end());
    return *middle;
}

/// The largest of the values that is at most `factor` times their median: what lies beyond is an outlier.
double usual_largest(const std::vector<double>& values, double factor) {
    const double limit = std::max(factor * median(values), shortest_axis);
    double largest = 0;
    for (const double v : values)
        if (v <= limit) largest = std::max(largest, v);
    return largest;
}

LineBar bar_for(const LineEntry& e, const Axis& axis, double top, double height) {
    const double v = static_cast<double>(e.vruntime), d = static_cast<double>(e.deadline.value_or(e.vruntime));
    LineBar bar;
    bar.leaves_left = v < axis.from;
    bar.leaves_right = d > axis.to;
    const double x0 = std::clamp(axis.x(v), axis.left, axis.right), x1 = std::clamp(axis.x(d), axis.left, axis.right);
    bar.rect = QRectF(x0, top, std::max(0.0, x1 - x0), height);
    return bar;
}

void count_bins(const std::vector<LineEntry>& entries, LineScene& s) {
    const auto bins = static_cast<std::size_t>(std::max(1.0, s.plot.width() / s.bin));
    s.vruntimes.assign(bins, 0);
    s.deadlines.assign(bins, 0);
    const auto add = [&](std::vector<int>& counts, std::int64_t ns) {
        const double at = (s.axis.x(static_cast<double>(ns)) - s.plot.left()) / s.bin;
        ++counts[static_cast<std::size_t>(std::clamp(at, 0.0, static_cast<double>(bins - 1)))];
    };
    for (const LineEntry& e : entries) {
        add(s.vruntimes, e.vruntime);
        if (e.deadline) add(s.deadlines, *e.deadline);
    }
}

} // namespace

Axis choose_axis(const std::vector<LineEntry>& entries, std::optional<std::int64_t> also) {
    std::vector<double> before, after;
    const auto note = [&](std::int64_t ns) {
        if (ns != 0) (ns < 0 ? before : after).push_back(std::abs(static_cast<double>(ns))); // zero says nothing about lengths
    };
    for (const LineEntry& e : entries) {
        note(e.vruntime);
        if (e.deadline) note(*e.deadline);
    }
    if (also) note(*also);
    const double spread = entries.size() < 5 ? 8 : 2.5; // with few bars there is no usual length yet
    const double right = usual_largest(after, spread), left = usual_largest(before, std::max(4.0, spread));
    const double pad = std::max(0.06 * (left + right), shortest_axis);
    Axis axis;
    axis.from = -left - 1.6 * pad;
    axis.to = right + 1.6 * pad;
    return axis;
}

LineScene layout_line(const std::vector<LineEntry>& entries, std::optional<std::int64_t> also, const LineMetrics& m) {
    LineScene s;
    const double u = m.unit, header = 2 * m.line + 7 * u, footer = m.line + 6 * u, sums = m.line + 12 * u;
    const auto count = static_cast<double>(std::max<std::size_t>(1, entries.size()));
    const double all = m.viewport.height() - header - footer;
    const bool with_sums = m.sums && all - sums >= count * m.line;
    const double room = std::max(10 * u, with_sums ? all - sums : all);
    s.row = std::min(room / count, 26 * u);
    s.detail = s.row >= std::min(12 * u, m.line) ? RowDetail::named : s.row >= 6 * u ? RowDetail::bar : RowDetail::aggregate;
    const double names = s.detail == RowDetail::named ? m.name_width : 8 * u, values = s.detail == RowDetail::named ? m.value_width : 8 * u;
    const double height = s.detail == RowDetail::aggregate ? std::min(room, 200 * u) : s.row * count;
    s.plot = QRectF(8 * u + names, header, std::max(20 * u, m.viewport.width() - 16 * u - names - values), height);
    s.axis = choose_axis(entries, also);
    s.axis.left = s.plot.left();
    s.axis.right = s.plot.right();
    if (with_sums) s.sums = QRectF(8 * u, s.plot.bottom() + footer, m.viewport.width() - 16 * u, sums);
    if (s.detail == RowDetail::aggregate) {
        s.bin = 2 * u;
        count_bins(entries, s);
        return s;
    }
    const double inset = std::max(1.0, std::round(s.row * 0.14));
    for (std::size_t i = 0; i < entries.size(); ++i)
        s.bars.push_back(bar_for(entries[i], s.axis, s.plot.top() + s.row * static_cast<double>(i) + inset, s.row - 2 * inset));
    return s;
}

int LineScene::row_at(double y) const {
    if (detail == RowDetail::aggregate || y < plot.top() || y >= plot.bottom()) return -1;
    const int at = static_cast<int>((y - plot.top()) / row);
    return at < static_cast<int>(bars.size()) ? at : -1;
}

QRectF LineScene::row_rect(int at) const { return {plot.left(), plot.top() + row * at, plot.width(), row}; }

} // namespace picknext::ui
