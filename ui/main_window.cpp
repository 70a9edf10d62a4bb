// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/main_window.hpp"

#include <QApplication>
#include <QCloseEvent>
#include <QLabel>
#include <QSettings>
#include <QStatusBar>

#include "core/trace/decision.hpp"
#include "ui/dialogs/palette_dialog.hpp"
#include "ui/docks/dock.hpp"
#include "ui/docks/history_bar.hpp"
#include "ui/docks/queue_panel.hpp"
#include "ui/docks/scenario_panel.hpp"
#include "ui/docks/start_page.hpp"
#include "ui/docks/table_panels.hpp"
#include "ui/docks/why_panel.hpp"
#include "ui/models/number_text.hpp"
#include "ui/painted/machine_view.hpp"
#include "ui/painted/timeline_view.hpp"
#include "ui/transport_bar.hpp"

namespace picknext::ui {

MainWindow::MainWindow(QWidget* parent)
    : QMainWindow(parent), m_selection(new Selection(this)), m_controller(new RunController(this)),
      m_actions(new ActionRegistry(this)), m_scenarioModel(new ScenarioModel(this)) {
    setObjectName(QStringLiteral("window"));
    setWindowTitle(tr("picknext"));
    setAcceptDrops(true);
    addActions();
    m_transport = new TransportBar(*m_actions, this);
    addToolBar(Qt::TopToolBarArea, m_transport);
    buildDocks();
    buildMenus();
    m_palette = new PaletteDialog(m_actions, this);

    m_where = new QLabel;
    m_level = new QLabel;
    m_tasks = new QLabel;
    m_digest = new QLabel;
    statusBar()->addWidget(m_where, 1);
    statusBar()->addPermanentWidget(m_level);
    statusBar()->addPermanentWidget(m_tasks);
    statusBar()->addPermanentWidget(m_digest);
    statusBar()->setSizeGripEnabled(false);

    connect(m_controller, &RunController::snapshotChanged, this, &MainWindow::showSnapshot);
    connect(m_controller, &RunController::runningChanged, this, [this](bool running) {
        m_transport->setRunning(running);
        updateActions();
        updateStatus();
    });
    connect(m_controller, &RunController::longCommand, this, [this](bool active) {
        m_history->replay()->setVisible(active);
        updateActions();
        if (!active) m_transport->setSnapshot(m_snapshot.get());
    });
    connect(m_controller, &RunController::progressed, m_history->replay(), &ReplayBar::setProgress);
    connect(m_controller, &RunController::replayDiffers, this, [this](const QString& sentence) {
        statusBar()->showMessage(tr("Replay differs: %1").arg(sentence));
    });
    connect(m_history->replay(), &ReplayBar::cancelled, m_controller, &RunController::cancel);
    connect(m_transport, &TransportBar::timeAsked, this, &MainWindow::goTo);
    connect(m_transport, &TransportBar::decisionAsked, this, &MainWindow::goToDecision);
    connect(m_transport, &TransportBar::kernelAsked, this, [this] { showSection(ScenarioModel::Kernel); });
    connect(m_transport, &TransportBar::patchesAsked, this, [this] { showSection(ScenarioModel::Patches); });
    connect(m_palette, &PaletteDialog::decisionAsked, this, &MainWindow::goToDecision);
    connect(m_palette, &PaletteDialog::timeAsked, this, &MainWindow::goTo);
    connect(m_selection, &Selection::changed, this, &MainWindow::updateQueueTitle);

    QSettings settings;
    setTheme(static_cast<ThemeChoice>(qBound(0, settings.value(QStringLiteral("theme"), 0).toInt(), 2)));
    setMinimumSize(1024, 640);
    resize(1280, 800);
    restoreGeometry(settings.value(QStringLiteral("geometry")).toByteArray());
    updateActions();
    updateStatus();
    arrange(spanFor(width()), false);
}

MainWindow::~MainWindow() {
    for (QThread* loader : m_loaders)
        loader->wait();
    // Children go after this; what they still say on the way is not for us.
    for (QObject* child : findChildren<QObject*>())
        child->disconnect(this);
}

void MainWindow::showSnapshot(const std::shared_ptr<const Snapshot>& snapshot) {
    const bool loaded = !m_snapshot || m_snapshot->scenario != snapshot->scenario;
    m_snapshot = snapshot;
    m_scenarioModel->setSnapshot(snapshot.get());
    if (m_startPage->isVisibleTo(this)) {
        arrange(spanFor(width()), false);
        m_decisions->setFocus();
    }
    followDecision(*snapshot, loaded);
    m_transport->setSnapshot(snapshot.get());
    m_history->scrubber()->setSnapshot(snapshot);
    for (Feed& feed : m_feeds) {
        feed.stale = !feed.dock->isVisible();
        if (!feed.stale) feed.update();
    }
    m_whyDock->setDetail(m_why->detail());
    updateQueueTitle();
    updateActions();
    updateStatus();
}

void MainWindow::followDecision(const Snapshot& snapshot, bool loaded) {
    if (loaded) {
        m_selection->setCheck(-1);
        m_selection->setTask(TaskId::none());
        // A scenario about one CPU stays with it.
        m_selection->setCpu(snapshot.scenario->select_cpu.value_or(CpuId{0}));
        m_actions->action(QStringLiteral("select.follow"))->setChecked(!snapshot.scenario->select_cpu);
    }
    if (snapshot.header.kind == Kind::count) return;
    if (snapshot.position.check < snapshot.checks.size())
        m_selection->setCheck(static_cast<int>(snapshot.position.check) - 1);
    if (m_actions->action(QStringLiteral("select.follow"))->isChecked())
        m_selection->setCpu(CpuId{static_cast<std::int32_t>(snapshot.header.cpu)});
}

void MainWindow::updateQueueTitle() {
    if (!m_snapshot) return;
    const Machine& machine = m_snapshot->scenario->machine;
    const CpuId cpu = m_selection->cpu();
    if (!cpu || cpu.index() >= machine.cpu_count()) return;
    m_queueDock->setTitle(tr("Run queue of CPU %1").arg(machine.cpu(cpu).number));
    m_queueDock->setDetail(m_queue->tree()->caption());
    m_machineDock->setDetail(m_machine->caption());
    m_timelineDock->setDetail(m_timeline->caption());
    QStringList levels;
    for (const PaintedView* v :
         {static_cast<PaintedView*>(m_machine), static_cast<PaintedView*>(m_queue->tree())})
        if (v->isVisible()) levels << v->detailText();
    m_level->setText(levels.join(QStringLiteral(" · ")));
}

void MainWindow::updateStatus() {
    if (!m_snapshot) {
        m_where->setText(tr("No scenario is open"));
        m_tasks->clear();
        m_digest->clear();
        return;
    }
    const Snapshot& s = *m_snapshot;
    const QString number = groupedNumber(static_cast<std::int64_t>(s.position.decision));
    QString where;
    if (s.header.kind == Kind::count)
        where = s.position.decision == 0 ? tr("At the start, 0 decisions so far")
                                         : tr("The run has ended after #%1").arg(number);
    else if (m_controller->isRunning())
        where = tr("Running, #%1").arg(number);
    else if (s.position.check < s.checks.size())
        where = tr("Check %1 of %2 of #%3").arg(s.position.check).arg(s.checks.size()).arg(number);
    else
        where = tr("Paused at %1").arg(m_why->detail());
    if (s.at_end && s.header.kind != Kind::count) where += tr(" · nothing further to compute");
    m_where->setText(where);
    m_tasks->setText(tr("Simulated · %n tasks", nullptr, static_cast<int>(s.state.tasks.size())));
    const QString digest = QStringLiteral("%1").arg(s.digest, 16, 16, QLatin1Char('0'));
    m_digest->setText(tr("Digest %1…%2").arg(digest.left(4), digest.right(4)));
    m_digest->setToolTip(
        tr("Digest of the whole state: %1. The same moment always has the same.").arg(digest));
}

void MainWindow::stepBy(StepUnit unit, Direction direction) { m_controller->step(unit, direction); }

void MainWindow::goTo(qint64 ns) {
    if (!m_snapshot) return;
    m_history->replay()->setTarget(tr("Replaying to %1 ms").arg(msGrouped(ns)));
    m_controller->seekTime(ns);
}

void MainWindow::goToDecision(quint64 number) {
    if (!m_snapshot) return;
    m_history->replay()->setTarget(
        tr("Replaying to #%1").arg(groupedNumber(static_cast<std::int64_t>(number))));
    m_controller->seekDecision(number);
}

/// The end the scenario names; a run without one goes to what has been computed.
void MainWindow::goToEnd() {
    if (!m_snapshot) return;
    if (m_snapshot->scenario->until_ns)
        goTo(*m_snapshot->scenario->until_ns);
    else if (m_snapshot->index.rows > 0)
        goToDecision(m_snapshot->index.rows);
}

void MainWindow::travelTo(const Bookmark& bookmark) {
    if (bookmark.decision != 0)
        goToDecision(bookmark.decision);
    else if (bookmark.at >= 0)
        goTo(bookmark.at);
}

void MainWindow::selectNeighbour(int by) {
    if (!m_snapshot) return;
    const int cpus = static_cast<int>(m_snapshot->scenario->machine.cpu_count());
    m_selection->setCpu(CpuId{(m_selection->cpu().value + by + cpus) % cpus});
}

void MainWindow::setTheme(ThemeChoice choice) {
    m_theme = choice;
    QApplication::setPalette(paletteFor(choice));
    const char* ids[] = {"view.theme.system", "view.theme.light", "view.theme.dark"};
    m_actions->action(QLatin1String(ids[static_cast<int>(choice)]))->setChecked(true);
    updateStyle();
}

void MainWindow::updateStyle() {
    const QString sheet = frameStyle(Theme::from(QApplication::palette(), QApplication::font()));
    if (sheet == m_styleInForce) return;
    m_styleInForce = sheet;
    setStyleSheet(sheet);
}

void MainWindow::changeEvent(QEvent* event) {
    QMainWindow::changeEvent(event);
    if (event->type() == QEvent::ApplicationPaletteChange || event->type() == QEvent::PaletteChange)
        updateStyle();
}

void MainWindow::closeEvent(QCloseEvent* event) {
    m_controller->cancel();
    event->accept();
    if (!m_remember) return;
    saveLayout();
    QSettings settings;
    settings.setValue(QStringLiteral("geometry"), saveGeometry());
    settings.setValue(QStringLiteral("theme"), static_cast<int>(m_theme));
}

} // namespace picknext::ui
