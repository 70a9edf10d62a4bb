// SPDX-License-Identifier: GPL-3.0-or-later
// The checker of reference vectors must find what is wrong, name it, and refuse what it does not know.
#include <QTemporaryDir>
#include <QtTest>

#include <fstream>

#include "app/vectors/check_file.hpp"
#include "app/vectors/document.hpp"
#include "app/vectors/format.hpp"
#include "app/vectors/scene.hpp"
#include "app/vectors/trace_expected.hpp"

using namespace picknext;
using namespace picknext::vectors;

namespace {

/// Two tasks forked at one instant and one tick. Worked out by hand: 4 ms at nice 0 reach the deadline of 2.8 ms.
std::string trace() {
    return R"({"kernel": "6.12.117", "kind": "eevdf_trace",
 "cols": {"q": ["zero_vruntime", "sum_w_vruntime", "avg_vruntime", "sum_weight", "load_weight", "nr_queued", "h_nr_delayed",
                "idle_nr", "next_buddy", "h_nr_queued", "h_nr_runnable"],
          "e": ["vruntime", "sum_exec", "deadline", "vlag", "flags", "slice", "weight"],
          "l": ["last_update", "period_contrib", "load_sum", "runnable_sum", "util_sum", "load_avg", "runnable_avg", "util_avg"]},
 "feature_defaults": {"RUN_TO_PARITY": 1},
 "traces": [{"name": "two", "params": {"tick_nsec": 4000000, "base_slice_ns": 2800000, "features": {}}, "pelt": 0,
             "tree_every": 1, "groups": 0, "ops": [
  {"t": 1000000, "o": "fork", "a": [7, 0, 0, 0], "c": -1, "r": 1, "q": [-1048576, 0, -1048576, 1024, 1048576, 1, 0, 0, -1, 1, 1],
   "e": {"7": [-1048576, 0, 351424, 0, 1, 2800000, 1048576]}, "T": "7b"},
  {"t": 1000000, "o": "sched", "c": 7, "k": [["d", 7]], "q": [-1048576, 0, -1048576, 0], "e": {"7": [-1048576, 0, 351424, 351424]}, "T": ""},
  {"t": 1000000, "o": "fork", "a": [8, 0, 0, 0], "c": 7, "k": [["p", 7]], "q": [-1048576, 0, -1048576, 1024, 2097152, 2, 0, 0, -1, 2, 2],
   "e": {"8": [-1048576, 0, 351424, 0, 1, 2800000, 1048576]}, "T": "8b"},
  {"t": 5000000, "o": "tick", "c": 7, "r": 1, "q": [951424, -2048000000, 951424], "e": {"7": [2951424, 4000000, 5751424]}}]}]})";
}

std::string with(std::string text, const std::string& from, const std::string& to) {
    const auto at = text.rfind(from);
    return at == std::string::npos ? std::string{} : text.replace(at, from.size(), to);
}

std::string first_wrong(const std::string& text) {
    const auto tally = check_text("test.json", text);
    if (!tally) return tally.error().text();
    return tally->wrong().empty() ? "" : tally->wrong().front();
}

} // namespace

class TestVectors : public QObject {
    Q_OBJECT

  private slots:
    void aRightTracePasses() {
        const auto tally = check_text("test.json", trace());
        QVERIFY2(tally.has_value(), tally ? "" : tally.error().text().c_str());
        QVERIFY2(tally->wrong().empty(), first_wrong(trace()).c_str());
        QCOMPARE(tally->checked(), std::size_t{4});
    }

    void everyWrongFieldIsFound_data() {
        QTest::addColumn<QByteArray>("from");
        QTest::addColumn<QByteArray>("to");
        QTest::addColumn<QByteArray>("sentence");
        const auto row = [](const char* name, const char* from, const char* to, const char* sentence) {
            QTest::newRow(name) << QByteArray(from) << QByteArray(to) << QByteArray(sentence);
        };
        row("running task", "\"c\": 7, \"r\"", "\"c\": 8, \"r\"", "trace two, operation 3 (tick, t 5000000): the running task is 7, expected 8");
        row("reschedule", "\"c\": 7, \"r\": 1", "\"c\": 7", "trace two, operation 3 (tick, t 5000000): the request to reschedule is 1, expected 0");
        row("pick path", "[\"p\", 7]", "[\"f\", 7]", "trace two, operation 2 (fork 8 0 0 0, t 1000000): the picks is \"p 7 on queue 0\", expected \"f 7 on queue 0\"");
        row("no pick", ", \"k\": [[\"p\", 7]]", "", "trace two, operation 2 (fork 8 0 0 0, t 1000000): the picks is \"p 7 on queue 0\", expected \"none\"");
        row("queue", "[951424, -2048000000, 951424]", "[951424, -2048000000, 951425]", "trace two, operation 3 (tick, t 5000000): avg_vruntime of the queue is 951424, expected 951425");
        row("entity", "5751424", "5751425", "trace two, operation 3 (tick, t 5000000): deadline of entity 7 is 5751424, expected 5751425");
        row("tree", "\"8b\"", "\"8r\"", "trace two, operation 2 (fork 8 0 0 0, t 1000000): the tree of the queue is \"8b\", expected \"8r\"");
        // What a record leaves out stays as it was: an earlier wrong number is not forgotten.
        row("unwritten", "\"8\": [-1048576", "\"8\": [-1048575", "trace two, operation 2 (fork 8 0 0 0, t 1000000): vruntime of entity 8 is -1048576, expected -1048575");
    }
    void everyWrongFieldIsFound() {
        QFETCH(QByteArray, from);
        QFETCH(QByteArray, to);
        QFETCH(QByteArray, sentence);
        QCOMPARE(QByteArray::fromStdString(first_wrong(with(trace(), from.toStdString(), to.toStdString()))), sentence);
    }

    void changesAccumulate() {
        const Value cols = parse(R"({"q": ["nr_queued", "idle_nr"], "e": ["vruntime", "sum_exec"], "l": ["load_avg"]})");
        const Columns columns = read_columns(cols);
        Expected e(columns, true);
        e.take(parse(R"({"c": 1, "q": [[1, 2], [3, 4]], "e": {"1": [5, 6]}, "T": ["1b", ""], "L": [[7], [8], [9, 10]], "s": 3})"));
        e.take(parse(R"({"c": -1, "q": [[], [30]], "e": {"1": [50]}, "L": [[], [80], []]})"));
        QCOMPARE(e.queues, (std::vector<Row>{{1, 2}, {30, 4}}));
        QCOMPARE(e.entities.at(1), (Row{50, 6}));
        QCOMPARE(e.trees, (std::vector<std::string>{"1b", ""}));
        QCOMPARE(e.queue_loads, (std::vector<Row>{{7}, {80}}));
        QCOMPARE(e.group_loads, (std::vector<Row>{{9, 10}}));
        QVERIFY(!e.slice);
        e.forget(1);
        QVERIFY(e.entities.empty());
        QVERIFY_EXCEPTION_THROWN(e.take(parse(R"({"c": 0, "e": {"2": [1]}})")), Malformed); // a first row is complete
        QVERIFY_EXCEPTION_THROWN(e.take(parse(R"({"c": 0, "e": {"1": [1, 2, 3]}})")), Malformed);
    }

    void unknownThingsAreRefused_data() {
        QTest::addColumn<QByteArray>("text");
        QTest::addColumn<QByteArray>("part");
        const auto row = [](const char* name, const std::string& text, const char* part) {
            QTest::newRow(name) << QByteArray::fromStdString(text) << QByteArray(part);
        };
        row("no JSON", "{", "parse error");
        row("fraction", R"({"kind": 1.5})", "1.5 is no whole number");
        row("no kind", "{}", "not of a known vector format");
        row("list", "[]", "not of a known vector format");
        row("kind", with(trace(), "eevdf_trace", "rt_trace"), "not of a known vector format");
        row("kernel", with(trace(), "6.12.117", "4.4"), "kernel \"4.4\" is not known");
        row("column", with(trace(), "\"util_avg\"", "\"uclamp\""), "column uclamp is not known");
        row("feature", with(trace(), "RUN_TO_PARITY", "RUN_TO_MONDAY"), "feature RUN_TO_MONDAY is not known");
        row("parameter", with(trace(), "base_slice_ns", "slice_of_base"), "parameter slice_of_base is not known");
        row("operation", with(trace(), "\"tick\"", "\"tock\""), "operation \"tock\" is not known");
        row("nice", with(trace(), "[8, 0, 0, 0]", "[8, 20, 0, 0]"), "nice 20 is out of range");
        row("awake", with(trace(), "\"tick\"", "\"wake\", \"a\": [8]"), "task 8 is awake already");
        row("nobody", with(trace(), "\"sched\"", "\"yield\""), "nobody runs that could do this");
        row("group", with(trace(), "[8, 0, 0, 0]", "[8, 0, 0, 0, 1]"), "group 1 never appeared");
        row("missing key", with(trace(), "\"cols\"", "\"rows\""), "\"cols\" is missing");
    }
    void unknownThingsAreRefused() {
        QFETCH(QByteArray, text);
        QFETCH(QByteArray, part);
        const auto tally = check_text("test.json", text.toStdString());
        QVERIFY(!tally.has_value());
        QVERIFY2(QByteArray::fromStdString(tally.error().text()).contains(part), tally.error().text().c_str());
    }

    void filesSayWhatTheyAre() {
        QCOMPARE(kind_of(parse(R"({"kind": "weights"})")), std::string("weights"));
        QCOMPARE(kind_of(parse(R"({"doc": {"readme": "README-multicpu.md, section select_idle"}})")), std::string("select_idle"));
        QCOMPARE(kind_of(parse(R"({"doc": {"readme": "README-multicpu.md, section Kernel state of threads 1 and 2, imbalance"}})")), std::string("imbalance"));
        QCOMPARE(kind_of(parse(R"({"doc": "a text"})")), std::string());
        QCOMPARE(kind_of(parse("[]")), std::string());
    }

    void kernelsByTheirText() {
        QVERIFY(kernel_of("6.12.117") == Kernel::eevdf_6_12y);
        QVERIFY(kernel_of("6.12") == Kernel::eevdf_6_12);
        QVERIFY(kernel_of("6.1.192") == Kernel::cfs_6_1);
        QVERIFY(kernel_of("6.8") == Kernel::eevdf_6_8);
        QVERIFY(kernel_of("6.6.9") == Kernel::eevdf_6_6);
        QVERIFY(kernel_of("5.12-rc (routines as in stable 5.10.7)") == Kernel::cfs_5_12);
    }

    void filesOnDisk() {
        const QTemporaryDir dir;
        const std::string path = dir.filePath(QStringLiteral("plain.json")).toStdString();
        std::ofstream(path) << "{}";
        const auto documents = read_documents(path);
        QVERIFY(documents.has_value());
        QCOMPARE(documents->size(), std::size_t{1});
        QCOMPARE(documents->front().name, std::string("plain.json"));
        QCOMPARE(documents->front().text, std::string("{}"));
        QVERIFY(!read_documents(path + ".gone").has_value());
        std::ofstream(path, std::ios::trunc).close();
        QVERIFY(!read_documents(path).has_value()); // empty
    }
};

QTEST_APPLESS_MAIN(TestVectors)
#include "test_vectors.moc"
