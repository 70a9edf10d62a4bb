// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/painted/hover_card.hpp"

#include <algorithm>
#include <cmath>

#include <QFontMetricsF>
#include <QPainter>
#include <QScreen>

namespace picknext::ui {

HoverCard::HoverCard(QWidget* owner) : QFrame(owner, Qt::ToolTip | Qt::FramelessWindowHint), m_owner(owner) {
    setAttribute(Qt::WA_TransparentForMouseEvents);
    setAttribute(Qt::WA_ShowWithoutActivating);
}

void HoverCard::showBeside(const Card& card, const Theme& theme) {
    m_content = card;
    m_theme = theme;
    const QFontMetricsF body(theme.body), fixed(theme.fixed);
    std::fill(std::begin(m_columns), std::end(m_columns), 0.0);
    for (const CardRow& r : card.rows) {
        m_columns[0] = std::max(m_columns[0], body.horizontalAdvance(r.name));
        m_columns[1] = std::max(m_columns[1], fixed.horizontalAdvance(r.value));
        m_columns[2] = std::max(m_columns[2], fixed.horizontalAdvance(r.relative));
    }
    const QSizeF size = measure();
    const QRect item = QRectF(card.item).toAlignedRect().translated(m_owner->mapToGlobal(QPoint(0, 0)));
    const QRect screen = m_owner->screen()->availableGeometry();
    const int gap = static_cast<int>(6 * theme.unit), w = static_cast<int>(std::ceil(size.width())), h = static_cast<int>(std::ceil(size.height()));
    QPoint at(item.left(), item.bottom() + gap);
    if (at.y() + h > screen.bottom()) at.setY(item.top() - gap - h);
    at.setX(std::clamp(at.x(), screen.left(), std::max(screen.left(), screen.right() - w)));
    if (at.y() < screen.top()) at = QPoint(item.right() + gap + w <= screen.right() ? item.right() + gap : item.left() - gap - w, screen.top());
    setGeometry(QRect(at, QSize(w, h)));
    show();
    update();
}

QSizeF HoverCard::measure() const {
    const QFontMetricsF body(m_theme.body), strong(m_theme.strong);
    const double pad = 8 * m_theme.unit, gap = 16 * m_theme.unit, row = body.height() + 3 * m_theme.unit;
    const double title = strong.horizontalAdvance(m_content.title) + body.horizontalAdvance(QLatin1Char(' ') + m_content.detail);
    const double table = m_columns[0] + gap + m_columns[1] + (m_columns[2] > 0 ? gap + m_columns[2] : 0);
    return {std::max(title, table) + 2 * pad, row + row * static_cast<double>(m_content.rows.size()) + 2 * pad};
}

void HoverCard::paintEvent(QPaintEvent*) {
    QPainter p(this);
    const Theme& t = m_theme;
    const QFontMetricsF body(t.body), strong(t.strong);
    const double pad = 8 * t.unit, gap = 16 * t.unit, row = body.height() + 3 * t.unit;
    p.fillRect(rect(), t.base);
    p.setPen(t.text);
    p.drawRect(rect().adjusted(0, 0, -1, -1));
    p.setFont(t.strong);
    p.drawText(QRectF(pad, pad, width(), row), Qt::AlignLeft | Qt::AlignVCenter, m_content.title);
    p.setFont(t.body);
    p.setPen(t.mut);
    p.drawText(QRectF(pad + strong.horizontalAdvance(m_content.title) + body.horizontalAdvance(QLatin1Char(' ')), pad, width(), row),
               Qt::AlignLeft | Qt::AlignVCenter, m_content.detail);
    double y = pad + row;
    p.setPen(t.line);
    p.drawLine(QPointF(pad / 2, y), QPointF(width() - pad / 2, y));
    y += t.unit;
    for (const CardRow& r : m_content.rows) {
        double x = pad;
        p.setFont(t.body);
        p.setPen(t.mut);
        p.drawText(QRectF(x, y, m_columns[0], row), Qt::AlignLeft | Qt::AlignVCenter, r.name);
        x += m_columns[0] + gap;
        p.setFont(t.fixed);
        p.setPen(t.text);
        p.drawText(QRectF(x, y, m_columns[1] + 1, row), Qt::AlignRight | Qt::AlignVCenter, r.value);
        x += m_columns[1] + gap;
        p.setPen(t.mut);
        p.drawText(QRectF(x, y, m_columns[2] + 1, row), Qt::AlignRight | Qt::AlignVCenter, r.relative);
        y += row;
    }
}

} // namespace picknext::ui
