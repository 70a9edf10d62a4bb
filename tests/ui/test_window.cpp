// SPDX-License-Identifier: GPL-3.0-or-later
// The window driven as a person drives it: clicks and keys on the offscreen platform.
#include <QAccessible>
#include <QApplication>
#include <QClipboard>
#include <QDialog>
#include <QLabel>
#include <QLineEdit>
#include <QListView>
#include <QScrollArea>
#include <QTableView>
#include <QToolBar>
#include <QToolButton>

#include "tests/ui/window_fixture.hpp"
#include "ui/docks/dock.hpp"
#include "ui/models/roles.hpp"
#include "ui/painted/machine_view.hpp"
#include "ui/painted/timeline_view.hpp"

namespace picknext::ui {

class TestWindow : public QObject {
    Q_OBJECT

  private Q_SLOTS:
    void init() {
        m_window = std::make_unique<MainWindow>();
        m_window->forgetLayout();
        m_window->show();
        QVERIFY(QTest::qWaitForWindowExposed(m_window.get()));
        m_window->openFile(scenario_path("default"));
        QTRY_VERIFY_WITH_TIMEOUT(snapshot() != nullptr, 60'000);
        QVERIFY(settle(controller()));
        QCOMPARE(decision(), *snapshot()->scenario->cursor_decision); // opens where the scenario says
        controller().seekDecision(1);
        QVERIFY(settle(controller()));
        QCOMPARE(decision(), 1u);
    }
    void cleanup() { m_window.reset(); }

    void stepAndBackByButtonAndKey() {
        click("step.forward");
        QCOMPARE(decision(), 2u);
        const std::uint64_t digest = snapshot()->digest;
        QTest::keyClick(m_window.get(), Qt::Key_F10);
        QVERIFY(settle(controller()));
        QCOMPARE(decision(), 3u);
        QCOMPARE(field("decisionField")->text(), QStringLiteral("3"));
        QTest::keyClick(m_window.get(), Qt::Key_F8);
        QVERIFY(settle(controller()));
        QCOMPARE(decision(), 2u);
        QCOMPARE(snapshot()->digest, digest);
        click("go.start");
        QCOMPARE(decision(), 0u);
        QVERIFY(!m_window->actionRegistry().action(QStringLiteral("step.back"))->isEnabled());
    }

    void heldKeyLosesNoStep() {
        for (int i = 0; i < 60; ++i)
            QTest::keyClick(m_window.get(), Qt::Key_F10);
        QVERIFY(settle(controller()));
        QCOMPARE(decision(), 61u);
    }

    void unitKeysStepByTheirUnit() {
        QTest::keyClick(m_window.get(), Qt::Key_7, Qt::ControlModifier); // 1 ms
        QVERIFY(settle(controller()));
        QVERIFY(snapshot()->state.now >= 1'000'000);
        const std::uint64_t switches = snapshot()->state.switches;
        QTest::keyClick(m_window.get(), Qt::Key_3, Qt::ControlModifier); // context switch
        QVERIFY(settle(controller()));
        QVERIFY(snapshot()->state.switches >= switches);
        const quint64 here = decision();
        QTest::keyClick(m_window.get(), Qt::Key_1, Qt::ControlModifier); // check
        QVERIFY(settle(controller()));
        QVERIFY(decision() == here || decision() == here + 1);
    }

    void fieldsTravel() {
        QLineEdit* number = field("decisionField");
        number->setFocus();
        number->selectAll();
        QTest::keyClicks(number, QStringLiteral("120"));
        QTest::keyClick(number, Qt::Key_Return);
        QVERIFY(settle(controller()));
        QCOMPARE(decision(), 120u);
        QLineEdit* time = field("timeField");
        time->setFocus();
        time->selectAll();
        QTest::keyClicks(time, QStringLiteral("10ms"));
        QTest::keyClick(time, Qt::Key_Return);
        QVERIFY(settle(controller()));
        QVERIFY(snapshot()->state.now >= 10'000'000);
        time->selectAll();
        QTest::keyClicks(time, QStringLiteral("soon"));
        QTest::keyClick(time, Qt::Key_Return);
        QVERIFY(time->toolTip().contains(QStringLiteral("soon"))); // said, and nothing moved
    }

    void clickOnALogRowTravels() {
        controller().seekDecision(200);
        QVERIFY(settle(controller()));
        auto* table = m_window->findChild<QTableView*>(QStringLiteral("decisions"));
        table->scrollTo(table->model()->index(41, 0), QAbstractItemView::PositionAtCenter);
        const QRect cell = table->visualRect(table->model()->index(41, 2));
        QTest::mouseClick(table->viewport(), Qt::LeftButton, {}, cell.center());
        QVERIFY(settle(controller()));
        QCOMPARE(decision(), 42u);
        QVERIFY(table->model()->index(41, 0).data(NowRole).toBool());
    }

    void clickInTheMachineSelectsTheQueue() {
        auto* machine = m_window->findChild<MachineView*>();
        auto* queue = m_window->findChild<Dock*>(QStringLiteral("queue"));
        for (const int cpu : {5, 12, 3}) {
            QTest::mouseClick(machine, Qt::LeftButton, {}, machine->itemRect(cpu).center().toPoint());
            QCOMPARE(m_window->selection().cpu(), CpuId{cpu});
            QCOMPARE(queue->windowTitle(), QStringLiteral("Run queue of CPU %1").arg(cpu));
        }
    }

    void runAndPause() {
        QTest::keyClick(m_window.get(), Qt::Key_F5);
        QVERIFY(controller().isRunning());
        QTRY_VERIFY_WITH_TIMEOUT(decision() > 5, 20'000);
        QTest::keyClick(m_window.get(), Qt::Key_F5, Qt::ShiftModifier);
        QVERIFY(!controller().isRunning());
        QVERIFY(settle(controller()));
        const quint64 here = decision();
        QTest::qWait(150);
        QCOMPARE(decision(), here); // nothing moves while paused
    }

    void runReachesTheEndAndStops() {
        m_window->actionRegistry().action(QStringLiteral("run.speed.max"))->trigger();
        controller().run();
        QTRY_VERIFY_WITH_TIMEOUT(!controller().isRunning(), 60'000);
        QVERIFY(settle(controller()));
        QVERIFY(snapshot()->at_end);
        QVERIFY(!m_window->actionRegistry().action(QStringLiteral("run.run"))->isEnabled());
    }

    void cancelKeepsAUsableState() {
        controller().seekTime(190'000'000);
        controller().cancel();
        QVERIFY(settle(controller()));
        click("step.forward");
        QVERIFY(decision() >= 2);
    }

    void paletteRunsActionsAndTravels() {
        QVERIFY(activate());
        QTest::keyClick(m_window.get(), Qt::Key_K, Qt::ControlModifier);
        auto* palette = m_window->findChild<QDialog*>(QStringLiteral("palette"));
        QTRY_VERIFY(palette->isVisible());
        auto* edit = palette->findChild<QLineEdit*>();
        QTest::keyClicks(edit, QStringLiteral("step by decision"));
        QTest::keyClick(edit, Qt::Key_Return);
        QTRY_VERIFY(!palette->isVisible());
        QVERIFY(settle(controller()));
        QCOMPARE(decision(), 2u);
        click("palette.open");
        QTRY_VERIFY(palette->isVisible());
        QTest::keyClicks(edit, QStringLiteral("#33"));
        QTest::keyClick(edit, Qt::Key_Return);
        QVERIFY(settle(controller()));
        QCOMPARE(decision(), 33u);
    }

    void refusedFileKeepsWhatIsOpen() {
        QTemporaryDir folder;
        const QString path = folder.filePath(QStringLiteral("web.json"));
        QFile file(path);
        QVERIFY(file.open(QIODevice::WriteOnly));
        file.write("{\"format\": \"picknext-scenario/1\",\n \"workload\": {\"tasks\": [{\"name\": \"t\",\n  "
                   "\"nice\": 99}]}}\n");
        file.close();
        const auto before = snapshot();
        QSignalSpy refused(m_window.get(), &MainWindow::refused);
        m_window->openFile(path);
        QTRY_COMPARE_WITH_TIMEOUT(refused.count(), 1, 20'000);
        auto* dialog = m_window->findChild<QDialog*>(QStringLiteral("refused"));
        QVERIFY(dialog && dialog->isVisible());
        QVERIFY(dialog->windowTitle().contains(QStringLiteral("web.json")));
        QVERIFY(!dialog->findChild<QLabel*>(QStringLiteral("sentence"))->text().isEmpty());
        QTest::keyClick(dialog, Qt::Key_Escape);
        QCOMPARE(snapshot(), before);
        QVERIFY(m_window->windowTitle().startsWith(QStringLiteral("default.json")));
        click("step.forward");
        QCOMPARE(decision(), 2u);
    }

    void whyIsCopiedAsText() {
        controller().seekDecision(100);
        QVERIFY(settle(controller()));
        m_window->actionRegistry().action(QStringLiteral("edit.copyWhy"))->trigger();
        const QString text = QApplication::clipboard()->text();
        QVERIFY(!text.isEmpty());
        for (const QString& line : text.split(QLatin1Char('\n')))
            QVERIFY2(line.size() <= 72, qPrintable(line));
    }

    void everyActionCanBeTriggered() {
        controller().seekDecision(300);
        QVERIFY(settle(controller()));
        QStringList keys;
        for (QAction* a : m_window->actionRegistry().all()) {
            const QString id = ActionRegistry::id(a);
            QVERIFY2(!ActionRegistry::title(a).isEmpty() && !a->toolTip().isEmpty() &&
                         !ActionRegistry::group(a).isEmpty(),
                     qPrintable(id));
            for (const QKeySequence& k : a->shortcuts()) {
                QVERIFY2(!keys.contains(k.toString()),
                         qPrintable(id + QStringLiteral(" shares ") + k.toString()));
                keys << k.toString();
            }
            if (!a->isEnabled()) {
                QVERIFY2(!ActionRegistry::unavailable(a).isEmpty(), qPrintable(id));
                continue;
            }
            if (id == QLatin1String("file.quit")) continue; // last
            a->trigger();
            QVERIFY2(settle(controller()), qPrintable(id));
            controller().cancel();
            while (QWidget* modal = QApplication::activeModalWidget()) {
                modal->close();
                QTest::qWait(10);
            }
            QVERIFY2(m_window->isVisible(), qPrintable(id));
        }
        m_window->actionRegistry().action(QStringLiteral("file.quit"))->trigger();
        QVERIFY(!m_window->isVisible());
    }

    void docksStayWhereTheyAreWhileStepping_data() { layoutFitsAtThreeSizes_data(); }
    void layoutFitsAtThreeSizes_data() {
        QTest::addColumn<QSize>("size");
        QTest::newRow("1024x640") << QSize(1024, 640);
        QTest::newRow("1280x800") << QSize(1280, 800);
        QTest::newRow("1920x1080") << QSize(1920, 1080);
    }
    void docksStayWhereTheyAreWhileStepping() {
        QFETCH(QSize, size);
        resizeTo(size);
        const QRect before = m_window->findChild<Dock*>(QStringLiteral("why"))->geometry();
        for (int i = 0; i < 12; ++i)
            QTest::keyClick(m_window.get(), Qt::Key_F10);
        QVERIFY(settle(controller()));
        QCOMPARE(m_window->findChild<Dock*>(QStringLiteral("why"))->geometry(), before);
    }
    void layoutFitsAtThreeSizes() {
        QFETCH(QSize, size);
        resizeTo(size);
        QCOMPARE(m_window->size(), size);
        QVERIFY(m_window->findChild<Dock*>(QStringLiteral("why"))->isVisible());
        auto* bar = m_window->findChild<QToolBar*>(QStringLiteral("transport"));
        for (QWidget* w : bar->findChildren<QWidget*>(QString(), Qt::FindDirectChildrenOnly)) {
            if (w->objectName() == QLatin1String("qt_toolbar_ext_button")) {
                QVERIFY2(!w->isVisible(), "the transport bar does not fit");
                continue;
            }
            if (!w->isVisible()) continue;
            QVERIFY2(bar->rect().contains(w->geometry()), qPrintable(w->objectName()));
            QVERIFY2(w->width() >= w->minimumSizeHint().width(), qPrintable(w->objectName()));
        }
        // Docks that are visible do not overlap.
        QList<QRect> taken;
        for (Dock* d : m_window->findChildren<Dock*>()) {
            if (d->visibleRegion().isEmpty()) continue;
            for (const QRect& r : taken)
                QVERIFY2(!r.intersects(d->geometry()), qPrintable(d->objectName()));
            QVERIFY2(m_window->rect().contains(d->geometry()), qPrintable(d->objectName()));
            taken << d->geometry();
        }
        QVERIFY(taken.size() >= 3);
    }

    void themeSwitchesLive() {
        m_window->setTheme(ThemeChoice::dark);
        QVERIFY(QApplication::palette().color(QPalette::Base).lightness() < 80);
        m_window->setTheme(ThemeChoice::light);
        QVERIFY(QApplication::palette().color(QPalette::Base).lightness() > 200);
    }

    void controlsHaveNames() {
        for (QWidget* w : m_window->findChildren<QWidget*>()) {
            if (!w->isVisible() || w->focusPolicy() == Qt::NoFocus || qobject_cast<QScrollArea*>(w)) continue;
            if (w->objectName().startsWith(QLatin1String("qt_"))) continue;
            QAccessibleInterface* a = QAccessible::queryAccessibleInterface(w);
            QVERIFY(a);
            const QString name = a->text(QAccessible::Name);
            QVERIFY2(!name.isEmpty() || qobject_cast<Dock*>(w), w->metaObject()->className());
        }
    }

  private:
    /// A layout settles over several turns of the event loop; on a busy machine each of them is long.
    void resizeTo(QSize size) {
        m_window->resize(size);
        const Dock* why = m_window->findChild<Dock*>(QStringLiteral("why"));
        QRect last;
        for (int unchanged = 0; unchanged < 5; unchanged = why->geometry() == last ? unchanged + 1 : 0) {
            last = why->geometry();
            QTest::qWait(20);
        }
    }
    bool activate() {
        m_window->activateWindow();
        return QTest::qWaitForWindowActive(m_window.get());
    }
    RunController& controller() { return m_window->controller(); }
    std::shared_ptr<const Snapshot> snapshot() { return m_window->controller().snapshot(); }
    quint64 decision() { return snapshot()->position.decision; }
    QLineEdit* field(const char* name) { return m_window->findChild<QLineEdit*>(QLatin1String(name)); }
    void click(const char* action) {
        auto* button = m_window->findChild<QToolBar*>(QStringLiteral("transport"))
                           ->findChild<QToolButton*>(QLatin1String(action));
        QTest::mouseClick(button, Qt::LeftButton);
        QVERIFY(settle(controller()));
    }

    OwnSettings m_settings;
    std::unique_ptr<MainWindow> m_window;
};

} // namespace picknext::ui

QTEST_MAIN(picknext::ui::TestWindow)
#include "test_window.moc"
