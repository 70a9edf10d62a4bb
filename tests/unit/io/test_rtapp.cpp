// SPDX-License-Identifier: GPL-3.0-or-later
// rt-app's files: the dialect of their text, and what each key becomes.
#include <QTest>

#include "core/io/rtapp.hpp"
#include "core/io/rtapp_dialect.hpp"

using namespace picknext;
using namespace picknext::io;

class TestRtapp : public QObject {
    Q_OBJECT
  private Q_SLOTS:
    void dialect_data();
    void dialect();
    void places_after_rewriting();
    void events();
    void prefixes();
    void timers();
    void barrier_parties();
    void loops_data();
    void loops();
    void unreachable_phases();
    void attributes();
    void real_time();
    void affinities();
    void groups();
    void duplicates_as_written();
    void duplicates_as_rtapp();
    void repeated_tasks();
    void calibration();
    void durations();
    void lost_wakeup();
    void approximations();
    void warnings_data();
    void warnings();
};

namespace {

Machine machine(int first_capacity = 1024) {
    MachineCounts counts;
    counts.clusters = 2;
    counts.cores = 2;
    counts.cluster_capacity = {first_capacity, 1024};
    return *build_machine(counts);
}

struct Imported {
    RtappImport import;
    Report report;
    std::optional<Error> error;
};
Imported import(const QByteArray& text, const RtappOptions& options = {}, const Machine& on = machine()) {
    Imported out;
    Result<RtappImport> result = read_rtapp(text.toStdString(), "f.json", on, out.report, options);
    if (result) out.import = std::move(result).value();
    else out.error = result.error();
    return out;
}
/// One task "t" with these members.
Imported task(const char* members, const RtappOptions& options = {}) { return import(QByteArray("{\"tasks\": {\"t\": {") + members + "}}}", options); }

const TaskSpec& first(const Imported& i) { return i.import.workload.tasks.at(0); }
std::string codes(const Imported& i, Severity least = Severity::warning) {
    std::string out;
    for (const Message& m : i.report)
        if (m.severity >= least) out += (out.empty() ? "" : " ") + m.code;
    return out;
}
/// The operations of a phase, short: "run 5000", "lock m".
std::string ops(const Imported& i, std::size_t phase = 0, std::size_t spec = 0) {
    constexpr std::array names{"run", "spin", "sleep", "timer", "lock", "unlock", "wait", "signal", "broadcast", "barrier", "sem_post",
                               "sem_wait", "suspend", "resume", "wake", "fork", "yield", "read", "write", "set", "mark", "exit"};
    std::string out;
    const Workload& w = i.import.workload;
    for (const Op& op : w.tasks.at(spec).phases.at(phase).ops) {
        out += (out.empty() ? "" : ", ") + std::string(names[static_cast<std::size_t>(op.kind)]);
        if (op.kind <= OpKind::sleep) out += " " + std::to_string(op.amount.a);
        if (op.resource >= 0) out += " " + w.resources[static_cast<std::size_t>(op.resource)].name;
        if (op.second >= 0) out += " " + w.resources[static_cast<std::size_t>(op.second)].name;
        if (op.target >= 0) out += " " + w.tasks[static_cast<std::size_t>(op.target)].name;
        if (op.kind == OpKind::timer) out += " " + std::to_string(op.period) + (op.absolute ? " absolute" : "");
    }
    return out;
}

} // namespace

void TestRtapp::dialect_data() {
    QTest::addColumn<QByteArray>("text");
    QTest::addColumn<QByteArray>("plain");
    QTest::addColumn<QByteArray>("codes");
    const auto row = [](const char* name, const char* text, const char* plain, const char* codes) {
        QTest::newRow(name) << QByteArray(text) << QByteArray(plain) << QByteArray(codes);
    };
    // A comma waits until what follows is known, so blanks behind it come out before it.
    row("plain", "{\"a\": 1}", "{\"a\": 1}", "");
    row("comments", "/* x */{\"a\": /*, */ 1 // }\n}", " {\"a\":   1  \n}", "N-DIALECT");
    row("trailing commas", "{\"a\": [1, 2,], }", "{\"a\": [1 ,2] }", "N-DIALECT");
    row("single quotes", "{'a': 'say \"x\"', 'b': 'it\\'s'}", "{\"a\": \"say \\\"x\\\"\" ,\"b\": \"it's\"}", "N-DIALECT");
    row("letter case", "{\"a\": True, \"b\": FALSE}", "{\"a\": true ,\"b\": false}", "N-DIALECT");
    row("leading zeros", "{\"a\": 010, \"b\": -007, \"c\": 0, \"d\": 0.5}", "{\"a\": 10 ,\"b\": -7 ,\"c\": 0 ,\"d\": 0.5}", "N-DIALECT");
    row("line break in a string", "{\"a\": \"x\ny\"}", "{\"a\": \"x\\u000ay\"}", "N-DIALECT");
    row("text behind", "{\"a\": 1} bye", "{\"a\": 1}", "N-DIALECT");
    row("blanks behind", "{\"a\": 1} \n", "{\"a\": 1}", "");
    row("missing comma at a line end", "{\"a\": 1\n \"b\": 2}", "{\"a\": 1\n ,\"b\": 2}", "W-COMMA");
    row("missing comma in a line", "{\"a\": 1 \"b\": 2}", "{\"a\": 1 \"b\": 2}", "");
    row("suspend alone", "{\"suspend\", \"run\": 1, \"suspend2\"}", "{\"suspend\":null ,\"run\": 1 ,\"suspend2\":null}", "N-SUSPEND N-SUSPEND");
    row("another key alone", "{\"run\", \"sleep\": 1}", "{\"run\" ,\"sleep\": 1}", "");
    row("byte order mark", "\xef\xbb\xbf{\"a\": 1}", "{\"a\": 1}", "N-BOM");
    row("comment look-alikes in strings", "{\"a\": \"/* no */ // no\"}", "{\"a\": \"/* no */ // no\"}", "");
    row("double comma", "{\"a\": 1,, \"b\": 2}", "{\"a\": 1, ,\"b\": 2}", "");
    row("hexadecimal", "{\"a\": 0x10}", "{\"a\": 0x10}", "");
}
void TestRtapp::dialect() {
    QFETCH(QByteArray, text);
    QFETCH(QByteArray, plain);
    QFETCH(QByteArray, codes);
    const std::string in = text.toStdString();
    const Source source("f", in);
    Report report;
    const Result<Rewritten> out = rewrite_rtapp(source, report);
    QVERIFY(out.has_value());
    QCOMPARE(QByteArray::fromStdString(out->text), plain);
    QByteArrayList found;
    for (const Message& m : report) found += QByteArray::fromStdString(m.code);
    QCOMPARE(found.join(' '), codes);
}

void TestRtapp::places_after_rewriting() {
    // Everything before the mistake changes the length of the text.
    const Imported i = import("/* one */\n{'tasks': {'t': {'x\"y', 'suspend',\n  \"run\": 1.5}}}");
    QVERIFY(i.error.has_value());
    const Imported j = import("/* one */\n{'tasks': /* two */ {'t': {'suspend',\n  \"run\": 001.5}}}");
    QCOMPARE(j.error->text(), std::string{"f.json:3:12: error E-TYPE /tasks/t/run: a whole number is needed here, not 1.5"});
}

void TestRtapp::events() {
    const Imported i = import("{\"tasks\": {\"t\": {\"run\": 5, \"runtime\": 6, \"sleep\": 7, \"lock\": \"m\", \"wait\": {\"ref\": \"c\", \"mutex\": \"m\"},"
                              "\"unlock\": \"m\", \"signal\": \"c\", \"broad\": \"c\", \"sync\": {\"ref\": \"c\", \"mutex\": \"m\"}, \"suspend\": \"t\", \"resume\": \"u\","
                              "\"sem_post\": \"s\", \"sem_wait\": \"s\", \"fork\": \"u\", \"yield\": \"\"},"
                              "\"u\": {\"instance\": 0, \"suspend\": \"u\", \"run\": 1, \"resume\": \"t\"}}}");
    QVERIFY2(!i.error, i.error ? i.error->text().c_str() : "");
    QCOMPARE(ops(i), std::string{"run 5000, spin 6000, sleep 7000, lock m, wait c m, unlock m, signal c, broadcast c, signal c, wait c m, "
                                 "suspend t, resume u, sem_post s, sem_wait s, fork u, yield"});
    QCOMPARE(ops(i, 0, 1), std::string{"suspend u, run 1000, resume t"});
    QCOMPARE(i.import.workload.tasks[1].count, 0);
    QCOMPARE(codes(i), std::string{});
}

void TestRtapp::prefixes() {
    const Imported i = task("\"run0\": 1, \"runner\": 2, \"runtime3\": 3, \"sleepy_time\": 4, \"lockfoo\": \"m\", \"unlock2\": \"m\", \"memrunX\": {\"count\": 9}, \"mem2\": 100");
    QVERIFY2(!i.error, i.error ? i.error->text().c_str() : "");
    QCOMPARE(ops(i), std::string{"run 1000, run 2000, spin 3000, sleep 4000, lock m, unlock m, run 9, run 10"});
}

void TestRtapp::timers() {
    const Imported i = import("{\"tasks\": {\"a\": {\"run\": 1, \"timer\": {\"ref\": \"unique\", \"period\": 100}},"
                              "\"b\": {\"run\": 1, \"timer\": {\"ref\": \"tick\", \"period\": 50, \"mode\": \"absolute\"}}, \"c\": {\"run\": 1, \"timer\": {\"ref\": \"tick\", \"period\": 50}}}}");
    QVERIFY(!i.error);
    const auto& r = i.import.workload.resources;
    QCOMPARE(r.size(), std::size_t{2});
    QVERIFY(r[0].name == "unique" && !r[0].shared);
    QVERIFY(r[1].name == "tick" && r[1].shared);
    QCOMPARE(ops(i, 0, 0), std::string{"run 1000, timer unique 100000"});
    QCOMPARE(ops(i, 0, 1), std::string{"run 1000, timer tick 50000 absolute"});
}

void TestRtapp::barrier_parties() {
    const Imported i = import("{\"tasks\": {\"a\": {\"instance\": 3, \"run\": 1, \"barrier\": \"b\", \"barrier2\": \"b\"}, \"c\": {\"run\": 1, \"barrier\": \"b\"}}}");
    QVERIFY(!i.error);
    QCOMPARE(i.import.workload.resources.at(0).initial, std::int64_t{7}); // 3 instances that name it twice, and one
}

void TestRtapp::loops_data() {
    QTest::addColumn<QString>("members");
    QTest::addColumn<qint64>("taskLoop");
    QTest::addColumn<qint64>("phaseLoop");
    QTest::newRow("nothing said") << "\"run\": 1" << qint64{forever} << qint64{1};
    QTest::newRow("without phases") << "\"loop\": 5, \"run\": 1" << qint64{1} << qint64{5};
    QTest::newRow("without phases, -1") << "\"loop\": -1, \"run\": 1" << qint64{forever} << qint64{1};
    QTest::newRow("phases") << "\"phases\": {\"p\": {\"run\": 1}}" << qint64{forever} << qint64{1};
    QTest::newRow("phases, counted") << "\"loop\": 4, \"phases\": {\"p\": {\"loop\": 3, \"run\": 1}}" << qint64{4} << qint64{3};
    QTest::newRow("phase 0 is endless") << "\"loop\": 4, \"phases\": {\"p\": {\"loop\": 0, \"run\": 1}}" << qint64{4} << qint64{forever};
    QTest::newRow("phase -1 is endless") << "\"phases\": {\"p\": {\"loop\": -1, \"run\": 1}}" << qint64{forever} << qint64{forever};
}
void TestRtapp::loops() {
    QFETCH(QString, members);
    QFETCH(qint64, taskLoop);
    QFETCH(qint64, phaseLoop);
    const Imported i = task(members.toUtf8().constData());
    QVERIFY(!i.error);
    QCOMPARE(first(i).loop, std::int64_t{taskLoop});
    QCOMPARE(first(i).phases.at(0).loop, std::int64_t{phaseLoop});
}

void TestRtapp::unreachable_phases() {
    const Imported i = task("\"phases\": {\"p\": {\"loop\": -1, \"run\": 1}, \"q\": {\"run\": 2}}");
    QVERIFY(!i.error);
    QCOMPARE(first(i).phases.size(), std::size_t{1});
    QCOMPARE(codes(i), std::string{"W-UNREACHABLE"});
    const Imported none = task("\"loop\": 0, \"phases\": {\"p\": {\"run\": 1}}");
    QCOMPARE(codes(none), std::string{"W-IDLE"});
    QCOMPARE(ops(none), std::string{"exit"});
}

void TestRtapp::attributes() {
    const Imported i = task("\"delay\": 30, \"instance\": 2, \"priority\": -5, \"dl-runtime\": 3000, \"util_min\": 10, \"util_max\": -1,"
                            "\"phases\": {\"p\": {\"run\": 1}, \"q\": {\"policy\": \"SCHED_BATCH\", \"priority\": 3, \"run\": 1}, \"r\": {\"policy\": \"SCHED_IDLE\", \"run\": 1}}");
    QVERIFY2(!i.error, i.error ? i.error->text().c_str() : "");
    const TaskSpec& t = first(i);
    QCOMPARE(t.start.ns, std::int64_t{30'000});
    QCOMPARE(t.count, 2);
    QCOMPARE(t.nice, -5);
    QCOMPARE(t.slice, std::int64_t{3'000'000});
    QCOMPARE(t.util_min, 10);
    QCOMPARE(t.util_max, 1024);
    QVERIFY(t.phases[0].set == Attributes{}); // what is not said stays
    QVERIFY(t.phases[1].set.policy == Policy::batch && t.phases[1].set.nice == 3);
    QVERIFY(t.phases[2].set.policy == Policy::idle && !t.phases[2].set.nice);
}

void TestRtapp::real_time() {
    const Imported i = import("{\"global\": {\"default_policy\": \"SCHED_FIFO\"}, \"tasks\": {\"a\": {\"priority\": 50, \"run\": 1},"
                              "\"b\": {\"policy\": \"SCHED_OTHER\", \"priority\": 4, \"run\": 1}, \"c\": {\"policy\": \"SCHED_DEADLINE\", \"dl-runtime\": 5, \"run\": 1}}}");
    QVERIFY2(!i.error, i.error ? i.error->text().c_str() : "");
    QCOMPARE(i.import.workload.tasks[0].nice, -20);
    QCOMPARE(i.import.workload.tasks[1].nice, 4);
    QCOMPARE(i.import.workload.tasks[2].nice, -20);
    QCOMPARE(i.import.workload.tasks[2].slice, std::int64_t{0}); // a deadline's runtime is no slice
    QCOMPARE(codes(i), std::string{"W-POLICY W-POLICY"});
}

void TestRtapp::affinities() {
    const Imported i = task("\"cpus\": [1, 9], \"phases\": {\"p\": {\"cpus\": [2], \"run\": 1}, \"q\": {\"run\": 1}}");
    QVERIFY2(!i.error, i.error ? i.error->text().c_str() : "");
    const Machine m = machine();
    QCOMPARE(cpu_list(m, first(i).affinity), std::string{"1"});
    QCOMPARE(cpu_list(m, *first(i).phases[0].set.affinity), std::string{"2"});
    QCOMPARE(cpu_list(m, *first(i).phases[1].set.affinity), std::string{"1"}); // back to the task's
    QCOMPARE(codes(i), std::string{"W-CPUS"});
}

void TestRtapp::groups() {
    const Imported i = task("\"taskgroup\": \"/a/b/\", \"phases\": {\"p\": {\"run\": 1}, \"q\": {\"taskgroup\": \"\", \"run\": 1}}");
    QVERIFY(!i.error);
    QCOMPARE(first(i).group, std::string{"/a/b"});
    QCOMPARE(*first(i).phases[1].set.group, std::string{});
    QCOMPARE(i.import.workload.groups.size(), std::size_t{2});
    QCOMPARE(i.import.workload.groups[0].path, std::string{"/a"});
}

void TestRtapp::duplicates_as_written() {
    const Imported i = task("\"run\": 1000, \"sleep\": 2000, \"run\": 5000, \"run\": 7");
    QCOMPARE(ops(i), std::string{"run 1000000, sleep 2000000, run 5000000, run 7000"});
    QCOMPARE(codes(i), std::string{"W-DUPKEY"});
    const auto at = std::find_if(i.report.begin(), i.report.end(), [](const Message& m) { return m.code == "W-DUPKEY"; });
    QCOMPARE(at->line(), std::string{"f.json:1:46: warning W-DUPKEY /tasks/t/run#2: key \"run\" repeats line 1; kept as a second event (rt-app itself would keep one) (and 1 more like this)"});
}

void TestRtapp::duplicates_as_rtapp() {
    RtappOptions options;
    options.duplicates = RtappOptions::Duplicates::as_rtapp;
    QCOMPARE(ops(task("\"run\": 1000, \"sleep\": 2000, \"run\": 5000", options)), std::string{"run 5000000, sleep 2000000"}); // last value, first place
}

void TestRtapp::repeated_tasks() {
    const Imported i = import("{\"tasks\": {\"t\": {\"run\": 1}, \"t\": {\"run\": 2}, \"t_2\": {\"run\": 3}}}");
    QVERIFY(!i.error);
    QCOMPARE(i.import.workload.tasks.size(), std::size_t{3});
    QCOMPARE(i.import.workload.tasks[1].name, std::string{"t_2"});
    QCOMPARE(i.import.workload.tasks[2].name, std::string{"t_2_2"});
}

void TestRtapp::calibration() {
    const QByteArray text = "{\"global\": {\"calibration\": \"CPU0\"}, \"tasks\": {\"t\": {\"run\": 1000, \"runtime\": 1000}}}";
    QCOMPARE(ops(import(text, {}, machine(512))), std::string{"run 500000, spin 1000000"}); // work shrinks with the CPU it was measured on, wall time not
    QCOMPARE(ops(import(QByteArray(text).replace("\"CPU0\"", "140"), {}, machine(512))), std::string{"run 1000000, spin 1000000"});
    QCOMPARE(codes(import(QByteArray(text).replace("CPU0", "CPU64"))), std::string{"W-CPUS"});
}

void TestRtapp::durations() {
    QCOMPARE(*import("{\"global\": {\"duration\": 6}, \"tasks\": {\"t\": {\"run\": 1}}}").import.duration, std::int64_t{6'000'000'000});
    QVERIFY(!import("{\"global\": {\"duration\": -1}, \"tasks\": {\"t\": {\"run\": 1}}}").import.duration);
    const Imported saturated = task("\"run\": 3000000000");
    QCOMPARE(codes(saturated), std::string{"W-SATURATED"});
    QCOMPARE(ops(saturated), std::string{"run 2147483647000"});
    const Imported negative = task("\"run\": 1, \"sleep\": -5");
    QCOMPARE(codes(negative), std::string{"W-NEGATIVE"});
    QCOMPARE(ops(negative), std::string{"run 1000, sleep 0"});
}

void TestRtapp::lost_wakeup() {
    const Imported i = import("{\"tasks\": {\n\"main\": {\"run\": 5,\n \"suspend\": \"other\"},\n\"x\": {\"run\": 1,\n \"resume\": \"other\"}}}");
    QVERIFY(!i.error);
    QCOMPARE(codes(i), std::string{"W-NO-TASK W-NEVER-WOKEN"});
    QCOMPARE(i.report.back().line(), std::string{"f.json:3:13: warning W-NEVER-WOKEN /tasks/main/suspend: task \"main\" suspends itself here, and no resume names it: "
                                                 "it never runs again; rt-app ignores the text \"other\", which line 5 resumes"});
}

void TestRtapp::approximations() {
    RtappOptions options;
    options.ps_per_byte = 2000;
    options.ns_per_access = 3;
    const Imported i = task("\"mem\": 1000, \"iorun\": 10, \"memrun\": {\"type\": \"read\", \"count\": 7}", options);
    QCOMPARE(ops(i), std::string{"run 2000, run 20, run 21"});
    QCOMPARE(codes(i), std::string{"W-APPROX W-APPROX W-APPROX"});
}

void TestRtapp::warnings_data() {
    QTest::addColumn<QString>("members");
    QTest::addColumn<QString>("expected");
    const auto row = [](const char* name, const char* members, const char* expected) { QTest::newRow(name) << QString::fromUtf8(members) << QString::fromUtf8(expected); };
    row("misspelt event", "\"slep\": 1, \"run\": 1", "f.json:1:18: warning W-UNKNOWN-KEY /tasks/t/slep: key \"slep\" is not known and was ignored; did you mean \"sleep\"?");
    row("events beside phases", "\"run\": 1, \"phases\": {\"p\": {\"run\": 1}}", "f.json:1:18: warning W-IGNORED /tasks/t/run: event \"run\" stands beside \"phases\"; rt-app ignores it, and so it is here");
    row("old deadline task", "\"runtime\": 1, \"period\": 5", "W-UNKNOWN-KEY W-DIALECT");
    row("memory binding", "\"nodes_membind\": [0], \"run\": 1", "f.json:1:18: warning W-UNSUPPORTED /tasks/t/nodes_membind: memory is not modelled; \"nodes_membind\" was ignored");
    row("attribute twice", "\"priority\": 1, \"run\": 1, \"priority\": 2", "f.json:1:43: warning W-DUPKEY /tasks/t/priority#2: key \"priority\" repeats line 1; the last one counts");
    row("resume of nobody", "\"run\": 1, \"resume\": \"tt\"", "f.json:1:38: warning W-NO-TASK /tasks/t/resume: no task has the name \"tt\", so this wakes nobody");
}
void TestRtapp::warnings() {
    QFETCH(QString, members);
    QFETCH(QString, expected);
    const Imported i = task(members.toUtf8().constData());
    QVERIFY2(!i.error, i.error ? i.error->text().c_str() : "");
    std::string lines;
    for (const Message& m : i.report)
        if (m.severity == Severity::warning) lines += m.line();
    if (expected.startsWith(QLatin1String("W-"))) QCOMPARE(QString::fromStdString(codes(i)), expected);
    else QCOMPARE(QString::fromStdString(lines), expected);
}

QTEST_APPLESS_MAIN(TestRtapp)
#include "test_rtapp.moc"
