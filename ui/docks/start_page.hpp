// SPDX-License-Identifier: GPL-3.0-or-later
// What the window shows before anything is open: how to open something.
#pragma once

#include <QWidget>

namespace picknext::ui {

class ActionRegistry;

class StartPage final : public QWidget {
    Q_OBJECT
  public:
    explicit StartPage(const ActionRegistry& actions, QWidget* parent = nullptr);
};

} // namespace picknext::ui
