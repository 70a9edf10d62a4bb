// SPDX-License-Identifier: GPL-3.0-or-later
// Every action of the window, once: menus, toolbar, palette, shortcut page and tests all read this list.
#pragma once

#include <functional>

#include <QAction>
#include <QKeySequence>
#include <QList>
#include <QObject>
#include <QString>

namespace picknext::ui {

struct ActionSpec {
    QString id;                         // "step.forward": stable, in tests and settings
    QString group;                      // heading in palette and shortcut page, translated
    QString text;                       // with mnemonic for the menu
    QList<QKeySequence> shortcuts = {}; // the first is the one shown
    QString icon = {};                  // of resources/icons, without suffix; empty = none
    QString hint = {};                  // tool tip: what it does, one sentence
    std::function<void()> handler = {};
    bool checkable = false;
};

class ActionRegistry final : public QObject {
    Q_OBJECT
  public:
    explicit ActionRegistry(QWidget* window);

    /// The id must be new.
    QAction* add(ActionSpec spec);
    /// The id must exist.
    [[nodiscard]] QAction* action(const QString& id) const;
    [[nodiscard]] const QList<QAction*>& all() const { return m_actions; }

    /// Enables, or disables with the reason in words (palette and tool tip show it).
    void setAvailable(const QString& id, bool available, const QString& reason = {});

    [[nodiscard]] static QString id(const QAction* action) { return action->objectName(); }
    [[nodiscard]] static QString group(const QAction* action);
    [[nodiscard]] static QString icon(const QAction* action);
    [[nodiscard]] static QString hint(const QAction* action);
    /// Text without mnemonic and dots.
    [[nodiscard]] static QString title(const QAction* action);
    /// Why it cannot be used now; empty when it can.
    [[nodiscard]] static QString unavailable(const QAction* action);

  private:
    QWidget* m_window;
    QList<QAction*> m_actions;
};

} // namespace picknext::ui
