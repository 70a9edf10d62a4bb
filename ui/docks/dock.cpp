// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/docks/dock.hpp"

#include <QAction>
#include <QEvent>
#include <QHBoxLayout>
#include <QToolButton>

#include "ui/docks/labels.hpp"

namespace picknext::ui {

Dock::Dock(const QString& id, const QString& title, QWidget* content, QWidget* parent)
    : QDockWidget(title, parent), m_bar(new QWidget), m_noBar(new QWidget(this)),
      m_title(new RankedLabel(TextRank::strong)), m_detail(new ElidedLabel), m_row(new QHBoxLayout(m_bar)) {
    setObjectName(id);
    setAccessibleName(title);
    m_row->setContentsMargins(8, 3, 8, 3);
    m_row->setSpacing(8);
    m_row->addWidget(m_title);
    m_row->addWidget(m_detail, 1);
    m_title->setText(title);
    m_noBar->setFixedHeight(0);
    m_noBar->hide();
    setTitleBarWidget(m_bar);
    m_bar->installEventFilter(this);
    setWidget(content);
}

void Dock::setTitle(const QString& title) {
    if (title == windowTitle()) return;
    setWindowTitle(title);
    setAccessibleName(title);
    m_title->setText(title);
}

void Dock::setDetail(const QString& detail) { m_detail->setWhole(detail); }

void Dock::addLink(QAction* action, const QString& text) {
    auto* link = new QToolButton;
    link->setProperty("link", true);
    link->setToolButtonStyle(Qt::ToolButtonTextOnly);
    link->setFocusPolicy(Qt::TabFocus);
    link->setText(text);
    link->setAccessibleName(text);
    link->setToolTip(action->toolTip());
    connect(link, &QToolButton::clicked, action, &QAction::trigger);
    m_row->addWidget(link);
}

void Dock::setTitleBarShown(bool shown) {
    QWidget* wanted = shown || isFloating() ? m_bar : m_noBar;
    if (titleBarWidget() == wanted) return;
    QWidget* other = titleBarWidget();
    setTitleBarWidget(wanted);
    if (other) other->hide();
    wanted->show();
}

bool Dock::eventFilter(QObject* watched, QEvent* event) {
    if (watched == m_bar && event->type() == QEvent::MouseButtonDblClick && !isFloating()) {
        Q_EMIT maximiseAsked();
        return true;
    }
    return QDockWidget::eventFilter(watched, event);
}

} // namespace picknext::ui
