// SPDX-License-Identifier: GPL-3.0-or-later
// Two runs side by side: checks, wakeups, first divergences, and what toggles do together, with numbers worked by hand.
#include <QTest>

#include <memory>

#include "core/compare/activations.hpp"
#include "core/compare/align.hpp"
#include "core/compare/divergence.hpp"
#include "core/compare/seeds.hpp"
#include "tests/support/small_scenario.hpp"

using namespace picknext;
using compare::CheckPair;
using compare::Depth;
using compare::Likeness;

namespace {

Check check(Chk id, std::int32_t subject, Verdict verdict, std::int64_t left = 0) { return {id, verdict, 0, subject, left, 0}; }

constexpr std::int64_t ms = 1'000'000;

/// Two tasks on one CPU, of nice 0: they take turns.
Scenario two_hogs(std::int64_t slice) {
    Scenario s = test::scenario_of(Kernel::eevdf_6_12, test::flat_machine(1), {test::hog("one", 0), test::hog("two", 0)});
    s.settings[Tunable::base_slice] = slice;
    s.until_ns = 50 * ms;
    return s;
}

compare::Samples samples(std::initializer_list<std::int64_t> switches) {
    compare::Samples out;
    for (const std::int64_t n : switches) {
        compare::Measured m;
        m.values[static_cast<std::size_t>(compare::Measure::switches)] = n;
        out.push_back(m);
    }
    return out;
}

} // namespace

class TestCompare : public QObject {
    Q_OBJECT
  private Q_SLOTS:
    void checksOfTheSameQuestionAreOneRow() {
        const std::vector<Check> a{check(Chk::allowed_cpus, 1, Verdict::no), check(Chk::cpu_is_idle, 0, Verdict::no, 1), check(Chk::idle_cores_flag, 0, Verdict::no),
                                   check(Chk::cpu_is_idle, 1, Verdict::yes)};
        const std::vector<Check> b{check(Chk::allowed_cpus, 1, Verdict::no), check(Chk::cpu_is_idle, 0, Verdict::no, 2), check(Chk::cpu_is_idle, 1, Verdict::no),
                                   check(Chk::cpu_is_idle, 2, Verdict::yes)};
        const std::vector<CheckPair> want{{0, 0, Likeness::same}, {1, 1, Likeness::numbers}, {2, {}, Likeness::only_a}, {3, 2, Likeness::answer}, {{}, 3, Likeness::only_b}};
        QVERIFY(compare::align(a, b) == want);
    }
    /// A asks 0 1 0 2, B asks 1 0 2: three pairs are possible, and the first of A stands alone.
    void repeatedQuestionsMakeAsManyPairsAsPossible() {
        const auto idle = [](std::int32_t cpu) { return check(Chk::cpu_is_idle, cpu, Verdict::no); };
        const std::vector<Check> a{idle(0), idle(1), idle(0), idle(2)}, b{idle(1), idle(0), idle(2)};
        const std::vector<CheckPair> want{{0, {}, Likeness::only_a}, {1, 0, Likeness::same}, {2, 1, Likeness::same}, {3, 2, Likeness::same}};
        QVERIFY(compare::align(a, b) == want);
        QVERIFY(compare::align({}, b).size() == 3 && compare::align(a, {}).size() == 4 && compare::align({}, {}).empty());
    }
    void whatDoesNotAriseIsNotAsked() {
        const std::vector<Check> a{check(Chk::current_protected, 0, Verdict::not_asked)}, b{check(Chk::current_protected, 0, Verdict::yes)};
        QVERIFY(compare::align(a, b) == (std::vector<CheckPair>{{0, 0, Likeness::only_b}}));
        QVERIFY(compare::align(b, a) == (std::vector<CheckPair>{{0, 0, Likeness::only_a}}));
        QVERIFY(compare::align(a, a) == (std::vector<CheckPair>{{0, 0, Likeness::same}}));
    }

    void wakeupsArePairedThoughTheirTimesShift() {
        State st;
        st.tasks.resize(2);
        compare::Activations activations;
        const auto place = [&](bool a, std::int32_t task, std::uint64_t activation, std::int64_t at, std::int32_t cpu) {
            st.tasks[static_cast<std::size_t>(task)].activation = activation;
            ++st.decisions;
            DecisionHeader h = make_header(Kind::place, Reason::place_previous_idle, CpuId{0}, TaskId{task}, cpu);
            h.at = at;
            if (a) activations.note_a(st, h);
            else activations.note_b(st, h);
        };
        place(true, 0, 1, 100, 0); // decision 1
        place(true, 1, 1, 200, 1);
        place(true, 0, 2, 300, 0);
        place(false, 1, 1, 230, 1);
        activations.pair_up();
        place(false, 0, 1, 100, 0);
        place(false, 0, 2, 290, 1);
        place(false, 0, 3, 400, 1); // decision 7
        const compare::ActivationTotals t = activations.finish();
        QCOMPARE(t.pairs, 3U);
        QCOMPARE(t.other_outcome, 1U);
        QCOMPARE(t.other_time, 2U);
        QCOMPARE(t.farthest, 30);
        QCOMPARE(t.only_a, 0U);
        QCOMPARE(t.only_b, 1U);
        QVERIFY(t.first && t.first->key.task == 0 && t.first->key.activation == 2 && t.first->a.number == 3 && t.first->b.number == 6);
    }

    void aRunDoesNotDivergeFromItself() {
        const auto s = test::shared(two_hogs(3 * ms));
        const compare::Divergences d = compare::find_divergences(s, s, {.limit = {.time = 50 * ms}, .chunk = 8});
        QVERIFY(!d.differs(Depth::outcome) && !d.differs(Depth::reason) && !d.differs(Depth::checks) && !d.differs(Depth::time));
        QCOMPARE(d.compared, d.decisions_a);
        QCOMPARE(d.chunks, (d.decisions_a + 7) / 8);
        QCOMPARE(d.chunks_equal, d.chunks);
    }
    /// New tasks get half a slice, so with 2 ms and with 6 ms each is done at its first tick, at 4 and 8 ms (HZ 250). Then 6 ms of
    /// the first one lie ahead and at 12 ms it has had 4: with any size of chunk the first other outcome is that tick.
    void theFirstOtherOutcomeIsFoundWhateverTheChunk_data() {
        QTest::addColumn<int>("chunk");
        for (const int chunk : {1, 2, 3, 7, 4096}) QTest::addRow("%d", chunk) << chunk;
    }
    void theFirstOtherOutcomeIsFoundWhateverTheChunk() {
        QFETCH(int, chunk);
        const compare::Divergences d =
            compare::find_divergences(test::shared(two_hogs(2 * ms)), test::shared(two_hogs(6 * ms)), {.limit = {.time = 50 * ms}, .chunk = static_cast<std::uint64_t>(chunk)});
        QVERIFY(d.differs(Depth::outcome));
        const auto& first = *d.at(Depth::outcome);
        QVERIFY(first.a && first.b);
        QCOMPARE(first.a->header.kind, Kind::tick);
        QCOMPARE(first.a->header.at, 12 * ms);
        QCOMPARE(first.a->header.outcome, 1);
        QCOMPARE(first.b->header.outcome, 0);
        QCOMPARE(first.a->before.decisions, first.b->before.decisions);
        QCOMPARE(d.compared, first.a->before.decisions);
        const std::vector<CheckPair> rows = compare::align(first.a->checks, first.b->checks);
        QVERIFY(!rows.empty() && first.a->checks[*rows.front().a].id == Chk::deadline_reached && rows.front().likeness == Likeness::answer);
    }
    void oneDecisionOfARun() {
        const auto record = compare::record_at(test::shared(two_hogs(3 * ms)), 5, {.time = 50 * ms});
        QVERIFY(record && record->before.decisions == 5);
        QVERIFY(!compare::record_at(test::shared(two_hogs(3 * ms)), 1'000'000, {.time = 50 * ms}));
    }

    /// A woken task waits for the tick at 4 ms when nothing preempts: latency 0 for the first, 4 ms for the one woken at start behind it.
    void measuresOfTwoHogs() {
        const compare::Measured m = compare::measure(test::shared(two_hogs(2 * ms)), {.time = 16 * ms});
        QCOMPARE(m[compare::Measure::wakeups], std::optional<std::int64_t>(2));
        QCOMPARE(m[compare::Measure::latency_p50], std::optional<std::int64_t>(0));
        QCOMPARE(m[compare::Measure::latency_max], std::optional<std::int64_t>(4 * ms));
        QCOMPARE(m[compare::Measure::longest_wait], std::optional<std::int64_t>(4 * ms));
        QCOMPARE(m[compare::Measure::idle_while_queued], std::optional<std::int64_t>(0));
        QVERIFY(!m[compare::Measure::makespan].has_value());
        QVERIFY(m.whole);
    }

    /// Differences 1, 2, 3: mean 2, reach 4.303 / sqrt(3) = 2.484.
    void differencesArePairedBySeed() {
        const compare::Paired p = compare::paired(samples({10, 20, 30}), samples({11, 22, 33}), compare::Measure::switches);
        QCOMPARE(p.seeds, 3U);
        QCOMPARE(p.a, 20.0);
        QCOMPARE(p.b, 22.0);
        QCOMPARE(p.difference, 2.0);
        QVERIFY(p.interval && std::abs(p.interval->high - 4.484) < 0.001 && !p.clear());
        QCOMPARE(compare::paired(samples({1}), samples({2}), compare::Measure::makespan).seeds, 0U);
    }
    /// p alone +3, q alone +5, both +10: together 2 beyond their sum.
    void togglesTogether() {
        const std::vector<compare::Samples> arms{samples({100, 100}), samples({103, 103}), samples({105, 105}), samples({110, 110})};
        QCOMPARE(compare::interaction(arms, 1, compare::Measure::switches).difference, 3.0);
        QCOMPARE(compare::interaction(arms, 2, compare::Measure::switches).difference, 5.0);
        const compare::Paired both = compare::interaction(arms, 3, compare::Measure::switches);
        QCOMPARE(both.difference, 2.0);
        QCOMPARE(both.a, 100.0);
        QCOMPARE(both.b, 110.0);
        QVERIFY(both.clear());
    }
};

QTEST_APPLESS_MAIN(TestCompare)
#include "test_compare.moc"
