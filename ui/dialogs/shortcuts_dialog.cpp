// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/dialogs/shortcuts_dialog.hpp"

#include <QDialogButtonBox>
#include <QHeaderView>
#include <QPushButton>
#include <QTreeWidget>
#include <QVBoxLayout>

#include "ui/actions/action_registry.hpp"

namespace picknext::ui {

ShortcutsDialog::ShortcutsDialog(const ActionRegistry& registry, QWidget* parent) : QDialog(parent) {
    setWindowTitle(tr("Keyboard shortcuts"));
    setObjectName(QStringLiteral("shortcuts"));
    auto* list = new QTreeWidget;
    list->setHeaderLabels({tr("action"), tr("keys"), tr("what it does")});
    list->setAccessibleName(tr("Actions and their keys"));
    list->setUniformRowHeights(true);
    list->setAllColumnsShowFocus(true);
    QTreeWidgetItem* heading = nullptr;
    for (const QAction* a : registry.all()) {
        const QString group = ActionRegistry::group(a);
        if (!heading || heading->text(0) != group) {
            heading = new QTreeWidgetItem(list, {group});
            QFont strong = list->font();
            strong.setWeight(QFont::DemiBold);
            heading->setFont(0, strong);
            heading->setExpanded(true);
        }
        QStringList keys;
        for (const QKeySequence& k : a->shortcuts())
            keys << k.toString(QKeySequence::NativeText);
        new QTreeWidgetItem(
            heading, {ActionRegistry::title(a), keys.join(QStringLiteral(", ")), ActionRegistry::hint(a)});
    }
    list->expandAll();
    list->resizeColumnToContents(0);
    list->resizeColumnToContents(1);
    auto* column = new QVBoxLayout(this);
    column->addWidget(list, 1);
    auto* buttons = new QDialogButtonBox(QDialogButtonBox::Close);
    connect(buttons, &QDialogButtonBox::rejected, this, &QDialog::reject);
    column->addWidget(buttons);
    resize(fontMetrics().averageCharWidth() * 110, 520);
}

} // namespace picknext::ui
