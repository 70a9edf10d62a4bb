// SPDX-License-Identifier: GPL-3.0-or-later
// The JSON schemas and the readers know the same keys.
#include <QTest>

#include <map>
#include <set>
#include <span>

#include "core/io/json_reader.hpp"
#include "core/io/native_keys.hpp"

using namespace picknext;
using namespace picknext::io;

class TestSchema : public QObject {
    Q_OBJECT
  private Q_SLOTS:
    void same_keys_data();
    void same_keys();
    void kernels();
    void cost_units();
};

namespace {

using Keys = std::set<std::string>;

JsonValue schema(const char* kind) {
    const Result<std::string> text = read_file(std::string(PICKNEXT_SCHEMAS) + "/picknext-" + kind + "-1.schema.json");
    if (!text) return {};
    const Source source(kind, *text);
    Report report;
    Result<JsonValue> tree = parse_json(source, report);
    return tree && report.empty() ? std::move(tree).value() : JsonValue{};
}

const JsonValue* member(const JsonValue& v, std::string_view key) {
    for (const JsonMember& m : v.members)
        if (m.key == key) return &m.value;
    return nullptr;
}

/// The keys of each "properties" below, by where it stands.
void collect(const JsonValue& v, const std::string& where, std::map<std::string, Keys>& out) {
    for (std::size_t i = 0; i < v.items.size(); ++i) collect(v.items[i], where, out);
    for (const JsonMember& m : v.members) {
        if (m.key != "properties") {
            collect(m.value, where + "/" + m.key, out);
            continue;
        }
        for (const JsonMember& property : m.value.members) {
            out[where].insert(property.key);
            collect(property.value, where + "/" + property.key, out);
        }
    }
}

Keys keys_of(std::span<const std::string_view> table) { return Keys(table.begin(), table.end()); }
QString listed(const Keys& keys) {
    QStringList out;
    for (const std::string& key : keys) out += QString::fromStdString(key);
    return out.join(QLatin1Char(' '));
}

} // namespace

void TestSchema::same_keys_data() {
    QTest::addColumn<QString>("kind");
    QTest::newRow("topology") << "topology";
    QTest::newRow("workload") << "workload";
    QTest::newRow("scenario") << "scenario";
    QTest::newRow("packet") << "packet";
    QTest::newRow("costs") << "costs";
}

void TestSchema::same_keys() {
    QFETCH(QString, kind);
    const std::map<std::string, std::map<std::string, Keys>> readers{
        {"topology", {{"", keys_of(keys::topology)}, {"/build", keys_of(keys::build)}, {"/$defs/cpu", keys_of(keys::cpu)},
                      {"/$defs/node", keys_of(keys::node)}, {"/$defs/cache", keys_of(keys::cache)}, {"/$defs/source", keys_of(keys::source)}}},
        {"workload", {{"", keys_of(keys::workload)}, {"/$defs/group", keys_of(keys::group)}, {"/$defs/resources", keys_of(keys::resources)},
                      {"/$defs/sem", keys_of(keys::sem)}, {"/$defs/barrier", keys_of(keys::barrier)}, {"/$defs/pipe", keys_of(keys::pipe)},
                      {"/$defs/timer", keys_of(keys::timer)}, {"/$defs/task", keys_of(keys::task)}, {"/$defs/phase", keys_of(keys::phase)},
                      {"/$defs/set", keys_of(keys::set)}, {"/$defs/op", keys_of(keys::op)}, {"/$defs/op/timer", keys_of(keys::op_timer)},
                      {"/$defs/op/wait", keys_of(keys::op_wait)}, {"/$defs/op_channel", keys_of(keys::op_channel)}, {"/$defs/op_post", keys_of(keys::op_post)},
                      {"/$defs/socket", keys_of(keys::socket)}, {"/$defs/generator", keys_of(keys::generator)}, {"/$defs/dist/anyOf", keys_of(keys::dist)}}},
        {"scenario", {{"", keys_of(keys::scenario)}, {"/$defs/file_reference", keys_of(keys::file_reference)}, {"/until", keys_of(keys::until)},
                      {"/$defs/position", keys_of(keys::position)}, {"/$defs/edit_item", keys_of(keys::edit_item)}, {"/$defs/edit", keys_of(keys::edit)},
                      {"/$defs/edit_affinity", keys_of(keys::edit_affinity)}, {"/$defs/bookmark", keys_of(keys::bookmark)}, {"/$defs/note", keys_of(keys::note)}}},
        {"packet", {{"", keys_of(keys::packet)}, {"/$defs/assertion", keys_of(keys::assertion)}}},
        {"costs", {{"", keys_of(keys::costs)}, {"/constants", keys_of(keys::cost_names())}, {"/$defs/time", keys_of(keys::cost)},
                   {"/$defs/factor", keys_of(keys::cost)}, {"/$defs/number", keys_of(keys::cost)}, {"/$defs/size", keys_of(keys::cost)},
                   {"/$defs/switch", keys_of(keys::cost)}, {"/$defs/idle_state", keys_of(keys::idle_state)}}}};
    const std::map<std::string, Keys>& expected = readers.at(kind.toStdString());
    const JsonValue tree = schema(kind.toUtf8().constData());
    QVERIFY(!tree.members.empty());
    std::map<std::string, Keys> found;
    collect(tree, {}, found);
    for (const auto& [where, keys] : expected) {
        QVERIFY2(found.contains(where), where.c_str());
        QCOMPARE(listed(found[where]), listed(keys));
    }
    QCOMPARE(found.size(), expected.size()); // no object of the schema is unknown to the readers
}

void TestSchema::kernels() {
    const JsonValue tree = schema("scenario");
    const JsonValue* words = member(*member(*member(tree, "properties"), "kernel"), "enum");
    QVERIFY(words != nullptr);
    QCOMPARE(words->items.size(), kernel_table().size());
    for (std::size_t i = 0; i < words->items.size(); ++i) QCOMPARE(words->items[i].text, std::string(kernel_table()[i].name));
}

/// Each constant has the type of its unit, with the reader's limits, and the table's title.
void TestSchema::cost_units() {
    const JsonValue tree = schema("costs");
    const JsonValue* constants = member(*member(*member(tree, "properties"), "constants"), "properties");
    const JsonValue* types = member(tree, "$defs");
    QVERIFY(constants != nullptr && types != nullptr);
    const std::map<cost::CostUnit, std::string> type{{cost::CostUnit::ns, "time"}, {cost::CostUnit::permille, "factor"}, {cost::CostUnit::count, "number"},
                                                     {cost::CostUnit::bytes, "size"}, {cost::CostUnit::flag, "switch"}};
    for (const cost::CostInfo& i : cost::cost_table()) {
        const JsonValue* constant = member(*constants, i.name);
        QVERIFY2(constant != nullptr, std::string(i.name).c_str());
        QCOMPARE(member(*constant, "$ref")->text, "#/$defs/" + type.at(i.unit));
        QCOMPARE(member(*constant, "description")->text, std::string(i.title));
        if (i.unit == cost::CostUnit::ns || i.unit == cost::CostUnit::flag) continue;
        const JsonValue* value = member(*member(*member(*types, type.at(i.unit)), "properties"), "value");
        QCOMPARE(member(*value, "maximum")->integer, cost::most(i.unit));
    }
    const JsonValue* words = member(*member(*types, "basis"), "enum");
    QCOMPARE(words->items.size(), cost::basis_names.size());
    for (std::size_t i = 0; i < words->items.size(); ++i) QCOMPARE(words->items[i].text, std::string(cost::basis_names[i]));
}

QTEST_APPLESS_MAIN(TestSchema)
#include "test_schema.moc"
