// SPDX-License-Identifier: GPL-3.0-or-later
// Every shipped file loads without a word, and survives saving.
#include <QTest>

#include "core/io/document.hpp"

using namespace picknext;

class TestShipped : public QObject {
    Q_OBJECT
  private Q_SLOTS:
    void scenarios_data();
    void scenarios();
    void topologies_data();
    void topologies();
    void workloads_data();
    void workloads();
    void costs_data();
    void costs();
    void unknown_name();
};

namespace {

void names(std::string_view kind) {
    QTest::addColumn<QString>("path");
    for (const std::string& name : io::shipped_names(kind)) {
        const Result<std::string> path = io::shipped_file(kind, name);
        QVERIFY(path.has_value());
        QTest::newRow(name.c_str()) << QString::fromStdString(*path);
    }
}

std::string fetched(const QString& path) {
    const Result<std::string> text = io::read_file(path.toStdString());
    return text ? *text : std::string{};
}

std::string lines(const io::Report& report) {
    std::string out;
    for (const io::Message& m : report) out += m.line() + "\n";
    return out;
}

} // namespace

void TestShipped::scenarios_data() { names("scenarios"); }
void TestShipped::scenarios() {
    QFETCH(QString, path);
    io::Report report;
    const Result<Scenario> s = io::read_scenario(fetched(path), path.toStdString(), report);
    QVERIFY2(s.has_value(), s ? "" : s.error().text().c_str());
    QVERIFY(!s->name.empty());
    QVERIFY2(s->description.size() > 100, "a paragraph says what to look at");
    QVERIFY(s->until_ns.has_value());
    QVERIFY(s->select_cpu.has_value());
    const bool rtapp = path.contains(QLatin1String("video-call"));
    QVERIFY2(rtapp || report.empty(), lines(report).c_str());

    const std::string once = io::write_scenario(*s);
    io::Report silent;
    const Result<Scenario> again = io::read_scenario(once, "saved", silent);
    QVERIFY2(again.has_value(), again ? "" : again.error().text().c_str());
    QVERIFY2(silent.empty(), lines(silent).c_str());
    QVERIFY(*again == *s);
    QCOMPARE(QString::fromStdString(io::write_scenario(*again)), QString::fromStdString(once));
}

void TestShipped::topologies_data() { names("topologies"); }
void TestShipped::topologies() {
    QFETCH(QString, path);
    io::Report report;
    const Result<Machine> m = io::read_topology(fetched(path), path.toStdString(), report);
    QVERIFY2(m.has_value(), m ? "" : m.error().text().c_str());
    QVERIFY2(report.empty(), lines(report).c_str());
    const std::string once = io::write_topology(*m);
    const Result<Machine> again = io::read_topology(once, "saved", report);
    QVERIFY2(again.has_value(), again ? "" : again.error().text().c_str());
    QVERIFY(*again == *m);
    QCOMPARE(QString::fromStdString(io::write_topology(*again)), QString::fromStdString(once));
}

void TestShipped::workloads_data() { names("workloads"); }
void TestShipped::workloads() {
    QFETCH(QString, path);
    io::Report report;
    const Result<Scenario> s = io::open_any(path.toStdString(), report);
    QVERIFY2(s.has_value(), s ? "" : s.error().text().c_str());
    const std::string once = io::write_workload(s->workload, s->machine);
    const Result<Workload> again = io::read_workload(once, "saved", s->machine, report);
    QVERIFY2(again.has_value(), again ? "" : again.error().text().c_str());
    QVERIFY(*again == s->workload);
}

void TestShipped::costs_data() { names("costs"); }
void TestShipped::costs() {
    QFETCH(QString, path);
    io::Report report;
    const Result<cost::CostProfile> c = io::read_costs(fetched(path), path.toStdString(), report);
    QVERIFY2(c.has_value(), c ? "" : c.error().text().c_str());
    QVERIFY2(report.empty(), lines(report).c_str());
    QVERIFY(!c->name.empty() && !c->description.empty());
    const std::string once = io::write_costs(*c);
    const Result<cost::CostProfile> again = io::read_costs(once, "saved", report);
    QVERIFY2(again.has_value(), again ? "" : again.error().text().c_str());
    QVERIFY(*again == *c);
    QCOMPARE(QString::fromStdString(io::write_costs(*again)), QString::fromStdString(once));
}

void TestShipped::unknown_name() {
    const Result<std::string> path = io::shipped_file("topologies", "generic-x87");
    QVERIFY(!path.has_value());
    QCOMPARE(path.error().code, std::string{"E-SHIPPED"});
    QVERIFY(path.error().message.find("did you mean \"generic-x86\"?") != std::string::npos);
}

QTEST_APPLESS_MAIN(TestShipped)
#include "test_shipped.moc"
