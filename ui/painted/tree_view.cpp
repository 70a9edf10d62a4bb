// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/painted/tree_view.hpp"

#include <algorithm>
#include <cmath>

#include <QFontMetricsF>
#include <QKeyEvent>
#include <QLineEdit>
#include <QMouseEvent>
#include <QPainter>
#include <QWheelEvent>

#include "core/fair/views.hpp"
#include "ui/theme/glyph.hpp"
#include "ui/theme/numbers.hpp"

namespace picknext::ui {

namespace {
constexpr std::size_t most_moving = 512; // nodes: above, a step is shown without motion
} // namespace

TreeView::TreeView(Selection* selection, QWidget* parent) : PaintedView(selection, parent), m_find(new QLineEdit(this)) {
    setAccessibleName(tr("Run queue tree"));
    setAccessibleDescription(tr("Red-black tree of the selected CPU's queue, in order. Left and right select a node, Ctrl+F finds a task."));
    setMinimumSize(fontMetrics().height() * 14, fontMetrics().height() * 7);
    m_find->setPlaceholderText(tr("Find task"));
    m_find->setAccessibleName(tr("Find a task in the tree by name"));
    m_find->hide();
    connect(m_find, &QLineEdit::textEdited, this, [this](const QString& text) { findTask(text); });
    connect(m_find, &QLineEdit::returnPressed, this, [this] { findTask(m_find->text()); });
    m_motion.setStartValue(0.0);
    m_motion.setEndValue(1.0);
    m_motion.setEasingCurve(QEasingCurve::OutCubic);
    connect(&m_motion, &QVariantAnimation::valueChanged, this, [this] { redraw(); });
    connect(&m_motion, &QVariantAnimation::finished, this, [this] { m_from.clear(); });
}

QSize TreeView::sizeHint() const { return {fontMetrics().height() * 40, fontMetrics().height() * 14}; }

QString TreeView::caption() const {
    if (!snapshot() || !m_queue.valid()) return {};
    const Queue& q = state().queue(m_queue);
    const QString tasks = tr("%n tasks", nullptr, static_cast<int>(q.h_nr_queued));
    const QString zero = settings().eevdf() ? tr("V = %1 ns") : tr("min_vruntime = %1 ns");
    return tasks + QStringLiteral(" · ") + zero.arg(grouped(static_cast<std::int64_t>(m_zero.ns)));
}

QString TreeView::detailText() const {
    switch (m_scene.detail) {
    case NodeDetail::full: return tr("Nodes in full");
    case NodeDetail::key: return tr("Nodes with their key");
    case NodeDetail::name: return tr("Nodes with their name");
    case NodeDetail::cell: return tr("Nodes as cells");
    case NodeDetail::aggregate: return tr("Nodes per pixel and depth");
    }
    return {};
}

bool TreeView::eligible(EntityId entity) const {
    return state().entity(entity).on_rq != 0 && fair::is_eligible(settings(), state(), m_queue, entity);
}

bool TreeView::currentLeft() const { return state().entity(state().queue(m_queue).curr).on_rq == 0; }

bool TreeView::hasAttention(EntityId entity) const {
    const TaskId task = state().entity(entity).task;
    return entity == m_picked || entity == attendedEntity() || (task.valid() && task == selection().task());
}

QString TreeView::itemName(int item) const {
    const TreeNode& n = m_shape.nodes[static_cast<std::size_t>(item)];
    const Entity& e = state().entity(n.entity);
    const QString which = eligible(n.entity) ? tr("eligible") : tr("not eligible");
    return tr("%1, %2 node, vruntime %3 ms, %4").arg(entityName(n.entity), n.red ? tr("red") : tr("black"), ms_text(relative(e.vruntime)), which);
}
QRectF TreeView::itemRect(int item) const { return m_scene.nodes[static_cast<std::size_t>(item)].translated(m_offset); }
int TreeView::currentItem() const {
    for (std::size_t i = 0; i < m_shape.nodes.size(); ++i)
        if (state().entity(m_shape.nodes[i].entity).task == selection().task() && selection().task().valid()) return static_cast<int>(i);
    return -1;
}
void TreeView::activateItem(int item) { selection().setTask(state().entity(m_shape.nodes[static_cast<std::size_t>(item)].entity).task); }

void TreeView::aboutToShow(const Snapshot* previous) {
    m_motion.stop();
    m_from.clear();
    if (previous == nullptr || m_shape.nodes.size() > most_moving || m_scene.detail == NodeDetail::aggregate) return;
    for (std::size_t i = 0; i < m_shape.nodes.size(); ++i) m_from.insert(m_shape.nodes[i].entity.value, m_scene.nodes[i]);
}

void TreeView::startMotion() {
    const int duration = motionDuration();
    if (duration == 0 || m_from.isEmpty()) return m_from.clear();
    m_motion.setDuration(duration);
    m_motion.start();
}

void TreeView::relayout() {
    const QueueId before = m_queue;
    m_queue = queue_in_view(*snapshot(), selectedCpu());
    m_shape = shape_of(state(), m_queue);
    if (before != m_queue) {
        m_from.clear();
        m_zoom = 1;
    }
    m_zero = m_queue.valid() ? fair::average_vruntime(settings(), state(), m_queue) : VTime{};
    m_path = visited_path(checks_seen(*snapshot()));
    m_picked = m_queue.valid() ? picked_from(*snapshot(), m_queue) : EntityId::none();
    const QFontMetricsF small(theme().small), fixed(theme().fixed);
    TreeMetrics metrics{QSizeF(size()), std::max(small.height(), fixed.height()), fixed.height() - u(1), theme().unit,
                        settings().augment() != Augment::none, m_zoom};
    m_scene = layout_tree(m_shape, metrics, m_queue.valid() && state().queue(m_queue).curr.valid());
    keepInSight();
    if (!m_from.isEmpty() && m_motion.state() != QAbstractAnimation::Running) startMotion();
}

void TreeView::keepInSight() {
    const double w = m_scene.size.width(), h = m_scene.size.height();
    m_offset.setX(w <= width() ? 0 : std::clamp(m_offset.x(), width() - w, 0.0));
    m_offset.setY(h <= height() ? 0 : std::clamp(m_offset.y(), height() - h, 0.0));
}

void TreeView::reveal(int rank) {
    if (rank < 0) return;
    const QRectF r = itemRect(rank);
    if (r.left() < 0 || r.right() > width()) m_offset.rx() += width() / 2.0 - r.center().x();
    keepInSight();
    redraw();
}

bool TreeView::findTask(const QString& text) {
    if (!snapshot() || text.isEmpty()) return false;
    const int count = itemCount(), start = currentItem();
    for (int i = 1; i <= count; ++i) {
        const int at = (start + i + count) % count;
        if (!entityName(m_shape.nodes[static_cast<std::size_t>(at)].entity).contains(text, Qt::CaseInsensitive)) continue;
        activateItem(at);
        reveal(at);
        return true;
    }
    return false;
}

void TreeView::openFind() {
    m_find->show();
    m_find->setFocus(Qt::ShortcutFocusReason);
    m_find->selectAll();
}

void TreeView::zoomToFit() {
    m_zoom = 1;
    refresh();
}

QRectF TreeView::placeOf(std::size_t rank) const {
    const QRectF to = m_scene.nodes[rank];
    if (m_motion.state() != QAbstractAnimation::Running) return to;
    const double done = m_motion.currentValue().toDouble();
    const auto found = m_from.constFind(m_shape.nodes[rank].entity.value);
    const QRectF from = found != m_from.constEnd() ? *found : QRectF(to.center(), QSizeF(0, 0)); // an inserted node grows
    return {from.topLeft() + (to.topLeft() - from.topLeft()) * done, from.size() + (to.size() - from.size()) * done};
}

QString TreeView::minimumText(const Entity& e, bool wide) const {
    const QString value = ms_text(relative(e.subtree_min));
    if (!wide) return value;
    return (settings().augment() == Augment::min_deadline ? QStringLiteral("min d ") : QStringLiteral("min v ")) + value;
}

QString TreeView::buddyText(EntityId entity) const {
    const Queue& q = state().queue(m_queue);
    QStringList words;
    if (q.next == entity) words << QStringLiteral("next buddy");
    if (q.last == entity) words << QStringLiteral("last buddy");
    if (q.skip == entity) words << QStringLiteral("skip");
    return words.join(QStringLiteral(", "));
}

int TreeView::stepNumber(EntityId entity) const {
    for (std::size_t i = 0; i < m_path.size(); ++i)
        if (m_path[i].entity == entity) return static_cast<int>(i) + 1;
    return 0;
}

bool TreeView::onPath(EntityId from, EntityId to) const {
    for (std::size_t i = 0; i + 1 < m_path.size(); ++i)
        if (m_path[i].entity == from && m_path[i + 1].entity == to) return true;
    return false;
}

QStringList TreeView::testsAt(const VisitedNode& node) const {
    QStringList lines;
    bool below = false, itself = false;
    for (const std::size_t i : node.checks) {
        const Check& c = snapshot()->checks[i];
        const bool yes = c.verdict == Verdict::yes;
        const VTime left{static_cast<std::uint64_t>(c.left)}, right{static_cast<std::uint64_t>(c.right)};
        switch (c.id) {
        case Chk::left_subtree_eligible:
            lines << QStringLiteral("left min %1 %2 0").arg(ms_text(left - right), yes ? QStringLiteral("≤") : QStringLiteral(">"));
            below = below || yes;
            break;
        case Chk::node_eligible:
            lines << QStringLiteral("own v %1 %2 0").arg(ms_text(left - right), yes ? QStringLiteral("≤") : QStringLiteral(">"));
            itself = itself || yes;
            break;
        case Chk::node_earlier_deadline:
            lines << QStringLiteral("d − best %1 %2 0").arg(ms_text(left - right), yes ? QStringLiteral("<") : QStringLiteral("≥"));
            break;
        case Chk::left_min_deadline:
            lines << QStringLiteral("left min d %1 min d").arg(yes ? QStringLiteral("=") : QStringLiteral("≠"));
            break;
        default: break;
        }
    }
    if (!lines.isEmpty() && settings().tree_key() == TreeKey::deadline)
        lines << (below ? tr("an eligible entity is below: go left") : itself ? tr("eligible: take it") : tr("neither is eligible: go right"));
    return lines;
}

void TreeView::paint(QPainter& p) {
    if (!m_queue.valid()) return;
    if (m_shape.nodes.empty() && !state().queue(m_queue).curr.valid()) return paintEmpty(p);
    p.translate(m_offset);
    if (m_scene.detail == NodeDetail::aggregate) {
        paintDensity(p);
    } else {
        paintEdges(p);
        paintPath(p);
        const QRectF exposed = QRectF(rect()).translated(-m_offset).adjusted(-u(20), -u(20), u(20), u(20));
        for (std::size_t i = 0; i < m_shape.nodes.size(); ++i)
            if (placeOf(i).intersects(exposed)) paintNode(p, i);
        for (std::size_t i = 0; i < m_shape.nodes.size(); ++i)
            if (placeOf(i).intersects(exposed)) paintMarks(p, i);
        paintTests(p);
    }
    p.translate(-m_offset);
    paintCurrent(p);
}

void TreeView::paintEmpty(QPainter& p) const {
    p.setPen(theme().mut);
    p.drawText(QRectF(rect()).adjusted(u(8), u(8), -u(8), -u(8)), Qt::AlignLeft | Qt::AlignTop | Qt::TextWordWrap,
               tr("CPU %1 has an empty queue. Select another CPU in the machine, or step on.").arg(cpuNumber(selectedCpu())));
}

void TreeView::paintEdges(QPainter& p) const {
    p.setRenderHint(QPainter::Antialiasing);
    p.setPen(QPen(theme().ctl, u(1.2)));
    const double badge = m_scene.detail <= NodeDetail::key && settings().augment() != Augment::none ? u(8) : 0;
    for (std::size_t i = 0; i < m_shape.nodes.size(); ++i) {
        const int parent = m_shape.nodes[i].parent;
        if (parent < 0 || onPath(m_shape.nodes[static_cast<std::size_t>(parent)].entity, m_shape.nodes[i].entity)) continue;
        const QRectF a = placeOf(static_cast<std::size_t>(parent)), b = placeOf(i);
        if (std::max(a.right(), b.right()) < -m_offset.x() || std::min(a.left(), b.left()) > width() - m_offset.x()) continue;
        p.drawLine(QPointF(a.center().x(), a.bottom() + badge), QPointF(b.center().x(), b.top()));
    }
    p.setRenderHint(QPainter::Antialiasing, false);
}

void TreeView::paintPath(QPainter& p) const {
    for (std::size_t i = 0; i + 1 < m_path.size(); ++i) {
        const int a = m_shape.find(m_path[i].entity), b = m_shape.find(m_path[i + 1].entity);
        if (a < 0 || b < 0) continue;
        const QRectF from = placeOf(static_cast<std::size_t>(a)), to = placeOf(static_cast<std::size_t>(b));
        const bool left = to.center().x() < from.center().x();
        const QPointF start(from.center().x() + (left ? -1 : 1) * from.width() * 0.3, from.bottom()), end(to.center().x(), to.top() - u(3));
        draw_arrow(p, start, end, theme().acc, u(2.5), u(9));
    }
}

void TreeView::paintRing(QPainter& p, const QRectF& r, bool red) const {
    const Theme& t = theme();
    p.setBrush(Qt::NoBrush);
    if (red) { // two thin rings
        p.setPen(QPen(t.red, u(1)));
        p.drawRoundedRect(r, u(2), u(2));
        p.drawRoundedRect(r.adjusted(-u(2.5), -u(2.5), u(2.5), u(2.5)), u(3), u(3));
    } else {
        p.setPen(QPen(t.text, u(2.2)));
        p.drawRoundedRect(r, u(2), u(2));
    }
}

void TreeView::paintContent(QPainter& p, const QRectF& r, EntityId entity, const QString& corner) const {
    const Theme& t = theme();
    const Entity& e = state().entity(entity);
    const QColor colour = entityColour(entity);
    if (eligible(entity)) p.fillRect(r, t.high_contrast ? t.base : blend(colour, t.base, t.dark ? 0.2 : 0.16));
    else draw_not_in_force(p, r, t);
    const double bar = m_scene.detail == NodeDetail::cell ? std::max(u(3), r.width() / 3) : u(6);
    p.fillRect(QRectF(r.left(), r.top(), bar, r.height()), colour);
    p.setPen(QPen(t.text, 0.8));
    p.drawLine(QPointF(r.left() + bar, r.top()), QPointF(r.left() + bar, r.bottom()));
    if (m_scene.detail >= NodeDetail::cell) return;
    const QRectF in = r.adjusted(bar + u(4), u(2), -u(4), -u(2));
    const double line = std::max(QFontMetricsF(t.small).height(), QFontMetricsF(t.fixed).height());
    double y = in.top();
    const QFontMetricsF corner_fm(t.small);
    const double corner_width = corner_fm.horizontalAdvance(corner) + u(4);
    const auto ground = [&](const QRectF& text) { // text over hatch needs a quiet ground
        if (!eligible(entity)) p.fillRect(text, QColor(t.base.red(), t.base.green(), t.base.blue(), 205));
    };
    const auto write = [&](const QFont& font, const QString& text, double room) {
        const QFontMetricsF fm(font);
        const QString shown = fm.elidedText(text, Qt::ElideMiddle, room);
        const QRectF at(in.left(), y, room, line);
        ground(QRectF(in.left() - u(1), y + u(1), fm.horizontalAdvance(shown) + u(2), line - u(2)));
        p.setFont(font);
        p.setPen(t.text);
        p.drawText(at, Qt::AlignLeft | Qt::AlignVCenter, shown);
        y += line;
    };
    if (in.width() > corner_width + u(12)) {
        ground(QRectF(in.right() - corner_width + u(3), in.top() + u(1), corner_width - u(2), line - u(2)));
        p.setFont(t.small);
        p.setPen(t.mut);
        p.drawText(QRectF(in.left(), in.top(), in.width(), line), Qt::AlignRight | Qt::AlignVCenter, corner);
        write(t.small_strong, entityName(entity), in.width() - corner_width);
    } else {
        write(t.small_strong, entityName(entity), in.width());
    }
    const auto value = [&](QLatin1Char key, VTime v) { write(t.fixed, QString(key) + QLatin1Char(' ') + ms_text(relative(v)), in.width()); };
    const bool by_deadline = settings().tree_key() == TreeKey::deadline;
    if (m_scene.detail == NodeDetail::full || (m_scene.detail == NodeDetail::key && !by_deadline)) value(QLatin1Char('v'), e.vruntime);
    if (settings().eevdf() && (m_scene.detail == NodeDetail::full || (m_scene.detail == NodeDetail::key && by_deadline))) value(QLatin1Char('d'), e.deadline);
}

void TreeView::paintMinimum(QPainter& p, const QRectF& r, const Entity& e) const {
    if (settings().augment() == Augment::none || m_scene.detail > NodeDetail::key) return;
    const Theme& t = theme();
    const QFontMetricsF fm(t.fixed);
    const bool wide = m_scene.detail == NodeDetail::full;
    const QString text = minimumText(e, wide);
    const double mark = wide ? 0 : u(9), w = fm.horizontalAdvance(text) + mark + u(8), h = fm.height() - u(1);
    const QRectF badge = crisp(QRectF(r.center().x() - w / 2 + (wide ? 0 : r.width() * 0.1), r.bottom() - u(3), w, h));
    p.setPen(QPen(t.ctl, 1));
    p.setBrush(t.base);
    p.drawRoundedRect(badge, u(2), u(2));
    if (!wide) draw_glyph(p, Glyph::down, QRectF(badge.left() + u(3), badge.center().y() - u(3), u(6), u(6)), t.mut);
    p.setFont(t.fixed);
    p.setPen(t.text);
    p.drawText(badge.adjusted(mark, 0, 0, 0), Qt::AlignCenter, text);
}

void TreeView::paintNode(QPainter& p, std::size_t rank) const {
    const TreeNode& n = m_shape.nodes[rank];
    const QRectF r = crisp(placeOf(rank));
    p.setRenderHint(QPainter::Antialiasing);
    paintContent(p, r, n.entity, n.red ? QStringLiteral("R") : QStringLiteral("B"));
    if (r.width() >= u(10)) paintRing(p, r, n.red);
    else p.setPen(QPen(n.red ? theme().red : theme().text, 1)), p.setBrush(Qt::NoBrush), p.drawRect(r);
    if (hasAttention(n.entity)) draw_attention(p, r, theme(), u(3));
    paintMinimum(p, r, state().entity(n.entity));
    p.setRenderHint(QPainter::Antialiasing, false);
}

void TreeView::paintMarks(QPainter& p, std::size_t rank) const {
    const Theme& t = theme();
    const EntityId entity = m_shape.nodes[rank].entity;
    const QRectF r = placeOf(rank);
    if (const int number = stepNumber(entity)) draw_step_number(p, r.topLeft() + QPointF(-u(1), u(1)), number, t);
    const QFontMetricsF fm(t.small);
    const auto above = [&](const QString& text, double x) {
        p.setFont(t.small);
        p.setPen(t.mut);
        p.drawText(QRectF(x, r.top() - fm.height() - u(4), fm.horizontalAdvance(text) + 1, fm.height()), Qt::AlignLeft | Qt::AlignVCenter, text);
    };
    double x = r.left() + u(14);
    const QRectF left_label(x, r.top() - fm.height() - u(4), fm.horizontalAdvance(tr("leftmost")), fm.height());
    const bool is_free = m_scene.detail < NodeDetail::cell || std::none_of(m_scene.nodes.begin(), m_scene.nodes.end(), [&](const QRectF& n) { return n.intersects(left_label); });
    if (entity == state().queue(m_queue).leftmost && entity != m_picked && is_free) {
        above(tr("leftmost"), x);
        x += fm.horizontalAdvance(tr("leftmost")) + u(8);
    }
    if (const QString buddies = buddyText(entity); !buddies.isEmpty() && m_scene.detail <= NodeDetail::name) above(buddies, x);
    if (entity != m_picked) return;
    const QString label = tr("next");
    p.setFont(t.small_strong);
    const QFontMetricsF strong(t.small_strong);
    const QRectF box(r.center().x() - strong.horizontalAdvance(label) / 2 - u(6), r.top() - strong.height() - u(5), strong.horizontalAdvance(label) + u(12), strong.height());
    p.setRenderHint(QPainter::Antialiasing);
    p.setPen(Qt::NoPen);
    p.setBrush(t.acc);
    p.drawRoundedRect(box, u(2), u(2));
    p.setRenderHint(QPainter::Antialiasing, false);
    p.setPen(ink_on(t.acc));
    p.drawText(box, Qt::AlignCenter, label);
}

void TreeView::paintTests(QPainter& p) const {
    if (m_scene.detail != NodeDetail::full) return;
    const Theme& t = theme();
    const QFontMetricsF fixed(t.fixed_strong), small(t.small);
    std::vector<QRectF> taken;
    for (std::size_t i = 0; i < m_shape.nodes.size(); ++i) taken.push_back(placeOf(i));
    for (const VisitedNode& node : m_path) {
        const int rank = m_shape.find(node.entity);
        const QStringList lines = testsAt(node);
        if (rank < 0 || lines.isEmpty()) continue;
        double w = 0;
        for (const QString& l : lines) w = std::max({w, fixed.horizontalAdvance(l), small.horizontalAdvance(l)});
        const QRectF r = placeOf(static_cast<std::size_t>(rank));
        const QRectF box(r.right() + u(10), r.top(), w, fixed.height() * static_cast<double>(lines.size()));
        if (box.right() > width() - m_offset.x()) continue;
        if (std::any_of(taken.begin(), taken.end(), [&](const QRectF& o) { return o.intersects(box); })) continue;
        taken.push_back(box);
        double y = box.top();
        for (qsizetype i = 0; i < lines.size(); ++i) {
            const bool words = i + 1 == lines.size() && settings().tree_key() == TreeKey::deadline;
            p.setFont(words ? t.small : t.fixed_strong);
            p.setPen(t.text);
            p.drawText(QRectF(box.left(), y, w + u(4), fixed.height()), Qt::AlignLeft | Qt::AlignVCenter, lines[i]);
            y += fixed.height();
        }
    }
}

void TreeView::paintCurrent(QPainter& p) const {
    const EntityId current = state().queue(m_queue).curr;
    if (!current.valid() || m_scene.current.isEmpty()) return;
    const Theme& t = theme();
    const QRectF r = crisp(m_scene.current);
    p.setRenderHint(QPainter::Antialiasing);
    paintContent(p, r, current, QString());
    QPen pen(t.ctl, u(1.5));
    pen.setDashPattern({5 / 1.5, 3 / 1.5});
    p.setPen(pen);
    p.setBrush(Qt::NoBrush);
    p.drawRoundedRect(r, u(3), u(3));
    if (hasAttention(current)) draw_attention(p, r, t, u(2));
    p.setRenderHint(QPainter::Antialiasing, false);
    const QFontMetricsF fm(t.small);
    const QString label = currentLeft() ? tr("current, has left the queue") : m_scene.detail == NodeDetail::full ? tr("current, not in the tree") : tr("current");
    const bool right = r.center().x() > width() / 2.0;
    p.setFont(t.small);
    p.setPen(t.mut);
    p.drawText(QRectF(right ? r.right() - u(300) : r.left(), r.top() - fm.height() - u(2), u(300), fm.height()), (right ? Qt::AlignRight : Qt::AlignLeft) | Qt::AlignVCenter, label);
}

void TreeView::paintDensity(QPainter& p) const {
    const Theme& t = theme();
    const double height = std::max(u(3), m_scene.pitch - u(3));
    std::vector<std::vector<int>> counts(static_cast<std::size_t>(m_shape.height), std::vector<int>(static_cast<std::size_t>(std::max(1, width())), 0));
    int most = 1;
    for (std::size_t i = 0; i < m_shape.nodes.size(); ++i) {
        const double x = m_scene.nodes[i].center().x() + m_offset.x();
        if (x < 0 || x >= width()) continue;
        int& n = counts[static_cast<std::size_t>(m_shape.nodes[i].depth)][static_cast<std::size_t>(x)];
        most = std::max(most, ++n);
    }
    for (std::size_t depth = 0; depth < counts.size(); ++depth)
        for (std::size_t x = 0; x < counts[depth].size(); ++x)
            if (counts[depth][x] > 0)
                p.fillRect(QRectF(static_cast<double>(x) - m_offset.x(), m_scene.top + m_scene.pitch * static_cast<double>(depth), 1, height),
                           blend(t.text, t.base, 0.35 + 0.55 * counts[depth][x] / most));
    // What attention is on stays whatever the zoom.
    for (std::size_t i = 0; i < m_path.size(); ++i)
        if (const int rank = m_shape.find(m_path[i].entity); rank >= 0)
            draw_step_number(p, m_scene.nodes[static_cast<std::size_t>(rank)].topLeft() + QPointF(0, height / 2), static_cast<int>(i) + 1, t);
    for (const int rank : {m_shape.find(m_picked), currentItem()})
        if (rank >= 0) draw_attention(p, QRectF(m_scene.nodes[static_cast<std::size_t>(rank)].topLeft(), QSizeF(u(2), height)), t, u(2));
}

Card TreeView::cardAt(const QPointF& at) const {
    if (!m_queue.valid()) return {};
    EntityId entity;
    QRectF item;
    if (m_scene.current.contains(at)) {
        entity = state().queue(m_queue).curr;
        item = m_scene.current;
    } else if (const int rank = m_scene.node_at(at - m_offset); rank >= 0) {
        entity = m_shape.nodes[static_cast<std::size_t>(rank)].entity;
        item = itemRect(rank);
    }
    if (!entity.valid()) return {};
    const Entity& e = state().entity(entity);
    const auto absolute = [](VTime v) { return grouped(static_cast<std::int64_t>(v.ns)); };
    Card card{item, entityName(entity), tr("weight %1 · ns, ms from %2").arg(grouped(static_cast<std::int64_t>(e.weight.coarse())), settings().eevdf() ? QStringLiteral("V") : QStringLiteral("min_vruntime")), {}};
    card.rows.push_back({QStringLiteral("vruntime"), absolute(e.vruntime), ms_text(relative(e.vruntime))});
    if (settings().eevdf()) {
        const std::int64_t lag = fair::lag(settings(), state(), m_queue, entity);
        card.rows.push_back({QStringLiteral("deadline"), absolute(e.deadline), ms_text(relative(e.deadline))});
        card.rows.push_back({QStringLiteral("V − v"), grouped(lag), ms_text(lag)});
        card.rows.push_back({QStringLiteral("slice"), grouped(static_cast<std::int64_t>(e.slice)), {}});
    }
    if (settings().augment() != Augment::none && e.link.in_tree != 0)
        card.rows.push_back({settings().augment() == Augment::min_deadline ? QStringLiteral("min_deadline") : QStringLiteral("min_vruntime"), absolute(e.subtree_min), ms_text(relative(e.subtree_min))});
    card.rows.push_back({QStringLiteral("sum_exec_runtime"), grouped(static_cast<std::int64_t>(e.sum_exec)), {}});
    return card;
}

void TreeView::mousePressEvent(QMouseEvent* e) {
    setFocus(Qt::MouseFocusReason);
    hideCard();
    m_pressed = e->position();
    m_offset_pressed = m_offset;
    m_dragging = false;
}

void TreeView::mouseMoveEvent(QMouseEvent* e) {
    PaintedView::mouseMoveEvent(e);
    if ((e->buttons() & (Qt::LeftButton | Qt::MiddleButton)) == 0 || !snapshot()) return;
    m_dragging = m_dragging || (e->position() - m_pressed).manhattanLength() > 6;
    if (!m_dragging) return;
    m_offset = m_offset_pressed + e->position() - m_pressed;
    keepInSight();
    redraw();
}

void TreeView::mouseReleaseEvent(QMouseEvent* e) {
    if (m_dragging || e->button() != Qt::LeftButton || !snapshot() || !m_queue.valid()) return;
    if (m_scene.current.contains(e->position())) return selection().setTask(state().entity(state().queue(m_queue).curr).task);
    if (const int rank = m_scene.node_at(e->position() - m_offset); rank >= 0) activateItem(rank);
}

void TreeView::wheelEvent(QWheelEvent* e) {
    e->accept();
    const double before = m_zoom, most = std::max(1.0, itemCount() * u(70) / std::max(1, width()));
    m_zoom = std::clamp(m_zoom * std::pow(1.25, e->angleDelta().y() / 120.0), 1.0, most);
    if (!snapshot() || m_zoom == before) return;
    m_offset.rx() = e->position().x() - (e->position().x() - m_offset.x()) * (m_zoom / before);
    hideCard();
    refresh();
}

void TreeView::keyPressEvent(QKeyEvent* e) {
    if (e->matches(QKeySequence::Find)) return openFind();
    if (e->key() == Qt::Key_Escape && m_find->isVisible()) {
        m_find->hide();
        return setFocus(Qt::OtherFocusReason);
    }
    const int count = itemCount();
    if (!snapshot() || count == 0) return PaintedView::keyPressEvent(e);
    const auto go = [&](int rank) {
        activateItem(std::clamp(rank, 0, count - 1));
        reveal(std::clamp(rank, 0, count - 1));
    };
    const int at = currentItem();
    const auto node = [&] { return m_shape.nodes[static_cast<std::size_t>(std::max(0, at))]; };
    switch (e->key()) {
    case Qt::Key_Left: go(at < 0 ? 0 : at - 1); break;
    case Qt::Key_Right: go(at + 1); break;
    case Qt::Key_Home: go(0); break;
    case Qt::Key_End: go(count - 1); break;
    case Qt::Key_Up: if (at >= 0 && node().parent >= 0) go(node().parent); break;
    case Qt::Key_Down: if (at >= 0) go(node().left >= 0 ? node().left : node().right >= 0 ? node().right : at); break;
    case Qt::Key_0: zoomToFit(); break;
    default: PaintedView::keyPressEvent(e);
    }
}

void TreeView::resizeEvent(QResizeEvent* e) {
    const int w = std::min(width() / 2, fontMetrics().height() * 14);
    m_find->setGeometry(width() - w - 4, 4, w, m_find->sizeHint().height());
    PaintedView::resizeEvent(e);
}

} // namespace picknext::ui
