// SPDX-License-Identifier: GPL-3.0-or-later
// A check in two lines: mark, question and verdict; under it the values it compared.
#pragma once

#include <QStyledItemDelegate>

#include "ui/docks/cell_delegate.hpp"

namespace picknext::ui {

class CheckDelegate final : public QStyledItemDelegate {
    Q_OBJECT
  public:
    using QStyledItemDelegate::QStyledItemDelegate;
    /// One line a check; the values only on the deciding and the selected row.
    void setCompact(bool compact) { m_compact = compact; }
    [[nodiscard]] bool isCompact() const { return m_compact; }
    /// The width rows are laid out for: the view's viewport.
    void setWidth(int width) { m_width = width; }
    /// Only the selected row depends on selection, in compact form.
    void setSelectedRow(int row) { m_selected = row; }

    void paint(QPainter* painter, const QStyleOptionViewItem& option,
               const QModelIndex& index) const override;
    QSize sizeHint(const QStyleOptionViewItem& option, const QModelIndex& index) const override;

  private:
    struct Layout {
        QRect mark, question, verdict, inputs;
        int height = 0;
    };
    [[nodiscard]] Layout layout(const Theme& theme, int width, const QModelIndex& index) const;
    CachedTheme m_theme;
    bool m_compact = false;
    int m_width = 300;
    int m_selected = -1;
};

} // namespace picknext::ui
