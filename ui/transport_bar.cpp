// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/transport_bar.hpp"

#include <array>

#include <QAction>
#include <QEvent>
#include <QPainter>
#include <QPainterPath>
#include <QStyleOptionComboBox>

#include "ui/actions/action_registry.hpp"
#include "ui/models/number_text.hpp"
#include "ui/models/scenario_model.hpp"
#include "ui/theme/theme.hpp"
#include "ui/window_style.hpp"

namespace picknext::ui {

namespace {
constexpr std::array units{StepUnit::check,  StepUnit::decision, StepUnit::context_switch,
                           StepUnit::wakeup, StepUnit::tick,     StepUnit::millisecond};
constexpr int icon_size = 14;
} // namespace

QString stepUnitName(StepUnit unit) {
    switch (unit) {
    case StepUnit::check:
        return TransportBar::tr("check");
    case StepUnit::decision:
        return TransportBar::tr("decision");
    case StepUnit::context_switch:
        return TransportBar::tr("context switch");
    case StepUnit::wakeup:
        return TransportBar::tr("wakeup");
    case StepUnit::tick:
        return TransportBar::tr("tick");
    case StepUnit::millisecond:
        return TransportBar::tr("1 ms");
    }
    return {};
}

ActionButton::ActionButton(QAction* action, const QString& word, const QString& iconName, bool iconRight,
                           QWidget* parent)
    : QToolButton(parent) {
    setText(word);
    setIcon(ui::icon(iconName));
    setIconSize(QSize(icon_size, icon_size));
    setToolButtonStyle(word.isEmpty() ? Qt::ToolButtonIconOnly : Qt::ToolButtonTextBesideIcon);
    if (iconRight) setLayoutDirection(Qt::RightToLeft);
    setFocusPolicy(Qt::TabFocus);
    setObjectName(action->objectName());
    setAccessibleName(ActionRegistry::title(action));
    connect(this, &QToolButton::clicked, action, &QAction::trigger);
    connect(action, &QAction::changed, this, [this, action] { follow(action); });
    follow(action);
}

void ActionButton::follow(const QAction* action) {
    setEnabled(action->isEnabled());
    setToolTip(action->toolTip());
}

MarkedEdit::MarkedEdit(const QString& sign, const QString& unit, const QString& widest, QWidget* parent)
    : QLineEdit(parent), m_sign(sign), m_unit(unit), m_widest(widest) {
    setAlignment(Qt::AlignRight);
    setSizePolicy(QSizePolicy::Fixed, QSizePolicy::Fixed);
    fit();
}

void MarkedEdit::fit() {
    if (m_fitting) return;
    m_fitting = true;
    setFont(Theme::from(palette(), parentWidget() ? parentWidget()->font() : font()).fixed);
    setTextMargins(width(m_sign) + 4, 0, m_unit.isEmpty() ? 0 : width(m_unit) + 6, 0);
    m_fitting = false;
}

QSize MarkedEdit::sizeHint() const {
    const QMargins m = textMargins();
    return {m.left() + m.right() + width(m_widest) + 22, QLineEdit::sizeHint().height()};
}

void MarkedEdit::paintEvent(QPaintEvent* event) {
    QLineEdit::paintEvent(event);
    QPainter painter(this);
    painter.setFont(font());
    painter.setPen(Theme::of(*this).mut);
    const QRect inside = rect().adjusted(8, 0, -8, 0);
    painter.drawText(inside, Qt::AlignLeft | Qt::AlignVCenter, m_sign);
    painter.drawText(inside, Qt::AlignRight | Qt::AlignVCenter, m_unit);
}

void MarkedEdit::changeEvent(QEvent* event) {
    QLineEdit::changeEvent(event);
    if (event->type() == QEvent::ApplicationFontChange) fit();
}

void FlatCombo::setLead(const QString& lead) {
    m_lead = lead;
    updateGeometry();
    update();
}

QSize FlatCombo::sizeHint() const {
    int widest = 0;
    for (int i = 0; i < count(); ++i)
        widest = qMax(widest, fontMetrics().horizontalAdvance(m_lead + itemText(i)));
    return {widest + 44, fontMetrics().height() + 10};
}

void FlatCombo::paintEvent(QPaintEvent*) {
    const Theme theme = Theme::of(*this);
    QPainter painter(this);
    painter.setRenderHint(QPainter::Antialiasing);
    const bool focus = hasFocus();
    painter.setPen(QPen(focus ? theme.acc : underMouse() ? theme.text : theme.ctl, focus ? 2 : 1));
    painter.setBrush(theme.base);
    painter.drawRoundedRect(QRectF(rect()).adjusted(1, 1, -1, -1), 3, 3);
    QRect text = rect().adjusted(9, 0, -22, 0);
    painter.setPen(theme.mut);
    painter.drawText(text, Qt::AlignLeft | Qt::AlignVCenter, m_lead);
    text.setLeft(text.left() + painter.fontMetrics().horizontalAdvance(m_lead));
    painter.setPen(theme.text);
    painter.drawText(text, Qt::AlignLeft | Qt::AlignVCenter,
                     painter.fontMetrics().elidedText(currentText(), Qt::ElideMiddle, text.width()));
    const QPointF tip(width() - 13.0, height() / 2.0 + 2.5);
    QPainterPath arrow(tip);
    arrow.lineTo(tip + QPointF(-4, -5));
    arrow.lineTo(tip + QPointF(4, -5));
    arrow.closeSubpath();
    painter.fillPath(arrow, theme.mut);
}

TransportBar::TransportBar(ActionRegistry& actions, QWidget* parent) : QToolBar(parent) {
    setObjectName(QStringLiteral("transport"));
    setWindowTitle(tr("Transport"));
    setMovable(false);
    setIconSize(QSize(icon_size, icon_size));
    setFloatable(false);
    setContextMenuPolicy(Qt::PreventContextMenu);
    const auto button = [&](const char* id, const QString& word, const char* iconName, bool right) {
        return new ActionButton(actions.action(QLatin1String(id)), word, QLatin1String(iconName), right);
    };
    m_start = button("go.start", {}, "start", false);
    m_back = button("step.back", tr("Back"), "back", false);
    m_step = button("step.forward", tr("Step"), "step", true);
    m_run = button("run.run", tr("Run"), "run", true);
    m_pause = button("run.pause", tr("Pause"), "pause", true);
    m_step->setProperty("primary", true);
    for (ActionButton* b : {m_start, m_back, m_step})
        addWidget(b);
    m_runSlot = addWidget(m_run);
    m_pauseSlot = addWidget(m_pause);
    m_pauseSlot->setVisible(false);

    m_unit = new FlatCombo;
    for (const StepUnit u : units)
        m_unit->addItem(stepUnitName(u));
    m_unit->setLead(tr("by "));
    m_unit->setAccessibleName(tr("Step by"));
    m_unit->setToolTip(tr("What Step and Back move by"));
    m_unit->setObjectName(QStringLiteral("stepUnit"));
    setStepUnit(StepUnit::decision);
    connect(m_unit, &QComboBox::activated, this, [this] { Q_EMIT stepUnitChosen(stepUnit()); });
    addWidget(m_unit);
    addSeparator();

    m_time = new MarkedEdit(tr("t"), tr("ms"), QStringLiteral("0000.000 000"), this);
    m_time->setAccessibleName(tr("Time in milliseconds"));
    m_time->setToolTip(tr("Simulated time; type one and press Enter to go there"));
    m_time->setObjectName(QStringLiteral("timeField"));
    connect(m_time, &QLineEdit::returnPressed, this, &TransportBar::readTime);
    addWidget(m_time);
    m_decision = new MarkedEdit(QStringLiteral("#"), {}, QStringLiteral("00 000"), this);
    m_decision->setAccessibleName(tr("Decision number"));
    m_decision->setToolTip(tr("Number of the decision shown; type one and press Enter to go there"));
    m_decision->setObjectName(QStringLiteral("decisionField"));
    connect(m_decision, &QLineEdit::returnPressed, this, &TransportBar::readDecision);
    addWidget(m_decision);
    addSeparator();

    m_kernel = new QToolButton;
    m_kernel->setToolTip(tr("The kernel simulated; shows its features and tunables"));
    m_kernel->setObjectName(QStringLiteral("kernel"));
    connect(m_kernel, &QToolButton::clicked, this, &TransportBar::kernelAsked);
    m_patches = new QToolButton;
    m_patches->setToolTip(tr("Switches that differ from the kernel's own setting; shows them all"));
    m_patches->setObjectName(QStringLiteral("patches"));
    connect(m_patches, &QToolButton::clicked, this, &TransportBar::patchesAsked);
    for (QToolButton* b : {m_kernel, m_patches}) {
        b->setToolButtonStyle(Qt::ToolButtonTextOnly);
        b->setFocusPolicy(Qt::TabFocus);
    }
    addWidget(m_kernel);
    m_patchesSlot = addWidget(m_patches);

    auto* space = new QWidget;
    space->setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Preferred);
    addWidget(space);
    m_find = button(
        "palette.open",
        tr("Find an action…   %1").arg(QKeySequence(Qt::CTRL | Qt::Key_K).toString(QKeySequence::NativeText)),
        "find", false);
    addWidget(m_find);
    updateNames();
}

void TransportBar::setSnapshot(const Snapshot* snapshot) {
    for (QLineEdit* e : {static_cast<QLineEdit*>(m_time), static_cast<QLineEdit*>(m_decision)})
        e->setEnabled(snapshot != nullptr);
    if (!snapshot) {
        m_time->clear();
        m_decision->clear();
        m_kernelName.clear();
    } else {
        // A field somebody types in keeps what was typed.
        if (!m_time->hasFocus() || !m_time->isModified()) m_time->setText(msGrouped(snapshot->state.now));
        if (!m_decision->hasFocus() || !m_decision->isModified())
            m_decision->setText(groupedNumber(static_cast<std::int64_t>(snapshot->position.decision)));
        const std::string_view kernel = name_of(snapshot->state.settings.kernel);
        m_kernelName = QString::fromUtf8(kernel.data(), static_cast<qsizetype>(kernel.size()));
        m_changedPatches = ScenarioModel::changedPatches(*snapshot->scenario);
    }
    updateNames();
}

void TransportBar::setTarget(const QString& time) { m_time->setText(QStringLiteral("→ %1").arg(time)); }

void TransportBar::setRunning(bool running) {
    m_runSlot->setVisible(!running);
    m_pauseSlot->setVisible(running);
}

void TransportBar::updateNames() {
    const bool known = !m_kernelName.isEmpty();
    for (QToolButton* b : {m_kernel, m_patches})
        b->setEnabled(known);
    const QString patches = tr("%n patches", nullptr, m_changedPatches);
    m_kernel->setText(!known     ? tr("Kernel –")
                      : m_narrow ? tr("%1 · %2").arg(m_kernelName, patches)
                                 : tr("Kernel %1").arg(m_kernelName));
    m_patches->setText(tr("Patches %1").arg(m_changedPatches));
    m_kernel->setAccessibleName(m_kernel->text());
    m_patches->setAccessibleName(patches);
    m_patchesSlot->setVisible(!m_narrow);
}

void TransportBar::setNarrow(bool narrow) {
    m_narrow = narrow;
    for (ActionButton* b : {m_back, m_step, m_run, m_pause, m_find})
        b->setToolButtonStyle(narrow ? Qt::ToolButtonIconOnly : Qt::ToolButtonTextBesideIcon);
    m_unit->setLead(narrow ? QString() : tr("by "));
    updateNames();
}

void TransportBar::setStepUnit(StepUnit unit) {
    for (std::size_t i = 0; i < units.size(); ++i)
        if (units[i] == unit) m_unit->setCurrentIndex(static_cast<int>(i));
}

StepUnit TransportBar::stepUnit() const {
    return units[static_cast<std::size_t>(qMax(0, m_unit->currentIndex()))];
}

void TransportBar::readTime() {
    std::int64_t ns = 0;
    if (!parseTime(m_time->text(), &ns)) {
        m_time->selectAll();
        m_time->setToolTip(tr("“%1” is not a time. Write 84.0015, 12us or 500ns.").arg(m_time->text()));
        return;
    }
    m_time->setModified(false);
    m_time->setToolTip(tr("Simulated time; type one and press Enter to go there"));
    Q_EMIT timeAsked(ns);
}

void TransportBar::readDecision() {
    bool ok = false;
    const quint64 number =
        plain(m_decision->text()).remove(QLatin1Char(' ')).remove(QLatin1Char('#')).toULongLong(&ok);
    if (!ok) {
        m_decision->selectAll();
        return;
    }
    m_decision->setModified(false);
    Q_EMIT decisionAsked(number);
}

} // namespace picknext::ui
