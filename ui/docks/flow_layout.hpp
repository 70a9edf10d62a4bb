// SPDX-License-Identifier: GPL-3.0-or-later
// Items side by side, in as many rows as the width needs: fields that must not be cut in a narrow dock.
#pragma once

#include <vector>

#include <QLayout>

namespace picknext::ui {

class FlowLayout final : public QLayout {
    Q_OBJECT
  public:
    explicit FlowLayout(int gap);
    ~FlowLayout() override;

    void addItem(QLayoutItem* item) override;
    int count() const override;
    QLayoutItem* itemAt(int index) const override;
    QLayoutItem* takeAt(int index) override;
    Qt::Orientations expandingDirections() const override { return {}; }
    bool hasHeightForWidth() const override { return true; }
    int heightForWidth(int width) const override;
    QSize sizeHint() const override { return minimumSize(); }
    QSize minimumSize() const override;
    void setGeometry(const QRect& rect) override;

  private:
    /// Places the items, or only measures; returns the height.
    int place(const QRect& rect, bool measure) const;
    std::vector<QLayoutItem*> m_items; // owned
    int m_gap;
};

} // namespace picknext::ui
