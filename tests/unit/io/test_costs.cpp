// SPDX-License-Identifier: GPL-3.0-or-later
// costs/1: what a file may leave out, and what is wrong with one, in its words.
#include <QTest>

#include "core/io/document.hpp"

using namespace picknext;
using cost::Cost;

class TestCostFiles : public QObject {
    Q_OBJECT
  private Q_SLOTS:
    void values();
    void silent_constants();
    void own_keys();
    void mistakes_data();
    void mistakes();
    void warnings_data();
    void warnings();
};

namespace {

QByteArray constants(const QByteArray& list, const QByteArray& further = {}) {
    return "{\"format\": \"picknext-costs/1\",\n \"constants\": {" + list + "}" + further + "}";
}
QByteArray states(const QByteArray& list) { return constants({}, ",\n \"idle_states\": [" + list + "]"); }

Result<cost::CostProfile> read(const QByteArray& input, io::Report& report) { return io::read_costs(input.toStdString(), "f.json", report); }

void columns() {
    QTest::addColumn<QByteArray>("input");
    QTest::addColumn<QByteArray>("expected");
}
void row(const char* name, const QByteArray& input, const char* expected) { QTest::newRow(name) << input << QByteArray(expected); }

} // namespace

void TestCostFiles::values() {
    io::Report report;
    const auto c = read(constants("\"tick\": {\"value\": \"2.5us\", \"basis\": \"published\", \"range\": [\"2us\", \"3us\"], \"text\": \"a trace\"},"
                                  "\"line_eviction\": {\"value\": 250, \"basis\": \"assumed\"}, \"cold_on\": {\"value\": true, \"basis\": \"assumed\"}",
                                  ", \"idle_states\": [{\"name\": \"C1\", \"exit_latency\": \"2us\", \"residency\": \"3us\", \"exit\": \"500ns\", \"basis\": \"assumed\"}]"),
                        report);
    QVERIFY2(c.has_value(), c ? "" : c.error().text().c_str());
    QCOMPARE(c->costs[Cost::tick], std::int64_t{2500});
    QVERIFY((c->provenance[cost::index_of(Cost::tick)] == cost::Provenance{cost::Basis::published, "a trace", 2000, 3000}));
    QCOMPARE(c->costs[Cost::line_eviction], std::int64_t{250});
    QCOMPARE(c->costs[Cost::cold_on], std::int64_t{1});
    QCOMPARE(c->costs.idle_state_count, std::int64_t{1});
    QVERIFY((c->costs.idle_states[0] == cost::IdleState{2000, 3000, 500}));
}

/// One note names every default that holds.
void TestCostFiles::silent_constants() {
    io::Report report;
    const auto c = read(constants("\"tick\": {\"value\": \"3us\", \"basis\": \"assumed\"}"), report);
    QVERIFY(c.has_value());
    QCOMPARE(c->costs[Cost::wakeup], std::int64_t{350});
    QCOMPARE(report.size(), std::size_t{1});
    const QByteArray line = QByteArray::fromStdString(report[0].line());
    QVERIFY2(line.startsWith("f.json:2:15: note N-DEFAULT /constants: these are not given and have their defaults: distance_same_core 9ns, "), line);
    QVERIFY2(line.contains(", wakeup 350ns, ") && line.contains(", refill_preempted 300 ‰, ") && line.contains(", polling_idle on, "), line);
    QVERIFY2(!line.contains(" tick "), line);
}

void TestCostFiles::own_keys() {
    io::Report report;
    const auto c = read(constants("\"tick\": {\"value\": \"3us\", \"basis\": \"assumed\", \"x-mail\": 7}", ", \"x-by\": \"me\""), report);
    QVERIFY(c.has_value());
    const QByteArray saved = QByteArray::fromStdString(io::write_costs(*c));
    QVERIFY2(saved.contains("\"x-mail\": 7") && saved.contains("\"x-by\": \"me\""), saved);
}

void TestCostFiles::mistakes_data() {
    columns();
    row("no cost file", "{\"format\": \"picknext-scenario/1\"}", "f.json:1:1: error E-FORMAT: this is not a cost profile (picknext-costs/1)");
    row("no constants", "{\"format\": \"picknext-costs/1\"}", "f.json:1:1: error E-MISSING: the key \"constants\" is missing here");
    row("a bare value", constants("\"tick\": \"3us\""), "f.json:2:24: error E-TYPE /constants/tick: an object is needed here, not a text");
    row("no unit", constants("\"tick\": {\"value\": 3000, \"basis\": \"assumed\"}"),
        "f.json:2:34: error E-UNIT /constants/tick/value: 3000 has no unit; write \"3000us\" or with ns, ms or s");
    row("no basis", constants("\"tick\": {\"value\": \"3us\"}"), "f.json:2:24: error E-MISSING /constants/tick: the key \"basis\" is missing here");
    row("unknown basis", constants("\"tick\": {\"value\": \"3us\", \"basis\": \"guessed\"}"),
        "f.json:2:50: error E-ENUM /constants/tick/basis: \"guessed\" is not known here; allowed are published, measured, fitted, assumed");
    row("published nowhere", constants("\"tick\": {\"value\": \"3us\", \"basis\": \"published\"}"),
        "f.json:2:24: error E-MISSING /constants/tick: the key \"text\" is missing here");
    row("eleven seconds", constants("\"tick\": {\"value\": \"11s\", \"basis\": \"assumed\"}"),
        "f.json:2:34: error E-RANGE /constants/tick/value: 11s is out of range; 0 to 10s are possible");
    row("a negative count", constants("\"refill_mlp\": {\"value\": -1, \"basis\": \"assumed\"}"),
        "f.json:2:40: error E-RANGE /constants/refill_mlp/value: -1 is out of range; 0 to 1000000 are possible");
    row("a switch of 1", constants("\"cold_on\": {\"value\": 1, \"basis\": \"assumed\"}"),
        "f.json:2:37: error E-TYPE /constants/cold_on/value: true or false is needed here, not 1");
    row("range of one", constants("\"tick\": {\"value\": \"3us\", \"basis\": \"assumed\", \"range\": [\"1us\"]}"),
        "f.json:2:70: error E-TYPE /constants/tick/range: a range is two values, the lowest and the highest");
    row("range upside down", constants("\"tick\": {\"value\": \"3us\", \"basis\": \"assumed\", \"range\": [\"4us\", \"1us\"]}"),
        "f.json:2:70: error E-RANGE /constants/tick/range: the lowest value of this range is above the highest; swap them");
    const QByteArray c6 = "{\"name\": \"C6\", \"exit_latency\": \"133us\", \"residency\": \"600us\", \"exit\": \"80us\", \"basis\": \"assumed\"}";
    row("states upside down", states(c6 + ",\n{\"name\": \"C1\", \"exit_latency\": \"2us\", \"residency\": \"2us\", \"exit\": \"1us\", \"basis\": \"assumed\"}"),
        "f.json:4:52: error E-ORDER /idle_states/1/residency: the state before this one has a longer residency; list the lightest state first");
    QByteArray nine = c6;
    for (int i = 0; i < 8; ++i) nine += ", " + c6;
    row("nine states", states(nine), "f.json:3:17: error E-LIMIT /idle_states: 9 idle states, at most 8 are possible");
}
void TestCostFiles::mistakes() {
    QFETCH(QByteArray, input);
    QFETCH(QByteArray, expected);
    io::Report report;
    const auto c = read(input, report);
    QVERIFY2(!c.has_value(), "it was accepted");
    QCOMPARE(QByteArray::fromStdString(c.error().text()), expected);
}

void TestCostFiles::warnings_data() {
    columns();
    row("unknown constant", constants("\"ticks\": {\"value\": \"3us\", \"basis\": \"assumed\"}"),
        "f.json:2:16: warning W-UNKNOWN-KEY /constants/ticks: key \"ticks\" is not known and was ignored; did you mean \"tick\"?");
    row("outside the table's range", constants("\"tick\": {\"value\": \"40us\", \"basis\": \"assumed\"}"),
        "f.json:2:34: warning W-RANGE /constants/tick/value: 40us lies outside 1.5us to 15us, where this constant is plausible");
    row("outside its own range", constants("\"tick\": {\"value\": \"4us\", \"basis\": \"assumed\", \"range\": [\"1us\", \"3us\"]}"),
        "f.json:2:34: warning W-RANGE /constants/tick/value: 4us lies outside 1us to 3us, where this constant is plausible");
    row("not charged", constants("\"tick\": {\"value\": 0, \"basis\": \"assumed\"}"), "");
    row("an exit above the latency", states("{\"name\": \"C1\", \"exit_latency\": \"2us\", \"residency\": \"2us\", \"exit\": \"3us\", \"basis\": \"assumed\"}"),
        "f.json:3:84: warning W-RANGE /idle_states/0/exit: 3us lies outside 0s to 2us, where this constant is plausible");
}
void TestCostFiles::warnings() {
    QFETCH(QByteArray, input);
    QFETCH(QByteArray, expected);
    io::Report report;
    const auto c = read(input, report);
    QVERIFY2(c.has_value(), c ? "" : c.error().text().c_str());
    std::string lines;
    for (const io::Message& m : report)
        if (m.severity == io::Severity::warning) lines += m.line();
    QCOMPARE(QByteArray::fromStdString(lines), expected);
}

QTEST_APPLESS_MAIN(TestCostFiles)
#include "test_costs.moc"
