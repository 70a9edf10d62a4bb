// SPDX-License-Identifier: GPL-3.0-or-later
// The red-black tree of the queue in view, with the path of the pick.
#pragma once

#include <QHash>
#include <QVariantAnimation>

#include "ui/painted/painted_view.hpp"
#include "ui/scene/tree_scene.hpp"

class QLineEdit;

namespace picknext::ui {

class TreeView final : public PaintedView {
    Q_OBJECT
  public:
    explicit TreeView(Selection* selection, QWidget* parent = nullptr);

    [[nodiscard]] QString caption() const override;
    [[nodiscard]] QString detailText() const override;
    [[nodiscard]] const TreeScene& scene() const { return m_scene; }
    [[nodiscard]] const TreeShape& shape() const { return m_shape; }
    [[nodiscard]] QueueId queue() const { return m_queue; }

    [[nodiscard]] int itemCount() const override { return static_cast<int>(m_shape.nodes.size()); }
    [[nodiscard]] QString itemName(int item) const override;
    [[nodiscard]] QRectF itemRect(int item) const override;
    [[nodiscard]] int currentItem() const override;
    void activateItem(int item) override;

    /// Selects the next task in order whose name contains the text, and brings it into sight; false if there is none.
    bool findTask(const QString& text);
    /// Opens the field to find by name.
    void openFind();
    void zoomToFit();
    [[nodiscard]] QSize sizeHint() const override;

  protected:
    void relayout() override;
    void aboutToShow(const Snapshot* previous) override;
    void paint(QPainter& p) override;
    [[nodiscard]] Card cardAt(const QPointF& at) const override;
    void mousePressEvent(QMouseEvent* e) override;
    void mouseMoveEvent(QMouseEvent* e) override;
    void mouseReleaseEvent(QMouseEvent* e) override;
    void wheelEvent(QWheelEvent* e) override;
    void keyPressEvent(QKeyEvent* e) override;
    void resizeEvent(QResizeEvent* e) override;

  private:
    [[nodiscard]] std::int64_t relative(VTime v) const { return v - m_zero; }
    [[nodiscard]] bool eligible(EntityId entity) const;
    [[nodiscard]] QRectF placeOf(std::size_t rank) const; // animated
    [[nodiscard]] QString minimumText(const Entity& e, bool wide) const;
    [[nodiscard]] QString buddyText(EntityId entity) const;
    [[nodiscard]] bool hasAttention(EntityId entity) const;
    [[nodiscard]] bool currentLeft() const; // it runs, but sleeps already: it is no longer queued
    [[nodiscard]] bool onPath(EntityId from, EntityId to) const;
    [[nodiscard]] int stepNumber(EntityId entity) const; // 0 = not visited
    [[nodiscard]] QStringList testsAt(const VisitedNode& node) const;
    void startMotion();
    void keepInSight();
    void reveal(int rank);

    void paintEdges(QPainter& p) const;
    void paintPath(QPainter& p) const;
    void paintNode(QPainter& p, std::size_t rank) const;
    void paintContent(QPainter& p, const QRectF& r, EntityId entity, const QString& corner) const;
    void paintRing(QPainter& p, const QRectF& r, bool red) const;
    void paintMinimum(QPainter& p, const QRectF& r, const Entity& e) const;
    void paintMarks(QPainter& p, std::size_t rank) const;
    void paintTests(QPainter& p) const;
    void paintCurrent(QPainter& p) const;
    void paintDensity(QPainter& p) const;
    void paintEmpty(QPainter& p) const;

    QueueId m_queue;
    VTime m_zero;             // what values are relative to: V, or min_vruntime
    TreeShape m_shape;
    TreeScene m_scene;
    std::vector<VisitedNode> m_path;
    EntityId m_picked;
    double m_zoom = 1;
    QPointF m_offset, m_pressed, m_offset_pressed;
    bool m_dragging = false;
    QVariantAnimation m_motion;
    QHash<std::int32_t, QRectF> m_from; // by entity: where it stood in the snapshot before
    QLineEdit* m_find;
};

} // namespace picknext::ui
