// SPDX-License-Identifier: GPL-3.0-or-later
// The machine: who runs where, how much is queued, which CPUs and cores are idle, and where the current wakeup goes.
#pragma once

#include "ui/painted/painted_view.hpp"
#include "ui/scene/machine_scene.hpp"

namespace picknext::ui {

class MachineView final : public PaintedView {
    Q_OBJECT
  public:
    explicit MachineView(Selection* selection, QWidget* parent = nullptr);

    [[nodiscard]] QString caption() const override;
    [[nodiscard]] QString detailText() const override;
    [[nodiscard]] const MachineScene& scene() const { return m_scene; }

    [[nodiscard]] int itemCount() const override { return static_cast<int>(m_scene.cpus.size()); }
    [[nodiscard]] QString itemName(int item) const override;
    [[nodiscard]] QRectF itemRect(int item) const override;
    [[nodiscard]] int currentItem() const override { return selectedCpu().value; }
    void activateItem(int item) override;

    /// The whole machine in sight.
    void zoomToFit();
    [[nodiscard]] QSize sizeHint() const override;

  protected:
    void relayout() override;
    void paint(QPainter& p) override;
    [[nodiscard]] Card cardAt(const QPointF& at) const override;
    void mousePressEvent(QMouseEvent* e) override;
    void mouseMoveEvent(QMouseEvent* e) override;
    void mouseReleaseEvent(QMouseEvent* e) override;
    void wheelEvent(QWheelEvent* e) override;
    void keyPressEvent(QKeyEvent* e) override;

  private:
    struct CpuFacts {
        bool online = true, idle = true, tick_stopped = false;
        int queued = 0;
        double util = 0; // share of the capacity, 0..1
        TaskId current;
    };
    [[nodiscard]] CpuFacts facts(CpuId cpu) const;
    [[nodiscard]] bool coreIdle(int core) const;
    [[nodiscard]] int idleCores(int llc) const;
    [[nodiscard]] double legendHeight() const;
    void zoomAbout(double factor, const QPointF& at);
    void keepInSight();
    void showSelected();

    void paintBox(QPainter& p, const MachineBox& box) const;
    void paintLlcShare(QPainter& p, const MachineBox& box) const;
    void paintCpu(QPainter& p, CpuId cpu) const;
    void paintCell(QPainter& p, const QRectF& r, const CpuFacts& f) const;
    void paintBar(QPainter& p, const QRectF& r, double share, const QColor& on) const;
    void paintIdleCores(QPainter& p) const;
    void paintSelection(QPainter& p) const;
    void paintPlacement(QPainter& p) const;
    void paintLegend(QPainter& p) const;

    MachineArrangement m_arrangement;
    MachineScene m_scene;
    QSizeF m_arranged_for;
    const Scenario* m_arranged_scenario = nullptr;
    double m_zoom = 1;
    QPointF m_offset; // of the scene's origin in the widget
    QPointF m_pressed, m_offset_pressed;
    bool m_dragging = false;
};

} // namespace picknext::ui
