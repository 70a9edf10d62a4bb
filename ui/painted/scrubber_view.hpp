// SPDX-License-Identifier: GPL-3.0-or-later
// The whole run as a strip: how many decisions fall where, bookmarks, breakpoint hits and the cursor. Drag to travel.
#pragma once

#include "ui/painted/painted_view.hpp"
#include "ui/scene/axis.hpp"

namespace picknext::ui {

class ScrubberView final : public PaintedView {
    Q_OBJECT
  public:
    explicit ScrubberView(Selection* selection, QWidget* parent = nullptr);

    /// Moments at which a breakpoint was hit, ns ascending.
    void setHits(std::vector<std::int64_t> hits);

    [[nodiscard]] int itemCount() const override;
    [[nodiscard]] QString itemName(int item) const override;
    [[nodiscard]] QRectF itemRect(int item) const override;
    void activateItem(int item) override;
    [[nodiscard]] QSize sizeHint() const override;
    [[nodiscard]] QSize minimumSizeHint() const override;

  protected:
    void relayout() override;
    void paint(QPainter& p) override;
    [[nodiscard]] Card cardAt(const QPointF& at) const override;
    void mousePressEvent(QMouseEvent* e) override;
    void mouseMoveEvent(QMouseEvent* e) override;
    void keyPressEvent(QKeyEvent* e) override;

  private:
    [[nodiscard]] std::int64_t momentOf(const Bookmark& bookmark) const; // -1 = not computed yet
    void travelTo(double x);
    void paintBookmarks(QPainter& p) const;

    Axis m_axis;
    QRectF m_strip;
    bool m_labels = true, m_flags = true;
    std::vector<std::uint64_t> m_density;
    std::uint64_t m_density_rows = 0;
    Axis m_density_axis;
    std::vector<std::int64_t> m_hits;
};

} // namespace picknext::ui
