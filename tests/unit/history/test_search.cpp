// SPDX-License-Identifier: GPL-3.0-or-later
#include <QtTest>

#include <algorithm>

#include "core/history/search.hpp"
#include "tests/support/small_scenario.hpp"

using namespace picknext;
using expr::Expression;

namespace {
constexpr std::int64_t ms = 1'000'000;

/// One task alone on one CPU that works 1 ms and sleeps 2 ms: it wakes at 3 ms, 6 ms, 9 ms.
std::shared_ptr<const Scenario> one_sleeper() {
    Scenario s = test::scenario_of(Kernel::eevdf_6_12y, test::flat_machine(1), {test::sleeper("s", 1 * ms, 2 * ms)});
    s.until_ns = 10 * ms;
    return test::shared(std::move(s));
}

Expression condition(const Timeline& t, const char* text) { return *Expression::compile(text, t.scenario()); }
Expression value(const Timeline& t, const char* text) { return *Expression::compile(text, t.scenario(), expr::Want::value); }

/// Times of the hits from the cursor on, in the direction.
std::vector<std::int64_t> hits(Timeline& t, const Expression& e, Direction direction, Fence fence = {}) {
    std::vector<std::int64_t> out;
    while (find_hit(t, e, direction, fence).end == SearchEnd::hit) out.push_back(t.state().now);
    return out;
}
} // namespace

class TestSearch : public QObject {
    Q_OBJECT
  private Q_SLOTS:
    void known_hits_both_ways();
    void the_cursor_stands_on_the_hit();
    void without_a_hit_the_cursor_stays();
    void a_fence_is_never_passed();
    void conditions_on_checks();
    void the_same_hits_across_portions();
    void a_watch_stops_where_the_value_changed();
    void stops_when_asked();
    void visits_what_was_asked_for();
};

void TestSearch::known_hits_both_ways() {
    Timeline t(one_sleeper());
    const Expression wakeups = condition(t, "kind == place && now > 0");
    QCOMPARE(hits(t, wakeups, Direction::forward), (std::vector<std::int64_t>{3 * ms, 6 * ms, 9 * ms}));
    QCOMPARE(t.state().now, 9 * ms);
    QCOMPARE(hits(t, wakeups, Direction::back), (std::vector<std::int64_t>{6 * ms, 3 * ms}));
    QVERIFY(t.seek_decision(t.snapshot()->index.rows)); // the last of all
    QCOMPARE(hits(t, wakeups, Direction::back), (std::vector<std::int64_t>{9 * ms, 6 * ms, 3 * ms}));
    QCOMPARE(t.replay_mismatch(), std::string());
}

void TestSearch::the_cursor_stands_on_the_hit() {
    Timeline t(one_sleeper());
    const SearchResult found = find_hit(t, condition(t, "reason == schedule.idle && now > 2ms"), Direction::forward);
    QVERIFY(found.end == SearchEnd::hit);
    QCOMPARE(found.decision, t.position().decision);
    QVERIFY(t.snapshot()->header.reason == Reason::schedule_idle);
    QCOMPARE(t.state().now, 4 * ms);
    QCOMPARE(t.position().check, t.snapshot()->header.checks);
    QCOMPARE(t.state().rq(CpuId{0}).curr, TaskId{0}); // before it is applied
}

void TestSearch::without_a_hit_the_cursor_stays() {
    Timeline t(one_sleeper());
    QVERIFY(t.seek_time(3 * ms));
    const Position here = t.position();
    const Expression never = condition(t, "cpu != 0");
    QVERIFY(find_hit(t, never, Direction::forward) == (SearchResult{SearchEnd::run, 0}));
    QCOMPARE(t.position(), here);
    QVERIFY(find_hit(t, never, Direction::back) == (SearchResult{SearchEnd::run, 0}));
    QCOMPARE(t.position(), here);
    QVERIFY(t.seek_decision(0));
    QVERIFY(find_hit(t, condition(t, "cpu == 0"), Direction::back) == (SearchResult{SearchEnd::run, 0})); // nothing lies before the start
    QCOMPARE(t.position(), Position{});
}

void TestSearch::a_fence_is_never_passed() {
    Timeline t(one_sleeper());
    const Expression wakeups = condition(t, "kind == place && now > 0");
    QVERIFY(find_hit(t, wakeups, Direction::forward).end == SearchEnd::hit);
    QVERIFY(find_hit(t, wakeups, Direction::forward).end == SearchEnd::hit);
    const std::uint64_t second = t.position().decision; // at 6 ms
    QVERIFY(find_hit(t, wakeups, Direction::forward).end == SearchEnd::hit);
    const std::uint64_t third = t.position().decision;
    // Just before a hit it stops, on the hit it does not.
    QVERIFY(t.seek_decision(second));
    QVERIFY(find_hit(t, wakeups, Direction::forward, {1, third - 1}) == (SearchResult{SearchEnd::fence, 0}));
    QCOMPARE(t.position().decision, second);
    QVERIFY(find_hit(t, wakeups, Direction::forward, {1, third}) == (SearchResult{SearchEnd::hit, third}));
    QVERIFY(find_hit(t, wakeups, Direction::back, {second + 1, third}) == (SearchResult{SearchEnd::fence, 0}));
    QCOMPARE(t.position().decision, third);
    QVERIFY(find_hit(t, wakeups, Direction::back, {second, third}) == (SearchResult{SearchEnd::hit, second}));
    // A cursor outside the fence enters it first.
    QVERIFY(t.seek_decision(0));
    QVERIFY(find_hit(t, wakeups, Direction::forward, {second, third}) == (SearchResult{SearchEnd::hit, second}));
    QVERIFY(t.seek_decision(third));
    QVERIFY(find_hit(t, wakeups, Direction::forward, {1, second}) == (SearchResult{SearchEnd::fence, 0}));
    QCOMPARE(t.position().decision, third);
    // Nothing beyond the fence is computed.
    Timeline fresh(one_sleeper());
    QVERIFY(find_hit(fresh, wakeups, Direction::forward, {1, 2}).end == SearchEnd::fence);
    QVERIFY(fresh.snapshot()->index.frontier < 3 * ms);
}

void TestSearch::conditions_on_checks() {
    Timeline t(one_sleeper());
    const Expression direct = condition(t, "deciding == only_entity");
    std::vector<std::int64_t> forward = hits(t, direct, Direction::forward);
    QCOMPARE(forward.front(), 0L);
    QVERIFY(forward.size() >= 4 && std::count(forward.begin(), forward.end(), 3 * ms) >= 1); // alone at each wakeup
    QVERIFY(t.seek_decision(t.snapshot()->index.rows));
    if (direct.holds(t.state(), t.snapshot()->header, t.snapshot()->checks)) forward.pop_back();
    const std::vector<std::int64_t> back = hits(t, direct, Direction::back);
    QCOMPARE(std::vector<std::int64_t>(back.rbegin(), back.rend()), forward);
}

void TestSearch::the_same_hits_across_portions() {
    // Two hogs and a sleeper for 4 s: more decisions than a search looks at together.
    Scenario s = test::scenario_of(Kernel::eevdf_6_12y, test::flat_machine(2), {test::hog("a", 0), test::hog("b", 5), test::sleeper("s", 1 * ms, 2 * ms)});
    s.settings[Tunable::hz] = 1000;
    s.until_ns = 4'000 * ms;
    Timeline t(test::shared(std::move(s)), HistoryBudget{std::size_t{1} << 20, 16});
    const Expression rare = condition(t, "kind == pick && task(\"b\").running && decision % 7 == 0");
    std::vector<std::uint64_t> expected;
    QVERIFY(!t.seek_decision(UINT64_MAX));
    const std::uint64_t rows = t.position().decision;
    QVERIFY(rows > 10'000);
    t.visit(1, rows, Detail::header, [&](const State& st, const DecisionHeader& h, std::span<const Check>) {
        if (rare.holds(st, h, {})) expected.push_back(st.decisions);
        return true;
    });
    QVERIFY(expected.size() > 20);
    std::vector<std::uint64_t> back;
    while (find_hit(t, rare, Direction::back).end == SearchEnd::hit) back.push_back(t.position().decision);
    std::reverse(back.begin(), back.end());
    if (expected.back() == rows) expected.pop_back();
    QVERIFY(back == expected);
    QVERIFY(t.seek_decision(0));
    std::vector<std::uint64_t> forward;
    while (find_hit(t, rare, Direction::forward, {1, rows - 1}).end == SearchEnd::hit) forward.push_back(t.position().decision);
    QVERIFY(forward == expected);
    QCOMPARE(t.replay_mismatch(), std::string());
}

void TestSearch::a_watch_stops_where_the_value_changed() {
    Timeline t(one_sleeper());
    const Expression running = value(t, "rq(0).nr_running");
    std::vector<std::pair<std::int64_t, std::uint32_t>> forward, back;
    while (find_change(t, running, Direction::forward).end == SearchEnd::hit) forward.emplace_back(t.state().now, t.state().rq(CpuId{0}).nr_running);
    // Seen by the decision after the one that changed it: 1 once it is queued, 0 once it left.
    const std::vector<std::pair<std::int64_t, std::uint32_t>> first(forward.begin(), forward.begin() + 4);
    QCOMPARE(first[0], (std::pair<std::int64_t, std::uint32_t>{0, 1}));
    QCOMPARE(first[1], (std::pair<std::int64_t, std::uint32_t>{1 * ms, 0}));
    QCOMPARE(first[2], (std::pair<std::int64_t, std::uint32_t>{3 * ms, 1}));
    QCOMPARE(first[3], (std::pair<std::int64_t, std::uint32_t>{4 * ms, 0}));
    const std::uint64_t last = t.position().decision;
    while (find_change(t, running, Direction::back).end == SearchEnd::hit) back.emplace_back(t.state().now, t.state().rq(CpuId{0}).nr_running);
    std::reverse(back.begin(), back.end());
    back.emplace_back(forward.back());
    QVERIFY(back == forward);
    QVERIFY(find_change(t, running, Direction::forward, {1, last}).end == SearchEnd::hit);
}

void TestSearch::stops_when_asked() {
    Scenario s = test::scenario_of(Kernel::eevdf_6_12y, test::flat_machine(1), {test::hog("a", 0), test::hog("b", 0)}); // without an end
    Timeline t(test::shared(std::move(s)));
    std::stop_source stop;
    const auto once = [&](const State&) { stop.request_stop(); };
    const SearchResult found = find_hit(t, condition(t, "cpu != 0"), Direction::forward, {}, stop.get_token(), once);
    QVERIFY(found == (SearchResult{SearchEnd::cancelled, 0}));
    QCOMPARE(t.position(), Position{});
}

void TestSearch::visits_what_was_asked_for() {
    Timeline t(one_sleeper());
    std::vector<std::uint64_t> seen;
    std::size_t checks = 0;
    const Visitor note = [&](const State& st, const DecisionHeader& h, std::span<const Check> c) {
        seen.push_back(st.decisions);
        checks += c.size();
        return h.at == st.now && st.decisions < 6;
    };
    QCOMPARE(t.visit(3, 9, Detail::header, note), std::uint64_t{6}); // enough at the sixth
    QCOMPARE(seen, (std::vector<std::uint64_t>{3, 4, 5, 6}));
    QCOMPARE(checks, std::size_t{0});
    QCOMPARE(t.visit(1, 3, Detail::checks, note), std::uint64_t{3});
    QVERIFY(checks > 0);
    QCOMPARE(t.position(), Position{});
    const std::uint64_t end = t.visit(1, UINT64_MAX, Detail::header, [](const State&, const DecisionHeader&, std::span<const Check>) { return true; });
    QCOMPARE(end, t.snapshot()->index.rows);
    QCOMPARE(t.visit(end + 1, UINT64_MAX, Detail::header, note), end);
}

QTEST_APPLESS_MAIN(TestSearch)
#include "test_search.moc"
