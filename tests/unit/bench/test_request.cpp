// SPDX-License-Identifier: GPL-3.0-or-later
// Plans worded by a person: arms, points, and where a mistake is said to be.
#include <QtTest>

#include "core/bench/request.hpp"
#include "core/io/results_json.hpp"

using namespace picknext;
using namespace picknext::bench;

class TestRequest : public QObject {
    Q_OBJECT
    static Request small() { return {.command = "hackbench -p -T -l 20", .topology = "one-cpu", .costs = "zero", .kernel = "eevdf-6.12", .sweep = "g=1,3", .repeats = 4, .seed = 9}; }

  private Q_SLOTS:
    void armsTakeWhatIsCommonAndTheirOwn() {
        Request request = small();
        request.set = "feature.RUN_TO_PARITY=off";
        request.b = "feature.PLACE_LAG=off";
        const Result<Plan> plan = plan_of(request, io::shipped_platforms());
        QVERIFY2(plan.has_value(), plan ? "" : plan.error().text().c_str());
        QCOMPARE(plan->arms.size(), 2U);
        QCOMPARE(plan->arms[0].name, "A");
        QCOMPARE(plan->arms[0].changes, "feature.RUN_TO_PARITY=off");
        QCOMPARE(plan->arms[1].changes, "feature.RUN_TO_PARITY=off,feature.PLACE_LAG=off");
        QVERIFY(!plan->arms[0].settings.on(Feature::run_to_parity) && plan->arms[0].settings.on(Feature::place_lag));
        QVERIFY(!plan->arms[1].settings.on(Feature::run_to_parity) && !plan->arms[1].settings.on(Feature::place_lag));
        QCOMPARE(plan->arms[1].settings.kernel, Kernel::eevdf_6_12);
        QCOMPARE(plan->cells.size(), 2U);
        QCOMPARE(plan->cells[1].label, "g=3");
        QCOMPARE(plan->runs(), 16U); // 2 points, 2 arms, 4 seeds
        QCOMPARE(plan->seed, 9U);
        request.b.reset();
        QCOMPARE(plan_of(request, io::shipped_platforms())->arms.size(), 1U);
    }

    void mistakesNameTheirPart_data() {
        QTest::addColumn<QString>("part");
        QTest::addColumn<int>("column");
        for (const char* part : {"kernel", "set", "a", "b", "sweep"}) QTest::newRow(part) << part << 1;
        QTest::newRow("command") << "command" << 1;
    }
    void mistakesNameTheirPart() {
        QFETCH(QString, part);
        QFETCH(int, column);
        Request request = small();
        const std::string wrong = "nonsense";
        if (part == "kernel") request.kernel = wrong;
        if (part == "set") request.set = wrong;
        if (part == "a") request.a = wrong;
        if (part == "b") request.b = wrong;
        if (part == "sweep") request.sweep = wrong;
        if (part == "command") request.command = wrong;
        const Result<Plan> plan = plan_of(request, io::shipped_platforms());
        QVERIFY(!plan);
        QCOMPARE(QString::fromStdString(plan.error().place.file), part);
        QCOMPARE(plan.error().place.column, column);
    }

    void endedRunsAreToldOnceEach() {
        const Result<Plan> plan = plan_of(small(), io::shipped_platforms());
        std::vector<Run> told(plan->runs());
        std::vector<int> times(plan->runs());
        const Outcome outcome = run(*plan, {.jobs = 2, .ended = [&](std::size_t i, const Run& r) {
                                                told[i] = r;
                                                ++times[i];
                                            }});
        QVERIFY(told == outcome.runs);
        QVERIFY(std::all_of(times.begin(), times.end(), [](int n) { return n == 1; }));
    }
};

QTEST_APPLESS_MAIN(TestRequest)
#include "test_request.moc"
