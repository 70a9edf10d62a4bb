// SPDX-License-Identifier: GPL-3.0-or-later
// The window's actions and the menus made from them.
#include <QActionGroup>
#include <QApplication>
#include <QMenu>
#include <QMenuBar>
#include <QMessageBox>

#include "ui/dialogs/go_to_dialog.hpp"
#include "ui/dialogs/palette_dialog.hpp"
#include "ui/dialogs/shortcuts_dialog.hpp"
#include "ui/docks/bench_panel.hpp"
#include "ui/docks/dock.hpp"
#include "ui/docks/table_panels.hpp"
#include "ui/docks/why_panel.hpp"
#include "ui/main_window.hpp"
#include "ui/transport_bar.hpp"

namespace picknext::ui {

namespace {
struct UnitKey {
    StepUnit unit;
    const char* id;
    Qt::Key key; // with Ctrl; a balance pass and a breakpoint would be 6 and 8
};
constexpr UnitKey unit_keys[] = {{StepUnit::check, "check", Qt::Key_1},
                                 {StepUnit::decision, "decision", Qt::Key_2},
                                 {StepUnit::context_switch, "switch", Qt::Key_3},
                                 {StepUnit::wakeup, "wakeup", Qt::Key_4},
                                 {StepUnit::tick, "tick", Qt::Key_5},
                                 {StepUnit::millisecond, "ms", Qt::Key_7}};

struct Speed {
    qint64 nsPerSecond;
    const char* id;
    const char* name;
};
constexpr Speed speeds[] = {
    {1'000, "1us", QT_TRANSLATE_NOOP("picknext::ui::MainWindow", "1 µs a second")},
    {10'000, "10us", QT_TRANSLATE_NOOP("picknext::ui::MainWindow", "10 µs a second")},
    {100'000, "100us", QT_TRANSLATE_NOOP("picknext::ui::MainWindow", "100 µs a second")},
    {1'000'000, "1ms", QT_TRANSLATE_NOOP("picknext::ui::MainWindow", "1 ms a second")},
    {10'000'000, "10ms", QT_TRANSLATE_NOOP("picknext::ui::MainWindow", "10 ms a second")},
    {100'000'000, "100ms", QT_TRANSLATE_NOOP("picknext::ui::MainWindow", "100 ms a second")},
    {1'000'000'000, "1s", QT_TRANSLATE_NOOP("picknext::ui::MainWindow", "Real time")},
    {0, "max", QT_TRANSLATE_NOOP("picknext::ui::MainWindow", "As fast as possible")}};
} // namespace

void MainWindow::addActions() {
    addFileActions();
    addRunActions();
    addViewActions();
    addBenchActions();
    addShippedActions();
}

void MainWindow::addFileActions() {
    const QString file = tr("File");
    m_actions->add({.id = QStringLiteral("file.open"),
                    .group = file,
                    .text = tr("&Open…"),
                    .shortcuts = {QKeySequence::Open},
                    .icon = QStringLiteral("open"),
                    .hint = tr("Opens a scenario, a workload, an rt-app file or a topology"),
                    .handler = [this] { chooseFile(); }});
    m_actions->add({.id = QStringLiteral("file.save"),
                    .group = file,
                    .text = tr("&Save as…"),
                    .shortcuts = {QKeySequence::Save},
                    .hint = tr("Saves the scenario with the decision shown as its cursor"),
                    .handler = [this] { chooseSaveFile(); }});
    m_actions->add({.id = QStringLiteral("file.report"),
                    .group = file,
                    .text = tr("&Import report…"),
                    .hint = tr("What was dropped, guessed or noted while reading the file"),
                    .handler = [this] { showReport(); }});
    m_actions->add({.id = QStringLiteral("file.quit"),
                    .group = file,
                    .text = tr("&Quit"),
                    .shortcuts = {QKeySequence(Qt::CTRL | Qt::Key_Q)},
                    .hint = tr("Closes the window"),
                    .handler = [this] { close(); }});
    const QString edit = tr("Edit");
    m_actions->add({.id = QStringLiteral("edit.copyWhy"),
                    .group = edit,
                    .text = tr("Copy the &decision as text"),
                    .shortcuts = {QKeySequence(Qt::CTRL | Qt::SHIFT | Qt::Key_C)},
                    .icon = QStringLiteral("copy"),
                    .hint = tr("Copies what Why shows as plain text of 72 columns"),
                    .handler = [this] { m_why->copyAsText(); }});
    m_actions->add({.id = QStringLiteral("edit.copyDecisions"),
                    .group = edit,
                    .text = tr("Copy decision &rows"),
                    .hint = tr("Copies the selected rows of the log, or all, as tab-separated text"),
                    .handler = [this] { m_decisions->table()->copyAsTsv(); }});
    m_actions->add({.id = QStringLiteral("edit.copyQueues"),
                    .group = edit,
                    .text = tr("Copy run &queue rows"),
                    .hint = tr("Copies the selected rows of Run queues, or all, as tab-separated text"),
                    .handler = [this] { m_runQueues->table()->copyAsTsv(); }});
}

void MainWindow::addShippedActions() {
    for (const std::string& name : io::shipped_names("scenarios")) {
        const QString title = QString::fromStdString(name);
        m_actions->add({.id = QStringLiteral("file.shipped.") + title,
                        .group = tr("Scenario"),
                        .text = tr("Open scenario %1").arg(title),
                        .hint = tr("Opens a scenario that comes with the program"),
                        .handler = [this, name] {
                            if (const auto path = io::shipped_file("scenarios", name))
                                openFile(QString::fromStdString(*path));
                        }});
    }
}

void MainWindow::addRunActions() {
    const QString transport = tr("Transport");
    m_actions->add({.id = QStringLiteral("go.start"),
                    .group = transport,
                    .text = tr("Go to the s&tart"),
                    .shortcuts = {QKeySequence(Qt::CTRL | Qt::Key_Home)},
                    .icon = QStringLiteral("start"),
                    .hint = tr("Before the first decision"),
                    .handler = [this] { goToDecision(0); }});
    m_actions->add({.id = QStringLiteral("step.back"),
                    .group = transport,
                    .text = tr("Step &back"),
                    .shortcuts = {QKeySequence(Qt::Key_F8)},
                    .icon = QStringLiteral("back"),
                    .hint = tr("Back by one of the chosen unit; exact"),
                    .handler = [this] { stepBy(m_transport->stepUnit(), Direction::back); }});
    m_actions->add({.id = QStringLiteral("step.forward"),
                    .group = transport,
                    .text = tr("&Step"),
                    .shortcuts = {QKeySequence(Qt::Key_F10)},
                    .icon = QStringLiteral("step"),
                    .hint = tr("Forward by one of the chosen unit"),
                    .handler = [this] { stepBy(m_transport->stepUnit(), Direction::forward); }});
    m_actions->add({.id = QStringLiteral("run.run"),
                    .group = transport,
                    .text = tr("&Run"),
                    .shortcuts = {QKeySequence(Qt::Key_F5)},
                    .icon = QStringLiteral("run"),
                    .hint = tr("Runs at the chosen speed"),
                    .handler = [this] { m_controller->run(); }});
    m_actions->add({.id = QStringLiteral("run.pause"),
                    .group = transport,
                    .text = tr("&Pause"),
                    .shortcuts = {QKeySequence(Qt::SHIFT | Qt::Key_F5)},
                    .icon = QStringLiteral("pause"),
                    .hint = tr("Stops where the run stands"),
                    .handler = [this] { m_controller->pause(); }});
    m_actions->add({.id = QStringLiteral("run.cancel"),
                    .group = transport,
                    .text = tr("&Cancel the replay"),
                    .shortcuts = {QKeySequence(Qt::Key_Escape)},
                    .hint = tr("Gives up a long jump; what was computed stays"),
                    .handler = [this] { m_controller->cancel(); }});
    m_actions->add({.id = QStringLiteral("go.end"),
                    .group = transport,
                    .text = tr("Go to the &end"),
                    .shortcuts = {QKeySequence(Qt::CTRL | Qt::Key_End)},
                    .icon = QStringLiteral("end"),
                    .hint = tr("The end the scenario names, else the last moment computed"),
                    .handler = [this] { goToEnd(); }});
    m_actions->add({.id = QStringLiteral("go.to"),
                    .group = transport,
                    .text = tr("&Go to…"),
                    .shortcuts = {QKeySequence(Qt::CTRL | Qt::Key_G)},
                    .hint = tr("To a decision number or a time"),
                    .handler = [this] {
                        auto* dialog = new GoToDialog(this);
                        dialog->setAttribute(Qt::WA_DeleteOnClose);
                        connect(dialog, &GoToDialog::decisionAsked, this, &MainWindow::goToDecision);
                        connect(dialog, &GoToDialog::timeAsked, this, &MainWindow::goTo);
                        dialog->open();
                    }});
    for (const UnitKey& u : unit_keys) {
        const QString name = stepUnitName(u.unit);
        for (const Direction d : {Direction::forward, Direction::back}) {
            const bool forward = d == Direction::forward;
            m_actions->add(
                {.id = (forward ? QStringLiteral("step.forward.") : QStringLiteral("step.back.")) +
                       QLatin1String(u.id),
                 .group = transport,
                 .text = forward ? tr("Step by %1").arg(name) : tr("Step back by %1").arg(name),
                 .shortcuts = {QKeySequence(forward ? Qt::CTRL | u.key : Qt::CTRL | Qt::SHIFT | u.key)},
                 .hint =
                     forward ? tr("Forward to the next %1").arg(name) : tr("Back to the %1 before").arg(name),
                 .handler = [this, unit = u.unit, d] { stepBy(unit, d); }});
        }
    }
    auto* group = new QActionGroup(this);
    for (const Speed& s : speeds) {
        QAction* a = m_actions->add({.id = QStringLiteral("run.speed.") + QLatin1String(s.id),
                                     .group = tr("Speed"),
                                     .text = tr(s.name),
                                     .hint = tr("Simulated time that passes in a second of running"),
                                     .handler = [this, v = s.nsPerSecond] { m_controller->setSpeed(v); },
                                     .checkable = true});
        group->addAction(a);
        a->setChecked(s.nsPerSecond == m_controller->speed());
    }
}

void MainWindow::addViewActions() {
    const QString view = tr("View");
    m_actions->add({.id = QStringLiteral("palette.open"),
                    .group = view,
                    .text = tr("&Find an action…"),
                    .shortcuts = {QKeySequence(Qt::CTRL | Qt::Key_K)},
                    .icon = QStringLiteral("find"),
                    .hint = tr("All actions, by name"),
                    .handler = [this] { m_palette->open(); }});
    QAction* follow = m_actions->add({.id = QStringLiteral("select.follow"),
                                      .group = view,
                                      .text = tr("F&ollow the decision's CPU"),
                                      .hint = tr("Each step selects the CPU that decides"),
                                      .checkable = true});
    follow->setChecked(true);
    m_actions->add({.id = QStringLiteral("select.nextCpu"),
                    .group = view,
                    .text = tr("Select the &next CPU"),
                    .shortcuts = {QKeySequence(Qt::CTRL | Qt::Key_BracketRight)},
                    .hint = tr("The CPU with the next number"),
                    .handler = [this] { selectNeighbour(1); }});
    m_actions->add({.id = QStringLiteral("select.previousCpu"),
                    .group = view,
                    .text = tr("Select the &previous CPU"),
                    .shortcuts = {QKeySequence(Qt::CTRL | Qt::Key_BracketLeft)},
                    .hint = tr("The CPU with the number before"),
                    .handler = [this] { selectNeighbour(-1); }});
    auto* themes = new QActionGroup(this);
    const std::tuple<const char*, QString, ThemeChoice> choices[] = {
        {"view.theme.system", tr("Theme of the &desktop"), ThemeChoice::system},
        {"view.theme.light", tr("&Light theme"), ThemeChoice::light},
        {"view.theme.dark", tr("Da&rk theme"), ThemeChoice::dark}};
    for (const auto& [id, text, choice] : choices)
        themes->addAction(m_actions->add({.id = QLatin1String(id),
                                          .group = view,
                                          .text = text,
                                          .hint = tr("Colours of the window"),
                                          .handler = [this, c = choice] { setTheme(c); },
                                          .checkable = true}));
    m_actions->add({.id = QStringLiteral("view.maximise"),
                    .group = view,
                    .text = tr("&Maximise the dock in use"),
                    .shortcuts = {QKeySequence(Qt::CTRL | Qt::Key_M)},
                    .hint = tr("Gives the dock with the focus all the room but Why's; again puts it back"),
                    .handler = [this] { toggleMaximised(nullptr); }});
    m_actions->add({.id = QStringLiteral("view.resetLayout"),
                    .group = view,
                    .text = tr("&Reset layout"),
                    .hint = tr("Puts every dock back to its first place and size"),
                    .handler = [this] { resetLayout(); }});
    const QString help = tr("Help");
    m_actions->add({.id = QStringLiteral("help.shortcuts"),
                    .group = help,
                    .text = tr("&Keyboard shortcuts"),
                    .shortcuts = {QKeySequence(Qt::Key_F1)},
                    .hint = tr("All actions with their keys"),
                    .handler = [this] {
                        auto* dialog = new ShortcutsDialog(*m_actions, this);
                        dialog->setAttribute(Qt::WA_DeleteOnClose);
                        dialog->open();
                    }});
    m_actions->add({.id = QStringLiteral("help.about"),
                    .group = help,
                    .text = tr("&About picknext"),
                    .hint = tr("Version and licence"),
                    .handler = [this] {
                        auto* box =
                            new QMessageBox(QMessageBox::NoIcon, tr("About picknext"),
                                            tr("<b>picknext %1</b>").arg(QApplication::applicationVersion()),
                                            QMessageBox::Close, this);
                        box->setInformativeText(
                            tr("Simulates the Linux fair scheduler and shows why it decides as it does. "
                               "Everything shown is simulated.\nFree software under the GNU General Public "
                               "License, version 3 or later."));
                        box->setAttribute(Qt::WA_DeleteOnClose);
                        box->open();
                    }});
}

void MainWindow::addBenchActions() {
    const QString group = tr("Benchmarks");
    m_actions->add({.id = QStringLiteral("bench.run"),
                    .group = group,
                    .text = tr("Run the &benchmark"),
                    .shortcuts = {QKeySequence(Qt::CTRL | Qt::Key_Return)},
                    .hint = tr("Simulates what the fields of Benchmarks say"),
                    .handler = [this] { m_bench->run(); }});
    m_actions->add({.id = QStringLiteral("bench.cancel"),
                    .group = group,
                    .text = tr("&Cancel the benchmark"),
                    .shortcuts = {QKeySequence(Qt::CTRL | Qt::Key_Period)},
                    .hint = tr("Gives up the runs under way; those done stay"),
                    .handler = [this] { m_bench->cancel(); }});
    m_actions->add({.id = QStringLiteral("bench.slowest"),
                    .group = group,
                    .text = tr("&Open the slowest moment in the stepper"),
                    .hint = tr("Opens the run of the chosen point with the largest latency where it was measured; the end of the longest run where none was"),
                    .handler = [this] { m_bench->openSlowest(); }});
    const std::tuple<const char*, QString, const char*> exports[] = {{"bench.exportPng", tr("Export the plot as &PNG…"), "png"},
                                                                     {"bench.exportSvg", tr("Export the plot as &SVG…"), "svg"},
                                                                     {"bench.exportPdf", tr("Export the plot as P&DF…"), "pdf"},
                                                                     {"bench.exportCsv", tr("Export the runs as CS&V…"), "csv"},
                                                                     {"bench.exportJson", tr("Export the results as &JSON…"), "json"}};
    for (const auto& [id, text, ending] : exports)
        m_actions->add({.id = QLatin1String(id),
                        .group = group,
                        .text = text,
                        .hint = tr("Writes a file"),
                        .handler = [this, e = QLatin1String(ending)] { chooseBenchFile(e); }});
}

void MainWindow::updateBenchActions() {
    const bool running = m_bench->runner().isRunning(), any = m_bench->hasResults();
    const QString nothing = tr("nothing has been run");
    m_actions->setAvailable(QStringLiteral("bench.run"), !running, tr("it runs already"));
    m_actions->setAvailable(QStringLiteral("bench.cancel"), running, tr("no benchmark runs"));
    m_actions->setAvailable(QStringLiteral("bench.slowest"), any && !running, running ? tr("it still runs") : nothing);
    for (const char* id : {"bench.exportPng", "bench.exportSvg", "bench.exportPdf"}) m_actions->setAvailable(QLatin1String(id), any && m_bench->hasPlot(), nothing);
    for (const char* id : {"bench.exportCsv", "bench.exportJson"}) m_actions->setAvailable(QLatin1String(id), any, nothing);
}

void MainWindow::buildMenus() {
    const auto add = [this](QMenu* menu, std::initializer_list<const char*> ids) {
        for (const char* id : ids) {
            if (*id == '\0')
                menu->addSeparator();
            else
                menu->addAction(m_actions->action(QLatin1String(id)));
        }
    };
    QMenu* file = menuBar()->addMenu(tr("&File"));
    add(file, {"file.open"});
    QMenu* recent = file->addMenu(tr("Open &recent"));
    connect(recent, &QMenu::aboutToShow, this, [this, recent] { fillRecent(recent); });
    QMenu* shipped = file->addMenu(tr("Open a shipped s&cenario"));
    for (QAction* a : m_actions->all())
        if (ActionRegistry::id(a).startsWith(QLatin1String("file.shipped."))) shipped->addAction(a);
    shipped->setEnabled(!shipped->isEmpty());
    add(file, {"file.save", "file.report", "", "file.quit"});
    add(menuBar()->addMenu(tr("&Edit")), {"edit.copyWhy", "edit.copyDecisions", "edit.copyQueues"});

    QMenu* view = menuBar()->addMenu(tr("&View"));
    add(view, {"palette.open", ""});
    for (QAction* a : m_actions->all())
        if (ActionRegistry::id(a).startsWith(QLatin1String("view.show."))) view->addAction(a);
    add(view, {"", "view.maximise", "view.resetLayout", ""});
    add(view->addMenu(tr("&Theme")), {"view.theme.system", "view.theme.light", "view.theme.dark"});
    add(view, {"", "select.follow", "select.nextCpu", "select.previousCpu"});

    QMenu* run = menuBar()->addMenu(tr("&Run"));
    add(run, {"run.run", "run.pause", "run.cancel", "", "step.forward", "step.back"});
    QMenu* forward = run->addMenu(tr("Step by"));
    QMenu* back = run->addMenu(tr("Step back by"));
    QMenu* speed = run->addMenu(tr("Speed"));
    for (QAction* a : m_actions->all()) {
        const QString id = ActionRegistry::id(a);
        if (id.startsWith(QLatin1String("step.forward."))) forward->addAction(a);
        if (id.startsWith(QLatin1String("step.back."))) back->addAction(a);
        if (id.startsWith(QLatin1String("run.speed."))) speed->addAction(a);
    }
    add(run, {"", "go.start", "go.end", "go.to"});
    QMenu* bench = menuBar()->addMenu(tr("&Benchmarks"));
    add(bench, {"view.show.benchmarks", "", "bench.run", "bench.cancel", "bench.slowest", "", "bench.exportPng", "bench.exportSvg", "bench.exportPdf",
                "bench.exportCsv", "bench.exportJson"});
    add(menuBar()->addMenu(tr("&Help")), {"help.shortcuts", "help.about"});
    for (QMenu* menu : findChildren<QMenu*>())
        menu->setToolTipsVisible(true);
}

void MainWindow::updateActions() {
    const bool open = m_snapshot != nullptr;
    const bool running = m_controller->isRunning();
    const QString nothing = tr("no scenario is open: Ctrl+O opens one");
    const bool atStart = open && m_snapshot->position.decision == 0;
    const bool atEnd = open && m_snapshot->at_end && m_snapshot->position.decision >= m_snapshot->index.rows;
    const QString start = open ? tr("this is the start") : nothing;
    const QString end = open ? tr("the run has ended") : nothing;
    for (QAction* a : m_actions->all()) {
        const QString id = ActionRegistry::id(a);
        if (id.startsWith(QLatin1String("step.back")) || id == QLatin1String("go.start"))
            m_actions->setAvailable(id, open && !atStart, start);
        else if (id.startsWith(QLatin1String("step.forward")))
            m_actions->setAvailable(id, open && !atEnd, end);
        else if (id.startsWith(QLatin1String("select.")) || id.startsWith(QLatin1String("edit.")) ||
                 id == QLatin1String("go.to") || id == QLatin1String("go.end") ||
                 id == QLatin1String("file.save") || id == QLatin1String("view.maximise"))
            m_actions->setAvailable(id, open, nothing);
    }
    m_actions->setAvailable(QStringLiteral("run.run"), open && !running && !atEnd,
                            running ? tr("it runs already") : end);
    m_actions->setAvailable(QStringLiteral("run.pause"), running, open ? tr("it does not run") : nothing);
    m_actions->setAvailable(QStringLiteral("run.cancel"), m_controller->isLong(),
                            tr("no replay is under way"));
    m_actions->setAvailable(QStringLiteral("file.report"), !m_report.empty(),
                            tr("nothing was dropped, guessed or noted"));
}

} // namespace picknext::ui
