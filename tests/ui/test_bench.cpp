// SPDX-License-Identifier: GPL-3.0-or-later
// Benchmarks driven as a person drives them: typed, run, cancelled, exported, and every number held against the core's.
#include <QApplication>
#include <QComboBox>
#include <QElapsedTimer>
#include <QFileDialog>
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>
#include <QScrollArea>
#include <QTabWidget>
#include <QTableView>
#include <QTimer>
#include <QToolButton>

#include "core/bench/request.hpp"
#include "core/io/results_json.hpp"
#include "tests/ui/window_fixture.hpp"
#include "ui/docks/bench_panel.hpp"
#include "ui/docks/dock.hpp"
#include "ui/docks/labels.hpp"
#include "ui/models/bench_charts.hpp"
#include "ui/models/bench_sheets.hpp"
#include "ui/models/roles.hpp"
#include "ui/models/sheet_model.hpp"
#include "ui/plots/chart_view.hpp"

namespace picknext::ui {

class TestBench : public QObject {
    Q_OBJECT

  private Q_SLOTS:
    void init() {
        m_window = std::make_unique<MainWindow>();
        m_window->forgetLayout();
        m_window->show();
        QVERIFY(QTest::qWaitForWindowExposed(m_window.get()));
        m_window->openFile(scenario_path("default"));
        QTRY_VERIFY_WITH_TIMEOUT(m_window->controller().snapshot() != nullptr, 60'000);
        QVERIFY(settle(m_window->controller()));
        QTest::keyClick(m_window.get(), Qt::Key_8, Qt::AltModifier);
        QTRY_VERIFY(panel()->isVisible());
        QTRY_COMPARE(source()->count() > 5, true); // what the threads measured has arrived
        QTest::keyClick(m_window.get(), Qt::Key_M, Qt::ControlModifier); // room for it
    }
    void cleanup() { m_window.reset(); }

    void typedCommandGivesTheCoresNumbers() {
        type("benchCommand", QStringLiteral("hackbench -p -T -l 20 -g 1"));
        type("benchSeeds", QStringLiteral("2"));
        QTest::keyClick(edit("benchCommand"), Qt::Key_Return);
        QVERIFY(finished());
        const bench::Plan plan = planOf({.command = "hackbench -p -T -l 20 -g 1", .topology = "generic-x86", .costs = "generic-x86", .kernel = "eevdf-6.12y", .repeats = 2});
        const bench::Outcome outcome = bench::run(plan);
        QVERIFY(panel()->runner().outcome() == outcome); // live, run by run, comes to the same
        const Sheet& sheet = model("benchResults")->sheet();
        const int value = sheet.column(QStringLiteral("simulated"));
        QVERIFY(value > 0);
        QCOMPARE(sheet.rows.size(), bench::metrics_of(outcome, 0).size());
        const auto times = bench::samples(outcome, 0, 0, "time");
        QCOMPARE(sheet.rows[0].cells[1].text, QStringLiteral("time, s"));
        QCOMPARE(*sheet.rows[0].cells[static_cast<std::size_t>(value)].number, metrics::spread(times).median);
        QCOMPARE(table("benchResults")->model()->index(0, value).data().toString(), chartNumber(metrics::spread(times).median));
        QVERIFY(label("benchBasis")->text().isEmpty()); // it is an elided one: its whole counts
        QVERIFY(static_cast<ElidedLabel*>(label("benchBasis"))->whole().startsWith(QStringLiteral("Simulated · full size")));
    }

    void sweepComparesTwoArms() {
        type("benchCommand", QStringLiteral("hackbench -p -T -l 20"));
        type("benchSweep", QStringLiteral("g=1,2"));
        type("benchSeeds", QStringLiteral("3"));
        type("benchA", QStringLiteral("feature.RUN_TO_PARITY=off"));
        QTest::mouseClick(m_window->findChild<QToolButton*>(QStringLiteral("benchTwo")), Qt::LeftButton);
        click("bench.run");
        QVERIFY(finished());
        const bench::Plan plan = planOf({.command = "hackbench -p -T -l 20", .topology = "generic-x86", .costs = "generic-x86", .kernel = "eevdf-6.12y",
                                         .a = "feature.RUN_TO_PARITY=off", .b = "", .sweep = "g=1,2", .repeats = 3});
        const bench::Outcome outcome = bench::run(plan);
        QVERIFY(panel()->runner().outcome() == outcome);
        const Sheet& sheet = model("benchResults")->sheet();
        const int change = sheet.column(QStringLiteral("B to A, %"));
        const auto perCell = bench::metrics_of(outcome, 0).size();
        QCOMPARE(sheet.rows.size(), 2 * perCell);
        for (std::size_t c = 0; c < 2; ++c) {
            const bench::Compared both = bench::compare(outcome, c, "time");
            QVERIFY(both.paired);
            QCOMPARE(*sheet.rows[c * perCell].cells[static_cast<std::size_t>(change)].number, (both.paired->ratio - 1) * 100);
        }
        // The plot has the same two medians an arm, and says so to those who do not see it.
        const ChartView* plot = m_window->findChild<ChartView*>(QStringLiteral("benchPlot0"));
        QVERIFY(plot && plot->isVisible());
        QCOMPARE(plot->chart().curves.size(), 2u);
        for (std::size_t arm = 0; arm < 2; ++arm)
            for (std::size_t c = 0; c < 2; ++c) QCOMPARE(plot->chart().curves[arm].marks[c].y, metrics::spread(bench::samples(outcome, c, arm, "time")).median);
        QVERIFY(plot->accessibleDescription().contains(chartNumber(plot->chart().curves[1].marks[0].y)));
        // A row of the other point brings its plots.
        QTest::mouseClick(table("benchResults")->viewport(), Qt::LeftButton, {}, table("benchResults")->visualRect(table("benchResults")->model()->index(0, 1)).center());
        QVERIFY(model("benchResults")->index(0, 0).data(NowRole).toBool());
        QVERIFY(!model("benchResults")->index(static_cast<int>(perCell), 0).data(NowRole).toBool());
    }

    void cancelKeepsWhatIsDone() {
        type("benchCommand", QStringLiteral("hackbench -p -T -l 20000 -g 10"));
        type("benchSeeds", QStringLiteral("50"));
        click("bench.run");
        QTRY_VERIFY_WITH_TIMEOUT(panel()->runner().work() && panel()->runner().done().fraction > 0, 60'000);
        QElapsedTimer longest;
        longest.start();
        QTest::qWait(1); // a turn of the event loop is short while both cores simulate
        QVERIFY2(longest.elapsed() < 2000, qPrintable(QString::number(longest.elapsed())));
        auto* cancel = m_window->findChild<QPushButton*>(QStringLiteral("bench.cancel"));
        QVERIFY(cancel->isVisible());
        QTest::mouseClick(cancel, Qt::LeftButton);
        QTRY_VERIFY_WITH_TIMEOUT(!panel()->runner().isRunning(), 30'000);
        QVERIFY(progress().startsWith(QStringLiteral("Stopped")));
        QVERIFY(!panel()->runner().outcome().complete());
        QVERIFY(m_window->actionRegistry().action(QStringLiteral("bench.run"))->isEnabled());
        QVERIFY(!m_window->actionRegistry().action(QStringLiteral("bench.cancel"))->isEnabled());
    }

    void wrongInputIsSaidWithItsPlace() {
        type("benchCommand", QStringLiteral("hackbench -p --wings"));
        click("bench.run");
        QTRY_VERIFY(label("benchWrong")->isVisible());
        QVERIFY2(label("benchWrong")->text().startsWith(QStringLiteral("Command, column 14: ")), qPrintable(label("benchWrong")->text()));
        QCOMPARE(edit("benchCommand")->cursorPosition(), 13);
        type("benchCommand", QStringLiteral("hackbench -l 10 -g 1"));
        QVERIFY(!label("benchWrong")->isVisible()); // an edit takes it back
        type("benchA", QStringLiteral("patch.nothing=on"));
        click("bench.run");
        QTRY_VERIFY(label("benchWrong")->isVisible());
        QVERIFY2(label("benchWrong")->text().startsWith(QStringLiteral("Arm A, column 1: ")), qPrintable(label("benchWrong")->text()));
        type("benchCommand", {});
        click("bench.run");
        QVERIFY(label("benchWrong")->text().startsWith(QStringLiteral("There is no command.")));
        QVERIFY(!panel()->runner().isRunning());
    }

    void threadShowsPublishedFiguresAndVerdicts() {
        const int at = source()->findText(QStringLiteral("Thread 5: kick_ilb"));
        QVERIFY(at > 0);
        source()->setFocus();
        source()->setCurrentIndex(at);
        QCOMPARE(edit("benchCommand")->text().startsWith(QStringLiteral("kick_ilb")), true);
        click("bench.run");
        QVERIFY(finished());
        const BenchWork& work = *panel()->runner().work();
        QCOMPARE(work.thread, 5);
        const bench::Outcome outcome = bench::run(work.panel.plan);
        const auto judged = bench::judge(5, work.panel, outcome);
        const Sheet& sheet = model("benchResults")->sheet();
        QCOMPARE(sheet.rows.size(), judged.size());
        const int before = sheet.column(QStringLiteral("A published")), verdict = sheet.column(QStringLiteral("verdict: change"));
        for (std::size_t r = 0; r < judged.size(); ++r) {
            QCOMPARE(*sheet.rows[r].cells[static_cast<std::size_t>(before)].number, *judged[r].published->before);
            QCOMPARE(sheet.rows[r].cells[static_cast<std::size_t>(verdict)].text, BenchSheets::verdict(judged[r].effect));
        }
        QCOMPARE(*sheet.rows[0].cells[static_cast<std::size_t>(before)].number, 39.0); // us, of the mail
        // A field that is edited makes it a command of one's own.
        type("benchSweep", QStringLiteral("x"));
        QCOMPARE(source()->currentIndex(), 0);
        QVERIFY(!edit("benchCommand")->text().isEmpty());
    }

    void exportsByKeyAndMenu() {
        runSmall();
        QTemporaryDir folder;
        const QString csv = folder.filePath(QStringLiteral("runs.csv"));
        m_window->actionRegistry().action(QStringLiteral("bench.exportCsv"))->trigger();
        auto* dialog = m_window->findChild<QFileDialog*>();
        QVERIFY(dialog);
        auto* name = dialog->findChild<QLineEdit*>(QStringLiteral("fileNameEdit"));
        QVERIFY(name);
        name->setText(csv); // typed, its completion would stand in front
        name->setFocus();
        QTest::keyClick(name, Qt::Key_Return);
        QTRY_VERIFY(QFile::exists(csv));
        QTRY_COMPARE(progress(), csv + QStringLiteral(" is written."));
        const bench::Plan& plan = panel()->runner().work()->panel.plan;
        QCOMPARE(read(csv), QByteArray::fromStdString(io::results_csv(plan, bench::run(plan))));
        const QString json = folder.filePath(QStringLiteral("r.json"));
        QVERIFY(panel()->exportTo(json));
        QVERIFY(read(json).contains("picknext-results/1"));
        for (const auto& [ending, magic] : {std::pair{"png", "\x89PNG"}, {"svg", "<?xml"}, {"pdf", "%PDF"}}) {
            const QString path = folder.filePath(QStringLiteral("plot.%1").arg(QLatin1String(ending)));
            QVERIFY(panel()->exportTo(path));
            QVERIFY2(read(path).startsWith(magic), ending);
            QVERIFY(QFileInfo(path).size() > 2000);
        }
        QVERIFY(read(folder.filePath(QStringLiteral("plot.svg"))).contains("<text")); // letters stay letters
        QVERIFY(!panel()->exportTo(folder.filePath(QStringLiteral("none/plot.png"))));
        QVERIFY(label("benchWrong")->text().contains(QStringLiteral("was not written")));
    }

    void slowestMomentOpensInTheStepper() {
        type("benchCommand", QStringLiteral("schbench -m 1 -t 2 -r 1 -s 1000 -c 1000"));
        click("bench.run");
        QVERIFY(finished());
        const bench::Run run = panel()->runner().outcome().run(0, 0, 0);
        QVERIFY(run.slowest);
        const Scenario scenario = bench::scenario_of(panel()->runner().work()->panel.plan, 0, 0, 0);
        const auto moment = bench::slowest_moment(scenario, run.slowest);
        click("bench.slowest");
        QTRY_VERIFY_WITH_TIMEOUT(snapshot()->scenario->name == scenario.name, 60'000);
        QTRY_VERIFY_WITH_TIMEOUT(!m_window->controller().isBusy() && snapshot()->position.decision == moment->decision, 120'000);
        QVERIFY(progress().startsWith(QStringLiteral("Opened at its slowest moment")));
    }

    /// Counters written by hand: what the plots of one point make of them.
    void plotsSayWhatWasCounted() {
        BenchWork work;
        work.panel.plan = planOf({.command = "hackbench -p -T -l 20 -g 1", .topology = "generic-x86", .costs = "generic-x86", .kernel = "eevdf-6.12y", .b = ""});
        bench::Outcome outcome{std::vector<bench::Run>(2), 1, 2};
        for (std::size_t arm = 0; arm < 2; ++arm) {
            bench::Run& run = outcome.runs[arm];
            run.end = bench::End::done;
            run.operations = 100;
            run.took = 5'000'000;
            run.figures = {{"p50.0", "us", bench::Better::lower, 10.0 + static_cast<double>(arm)}, {"p99.0", "us", bench::Better::lower, 500}, {"max", "us", bench::Better::lower, 9000}};
            for (std::size_t k = 0; k < run.accounts.spent.size(); ++k) run.accounts.spent[k] = static_cast<std::int64_t>(100'000 / (k + 1));
            run.accounts.count(Tally::pick_direct, 70);
            run.accounts.count(Tally::pick_parity, 5);
            run.accounts.count(Tally::pick_fast, 20 + 4 * arm);
            run.accounts.count(Tally::pick_slow, 5 - 4 * arm);
            run.lines[static_cast<std::size_t>(cost::line_kind_table()[0].id)].transfers = 250;
        }
        const std::vector<Chart> charts = BenchCharts::of(work, outcome, 0);
        const auto named = [&](const char* id) {
            const auto at = std::find_if(charts.begin(), charts.end(), [&](const Chart& c) { return c.id == QLatin1String(id); });
            if (at == charts.end()) qFatal("no plot %s", id);
            return *at;
        };
        QCOMPARE(named("latency").curves[1].marks[0].y, 11.0);
        QCOMPARE(named("latency").logarithmic, true); // 9000 / 10 > 30
        QCOMPARE(named("costs").bars[0].parts[0], 1000.0); // 100 000 ns over 100 messages
        QCOMPARE(named("costs").bars[0].parts[1], 500.0);
        QVERIFY(named("costs").parts[0].startsWith(QStringLiteral("syscall and copy (")));
        QCOMPARE(named("picks").bars[0].parts, (std::vector<double>{70, 5, 20, 5}));
        QCOMPARE(named("picks").bars[1].parts[3], 1.0 * 100 / 100);
        QCOMPARE(named("lines").bars[0].parts[0], 2.5);
        // The marks of the constants behind each kind, and what the pointer finds in a bar.
        QVERIFY(BenchSheets::constants(work, outcome, 0).rows.size() > 10);
        const QString folder = qEnvironmentVariable("PICKNEXT_PICTURES");
        for (const Chart& chart : charts)
            for (const ThemeChoice theme : {ThemeChoice::light, ThemeChoice::dark}) {
                m_window->setTheme(theme);
                ChartView view;
                view.resize(440, 330);
                view.setChart(chart);
                view.show();
                QVERIFY(QTest::qWaitForWindowExposed(&view));
                if (chart.id == QLatin1String("costs")) { // down the plot there is A's bar, its first part at the left
                    QStringList hints;
                    for (int y = 0; y < view.height(); y += 4) hints << view.hint(QPoint(60, y));
                    QVERIFY2(hints.contains(QStringLiteral("A, syscall and copy (A): 1\u202F000 ns per message")), qPrintable(hints.join(QLatin1Char('|'))));
                }
                if (!folder.isEmpty()) view.grab().save(QStringLiteral("%1/chart-%2-%3.png").arg(folder, chart.id, theme == ThemeChoice::dark ? QStringLiteral("dark") : QStringLiteral("light")));
            }
    }

    void everythingHasANameAndAnAction() {
        runSmall();
        for (QWidget* w : panel()->findChildren<QWidget*>())
            if ((qobject_cast<QAbstractButton*>(w) || qobject_cast<QLineEdit*>(w) || qobject_cast<QComboBox*>(w) || qobject_cast<ChartView*>(w) || qobject_cast<QTableView*>(w)) &&
                w->isVisible() && !w->objectName().startsWith(QLatin1String("qt_")) && w->focusPolicy() != Qt::NoFocus)
                QVERIFY2(!w->accessibleName().isEmpty() || (qobject_cast<QAbstractButton*>(w) && !static_cast<QAbstractButton*>(w)->text().isEmpty()), qPrintable(w->objectName()));
        for (const char* id : {"bench.run", "bench.cancel", "bench.slowest", "bench.exportPng", "bench.exportSvg", "bench.exportPdf", "bench.exportCsv", "bench.exportJson"})
            QVERIFY(m_window->actionRegistry().action(QLatin1String(id)));
    }

    /// PICKNEXT_PICTURES=FOLDER: pictures of the panel, to be looked at.
    void pictures() {
        const QString folder = qEnvironmentVariable("PICKNEXT_PICTURES");
        if (folder.isEmpty()) QSKIP("no folder for pictures");
        shoot(folder, QStringLiteral("empty"));
        type("benchCommand", QStringLiteral("hackbench -p --wings"));
        click("bench.run");
        QTRY_VERIFY(label("benchWrong")->isVisible());
        shoot(folder, QStringLiteral("wrong"));
        for (const QString& wanted : qEnvironmentVariable("PICKNEXT_THREADS", QStringLiteral("Thread 1: hackbench")).split(QLatin1Char(','))) {
            const int at = source()->findText(wanted);
            QVERIFY2(at > 0, qPrintable(wanted));
            source()->setCurrentIndex(at);
            click("bench.run");
            QTRY_VERIFY_WITH_TIMEOUT(panel()->runner().done().fraction > 0.3, 200'000);
            shoot(folder, wanted + QStringLiteral("-running"));
            QVERIFY(finished(280'000));
            for (const ThemeChoice theme : {ThemeChoice::light, ThemeChoice::dark}) {
                m_window->setTheme(theme);
                const QString name = wanted + (theme == ThemeChoice::dark ? QStringLiteral("-dark") : QStringLiteral("-light"));
                for (const QSize& size : {QSize(1280, 800), QSize(1024, 640), QSize(1920, 1080)}) {
                    m_window->resize(size);
                    QTest::qWait(100);
                    maximise();
                    shoot(folder, name + QStringLiteral("-%1").arg(size.width()));
                }
            }
            m_window->setTheme(ThemeChoice::light);
            m_window->resize(1280, 800);
            QTest::qWait(100);
            maximise();
            for (const char* name : {"benchCounted", "benchConstants"}) {
                m_window->findChild<QTabWidget*>(QStringLiteral("benchTables"))->setCurrentWidget(table(name));
                m_window->findChild<QScrollArea*>(QStringLiteral("benchScroll"))->ensureWidgetVisible(table(name));
                shoot(folder, wanted + QLatin1Char('-') + QLatin1String(name));
            }
        }
        QTest::keyClick(m_window.get(), Qt::Key_M, Qt::ControlModifier);
        shoot(folder, QStringLiteral("docked"));
    }

  private:
    /// A window of another size class puts the docks back.
    void maximise() {
        if (m_window->findChild<Dock*>(QStringLiteral("machine"))->isHidden() && panel()->isVisible()) return;
        QTest::keyClick(m_window.get(), Qt::Key_8, Qt::AltModifier);
        QTest::keyClick(m_window.get(), Qt::Key_M, Qt::ControlModifier);
    }
    void shoot(const QString& folder, QString name) {
        QTest::qWait(300);
        m_window->grab().save(folder + QLatin1Char('/') + name.replace(QLatin1Char(' '), QLatin1Char('-')).remove(QLatin1Char(':')) + QStringLiteral(".png"));
    }
    void runSmall() {
        type("benchCommand", QStringLiteral("hackbench -p -T -l 20 -g 1"));
        click("bench.run");
        QVERIFY(finished());
    }
    BenchPanel* panel() const { return m_window->findChild<BenchPanel*>(); }
    QComboBox* source() const { return m_window->findChild<QComboBox*>(QStringLiteral("benchSource")); }
    QLineEdit* edit(const char* name) const { return m_window->findChild<QLineEdit*>(QLatin1String(name)); }
    QLabel* label(const char* name) const { return m_window->findChild<QLabel*>(QLatin1String(name)); }
    QTableView* table(const char* name) const { return m_window->findChild<QTableView*>(QLatin1String(name)); }
    SheetModel* model(const char* name) const { return qobject_cast<SheetModel*>(table(name)->model()); }
    QString progress() const { return static_cast<ElidedLabel*>(label("benchProgress"))->whole(); }
    std::shared_ptr<const Snapshot> snapshot() const { return m_window->controller().snapshot(); }
    void type(const char* name, const QString& text) {
        QLineEdit* e = edit(name);
        e->setFocus();
        e->selectAll();
        if (text.isEmpty())
            QTest::keyClick(e, Qt::Key_Delete);
        else
            QTest::keyClicks(e, text);
    }
    void click(const char* button) { QTest::mouseClick(m_window->findChild<QPushButton*>(QLatin1String(button)), Qt::LeftButton); }
    bool finished(int ms = 120'000) {
        return QTest::qWaitFor([&] { return !panel()->runner().isRunning(); }, ms) && panel()->runner().outcome().complete();
    }
    static bench::Plan planOf(const bench::Request& request) {
        auto plan = bench::plan_of(request, io::shipped_platforms());
        if (!plan) qFatal("%s", plan.error().text().c_str());
        return *plan;
    }
    static QByteArray read(const QString& path) {
        QFile file(path);
        return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray();
    }

    OwnSettings m_settings;
    std::unique_ptr<MainWindow> m_window;
};

} // namespace picknext::ui

QTEST_MAIN(picknext::ui::TestBench)
#include "test_bench.moc"
