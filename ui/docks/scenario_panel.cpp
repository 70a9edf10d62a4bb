// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/docks/scenario_panel.hpp"

#include <QApplication>
#include <QKeyEvent>
#include <QMouseEvent>
#include <QPainter>
#include <QVBoxLayout>

#include "ui/docks/cell_delegate.hpp"
#include "ui/models/roles.hpp"

namespace picknext::ui {

ScenarioTree::ScenarioTree(ScenarioModel* model, Selection* selection, QWidget* parent)
    : QTreeView(parent), m_model(model), m_selection(selection) {
    setModel(model);
    setHeaderHidden(true);
    setFrameShape(QFrame::NoFrame);
    setUniformRowHeights(true);
    setIndentation(fontMetrics().height() - 2);
    setItemDelegate(new ScenarioDelegate(this));
    setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    setAccessibleName(tr("Scenario"));
    setMouseTracking(true);
    connect(model, &QAbstractItemModel::rowsInserted, this, [this](const QModelIndex& under) {
        if (!under.isValid())
            QMetaObject::invokeMethod(this, &ScenarioTree::openSections, Qt::QueuedConnection);
    });
    connect(this, &QTreeView::clicked, this, [this](const QModelIndex& index) {
        if (const QVariant task = index.data(TaskRole); task.isValid())
            m_selection->setTask(TaskId{task.toInt()});
        if (index.data(HeadingRole).toBool()) setExpanded(index, !isExpanded(index));
    });
    connect(this, &QTreeView::activated, this, [this](const QModelIndex& index) {
        if (const int bookmark = m_model->bookmarkOf(index); bookmark >= 0)
            Q_EMIT bookmarkActivated(bookmark);
    });
    connect(this, &QTreeView::clicked, this, [this](const QModelIndex& index) {
        if (const int bookmark = m_model->bookmarkOf(index); bookmark >= 0)
            Q_EMIT bookmarkActivated(bookmark);
    });
    connect(selection, &Selection::changed, this, [this] {
        const QModelIndex row = m_model->taskIndex(m_selection->task());
        if (row.isValid() && row != currentIndex()) setCurrentIndex(row);
    });
    openSections();
}

void ScenarioTree::openSections() {
    for (int s = 0; s < m_model->rowCount(); ++s)
        setExpanded(m_model->index(s, 0), true);
}

void ScenarioTree::reveal(ScenarioModel::Section section) {
    const QModelIndex at = m_model->sectionIndex(section);
    if (!at.isValid()) return;
    setExpanded(at, true);
    scrollTo(at, QAbstractItemView::PositionAtTop);
}

QSize ScenarioTree::sizeHint() const { return {fontMetrics().averageCharWidth() * 34, 400}; }

RailButton::RailButton(const QString& text, QWidget* parent) : QAbstractButton(parent) {
    setText(text);
    setAccessibleName(text);
    setToolTip(text);
    setFocusPolicy(Qt::TabFocus);
    setSizePolicy(QSizePolicy::Fixed, QSizePolicy::Expanding);
}

QSize RailButton::sizeHint() const {
    return {fontMetrics().height() + 18, fontMetrics().horizontalAdvance(text()) + 20};
}

void RailButton::paintEvent(QPaintEvent*) {
    const Theme theme = Theme::of(*this);
    QPainter painter(this);
    painter.fillRect(rect(), isDown() ? theme.accbg : underMouse() ? theme.alt : theme.win);
    painter.setPen(theme.line);
    painter.drawLine(0, height() - 1, width(), height() - 1);
    if (hasFocus()) {
        painter.setPen(QPen(theme.acc, 2));
        painter.drawRect(rect().adjusted(2, 2, -3, -3));
    }
    painter.setPen(theme.text);
    painter.setFont(theme.body);
    painter.rotate(-90);
    painter.drawText(QRect(-height(), 0, height(), width()), Qt::AlignCenter, text());
}

ScenarioRail::ScenarioRail(QWidget* parent) : QWidget(parent) {
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(0);
    for (int s = 0; s < ScenarioModel::SectionCount; ++s) {
        auto* button = new RailButton(ScenarioModel::sectionName(static_cast<ScenarioModel::Section>(s)));
        connect(button, &QAbstractButton::clicked, this, [this, s] { Q_EMIT sectionAsked(s); });
        column->addWidget(button);
    }
    setSizePolicy(QSizePolicy::Fixed, QSizePolicy::Expanding);
}

ScenarioOverlay::ScenarioOverlay(ScenarioModel* model, Selection* selection, QWidget* window)
    : QFrame(window), m_tree(new ScenarioTree(model, selection)) {
    setObjectName(QStringLiteral("overlay"));
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(1, 1, 1, 1);
    column->addWidget(m_tree);
    setFocusProxy(m_tree);
    hide();
    qApp->installEventFilter(this);
}

void ScenarioOverlay::toggle(int section, const QRect& beside) {
    if (isVisible() && section == m_section) {
        hide();
        return;
    }
    m_section = section;
    const int width = qMin(fontMetrics().averageCharWidth() * 44, parentWidget()->width() / 2);
    setGeometry(beside.right() + 1, beside.top(), width, beside.height());
    show();
    raise();
    for (int s = 0; s < ScenarioModel::SectionCount; ++s)
        m_tree->setExpanded(m_tree->model()->index(s, 0), s == section);
    m_tree->reveal(static_cast<ScenarioModel::Section>(section));
    m_tree->setFocus();
}

void ScenarioOverlay::keyPressEvent(QKeyEvent* event) {
    if (event->key() == Qt::Key_Escape)
        hide();
    else
        QFrame::keyPressEvent(event);
}

bool ScenarioOverlay::eventFilter(QObject* watched, QEvent* event) {
    if (isVisible() && event->type() == QEvent::MouseButtonPress) {
        auto* widget = qobject_cast<QWidget*>(watched);
        if (widget && widget->window() == window() && widget != this && !isAncestorOf(widget) &&
            !qobject_cast<RailButton*>(widget))
            hide();
    }
    return QFrame::eventFilter(watched, event);
}

} // namespace picknext::ui
