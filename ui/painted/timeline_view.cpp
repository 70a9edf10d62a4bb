// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/painted/timeline_view.hpp"

#include <algorithm>
#include <cmath>

#include <QFontMetricsF>
#include <QKeyEvent>
#include <QMouseEvent>
#include <QPainter>
#include <QVarLengthArray>
#include <QWheelEvent>

#include "ui/theme/glyph.hpp"
#include "ui/theme/numbers.hpp"

namespace picknext::ui {

namespace {
constexpr double shortest_range = 1'000;         // ns
constexpr double cursor_share = 0.92;            // where the cursor stands when the view follows it
constexpr std::uint64_t most_rows_scanned = 20'000; // of the log, for arrows: beyond, they would cover the lanes anyway
constexpr std::size_t most_arrows = 60;
} // namespace

TimelineView::TimelineView(Selection* selection, QWidget* parent) : PaintedView(selection, parent) {
    setAccessibleName(tr("Timeline"));
    setAccessibleDescription(tr("Who ran on each CPU. Left and right step, up and down select a CPU, plus and minus zoom, double click travels."));
    setMinimumSize(fontMetrics().height() * 14, fontMetrics().height() * 6);
}

QSize TimelineView::sizeHint() const { return {fontMetrics().height() * 50, fontMetrics().height() * 13}; }

QString TimelineView::caption() const {
    if (!snapshot()) return {};
    const double ms = m_axis.span() / 1e6;
    return tr("%1 ms shown").arg(ms, 0, 'f', ms < 1 ? 3 : 1);
}

QString TimelineView::detailText() const {
    if (!snapshot()) return {};
    return machine().cpu_count() > most_plain_lanes ? tr("LLC rows as busy share") : tr("CPUs as lanes");
}

std::span<const LaneSlice> TimelineView::lane(CpuId cpu) const {
    const auto& lanes = snapshot()->index.lanes;
    return cpu.index() < lanes.size() && lanes[cpu.index()] ? std::span<const LaneSlice>(*lanes[cpu.index()]) : std::span<const LaneSlice>();
}

double TimelineView::latest() const {
    const auto known = static_cast<double>(std::max(snapshot()->index.frontier, state().now));
    return std::max(static_cast<double>(snapshot()->scenario->until_ns.value_or(0)), known) + 0.1 * m_axis.span() + shortest_range;
}

double TimelineView::gutter() const {
    const QFontMetricsF fm(theme().small_strong);
    double w = fm.horizontalAdvance(tr("CPU %1").arg(machine().cpus.empty() ? 0 : machine().cpus.back().number)) + u(14);
    if (machine().cpu_count() > most_plain_lanes) w += u(12);
    return w;
}

void TimelineView::setAxis(const Axis& axis) {
    m_axis = axis;
    hideCard();
    redraw();
    Q_EMIT captionChanged();
}

void TimelineView::showRange(std::int64_t from, std::int64_t to) {
    m_axis.from = static_cast<double>(from);
    m_axis.to = std::max(static_cast<double>(to), m_axis.from + shortest_range);
    redraw();
    Q_EMIT captionChanged();
}

void TimelineView::zoomToFit() {
    if (snapshot()) showRange(0, static_cast<std::int64_t>(1.03 * static_cast<double>(std::max(snapshot()->index.frontier, state().now))));
}

void TimelineView::aboutToShow(const Snapshot*) {
    if (!snapshot()) return;
    const auto now = static_cast<double>(state().now);
    if (m_scenario != snapshot()->scenario.get()) {
        m_scenario = snapshot()->scenario.get();
        m_open.clear();
        m_opened_for = CpuId::none();
        m_measured.reset();
        m_scroll = 0;
        const double span = machine().cpu_count() > most_plain_lanes ? 40e6 : 8e6;
        m_axis.from = std::max(0.0, now - cursor_share * span);
        m_axis.to = m_axis.from + span;
    } else if (m_drag == Drag::none && (now < m_axis.from + 0.02 * m_axis.span() || now > m_axis.to - 0.02 * m_axis.span())) {
        m_axis = moved(m_axis, now - cursor_share * m_axis.span() - m_axis.from, 0, now + m_axis.span());
    }
}

void TimelineView::relayout() {
    const CpuId cpu = selectedCpu();
    if (cpu.valid() && cpu != m_opened_for && machine().cpu_count() > most_plain_lanes) {
        const std::size_t llc = machine().cpu(cpu).llc.index();
        if (llc >= m_open.size()) m_open.resize(llc + 1, false);
        m_open[llc] = true; // the selected CPU keeps a lane of its own
    }
    const QFontMetricsF small(theme().small);
    m_rows = layout_rows(machine(), cpu, m_open, {QSizeF(size()), small.height() + u(5), small.height(), theme().unit});
    m_axis.left = gutter();
    const double busy = machine().cpu_count() > most_plain_lanes ? small.horizontalAdvance(tr("busy now")) + u(8) : 0;
    m_axis.right = std::max(m_axis.left + 10, width() - u(8) - busy);
    if (cpu != m_opened_for) showSelectedRow();
    m_opened_for = cpu;
    m_scroll = std::clamp(m_scroll, 0.0, std::max(0.0, m_rows.height - height()));
}

void TimelineView::showSelectedRow() {
    const int at = currentItem();
    if (at < 0) return;
    const TimelineRow& row = m_rows.rows[static_cast<std::size_t>(at)];
    const double axis = QFontMetricsF(theme().small).height() + u(5);
    if (row.top - m_scroll < axis || row.top + row.height - m_scroll > height()) m_scroll = row.top - height() / 3.0;
}

void TimelineView::toggleLlc(int llc) {
    if (static_cast<std::size_t>(llc) >= m_open.size()) m_open.resize(static_cast<std::size_t>(llc) + 1, false);
    m_open[static_cast<std::size_t>(llc)] = !m_open[static_cast<std::size_t>(llc)];
    refresh();
}

QString TimelineView::rowLabel(const TimelineRow& row) const {
    return row.kind == TimelineRow::Kind::llc ? tr("LLC %1").arg(row.id) : tr("CPU %1").arg(cpuNumber(CpuId{row.id}));
}

QString TimelineView::itemName(int item) const {
    const TimelineRow& row = m_rows.rows[static_cast<std::size_t>(item)];
    if (row.kind == TimelineRow::Kind::llc) return row.open ? tr("LLC %1, open").arg(row.id) : tr("LLC %1, closed").arg(row.id);
    const TaskId now = state().rq(CpuId{row.id}).curr;
    return tr("CPU %1: %2").arg(cpuNumber(CpuId{row.id}), now.valid() ? taskName(now) : tr("idle"));
}

QRectF TimelineView::itemRect(int item) const {
    const TimelineRow& row = m_rows.rows[static_cast<std::size_t>(item)];
    return {0, row.top - m_scroll, static_cast<double>(width()), row.height};
}

int TimelineView::currentItem() const { return m_rows.row_of(selectedCpu(), machine()); }

void TimelineView::activateItem(int item) {
    const TimelineRow& row = m_rows.rows[static_cast<std::size_t>(item)];
    if (row.kind == TimelineRow::Kind::llc) toggleLlc(row.id);
    else selection().setCpu(CpuId{row.id});
}

bool TimelineView::fullColour(const TimelineRow& row, TaskId task) const {
    const Cpu& cpu = machine().cpu(CpuId{row.id});
    return CpuId{row.id} == selectedCpu() || inFocus(task) || (cpu.llc.index() < m_open.size() && m_open[cpu.llc.index()]);
}

void TimelineView::paint(QPainter& p) {
    const double axis = QFontMetricsF(theme().small).height() + u(5);
    p.save();
    p.setClipRect(QRectF(0, axis, width(), height() - axis));
    paintRows(p);
    paintWakeups(p);
    p.restore();
    paintAxis(p);
    paintCursor(p);
    paintDrag(p);
}

void TimelineView::paintAxis(QPainter& p) const {
    const Theme& t = theme();
    const QFontMetricsF fm(t.small);
    const std::int64_t step = tick_step(m_axis, u(84));
    const bool gathered = machine().cpu_count() > most_plain_lanes;
    p.setFont(t.small);
    p.setPen(t.mut);
    if (gathered) p.drawText(QRectF(m_axis.right, u(1), width() - u(8) - m_axis.right, fm.height()), Qt::AlignRight | Qt::AlignVCenter, tr("busy now"));
    for (const std::int64_t ns : ticks(m_axis, step)) {
        if (ns < 0) continue;
        const double x = std::round(m_axis.x(static_cast<double>(ns))) + 0.5;
        p.setPen(QPen(t.line, 1));
        p.drawLine(QPointF(x, fm.height() + u(2)), QPointF(x, fm.height() + u(5)));
        const QString label = moment_text(ns, step);
        const double w = fm.horizontalAdvance(label);
        if (x + w / 2 > (gathered ? m_axis.right : width())) continue;
        p.setPen(t.mut);
        p.drawText(QRectF(x - w / 2, u(1), w + 1, fm.height()), Qt::AlignLeft | Qt::AlignVCenter, label);
    }
}

void TimelineView::paintRows(QPainter& p) const {
    const Theme& t = theme();
    p.setPen(QPen(t.line, 1));
    for (const std::int64_t ns : ticks(m_axis, tick_step(m_axis, u(84)))) {
        const double x = std::round(m_axis.x(static_cast<double>(ns))) + 0.5;
        p.drawLine(QPointF(x, 0), QPointF(x, std::min<double>(height(), m_rows.height - m_scroll)));
    }
    for (const TimelineRow& row : m_rows.rows) {
        const QRectF r(m_axis.left, row.top - m_scroll, m_axis.right - m_axis.left, row.height);
        if (r.bottom() < 0 || r.top() > height()) continue;
        if (row.kind == TimelineRow::Kind::llc) {
            if (!row.open) paintShare(p, row, r);
            paintBusyNow(p, row, r);
        } else {
            p.fillRect(r, CpuId{row.id} == selectedCpu() ? t.base : t.alt);
            const double strip = std::min(u(5), r.height() / 4);
            const bool waits = r.height() >= u(20); // lower lanes have no room for the strip
            if (waits) paintWaiting(p, CpuId{row.id}, QRectF(r.left(), r.bottom() - strip, r.width(), strip));
            paintLane(p, row, waits ? r.adjusted(0, 0, 0, -strip) : r);
        }
    }
    paintLabels(p);
}

void TimelineView::paintLane(QPainter& p, const TimelineRow& row, const QRectF& r) const {
    const Theme& t = theme();
    const bool selected = CpuId{row.id} == selectedCpu();
    const QFontMetricsF fm(selected ? t.body : t.small);
    p.setFont(selected ? t.body : t.small);
    const bool named = r.height() >= fm.height() + u(1);
    const double inset = r.height() >= u(6) ? 0.5 : 0;
    QVarLengthArray<QRectF, 2048> merged;
    for (const LanePiece& piece : lay_lane(lane(CpuId{row.id}), m_axis, snapshot()->index.frontier)) {
        if (!piece.task.valid()) { // slices of less than a pixel: the share they were busy
            const double h = std::max(1.0, (r.height() - 2 * inset) * piece.share);
            merged.append(QRectF(piece.left, r.bottom() - inset - h, 1, h));
            continue;
        }
        const QRectF box(piece.left, r.top() + inset, piece.right - piece.left, r.height() - 2 * inset);
        const bool full = fullColour(row, piece.task);
        const QColor fill = t.fill(piece.task.index(), full);
        p.fillRect(box, fill);
        if (box.width() >= 3 && box.height() >= u(4)) {
            p.setPen(QPen(full ? t.text : t.ctl, 0.8));
            p.setBrush(Qt::NoBrush);
            p.drawRect(box);
        }
        if (piece.task == selection().task()) draw_attention(p, box, t, -u(1.25));
        if (!named || box.width() < fm.averageCharWidth() * 3) continue;
        p.setPen(full ? ink_on(fill) : t.text);
        const QString name = fm.elidedText(taskName(piece.task), Qt::ElideMiddle, box.width() - u(6));
        if (name.size() >= 6 || name == taskName(piece.task)) p.drawText(box.adjusted(u(3), 0, -u(3), 0), Qt::AlignCenter, name);
    }
    p.setPen(Qt::NoPen);
    p.setBrush(t.mut);
    p.drawRects(merged.constData(), static_cast<int>(merged.size()));
}

void TimelineView::paintWaiting(QPainter& p, CpuId cpu, const QRectF& r) const {
    const auto& waiting = snapshot()->index.waiting;
    if (cpu.index() >= waiting.size() || !waiting[cpu.index()]) return;
    for (const LanePiece& piece : lay_waiting(*waiting[cpu.index()], m_axis, snapshot()->index.frontier)) {
        const QRectF box(piece.left, r.top(), piece.right - piece.left, r.height());
        draw_not_in_force(p, box, theme());
        p.fillRect(QRectF(box.left(), box.bottom() - 1, box.width(), 1), theme().ctl);
    }
}

void TimelineView::paintShare(QPainter& p, const TimelineRow& row, const QRectF& r) const {
    const Theme& t = theme();
    std::vector<std::span<const LaneSlice>> lanes;
    for_each_cpu(machine().llc_span[static_cast<std::size_t>(row.id)], [&](CpuId c) { lanes.push_back(lane(c)); });
    const double bin = u(2);
    const std::vector<float> shares = busy_shares(lanes, m_axis, bin, snapshot()->index.frontier);
    p.fillRect(r, t.alt);
    for (std::size_t i = 0; i < shares.size(); ++i) {
        const double x = r.left() + bin * static_cast<double>(i), h = r.height() * static_cast<double>(shares[i]);
        p.fillRect(QRectF(x, r.bottom() - h, std::min(bin, r.right() - x), h), t.mut);
    }
}

void TimelineView::paintBusyNow(QPainter& p, const TimelineRow& row, const QRectF& r) const {
    const CpuSet& span = machine().llc_span[static_cast<std::size_t>(row.id)];
    int busy = 0;
    for_each_cpu(span, [&](CpuId c) { busy += state().rq(c).curr.valid() ? 1 : 0; });
    p.setFont(row.open ? theme().small_strong : theme().small);
    p.setPen(theme().text);
    p.drawText(QRectF(r.right(), r.top(), width() - u(8) - r.right(), r.height()), Qt::AlignRight | Qt::AlignVCenter, QStringLiteral("%1/%2").arg(busy).arg(span.size()));
}

void TimelineView::paintLabels(QPainter& p) const {
    const int own = currentItem();
    std::vector<QRectF> taken;
    const auto beside_own = [&](const TimelineRow& row) { // the selected CPU's siblings only get what room is left
        return own >= 0 && row.kind == TimelineRow::Kind::cpu && machine().cpu(CpuId{row.id}).core == machine().cpu(selectedCpu()).core;
    };
    const auto paint_all = [&](auto&& wanted) {
        for (int i = 0; i < itemCount(); ++i) {
            const TimelineRow& row = m_rows.rows[static_cast<std::size_t>(i)];
            if (row.top + row.height - m_scroll < 0 || row.top - m_scroll > height() || !wanted(i, row)) continue;
            if (const QRectF at = paintLabel(p, row, taken); !at.isEmpty()) taken.push_back(at);
        }
    };
    paint_all([&](int i, const TimelineRow&) { return i == own; });
    paint_all([&](int i, const TimelineRow& row) { return i != own && !beside_own(row); });
    paint_all([&](int i, const TimelineRow& row) { return i != own && beside_own(row); });
}

QRectF TimelineView::paintLabel(QPainter& p, const TimelineRow& row, const std::vector<QRectF>& taken) const {
    const Theme& t = theme();
    const QFontMetricsF fm(t.small);
    const QRectF r(0, row.top - m_scroll, m_axis.left, row.height);
    const bool llc = row.kind == TimelineRow::Kind::llc, selected = !llc && CpuId{row.id} == selectedCpu();
    if (selected || (llc && row.open && selectedCpu().valid() && machine().cpu(selectedCpu()).llc.value == row.id)) {
        p.fillRect(r, t.accbg);
        p.fillRect(QRectF(r.left(), r.top(), u(3), r.height()), t.acc);
    }
    if (llc) draw_glyph(p, row.open ? Glyph::down : Glyph::running, QRectF(u(5), r.center().y() - u(3.5), u(7), u(7)), t.text);
    QString words = rowLabel(row);
    double middle = r.center().y();
    if (!llc && !selected && r.height() < fm.height()) { // lanes lower than a line of text: one label a core
        QStringList numbers;
        CpuId leads;
        for_each_cpu(machine().core_span[machine().cpu(CpuId{row.id}).core.index()], [&](CpuId c) {
            if (c == selectedCpu()) return;
            if (numbers.isEmpty()) leads = c;
            numbers << cpuNumber(c);
        });
        if (leads != CpuId{row.id}) return {};
        words = numbers.join(QStringLiteral(" · "));
        middle = r.top() + r.height() * static_cast<double>(numbers.size()) / 2;
    }
    const QRectF at(u(4), middle - fm.height() / 2, m_axis.left - u(10), fm.height());
    const QRectF core = at.adjusted(0, u(2), 0, -u(2)); // line spacing may overlap
    if (std::any_of(taken.begin(), taken.end(), [&](const QRectF& other) { return core.intersects(other); })) return {};
    p.setFont(selected || (llc && row.open) ? t.small_strong : t.small);
    p.setPen(selected || llc ? t.text : t.mut);
    p.drawText(at, Qt::AlignRight | Qt::AlignVCenter, words);
    return at;
}

void TimelineView::paintWakeups(QPainter& p) const {
    const Theme& t = theme();
    const auto until = std::min(static_cast<std::int64_t>(m_axis.to), state().now);
    const auto [first, last] = log_range(snapshot()->index, static_cast<std::int64_t>(m_axis.from), until);
    if (last - first > most_rows_scanned) return;
    struct Arrow { double x, from, to; };
    std::vector<Arrow> arrows;
    std::vector<QPointF> ticks_seen;
    const auto centre = [&](CpuId c) {
        const int row = m_rows.row_of(c, machine());
        return row < 0 ? -1.0 : m_rows.rows[static_cast<std::size_t>(row)].top + m_rows.rows[static_cast<std::size_t>(row)].height / 2 - m_scroll;
    };
    const int own = m_rows.row_of(selectedCpu(), machine());
    for (std::uint64_t i = first; i < last; ++i) {
        const DecisionHeader& h = snapshot()->index.row(i);
        const double x = m_axis.x(static_cast<double>(h.at));
        if (h.kind == Kind::tick && CpuId{std::size_t{h.cpu}} == selectedCpu() && own >= 0) {
            const TimelineRow& row = m_rows.rows[static_cast<std::size_t>(own)];
            ticks_seen.emplace_back(x, row.top + row.height - m_scroll);
        }
        if (h.kind != Kind::place || h.outcome < 0 || h.outcome == static_cast<std::int32_t>(h.cpu)) continue;
        const double a = centre(CpuId{std::size_t{h.cpu}}), b = centre(CpuId{h.outcome});
        if (a >= 0 && b >= 0 && a != b) arrows.push_back({x, a, b});
    }
    if (ticks_seen.size() * 4 < static_cast<std::size_t>(std::max(1, width())))
        for (const QPointF& at : ticks_seen) p.fillRect(QRectF(at.x() - 0.5, at.y() - u(3), 1, u(3)), t.text);
    if (arrows.size() > most_arrows) { // too dense to follow: those of the selected CPU
        const double own_centre = centre(selectedCpu());
        std::erase_if(arrows, [&](const Arrow& a) { return own < 0 || (a.from != own_centre && a.to != own_centre); });
        if (arrows.size() > most_arrows) return;
    }
    for (const Arrow& a : arrows) draw_arrow(p, {a.x, a.from}, {a.x + u(1), a.to}, t.text, u(1.2), u(6));
}

void TimelineView::paintCursor(QPainter& p) const {
    const Theme& t = theme();
    const QFontMetricsF fm(t.small);
    const double now = std::round(m_axis.x(static_cast<double>(state().now))), top = fm.height() + u(5);
    const double bottom = std::min<double>(height(), m_rows.height - m_scroll);
    const double frontier = m_axis.x(static_cast<double>(std::max(snapshot()->index.frontier, state().now)));
    const auto cover = [&](double from, double to, const QString& words, const QColor& colour, double step) {
        from = std::max(from, m_axis.left);
        to = std::min(to, m_axis.right);
        if (to - from < 1) return;
        draw_hatch(p, QRectF(QPointF(from, top), QPointF(to, bottom)), step, colour);
        const double w = fm.horizontalAdvance(words);
        if (w + u(8) > to - from) return;
        const QRectF at(std::min(from + u(4), to - w - u(4)), bottom - fm.height() - u(3), w + u(4), fm.height());
        p.fillRect(at, t.base);
        p.setFont(t.small);
        p.setPen(t.mut);
        p.drawText(at, Qt::AlignCenter, words);
    };
    cover(now, frontier, tr("computed ahead"), t.hat, u(8));
    cover(std::max(now, frontier), m_axis.right, snapshot()->at_end ? tr("the run has ended") : tr("not run yet"), t.line, u(8));
    if (now < m_axis.left - 1 || now > m_axis.right + 1) return; // now is rounded
    p.fillRect(QRectF(now - u(1), top - u(2), u(2), bottom - top + u(2)), t.acc);
    p.setRenderHint(QPainter::Antialiasing);
    p.setPen(Qt::NoPen);
    p.setBrush(t.acc);
    p.drawPolygon(QPolygonF{QPointF(now - u(5), top - u(7)), QPointF(now + u(5), top - u(7)), QPointF(now, top)});
    p.setRenderHint(QPainter::Antialiasing, false);
}

void TimelineView::paintDrag(QPainter& p) const {
    const Theme& t = theme();
    double from = 0, to = 0;
    if (m_drag == Drag::measure || m_drag == Drag::box) {
        from = std::min(m_pressed.x(), m_pointer.x());
        to = std::max(m_pressed.x(), m_pointer.x());
    } else if (m_measured) {
        from = m_axis.x(m_measured->first);
        to = m_axis.x(m_measured->second);
    } else {
        return;
    }
    const double y = height() - QFontMetricsF(t.small).height() - u(14);
    QPen pen(t.acc, u(1.2));
    pen.setDashPattern({6, 3});
    p.setPen(pen);
    p.drawLine(QPointF(from, 0), QPointF(from, height()));
    p.drawLine(QPointF(to, 0), QPointF(to, height()));
    p.setPen(QPen(t.acc, u(1.2)));
    p.drawLine(QPointF(from, y), QPointF(to, y));
    const QString words = tr("%1 ms").arg(std::abs(m_axis.at(to) - m_axis.at(from)) / 1e6, 0, 'f', 6);
    const QFontMetricsF fm(t.fixed);
    const QRectF box((from + to) / 2 - fm.horizontalAdvance(words) / 2 - u(4), y + u(2), fm.horizontalAdvance(words) + u(8), fm.height() + u(2));
    p.setBrush(t.base);
    p.drawRect(box);
    p.setFont(t.fixed);
    p.setPen(t.text);
    p.drawText(box, Qt::AlignCenter, words);
}

std::uint32_t TimelineView::waitingAt(CpuId cpu, std::int64_t ns) const {
    const auto& waiting = snapshot()->index.waiting;
    if (cpu.index() >= waiting.size() || !waiting[cpu.index()]) return 0;
    const std::vector<WaitStep>& steps = *waiting[cpu.index()];
    const auto after = std::partition_point(steps.begin(), steps.end(), [ns](const WaitStep& s) { return s.at <= ns; });
    return after == steps.begin() ? 0 : std::prev(after)->tasks;
}

Card TimelineView::cardAt(const QPointF& at) const {
    const int item = m_rows.row_at(at.y() + m_scroll);
    if (item < 0 || at.x() < m_axis.left) return {};
    const TimelineRow& row = m_rows.rows[static_cast<std::size_t>(item)];
    if (row.kind == TimelineRow::Kind::llc) return {};
    const double ns = m_axis.at(at.x());
    for (const LaneSlice& s : lane(CpuId{row.id})) {
        if (static_cast<double>(s.end) <= ns) continue;
        if (static_cast<double>(s.begin) > ns) break;
        const std::int64_t end = std::min(s.end, snapshot()->index.frontier);
        const double left = std::max(m_axis.left, m_axis.x(static_cast<double>(s.begin))), right = std::min(m_axis.right, m_axis.x(static_cast<double>(end)));
        Card card{QRectF(left, row.top - m_scroll, right - left, row.height), taskName(s.task), tr("on %1").arg(rowLabel(row)), {}};
        card.rows.push_back({tr("from"), moment_text(s.begin, 1), {}});
        card.rows.push_back({s.end > snapshot()->index.frontier ? tr("until now") : tr("until"), moment_text(end, 1), {}});
        card.rows.push_back({tr("length"), grouped(end - s.begin) + QStringLiteral(" ns"), {}});
        if (const std::uint32_t tasks = waitingAt(CpuId{row.id}, static_cast<std::int64_t>(ns)); tasks > 0) card.rows.push_back({tr("waiting here"), grouped(tasks), {}});
        return card;
    }
    return {};
}

void TimelineView::mousePressEvent(QMouseEvent* e) {
    setFocus(Qt::MouseFocusReason);
    hideCard();
    if (!snapshot()) return;
    m_pressed = m_pointer = e->position();
    m_axis_pressed = m_axis;
    m_scroll_pressed = m_scroll;
    m_measured.reset();
    m_drag = (e->modifiers() & Qt::ShiftModifier) != 0 ? Drag::measure : (e->modifiers() & Qt::ControlModifier) != 0 ? Drag::box : Drag::none;
}

void TimelineView::mouseMoveEvent(QMouseEvent* e) {
    PaintedView::mouseMoveEvent(e);
    m_pointer = e->position();
    if ((e->buttons() & (Qt::LeftButton | Qt::MiddleButton)) == 0 || !snapshot()) return;
    if (m_drag == Drag::none && (m_pointer - m_pressed).manhattanLength() > 6) m_drag = Drag::pan;
    if (m_drag == Drag::pan) {
        const Axis was = m_axis_pressed;
        Axis axis = m_axis;
        axis.from = was.from;
        axis.to = was.to;
        m_scroll = std::clamp(m_scroll_pressed - (m_pointer.y() - m_pressed.y()), 0.0, std::max(0.0, m_rows.height - height()));
        setAxis(moved(axis, (m_pressed.x() - m_pointer.x()) * axis.per_pixel(), 0, latest()));
    }
    redraw();
}

void TimelineView::mouseReleaseEvent(QMouseEvent* e) {
    if (!snapshot()) return;
    const Drag drag = std::exchange(m_drag, Drag::none);
    const double a = m_axis.at(std::min(m_pressed.x(), m_pointer.x())), b = m_axis.at(std::max(m_pressed.x(), m_pointer.x()));
    if (drag == Drag::measure) m_measured = std::pair(a, b);
    if (drag == Drag::box && std::abs(m_pressed.x() - m_pointer.x()) > 6) showRange(static_cast<std::int64_t>(a), static_cast<std::int64_t>(b));
    redraw();
    if (drag != Drag::none || e->button() != Qt::LeftButton) return;
    const int item = m_rows.row_at(e->position().y() + m_scroll);
    if (item < 0) return;
    const TimelineRow& row = m_rows.rows[static_cast<std::size_t>(item)];
    if (row.kind == TimelineRow::Kind::llc) {
        if (e->position().x() < m_axis.left) toggleLlc(row.id);
        return;
    }
    selection().setCpu(CpuId{row.id});
    const double ns = m_axis.at(e->position().x());
    for (const LaneSlice& s : lane(CpuId{row.id}))
        if (e->position().x() >= m_axis.left && static_cast<double>(s.begin) <= ns && ns < static_cast<double>(s.end)) selection().setTask(s.task);
}

void TimelineView::mouseDoubleClickEvent(QMouseEvent* e) {
    if (snapshot() && e->position().x() >= m_axis.left) Q_EMIT travelRequested(static_cast<qint64>(std::max(0.0, m_axis.at(e->position().x()))));
}

void TimelineView::wheelEvent(QWheelEvent* e) {
    e->accept();
    if (!snapshot()) return;
    const double notches = (e->angleDelta().y() != 0 ? e->angleDelta().y() : e->angleDelta().x()) / 120.0;
    if ((e->modifiers() & Qt::ShiftModifier) != 0 || e->position().x() < m_axis.left) {
        m_scroll = std::clamp(m_scroll - notches * u(48), 0.0, std::max(0.0, m_rows.height - height()));
        return redraw();
    }
    setAxis(zoomed(m_axis, std::pow(0.8, notches), e->position().x(), 0, latest(), shortest_range));
}

void TimelineView::keyPressEvent(QKeyEvent* e) {
    if (!snapshot()) return PaintedView::keyPressEvent(e);
    const auto at = static_cast<std::int64_t>(snapshot()->position.decision);
    const auto lane_from = [&](int direction) { // to the next row that is a CPU
        for (int i = currentItem() + direction; i >= 0 && i < itemCount(); i += direction)
            if (m_rows.rows[static_cast<std::size_t>(i)].kind == TimelineRow::Kind::cpu) return selection().setCpu(CpuId{m_rows.rows[static_cast<std::size_t>(i)].id});
    };
    const double cursor = std::clamp(m_axis.x(static_cast<double>(state().now)), m_axis.left, m_axis.right);
    switch (e->key()) {
    case Qt::Key_Left: requestDecision(at - 1); break;
    case Qt::Key_Right: requestDecision(at + 1); break;
    case Qt::Key_Home: requestDecision(0); break;
    case Qt::Key_End: requestDecision(static_cast<std::int64_t>(snapshot()->index.rows)); break;
    case Qt::Key_Up: lane_from(-1); break;
    case Qt::Key_Down: lane_from(1); break;
    case Qt::Key_Plus: setAxis(zoomed(m_axis, 0.8, cursor, 0, latest(), shortest_range)); break;
    case Qt::Key_Minus: setAxis(zoomed(m_axis, 1.25, cursor, 0, latest(), shortest_range)); break;
    case Qt::Key_0: zoomToFit(); break;
    case Qt::Key_Escape: m_measured.reset(); redraw(); break;
    default: PaintedView::keyPressEvent(e);
    }
}

} // namespace picknext::ui
