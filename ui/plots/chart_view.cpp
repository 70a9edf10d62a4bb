// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/plots/chart_view.hpp"

#include <algorithm>
#include <utility>

#include <QEvent>
#include <QHelpEvent>
#include <QPainter>
#include <QToolTip>
#include <QVBoxLayout>

#include "ui/plots/chart_painter.hpp"
#include "ui/theme/theme.hpp"

namespace picknext::ui {

namespace {
constexpr int frame = 3; // room for the outlines of focus and choice
}

ChartView::ChartView(QWidget* parent) : QWidget(parent), m_painter(std::make_unique<ChartPainter>(this)) {
    auto* box = new QVBoxLayout(this);
    box->setContentsMargins(frame, frame, frame, frame);
    box->addWidget(m_painter->widget());
    setFocusPolicy(Qt::StrongFocus);
    setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Expanding);
}

ChartView::~ChartView() = default;

void ChartView::setChart(Chart chart) {
    m_chart = std::move(chart);
    setAccessibleName(m_chart.title);
    setAccessibleDescription(m_chart.spoken());
    draw();
}

void ChartView::setChosen(bool chosen) {
    if (std::exchange(m_isChosen, chosen) != chosen) update();
}

bool ChartView::save(const QString& path) const { return m_painter->save(path, m_chart.title); }

QString ChartView::hint(const QPoint& at) const { return m_painter->hint(m_chart, at - QPoint(frame, frame)); }

QSize ChartView::minimumSizeHint() const {
    const QFontMetrics fm(font());
    return {fm.averageCharWidth() * 46, fm.height() * 14};
}
QSize ChartView::sizeHint() const { return minimumSizeHint() + QSize(0, fontMetrics().height() * 3); }

void ChartView::draw() {
    if (m_drawing) return; // a new font for the plot comes back as a change of ours
    m_drawing = true;
    const Theme theme = Theme::of(*this);
    setMinimumHeight(std::max(minimumSizeHint().height(), ChartPainter::neededHeight(m_chart, theme, width() - 2 * frame)));
    m_painter->draw(m_chart, theme);
    m_drawing = false;
}

void ChartView::changeEvent(QEvent* event) {
    QWidget::changeEvent(event);
    if (event->type() == QEvent::PaletteChange || event->type() == QEvent::FontChange) draw();
}

void ChartView::resizeEvent(QResizeEvent* event) {
    QWidget::resizeEvent(event);
    draw(); // numbers in bars and the columns of the legend hang on the width
}

void ChartView::paintEvent(QPaintEvent*) {
    const Theme t = Theme::of(*this);
    QPainter painter(this);
    painter.fillRect(rect(), t.base);
    if (!hasFocus() && !m_isChosen) return;
    painter.setPen(QPen(t.acc, hasFocus() ? 2 : 1));
    painter.drawRect(rect().adjusted(1, 1, -2, -2));
}

void ChartView::focusInEvent(QFocusEvent* event) {
    QWidget::focusInEvent(event);
    update();
    Q_EMIT chosen();
}

void ChartView::focusOutEvent(QFocusEvent* event) {
    QWidget::focusOutEvent(event);
    update();
}

bool ChartView::event(QEvent* event) {
    if (event->type() != QEvent::ToolTip) return QWidget::event(event);
    const auto* help = static_cast<QHelpEvent*>(event);
    const QString text = hint(help->pos());
    if (text.isEmpty())
        QToolTip::hideText();
    else
        QToolTip::showText(help->globalPos(), text, this);
    return true;
}

} // namespace picknext::ui
