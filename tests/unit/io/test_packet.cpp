// SPDX-License-Identifier: GPL-3.0-or-later
// Review packets: read, written, refused with a place, and what becomes of each kind of assertion.
#include <QTest>

#include "core/io/document.hpp"
#include "core/packet/check.hpp"

using namespace picknext;
using packet::Packet;
using packet::When;

namespace {

/// Two tasks without end on one CPU, ticks each 4 ms. What a test gives stands before it, from column 33.
constexpr std::string_view two_tasks =
    R"j("scenario": {"format": "picknext-scenario/1", "topology": {"build": {"cores": 1}}, "kernel": "eevdf-6.12", "until": {"time": "40ms"},
        "workload": {"tasks": [{"name": "one", "phases": [{"ops": [{"run": "1s"}]}]}, {"name": "two", "phases": [{"ops": [{"run": "1s"}]}]}]}})j";

std::string text_of(std::string_view rest) { return fmt::format("{{\"format\": \"picknext-packet/1\", {}\n{}}}", rest, two_tasks); }

Result<Packet> read(std::string_view rest) {
    io::Report report;
    return io::read_packet(text_of(rest), "p.json", report);
}

packet::Checked checked(const Packet& p) {
    const auto scenario = std::make_shared<const Scenario>(packet::scenario_under_toggles(p).value());
    return packet::check(p, scenario, {.time = *scenario->until_ns}).value();
}

} // namespace

class TestPacket : public QObject {
    Q_OBJECT
  private Q_SLOTS:
    void whatIsReadIsWritten() {
        const Result<Packet> p = read(R"j("title": "T", "description": "D", "author": "A", "toggles": ["patch.idle_mask=v2", "feature.RUN_TO_PARITY=off"],
            "digest": "00000000000000ff", "x-mine": 7,
            "assertions": [{"always": "cpu == 0", "where": "kind == pick"}, {"never": "path == slow"}, {"name": "n", "sometime": "outcome == task('two')"},
                           {"decision": 3, "kind": "place", "outcome": "cpu 0", "reason": "'place.*'", "holds": "task == task('one') || now > 1ms"}],)j");
        QVERIFY2(p.has_value(), p ? "" : p.error().text().c_str());
        QCOMPARE(p->title, std::string("T"));
        QCOMPARE(p->digest, std::optional<std::uint64_t>(255));
        QCOMPARE(p->assertions.size(), 4U);
        QCOMPARE(p->assertions[0].where, std::string("kind == pick"));
        QCOMPARE(p->assertions[2].when, When::sometime);
        QCOMPARE(p->assertions[3].decision, 3U);
        QCOMPARE(p->assertions[3].condition, std::string("kind == place && outcome == cpu 0 && reason == 'place.*' && (task == task('one') || now > 1ms)"));
        const Result<Scenario> s = packet::scenario_under_toggles(*p);
        QVERIFY(s && s->settings.idle_mask() == IdleMask::v2 && !s->settings.on(Feature::run_to_parity));
        const std::string written = io::write_packet(*p);
        io::Report report;
        const Result<Packet> again = io::read_packet(written, "again.json", report);
        QVERIFY2(again.has_value(), again ? "" : again.error().text().c_str());
        QVERIFY(*again == *p);
        QCOMPARE(io::write_packet(*again), written);
        QVERIFY(report.empty());
    }
    void opensAsItsScenario() {
        io::Report report;
        const Result<Scenario> s = io::open_text(text_of(R"j("toggles": ["feature.RUN_TO_PARITY=off"],)j"), "p.json", report);
        QVERIFY(s && !s->settings.on(Feature::run_to_parity) && s->workload.tasks.size() == 2);
    }

    void refusedWithAPlace_data() {
        QTest::addColumn<QString>("rest");
        QTest::addColumn<QString>("error");
        const auto row = [](const char* rest, const char* error) { QTest::addRow("%s", rest) << QString(rest) << QString(error); };
        row(R"j("assertions": [{"always": "cpu == "}],)j", "p.json:1:59: error E-SYNTAX /assertions/0/always: column 8 of \"cpu == \": ");
        row(R"j("assertions": [{"decision": 3, "outcome": "cpu 7"}],)j", "p.json:1:75: error E-RANGE /assertions/0/outcome: column 5 of \"cpu 7\": ");
        row(R"j("assertions": [{"decision": 3, "kind": "pik"}],)j", "p.json:1:72: error E-NAME /assertions/0/kind: column 1 of \"pik\": ");
        row(R"j("assertions": [{"decision": 3}],)j", "p.json:1:48: error E-MISSING /assertions/0: of this decision nothing is expected");
        row(R"j("assertions": [{"decision": 0, "holds": "cpu == 0"}],)j", "p.json:1:61: error E-RANGE /assertions/0/decision: decisions are numbered from 1");
        row(R"j("assertions": [{"always": "cpu == 0", "never": "cpu == 0"}],)j", "p.json:1:48: error E-ASSERTION /assertions/0: an assertion is exactly one of");
        row(R"j("assertions": [{"always": "cpu == 0", "kind": "pick"}],)j", "p.json:1:79: error E-ASSERTION /assertions/0/kind: \"kind\" is expected of one decision");
        row(R"j("toggles": ["patch.idle_mask=v2", "patch.foo=on"],)j", "p.json:1:67: error E-PATCH /toggles/1: column 1: no patch \"foo\"");
        row(R"j("digest": "12",)j", "p.json:1:43: error E-DIGEST /digest: a digest is 16 hexadecimal digits");
    }
    void refusedWithAPlace() {
        QFETCH(QString, rest);
        QFETCH(QString, error);
        const Result<Packet> p = read(rest.toStdString());
        QVERIFY(!p.has_value());
        const QString found = QString::fromStdString(p.error().text());
        QVERIFY2(found.startsWith(error), qPrintable(found));
    }

    /// Both are new and have half a slice: each is done at its first tick, at 4 and 8 ms. Decision 1 places the first task.
    void eachKindOfAssertion() {
        const Result<Packet> p = read(R"j("assertions": [{"always": "cpu == 0"}, {"always": "outcome == yes", "where": "kind == tick"}, {"never": "kind == tick && now > 39ms"},
            {"sometime": "kind == tick && outcome == yes"}, {"sometime": "now > 1s"}, {"decision": 1, "kind": "place", "outcome": "cpu 0"},
            {"decision": 1, "kind": "pick"}, {"decision": 100000, "holds": "cpu == 0"}],)j");
        QVERIFY2(p.has_value(), p ? "" : p.error().text().c_str());
        const packet::Checked c = checked(*p);
        const std::vector<bool> holds{true, true, false, true, false, true, false, false};
        for (std::size_t i = 0; i < holds.size(); ++i) QVERIFY2(c.assertions[i].holds == holds[i], std::to_string(i).c_str());
        QCOMPARE(c.assertions[0].looked_at, c.decisions);
        QCOMPARE(c.assertions[1].looked_at, 10U); // a tick each 4 ms
        QCOMPARE(c.assertions[6].at, 1U);
        QCOMPARE(c.assertions[4].at, 0U);
        QCOMPARE(c.first_violated(), std::optional<std::size_t>(6));
        QVERIFY(c.digest_holds && !c.holds());
    }
    void theDigestIsHeld() {
        Packet p = read("").value();
        const packet::Checked first = checked(p);
        QVERIFY(first.holds() && !first.first_violated());
        p.digest = first.digest;
        QVERIFY(checked(p).holds());
        p.digest = first.digest + 1;
        QVERIFY(!checked(p).digest_holds && !checked(p).holds());
    }
};

QTEST_APPLESS_MAIN(TestPacket)
#include "test_packet.moc"
