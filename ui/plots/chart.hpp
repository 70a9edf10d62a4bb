// SPDX-License-Identifier: GPL-3.0-or-later
// What a plot shows, as values: curves over points, or bars made of parts. Numbers come from the core; nothing is computed here.
#pragma once

#include <optional>
#include <utility>
#include <vector>

#include <QString>

namespace picknext::ui {

/// Whose figures: A is a circle and a solid line, B a square and a dashed line, both their difference a diamond.
enum class ChartArm { a, b, difference };

struct ChartMark {
    double x = 0, y = 0;
    std::optional<std::pair<double, double>> range; // from, to
};
struct ChartCurve {
    QString name;
    ChartArm arm = ChartArm::a;
    bool published = false;  // hollow marks, no line
    bool joined = true;
    std::vector<ChartMark> marks;
};
struct ChartBar {
    QString name;
    bool published = false;  // unfilled
    std::vector<double> parts; // one per Chart::parts, >= 0
};

struct Chart {
    QString id;              // stable: file name of an export
    QString title, detail;
    QString xLabel, yLabel;
    QString unit;            // of y, or of the parts
    // curves
    std::vector<ChartCurve> curves;
    std::vector<std::pair<double, QString>> ticks; // where x stands for words; empty: numbers
    bool zeroLine = false, fromZero = false, logarithmic = false;
    // bars, from top to bottom
    std::vector<QString> parts;
    std::vector<ChartBar> bars;
    bool sums = false;       // behind each bar

    [[nodiscard]] bool isBars() const { return !bars.empty(); }
    /// All its numbers in words, for those who do not see it.
    [[nodiscard]] QString spoken() const;
};

/// A figure as people read it: four digits, groups of three above 1000, a real minus.
[[nodiscard]] QString chartNumber(double value);

} // namespace picknext::ui
