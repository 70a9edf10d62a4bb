// SPDX-License-Identifier: GPL-3.0-or-later
// The small languages: durations, CPU lists and masks, nearest words, encodings, places, detection.
#include <QTest>

#include "core/base/duration.hpp"
#include "core/base/nearest.hpp"
#include "core/io/cpu_mask.hpp"
#include "core/io/document.hpp"
#include "core/io/json_reader.hpp"
#include "core/io/source.hpp"
#include "core/topology/cpulist.hpp"

using namespace picknext;
using namespace picknext::io;

class TestFormats : public QObject {
    Q_OBJECT
  private Q_SLOTS:
    void durations_data();
    void durations();
    void durations_written();
    void cpulists_data();
    void cpulists();
    void masks();
    void nearest_words();
    void places();
    void repeated_keys();
    void integers();
    void json_text_is_stable();
    void utf8();
    void channels_and_series();
    void generators();
    void generators_beside_tasks();
    void group_limits();
    void detection_data();
    void detection();
};

void TestFormats::durations_data() {
    QTest::addColumn<QString>("text");
    QTest::addColumn<qint64>("ns"); // -1 = refused
    const auto row = [](const char* text, qint64 ns) { QTest::newRow(text) << QString::fromUtf8(text) << ns; };
    row("250us", 250'000);
    row("1.5ms", 1'500'000);
    row("4s", 4'000'000'000);
    row("7ns", 7);
    row("0", 0);
    row("0s", 0);
    row("1.000000001s", 1'000'000'001);
    row("1.0000000010s", 1'000'000'001); // zeros behind are exact too
    row("1000000000s", longest_duration);
    row("1000000000.000000001s", -1);
    row("1.0000000001s", -1);
    row("0.5ns", -1);
    row("5", -1);
    row("5m", -1);
    row("5 us", -1);
    row("5US", -1);
    row("us", -1);
    row("", -1);
    row(".5ms", -1);
    row("5.ms", -1);
    row("-1us", -1);
    row("+1us", -1);
    row("1e3us", -1);
    row("99999999999999999999s", -1);
}
void TestFormats::durations() {
    QFETCH(QString, text);
    QFETCH(qint64, ns);
    const Result<std::int64_t> d = parse_duration(text.toStdString());
    QCOMPARE(d.has_value(), ns >= 0);
    if (d) QCOMPARE(*d, std::int64_t{ns});
}
void TestFormats::durations_written() {
    QCOMPARE(write_duration(0), std::string{"0s"});
    QCOMPARE(write_duration(999), std::string{"999ns"});
    QCOMPARE(write_duration(1'000), std::string{"1us"});
    QCOMPARE(write_duration(1'234'567), std::string{"1.234567ms"});
    QCOMPARE(write_duration(2'800'000), std::string{"2.8ms"});
    QCOMPARE(write_duration(60'000'000'000), std::string{"60s"});
    for (std::int64_t ns = 1; ns < longest_duration / 7; ns = ns * 7 + 3) QCOMPARE(*parse_duration(write_duration(ns)), ns);
}

void TestFormats::cpulists_data() {
    QTest::addColumn<QString>("text");
    QTest::addColumn<QString>("cpus"); // "!" = refused
    const auto row = [](const char* text, const char* cpus) { QTest::newRow(text) << QString::fromUtf8(text) << QString::fromUtf8(cpus); };
    row("0-3,8", "0 1 2 3 8");
    row("", "");
    row("\n", "");
    row("5\n", "5");
    row("3,1,2,2", "1 2 3");
    row("16-31:2/4", "16 17 20 21 24 25 28 29");
    row("0-7:1/2,1", "0 1 2 4 6");
    row("65535", "65535");
    row("65536", "!");
    row("99999999999", "!");
    row("3-1", "!");
    row("1-", "!");
    row("-1", "!");
    row("1,", "!");
    row("1,,2", "!");
    row("1 2", "!");
    row("0-7:3/2", "!");
    row("0-7:0/2", "!");
    row("0-7:2", "!");
    row("all", "!"); // a word of the workload format, not of the list
    row("0x3", "!");
}
void TestFormats::cpulists() {
    QFETCH(QString, text);
    QFETCH(QString, cpus);
    const Result<std::vector<int>> list = parse_cpulist(text.toStdString());
    QStringList found;
    if (list)
        for (const int cpu : *list) found += QString::number(cpu);
    QCOMPARE(list ? found.join(QLatin1Char(' ')) : QStringLiteral("!"), cpus);
}

void TestFormats::masks() {
    const auto cpus = [](std::string_view text) {
        const std::optional<MaskBits> bits = parse_mask(text);
        return bits ? bits->members() : std::vector<int>{-1};
    };
    QCOMPARE(cpus("0x0000000f"), (std::vector<int>{0, 1, 2, 3}));
    QCOMPARE(cpus("0x00000001,,0x00000002"), (std::vector<int>{1, 64}));
    QCOMPARE(cpus("00000000,000000f0\n"), (std::vector<int>{4, 5, 6, 7}));
    QCOMPARE(cpus("0x0"), (std::vector<int>{}));
    QVERIFY(parse_mask("0xf...f,0x00000001")->infinite);
    QVERIFY(parse_mask("0xf...f,0x00000001")->has(1000));
    QVERIFY(!parse_mask("0xf...f,0x00000001")->has(1));
    for (const char* bad : {"", "0xg", "0x1ffffffff", "0xf...f1", "x"}) QVERIFY2(!parse_mask(bad), bad);
}

void TestFormats::nearest_words() {
    QCOMPARE(edit_distance("kernel", "kernel"), std::size_t{0});
    QCOMPARE(edit_distance("slep", "sleep"), std::size_t{1});
    QCOMPARE(edit_distance("seleep", "sleep"), std::size_t{1});
    QCOMPARE(edit_distance("lsice", "slice"), std::size_t{1}); // neighbours swapped
    QCOMPARE(edit_distance("abc", ""), std::size_t{3});
    constexpr std::array<std::string_view, 4> words{"nice", "slice", "sleep", "affinity"};
    QCOMPARE(nearest("afinity", words), std::string_view{"affinity"});
    QCOMPARE(nearest("Slice", words), std::string_view{"slice"});
    QCOMPARE(nearest("zzzz", words), std::string_view{});
    QCOMPARE(nearest(std::string(100, 'x'), words), std::string_view{});
}

void TestFormats::places() {
    const std::string text = "a\xc3\xa4\tb\r\nc";
    const Source source("f", text);
    QCOMPARE(source.place(0), (Place{"f", 1, 1, ""}));
    QCOMPARE(source.place(3), (Place{"f", 1, 3, ""})); // the tab: one column, as the umlaut before it
    QCOMPARE(source.place(4), (Place{"f", 1, 4, ""}));
    QCOMPARE(source.place(7), (Place{"f", 2, 1, ""}));
    QCOMPARE(source.place(99), (Place{"f", 2, 2, ""}));
    const std::string marked = "\xef\xbb\xbfx";
    QCOMPARE(Source("f", marked).place(3), (Place{"f", 1, 1, ""}));
}

void TestFormats::repeated_keys() {
    const std::string text = "{\"a\": 1, \"b\": [2, \"x\"],\n \"a\": true}";
    const Source source("f", text);
    Report report;
    const JsonValue tree = *parse_json(source, report);
    QCOMPARE(tree.members.size(), std::size_t{3});
    QCOMPARE(tree.members[2].occurrence, 2);
    QCOMPARE(tree.members[2].at, std::size_t{25});       // the key's quote
    QCOMPARE(tree.members[2].value.at, std::size_t{30}); // the value
    QCOMPARE(tree.members[0].value.at, std::size_t{6});
    QCOMPARE(tree.members[1].value.items[0].at, std::size_t{15});
    QCOMPARE(tree.members[1].value.items[1].at, std::size_t{18});
}

void TestFormats::integers() {
    const auto root = [](const std::string& text) {
        const Source source("f", text);
        Report report;
        return *parse_json(source, report);
    };
    QCOMPARE(root("9223372036854775807").integer, INT64_MAX);
    QCOMPARE(root("-9223372036854775808").integer, INT64_MIN);
    QVERIFY(root("18446744073709551615").above_int64);
    QCOMPARE(static_cast<std::uint64_t>(root("18446744073709551615").integer), UINT64_MAX);
    QVERIFY(root("18446744073709551616").kind == JsonValue::Kind::real); // and so no integer field takes it
    QCOMPARE(root("-0").integer, std::int64_t{0});
    QCOMPARE(root("1.50").text, std::string{"1.50"});
}

void TestFormats::json_text_is_stable() {
    const std::string text = "{\"long\": \"" + std::string(120, 'x') + "\", \"s\": \"\\u0001\\n\\\"\\\\\", \"e\": [], \"o\": {}, \"n\": [1, 2.50, null, -7], \"deep\": [[1], {\"a\": {\"b\": 1}}]}";
    const Source source("f", text);
    Report report;
    const std::string once = json_text(*parse_json(source, report));
    const Source written("w", once);
    QCOMPARE(json_text(*parse_json(written, report)), once);
    QVERIFY(once.find("[1, 2.50, null, -7]") != std::string::npos);
    QVERIFY(once.ends_with("}\n"));
    QVERIFY(once.find('\t') == std::string::npos && once.find('\r') == std::string::npos);
}

void TestFormats::utf8() {
    QCOMPARE(utf8_length("a"), std::size_t{1});
    QCOMPARE(utf8_length("\xc3\xa4"), std::size_t{2});
    QCOMPARE(utf8_length("\xe2\x82\xac"), std::size_t{3});
    QCOMPARE(utf8_length("\xf0\x9f\x98\x80"), std::size_t{4});
    for (const char* bad : {"\x80", "\xc0\xaf", "\xc3", "\xed\xa0\x80", "\xe0\x80\x80", "\xf4\x90\x80\x80", "\xff", ""}) QCOMPARE(utf8_length(bad), std::size_t{0});
}

void TestFormats::group_limits() {
    MachineCounts counts;
    const Machine machine = *build_machine(counts);
    Report report;
    const std::string text = R"({"format": "picknext-workload/1", "groups": [{"path": "/a", "quota": "30ms", "period": "60ms", "burst": "5ms"},)"
                             R"( {"path": "/b", "quota": null}],)"
                             R"( "tasks": [{"name": "t", "group": "/a", "phases": [{"ops": [{"run": "1ms"}]}]}]})";
    const Result<Workload> workload = read_workload(text, "f.json", machine, report);
    QVERIFY2(workload.has_value(), workload ? "" : workload.error().text().c_str());
    QCOMPARE(workload->groups[0].quota, std::int64_t{30'000'000});
    QCOMPARE(workload->groups[0].period, std::int64_t{60'000'000});
    QCOMPARE(workload->groups[0].burst, std::int64_t{5'000'000});
    QCOMPARE(workload->groups[1].quota, std::int64_t{0});
    QCOMPARE(workload->groups[1].period, std::int64_t{100'000'000});
    const Result<Workload> again = read_workload(write_workload(*workload, machine), "saved", machine, report);
    QVERIFY(again.has_value() && *again == *workload);
    QVERIFY(report.empty());
}

void TestFormats::channels_and_series() {
    const Machine machine = *build_machine(MachineCounts{});
    Report report;
    const std::string text =
        R"({"format": "picknext-workload/1", "resources": {"pipes": ["p"], "sockets": ["u", {"name": "t", "kind": "tcp", "capacity": 9000}, {"name": "d", "kind": "udp"}],)"
        R"( "mailboxes": ["m"]}, "series": ["latency", "round"],)"
        R"( "tasks": [{"name": "a", "process": true, "phases": [{"ops": [{"stamp": true}, {"write": {"socket": "t", "bytes": 9000}}, {"read": {"pipe": "p", "bytes": 4}},)"
        R"( {"sample": "round"}, {"post": {"mailbox": "m", "series": "latency"}}, {"run": "1ms"}]}]},)"
        R"( {"name": "b", "phases": [{"ops": [{"serve": "m"}, {"collect": "m"}, {"read": {"socket": "u", "bytes": 1}}, {"run": "1us"}]}]}]})";
    const Result<Workload> w = read_workload(text, "f.json", machine, report);
    QVERIFY2(w.has_value(), w ? "" : w.error().text().c_str());
    QVERIFY(report.empty());
    QVERIFY(w->tasks[0].process && !w->tasks[1].process);
    const auto kind = [&](const Op& op) { return w->resources[static_cast<std::size_t>(op.resource)].kind; };
    const std::vector<Op>& a = w->tasks[0].phases[0].ops;
    QVERIFY(a[0].kind == OpKind::stamp && a[1].kind == OpKind::write && kind(a[1]) == ResourceKind::tcp_socket && kind(a[2]) == ResourceKind::pipe);
    QVERIFY(a[3].kind == OpKind::sample && a[3].target == 1 && a[4].kind == OpKind::post && a[4].target == 0 && kind(a[4]) == ResourceKind::mailbox);
    const std::vector<Op>& b = w->tasks[1].phases[0].ops;
    QVERIFY(b[0].kind == OpKind::serve && b[1].kind == OpKind::collect && kind(b[2]) == ResourceKind::unix_socket);
    QCOMPARE(w->resources[static_cast<std::size_t>(a[1].resource)].initial, std::int64_t{9000});
    const std::string once = write_workload(*w, machine);
    const Result<Workload> again = read_workload(once, "saved", machine, report);
    QVERIFY2(again.has_value(), again ? "" : again.error().text().c_str());
    QVERIFY(*again == *w && report.empty());
    QCOMPARE(QString::fromStdString(write_workload(*again, machine)), QString::fromStdString(once));
}

/// A kind with its parameters and the command it stands for make the same tasks; each is written as it was given.
void TestFormats::generators() {
    MachineCounts counts;
    counts.cores = 4;
    const Machine machine = *build_machine(counts);
    const auto read = [&](const char* generator) {
        Report report;
        const std::string text = std::string(R"({"format": "picknext-workload/1", "generators": [)") + generator + "]}";
        const Result<Workload> w = read_workload(text, "f.json", machine, report);
        if (!w || !report.empty()) qFatal("%s: %s", generator, w ? report[0].text.c_str() : w.error().text().c_str());
        const std::string once = write_workload(*w, machine);
        const Result<Workload> again = read_workload(once, "saved", machine, report);
        if (!again || *again != *w || write_workload(*again, machine) != once || once.find("\"tasks\": [") != std::string::npos) qFatal("%s", once.c_str());
        return *w;
    };
    const auto same = [&](const char* parameters, const char* command) {
        const Workload a = read(parameters), b = read(command);
        return a.tasks == b.tasks && a.resources == b.resources && a.series == b.series && a.groups == b.groups;
    };
    QVERIFY(same(R"({"kind": "hackbench", "groups": 2, "fds": 3, "loops": 4, "bytes": 50, "pipe": true, "threads": true})", R"({"command": "hackbench -p -T -g 2 -f 3 -l 4 -s 50"})"));
    QVERIFY(same(R"({"kind": "hackbench", "affinity": "1-2"})", R"({"command": "taskset -c 1-2 hackbench"})"));
    QVERIFY(same(R"({"kind": "schbench", "message_threads": 1, "workers": 2, "reply": "5ms", "spin": "20us"})", R"({"command": "schbench -m 1 -t 2 -s 5000 -c 20"})"));
    QVERIFY(same(R"({"kind": "pipe", "loops": 7, "threads": true})", R"({"command": "perf bench sched pipe -T -l 7"})"));
    QVERIFY(same(R"({"kind": "rr", "protocol": "udp", "pairs": 3, "request": 64, "response": 1024})", R"({"command": "netperf -t UDP_RR x3 -- -r 64,1024"})"));
    QVERIFY(same(R"({"kind": "storm", "tasks": 2, "period": "16ms", "work": "50us"})", R"({"command": "storm -n 2 -p 16ms -w 50us"})"));
    (void)read(R"({"command": "cgexec -g cpu:a/b tbench 2"})");
    (void)read(R"({"command": "nthr=2 uperf -m netperf.xml"}, {"command": "tbench 2"}, {"x-mine": 1, "command": "kick_ilb"})");
}

void TestFormats::generators_beside_tasks() {
    const Machine machine = *build_machine(MachineCounts{});
    Report report;
    const std::string text = R"({"format": "picknext-workload/1", "resources": {"pipes": ["p"]}, "series": ["mine"], "tasks": [{"name": "main", "phases": [{"ops":)"
                             R"( [{"stamp": true}, {"run": "1ms"}, {"write": {"pipe": "p", "bytes": 1}}, {"sample": "mine"}]}]}],)"
                             R"( "generators": [{"command": "perf bench sched pipe -T -l 2"}, {"command": "perf bench sched pipe -T -l 3"}]})";
    const Result<Workload> w = read_workload(text, "f.json", machine, report);
    QVERIFY2(w.has_value(), w ? "" : w.error().text().c_str());
    QStringList names;
    for (const TaskSpec& t : w->tasks) names += QString::fromStdString(t.name);
    QCOMPARE(names.join(QLatin1Char(',')), QStringLiteral("main,main (2),task 0,task 1,main (3),task 0 (2),task 1 (2)"));
    QCOMPARE(w->resources.size(), std::size_t{1 + 3 + 3});
    const Op& write = w->tasks[6].phases[0].ops[0]; // of the second generator
    QCOMPARE(QString::fromStdString(w->resources[static_cast<std::size_t>(write.resource)].name), QStringLiteral("there (2)"));
    QVERIFY(write.resource >= 4);
    QCOMPARE(w->tasks[4].phases[2].ops[0].target, 2); // its series comes behind mine and the first one's
    QCOMPARE(w->generated.tasks, std::size_t{6});
    const std::string once = write_workload(*w, machine);
    const Result<Workload> again = read_workload(once, "saved", machine, report);
    QVERIFY(again.has_value() && *again == *w && report.empty());
    QCOMPARE(QString::fromStdString(write_workload(*again, machine)), QString::fromStdString(once));
    Workload changed = *w; // whoever changes a generated task writes all out
    changed.generated = {};
    changed.tasks[3].nice = 5;
    const Result<Workload> all = read_workload(write_workload(changed, machine), "saved", machine, report);
    QVERIFY2(all.has_value(), all ? "" : all.error().text().c_str());
    QVERIFY(all->tasks.size() == 7 && all->tasks[3].nice == 5 && all->generated == Generated{});
}

void TestFormats::detection_data() {
    QTest::addColumn<QByteArray>("text");
    QTest::addColumn<int>("format");
    const auto row = [](const char* name, const char* text, Format format) { QTest::newRow(name) << QByteArray(text) << static_cast<int>(format); };
    row("topology", "{\"format\": \"picknext-topology/1\"}", Format::topology);
    row("workload after comments", "// x\n/* y */ {\"format\": \"picknext-workload/1\"}", Format::workload);
    row("scenario with a topology inside", "{\"format\": \"picknext-scenario/1\", \"topology\": {\"format\": \"picknext-topology/1\"}}", Format::scenario);
    row("after a byte order mark", "\xef\xbb\xbf{\"format\": \"picknext-scenario/7\"}", Format::scenario);
    row("broken scenario", "{\"format\": \"picknext-scenario/1\", ", Format::scenario);
    row("costs", "{\"format\": \"picknext-costs/1\"}", Format::costs);
    row("packet", "{\"format\": \"picknext-packet/1\", \"scenario\": {\"format\": \"picknext-scenario/1\"}}", Format::packet);
    row("rt-app", "{\"tasks\": {}}", Format::rtapp);
    row("rt-app in single quotes", "{'tasks' : {}}", Format::rtapp);
    row("the word tasks as a value", "{\"a\": \"tasks\"}", Format::unknown);
    row("hwloc", "<?xml version=\"1.0\"?>", Format::hwloc_xml);
    row("hwloc without head", "<topology>", Format::hwloc_xml);
    row("array", "[1]", Format::unknown);
    row("text", "hello", Format::unknown);
    row("nothing", "", Format::unknown);
}
void TestFormats::detection() {
    QFETCH(QByteArray, text);
    QFETCH(int, format);
    QCOMPARE(static_cast<int>(detect(text.toStdString())), format);
}

QTEST_APPLESS_MAIN(TestFormats)
#include "test_formats.moc"
