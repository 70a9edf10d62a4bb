// SPDX-License-Identifier: GPL-3.0-or-later
#include <QtTest>

#include "core/history/checkpoints.hpp"
#include "core/history/timeline.hpp"
#include "tests/support/small_scenario.hpp"

using namespace picknext;

namespace {
constexpr std::int64_t ms = 1'000'000;

/// One task alone on one CPU that works 1 ms and sleeps 2 ms: it wakes at 3 ms, 6 ms, 9 ms.
std::shared_ptr<const Scenario> one_sleeper() {
    Scenario s = test::scenario_of(Kernel::eevdf_6_12y, test::flat_machine(1), {test::sleeper("s", 1 * ms, 2 * ms)});
    s.until_ns = 10 * ms;
    return test::shared(std::move(s));
}

/// Two endless hogs on CPU 0 for 50 ms, ticks of 1 ms.
std::shared_ptr<const Scenario> two_hogs() {
    Scenario s = test::scenario_of(Kernel::eevdf_6_12y, test::flat_machine(1), {test::hog("a", 0), test::hog("b", 0)});
    s.settings[Tunable::hz] = 1000;
    s.until_ns = 50 * ms;
    return test::shared(std::move(s));
}
} // namespace

class TestTimeline : public QObject {
    Q_OBJECT
  private Q_SLOTS:
    void begins_before_everything();
    void a_decision_is_shown_before_it_is_applied();
    void numbers_count_from_one();
    void steps_of_each_unit();
    void milliseconds_go_back_where_decisions_are_sparse();
    void checks_come_one_by_one();
    void the_end_keeps_the_last_decision();
    void the_log_and_lanes_stay_when_going_back();
    void a_snapshot_keeps_its_moment();
    void cancelled_forward_stays_where_it_got_to();
    void cancelled_back_stays_where_it_was();
    void a_run_without_decisions();
    void checkpoints_stay_within_their_budget();
    void checkpoints_find_the_last_before();
};

void TestTimeline::begins_before_everything() {
    const Timeline t(one_sleeper());
    QCOMPARE(t.position(), Position{});
    const auto s = t.snapshot();
    QVERIFY(s->header.kind == Kind::count);
    QVERIFY(!s->has_previous && !s->at_end && s->checks.empty());
    QCOMPARE(s->index.rows, std::uint64_t{0}); // nothing was computed yet
    QCOMPARE(s->digest, digest(initial_state(*s->scenario)));
    QVERIFY(t.snapshot() == s); // the same moment is the same snapshot
}

void TestTimeline::a_decision_is_shown_before_it_is_applied() {
    Timeline t(one_sleeper());
    QVERIFY(t.step(StepUnit::decision, Direction::forward));
    const auto placed = t.snapshot();
    QVERIFY(placed->header.kind == Kind::place);
    QVERIFY(placed->state.task(TaskId{0}).state == TaskState::waiting_to_start);
    QVERIFY(t.step(StepUnit::context_switch, Direction::forward));
    const auto switched = t.snapshot();
    QVERIFY(switched->header.reason == Reason::schedule_from_idle);
    QVERIFY(!switched->state.rq(CpuId{0}).curr); // still idle
    QVERIFY(t.step(StepUnit::decision, Direction::forward));
    QCOMPARE(t.state().rq(CpuId{0}).curr, TaskId{0});
}

void TestTimeline::numbers_count_from_one() {
    Timeline t(two_hogs());
    for (std::uint64_t n = 1; n <= 20; ++n) {
        QVERIFY(t.step(StepUnit::decision, Direction::forward));
        QCOMPARE(t.position().decision, n);
        QCOMPARE(t.state().decisions, n);
        QCOMPARE(t.position().check, t.snapshot()->header.checks);
    }
    QVERIFY(t.seek_decision(7));
    QCOMPARE(t.position().decision, std::uint64_t{7});
    QVERIFY(t.seek_decision(0));
    QCOMPARE(t.position(), Position{});
    QVERIFY(!t.step(StepUnit::decision, Direction::back));
}

void TestTimeline::steps_of_each_unit() {
    Timeline t(one_sleeper());
    QVERIFY(t.seek_time(1 * ms));
    QVERIFY(t.step(StepUnit::wakeup, Direction::forward));
    QCOMPARE(t.state().now, 3 * ms);
    QVERIFY(t.step(StepUnit::wakeup, Direction::forward, 2));
    QCOMPARE(t.state().now, 9 * ms);
    QVERIFY(t.step(StepUnit::wakeup, Direction::back));
    QCOMPARE(t.state().now, 6 * ms);
    QVERIFY(t.step(StepUnit::context_switch, Direction::forward, 2)); // it runs, then the CPU goes idle
    QCOMPARE(t.state().now, 7 * ms);
    QVERIFY(t.snapshot()->header.reason == Reason::schedule_idle);
    Timeline h(two_hogs());
    QVERIFY(h.step(StepUnit::tick, Direction::forward, 5));
    QCOMPARE(h.state().now, 5 * ms);
    QVERIFY(h.step(StepUnit::tick, Direction::back, 2));
    QCOMPARE(h.state().now, 3 * ms);
    QVERIFY(h.step(StepUnit::millisecond, Direction::forward, 10));
    QCOMPARE(h.state().now, 13 * ms);
    QVERIFY(h.step(StepUnit::millisecond, Direction::back, 4));
    QCOMPARE(h.state().now, 9 * ms);
    QCOMPARE(h.replay_mismatch(), std::string());
}

void TestTimeline::milliseconds_go_back_where_decisions_are_sparse() {
    Timeline t(one_sleeper());
    QVERIFY(t.seek_time(3 * ms)); // the one before lies at 1 ms, when it fell asleep
    const std::uint64_t number = t.position().decision;
    QVERIFY(t.step(StepUnit::millisecond, Direction::back));
    QCOMPARE(t.position().decision, number - 1);
    QCOMPARE(t.state().now, 1 * ms);
    QVERIFY(t.step(StepUnit::millisecond, Direction::back, 5)); // before everything
    QCOMPARE(t.position(), Position{});
    QVERIFY(!t.step(StepUnit::millisecond, Direction::back));
}

void TestTimeline::checks_come_one_by_one() {
    Timeline t(two_hogs());
    QVERIFY(t.step(StepUnit::tick, Direction::forward, 2));
    const Position all = t.position();
    QVERIFY(all.check >= 2);
    const std::uint64_t seen = t.snapshot()->digest;
    QVERIFY(t.step(StepUnit::check, Direction::back));
    QCOMPARE(t.position(), (Position{all.event, all.decision, static_cast<std::uint16_t>(all.check - 1)}));
    QCOMPARE(t.snapshot()->digest, seen); // checks move only what is highlighted
    QVERIFY(t.step(StepUnit::check, Direction::back, all.check - 1U));
    QCOMPARE(t.position().decision, all.decision - 1);
    QCOMPARE(t.position().check, t.snapshot()->header.checks);
    QVERIFY(t.step(StepUnit::check, Direction::forward));
    QCOMPARE(t.position(), (Position{all.event, all.decision, 1}));
}

void TestTimeline::the_end_keeps_the_last_decision() {
    Timeline t(one_sleeper());
    QVERIFY(!t.seek_time(1'000 * ms));
    const auto last = t.snapshot();
    QVERIFY(last->at_end);
    QCOMPARE(last->position.decision, last->index.rows);
    QVERIFY(last->state.now <= 10 * ms);
    QVERIFY(!t.step(StepUnit::decision, Direction::forward));
    QCOMPARE(t.position(), last->position);
    QVERIFY(!t.seek_decision(last->index.rows + 1));
    QCOMPARE(t.position(), last->position);
}

void TestTimeline::the_log_and_lanes_stay_when_going_back() {
    Timeline t(one_sleeper());
    QVERIFY(!t.seek_decision(UINT64_MAX));
    const std::uint64_t rows = t.snapshot()->index.rows;
    QVERIFY(t.seek_decision(2));
    const auto s = t.snapshot();
    QCOMPARE(s->index.rows, rows);
    for (std::uint64_t i = 1; i < rows; ++i) QVERIFY(s->index.row(i - 1).at <= s->index.row(i).at);
    QCOMPARE(s->index.lanes.size(), std::size_t{1});
    const std::vector<LaneSlice>& lane = *s->index.lanes[0];
    QCOMPARE(lane.size(), std::size_t{4}); // 0-1, 3-4, 6-7 and 9-10 ms
    for (std::size_t i = 0; i < lane.size(); ++i) {
        QCOMPARE(lane[i].begin, static_cast<std::int64_t>(i) * 3 * ms);
        QCOMPARE(lane[i].end, lane[i].begin + ms);
        QCOMPARE(lane[i].task, TaskId{0});
    }
    QCOMPARE(t.replay_mismatch(), std::string());
}

void TestTimeline::a_snapshot_keeps_its_moment() {
    Timeline t(two_hogs());
    QVERIFY(t.seek_time(5 * ms));
    const auto before = t.snapshot();
    const State copy = before->state;
    QVERIFY(t.seek_time(30 * ms));
    QVERIFY(before->state == copy);
    QVERIFY(t.snapshot()->index.rows > before->index.rows);
}

void TestTimeline::cancelled_forward_stays_where_it_got_to() {
    Scenario endless = *two_hogs();
    endless.until_ns.reset();
    Timeline t(test::shared(std::move(endless)));
    std::stop_source stop;
    int polls = 0;
    const Progress progress = [&](const State&) {
        if (++polls == 3) stop.request_stop();
    };
    QVERIFY(!t.seek_decision(UINT64_MAX, stop.get_token(), progress));
    QVERIFY(t.position().decision > 0);
    QCOMPARE(t.position().decision, t.snapshot()->index.rows); // what was computed is kept
    QVERIFY(!t.snapshot()->at_end);
}

void TestTimeline::cancelled_back_stays_where_it_was() {
    Scenario longer = *two_hogs();
    longer.until_ns = 60'000 * ms;
    Timeline t(test::shared(std::move(longer)), {.bytes = 1, .near = 0}); // only the start is kept
    QVERIFY(!t.seek_decision(UINT64_MAX));
    const Position end = t.position();
    std::stop_source stop;
    stop.request_stop();
    QVERIFY(!t.seek_decision(end.decision - 10, stop.get_token()));
    QCOMPARE(t.position(), end);
    QVERIFY(t.seek_decision(end.decision - 10));
    QCOMPARE(t.position().decision, end.decision - 10);
}

void TestTimeline::a_run_without_decisions() {
    Timeline t(test::shared(test::scenario_of(Kernel::cfs_6_1, test::flat_machine(1), {})));
    QVERIFY(!t.step(StepUnit::decision, Direction::forward));
    QVERIFY(!t.seek_time(5));
    QCOMPARE(t.position(), Position{});
    QVERIFY(t.snapshot()->at_end);
}

void TestTimeline::checkpoints_stay_within_their_budget() {
    State st = initial_state(*two_hogs());
    const std::size_t one = size_in_bytes(st);
    Checkpoints kept(st, {.bytes = 20 * one, .near = 4});
    for (std::uint64_t event = 1; event <= 100'000; ++event) {
        st.event = event;
        kept.lay_coarse(st);
        QVERIFY(kept.bytes() <= 15 * one); // three quarters
    }
    QVERIFY(kept.count() >= 8); // never less than half of what fits
    for (std::uint64_t event = 50'001; event < 50'020; ++event) {
        st.event = event;
        kept.lay_near(st, 50'020);
    }
    QVERIFY(kept.bytes() <= 20 * one);
    QCOMPARE(kept.last_before(50'020).event, std::uint64_t{50'019});
    QCOMPARE(kept.start().event, std::uint64_t{0});
}

void TestTimeline::checkpoints_find_the_last_before() {
    State st = initial_state(*two_hogs());
    Checkpoints kept(st, {});
    for (std::uint64_t event = 1; event <= 256; ++event) {
        st.event = event;
        kept.lay_coarse(st);
    }
    QCOMPARE(kept.count(), std::size_t{5}); // 0, 64, 128, 192, 256
    QCOMPARE(kept.last_before(63).event, std::uint64_t{0});
    QCOMPARE(kept.last_before(64).event, std::uint64_t{64});
    QCOMPARE(kept.last_before(1'000).event, std::uint64_t{256});
    QVERIFY(kept.next_coarse(64, 127) == nullptr);
    QCOMPARE(kept.next_coarse(64, 128)->state.event, std::uint64_t{128});
}

QTEST_APPLESS_MAIN(TestTimeline)
#include "test_timeline.moc"
