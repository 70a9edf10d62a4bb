// SPDX-License-Identifier: GPL-3.0-or-later
// A scenario names its costs: a shipped profile, or the profile itself.
#include <QTest>

#include "core/io/document.hpp"

using namespace picknext;
using namespace picknext::io;

class TestScenarioCosts : public QObject {
    Q_OBJECT
  private Q_SLOTS:
    void scenariosNameTheirCosts() {
        const std::string head = R"({"format": "picknext-scenario/1", "topology": {"build": {"cores": 2}}, "workload": {"tasks": [{"name": "t", "phases": [{"name": "p", "ops": [{"run": "1ms"}]}]}]}, "costs": )";
        Report report;
        const Result<Scenario> named = read_scenario(head + "\"hikey\"}", "s.json", report);
        QVERIFY2(named.has_value(), named ? "" : named.error().text().c_str());
        QCOMPARE(named->costs.costs[cost::Cost::context_switch], std::int64_t{5000});
        const Result<Scenario> again = read_scenario(write_scenario(*named), "s.json", report);
        QVERIFY(again && again->costs == named->costs);
        const Result<Scenario> wrong = read_scenario(head + "\"hikee\"}", "s.json", report);
        QVERIFY(!wrong && wrong.error().code == "E-SHIPPED" && wrong.error().place.pointer == "/costs");
        const Result<Scenario> number = read_scenario(head + "5}", "s.json", report);
        QVERIFY(!number && number.error().code == "E-TYPE");
        const Result<Scenario> none = read_scenario(R"({"format": "picknext-scenario/1", "topology": {"build": {"cores": 2}}, "workload": {"tasks": [{"name": "t", "phases": [{"name": "p", "ops": [{"run": "1ms"}]}]}]}})", "s.json", report);
        QVERIFY(none && none->costs == cost::CostProfile{});
    }
};

QTEST_APPLESS_MAIN(TestScenarioCosts)
#include "test_scenario_costs.moc"
