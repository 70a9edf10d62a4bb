// SPDX-License-Identifier: GPL-3.0-or-later
// Draws a Chart with QCustomPlot. The header names none of it, so that only ui/plots depends on it.
#pragma once

#include <vector>

#include <QPointer>
#include <QRectF>

#include "ui/plots/chart.hpp"
#include "ui/theme/theme.hpp"

class QCPAxisRect;
class QCPBars;
class QCPLegend;
class QCustomPlot;

namespace picknext::ui {

class ChartPainter {
  public:
    explicit ChartPainter(QWidget* parent);
    ChartPainter(const ChartPainter&) = delete;
    ChartPainter& operator=(const ChartPainter&) = delete;

    [[nodiscard]] QWidget* widget() const;
    void draw(const Chart& chart, const Theme& theme);
    /// Below it the legend would take the plot's room.
    [[nodiscard]] static int neededHeight(const Chart& chart, const Theme& theme, int width);
    [[nodiscard]] bool save(const QString& path, const QString& title) const;
    [[nodiscard]] QString hint(const Chart& chart, const QPointF& at) const;

  private:
    void addHeading(const QString& text, const QFont& font, const QColor& colour, int row);
    void addCurves(const Chart& chart);
    void addBars(const Chart& chart);
    void addNumbers(const Chart& chart);
    void styleAxes(const Chart& chart);
    void layLegend();

    QPointer<QCustomPlot> m_plot; // owned by the parent
    QCPLegend* m_legend = nullptr;
    Theme m_theme;
};

} // namespace picknext::ui
