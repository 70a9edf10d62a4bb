// SPDX-License-Identifier: GPL-3.0-or-later
// Models over real snapshots: the rules of item models, and the values in their cells.
#include <QAbstractItemModelTester>

#include "core/explain/explain.hpp"
#include "core/fair/views.hpp"
#include "tests/ui/window_fixture.hpp"
#include "ui/dialogs/palette_dialog.hpp"
#include "ui/dialogs/refused_dialog.hpp"
#include "ui/models/check_model.hpp"
#include "ui/models/decision_model.hpp"
#include "ui/models/number_text.hpp"
#include "ui/models/roles.hpp"
#include "ui/models/run_queue_model.hpp"
#include "ui/models/scenario_model.hpp"

namespace picknext::ui {

class TestModels : public QObject {
    Q_OBJECT

  private Q_SLOTS:
    void initTestCase() { m_scenario = scenario("default"); }

    void decisionsGrowAndTravel() {
        DecisionModel model;
        QAbstractItemModelTester tester(&model, QAbstractItemModelTester::FailureReportingMode::QtTest);
        Timeline timeline(m_scenario);
        QSignalSpy inserted(&model, &QAbstractItemModel::rowsInserted);
        for (const std::uint64_t number : {1, 50, 400, 20}) {
            timeline.seek_decision(number);
            model.setSnapshot(timeline.snapshot());
            QCOMPARE(model.currentRow(), static_cast<int>(number) - 1);
            QVERIFY(model.index(model.currentRow(), 0).data(NowRole).toBool());
        }
        QVERIFY(model.rowCount() >= 400);
        QVERIFY(inserted.count() >= 2);
        QCOMPARE(model.index(49, DecisionModel::Number).data().toString(), QStringLiteral("50"));
        // A row says what the header of that decision says.
        const auto s = timeline.snapshot();
        const DecisionHeader& h = s->index.row(49);
        QCOMPARE(model.index(49, DecisionModel::Kind).data().toString(),
                 QString::fromUtf8(info(h.kind).name.data()));
        QCOMPARE(model.index(49, DecisionModel::Time).data().toString(), msColumn(h.at));
        model.setSnapshot(nullptr);
        QCOMPARE(model.rowCount(), 0);
    }

    void runQueueFollowsTheQueue() {
        RunQueueModel model;
        QAbstractItemModelTester tester(&model, QAbstractItemModelTester::FailureReportingMode::QtTest);
        model.setCpu(CpuId{3});
        Timeline timeline(m_scenario);
        for (const std::int64_t ms : {1, 5, 20, 21, 3, 60}) {
            timeline.seek_time(ms * 1'000'000);
            const auto s = timeline.snapshot();
            model.setSnapshot(s);
            QCOMPARE(model.rowCount(), static_cast<int>(s->state.root_queue(CpuId{3}).h_nr_queued));
            for (int row = 0; row < model.rowCount(); ++row) {
                const TaskId task{model.index(row, 0).data(TaskRole).toInt()};
                const Entity& e = s->state.entity(task);
                QCOMPARE(model.index(row, RunQueueModel::Vruntime).data(SortRole).toLongLong(),
                         static_cast<qint64>(e.vruntime.ns));
                QCOMPARE(model.index(row, RunQueueModel::Lag).data(SortRole).toLongLong(),
                         fair::lag(s->state.settings, s->state, e.queue, s->state.task(task).entity));
            }
        }
        model.setCpu(CpuId::none());
        QCOMPARE(model.rowCount(), 28); // every task of the scenario
    }

    void checksAreCoveredUntilSeen() {
        CheckModel model;
        QAbstractItemModelTester tester(&model, QAbstractItemModelTester::FailureReportingMode::QtTest);
        Timeline timeline(m_scenario);
        timeline.seek_time(30'000'000);
        for (int i = 0; i < 200; ++i) {
            timeline.step(StepUnit::check, Direction::forward);
            const auto s = timeline.snapshot();
            if (s->header.kind == Kind::count) break;
            model.setChecks(s, explain(*s->scenario, s->state, s->header, s->checks).checks);
            int covered = 0;
            int deciding = 0;
            for (int row = 0; row < model.rowCount(); ++row) {
                covered += model.index(row, 0).data(CoveredRole).toBool() ? 1 : 0;
                deciding += model.index(row, 0).data(DecidingRole).toBool() ? 1 : 0;
            }
            QCOMPARE(covered, static_cast<int>(s->checks.size()) - s->position.check);
            QVERIFY(deciding <= 1);
        }
    }

    void scenarioIsATree() {
        ScenarioModel model;
        QAbstractItemModelTester tester(&model, QAbstractItemModelTester::FailureReportingMode::QtTest);
        Timeline timeline(m_scenario);
        model.setSnapshot(timeline.snapshot().get());
        QCOMPARE(model.rowCount(), static_cast<int>(ScenarioModel::SectionCount));
        QCOMPARE(model.sectionIndex(ScenarioModel::Topology).data(DetailRole).toString(),
                 QStringLiteral("16 CPUs"));
        QCOMPARE(model.sectionIndex(ScenarioModel::Tasks).data(DetailRole).toString(), QStringLiteral("28"));
        QCOMPARE(model.taskIndex(TaskId{0}).data().toString(), QStringLiteral("audio"));
        QCOMPARE(model.taskIndex(TaskId{1}).data(DetailRole).toString(), QStringLiteral("nice −5"));
        QCOMPARE(ScenarioModel::changedPatches(*m_scenario), 0);
    }

    void paletteFindsByWords() {
        QWidget window;
        ActionRegistry registry(&window);
        registry.add({.id = QStringLiteral("a"),
                      .group = QStringLiteral("Transport"),
                      .text = QStringLiteral("Step by &tick")});
        registry.add({.id = QStringLiteral("b"),
                      .group = QStringLiteral("View"),
                      .text = QStringLiteral("Reset layout")});
        PaletteModel model(&registry);
        QAbstractItemModelTester tester(&model, QAbstractItemModelTester::FailureReportingMode::QtTest);
        model.setFilter(QStringLiteral("tick step"));
        QCOMPARE(model.rowCount(), 1);
        QCOMPARE(model.index(0).data().toString(), QStringLiteral("Step by tick"));
        model.setFilter(QStringLiteral("view"));
        QCOMPARE(model.rowCount(), 1);
        model.setFilter(QStringLiteral("nothing of the kind"));
        QCOMPARE(model.rowCount(), 0);
    }

    void reportIsATable() {
        ReportModel model(
            {{io::Severity::warning, "W-DUPKEY", {"a.json", 3, 4, "/x"}, "x is there twice", 2}});
        QAbstractItemModelTester tester(&model, QAbstractItemModelTester::FailureReportingMode::QtTest);
        QCOMPARE(model.index(0, ReportModel::PlaceColumn).data().toString(), QStringLiteral("3:4"));
        QCOMPARE(model.index(0, ReportModel::Count).data().toString(), QStringLiteral("2"));
    }

    void times_data() {
        QTest::addColumn<QString>("text");
        QTest::addColumn<bool>("good");
        QTest::addColumn<qint64>("ns");
        QTest::newRow("ms by default") << QStringLiteral("84.0015") << true << qint64{84'001'500};
        QTest::newRow("groups and unit")
            << QStringLiteral("84.001\u202F500 ms") << true << qint64{84'001'500};
        QTest::newRow("us") << QStringLiteral("12us") << true << qint64{12'000};
        QTest::newRow("micro sign") << QStringLiteral("12.5 µs") << true << qint64{12'500};
        QTest::newRow("seconds") << QStringLiteral("1.5s") << true << qint64{1'500'000'000};
        QTest::newRow("ns") << QStringLiteral("7ns") << true << qint64{7};
        QTest::newRow("word") << QStringLiteral("soon") << false << qint64{0};
        QTest::newRow("negative") << QStringLiteral("-3") << false << qint64{0};
        QTest::newRow("too long") << QStringLiteral("999999999999s") << false << qint64{0};
    }
    void times() {
        QFETCH(QString, text);
        QFETCH(bool, good);
        QFETCH(qint64, ns);
        std::int64_t read = 0;
        QCOMPARE(parseTime(text, &read), good);
        if (good) QCOMPARE(static_cast<qint64>(read), ns);
    }
    void timesAreWritten() {
        QCOMPARE(msColumn(84'001'500), QStringLiteral("84.001500"));
        QCOMPARE(msGrouped(84'001'500), QStringLiteral("84.001\u202F500"));
        QCOMPARE(plain(QStringLiteral("−9\u202F825")), QStringLiteral("-9825"));
        QCOMPARE(duration(3'000'000), QStringLiteral("3 ms"));
    }

  private:
    OwnSettings m_settings;
    std::shared_ptr<const Scenario> m_scenario;
};

} // namespace picknext::ui

QTEST_MAIN(picknext::ui::TestModels)
#include "test_models.moc"
