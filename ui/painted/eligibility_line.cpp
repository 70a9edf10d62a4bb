// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/painted/eligibility_line.hpp"

#include <algorithm>

#include <QFontMetricsF>
#include <QKeyEvent>
#include <QMouseEvent>
#include <QPainter>

#include "core/fair/views.hpp"
#include "ui/theme/glyph.hpp"
#include "ui/theme/numbers.hpp"

namespace picknext::ui {

EligibilityLine::EligibilityLine(Selection* selection, QWidget* parent) : PaintedView(selection, parent) {
    setAccessibleName(tr("Eligibility line"));
    setAccessibleDescription(tr("Entities of the queue from vruntime to deadline; what begins left of V is eligible. Up and down select one."));
    setMinimumSize(fontMetrics().height() * 14, fontMetrics().height() * 7);
}

QSize EligibilityLine::sizeHint() const { return {fontMetrics().height() * 40, heightFor(std::clamp(static_cast<int>(m_rows.size()), 6, 16))}; }

int EligibilityLine::heightFor(int rows) const {
    const double line = QFontMetricsF(theme().small).height();
    return static_cast<int>(3 * line + u(9) + rows * std::max(u(13), line * 0.9));
}

QString EligibilityLine::detailText() const {
    switch (m_scene.detail) {
    case RowDetail::named: return tr("Rows with names");
    case RowDetail::bar: return tr("Rows as bars");
    case RowDetail::aggregate: return tr("Histograms of v and d");
    }
    return {};
}

bool EligibilityLine::eligible(EntityId entity) const { return fair::is_eligible(settings(), state(), m_queue, entity); }

QString EligibilityLine::itemName(int item) const {
    const EntityId entity = m_rows[static_cast<std::size_t>(item)];
    const QString lag = ms_text(fair::lag(settings(), state(), m_queue, entity));
    return tr("%1: V − v %2 ms, %3").arg(entityName(entity), lag, eligible(entity) ? tr("eligible") : tr("not eligible"));
}

int EligibilityLine::currentItem() const {
    for (std::size_t i = 0; i < m_rows.size(); ++i)
        if (selection().task().valid() && state().entity(m_rows[i]).task == selection().task()) return static_cast<int>(i);
    return -1;
}

void EligibilityLine::activateItem(int item) { selection().setTask(state().entity(m_rows[static_cast<std::size_t>(item)]).task); }

void EligibilityLine::relayout() {
    m_queue = queue_in_view(*snapshot(), selectedCpu());
    m_rows.clear();
    if (!m_queue.valid()) return;
    const Queue& q = state().queue(m_queue);
    m_zero = fair::average_vruntime(settings(), state(), m_queue);
    m_picked = picked_from(*snapshot(), m_queue);
    m_rows = fair::in_order(state(), m_queue);
    const auto key = [&](EntityId e) { return settings().eevdf() ? state().entity(e).deadline : state().entity(e).vruntime; };
    std::stable_sort(m_rows.begin(), m_rows.end(), [&](EntityId a, EntityId b) { return before(key(a), key(b)); });
    if (q.curr.valid() && state().entity(q.curr).on_rq != 0) m_rows.insert(m_rows.begin(), q.curr);
    std::vector<LineEntry> entries;
    const QFontMetricsF fm(theme().small), strong(theme().small_strong), fixed(theme().fixed);
    double names = fm.horizontalAdvance(QStringLiteral("▸")) + u(30);
    for (const EntityId entity : m_rows) {
        const Entity& e = state().entity(entity);
        entries.push_back({relative(e.vruntime), settings().eevdf() ? std::optional(relative(e.deadline)) : std::nullopt});
        if (m_rows.size() <= 200) names = std::max(names, strong.horizontalAdvance(entityName(entity)) + u(18));
    }
    const LineMetrics metrics{QSizeF(size()), fm.height(), std::min(names, width() * 0.2), fixed.horizontalAdvance(QStringLiteral("+000.000")) + u(10), theme().unit, height() > u(230) && settings().eevdf()};
    m_scene = layout_line(entries, m_rows.empty() ? std::nullopt : std::optional(relative(q.ref)), metrics);
}

void EligibilityLine::paint(QPainter& p) {
    if (!m_queue.valid()) return;
    if (m_rows.empty()) {
        p.setPen(theme().mut);
        p.drawText(QRectF(rect()).adjusted(u(8), u(8), -u(8), -u(8)), Qt::AlignLeft | Qt::AlignTop | Qt::TextWordWrap, tr("Nothing is queued on CPU %1: there is no average to compare with.").arg(cpuNumber(selectedCpu())));
        return;
    }
    paintGrid(p);
    if (m_scene.detail == RowDetail::aggregate) paintHistograms(p);
    for (int i = 0; i < itemCount(); ++i) paintRow(p, i);
    paintZero(p);
    for (int i = 0; i < itemCount(); ++i) paintEnds(p, i);
    if (!m_scene.sums.isEmpty()) paintSums(p);
}

void EligibilityLine::paintGrid(QPainter& p) const {
    const Theme& t = theme();
    const QRectF plot = m_scene.plot;
    const Axis& axis = m_scene.axis;
    const double zero = axis.x(0);
    if (settings().eevdf()) p.fillRect(QRectF(QPointF(plot.left(), plot.top()), QPointF(std::clamp(zero, plot.left(), plot.right()), plot.bottom())), t.dark ? t.alt : blend(t.win, t.base, 0.9));
    const QFontMetricsF fm(t.small);
    const std::int64_t step = tick_step(axis, u(56));
    const QString unit = settings().eevdf() ? tr("ms from V") : tr("ms from min_vruntime");
    const double unit_left = width() - u(8) - fm.horizontalAdvance(unit);
    int decimals = 0;
    for (std::int64_t one = 1'000'000; one > step && decimals < 6; one /= 10) ++decimals;
    p.setFont(t.small);
    for (const std::int64_t ns : ticks(axis, step)) {
        const double x = std::round(axis.x(static_cast<double>(ns))) + 0.5;
        p.setPen(QPen(t.line, 1));
        p.drawLine(QPointF(x, plot.top()), QPointF(x, plot.bottom() + u(3)));
        const QString label = ms_text(ns, decimals);
        const QRectF at(x - u(40), plot.bottom() + u(3), u(80), fm.height());
        if (x + fm.horizontalAdvance(label) / 2 > unit_left - u(6)) continue;
        p.setPen(t.mut);
        p.drawText(at, Qt::AlignHCenter | Qt::AlignTop, label);
    }
    p.setPen(t.mut);
    p.drawText(QRectF(unit_left, plot.bottom() + u(3), u(200), fm.height()), Qt::AlignLeft | Qt::AlignTop, unit);
    if (m_scene.detail == RowDetail::named)
        p.drawText(QRectF(plot.right(), plot.top() - fm.height() - u(2), width() - u(8) - plot.right(), fm.height()), Qt::AlignRight | Qt::AlignVCenter, settings().eevdf() ? QStringLiteral("V − v") : QStringLiteral("min − v"));
}

void EligibilityLine::paintRow(QPainter& p, int row) const {
    const Theme& t = theme();
    const EntityId entity = m_rows[static_cast<std::size_t>(row)];
    const LineBar& bar = m_scene.bars[static_cast<std::size_t>(row)];
    QRectF r = crisp(bar.rect);
    if (r.width() < u(6)) r.setWidth(u(6)); // CFS has no deadline: a mark at the vruntime
    const QColor colour = entityColour(entity);
    const bool current = entity == state().queue(m_queue).curr;
    p.setPen(QPen(t.text, 0.8));
    if (eligible(entity)) {
        p.setBrush(colour);
        p.drawRect(r);
    } else {
        draw_not_in_force(p, r, t);
        p.fillRect(QRectF(r.left(), r.top(), std::min(r.width(), u(5)), r.height()), colour);
        p.setPen(QPen(t.ctl, 1));
        p.setBrush(Qt::NoBrush);
        p.drawRect(r);
        p.setPen(QPen(t.text, 0.8));
        p.drawRect(QRectF(r.left(), r.top(), std::min(r.width(), u(5)), r.height()));
    }
    if (settings().eevdf() && !bar.leaves_right) { // the deadline's mark stands out of the bar
        p.setPen(QPen(t.text, u(2), Qt::SolidLine, Qt::FlatCap));
        p.drawLine(QPointF(r.right(), bar.rect.top() - 1), QPointF(r.right(), bar.rect.bottom() + 1));
    }
    const TaskId task = state().entity(entity).task;
    const bool attention = entity == m_picked || entity == attendedEntity() || (task.valid() && task == selection().task());
    if (attention) draw_attention(p, r, t, std::min(u(1), m_scene.row * 0.05));
    if (m_scene.detail != RowDetail::named) return;
    const QRectF line = m_scene.row_rect(row);
    p.setFont(attention ? t.small_strong : t.small);
    p.setPen(t.text);
    const QFontMetricsF fm(p.font());
    const double room = m_scene.plot.left() - u(14);
    const QString name = fm.elidedText(entityName(entity), Qt::ElideMiddle, room - u(9));
    const QRectF at(u(4), line.center().y() - fm.height() / 2, room, fm.height());
    p.drawText(at, Qt::AlignRight | Qt::AlignVCenter, name);
    if (current) draw_glyph(p, Glyph::running, QRectF(at.right() - fm.horizontalAdvance(name) - u(9), at.center().y() - u(3), u(6), u(6)), t.text);
    p.setFont(attention ? t.fixed_strong : t.fixed);
    p.drawText(QRectF(m_scene.plot.right(), line.center().y() - fm.height() / 2, width() - u(8) - m_scene.plot.right(), fm.height()), Qt::AlignRight | Qt::AlignVCenter, ms_text(fair::lag(settings(), state(), m_queue, entity)));
}

void EligibilityLine::paintEnds(QPainter& p, int row) const {
    const LineBar& bar = m_scene.bars[static_cast<std::size_t>(row)];
    if (!bar.leaves_left && !bar.leaves_right) return;
    const Theme& t = theme();
    const Entity& e = state().entity(m_rows[static_cast<std::size_t>(row)]);
    const double h = bar.rect.height(), middle = bar.rect.center().y();
    const QFontMetricsF fm(t.fixed);
    const auto arrow = [&](double x, double direction, const QString& text) {
        p.setRenderHint(QPainter::Antialiasing);
        p.setPen(QPen(t.text, 0.8));
        p.setBrush(t.base);
        const double tip = std::min(h / 2, u(6));
        p.drawPolygon(QPolygonF{QPointF(x, middle - h / 2), QPointF(x + direction * tip, middle), QPointF(x, middle + h / 2)});
        p.setRenderHint(QPainter::Antialiasing, false);
        if (m_scene.detail != RowDetail::named) return;
        const double w = fm.horizontalAdvance(text) + u(6);
        const QRectF box(direction > 0 ? x - w - u(1) : x + u(1), middle - h / 2 + 1, w, h - 2);
        p.fillRect(box, t.base);
        p.setFont(t.fixed);
        p.setPen(t.text);
        p.drawText(QRectF(box.left(), middle - fm.height() / 2, w, fm.height()), Qt::AlignCenter, text);
    };
    if (bar.leaves_right) arrow(m_scene.plot.right(), 1, ms_text(relative(settings().eevdf() ? e.deadline : e.vruntime)));
    if (bar.leaves_left) arrow(m_scene.plot.left(), -1, ms_text(relative(e.vruntime)));
}

void EligibilityLine::paintHistograms(QPainter& p) const {
    const Theme& t = theme();
    const QFontMetricsF fm(t.small);
    const bool two = settings().eevdf();
    const auto draw = [&](const std::vector<int>& counts, const QRectF& area, const QString& label) {
        const int most = std::max(1, *std::max_element(counts.begin(), counts.end()));
        for (std::size_t i = 0; i < counts.size(); ++i) {
            const double h = (area.height() - fm.height()) * counts[i] / most;
            p.fillRect(QRectF(area.left() + m_scene.bin * static_cast<double>(i), area.bottom() - h, std::max(1.0, m_scene.bin - 0.5), h), t.mut);
        }
        p.setFont(t.small);
        p.setPen(t.text);
        p.drawText(QRectF(area.right() - u(220), area.top(), u(216), fm.height()), Qt::AlignRight | Qt::AlignVCenter, label);
    };
    QRectF top = m_scene.plot, bottom = m_scene.plot;
    if (two) {
        top.setBottom(m_scene.plot.center().y() - 1);
        bottom.setTop(m_scene.plot.center().y() + 1);
        draw(m_scene.deadlines, bottom, tr("deadlines of %n entities", nullptr, static_cast<int>(m_rows.size())));
    }
    draw(m_scene.vruntimes, top, tr("vruntimes of %n entities", nullptr, static_cast<int>(m_rows.size())));
    if (!two) return;
    const double zero = std::clamp(m_scene.axis.x(0), top.left(), top.right());
    draw_hatch(p, QRectF(QPointF(zero, top.top() + fm.height()), top.bottomRight()), u(4), t.base); // right of V: not eligible
}

void EligibilityLine::paintZero(QPainter& p) const {
    const Theme& t = theme();
    const QRectF plot = m_scene.plot;
    const QFontMetricsF fm(t.small), strong(t.small_strong);
    const Queue& q = state().queue(m_queue);
    const double zero = std::round(m_scene.axis.x(0));
    const double top = plot.top() - fm.height() - u(3);
    const QString name = settings().eevdf() ? QStringLiteral("V") : QStringLiteral("min_vruntime");
    const double half = strong.horizontalAdvance(name) / 2 + u(4);
    if (settings().eevdf()) { // where the reference of the sums stands
        const QString ref = settings().kernel == Kernel::eevdf_6_12y ? QStringLiteral("zero_vruntime") : QStringLiteral("min_vruntime");
        const double x = std::round(m_scene.axis.x(static_cast<double>(relative(q.ref)))) + 0.5, w = fm.horizontalAdvance(ref);
        if (x >= plot.left() && x <= plot.right()) {
            p.setPen(QPen(t.text, u(1.2), Qt::DotLine));
            p.drawLine(QPointF(x, plot.top()), QPointF(x, plot.bottom())); // not through the words above
            p.setFont(t.small);
            p.setPen(t.mut);
            p.drawText(QRectF(std::clamp(x - w / 2, plot.left(), plot.right() - w), top - fm.height() - u(3), w + 1, fm.height()), Qt::AlignCenter, ref);
        }
    }
    p.setPen(QPen(t.text, u(2.2), Qt::SolidLine, Qt::FlatCap));
    p.drawLine(QPointF(zero, top), QPointF(zero, plot.bottom()));
    const QRectF flag(zero - half, top - u(1), 2 * half, fm.height());
    p.setRenderHint(QPainter::Antialiasing);
    p.setPen(Qt::NoPen);
    p.setBrush(t.text);
    p.drawRoundedRect(flag, u(2), u(2));
    p.setRenderHint(QPainter::Antialiasing, false);
    p.setFont(t.small_strong);
    p.setPen(t.base);
    p.drawText(flag, Qt::AlignCenter, name);
    if (!settings().eevdf()) return;
    p.setFont(t.small);
    p.setPen(t.mut);
    p.drawText(QRectF(zero - half - u(5) - u(200), flag.top(), u(200), fm.height()), Qt::AlignRight | Qt::AlignVCenter, tr("eligible"));
    p.drawText(QRectF(zero + half + u(5), flag.top(), u(200), fm.height()), Qt::AlignLeft | Qt::AlignVCenter, tr("not yet"));
}

void EligibilityLine::paintSums(QPainter& p) const {
    const Theme& t = theme();
    const QRectF r = m_scene.sums;
    p.setPen(QPen(t.line, 1));
    p.drawLine(QPointF(0, std::round(r.top()) + 0.5), QPointF(width(), std::round(r.top()) + 0.5));
    const fair::Sums sums = fair::sums(settings(), state(), m_queue);
    const QString ref = settings().kernel == Kernel::eevdf_6_12y ? QStringLiteral("zero_vruntime") : QStringLiteral("min_vruntime");
    const QFontMetricsF small(t.small), fixed(t.fixed);
    double x = r.left();
    const auto part = [&](const QString& name, std::int64_t value) {
        const QString number = grouped(value);
        const double w = small.horizontalAdvance(name) + u(5) + fixed.horizontalAdvance(number);
        if (x + w > r.right()) return;
        p.setFont(t.small);
        p.setPen(t.mut);
        p.drawText(QRectF(x, r.top(), w, r.height()), Qt::AlignLeft | Qt::AlignVCenter, name);
        p.setFont(t.fixed);
        p.setPen(t.text);
        p.drawText(QRectF(x, r.top(), w, r.height()), Qt::AlignRight | Qt::AlignVCenter, number);
        x += w + u(20);
    };
    part(QStringLiteral("Σ w"), static_cast<std::int64_t>(sums.weight));
    part(QStringLiteral("Σ w·(v − ref)"), sums.weighted);
    part(tr("ref = %1").arg(ref), static_cast<std::int64_t>(sums.ref.ns));
    part(QStringLiteral("V = ref + ⌊Σ w·(v − ref) / Σ w⌋"), static_cast<std::int64_t>(m_zero.ns));
}

Card EligibilityLine::cardAt(const QPointF& at) const {
    const int row = m_queue.valid() && !m_rows.empty() ? m_scene.row_at(at.y()) : -1;
    if (row < 0) return {};
    const EntityId entity = m_rows[static_cast<std::size_t>(row)];
    const Entity& e = state().entity(entity);
    const std::int64_t lag = fair::lag(settings(), state(), m_queue, entity);
    const auto absolute = [](VTime v) { return grouped(static_cast<std::int64_t>(v.ns)); };
    Card card{m_scene.bars[static_cast<std::size_t>(row)].rect, entityName(entity), tr("weight %1 · ns, ms from %2").arg(grouped(static_cast<std::int64_t>(e.weight.coarse())), settings().eevdf() ? QStringLiteral("V") : QStringLiteral("min_vruntime")), {}};
    card.rows.push_back({QStringLiteral("vruntime"), absolute(e.vruntime), ms_text(relative(e.vruntime))});
    if (settings().eevdf()) {
        card.rows.push_back({QStringLiteral("deadline"), absolute(e.deadline), ms_text(relative(e.deadline))});
        card.rows.push_back({QStringLiteral("V − v"), grouped(lag), ms_text(lag)});
        card.rows.push_back({QStringLiteral("slice"), grouped(static_cast<std::int64_t>(e.slice)), {}});
    }
    return card;
}

void EligibilityLine::mousePressEvent(QMouseEvent* e) {
    setFocus(Qt::MouseFocusReason);
    hideCard();
    if (!snapshot() || e->button() != Qt::LeftButton || !m_queue.valid() || m_rows.empty()) return;
    if (const int row = m_scene.row_at(e->position().y()); row >= 0) activateItem(row);
}

void EligibilityLine::keyPressEvent(QKeyEvent* e) {
    const int count = itemCount();
    if (!snapshot() || count == 0) return PaintedView::keyPressEvent(e);
    const int at = currentItem();
    switch (e->key()) {
    case Qt::Key_Up: activateItem(std::max(0, at - 1)); break;
    case Qt::Key_Down: activateItem(std::min(count - 1, at + 1)); break;
    case Qt::Key_Home: activateItem(0); break;
    case Qt::Key_End: activateItem(count - 1); break;
    default: PaintedView::keyPressEvent(e);
    }
}

} // namespace picknext::ui
