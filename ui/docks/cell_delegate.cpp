// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/docks/cell_delegate.hpp"

#include <QAbstractItemView>
#include <QPainter>
#include <QWidget>

#include "ui/models/roles.hpp"

namespace picknext::ui {

namespace {
constexpr int inset = 6;
}

const Theme& CachedTheme::of(const QWidget& widget) const {
    if (!m_theme || m_palette != widget.palette().cacheKey() || m_font != widget.font()) {
        m_theme = Theme::of(widget);
        m_palette = widget.palette().cacheKey();
        m_font = widget.font();
    }
    return *m_theme;
}

void draw_row_ground(QPainter& painter, const QStyleOptionViewItem& option, const Theme& theme, bool marked,
                     bool bar) {
    const bool selected = option.state.testFlag(QStyle::State_Selected);
    const bool hover = option.state.testFlag(QStyle::State_MouseOver);
    const bool odd = option.features.testFlag(QStyleOptionViewItem::Alternate);
    painter.fillRect(option.rect, marked || selected ? theme.accbg : odd || hover ? theme.alt : theme.base);
    if (bar)
        painter.fillRect(QRect(option.rect.left(), option.rect.top(), 3, option.rect.height()), theme.acc);
    if (option.state.testFlag(QStyle::State_HasFocus)) {
        painter.setPen(QPen(theme.acc, 1, Qt::SolidLine));
        painter.setBrush(Qt::NoBrush);
        painter.drawRect(option.rect.adjusted(0, 0, -1, -1));
    }
}

int draw_chip(QPainter& painter, const QRect& rect, const Theme& theme, int task, bool inFocus) {
    const int size = painter.fontMetrics().ascent() * 8 / 10;
    const QRectF chip(rect.left() + 0.5, rect.top() + (rect.height() - size) / 2 + 0.5, size - 1, size - 1);
    painter.save();
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setPen(QPen(theme.ctl, 1));
    painter.setBrush(theme.fill(static_cast<std::size_t>(task), inFocus));
    painter.drawRoundedRect(chip, 2, 2);
    painter.restore();
    return size + 5;
}

void CellDelegate::paint(QPainter* painter, const QStyleOptionViewItem& given,
                         const QModelIndex& index) const {
    QStyleOptionViewItem option = given;
    initStyleOption(&option, index);
    const Theme& theme = m_theme.of(*option.widget);
    painter->save();
    const bool now = index.data(NowRole).toBool();
    option.state.setFlag(QStyle::State_HasFocus, false); // the row has it, not the cell
    draw_row_ground(*painter, option, theme, now, now && index.column() == 0);
    drawRowFocus(*painter, option, theme, index);
    painter->setFont(index.data(KernelNameRole).toBool() ? (now ? theme.fixed_strong : theme.fixed)
                                                         : (now ? theme.strong : theme.body));
    painter->setPen(theme.text);
    QRect text = option.rect.adjusted(inset, 0, -inset, 0);
    if (const QVariant task = index.data(TaskRole); task.isValid()) {
        const bool focus = !m_selection || m_selection->task().value == task.toInt() ||
                           index.data(QueuedOnRole).toInt() == m_selection->cpu().value;
        text.setLeft(text.left() + draw_chip(*painter, text, theme, task.toInt(), focus));
    }
    // Names are cut in the middle, sentences at their end.
    const Qt::TextElideMode elide = option.text.contains(QLatin1Char(' ')) ? Qt::ElideRight : Qt::ElideMiddle;
    painter->drawText(text, static_cast<int>(option.displayAlignment),
                      painter->fontMetrics().elidedText(option.text, elide, text.width()));
    painter->restore();
}

void CellDelegate::drawRowFocus(QPainter& painter, const QStyleOptionViewItem& option, const Theme& theme,
                                const QModelIndex& index) {
    const auto* view = qobject_cast<const QAbstractItemView*>(option.widget);
    if (!view || !view->hasFocus() || view->currentIndex().row() != index.row()) return;
    painter.setPen(QPen(theme.acc, 1));
    const QRect r = option.rect.adjusted(0, 0, -1, -1);
    painter.drawLine(r.topLeft(), option.rect.topRight());
    painter.drawLine(r.bottomLeft(), QPoint(option.rect.right(), r.bottom()));
    if (index.column() == 0) painter.drawLine(r.topLeft(), r.bottomLeft());
    if (index.column() == index.model()->columnCount() - 1) painter.drawLine(r.topRight(), r.bottomRight());
}

QSize CellDelegate::sizeHint(const QStyleOptionViewItem& given, const QModelIndex& index) const {
    QStyleOptionViewItem option = given;
    initStyleOption(&option, index);
    const Theme& theme = m_theme.of(*option.widget);
    const QFontMetrics fm(index.data(KernelNameRole).toBool() ? theme.fixed_strong : theme.strong);
    const int chip = index.data(TaskRole).isValid() ? fm.ascent() + 5 : 0;
    return {fm.horizontalAdvance(option.text) + 2 * inset + chip + 2, QFontMetrics(theme.body).height() + 4};
}

void ScenarioDelegate::paint(QPainter* painter, const QStyleOptionViewItem& given,
                             const QModelIndex& index) const {
    QStyleOptionViewItem option = given;
    initStyleOption(&option, index);
    const Theme& theme = m_theme.of(*option.widget);
    painter->save();
    draw_row_ground(*painter, option, theme, false, option.state.testFlag(QStyle::State_Selected));
    const bool heading = index.data(HeadingRole).toBool();
    const bool enabled = option.state.testFlag(QStyle::State_Enabled);
    QRect row = option.rect.adjusted(2, 0, -inset, 0);
    const QString detail = index.data(DetailRole).toString();
    const bool changed = index.data(ChangedRole).toBool();
    if (!detail.isEmpty()) {
        painter->setFont(changed ? theme.strong : theme.small);
        painter->setPen(changed ? theme.text : theme.mut);
        // One pixel more than the advance, or the last letter is cut where widths are fractions.
        const int width = qMin(painter->fontMetrics().horizontalAdvance(detail) + 2, row.width() * 2 / 3);
        const QRect right(row.right() - width, row.top(), width + 1, row.height());
        painter->drawText(right, Qt::AlignRight | Qt::AlignVCenter,
                          painter->fontMetrics().elidedText(detail, Qt::ElideMiddle, width));
        row.setRight(right.left() - 8);
    }
    if (changed) { // corner triangle, lower left
        const QPoint corner = option.rect.bottomLeft() - QPoint(8, 2);
        painter->setPen(Qt::NoPen);
        painter->setBrush(theme.acc);
        painter->drawPolygon(QPolygon({corner, corner - QPoint(0, 6), corner + QPoint(6, 0)}));
    }
    painter->setFont(heading ? theme.strong : index.data(KernelNameRole).toBool() ? theme.fixed : theme.body);
    painter->setPen(enabled ? theme.text : theme.mut);
    if (const QVariant task = index.data(TaskRole); task.isValid())
        row.setLeft(row.left() + draw_chip(*painter, row, theme, task.toInt()));
    painter->drawText(row, Qt::AlignLeft | Qt::AlignVCenter,
                      painter->fontMetrics().elidedText(option.text, Qt::ElideMiddle, row.width()));
    painter->restore();
}

QSize ScenarioDelegate::sizeHint(const QStyleOptionViewItem& given, const QModelIndex& index) const {
    QStyleOptionViewItem option = given;
    initStyleOption(&option, index);
    const QFontMetrics fm(m_theme.of(*option.widget).body);
    return {fm.horizontalAdvance(option.text), fm.height() + 4};
}

} // namespace picknext::ui
