// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/painted/painted_view.hpp"

#include <algorithm>
#include <utility>

#include <QAccessible>
#include <QEvent>
#include <QMouseEvent>
#include <QPainter>
#include <QStyle>

#include "core/explain/explain.hpp"
#include "ui/painted/accessible_view.hpp"
#include "ui/painted/hover_card.hpp"
#include "ui/theme/glyph.hpp"
#include "ui/theme/numbers.hpp"

namespace picknext::ui {

namespace {
constexpr int hover_delay = 400;      // ms
constexpr int motion = 200;           // ms
constexpr int fast_steps = 200;       // ms between snapshots: faster than five a second
} // namespace

PaintedView::PaintedView(Selection* selection, QWidget* parent) : QWidget(parent), m_selection(selection), m_theme(Theme::of(*this)) {
    install_accessible_views();
    setFocusPolicy(Qt::StrongFocus);
    setMouseTracking(true);
    m_hover.setSingleShot(true);
    m_hover.setInterval(hover_delay);
    connect(&m_hover, &QTimer::timeout, this, &PaintedView::showCard);
    connect(m_selection, &Selection::changed, this, &PaintedView::refresh);
}

PaintedView::~PaintedView() = default;

void PaintedView::setSnapshot(std::shared_ptr<const Snapshot> snapshot) {
    if (snapshot == m_snapshot) return;
    m_fast = m_since_snapshot.isValid() && m_since_snapshot.elapsed() < fast_steps;
    m_since_snapshot.restart();
    hideCard();
    const std::shared_ptr<const Snapshot> previous = std::exchange(m_snapshot, std::move(snapshot));
    aboutToShow(previous.get());
    refresh();
}

void PaintedView::refresh() {
    m_hovered = QRectF();
    if (m_snapshot) relayout();
    redraw();
    announce();
    Q_EMIT captionChanged();
}

void PaintedView::redraw() {
    m_picture = QPixmap();
    update();
}

CpuId PaintedView::selectedCpu() const {
    const CpuId cpu = m_selection->cpu();
    return m_snapshot && cpu.valid() && cpu.index() < state().cpu_count() ? cpu : CpuId::none();
}

QString PaintedView::cpuNumber(CpuId cpu) const { return QString::number(machine().cpu(cpu).number); }
QString PaintedView::taskName(TaskId task) const { return from_utf8(name_of(*m_snapshot->scenario, state(), task)); }
QString PaintedView::entityName(EntityId entity) const { return from_utf8(name_of(*m_snapshot->scenario, state(), entity)); }

bool PaintedView::inFocus(TaskId task) const {
    if (!task.valid() || task.index() >= state().tasks.size()) return false;
    const Task& t = state().task(task);
    return task == m_selection->task() || (t.on_rq != 0 && t.cpu == m_selection->cpu());
}

QColor PaintedView::taskFill(TaskId task) const { return m_theme.fill(task.index(), inFocus(task)); }

QColor PaintedView::entityColour(EntityId entity) const {
    const TaskId task = state().entity(entity).task;
    return task.valid() ? task_colour(task.index()) : blend(m_theme.text, m_theme.base, 0.5);
}

std::int32_t PaintedView::attended(SubjectType type) const {
    const auto check = static_cast<std::size_t>(m_selection->check());
    if (!m_snapshot || m_selection->check() < 0 || check >= m_snapshot->checks.size()) return -1;
    const Check& c = m_snapshot->checks[check];
    return info(c.id).subject == type ? c.subject : -1;
}

EntityId PaintedView::attendedEntity() const {
    if (const TaskId task{attended(SubjectType::task)}; task.valid() && task.index() < state().tasks.size()) return state().task(task).entity;
    return EntityId{attended(SubjectType::entity)};
}

CpuId PaintedView::attendedCpu() const { return CpuId{attended(SubjectType::cpu)}; }

int PaintedView::motionDuration() const {
    return m_fast || !isVisible() || style()->styleHint(QStyle::SH_Widget_Animation_Duration, nullptr, this) == 0 ? 0 : motion;
}

void PaintedView::requestDecision(std::int64_t number) {
    Q_EMIT decisionRequested(static_cast<quint64>(std::max<std::int64_t>(0, number)));
}

void PaintedView::hideCard() {
    m_hover.stop();
    if (m_card) m_card->hide();
}

void PaintedView::showCard() {
    if (!m_snapshot || !underMouse()) return;
    const Card card = cardAt(m_pointer);
    if (card.title.isEmpty()) return;
    if (!m_card) m_card = std::make_unique<HoverCard>(this);
    m_card->showBeside(card, m_theme);
}

void PaintedView::hover(const QRectF& item) {
    if (item == m_hovered) return;
    m_hovered = item;
    update();
}

void PaintedView::announce() {
    const int item = m_snapshot && hasFocus() ? currentItem() : -1;
    if (item == std::exchange(m_announced, item) || item < 0 || !QAccessible::isActive()) return;
    QAccessibleEvent event(this, QAccessible::Selection);
    event.setChild(item);
    QAccessible::updateAccessibility(&event);
}

void PaintedView::paintEvent(QPaintEvent*) {
    const double ratio = devicePixelRatioF();
    if (m_picture.isNull() || m_picture.devicePixelRatio() != ratio) {
        m_picture = QPixmap(size() * ratio);
        m_picture.setDevicePixelRatio(ratio);
        m_picture.fill(m_theme.base);
        QPainter p(&m_picture);
        p.setFont(m_theme.body);
        if (m_snapshot) paint(p);
    }
    QPainter p(this);
    p.drawPixmap(0, 0, m_picture);
    if (!m_hovered.isEmpty()) {
        p.setPen(QPen(m_theme.text, 1));
        p.setBrush(Qt::NoBrush);
        p.drawRect(crisp(m_hovered));
    }
    if (hasFocus()) draw_focus(p, QRectF(rect()), m_theme);
}

void PaintedView::resizeEvent(QResizeEvent*) { refresh(); }

void PaintedView::changeEvent(QEvent* e) {
    QWidget::changeEvent(e);
    if (e->type() != QEvent::PaletteChange && e->type() != QEvent::FontChange && e->type() != QEvent::StyleChange) return;
    m_theme = Theme::of(*this);
    refresh();
}

void PaintedView::mouseMoveEvent(QMouseEvent* e) {
    m_pointer = e->position();
    if (m_card && m_card->isVisible()) m_card->hide();
    if (e->buttons() == Qt::NoButton) m_hover.start();
    hover(m_snapshot && e->buttons() == Qt::NoButton ? cardAt(m_pointer).item : QRectF());
    QWidget::mouseMoveEvent(e);
}

void PaintedView::leaveEvent(QEvent*) {
    hideCard();
    hover(QRectF());
}
void PaintedView::focusInEvent(QFocusEvent* e) { QWidget::focusInEvent(e); update(); }
void PaintedView::focusOutEvent(QFocusEvent* e) { QWidget::focusOutEvent(e); hideCard(); update(); }

QueueId queue_in_view(const Snapshot& snapshot, CpuId cpu) {
    if (!cpu.valid() || cpu.index() >= snapshot.state.cpu_count()) return QueueId::none();
    const DecisionHeader& h = snapshot.header;
    if (h.kind == Kind::pick && CpuId{std::size_t{h.cpu}} == cpu && h.outcome >= 0)
        return snapshot.state.entity(EntityId{h.outcome}).queue;
    return QueueId{cpu.index()};
}

std::span<const Check> checks_seen(const Snapshot& snapshot) {
    return std::span(snapshot.checks).first(std::min<std::size_t>(snapshot.position.check, snapshot.checks.size()));
}

EntityId picked_from(const Snapshot& snapshot, QueueId queue) {
    const DecisionHeader& h = snapshot.header;
    if (h.kind != Kind::pick || h.outcome < 0 || snapshot.position.check < h.checks) return EntityId::none();
    const EntityId entity{h.outcome};
    return snapshot.state.entity(entity).queue == queue ? entity : EntityId::none();
}

} // namespace picknext::ui
