// SPDX-License-Identifier: GPL-3.0-or-later
// A plot of a Chart, in the theme's colours. Takes the focus; its numbers are its accessible description.
#pragma once

#include <memory>

#include <QWidget>

#include "ui/plots/chart.hpp"

namespace picknext::ui {

class ChartPainter;

class ChartView final : public QWidget {
    Q_OBJECT
  public:
    explicit ChartView(QWidget* parent = nullptr);
    ~ChartView() override;

    void setChart(Chart chart);
    [[nodiscard]] const Chart& chart() const { return m_chart; }
    /// Outlined: what an export takes.
    void setChosen(bool chosen);

    /// The plot alone, as shown, in a format by the ending of the name: png, svg or pdf. False: it was not written.
    [[nodiscard]] bool save(const QString& path) const;
    /// What is said about the place, in pixels of this widget; empty where nothing is.
    [[nodiscard]] QString hint(const QPoint& at) const;

    QSize sizeHint() const override;
    QSize minimumSizeHint() const override;

  Q_SIGNALS:
    void chosen();

  protected:
    void changeEvent(QEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;
    void paintEvent(QPaintEvent* event) override;
    void focusInEvent(QFocusEvent* event) override;
    void focusOutEvent(QFocusEvent* event) override;
    bool event(QEvent* event) override;

  private:
    void draw();
    Chart m_chart;
    std::unique_ptr<ChartPainter> m_painter;
    bool m_isChosen = false;
    bool m_drawing = false;
};

} // namespace picknext::ui
