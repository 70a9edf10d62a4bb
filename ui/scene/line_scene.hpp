// SPDX-License-Identifier: GPL-3.0-or-later
// The eligibility line: each entity a bar from its vruntime to its deadline, on an axis whose zero is V.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include <QRectF>
#include <QSizeF>

#include "ui/scene/axis.hpp"

namespace picknext::ui {

/// One row, relative to the zero of the axis, virtual ns.
struct LineEntry {
    std::int64_t vruntime = 0;
    std::optional<std::int64_t> deadline; // CFS has none
};

enum class RowDetail { named, bar, aggregate };

struct LineMetrics {
    QSizeF viewport;
    double line = 14;          // height of a text line, px
    double name_width = 60;    // left column
    double value_width = 60;   // right column
    double unit = 1;
    bool sums = false;         // keep a line of text below the axis
};

struct LineBar {
    QRectF rect;               // within the plot
    bool leaves_left = false, leaves_right = false; // the end lies outside the axis
};

struct LineScene {
    RowDetail detail = RowDetail::named;
    Axis axis;
    QRectF plot;               // rows and V line
    double row = 0;            // height of a row, px
    std::vector<LineBar> bars; // by row; empty when aggregated
    std::vector<int> vruntimes, deadlines; // aggregate: counts per bin
    double bin = 1;            // px per bin
    QRectF sums;               // empty when there is no room
    [[nodiscard]] int row_at(double y) const;      // -1 = none
    [[nodiscard]] QRectF row_rect(int row) const;  // over the whole width of the plot
};

/// The range that shows most bars: a single far deadline or vruntime is left outside.
[[nodiscard]] Axis choose_axis(const std::vector<LineEntry>& entries, std::optional<std::int64_t> also);

[[nodiscard]] LineScene layout_line(const std::vector<LineEntry>& entries, std::optional<std::int64_t> also, const LineMetrics& metrics);

} // namespace picknext::ui
