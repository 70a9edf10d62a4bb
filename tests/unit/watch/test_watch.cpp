// SPDX-License-Identifier: GPL-3.0-or-later
// The watch over whole runs, its numbers worked out by hand. HZ 250: ticks at multiples of 4 ms.
#include <QTest>

#include "core/watch/watch.hpp"
#include "tests/support/small_scenario.hpp"

using namespace picknext;
using namespace picknext::test;

namespace {

constexpr std::int64_t ms = 1'000'000;

Op op(OpKind kind, std::int64_t ns = 0) {
    Op o;
    o.kind = kind;
    o.amount.a = ns;
    return o;
}
Op allow(std::initializer_list<int> cpus) {
    Op o = op(OpKind::set);
    o.attributes.affinity.emplace();
    for (const int c : cpus) o.attributes.affinity->add(CpuId{c});
    return o;
}
TaskSpec once(const char* name, std::vector<Op> ops) {
    TaskSpec spec;
    spec.name = name;
    spec.loop = 1;
    Phase phase;
    phase.ops = std::move(ops);
    spec.phases.push_back(std::move(phase));
    return spec;
}

struct Found {
    std::vector<watch::Interval> intervals;
    std::vector<watch::Wait> waits;
    [[nodiscard]] watch::Options options(std::int64_t limit) {
        return {.wait_limit = limit,
                .on_interval = [this](const watch::Interval& i) { intervals.push_back(i); },
                .on_long_wait = [this](const watch::Wait& w) { waits.push_back(w); }};
    }
};

} // namespace

class TestWatch : public QObject {
    Q_OBJECT
  private Q_SLOTS:
    /// Two hogs on one CPU, cfs-6.1: the slice of two is 3 ms, checked at ticks, so they take turns of 4 ms. Until 18 ms the
    /// first waits 4..8 and 12..16, the second 0..4, 8..12 and 16..18.
    void turns_of_a_tick() {
        const Scenario s = scenario_of(Kernel::cfs_6_1, flat_machine(1), {hog("a", 0), hog("b", 0)});
        Found found;
        Engine engine(shared(s));
        watch::Watch watch(s, found.options(3 * ms));
        watch::run(engine, {.time = 18 * ms}, watch);
        watch.finish(engine.state());
        QCOMPARE(engine.state().now, 18 * ms);
        const std::vector<watch::Wait>& longest = watch.starvation().longest();
        QCOMPARE(longest.size(), 2U);
        QCOMPARE(longest[0].begin, 4 * ms);
        QCOMPARE(longest[0].ns(), 4 * ms);
        QCOMPARE(longest[1].begin, 0);
        QCOMPARE(longest[1].ns(), 4 * ms);
        QCOMPARE(watch.starvation().long_waits(), 4U); // the last is 2 ms long
        QCOMPARE(watch.starvation().long_ns(), 16 * ms);
        QCOMPARE(found.waits.size(), 4U);
        QCOMPARE(watch.conservation().lost_ns(), 0);
        QVERIFY(!watch.worst_lag_sum().cpu);
    }

    /// Two tasks are bound to CPU 0; the second, which runs from 4 to 8 ms, then lets itself run on CPU 1 too and works on.
    /// Whoever of the two waits from then on waits beside an idle CPU, until the second is pulled over.
    void watch_changes_nothing() {
        TaskSpec free = once("free", {allow({0}), op(OpKind::run, 5 * ms), allow({0, 1}), op(OpKind::run, 40 * ms)});
        free.affinity.add(CpuId{0});
        const Scenario s = scenario_of(Kernel::cfs_6_1, flat_machine(2), {hog("bound", 0), free});
        Found found;
        Engine watched(shared(s)), alone(shared(s));
        watch::Watch watch(s, found.options(3 * ms));
        watch::run(watched, {.time = 60 * ms}, watch);
        watch.finish(watched.state());
        NullSink sink;
        alone.run({.time = 60 * ms}, sink);
        QCOMPARE(digest(watched.state()), digest(alone.state()));
        QVERIFY(watch.conservation().lost_ns() > 0);
        std::int64_t sum = 0;
        for (const watch::Interval& i : found.intervals) {
            QCOMPARE(i.idle, CpuId{1});
            QCOMPARE(i.queue, CpuId{0});
            QCOMPARE(i.task, TaskId{1});
            sum += i.end - i.begin;
        }
        QCOMPARE(sum, watch.conservation().lost_ns());
        std::int64_t by_cause = 0;
        for (const auto& [cause, total] : watch.conservation().by_cause()) by_cause += total.ns;
        QCOMPARE(by_cause, sum);
    }

    /// Weights 1024 and 1024 at vruntimes 1 and 2 ns after the reference: S = 3 * 1024, V = floor(1.5) = 1, so the lags are
    /// 0 and -1 ns and the sum is -1024. At 1 and 3: V = 2, lags 1 and -1, sum 0.
    void lag_sum() {
        State st;
        st.settings = default_settings(Kernel::eevdf_6_8, 1);
        st.rqs.resize(1);
        st.queues.resize(1);
        Queue& q = st.queues[0];
        q.root = q.leftmost = EntityId{0};
        q.sum_weight = 2048;
        q.sum_w_vruntime = 3 * 1024;
        QCOMPARE(watch::lag_sum(st, CpuId{0}).sum, -1024);
        QCOMPARE(watch::lag_sum(st, CpuId{0}).weight, 2048U);
        q.sum_w_vruntime = 4 * 1024;
        QCOMPARE(watch::lag_sum(st, CpuId{0}).sum, 0);
    }
};

QTEST_APPLESS_MAIN(TestWatch)
#include "test_watch.moc"
