// SPDX-License-Identifier: GPL-3.0-or-later
// Who ran where and when: one lane per CPU, or per LLC on large machines.
#pragma once

#include <optional>

#include "ui/painted/painted_view.hpp"
#include "ui/scene/timeline_scene.hpp"

namespace picknext::ui {

class TimelineView final : public PaintedView {
    Q_OBJECT
  public:
    explicit TimelineView(Selection* selection, QWidget* parent = nullptr);

    [[nodiscard]] QString caption() const override;
    [[nodiscard]] QString detailText() const override;
    [[nodiscard]] const TimelineRows& rows() const { return m_rows; }
    [[nodiscard]] const Axis& axis() const { return m_axis; }

    /// Shows this range, ns; from < to.
    void showRange(std::int64_t from, std::int64_t to);
    /// Everything computed so far.
    void zoomToFit();

    [[nodiscard]] int itemCount() const override { return static_cast<int>(m_rows.rows.size()); }
    [[nodiscard]] QString itemName(int item) const override;
    [[nodiscard]] QRectF itemRect(int item) const override;
    [[nodiscard]] int currentItem() const override;
    void activateItem(int item) override;
    [[nodiscard]] QSize sizeHint() const override;

  protected:
    void relayout() override;
    void aboutToShow(const Snapshot* previous) override;
    void paint(QPainter& p) override;
    [[nodiscard]] Card cardAt(const QPointF& at) const override;
    void mousePressEvent(QMouseEvent* e) override;
    void mouseMoveEvent(QMouseEvent* e) override;
    void mouseReleaseEvent(QMouseEvent* e) override;
    void mouseDoubleClickEvent(QMouseEvent* e) override;
    void wheelEvent(QWheelEvent* e) override;
    void keyPressEvent(QKeyEvent* e) override;

  private:
    enum class Drag { none, pan, measure, box };

    [[nodiscard]] std::span<const LaneSlice> lane(CpuId cpu) const;
    [[nodiscard]] std::uint32_t waitingAt(CpuId cpu, std::int64_t ns) const; // tasks
    [[nodiscard]] double latest() const; // ns one can scroll to
    [[nodiscard]] double gutter() const; // width of the labels
    [[nodiscard]] QString rowLabel(const TimelineRow& row) const;
    [[nodiscard]] bool fullColour(const TimelineRow& row, TaskId task) const;
    void setAxis(const Axis& axis);
    void toggleLlc(int llc);
    void showSelectedRow();

    void paintAxis(QPainter& p) const;
    void paintRows(QPainter& p) const;
    void paintLane(QPainter& p, const TimelineRow& row, const QRectF& r) const;
    void paintWaiting(QPainter& p, CpuId cpu, const QRectF& r) const;
    void paintShare(QPainter& p, const TimelineRow& row, const QRectF& r) const;
    void paintBusyNow(QPainter& p, const TimelineRow& row, const QRectF& r) const;
    void paintLabels(QPainter& p) const;
    /// Paints it unless the words would touch others; returns where they stand.
    QRectF paintLabel(QPainter& p, const TimelineRow& row, const std::vector<QRectF>& taken) const;
    void paintWakeups(QPainter& p) const;
    void paintCursor(QPainter& p) const;
    void paintDrag(QPainter& p) const;

    Axis m_axis;
    TimelineRows m_rows;
    std::vector<bool> m_open;       // by LlcId
    CpuId m_opened_for;             // its LLC was opened when it was selected
    const Scenario* m_scenario = nullptr;
    double m_scroll = 0;            // px, of the rows
    Drag m_drag = Drag::none;
    QPointF m_pressed, m_pointer;
    Axis m_axis_pressed;
    double m_scroll_pressed = 0;
    std::optional<std::pair<double, double>> m_measured; // ns
};

} // namespace picknext::ui
