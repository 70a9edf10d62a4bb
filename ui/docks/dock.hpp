// SPDX-License-Identifier: GPL-3.0-or-later
// A dock with the window's own title bar: name, what it shows now, and links at the right.
#pragma once

#include <QDockWidget>

class QAction;
class QHBoxLayout;
class QLabel;

namespace picknext::ui {

class ElidedLabel;

class Dock final : public QDockWidget {
    Q_OBJECT
  public:
    /// id: stable, for the remembered layout.
    Dock(const QString& id, const QString& title, QWidget* content, QWidget* parent);

    /// Title of bar, tab and menu.
    void setTitle(const QString& title);
    /// Second rank text after the title: what is shown now.
    void setDetail(const QString& detail);
    /// A link at the right end of the title bar.
    void addLink(QAction* action, const QString& text);
    /// A dock that shares a tab bar has its name there already.
    void setTitleBarShown(bool shown);

  Q_SIGNALS:
    /// A double click on the title: give it all the room, or take it back.
    void maximiseAsked();

  protected:
    bool eventFilter(QObject* watched, QEvent* event) override;

  private:
    QWidget* m_bar;
    QWidget* m_noBar;
    QLabel* m_title;
    ElidedLabel* m_detail;
    QHBoxLayout* m_row;
};

} // namespace picknext::ui
