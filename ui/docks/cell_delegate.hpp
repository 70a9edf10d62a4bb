// SPDX-License-Identifier: GPL-3.0-or-later
// Cells of the window's tables and trees: chips of tasks, fixed font for numbers, the accent bar of the row
// that is now.
#pragma once

#include <optional>

#include <QStyledItemDelegate>

#include "ui/run/selection.hpp"
#include "ui/theme/theme.hpp"

namespace picknext::ui {

/// A theme kept until palette or font of the widget change.
class CachedTheme {
  public:
    [[nodiscard]] const Theme& of(const QWidget& widget) const;

  private:
    mutable std::optional<Theme> m_theme;
    mutable qint64 m_palette = 0;
    mutable QFont m_font;
};

class CellDelegate final : public QStyledItemDelegate {
    Q_OBJECT
  public:
    /// Tasks of the selected CPU and the selected task wear their colour, all others a neutral tint.
    CellDelegate(const Selection* selection, QObject* parent)
        : QStyledItemDelegate(parent), m_selection(selection) {}
    void paint(QPainter* painter, const QStyleOptionViewItem& option,
               const QModelIndex& index) const override;
    QSize sizeHint(const QStyleOptionViewItem& option, const QModelIndex& index) const override;

  private:
    static void drawRowFocus(QPainter& painter, const QStyleOptionViewItem& option, const Theme& theme,
                             const QModelIndex& index);
    const Selection* m_selection;
    CachedTheme m_theme;
};

/// Rows of the scenario tree: heading, chip, second rank text at the right, the mark of a changed value.
class ScenarioDelegate final : public QStyledItemDelegate {
    Q_OBJECT
  public:
    using QStyledItemDelegate::QStyledItemDelegate;
    void paint(QPainter* painter, const QStyleOptionViewItem& option,
               const QModelIndex& index) const override;
    QSize sizeHint(const QStyleOptionViewItem& option, const QModelIndex& index) const override;

  private:
    CachedTheme m_theme;
};

/// Background, accent bar and focus frame of a row, as every table and list of the window draws it.
void draw_row_ground(QPainter& painter, const QStyleOptionViewItem& option, const Theme& theme, bool marked,
                     bool bar);
/// A task's chip, centred in the height of the rectangle at its left; returns the width used with its gap.
int draw_chip(QPainter& painter, const QRect& rect, const Theme& theme, int task, bool inFocus = true);

} // namespace picknext::ui
