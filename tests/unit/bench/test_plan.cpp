// SPDX-License-Identifier: GPL-3.0-or-later
// Sweeps as people type them, and the commands they make.
#include <QtTest>

#include "core/bench/plan.hpp"

using namespace picknext;
using namespace picknext::bench;

class TestPlan : public QObject {
    Q_OBJECT
  private Q_SLOTS:
    void sweepsAreRead_data() {
        QTest::addColumn<QString>("text");
        QTest::addColumn<QString>("option");
        QTest::addColumn<QString>("values");
        QTest::newRow("step") << "g=2..14:2" << "g" << "2 4 6 8 10 12 14";
        QTest::newRow("a step that does not divide") << "g=1..10:4" << "g" << "1 5 9";
        QTest::newRow("no step") << "m=1..3" << "m" << "1 2 3";
        QTest::newRow("one") << "g=5..5" << "g" << "5";
        QTest::newRow("dashes") << "--pairs=24,48,192" << "pairs" << "24 48 192";
        QTest::newRow("words") << "t=TCP_RR,UDP_RR" << "t" << "TCP_RR UDP_RR";
    }
    void sweepsAreRead() {
        QFETCH(QString, text);
        QFETCH(QString, option);
        QFETCH(QString, values);
        const Result<Sweep> sweep = read_sweep(text.toStdString());
        QVERIFY2(sweep.has_value(), sweep ? "" : sweep.error().text().c_str());
        QCOMPARE(QString::fromStdString(sweep->option), option);
        QStringList found;
        for (const std::string& v : sweep->values) found << QString::fromStdString(v);
        QCOMPARE(found.join(' '), values);
    }
    void wrongSweepsAreRefused_data() {
        QTest::addColumn<QString>("text");
        QTest::addColumn<QString>("error");
        QTest::newRow("nothing") << "" << "1:1: error E-USAGE: \"\" is no option and values; write g=2..14:2 or g=1,2,4";
        QTest::newRow("no values") << "g" << "1:1: error E-USAGE: \"g\" is no option and values; write g=2..14:2 or g=1,2,4";
        QTest::newRow("gap") << "g=1,,2" << "1:5: error E-USAGE: a value is missing here; write g=2..14:2 or g=1,2,4";
        QTest::newRow("empty") << "g=" << "1:3: error E-USAGE: a value is missing here; write g=2..14:2 or g=1,2,4";
        QTest::newRow("words") << "g=a..b" << "1:3: error E-USAGE: \"a..b\" is no range of whole numbers; write 2..14:2";
        QTest::newRow("step 0") << "g=1..4:0" << "1:8: error E-RANGE: the step of a range is at least 1";
        QTest::newRow("down") << "g=4..1" << "1:3: error E-RANGE: a range goes from the lower number to the higher";
        QTest::newRow("many") << "g=0..1000" << "1:3: error E-LIMIT: at most 1000 points are possible";
        QTest::newRow("huge") << "g=-9223372036854775808..9223372036854775807:1" << "1:3: error E-LIMIT: at most 1000 points are possible";
    }
    void wrongSweepsAreRefused() {
        QFETCH(QString, text);
        QFETCH(QString, error);
        const Result<Sweep> sweep = read_sweep(text.toStdString());
        QVERIFY(!sweep.has_value());
        QCOMPARE(QString::fromStdString(sweep.error().text()), error);
    }
    void theLargestSweepIsRead() { QCOMPARE(read_sweep("g=1..1000")->values.size(), max_points); }

    void cellsAreLabelled() {
        const Reader read = [](const std::string& command, const Machine&) -> Result<Benchmark> {
            if (command.find('7') != std::string::npos) return Error{"E-USAGE", {}, "no sevens"};
            Benchmark b;
            b.command = command;
            return b;
        };
        const Result<Sweep> sweep = read_sweep("g=2,4");
        const Result<std::vector<Cell>> cells = cells_of("hackbench -g 1", &*sweep, {}, read);
        QVERIFY(cells && cells->size() == 2);
        QCOMPARE((*cells)[1].label, std::string("g=4"));
        QCOMPARE((*cells)[1].benchmark.command, std::string("hackbench -g 4"));
        QVERIFY(cells_of("hackbench", nullptr, {}, read)->front().label.empty());
        QCOMPARE(cells_of("hackbench -g 7", nullptr, {}, read).error().message, std::string("no sevens"));
    }
};

QTEST_APPLESS_MAIN(TestPlan)
#include "test_plan.moc"
