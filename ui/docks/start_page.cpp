// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/docks/start_page.hpp"

#include <QAction>
#include <QPushButton>
#include <QVBoxLayout>

#include "ui/actions/action_registry.hpp"
#include "ui/docks/labels.hpp"

namespace picknext::ui {

StartPage::StartPage(const ActionRegistry& actions, QWidget* parent) : QWidget(parent) {
    setObjectName(QStringLiteral("paper"));
    setAttribute(Qt::WA_StyledBackground);
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(48, 40, 48, 40);
    column->setSpacing(8);
    auto* title = new RankedLabel(TextRank::title);
    title->setText(tr("No scenario is open."));
    column->addWidget(title);
    auto* how = new RankedLabel(TextRank::body);
    how->setText(
        tr("Open one, drop a file on the window, or begin with one of those that come with the program. "
           "Scenarios, workloads, rt-app files and topologies are read."));
    how->setWordWrap(true);
    column->addWidget(how);
    const auto button = [&](QAction* action, const QString& word) {
        auto* b = new QPushButton(word);
        b->setToolTip(action->toolTip());
        b->setSizePolicy(QSizePolicy::Maximum, QSizePolicy::Fixed);
        connect(b, &QPushButton::clicked, action, &QAction::trigger);
        column->addWidget(b);
        return b;
    };
    column->addSpacing(8);
    button(actions.action(QStringLiteral("file.open")), tr("Open…"))->setDefault(true);
    column->addSpacing(8);
    for (QAction* a : actions.all())
        if (ActionRegistry::id(a).startsWith(QLatin1String("file.shipped.")))
            button(a, ActionRegistry::id(a).section(QLatin1Char('.'), 2));
    column->addStretch(1);
}

} // namespace picknext::ui
