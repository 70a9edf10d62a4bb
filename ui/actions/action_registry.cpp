// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/actions/action_registry.hpp"

#include <QWidget>

#include "core/base/assert.hpp"

namespace picknext::ui {

namespace {
constexpr const char* group_property = "picknext_group";
constexpr const char* icon_property = "picknext_icon";
constexpr const char* hint_property = "picknext_hint";
constexpr const char* reason_property = "picknext_reason";

void update_tool_tip(QAction* action) {
    QString tip = action->property(hint_property).toString();
    if (tip.isEmpty()) tip = ActionRegistry::title(action);
    if (const QString reason = ActionRegistry::unavailable(action); !reason.isEmpty())
        tip = QObject::tr("%1\nNot now: %2").arg(tip, reason);
    if (!action->shortcut().isEmpty())
        tip = QObject::tr("%1 (%2)").arg(tip, action->shortcut().toString(QKeySequence::NativeText));
    action->setToolTip(tip);
}
} // namespace

ActionRegistry::ActionRegistry(QWidget* window) : QObject(window), m_window(window) {}

QAction* ActionRegistry::add(ActionSpec spec) {
    auto* action = new QAction(spec.text, this);
    action->setObjectName(spec.id);
    action->setProperty(group_property, spec.group);
    action->setProperty(icon_property, spec.icon);
    action->setProperty(hint_property, spec.hint);
    action->setShortcuts(spec.shortcuts);
    action->setCheckable(spec.checkable);
    update_tool_tip(action);
    if (spec.handler)
        connect(action, &QAction::triggered, this, [handler = std::move(spec.handler)] { handler(); });
    m_window->addAction(action); // shortcuts work without a menu
    m_actions.append(action);
    return action;
}

QAction* ActionRegistry::action(const QString& id) const {
    for (QAction* a : m_actions)
        if (a->objectName() == id) return a;
    PICKNEXT_ASSERT(false, "no action {}", id.toStdString());
    return nullptr;
}

void ActionRegistry::setAvailable(const QString& id, bool available, const QString& reason) {
    QAction* a = action(id);
    a->setEnabled(available);
    a->setProperty(reason_property, available ? QString() : reason);
    update_tool_tip(a);
}

QString ActionRegistry::group(const QAction* action) { return action->property(group_property).toString(); }
QString ActionRegistry::icon(const QAction* action) { return action->property(icon_property).toString(); }
QString ActionRegistry::hint(const QAction* action) { return action->property(hint_property).toString(); }
QString ActionRegistry::unavailable(const QAction* action) {
    return action->property(reason_property).toString();
}

QString ActionRegistry::title(const QAction* action) {
    QString text = action->text();
    text.remove(QLatin1Char('&'));
    if (text.endsWith(QChar(0x2026))) text.chop(1);
    return text;
}

} // namespace picknext::ui
