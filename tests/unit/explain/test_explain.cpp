// SPDX-License-Identifier: GPL-3.0-or-later
#include <QtTest>

#include <algorithm>
#include <limits>

#include "core/explain/explain.hpp"
#include "core/fair/views.hpp"
#include "tests/support/small_scenario.hpp"
#include "tests/unit/explain/crowded_queue.hpp"

using namespace picknext;

namespace {
QString q(const std::string& s) { return QString::fromStdString(s); }

std::vector<std::string> lines_of(const std::string& text) {
    std::vector<std::string> lines;
    std::size_t at = 0;
    while (at < text.size()) {
        const std::size_t end = std::min(text.find('\n', at), text.size());
        lines.push_back(text.substr(at, end - at));
        at = end + 1;
    }
    return lines;
}

Explanation explain_all(const test::CrowdedQueue& c) { return explain(c.scenario, c.st, c.header, c.checks); }

/// One check of its own, explained on the crowded queue.
ExplainedCheck row_of(const Check& check, Kernel kernel = Kernel::eevdf_6_12) {
    test::CrowdedQueue c;
    c.st.settings = default_settings(kernel, 4);
    c.header.deciding = 0;
    const std::vector<Check> checks{check};
    return explain(c.scenario, c.st, c.header, checks).checks.at(0);
}
} // namespace

class TestExplain : public QObject {
    Q_OBJECT
  private Q_SLOTS:
    void milliseconds_data();
    void milliseconds();
    void lengths_have_no_plus();
    void digits_are_grouped();
    void plain_text_is_ascii();
    void names();

    void the_queue_is_what_the_pictures_show();
    void a_search_says_how_far_it_went();
    void checks_are_rows();
    void exactly_one_row_decided();
    void nodes_of_the_search_are_numbered();
    void closest_calls_are_the_smallest_margins();

    void times_that_look_alike_get_six_decimals();
    void a_feature_that_is_off_is_the_reason_not_to_ask();
    void the_tree_of_6_6_goes_left_where_later_ones_go_right();
    void notes_have_no_answer();

    void a_switch_writes_the_tree_and_the_protection();
    void titles_data();
    void titles();
    void other_reasons_end_in_what_was_compared();
    void the_path_of_a_current_that_wins_is_the_path_before_it();
    void functions_bear_the_name_of_their_kernel();

    void the_start_has_no_words();
    void a_mail_has_72_columns();
    void a_log_line();
};

void TestExplain::milliseconds_data() {
    QTest::addColumn<qlonglong>("ns");
    QTest::addColumn<int>("decimals");
    QTest::addColumn<QString>("text");
    QTest::newRow("zero") << 0LL << 3 << "0.000";
    QTest::newRow("positive") << 2'385'000LL << 3 << "+2.385";
    QTest::newRow("negative") << -955'123LL << 3 << "\u2212" "0.955";
    QTest::newRow("rounds half away from zero") << 500LL << 3 << "+0.001";
    QTest::newRow("rounds half away from zero below") << -1'500LL << 3 << "\u2212" "0.002";
    QTest::newRow("too small for a sign") << -499LL << 3 << "0.000";
    QTest::newRow("six decimals in two groups") << 12'345'678LL << 6 << "+12.345\u202f678";
    QTest::newRow("no decimals") << 1'600'000LL << 0 << "+2";
    QTest::newRow("thousands") << 1'234'567'000'000LL << 3 << "+1\u202f234\u202f567.000";
    QTest::newRow("smallest") << std::numeric_limits<qlonglong>::min() << 6 << "\u2212" "9\u202f223\u202f372\u202f036\u202f854.775\u202f808";
}
void TestExplain::milliseconds() {
    QFETCH(qlonglong, ns);
    QFETCH(int, decimals);
    QTEST(q(ms_text(ns, decimals)), "text");
}
void TestExplain::lengths_have_no_plus() {
    QCOMPARE(q(ms_length(12'000'000)), q("12.000"));
    QCOMPARE(q(ms_length(-1'000'000)), q("\u2212" "1.000"));
    QCOMPARE(q(ms_length(0)), q("0.000"));
}
void TestExplain::digits_are_grouped() {
    QCOMPARE(q(grouped(9'825'907)), q("9\u202f825\u202f907"));
    QCOMPARE(q(grouped(-11'076)), q("\u2212" "11\u202f076"));
    QCOMPARE(q(grouped(999)), q("999"));
    QCOMPARE(q(grouped(std::numeric_limits<std::int64_t>::min())), q("\u2212" "9\u202f223\u202f372\u202f036\u202f854\u202f775\u202f808"));
}
void TestExplain::plain_text_is_ascii() {
    QCOMPARE(q(plain("v \u2212 V = +0.858 \u2264 0 \u2192 go left")), q("v - V = +0.858 <= 0 -> go left"));
    QCOMPARE(q(plain("P5\u2460")), q("P5.1"));
    QCOMPARE(q(plain("P5\u2473")), q("P5.20"));
    QCOMPARE(q(plain("\u2713 yes")), q("yes"));
    QCOMPARE(q(plain("\u2717 no")), q("no"));
    QCOMPARE(q(plain("\u2013 n/a")), q("n/a"));
    QCOMPARE(q(plain("9\u202f825\u202f907")), q("9825907"));
    QCOMPARE(q(plain("caf\u00e9")), q("caf\u00e9")); // names stay as they are
}
void TestExplain::names() {
    const test::CrowdedQueue c;
    QCOMPARE(q(name_of(c.scenario, c.st, TaskId{3})), q("cc1#3"));
    QCOMPARE(q(name_of(c.scenario, c.st, TaskId{4})), q("audio")); // one instance: no number
    QCOMPARE(q(name_of(c.scenario, c.st, TaskId::none())), q("idle"));
    QCOMPARE(q(name_of(c.scenario, c.st, EntityId{9})), q("rsync"));
    QCOMPARE(q(name_of(c.scenario, c.st, EntityId::none())), q("none"));
}

void TestExplain::the_queue_is_what_the_pictures_show() {
    const test::CrowdedQueue c;
    QCOMPARE(fair::average_vruntime(c.st.settings, c.st, QueueId{3}), VTime{9'999'924});
    QCOMPARE(fair::in_order(c.st, QueueId{3}).size(), std::size_t{9});
}
void TestExplain::a_search_says_how_far_it_went() {
    const Explanation e = explain_all({});
    QCOMPARE(q(e.title), q("CPU 3 picks cc1#3"));
    QCOMPARE(q(e.sentence), q("Earliest deadline among the 5 eligible tasks; found by heap search in 3 nodes."));
    QCOMPARE(q(e.function), q("pick_eevdf()"));
    QCOMPARE(q(e.path), q("slow"));
    QVERIFY(e.writes.empty()); // a pick only answers
}
void TestExplain::checks_are_rows() {
    const Explanation e = explain_all({});
    QCOMPARE(e.checks.size(), std::size_t{10});
    QCOMPARE(q(e.checks[0].question), q("Only one entity queued?"));
    QCOMPARE(q(e.checks[0].inputs), q("nr_queued 10"));
    QCOMPARE(q(e.checks[0].verdict), q("\u2717 no"));
    QCOMPARE(q(e.checks[1].question), q("Current cc1#0 eligible?"));
    QCOMPARE(q(e.checks[1].inputs), q("v \u2212 V = +0.858 > 0 \u2192 not considered"));
    QCOMPARE(q(e.checks[1].function), q("entity_eligible()"));
    QCOMPARE(q(e.checks[2].inputs), q("no current left after P2"));
    QCOMPARE(q(e.checks[2].verdict), q("\u2013 n/a"));
    QCOMPARE(q(e.checks[2].governed), q("RUN_TO_PARITY"));
    QCOMPARE(q(e.checks[3].inputs), q("v \u2212 V = +0.292 > 0 \u2192 search"));
    QCOMPARE(q(e.checks[4].inputs), q("left min v \u2212" "0.955 \u2264 0 \u2192 go left"));
    QCOMPARE(q(e.checks[4].verdict), q("\u2713 yes"));
    QCOMPARE(q(e.checks[6].inputs), q("v \u2212 V = +0.346 > 0 \u2192 go right"));
    QCOMPARE(q(e.checks[8].inputs), q("v \u2212 V = \u2212" "0.955 \u2264 0 \u2192 best"));
    QCOMPARE(q(e.checks[9].inputs), q("no current left after P2"));
}
void TestExplain::exactly_one_row_decided() {
    const Explanation e = explain_all({});
    for (std::size_t i = 0; i < e.checks.size(); ++i) QCOMPARE(e.checks[i].deciding, i == 8);
}
void TestExplain::nodes_of_the_search_are_numbered() {
    const Explanation e = explain_all({});
    const std::vector<std::string> steps{"P1", "P2", "P3", "P4", "P5\u2460", "P5\u2461", "P5\u2461", "P5\u2462", "P5\u2462", "P6"};
    for (std::size_t i = 0; i < steps.size(); ++i) QCOMPARE(q(e.checks[i].step), q(steps[i]));
}
void TestExplain::closest_calls_are_the_smallest_margins() {
    const Explanation e = explain_all({});
    // 0.076 for kwin below cc1#3, then 0.292 for audio: first as the leftmost, then below xorg.
    QCOMPARE(e.closest, (std::vector<std::size_t>{7, 3, 5}));
    QCOMPARE(e.checks[7].margin, std::int64_t{76'076});
    QVERIFY(!e.checks[0].has_margin); // a count is no close call
    QVERIFY(!e.checks[2].has_margin); // nor is what was not asked
}

void TestExplain::times_that_look_alike_get_six_decimals() {
    const ExplainedCheck close = row_of({Chk::slice_exceeded, Verdict::yes, 0, 0, 12'000'000, 11'999'994}, Kernel::cfs_6_1);
    QCOMPARE(q(close.inputs), q("ran 12.000\u202f000 > slice 11.999\u202f994 \u2192 reschedule"));
    QCOMPARE(close.margin, std::int64_t{6});
    const ExplainedCheck equal = row_of({Chk::slice_exceeded, Verdict::no, 0, 0, 3'000'000, 3'000'000}, Kernel::cfs_6_1);
    QCOMPARE(q(equal.inputs), q("ran 3.000 \u2264 slice 3.000"));
    const ExplainedCheck by_a_hair = row_of({Chk::node_eligible, Verdict::no, 0, 4, 1'001, 1'000});
    QCOMPARE(q(by_a_hair.inputs), q("v \u2212 V = +0.000\u202f001 > 0 \u2192 go right"));
}
void TestExplain::a_feature_that_is_off_is_the_reason_not_to_ask() {
    test::CrowdedQueue c;
    c.st.settings.set(Feature::run_to_parity, false);
    QCOMPARE(q(explain_all(c).checks[2].inputs), q("RUN_TO_PARITY is off"));
}
void TestExplain::the_tree_of_6_6_goes_left_where_later_ones_go_right() {
    const Check no{Chk::node_eligible, Verdict::no, 0, 5, 2'000'000, 1'000'000};
    QCOMPARE(q(row_of(no, Kernel::eevdf_6_6).inputs), q("v \u2212 V = +1.000 > 0 \u2192 go left"));
    QCOMPARE(q(row_of(no, Kernel::eevdf_6_8).inputs), q("v \u2212 V = +1.000 > 0 \u2192 go right"));
}
void TestExplain::notes_have_no_answer() {
    const ExplainedCheck lag = row_of({Chk::lag_kept, Verdict::noted, 0, 0, -1'000'000, -1'500'000});
    QCOMPARE(q(lag.inputs), q("stored \u2212" "1.000, inflated \u2212" "1.500"));
    QCOMPARE(q(lag.verdict), q("\u00b7 noted"));
    QVERIFY(!lag.has_margin);
    const ExplainedCheck placed = row_of({Chk::placed_vruntime, Verdict::noted, 0, 4, 3'000'000, 4'000'000});
    QCOMPARE(q(placed.question), q("vruntime of audio"));
    QCOMPARE(q(placed.inputs), q("v \u2212 reference = \u2212" "1.000"));
}

void TestExplain::a_switch_writes_the_tree_and_the_protection() {
    test::CrowdedQueue c;
    c.header.kind = Kind::schedule;
    c.header.reason = Reason::schedule_switch;
    c.header.outcome = 3;
    const Explanation e = explain(c.scenario, c.st, c.header, {});
    QCOMPARE(q(e.title), q("CPU 3 switches from cc1#0 to cc1#3"));
    QCOMPARE(q(e.function), q("__schedule()"));
    QStringList writes;
    for (const Write& w : e.writes) writes << q(w.field + ": " + w.change);
    QCOMPARE(writes, (QStringList{q("rq.need_resched: 1 \u2192 0"), q("tasks_timeline: + cc1#0 between ld and rsync"),
                                  q("tasks_timeline: \u2212 cc1#3"), q("se.vlag: cc1#3: := deadline (slice protected)"),
                                  q("rq.curr: cc1#0 \u2192 cc1#3"), q("rq.nr_switches: 0 \u2192 1")}));
}

void TestExplain::titles_data() {
    QTest::addColumn<int>("kind");
    QTest::addColumn<int>("task");
    QTest::addColumn<int>("outcome");
    QTest::addColumn<QString>("title");
    const auto row = [](Kind kind, int task, int outcome, const char* title) {
        QTest::newRow(title) << static_cast<int>(kind) << task << outcome << QString::fromUtf8(title);
    };
    row(Kind::pick, 0, -1, "CPU 3 finds nobody to pick");
    row(Kind::schedule, 0, -1, "CPU 3 goes idle");
    row(Kind::schedule, 0, 0, "CPU 3 goes on with cc1#0");
    row(Kind::place, 4, 2, "audio goes to CPU 2");
    row(Kind::preempt, 4, 1, "audio preempts cc1#0 on CPU 3");
    row(Kind::preempt, 4, 0, "audio does not preempt cc1#0 on CPU 3");
    row(Kind::tick, 0, 1, "The tick on CPU 3 asks for a reschedule");
    row(Kind::tick, 0, 0, "The tick on CPU 3 lets cc1#0 go on");
    row(Kind::enqueue, 4, 0, "audio joins the queue of CPU 3");
    row(Kind::dequeue, 4, 1, "audio leaves the queue of CPU 3");
    row(Kind::dequeue, 4, 0, "audio sleeps but stays queued on CPU 3");
    row(Kind::yield, 0, 1, "cc1#0 yields on CPU 3");
}
void TestExplain::titles() {
    QFETCH(int, kind);
    QFETCH(int, task);
    QFETCH(int, outcome);
    test::CrowdedQueue c;
    c.header.kind = static_cast<Kind>(kind);
    c.header.task = task;
    c.header.outcome = outcome;
    QTEST(q(explain(c.scenario, c.st, c.header, {}).title), "title");
}
void TestExplain::other_reasons_end_in_what_was_compared() {
    test::CrowdedQueue c;
    c.header.kind = Kind::tick;
    c.header.reason = Reason::tick_slice_used;
    c.header.outcome = 1;
    c.header.deciding = 0;
    const std::vector<Check> checks{{Chk::slice_exceeded, Verdict::yes, 0, 0, 12'000'000, 11'999'994}};
    QCOMPARE(q(explain(c.scenario, c.st, c.header, checks).sentence),
             q("The current task ran longer than its slice: ran 12.000\u202f000 > slice 11.999\u202f994."));
    QCOMPARE(q(explain(c.scenario, c.st, c.header, {}).sentence), q("The current task ran longer than its slice."));
}
void TestExplain::the_path_of_a_current_that_wins_is_the_path_before_it() {
    test::CrowdedQueue c;
    c.header.reason = Reason::pick_current_earlier;
    QCOMPARE(q(explain_all(c).path), q("slow"));
    c.checks[3].verdict = Verdict::yes; // the leftmost was eligible
    QCOMPARE(q(explain_all(c).path), q("fast"));
}
void TestExplain::functions_bear_the_name_of_their_kernel() {
    test::CrowdedQueue c;
    c.header.kind = Kind::preempt;
    QCOMPARE(q(explain(c.scenario, c.st, c.header, {}).function), q("check_preempt_wakeup_fair()"));
    c.st.settings = default_settings(Kernel::cfs_6_1, 4);
    QCOMPARE(q(explain(c.scenario, c.st, c.header, {}).function), q("check_preempt_wakeup()"));
    c.header.kind = Kind::pick;
    c.header.reason = Reason::pick_leftmost;
    QCOMPARE(q(explain(c.scenario, c.st, c.header, {}).function), q("pick_next_entity()"));
}

void TestExplain::the_start_has_no_words() {
    const test::CrowdedQueue c;
    const Explanation e = explain(c.scenario, c.st, {}, {});
    QVERIFY(e.title.empty() && e.sentence.empty() && e.checks.empty() && e.writes.empty());
    QVERIFY(outcome_text(c.scenario, c.st, {}).empty());
}
void TestExplain::a_mail_has_72_columns() {
    const test::CrowdedQueue c;
    const std::vector<std::string> lines = lines_of(as_mail_text(c.scenario, c.st, c.header, c.checks));
    for (const std::string& line : lines) {
        QVERIFY2(line.size() <= 72, line.c_str());
        for (char byte : line) QVERIFY2(static_cast<unsigned char>(byte) < 128, line.c_str());
    }
    QCOMPARE(q(lines[0]), q("#4711 | 84.001500 ms | CPU 3 | pick | eevdf-6.12"));
    QCOMPARE(q(lines[1]), q("CPU 3 picks cc1#3"));
    QCOMPARE(q(lines[2]), q("Earliest deadline among the 5 eligible tasks; found by heap search in 3"));
    QCOMPARE(q(lines[3]), q("nodes."));
    QCOMPARE(q(lines[4]), q("pick_eevdf(), path slow"));
    const auto decided = std::find_if(lines.begin(), lines.end(), [](const std::string& l) { return l.starts_with('*'); });
    QVERIFY(decided != lines.end());
    QCOMPARE(q(*decided), q("* P5.3 cc1#3: itself eligible?                                       yes"));
    QCOMPARE(q(*std::next(decided)), q("       v - V = -0.955 <= 0 -> best"));
}
void TestExplain::a_log_line() {
    const test::CrowdedQueue c;
    QCOMPARE(q(outcome_text(c.scenario, c.st, c.header)),
             q("pick         CPU 3    cc1#0            cc1#3            Earliest deadline among the eligible entities, found by heap search."));
}

QTEST_APPLESS_MAIN(TestExplain)
#include "test_explain.moc"
