// SPDX-License-Identifier: GPL-3.0-or-later
// The queue in view on the virtual time axis: what stands left of V is eligible.
#pragma once

#include "ui/painted/painted_view.hpp"
#include "ui/scene/line_scene.hpp"

namespace picknext::ui {

class EligibilityLine final : public PaintedView {
    Q_OBJECT
  public:
    explicit EligibilityLine(Selection* selection, QWidget* parent = nullptr);

    [[nodiscard]] QString detailText() const override;
    [[nodiscard]] const LineScene& scene() const { return m_scene; }
    /// The entities by row: current first, then the tree by deadline (CFS: by vruntime).
    [[nodiscard]] const std::vector<EntityId>& rows() const { return m_rows; }

    [[nodiscard]] int itemCount() const override { return static_cast<int>(m_scene.bars.size()); }
    [[nodiscard]] QString itemName(int item) const override;
    [[nodiscard]] QRectF itemRect(int item) const override { return m_scene.row_rect(item); }
    [[nodiscard]] int currentItem() const override;
    void activateItem(int item) override;

    /// Height that shows `rows` rows in full, px.
    [[nodiscard]] int heightFor(int rows) const;
    [[nodiscard]] QSize sizeHint() const override;

  protected:
    void relayout() override;
    void paint(QPainter& p) override;
    [[nodiscard]] Card cardAt(const QPointF& at) const override;
    void mousePressEvent(QMouseEvent* e) override;
    void keyPressEvent(QKeyEvent* e) override;

  private:
    [[nodiscard]] bool eligible(EntityId entity) const;
    [[nodiscard]] std::int64_t relative(VTime v) const { return v - m_zero; }
    void paintGrid(QPainter& p) const;
    void paintRow(QPainter& p, int row) const;
    void paintEnds(QPainter& p, int row) const;
    void paintHistograms(QPainter& p) const;
    void paintZero(QPainter& p) const;
    void paintSums(QPainter& p) const;

    QueueId m_queue;
    VTime m_zero;
    std::vector<EntityId> m_rows;
    EntityId m_picked;
    LineScene m_scene;
};

} // namespace picknext::ui
