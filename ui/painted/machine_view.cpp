// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/painted/machine_view.hpp"

#include <algorithm>
#include <array>
#include <cmath>

#include <QFontMetricsF>
#include <QKeyEvent>
#include <QMouseEvent>
#include <QPainter>
#include <QWheelEvent>

#include "core/placement/select_cpu.hpp"
#include "ui/theme/glyph.hpp"
#include "ui/theme/numbers.hpp"

namespace picknext::ui {

namespace {
constexpr double most_zoom = 40;

QPen dashed(const QColor& colour, double width) {
    QPen pen(colour, width);
    pen.setDashPattern({5 / width, 3 / width});
    pen.setCapStyle(Qt::FlatCap);
    return pen;
}
} // namespace

MachineView::MachineView(Selection* selection, QWidget* parent) : PaintedView(selection, parent) {
    setAccessibleName(tr("Machine"));
    setAccessibleDescription(tr("CPUs in boxes by node, last-level cache and core. Arrow keys select a CPU."));
    setMinimumSize(fontMetrics().height() * 9, fontMetrics().height() * 8);
}

QSize MachineView::sizeHint() const { return {fontMetrics().height() * 22, fontMetrics().height() * 24}; }

MachineView::CpuFacts MachineView::facts(CpuId cpu) const {
    const Rq& rq = state().rq(cpu);
    const auto util = static_cast<double>(state().root_queue(cpu).avg.util_avg);
    CpuFacts f;
    f.online = rq.online != 0;
    f.idle = f.online && placement::cpu_is_idle(state(), cpu);
    f.tick_stopped = rq.tick_stopped != 0;
    f.queued = static_cast<int>(rq.nr_running);
    f.util = std::clamp(util / static_cast<double>(std::max<std::int64_t>(1, rq.capacity)), 0.0, 1.0);
    f.current = rq.curr;
    return f;
}

bool MachineView::coreIdle(int core) const {
    const CpuSet& span = machine().core_span[static_cast<std::size_t>(core)];
    if (span.size() < 2) return false; // without siblings an idle core is only an idle CPU
    bool idle = true;
    for_each_cpu(span, [&](CpuId c) { return idle = idle && facts(c).idle; });
    return idle;
}

int MachineView::idleCores(int llc) const {
    int cores = 0;
    for_each_cpu(machine().llc_span[static_cast<std::size_t>(llc)], [&](CpuId c) {
        const CoreId core = machine().cpu(c).core;
        if (machine().core_span[core.index()].first() == c && coreIdle(core.value)) ++cores; // once a core
    });
    return cores;
}

QString MachineView::caption() const { return snapshot() ? tr("%n CPUs", nullptr, static_cast<int>(machine().cpu_count())) : QString(); }

QString MachineView::detailText() const {
    switch (m_scene.detail) {
    case CpuDetail::full: return tr("CPUs in full");
    case CpuDetail::reduced: return tr("CPUs without tasks");
    case CpuDetail::cell: return tr("CPUs as cells");
    case CpuDetail::aggregate: return tr("Busy share per LLC");
    }
    return {};
}

QString MachineView::itemName(int item) const {
    const CpuId cpu{item};
    const CpuFacts f = facts(cpu);
    const QString what = !f.online ? tr("offline") : f.idle ? (f.tick_stopped ? tr("idle, tick stopped") : tr("idle")) : tr("runs %1").arg(taskName(f.current));
    return tr("CPU %1: %2, %3 queued").arg(cpuNumber(cpu), what, QString::number(f.queued));
}

QRectF MachineView::itemRect(int item) const { return m_scene.cpus[static_cast<std::size_t>(item)].translated(m_offset); }
void MachineView::activateItem(int item) { selection().setCpu(CpuId{item}); }

double MachineView::legendHeight() const { return QFontMetricsF(theme().small).height() + u(10); }

void MachineView::relayout() {
    const MachineMetrics metrics{QSizeF(width(), std::max(1.0, height() - legendHeight())), QFontMetricsF(theme().small).height() + u(4),
                                 QFontMetricsF(theme().small).height(),
                                 QFontMetricsF(theme().small_strong).horizontalAdvance(QString::number(machine().cpus.back().number)),
                                 QFontMetricsF(theme().small_strong).horizontalAdvance(tr("LLC %1").arg(machine().llc_span.size() - 1)) + u(12), theme().unit};
    if (m_arranged_for != metrics.viewport || m_arranged_scenario != snapshot()->scenario.get()) {
        if (m_arranged_scenario != snapshot()->scenario.get()) m_zoom = 1;
        m_arrangement = arrange_machine(machine(), metrics);
        m_arranged_for = metrics.viewport;
        m_arranged_scenario = snapshot()->scenario.get();
    }
    m_scene = place_machine(machine(), m_arrangement, metrics, m_zoom);
    keepInSight();
}

void MachineView::keepInSight() {
    const auto bound = [](double offset, double size, double room) { return size <= room ? 0.0 : std::clamp(offset, room - size, 0.0); };
    m_offset = {bound(m_offset.x(), m_scene.size.width(), width()), bound(m_offset.y(), m_scene.size.height(), height() - legendHeight())};
}

void MachineView::zoomAbout(double factor, const QPointF& at) {
    const double before = m_zoom;
    m_zoom = std::clamp(m_zoom * factor, 1.0, most_zoom);
    if (m_zoom == before || !snapshot()) return;
    // Titles and gaps do not grow, so the scene does not scale as a whole: the CPU nearest to the point holds it.
    const QPointF in_scene = at - m_offset;
    const auto distance = [&](const QRectF& r) { return (r.center() - in_scene).manhattanLength(); };
    const auto nearest = static_cast<std::size_t>(
        std::min_element(m_scene.cpus.begin(), m_scene.cpus.end(), [&](const QRectF& a, const QRectF& b) { return distance(a) < distance(b); }) - m_scene.cpus.begin());
    const QRectF was = m_scene.cpus[nearest];
    hideCard();
    refresh();
    const QRectF is = m_scene.cpus[nearest];
    const QPointF held(is.left() + (in_scene.x() - was.left()) / was.width() * is.width(), is.top() + (in_scene.y() - was.top()) / was.height() * is.height());
    m_offset = at - held;
    keepInSight();
}

void MachineView::zoomToFit() {
    m_zoom = 1;
    refresh();
}

void MachineView::showSelected() {
    if (!selectedCpu().valid()) return;
    const QRectF r = itemRect(selectedCpu().value).adjusted(-u(12), -u(12), u(12), u(12));
    if (r.left() < 0) m_offset.rx() -= r.left();
    if (r.right() > width()) m_offset.rx() -= r.right() - width();
    if (r.top() < 0) m_offset.ry() -= r.top();
    if (r.bottom() > height() - legendHeight()) m_offset.ry() -= r.bottom() - (height() - legendHeight());
    keepInSight();
    redraw();
}

void MachineView::paint(QPainter& p) {
    p.save();
    p.setClipRect(QRectF(0, 0, width(), height() - legendHeight()));
    p.translate(m_offset);
    const QRectF exposed = QRectF(rect()).translated(-m_offset);
    for (const MachineBox& box : m_scene.boxes)
        if (box.rect.united(box.header).intersects(exposed)) paintBox(p, box);
    if (m_scene.detail != CpuDetail::aggregate)
        for (std::size_t c = 0; c < m_scene.cpus.size(); ++c)
            if (m_scene.cpus[c].intersects(exposed)) paintCpu(p, CpuId{c});
    if (m_scene.detail != CpuDetail::aggregate) paintIdleCores(p);
    paintSelection(p);
    paintPlacement(p);
    p.restore();
    paintLegend(p);
}

void MachineView::paintBox(QPainter& p, const MachineBox& box) const {
    const Theme& t = theme();
    const bool node = box.level == MachineLevel::node, llc = box.level == MachineLevel::llc;
    p.setRenderHint(QPainter::Antialiasing);
    if (box.level != MachineLevel::core || m_scene.detail <= CpuDetail::reduced) {
        p.setPen(QPen(node ? t.ctl : t.line, 1));
        p.setBrush(llc ? t.alt : t.base);
        p.drawRoundedRect(crisp(box.rect), u(3), u(3));
    }
    p.setRenderHint(QPainter::Antialiasing, false);
    if (!node && !llc) return;
    const CpuSet& span = node ? machine().node_span[static_cast<std::size_t>(box.id)] : machine().llc_span[static_cast<std::size_t>(box.id)];
    int idle = 0;
    for_each_cpu(span, [&](CpuId c) { idle += facts(c).idle ? 1 : 0; });
    const QString name = node ? tr("node %1").arg(machine().nodes.size() > static_cast<std::size_t>(box.id) ? machine().nodes[static_cast<std::size_t>(box.id)].number : box.id)
                              : tr("LLC %1").arg(box.id);
    QString share = tr("%1 of %2 idle").arg(idle).arg(span.size());
    const QString few = tr("%1 idle").arg(idle);
    if (llc && m_scene.detail >= CpuDetail::cell && machine().has_smt()) share = few + QStringLiteral(" · ") + tr("%n cores", nullptr, idleCores(box.id));
    const QRectF text = box.header.adjusted(node ? u(2) : u(5), 0, node ? -u(2) : -u(5), 0);
    p.setFont(node ? t.small : t.small_strong);
    const double used = QFontMetricsF(p.font()).horizontalAdvance(name) + u(8);
    p.setPen(node ? t.mut : t.text);
    p.drawText(text, Qt::AlignLeft | Qt::AlignVCenter, QFontMetricsF(p.font()).horizontalAdvance(name) <= text.width() ? name : QString::number(box.id));
    p.setFont(t.small);
    p.setPen(t.mut);
    const QFontMetricsF fm(t.small);
    const QString right = fm.horizontalAdvance(share) <= text.width() - used ? share : fm.horizontalAdvance(few) <= text.width() - used ? few : QString();
    p.drawText(text, Qt::AlignRight | Qt::AlignVCenter, right);
    if (llc && m_scene.detail == CpuDetail::aggregate) paintLlcShare(p, box);
}

void MachineView::paintLlcShare(QPainter& p, const MachineBox& box) const {
    const CpuSet& span = machine().llc_span[static_cast<std::size_t>(box.id)];
    int busy = 0;
    for_each_cpu(span, [&](CpuId c) { const CpuFacts f = facts(c); busy += f.online && !f.idle ? 1 : 0; });
    const double share = static_cast<double>(busy) / std::max(1, span.size());
    QRectF bar = box.rect.adjusted(u(3), box.header.height(), -u(3), -u(3));
    if (bar.height() < u(3)) bar = box.rect.adjusted(1, 1, -1, -1);
    paintBar(p, bar, share, theme().mut);
}

void MachineView::paintBar(QPainter& p, const QRectF& r, double share, const QColor& on) const {
    const QRectF c = crisp(r);
    p.setPen(QPen(theme().ctl, 1));
    p.setBrush(theme().base);
    p.drawRect(c);
    p.fillRect(QRectF(c.left() + 0.5, c.top() + 0.5, (c.width() - 1) * share, c.height() - 1), on);
}

void MachineView::paintCell(QPainter& p, const QRectF& r, const CpuFacts& f) const {
    const Theme& t = theme();
    p.setPen(QPen(t.ctl, 1));
    if (f.idle || !f.online) {
        p.setBrush(t.base);
        p.drawRect(crisp(r));
        if (!f.online) draw_not_yet(p, crisp(r), t);
        return;
    }
    const double step = std::ceil(std::max(0.01, f.util) * 5) / 5; // five steps
    p.setBrush(blend(t.dark ? t.text : t.arm_a, t.base, 0.15 + 0.85 * step));
    p.drawRect(crisp(r));
    if (f.queued > 1) { // the notch
        const double n = std::min(u(4), r.width() / 3);
        p.fillRect(QRectF(r.right() - n - 1.5, r.top() + 1.5, n, n), t.base);
    }
}

void MachineView::paintCpu(QPainter& p, CpuId cpu) const {
    const Theme& t = theme();
    const CpuFacts f = facts(cpu);
    const QRectF r = crisp(m_scene.cpus[cpu.index()]);
    if (m_scene.detail == CpuDetail::cell) return paintCell(p, m_scene.cpus[cpu.index()], f);
    const bool full = m_scene.detail == CpuDetail::full;
    const bool runs = f.online && f.current.valid();
    const QColor fill = runs ? taskFill(f.current) : t.base;
    const bool coloured = runs && inFocus(f.current);
    const QColor ink = coloured ? ink_on(fill) : t.text;
    p.setPen(QPen(coloured ? t.text : t.ctl, 1));
    p.setBrush(fill);
    p.drawRect(r);
    if (!f.online) draw_not_yet(p, r, t);
    const double pad = u(full ? 4 : 3), bar = full ? u(5) : u(4);
    const QRectF in = r.adjusted(pad, pad - u(1), -pad, -pad);
    p.setPen(ink);
    p.setFont(full ? t.strong : t.small_strong);
    const QFontMetricsF fm(p.font());
    p.drawText(QRectF(in.left(), in.top(), in.width(), fm.height()), Qt::AlignLeft | Qt::AlignVCenter, cpuNumber(cpu));
    const double glyph = u(8.5);
    if (in.width() >= fm.horizontalAdvance(cpuNumber(cpu)) + glyph + u(2))
        draw_glyph(p, !f.online ? Glyph::offline : !f.idle ? Glyph::running : f.tick_stopped ? Glyph::tick_stopped : Glyph::idle,
                   QRectF(in.right() - glyph, in.top() + (fm.height() - glyph) / 2, glyph, glyph), ink);
    const QRectF bar_rect(in.left() - u(1), r.bottom() - bar - u(2), in.width() + u(2), bar);
    if (f.online) paintBar(p, bar_rect, f.util, t.dark ? t.mut : t.arm_a);
    if (!full) return;
    const QFontMetricsF small(t.small);
    const QRectF line(in.left(), bar_rect.top() - small.height() - u(1), in.width() + u(2), small.height());
    const QString count = f.queued > 1 ? QStringLiteral("×%1").arg(f.queued) : QString();
    const double count_width = count.isEmpty() ? 0 : QFontMetricsF(t.small_strong).horizontalAdvance(count) + u(3);
    const QString name = runs ? taskName(f.current) : QString();
    // A name that would be cut gets the line for itself: the count moves up beside the id.
    const bool beside = small.horizontalAdvance(name) + count_width <= line.width();
    const double id_width = fm.horizontalAdvance(cpuNumber(cpu)) + u(4);
    const QRectF after_id(in.left() + id_width, in.top(), in.width() - id_width - glyph - u(4), fm.height());
    p.setPen(ink);
    p.setFont(t.small_strong);
    p.drawText(beside ? line : after_id, Qt::AlignRight | Qt::AlignVCenter, count);
    p.setFont(t.small);
    p.drawText(line, Qt::AlignLeft | Qt::AlignVCenter, small.elidedText(name, Qt::ElideMiddle, beside ? line.width() - count_width : line.width()));
}

void MachineView::paintIdleCores(QPainter& p) const {
    p.setRenderHint(QPainter::Antialiasing);
    p.setBrush(Qt::NoBrush);
    p.setPen(dashed(theme().text, m_scene.detail == CpuDetail::cell ? u(1.2) : u(1.8)));
    for (const MachineBox& box : m_scene.boxes)
        if (box.level == MachineLevel::core && coreIdle(box.id)) p.drawRoundedRect(crisp(box.rect), u(3), u(3));
    p.setRenderHint(QPainter::Antialiasing, false);
}

void MachineView::paintSelection(QPainter& p) const {
    const CpuId cpu = selectedCpu();
    if (!cpu.valid()) return;
    if (m_scene.detail != CpuDetail::aggregate) {
        if (attendedCpu().valid() && attendedCpu() != cpu) draw_attention(p, m_scene.cpus[attendedCpu().index()], theme(), -0.5);
        return draw_attention(p, m_scene.cpus[cpu.index()], theme(), -0.5);
    }
    for (const MachineBox& box : m_scene.boxes)
        if (box.level == MachineLevel::llc && box.id == machine().cpu(cpu).llc.value) draw_attention(p, box.rect, theme(), 0);
}

void MachineView::paintPlacement(QPainter& p) const {
    const DecisionHeader& h = snapshot()->header;
    if (h.kind != Kind::place || h.outcome < 0 || h.task < 0 || m_scene.detail == CpuDetail::aggregate) return;
    const Theme& t = theme();
    const auto centre = [&](CpuId c) { return m_scene.cpus[c.index()].center(); };
    const CpuId to{h.outcome}, waker{std::size_t{h.cpu}}, previous = state().task(TaskId{h.task}).cpu;
    int looked_at = 0;
    for (const Check& c : checks_seen(*snapshot())) { // the order in which CPUs were looked at
        if (c.id != Chk::cpu_is_idle || c.subject < 0 || m_scene.detail > CpuDetail::reduced) continue;
        const QRectF r = m_scene.cpus[static_cast<std::size_t>(c.subject)];
        draw_step_number(p, QPointF(r.center().x(), r.top() + u(2)), ++looked_at, t);
    }
    if (snapshot()->position.check < h.checks) return; // the answer is not known yet
    const QRectF target = m_scene.cpus[to.index()];
    if (to != selectedCpu()) draw_attention(p, target, t, 1);
    const double head = u(9);
    if (previous.valid() && previous != to) { // where it leaves: it migrates
        p.setPen(QPen(t.text, u(1.2), Qt::DashLine));
        p.setRenderHint(QPainter::Antialiasing);
        p.drawLine(centre(previous), centre(to));
    }
    if (waker != to) draw_arrow(p, centre(waker), centre(to), t.text, u(2), head);
    const QString label = tr("%1: %2").arg(taskName(TaskId{h.task}), from_utf8(std::string(info(h.reason).sentence)));
    p.setFont(t.small);
    const QFontMetricsF fm(t.small);
    const double w = std::min(fm.horizontalAdvance(label) + u(10), width() - u(8.0)), height = fm.height() + u(4);
    double x = target.center().x() - w / 2, y = target.top() - height - u(6);
    x = std::clamp(x, u(4) - m_offset.x(), std::max(u(4), width() - w - u(4)) - m_offset.x());
    if (y < -m_offset.y()) y = target.bottom() + u(6);
    const QRectF box = crisp({x, y, w, height});
    p.setPen(t.text);
    p.setBrush(t.base);
    p.drawRect(box);
    p.drawText(box.adjusted(u(5), 0, -u(5), 0), Qt::AlignVCenter | Qt::AlignLeft, fm.elidedText(label, Qt::ElideRight, w - u(10)));
}

void MachineView::paintLegend(QPainter& p) const {
    const Theme& t = theme();
    const QFontMetricsF fm(t.small);
    p.setFont(t.small);
    const double h = fm.height(), y = height() - legendHeight() + u(4), mark = u(9);
    double x = u(10);
    const auto entry = [&](const QString& word, double mark_width, auto&& draw) {
        const double needed = mark_width + u(5) + fm.horizontalAdvance(word) + u(12);
        if (x + needed - u(12) > width() - u(4)) return;
        draw(QRectF(x, y + (h - mark) / 2, mark_width, mark));
        p.setPen(t.mut);
        p.drawText(QRectF(x + mark_width + u(5), y, needed, h), Qt::AlignLeft | Qt::AlignVCenter, word);
        x += needed;
    };
    const auto glyph = [&](Glyph g) { return [&, g](const QRectF& r) { draw_glyph(p, g, r, t.text); }; };
    const auto idle_core = [&](const QRectF& r) {
        p.setRenderHint(QPainter::Antialiasing);
        p.setBrush(Qt::NoBrush);
        p.setPen(dashed(t.text, u(1.5)));
        p.drawRoundedRect(crisp(r), 2, 2);
        p.setRenderHint(QPainter::Antialiasing, false);
    };
    if (m_scene.detail == CpuDetail::aggregate) {
        entry(tr("share of CPUs that are busy"), u(24), [&](const QRectF& r) { paintBar(p, r, 0.6, t.mut); });
        return;
    }
    if (m_scene.detail == CpuDetail::cell) {
        CpuFacts f;
        entry(tr("idle"), mark, [&](const QRectF& r) { paintCell(p, r, f); });
        f.idle = false;
        entry(tr("busy, by util"), 3 * mark, [&](const QRectF& r) {
            for (int i = 0; i < 3; ++i) {
                f.util = 0.2 + 0.4 * i;
                paintCell(p, QRectF(r.left() + i * mark, r.top(), mark, mark), f);
            }
        });
        f.queued = 2;
        entry(tr("more than 1 queued"), mark, [&](const QRectF& r) { paintCell(p, r, f); });
        if (machine().has_smt()) entry(tr("idle core"), 1.6 * mark, idle_core);
        return;
    }
    entry(tr("running"), mark, glyph(Glyph::running));
    entry(tr("idle"), mark, glyph(Glyph::idle));
    entry(tr("idle, tick stopped"), mark, glyph(Glyph::tick_stopped));
    if (machine().has_smt()) entry(tr("idle core"), 1.6 * mark, idle_core);
    entry(tr("util"), 1.8 * mark, [&](const QRectF& r) { paintBar(p, r.adjusted(0, u(2), 0, -u(2)), 0.6, t.dark ? t.mut : t.arm_a); });
}

Card MachineView::cardAt(const QPointF& at) const {
    const CpuId cpu = m_scene.cpu_at(at - m_offset);
    if (!cpu.valid()) return {};
    const CpuFacts f = facts(cpu);
    const Cpu& c = machine().cpu(cpu);
    Card card{itemRect(cpu.value), tr("CPU %1").arg(cpuNumber(cpu)), tr("core %1 · LLC %2 · node %3").arg(c.core.value).arg(c.llc.value).arg(c.node.value), {}};
    card.rows.push_back({tr("state"), !f.online ? tr("offline") : f.idle ? (f.tick_stopped ? tr("idle, tick stopped") : tr("idle")) : tr("running"), {}});
    if (f.current.valid()) card.rows.push_back({tr("current"), taskName(f.current), {}});
    card.rows.push_back({tr("nr_running"), grouped(f.queued), {}});
    const LoadAvg& avg = state().root_queue(cpu).avg;
    card.rows.push_back({tr("util_avg"), grouped(static_cast<std::int64_t>(avg.util_avg)), tr("of %1").arg(state().rq(cpu).capacity)});
    card.rows.push_back({tr("load_avg"), grouped(static_cast<std::int64_t>(avg.load_avg)), {}});
    for_each_cpu(machine().core_span[c.core.index()], [&](CpuId s) {
        if (s != cpu) card.rows.push_back({tr("sibling %1").arg(cpuNumber(s)), facts(s).idle ? tr("idle") : tr("busy"), {}});
    });
    return card;
}

void MachineView::mousePressEvent(QMouseEvent* e) {
    setFocus(Qt::MouseFocusReason);
    hideCard();
    m_pressed = e->position();
    m_offset_pressed = m_offset;
    m_dragging = false;
}

void MachineView::mouseMoveEvent(QMouseEvent* e) {
    PaintedView::mouseMoveEvent(e);
    if ((e->buttons() & (Qt::LeftButton | Qt::MiddleButton)) == 0 || !snapshot()) return;
    m_dragging = m_dragging || (e->position() - m_pressed).manhattanLength() > 6;
    if (!m_dragging) return;
    m_offset = m_offset_pressed + e->position() - m_pressed;
    keepInSight();
    redraw();
}

void MachineView::mouseReleaseEvent(QMouseEvent* e) {
    if (m_dragging || e->button() != Qt::LeftButton || !snapshot()) return;
    const CpuId cpu = m_scene.cpu_at(e->position() - m_offset);
    if (cpu.valid()) selection().setCpu(cpu);
}

void MachineView::wheelEvent(QWheelEvent* e) {
    zoomAbout(std::pow(1.2, e->angleDelta().y() / 120.0), e->position());
    e->accept();
}

void MachineView::keyPressEvent(QKeyEvent* e) {
    const auto go = [&](int dx, int dy) {
        selection().setCpu(m_scene.neighbour(selectedCpu().valid() ? selectedCpu() : CpuId{0}, dx, dy));
        showSelected();
    };
    if (!snapshot()) return PaintedView::keyPressEvent(e);
    switch (e->key()) {
    case Qt::Key_Left: go(-1, 0); break;
    case Qt::Key_Right: go(1, 0); break;
    case Qt::Key_Up: go(0, -1); break;
    case Qt::Key_Down: go(0, 1); break;
    case Qt::Key_Plus: zoomAbout(1.25, rect().center()); break;
    case Qt::Key_Minus: zoomAbout(0.8, rect().center()); break;
    case Qt::Key_0: zoomToFit(); break;
    default: PaintedView::keyPressEvent(e);
    }
}

} // namespace picknext::ui
