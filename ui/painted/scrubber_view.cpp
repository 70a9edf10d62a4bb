// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/painted/scrubber_view.hpp"

#include <algorithm>
#include <cmath>

#include <QFontMetricsF>
#include <QKeyEvent>
#include <QMouseEvent>
#include <QPainter>

#include "ui/scene/timeline_scene.hpp"
#include "ui/theme/glyph.hpp"
#include "ui/theme/numbers.hpp"

namespace picknext::ui {

namespace {
constexpr double bin_px = 3;
} // namespace

ScrubberView::ScrubberView(Selection* selection, QWidget* parent) : PaintedView(selection, parent) {
    setAccessibleName(tr("History"));
    setAccessibleDescription(tr("The whole run. Drag to travel; left and right step, Home and End go to the first and last decision."));
    setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
}

QSize ScrubberView::sizeHint() const { return {600, static_cast<int>(2 * QFontMetricsF(theme().small).height() + u(34))}; }
QSize ScrubberView::minimumSizeHint() const { return {200, static_cast<int>(u(28))}; }

void ScrubberView::setHits(std::vector<std::int64_t> hits) {
    m_hits = std::move(hits);
    redraw();
}

std::int64_t ScrubberView::momentOf(const Bookmark& bookmark) const {
    if (bookmark.decision == 0) return bookmark.at;
    const RunIndex& index = snapshot()->index;
    return bookmark.decision <= index.rows ? index.row(bookmark.decision - 1).at : -1;
}

int ScrubberView::itemCount() const { return snapshot() ? static_cast<int>(snapshot()->scenario->bookmarks.size()) : 0; }
QString ScrubberView::itemName(int item) const { return tr("Bookmark %1").arg(from_utf8(snapshot()->scenario->bookmarks[static_cast<std::size_t>(item)].name)); }
QRectF ScrubberView::itemRect(int item) const {
    const std::int64_t at = momentOf(snapshot()->scenario->bookmarks[static_cast<std::size_t>(item)]);
    return at < 0 ? QRectF() : QRectF(m_axis.x(static_cast<double>(at)) - u(5), 0, u(10), m_strip.bottom());
}
void ScrubberView::activateItem(int item) {
    const Bookmark& b = snapshot()->scenario->bookmarks[static_cast<std::size_t>(item)];
    if (b.decision > 0) requestDecision(static_cast<std::int64_t>(b.decision));
    else Q_EMIT travelRequested(b.at);
}

void ScrubberView::relayout() {
    const double line = QFontMetricsF(theme().small).height();
    m_labels = height() >= 2 * line + u(14);
    m_flags = height() >= 2 * line + u(26);
    const double top = m_flags ? line + u(6) : u(9), bottom = height() - (m_labels ? line + u(9) : u(9));
    m_strip = QRectF(u(12), top, std::max(10.0, width() - u(24)), std::max(u(6), bottom - top));
    const RunIndex& index = snapshot()->index;
    const std::int64_t known = std::max({index.frontier, state().now, std::int64_t{1'000}});
    m_axis.from = 0;
    // Without a planned end a little free room says that the run goes on.
    m_axis.to = static_cast<double>(snapshot()->scenario->until_ns.value_or(snapshot()->at_end ? known : known + known / 10));
    m_axis.to = std::max(m_axis.to, static_cast<double>(known));
    m_axis.left = m_strip.left();
    m_axis.right = m_strip.right();
    if (index.rows == m_density_rows && m_axis.to == m_density_axis.to && m_axis.right == m_density_axis.right) return;
    m_density = decision_density(index, m_axis, bin_px);
    m_density_rows = index.rows;
    m_density_axis = m_axis;
}

void ScrubberView::paint(QPainter& p) {
    const Theme& t = theme();
    p.fillRect(rect(), t.win);
    const QRectF strip = crisp(m_strip);
    const double frontier = m_axis.x(static_cast<double>(snapshot()->index.frontier));
    p.setPen(QPen(t.ctl, 1));
    p.setBrush(t.base);
    p.drawRect(strip);
    const std::uint64_t most = m_density.empty() ? 1 : std::max<std::uint64_t>(1, *std::max_element(m_density.begin(), m_density.end()));
    for (std::size_t i = 0; i < m_density.size(); ++i) {
        if (m_density[i] == 0) continue;
        const double share = std::sqrt(static_cast<double>(m_density[i]) / static_cast<double>(most)), h = std::max(1.0, (strip.height() - 2) * share);
        p.fillRect(QRectF(strip.left() + 1 + bin_px * static_cast<double>(i), strip.bottom() - h, bin_px - 1, h), t.dark ? t.ctl : t.hat);
    }
    if (frontier < strip.right()) {
        const QRectF ahead(QPointF(std::max(strip.left(), frontier), strip.top()), strip.bottomRight());
        p.fillRect(ahead.adjusted(0.5, 0.5, -0.5, -0.5), t.base);
        draw_not_yet(p, ahead, t);
    }
    const QFontMetricsF fm(t.small);
    p.setFont(t.small);
    if (m_labels) {
        const std::int64_t step = tick_step(m_axis, u(110));
        for (const std::int64_t ns : ticks(m_axis, step)) {
            const QString label = moment_text(ns, step);
            const double w = fm.horizontalAdvance(label), x = std::clamp(m_axis.x(static_cast<double>(ns)) - w / 2, strip.left(), strip.right() - w);
            p.setPen(t.mut);
            p.drawText(QRectF(x, strip.bottom() + u(6), w + 1, fm.height()), Qt::AlignLeft | Qt::AlignTop, label);
        }
    }
    paintBookmarks(p);
    p.setRenderHint(QPainter::Antialiasing);
    p.setPen(Qt::NoPen);
    p.setBrush(t.err);
    for (const std::int64_t hit : m_hits) p.drawEllipse(QPointF(m_axis.x(static_cast<double>(hit)), strip.bottom() + u(4)), u(3), u(3));
    const double x = std::round(m_axis.x(static_cast<double>(state().now)));
    p.setBrush(t.acc);
    p.drawPolygon(QPolygonF{QPointF(x - u(5), strip.top() - u(6)), QPointF(x + u(5), strip.top() - u(6)), QPointF(x, strip.top() + u(1))});
    p.setRenderHint(QPainter::Antialiasing, false);
    p.fillRect(QRectF(x - u(1), strip.top() - u(2), u(2), strip.height() + u(4)), t.acc);
}

void ScrubberView::paintBookmarks(QPainter& p) const {
    const Theme& t = theme();
    const QFontMetricsF fm(t.small);
    double free_from = 0;
    for (const Bookmark& b : snapshot()->scenario->bookmarks) {
        const std::int64_t at = momentOf(b);
        if (at < 0) continue;
        const double x = m_axis.x(static_cast<double>(at)), y = m_flags ? m_strip.top() - fm.height() - u(1) : u(1);
        draw_glyph(p, Glyph::bookmark, QRectF(x - u(3.5), y + u(2), u(7), u(9)), t.text);
        const QString name = from_utf8(b.name);
        if (!m_flags || x + u(7) < free_from || x + u(7) + fm.horizontalAdvance(name) > m_strip.right()) continue;
        p.setFont(t.small);
        p.setPen(t.text);
        p.drawText(QRectF(x + u(7), y, fm.horizontalAdvance(name) + 1, fm.height()), Qt::AlignLeft | Qt::AlignVCenter, name);
        free_from = x + u(16) + fm.horizontalAdvance(name);
    }
}

Card ScrubberView::cardAt(const QPointF& at) const {
    const auto ns = static_cast<std::int64_t>(std::clamp(m_axis.at(at.x()), m_axis.from, m_axis.to));
    const auto [first, last] = log_range(snapshot()->index, 0, ns);
    Card card{QRectF(at.x() - u(4), m_strip.top(), u(8), m_strip.height()), moment_text(ns, 1'000), {}, {}};
    if (ns > snapshot()->index.frontier) card.detail = tr("not run yet");
    else card.rows.push_back({tr("decisions up to here"), grouped(static_cast<std::int64_t>(last)), {}});
    return card;
}

void ScrubberView::travelTo(double x) {
    if (snapshot()) Q_EMIT travelRequested(static_cast<qint64>(std::clamp(m_axis.at(x), m_axis.from, m_axis.to)));
}

void ScrubberView::mousePressEvent(QMouseEvent* e) {
    setFocus(Qt::MouseFocusReason);
    hideCard();
    if (e->button() != Qt::LeftButton) return;
    for (int i = 0; i < itemCount(); ++i)
        if (e->position().y() < m_strip.top() && itemRect(i).contains(e->position())) return activateItem(i);
    travelTo(e->position().x());
}

void ScrubberView::mouseMoveEvent(QMouseEvent* e) {
    PaintedView::mouseMoveEvent(e);
    if ((e->buttons() & Qt::LeftButton) != 0) travelTo(e->position().x());
}

void ScrubberView::keyPressEvent(QKeyEvent* e) {
    if (!snapshot()) return PaintedView::keyPressEvent(e);
    const auto at = static_cast<std::int64_t>(snapshot()->position.decision);
    switch (e->key()) {
    case Qt::Key_Left: requestDecision(at - 1); break;
    case Qt::Key_Right: requestDecision(at + 1); break;
    case Qt::Key_Home: requestDecision(0); break;
    case Qt::Key_End: requestDecision(static_cast<std::int64_t>(snapshot()->index.rows)); break;
    default: PaintedView::keyPressEvent(e);
    }
}

} // namespace picknext::ui
