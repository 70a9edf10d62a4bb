// SPDX-License-Identifier: GPL-3.0-or-later
// Docks, and how they lie in a wide, a medium and a narrow window.
#include <algorithm>

#include <QApplication>
#include <QMenu>
#include <QResizeEvent>
#include <QSettings>
#include <QTabBar>
#include <QTimer>

#include "ui/docks/bench_panel.hpp"
#include "ui/docks/dock.hpp"
#include "ui/docks/history_bar.hpp"
#include "ui/docks/queue_panel.hpp"
#include "ui/docks/scenario_panel.hpp"
#include "ui/docks/start_page.hpp"
#include "ui/docks/table_panels.hpp"
#include "ui/docks/why_panel.hpp"
#include "ui/main_window.hpp"
#include "ui/painted/machine_view.hpp"
#include "ui/painted/timeline_view.hpp"
#include "ui/transport_bar.hpp"

namespace picknext::ui {

namespace {
constexpr int layout_version = 3;
constexpr int wide_from = 1440;
constexpr int medium_from = 1180;
} // namespace

void MainWindow::buildDocks() {
    setDockOptions(QMainWindow::AllowNestedDocks | QMainWindow::AllowTabbedDocks |
                   QMainWindow::GroupedDragging);
    setTabPosition(Qt::AllDockWidgetAreas, QTabWidget::North);
    setDocumentMode(true);
    for (const Qt::Corner corner : {Qt::TopLeftCorner, Qt::BottomLeftCorner})
        setCorner(corner, Qt::LeftDockWidgetArea);
    for (const Qt::Corner corner : {Qt::TopRightCorner, Qt::BottomRightCorner})
        setCorner(corner, Qt::RightDockWidgetArea);

    m_scenarioTree = new ScenarioTree(m_scenarioModel, m_selection);
    m_machine = new MachineView(m_selection, nullptr);
    m_queue = new QueuePanel(m_selection);
    m_timeline = new TimelineView(m_selection, nullptr);
    m_why = new WhyPanel(m_selection);
    m_decisions = new DecisionsPanel(m_selection);
    m_runQueues = new RunQueuesPanel(m_selection);
    m_bench = new BenchPanel(*m_actions);
    const auto dock = [this](Dock*& place, const char* id, const QString& title, QWidget* content,
                             Qt::Key key) {
        place = new Dock(QLatin1String(id), title, content, this);
        m_docks << place;
        connect(place, &QDockWidget::dockLocationChanged, this,
                [this] { QTimer::singleShot(0, this, &MainWindow::showTitleBars); });
        connect(place, &QDockWidget::topLevelChanged, this,
                [this] { QTimer::singleShot(0, this, &MainWindow::showTitleBars); });
        connect(place, &Dock::maximiseAsked, this, [this, d = place] { toggleMaximised(d); });
        m_actions->add({.id = QStringLiteral("view.show.") + QLatin1String(id),
                        .group = tr("View"),
                        .text = tr("Show %1").arg(title),
                        .shortcuts = {QKeySequence(Qt::ALT | key)},
                        .hint = tr("Brings it to the front, with the keyboard"),
                        .handler = [this, place, content] {
                            if (dockWidgetArea(place) == Qt::NoDockWidgetArea) addDockWidget(Qt::RightDockWidgetArea, place);
                            place->show();
                            place->raise();
                            content->setFocus();
                        }});
    };
    dock(m_machineDock, "machine", tr("Machine"), m_machine, Qt::Key_1);
    dock(m_queueDock, "queue", tr("Run queue"), m_queue, Qt::Key_2);
    dock(m_timelineDock, "timeline", tr("Timeline"), m_timeline, Qt::Key_3);
    dock(m_whyDock, "why", tr("Why"), m_why, Qt::Key_4);
    dock(m_decisionsDock, "decisions", tr("Decisions"), m_decisions, Qt::Key_5);
    dock(m_runQueuesDock, "runQueues", tr("Run queues"), m_runQueues, Qt::Key_6);
    dock(m_scenarioDock, "scenario", tr("Scenario"), m_scenarioTree, Qt::Key_7);
    dock(m_benchDock, "benchmarks", tr("Benchmarks"), m_bench, Qt::Key_8);
    connect(m_bench, &BenchPanel::stateChanged, this, &MainWindow::updateBenchActions);
    connect(m_bench, &BenchPanel::momentFound, this, [this](const std::shared_ptr<const Scenario>& scenario) {
        openScenario(scenario, QString::fromStdString(scenario->name));
    });
    updateBenchActions();
    // Why is the answer: it never goes away.
    m_whyDock->setFeatures(QDockWidget::DockWidgetMovable | QDockWidget::DockWidgetFloatable);
    m_whyDock->addLink(m_actions->action(QStringLiteral("edit.copyWhy")), tr("Copy as text"));
    for (QWidget* fixedWidth : {static_cast<QWidget*>(m_why), static_cast<QWidget*>(m_scenarioTree)})
        fixedWidth->setSizePolicy(QSizePolicy::Preferred, QSizePolicy::Expanding);
    for (QWidget* w : {static_cast<QWidget*>(m_machine), static_cast<QWidget*>(m_queue),
                       static_cast<QWidget*>(m_timeline)})
        w->setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Expanding);

    const auto feed = [this](Dock* d, std::function<void()> update) {
        m_feeds.push_back({d, std::move(update)});
        connect(d, &QDockWidget::visibilityChanged, this, [this, index = m_feeds.size() - 1](bool visible) {
            Feed& f = m_feeds[index];
            if (visible && std::exchange(f.stale, false)) f.update();
        });
    };
    feed(m_machineDock, [this] { m_machine->setSnapshot(m_snapshot); });
    feed(m_queueDock, [this] { m_queue->setSnapshot(m_snapshot); });
    feed(m_timelineDock, [this] { m_timeline->setSnapshot(m_snapshot); });
    feed(m_whyDock, [this] { m_why->setSnapshot(m_snapshot); });
    feed(m_decisionsDock, [this] { m_decisions->setSnapshot(m_snapshot); });
    feed(m_runQueuesDock, [this] { m_runQueues->setSnapshot(m_snapshot); });

    m_history = new HistoryBar(m_selection, this);
    addToolBar(Qt::BottomToolBarArea, m_history);
    for (PaintedView* v : {static_cast<PaintedView*>(m_machine), static_cast<PaintedView*>(m_queue->tree()),
                           static_cast<PaintedView*>(m_queue->line()), static_cast<PaintedView*>(m_timeline),
                           static_cast<PaintedView*>(m_history->scrubber())}) {
        connect(v, &PaintedView::travelRequested, this, &MainWindow::goTo);
        connect(v, &PaintedView::decisionRequested, this, &MainWindow::goToDecision);
        connect(v, &PaintedView::captionChanged, this, &MainWindow::updateQueueTitle);
    }
    connect(m_decisions, &DecisionsPanel::decisionAsked, this, &MainWindow::goToDecision);
    connect(m_scenarioTree, &ScenarioTree::bookmarkActivated, this,
            [this](int b) { travelTo(m_snapshot->scenario->bookmarks[static_cast<std::size_t>(b)]); });

    m_rail = new QToolBar(tr("Scenario"), this);
    m_rail->setObjectName(QStringLiteral("rail"));
    m_rail->setMovable(false);
    m_rail->setContextMenuPolicy(Qt::PreventContextMenu);
    auto* rail = new ScenarioRail;
    m_rail->addWidget(rail);
    addToolBar(Qt::LeftToolBarArea, m_rail);
    m_overlay = new ScenarioOverlay(m_scenarioModel, m_selection, this);
    connect(rail, &ScenarioRail::sectionAsked, this,
            [this](int section) { showSection(static_cast<ScenarioModel::Section>(section)); });
    connect(m_overlay->tree(), &ScenarioTree::bookmarkActivated, m_scenarioTree,
            &ScenarioTree::bookmarkActivated);

    m_startPage = new StartPage(*m_actions);
    setCentralWidget(m_startPage);
}

MainWindow::Span MainWindow::spanFor(int width) const {
    return width >= wide_from ? Span::wide : width >= medium_from ? Span::medium : Span::narrow;
}

QString MainWindow::layoutKey(Span span) const {
    return QStringLiteral("layout/step/%1")
        .arg(span == Span::wide     ? QStringLiteral("wide")
             : span == Span::medium ? QStringLiteral("medium")
                                    : QStringLiteral("narrow"));
}

/// Lays the docks out for this width: as the user left them, or, fresh, as shipped.
void MainWindow::arrange(Span span, bool fresh) {
    if (m_arranging) return;
    m_arranging = true;
    m_span = span;
    m_transport->setNarrow(span == Span::narrow);
    m_why->setCompact(span == Span::narrow);
    m_history->setScrubberHeight(span == Span::wide ? 62 : span == Span::medium ? 44 : 30);
    m_overlay->hide();
    const bool open = m_snapshot != nullptr;
    m_startPage->setVisible(!open);
    m_history->setVisible(open);
    if (!open) {
        for (Dock* d : m_docks)
            d->hide();
        m_rail->hide();
    } else {
        arrangeDefault(span);
        const QByteArray kept =
            fresh || !m_remember ? QByteArray() : QSettings().value(layoutKey(span)).toByteArray();
        if (kept.isEmpty() || !restoreState(kept, layout_version)) sizeDefault(span);
        m_rail->setVisible(span != Span::wide);
        m_whyDock->show();
    }
    showTitleBars();
    m_arranging = false;
}

void MainWindow::arrangeDefault(Span span) {
    for (Dock* d : m_docks) {
        d->setFloating(false);
        removeDockWidget(d);
    }
    // All in one area: between areas around a hidden centre each relayout widens a dock by one separator.
    Dock* const centre = span == Span::narrow ? m_queueDock : m_machineDock;
    addDockWidget(Qt::LeftDockWidgetArea, m_scenarioDock);
    splitDockWidget(m_scenarioDock, centre, Qt::Horizontal);
    splitDockWidget(centre, m_whyDock, Qt::Horizontal);
    if (span == Span::narrow) {
        splitDockWidget(m_queueDock, m_timelineDock, Qt::Vertical);
        tabifyDockWidget(m_queueDock, m_machineDock);
        tabifyDockWidget(m_timelineDock, m_decisionsDock);
    } else {
        splitDockWidget(m_machineDock, m_timelineDock, Qt::Vertical);
        splitDockWidget(m_timelineDock, m_decisionsDock, Qt::Vertical);
        splitDockWidget(m_machineDock, m_queueDock, Qt::Horizontal);
    }
    tabifyDockWidget(m_decisionsDock, m_runQueuesDock);
    tabifyDockWidget(m_runQueuesDock, m_benchDock);
    for (Dock* d : m_docks)
        d->setVisible(d != m_scenarioDock || span == Span::wide);
    if (span == Span::narrow) {
        m_queueDock->raise();
        m_timelineDock->raise();
    } else {
        m_decisionsDock->raise();
    }
}

void MainWindow::sizeDefault(Span span) {
    const double u = Theme::of(*this).unit;
    const auto px = [u](int design) { return qRound(design * u); };
    const int tabs = px(26); // of each tab bar, which the design's heights leave out
    switch (span) {
    case Span::wide:
        resizeDocks({m_scenarioDock, m_whyDock}, {px(240), px(420)}, Qt::Horizontal);
        resizeDocks({m_machineDock, m_queueDock}, {px(500), px(760)}, Qt::Horizontal);
        resizeDocks({m_machineDock, m_timelineDock, m_decisionsDock}, {px(464), px(222), px(242)},
                    Qt::Vertical);
        m_queue->setSizes({px(256), px(208)});
        break;
    case Span::medium:
        resizeDocks({m_whyDock}, {px(340)}, Qt::Horizontal);
        resizeDocks({m_machineDock, m_queueDock}, {px(330), px(574)}, Qt::Horizontal);
        resizeDocks({m_machineDock, m_timelineDock, m_decisionsDock}, {px(340), px(148), px(178)},
                    Qt::Vertical);
        m_queue->setSizes({px(162), px(178)});
        break;
    case Span::narrow:
        resizeDocks({m_queueDock, m_whyDock}, {px(688), px(300)}, Qt::Horizontal);
        resizeDocks({m_queueDock, m_timelineDock}, {px(146 + 178) + tabs, px(152) + tabs}, Qt::Vertical);
        m_queue->setSizes({px(146), px(178)});
        break;
    }
}

/// A dock that shares its place with others has its name on the tab.
void MainWindow::showTitleBars() {
    for (Dock* d : m_docks) {
        const QList<QDockWidget*> mates = tabifiedDockWidgets(d);
        d->setTitleBarShown(
            std::all_of(mates.begin(), mates.end(), [](const QDockWidget* m) { return m->isHidden(); }));
    }
    for (QTabBar* tabs : findChildren<QTabBar*>(QString(), Qt::FindDirectChildrenOnly)) {
        tabs->setExpanding(false);
        tabs->setDrawBase(false);
        tabs->setElideMode(Qt::ElideMiddle);
        tabs->setFocusPolicy(Qt::TabFocus);
        tabs->setAccessibleName(tr("Views"));
    }
}

void MainWindow::saveLayout() {
    if (!m_span || !m_snapshot || !m_remember) return;
    if (m_maximised) toggleMaximised(nullptr);
    QSettings().setValue(layoutKey(*m_span), saveState(layout_version));
}

void MainWindow::forgetLayout() {
    m_remember = false;
    resize(1280, 800);
    setTheme(ThemeChoice::light);
}

void MainWindow::resetLayout() {
    QSettings settings;
    settings.remove(QStringLiteral("layout/step"));
    m_maximised = nullptr;
    arrange(spanFor(width()), true);
}

/// All room but that of Why and the scrubber for the dock with the focus; the second call puts everything
/// back.
void MainWindow::toggleMaximised(Dock* wanted) {
    if (m_maximised) {
        m_maximised = nullptr;
        restoreState(m_beforeMaximise, layout_version);
        showTitleBars();
        return;
    }
    for (QWidget* w = wanted ? nullptr : QApplication::focusWidget(); w; w = w->parentWidget())
        if (auto* d = qobject_cast<Dock*>(w)) wanted = d;
    if (!wanted || wanted == m_whyDock) wanted = m_queueDock;
    m_beforeMaximise = saveState(layout_version);
    m_maximised = wanted;
    for (Dock* d : m_docks)
        d->setVisible(d == wanted || d == m_whyDock);
    showTitleBars();
}

void MainWindow::showSection(ScenarioModel::Section section) {
    if (m_scenarioDock->isVisible()) {
        m_scenarioTree->reveal(section);
        m_scenarioTree->setFocus();
        return;
    }
    const QRect beside = m_rail->isVisible()
                             ? m_rail->geometry()
                             : QRect(0, m_transport->geometry().bottom() + 1, 0, height() / 2);
    m_overlay->toggle(section, beside);
}

void MainWindow::resizeEvent(QResizeEvent* event) {
    QMainWindow::resizeEvent(event);
    if (!m_span || m_arranging) return;
    const Span span = spanFor(event->size().width());
    if (span == *m_span) return;
    // Not saved here: the docks have the new width already, which would spoil what is kept for the old one.
    m_maximised = nullptr;
    arrange(span, false);
}

QMenu* MainWindow::createPopupMenu() {
    auto* menu = new QMenu(this);
    for (Dock* d : m_docks)
        if (d != m_whyDock) menu->addAction(d->toggleViewAction());
    menu->addSeparator();
    menu->addAction(m_actions->action(QStringLiteral("view.maximise")));
    menu->addAction(m_actions->action(QStringLiteral("view.resetLayout")));
    return menu;
}

} // namespace picknext::ui
