// SPDX-License-Identifier: GPL-3.0-or-later
// The page of all actions with their shortcuts.
#pragma once

#include <QDialog>

namespace picknext::ui {

class ActionRegistry;

class ShortcutsDialog final : public QDialog {
    Q_OBJECT
  public:
    ShortcutsDialog(const ActionRegistry& registry, QWidget* parent);
};

} // namespace picknext::ui
