// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/docks/labels.hpp"

#include <QApplication>
#include <QEvent>
#include <QHBoxLayout>
#include <QPainter>

#include "ui/theme/theme.hpp"

namespace picknext::ui {

ElidedLabel::ElidedLabel(QWidget* parent) : QLabel(parent) {
    setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Preferred); // its text never moves a dock
    setProperty("rank", 2);
}

void ElidedLabel::setWhole(const QString& text) {
    if (text == m_whole) return;
    m_whole = text;
    setAccessibleName(text);
    update();
}

QSize ElidedLabel::minimumSizeHint() const {
    return {fontMetrics().averageCharWidth() * 4, fontMetrics().height()};
}
QSize ElidedLabel::sizeHint() const {
    return {fontMetrics().horizontalAdvance(m_whole) + 2, fontMetrics().height()};
}

void ElidedLabel::paintEvent(QPaintEvent*) {
    QPainter painter(this);
    painter.setFont(font());
    painter.setPen(palette().color(foregroundRole()));
    const QString shown = fontMetrics().elidedText(m_whole, Qt::ElideMiddle, width());
    setToolTip(shown == m_whole ? QString() : m_whole);
    painter.drawText(
        rect(), static_cast<int>(Qt::AlignVCenter) | static_cast<int>(alignment() & Qt::AlignHorizontal_Mask),
        shown);
}

SectionHeader::SectionHeader(const QString& title, QWidget* parent)
    : QFrame(parent), m_detail(new ElidedLabel), m_right(new RankedLabel(TextRank::second)) {
    auto* row = new QHBoxLayout(this);
    row->setContentsMargins(8, 0, 8, 0);
    row->setSpacing(8);
    auto* name = new RankedLabel(TextRank::strong);
    name->setText(title);
    row->addWidget(name);
    row->addWidget(m_detail, 1);
    row->addWidget(m_right);
    setMinimumHeight(fontMetrics().height() + 10);
    setAccessibleName(title);
}

void SectionHeader::setDetail(const QString& detail) { m_detail->setWhole(detail); }
void SectionHeader::setRight(const QString& right) { m_right->setText(right); }

void SectionHeader::paintEvent(QPaintEvent*) {
    const Theme t = Theme::of(*this);
    QPainter painter(this);
    painter.fillRect(rect(), t.win);
    painter.setPen(t.line);
    painter.drawLine(0, 0, width(), 0);
    painter.drawLine(0, height() - 1, width(), height() - 1);
}

RankedLabel::RankedLabel(TextRank rank, QWidget* parent) : QLabel(parent), m_rank(rank) {
    if (rank == TextRank::second || rank == TextRank::fixedSmall) setProperty("rank", 2);
    updateFont();
}

void RankedLabel::changeEvent(QEvent* event) {
    QLabel::changeEvent(event);
    if (event->type() == QEvent::ApplicationFontChange) updateFont();
}

void RankedLabel::updateFont() {
    if (m_updating) return;
    m_updating = true;
    const Theme t = Theme::from(palette(), QApplication::font());
    switch (m_rank) {
    case TextRank::body:
    case TextRank::second:
        setFont(t.body);
        break;
    case TextRank::strong:
        setFont(t.strong);
        break;
    case TextRank::title:
        setFont(t.title);
        break;
    case TextRank::fixedSmall:
        setFont(t.fixed);
        break;
    }
    m_updating = false;
}

} // namespace picknext::ui
