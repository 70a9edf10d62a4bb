// SPDX-License-Identifier: GPL-3.0-or-later
// Expressions on one decision whose state is set by hand, so that every value can be checked by reading.
#include <QtTest>

#include <algorithm>

#include "core/engine/engine.hpp"
#include "core/expr/completions.hpp"
#include "core/expr/expression.hpp"
#include "core/expr/names.hpp"
#include "tests/support/small_scenario.hpp"

using namespace picknext;
using expr::Expression;

namespace {

QString q(const std::string& s) { return QString::fromStdString(s); }

constexpr std::int64_t ms = 1'000'000;
constexpr std::uint64_t before_sign = 0x7ffffffffffffffaULL; // 10 later its sign as a signed number changes

/// Decision 4001 at 12.5 ms: CPU 3 picks T1 by search. Tasks: T1, web#0..2 (group /web), late (to be forked).
struct Fixture {
    Scenario scenario;
    State st;
    DecisionHeader header;
    std::vector<Check> checks;

    explicit Fixture(Kernel kernel = Kernel::eevdf_6_12y) {
        TaskSpec web = test::sleeper("web", 1 * ms, 1 * ms);
        web.count = 3;
        web.group = "/web";
        TaskSpec late = test::hog("late", 0);
        late.count = 0;
        scenario = test::scenario_of(kernel, test::flat_machine(4), {test::hog("T1", 0), web, late});
        scenario.workload.groups.push_back({"/web", 2048});
        st = initial_state(scenario);
        st.now = 12'500'000;
        st.decisions = 4001;
        Task& t1 = st.task(TaskId{0});
        t1.cpu = CpuId{3};
        t1.on_rq = 1;
        t1.state = TaskState::runnable;
        st.entity(TaskId{0}).vlag = -250;
        st.entity(TaskId{2}).vlag = -7;
        st.entity(TaskId{0}).vruntime = VTime{before_sign};
        st.entity(TaskId{1}).vruntime = VTime{before_sign + 10};
        st.rq(CpuId{3}).nr_running = 2;
        st.rq(CpuId{3}).curr = TaskId{0};
        st.nohz_idle_cpus.assign(1, 0b0101);
        st.llc_idle_cpus.assign(1, 0b0010);
        st.settings.set(Patch::idle_mask, static_cast<int>(IdleMask::v11));
        header = make_header(Kind::pick, Reason::pick_search, CpuId{3}, TaskId{0}, st.task(TaskId{0}).entity.value);
        header.at = st.now;
        header.path = PickPath::slow;
        header.deciding = 1;
        checks = {Check{Chk::left_subtree_eligible, Verdict::not_asked, 0, 0, 0, 0},
                  Check{Chk::leftmost_eligible, Verdict::no, 0, t1.entity.value, 1000, 400}};
        header.checks = 2;
    }
    [[nodiscard]] bool holds(const char* text) const {
        const Result<Expression> e = Expression::compile(text, scenario);
        if (!e) qWarning("%s: %s", text, e.error().text().c_str());
        return e && e->holds(st, header, checks);
    }
    [[nodiscard]] std::string value(const char* text) const {
        const Result<Expression> e = Expression::compile(text, scenario, expr::Want::value);
        if (!e) return e.error().text();
        return expr::value_text(scenario, st, e->type(), e->value(st, header, checks));
    }
    /// What the names at the end of a text may become.
    [[nodiscard]] std::vector<std::string> complete(const std::string& text) const {
        std::vector<std::string> out;
        for (const expr::Candidate& c : expr::completions(text, static_cast<int>(text.size()) + 1, scenario).candidates) out.push_back(c.text);
        return out;
    }
};

bool has(const std::vector<std::string>& list, const std::string& text) { return std::find(list.begin(), list.end(), text) != list.end(); }

} // namespace

class TestExpr : public QObject {
    Q_OBJECT
  private Q_SLOTS:
    void conditions_data();
    void conditions();
    void values_data();
    void values();
    void refusals_data();
    void refusals();
    void messages_mend();
    void an_outcome_is_what_its_kind_says();
    void nothing_has_no_value_under_cfs();
    void a_running_task_has_no_lag_stored();
    void a_quota_is_there_or_not();
    void masks_that_nobody_writes_have_no_value();
    void forked_tasks_are_found_once_they_exist();
    void every_condition_is_tried();
    void limits();
    void patterns();
    void fields_are_named_once();
    void completions();
};

void TestExpr::conditions_data() {
    QTest::addColumn<bool>("holds");
    const auto row = [](const char* text, bool holds) { QTest::newRow(text) << holds; };
    // the decision
    row("cpu==3 && kind==pick && path==slow", true);
    row("cpu==2 || kind==place || path==fast", false);
    row("cpu == 2 || cpu == 3 && path == fast", false); // && binds tighter
    row("(cpu == 3 || cpu == 2) && path == slow", true);
    row("!(cpu == 2) && !(path == fast)", true);
    row("kind in tick, pick", true);
    row("reason == pick.slow", true);
    row("reason == \"pick.slow\"", true);
    row("reason == \"pick.*\"", true);
    row("reason != \"pick.*\"", false);
    row("reason in \"place.*\", pick.fast", false);
    row("pick == kind", true);
    row("now >= 12.5ms", true);
    row("now > 12.5ms", false);
    row("now in 12ms-13ms", true);
    row("now == 12500us && now == 12500000ns", true);
    row("decision > 4000", true);
    row("site == schedule && level == 0", true);
    row("cpu in 0-2", false);
    row("cpu in 0-1,3", true);
    row("cpu in {0-1,3}", true);
    row("task == \"T1\"", true);
    row("task == \"T*\"", true);
    row("task in \"web\", \"T?\"", true);
    row("task != \"web\"", true);
    row("task == none", false);
    row("outcome == task(\"T1\")", true);
    row("outcome == \"T1\"", true);
    row("outcome != \"T1\"", false);
    row("outcome == cpu 3", false);  // a pick finds a task
    row("outcome != cpu 3", false);  // likewise: no CPU, no value
    row("outcome == none", false);
    row("outcome.nice == 0", true);
    // tasks, CPUs, groups
    row("task(\"T1\").vlag < 0", true);
    row("task(\"T1\").vlag == -250ns", true);
    row("task(\"T1\").on_rq && task(\"T1\").running == yes", true);
    row("task(\"web#1\").vlag == -7ns", true);
    row("task(\"web*\").vlag < 0", true);      // some of them
    row("task(\"web\").vlag < -7ns", false);
    row("!(task(\"web\").vlag < 0)", false);
    row("task(\"T1\").vruntime < task(\"web#0\").vruntime", true); // the wrapped distance
    row("task(\"web#0\").vruntime - task(\"T1\").vruntime == 10ns", true);
    row("task(\"T1\").vruntime + 10ns == task(\"web#0\").vruntime", true);
    row("rq(3).nr_running >= 2", true);
    row("rq(cpu).curr == task", true);
    row("rq(0).curr == none && rq(0).idle", true);
    row("rq(3).curr == \"T1\"", true);
    row("rq(task.cpu).nr_running * 3 - 1 == 5", true);
    row("group(\"/web\").weight == 200 && group(\"/web\").shares == 2048", true);
    row("task(\"web#2\").group == \"/web\" && task.group == \"/\"", true);
    row("task(\"T1\").cpus_ptr contains cpu 0", true);
    row("task(\"T1\").cpus_ptr contains 1", false);
    // any and all
    row("any(cpu, rq(cpu).nr_running == 0)", true);
    row("all(cpu, cpu.nr_running == 0)", false);
    row("all(cpu in 0-2, cpu.idle)", true);
    row("any(cpu in {3}, cpu.idle)", false);
    row("any(task in \"web\", task.vlag == -7ns)", true);
    row("all(task, task.nice == 0)", true);
    row("all(cpu, any(task, task.cpu == cpu || cpu != 3))", true);
    // checks and masks
    row("checks contains leftmost_eligible", true);
    row("checks contains node_eligible", false);
    row("deciding == leftmost_eligible", true);
    row("check(leftmost_eligible).margin == 600ns && !check(leftmost_eligible).passed", true);
    row("check(leftmost_eligible).subject == task", true);
    row("check(left_subtree_eligible).passed", false); // was not asked: no value
    row("mask(nohz) contains cpu 2 && !(mask(nohz) contains cpu 1)", true);
    row("mask(llc 0) contains cpu 1", true);
    row("mask(llc 0) contains cpu", false);
    // what has no value
    row("1 / (decision - 4001) == 0", false);
    row("1 / (decision - 4001) != 0", false);
    row("!(1 % (decision - 4001) == 0)", true);
    row("9223372036854775807 + decision > 0", false);
    row("task(\"late\").nice == 0 || task(\"late\").nice != 0", false);
    row("!task(\"late\").on_rq", true);
    row("amount < 0 || amount >= 0", false);
    row("now - 13ms == -500us && -now < 0", true);
    row("7 / 2 == 3 && -7 / 2 == -3 && -7 % 2 == -1", true); // towards zero
    row("5ms / 2ms == 2 && 5ms % 2ms == 1ms && 2 * 3ms == 6ms", true);
}

void TestExpr::conditions() {
    const Fixture f;
    QFETCH(bool, holds);
    QVERIFY2(Expression::compile(QTest::currentDataTag(), f.scenario).has_value(), QTest::currentDataTag());
    QCOMPARE(f.holds(QTest::currentDataTag()), holds);
}

void TestExpr::values_data() {
    QTest::addColumn<QString>("value");
    const auto row = [](const char* text, const char* value) { QTest::newRow(text) << QString(value); };
    row("now", "12.5ms");
    row("now - 13ms", "-500us");
    row("cpu", "cpu 3");
    row("task", "\"T1\"");
    row("kind", "pick");
    row("reason", "pick.slow");
    row("path", "slow");
    row("task.policy", "normal");
    row("task(\"web#0\").state", "waiting_to_start");
    row("task(\"web#1\").group", "\"/web\"");
    row("rq(0).curr", "none");
    row("rq(0).idle", "yes");
    row("rq(3).nr_running + 1", "3");
    row("task(\"late#0\").nice", "no value");
    row("deciding", "leftmost_eligible");
    row("cpu.llc", "llc 0");
}

void TestExpr::values() {
    const Fixture f;
    QFETCH(QString, value);
    QCOMPARE(q(f.value(QTest::currentDataTag())), value);
}

void TestExpr::refusals_data() {
    QTest::addColumn<QString>("code");
    QTest::addColumn<int>("column");
    const auto row = [](const char* text, const char* code, int column) { QTest::newRow(text) << QString(code) << column; };
    row("", "E-SYNTAX", 1);
    row("  ", "E-SYNTAX", 3);
    row("cpu ==", "E-SYNTAX", 7);
    row("cpu = 3", "E-SYNTAX", 5);
    row("cpu == 3 & cpu == 2", "E-SYNTAX", 10);
    row("cpu == 3 and cpu == 2", "E-SYNTAX", 10);
    row("1 < 2 < 3", "E-SYNTAX", 7);
    row("(cpu == 3", "E-SYNTAX", 10);
    row("cpu == 3)", "E-SYNTAX", 9);
    row("task == \"T1", "E-SYNTAX", 9);
    row("cpu == 3 # here", "E-SYNTAX", 10);
    row("cpu == 3 && \xc3\xa9t\xc3\xa9", "E-SYNTAX", 13);
    row("kind == \"\xc3\xa9t\xc3\xa9\" && kind == 3", "E-NAME", 9);
    row("task == \"T1\" && \xc3\xa9", "E-SYNTAX", 17);
    row("task. == 3", "E-SYNTAX", 7);
    row("now > 12.5", "E-UNIT", 7);
    row("now > 4 ms", "E-SYNTAX", 9);
    row("now > 4min", "E-UNIT", 7);
    row("decision > 9223372036854775808", "E-RANGE", 12);
    row("cpoo == 3", "E-NAME", 1);
    row("kind == pik", "E-NAME", 9);
    row("wakups > 3", "E-NAME", 1);
    row("task.vlagg < 0", "E-NAME", 6);
    row("taks.vlag < 0", "E-NAME", 1);
    row("task(\"T2\").vlag < 0", "E-NAME", 6);
    row("group(\"/wb\").weight > 3", "E-NAME", 7);
    row("reason == \"plaice.*\"", "E-NAME", 11);
    row("foo(3)", "E-NAME", 1);
    row("now > 5", "E-TYPE", 7);
    row("now + 5 > 6ms", "E-TYPE", 7);
    row("cpu", "E-TYPE", 1);
    row("task(\"T1\")", "E-TYPE", 1);
    row("!cpu == 3", "E-TYPE", 2);
    row("kind < pick", "E-TYPE", 6);
    row("outcome == 4", "E-TYPE", 12);
    row("task.vruntime > 3ms", "E-TYPE", 17);
    row("task.vruntime * 2 > task.vruntime", "E-TYPE", 15);
    row("kind == task", "E-TYPE", 9);
    row("now.ms > 3", "E-TYPE", 5);
    row("rq(task).idle", "E-TYPE", 4);
    row("cpu == 4", "E-RANGE", 8);
    row("rq(4).idle", "E-RANGE", 4);
    row("cpu in 3-0", "E-RANGE", 8);
    row("llc 1.has_idle_cores", "E-RANGE", 5);
    row("rq(1, 2).idle", "E-ARGUMENTS", 7);
    row("any(cpu)", "E-ARGUMENTS", 8);
    row("any(kind, cpu == 3)", "E-ARGUMENTS", 5);
    row("any(cpu, any(cpu, any(cpu, cpu == 3)))", "E-LIMIT", 19);
    row("age(mask(llc 0), cpu 5) > 4ms", "E-ABSENT", 1);
}

void TestExpr::refusals() {
    const Fixture f;
    QFETCH(QString, code);
    QFETCH(int, column);
    const Result<Expression> e = Expression::compile(QTest::currentDataTag(), f.scenario);
    QVERIFY(!e);
    QVERIFY2(q(e.error().code) == code, e.error().text().c_str());
    QVERIFY2(e.error().place.column == column, e.error().text().c_str());
    QCOMPARE(e.error().place.line, 1);
}

void TestExpr::messages_mend() {
    const Fixture f;
    const auto message = [&](const char* text) { return q(Expression::compile(text, f.scenario).error().message); };
    QCOMPARE(message("kind == pik"), QString("\"pik\" is not a kind of decision; did you mean \"pick\"?"));
    QCOMPARE(message("task.vlagg < 0"), QString("a task has no field \"vlagg\"; did you mean \"vlag\"?"));
    QCOMPARE(message("slow"), QString("\"slow\" is no field; write path == slow"));
    QCOMPARE(message("task == T1"), QString("\"T1\" is no field; names of tasks stand in quotes: \"T1\""));
    QCOMPARE(message("task(\"T1\")"), QString("\"task(\"T1\")\" is a task, but a condition is needed here; write task == \"T1\""));
    QCOMPARE(message("group(\"/wb\").weight > 3"), QString("there is no task group \"/wb\"; did you mean \"/web\"?"));
    QCOMPARE(message("cpu == 7"), QString("the machine has no CPU 7; its CPUs are 0-3"));
    QCOMPARE(message("now > 5"), QString("\"5\" is a number, but a time is needed here; write 5ns, 5us, 5ms or 5s"));
    QVERIFY(message("age(mask(llc 0), cpu 5) > 4ms").contains("not kept"));
}

void TestExpr::an_outcome_is_what_its_kind_says() {
    Fixture f;
    f.header = make_header(Kind::place, Reason::place_scan_idle, CpuId{0}, TaskId{1}, 2);
    QVERIFY(f.holds("outcome == cpu 2 && outcome in cpu 1-2 && outcome.idle && reason == \"place.scan_idle\""));
    QVERIFY(!f.holds("outcome == \"T1\" || outcome != \"T1\" || outcome == yes || outcome == none || path == slow"));
    f.header = make_header(Kind::tick, Reason::tick_deadline, CpuId{0}, TaskId{1}, 1);
    QVERIFY(f.holds("outcome == yes && outcome != no"));
    QVERIFY(!f.holds("outcome == none || outcome != none || outcome == cpu 1"));
    f.header = make_header(Kind::schedule, Reason::schedule_idle, CpuId{0}, TaskId{1}, -1);
    QVERIFY(f.holds("outcome == none && outcome != \"T1\""));
    QVERIFY(!f.holds("outcome.nice == 0 || outcome.nice != 0")); // nobody has no fields
    f.header = make_header(Kind::imbalance, Reason::imbalance_tasks, CpuId{0}, TaskId::none(), 2);
    QVERIFY(f.holds("amount == 2"));
    f.header = make_header(Kind::pick, Reason::pick_search, CpuId{0}, TaskId::none(), f.st.groups[1].first_entity.value);
    QVERIFY(f.holds("outcome != none"));
    QVERIFY(!f.holds("outcome == \"web\" || outcome != \"web\"")); // a group's entity is no task
    QVERIFY(f.holds("outcome == group(\"/web\")"));
    QVERIFY(!Fixture().holds("outcome == group(\"/web\")"));
    const DecisionHeader start; // nothing decided yet
    const Result<Expression> any = Expression::compile("outcome == none || outcome != none || outcome == cpu 0 || kind != pick || cpu == 0 || task == none || level == 0", f.scenario);
    QVERIFY(!any->holds(f.st, start, {}));
}

void TestExpr::nothing_has_no_value_under_cfs() {
    const Fixture f(Kernel::cfs_6_1);
    QVERIFY(!f.holds("task.deadline == task.deadline"));
    QVERIFY(!f.holds("task.deadline != task.deadline"));
    QVERIFY(f.holds("!(task.deadline == task.deadline)"));
    QVERIFY(!f.holds("task.eligible"));
    QVERIFY(f.holds("task.vruntime == task.vruntime"));
}

void TestExpr::a_running_task_has_no_lag_stored() {
    Fixture f;
    const EntityId e = f.st.task(TaskId{0}).entity;
    f.st.entity(e).queue = QueueId{3};
    QVERIFY(f.holds("task.vlag == -250ns"));
    f.st.queue(QueueId{3}).curr = e; // what stands there now marks its protection
    QVERIFY(!f.holds("task.vlag == -250ns || task.vlag != -250ns"));
}

void TestExpr::a_quota_is_there_or_not() {
    Fixture f;
    QVERIFY(!f.holds("group(\"/web\").quota == 0 || group(\"/web\").quota != 0"));
    f.st.bandwidth.resize(f.st.groups.size());
    f.st.bandwidth[1].quota = 5 * ms;
    f.st.bandwidth[1].runtime = -200'000; // overrun
    f.st.bandwidth[1].nr_throttled = 3;
    QVERIFY(f.holds("group(\"/web\").quota == 5ms && task(\"web#0\").group.runtime == -200us && group(\"/web\").nr_throttled > 2"));
    QVERIFY(!f.holds("group(\"/\").quota >= 0"));
}

void TestExpr::masks_that_nobody_writes_have_no_value() {
    Fixture f;
    QVERIFY(f.holds("mask(llc 0) contains cpu 1"));
    f.st.settings.set(Patch::idle_mask, static_cast<int>(IdleMask::off));
    QVERIFY(!f.holds("mask(llc 0) contains cpu 1"));
    QVERIFY(f.holds("mask(nohz) contains cpu 2"));
    f.st.llc_shared.at(0).nr_busy_cpus = 3;
    QVERIFY(f.holds("(llc 0).nr_busy_cpus == 3 && cpu.llc.nr_busy_cpus == 3"));
    f.st.llc_shared.clear(); // no domain spans the cache
    QVERIFY(!f.holds("(llc 0).nr_busy_cpus == 3"));
}

void TestExpr::forked_tasks_are_found_once_they_exist() {
    Fixture f;
    const Result<Expression> e = Expression::compile("task(\"late#0\").nice == 5", f.scenario);
    QVERIFY(e.has_value());
    QVERIFY(!e->holds(f.st, f.header, f.checks));
    Task late = f.st.task(TaskId{0});
    late.program = 2;
    late.instance = 0;
    late.nice = 5;
    f.st.tasks.push_back(late);
    QVERIFY(e->holds(f.st, f.header, f.checks));
}

void TestExpr::every_condition_is_tried() {
    const Fixture f;
    const Result<Expression> e = Expression::compile("cpu == 2 && (kind in place, tick || now > 12ms) && rq(0).idle", f.scenario);
    const std::vector<expr::Tried> tried = e->tried(f.scenario, f.st, f.header, f.checks);
    QCOMPARE(tried.size(), std::size_t{4});
    QCOMPARE(tried[0].column, 1);
    QCOMPARE(tried[0].length, 8);
    QVERIFY(!tried[0].holds);
    QCOMPARE(q(tried[0].left), QString("cpu 3"));
    QCOMPARE(q(tried[0].right), QString("cpu 2"));
    QCOMPARE(tried[1].column, 14);
    QVERIFY(!tried[1].holds);
    QCOMPARE(q(tried[1].left), QString("pick"));
    QVERIFY(tried[2].holds);
    QCOMPARE(q(tried[2].left), QString("12.5ms"));
    QCOMPARE(q(tried[2].right), QString("12ms"));
    QVERIFY(tried[3].holds);
    QCOMPARE(tried[3].length, 10);
}

void TestExpr::limits() {
    const Fixture f;
    std::string deep = "cpu == 3";
    for (int i = 0; i < 63; ++i) deep = "(" + deep + ")";
    QVERIFY(f.holds(deep.c_str()));
    deep = "(" + deep + ")";
    QCOMPARE(q(Expression::compile(deep, f.scenario).error().code), QString("E-LIMIT"));
    std::string wide = "cpu == 3";
    while (wide.size() + 13 <= expr::longest_text) wide += "&&cpu == 3   ";
    wide.resize(expr::longest_text, ' ');
    QVERIFY(f.holds(wide.c_str()));
    const Result<Expression> longer = Expression::compile(wide + " ", f.scenario);
    QCOMPARE(q(longer.error().code), QString("E-LIMIT"));
    QCOMPARE(longer.error().place.column, static_cast<int>(expr::longest_text) + 1);
    QVERIFY(f.holds("any(cpu, any(task, task == \"T1\"))"));
}

void TestExpr::patterns() {
    QVERIFY(expr::matches("a*b?d", "aXXbcd"));
    QVERIFY(!expr::matches("a*b?d", "aXXbd"));
    QVERIFY(expr::matches("*", ""));
    QVERIFY(!expr::matches("", "a"));
    QVERIFY(expr::matches("*a*a*", "baab"));
    const Fixture f;
    QVERIFY(f.holds("any(task in \"w*#2\", task.group == \"/web\")"));  // web#2 alone
    QVERIFY(f.holds("all(task in \"web#?\", task.group == \"/web\")"));
    QVERIFY(f.holds("task(\"web#1\").vlag == -7ns && !(task(\"web#2\").vlag == -7ns)"));
    QCOMPARE(q(Expression::compile("task(\"T1#0\").nice == 0", f.scenario).error().code), QString("E-NAME")); // it is called T1
}

void TestExpr::fields_are_named_once() {
    for (const expr::Field& a : expr::field_table()) {
        QVERIFY2(!a.meaning.empty(), a.name.data());
        int same = 0;
        for (const expr::Field& b : expr::field_table()) same += a.owner == b.owner && a.name == b.name ? 1 : 0;
        QVERIFY2(same == 1, a.name.data());
        for (const expr::Type type : {expr::Type::kind, expr::Type::path, expr::Type::reason})
            for (const expr::Name& n : expr::names_of(type)) QVERIFY2(a.owner != expr::Owner::decision || n.name != a.name, a.name.data());
    }
}

void TestExpr::completions() {
    const Fixture f;
    QVERIFY(has(f.complete(""), "kind") && has(f.complete(""), "rq(cpu)"));
    QCOMPARE(f.complete("dec"), (std::vector<std::string>{"decision", "deciding"}));
    QVERIFY(has(f.complete("kind == "), "nohz_kick") && !has(f.complete("kind == "), "now"));
    QCOMPARE(f.complete("kind == pi"), std::vector<std::string>{"pick"});
    QVERIFY(has(f.complete("reason == place.sc"), "place.scan_idle"));
    QVERIFY(!has(f.complete("reason == place.sc"), "place.no_idle"));
    QCOMPARE(f.complete("task(\"T1\").vl"), std::vector<std::string>{"vlag"});
    QCOMPARE(f.complete("rq(3).curr.wakee"), std::vector<std::string>{"wakee_flips"});
    QVERIFY(has(f.complete("rq("), "3"));
    QCOMPARE(f.complete("task(\"web#"), (std::vector<std::string>{"\"web#0\"", "\"web#1\"", "\"web#2\""}));
    QCOMPARE(f.complete("group(\"/w"), std::vector<std::string>{"\"/web\""});
    QCOMPARE(f.complete("group(\"/web\").we"), std::vector<std::string>{"weight"});
    QVERIFY(has(f.complete("checks contains left_"), "left_subtree_eligible"));
    QVERIFY(has(f.complete("outcome == "), "cpu 2") && has(f.complete("outcome == "), "none"));
    QVERIFY(has(f.complete("cpu == 3 "), "&&"));
    QVERIFY(has(f.complete("path in slow, "), "fast"));
    const expr::Completions c = expr::completions("cpu == 3 && kind == pi || now > 3ms", 23, f.scenario);
    QCOMPARE(c.from, 21); // what stands behind does not count
    QCOMPARE(c.candidates.size(), std::size_t{1});
    const expr::Completions field = expr::completions("task.vlag", 10, f.scenario);
    QCOMPARE(q(field.candidates.at(0).meaning), QString("lag stored when it left the queue; no value while it runs; EEVDF only [virtual ns] (se.vlag)"));
}

QTEST_APPLESS_MAIN(TestExpr)
#include "test_expr.moc"
