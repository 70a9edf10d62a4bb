// SPDX-License-Identifier: GPL-3.0-or-later
// Runs of groups with a quota, against times worked out by hand. Ticks come each millisecond unless said: a queue is
// charged at each, takes 5 ms at a time, and comes back from the timer with 1 ns, so that its first tick in a period
// takes what it lacks to 5 ms.
#include <QTest>

#include "core/engine/engine.hpp"
#include "tests/support/small_scenario.hpp"
#include "tests/support/switches.hpp"

namespace picknext {
namespace {

constexpr std::int64_t ms = 1'000'000;

GroupSpec limited(const std::string& path, std::int64_t quota, std::int64_t burst = 0) {
    GroupSpec g;
    g.path = path;
    g.quota = quota;
    g.burst = burst;
    return g;
}

/// Works for `work` and sleeps for ever, on one CPU.
TaskSpec worker(const std::string& name, const std::string& group, int cpu, std::int64_t start = 0, std::int64_t work = 100'000 * ms) {
    TaskSpec spec = test::sleeper(name, work, 100'000 * ms);
    spec.group = group;
    spec.affinity.add(CpuId{cpu});
    spec.start = Nanos{start};
    return spec;
}

Scenario scenario(Kernel kernel, int cpus, std::vector<GroupSpec> groups, std::vector<TaskSpec> tasks) {
    Scenario s = test::scenario_of(kernel, test::flat_machine(cpus), std::move(tasks));
    s.workload.groups = std::move(groups);
    s.settings[Tunable::hz] = 1000;
    return s;
}

test::Run run(Scenario s, std::int64_t until) {
    test::Run r = test::run_switches(std::move(s), until);
    if (!r.broken.empty()) qFatal("%s", r.broken.c_str());
    return r;
}

std::int64_t ran(const State& st, int task) { return static_cast<std::int64_t>(st.entity(TaskId{task}).sum_exec); }

} // namespace

class TestBandwidth final : public QObject {
    Q_OBJECT
  private:
    void kernels() {
        QTest::addColumn<int>("kernel");
        for (const KernelInfo& k : kernel_table()) QTest::newRow(std::string(k.name).c_str()) << static_cast<int>(k.id);
    }
    static Kernel kernel() {
        QFETCH(int, kernel);
        return static_cast<Kernel>(kernel);
    }

  private Q_SLOTS:
    void oneCpu_data() { kernels(); }
    void oneCpu() {
        const test::Run r = run(scenario(kernel(), 1, {limited("/g", 20 * ms)}, {worker("hog", "/g", 0)}), 10'000 * ms - 1);
        const std::string begin = "hog@0:0 idle@0:20000 hog@0:100000 idle@0:120000 hog@0:200000 idle@0:220000 ";
        QCOMPARE(r.switches.substr(0, begin.size()), begin);
        QCOMPARE(ran(r.state, 0), 2000 * ms); // 20 % of 10 s
        const Bandwidth& pool = r.state.pool(GroupId{1});
        QCOMPARE(pool.nr_periods, std::uint64_t{99});
        QCOMPARE(pool.nr_throttled, std::uint64_t{99});
        QCOMPARE(pool.throttled_time, std::uint64_t{99 * 80 * ms}); // the hundredth interval is still open
    }
    /// Ticks of 10 ms: what a tick overran is paid back in the next period. 25 ms a period: 5, 15, 25 taken at 0, 10,
    /// 20; at 30 it owes 5. Next it starts with 1 ns after these 5 are paid: 20 are left, taken as 15 and 5, used up at 20.
    void coarseTicks_data() { kernels(); }
    void coarseTicks() {
        Scenario s = scenario(kernel(), 1, {limited("/g", 25 * ms)}, {worker("hog", "/g", 0)});
        s.settings[Tunable::hz] = 100;
        const test::Run r = run(std::move(s), 399 * ms);
        QCOMPARE(r.switches, std::string("hog@0:0 idle@0:30000 hog@0:100000 idle@0:120000 hog@0:200000 idle@0:230000 hog@0:300000 idle@0:320000"));
    }
    /// 20 ms for two CPUs. First both take 5 and 5: used up at 10. In the second period 6, 6, then CPU 0 gets the next 5
    /// and CPU 1 the last 3: it is out at 109, CPU 0 at 111.
    void twoCpusShareAPool_data() { kernels(); }
    void twoCpusShareAPool() {
        const test::Run r = run(scenario(kernel(), 2, {limited("/g", 20 * ms)}, {worker("a", "/g", 0), worker("b", "/g", 1)}), 150 * ms);
        QCOMPARE(r.switches, std::string("a@0:0 b@1:0 idle@0:10000 idle@1:10000 a@0:100000 b@1:100000 idle@1:109000 idle@0:111000"));
        QCOMPARE(ran(r.state, 0), 21 * ms);
        QCOMPARE(ran(r.state, 1), 19 * ms);
    }
    /// The rest of the machine goes on: the free task gets the CPU for itself as soon as the group is out.
    void othersGoOn_data() { kernels(); }
    void othersGoOn() {
        const test::Run r = run(scenario(kernel(), 1, {limited("/g", 10 * ms)}, {worker("hog", "/g", 0), worker("free", "", 0)}), 1000 * ms - 1);
        QCOMPARE(ran(r.state, 0), 100 * ms);
        QCOMPARE(ran(r.state, 0) + ran(r.state, 1), 999 * ms); // charged up to the last tick
        QCOMPARE(r.state.rq(CpuId{0}).curr, TaskId{1});
        QCOMPARE(r.state.rq(CpuId{0}).nr_running, 1U);
    }
    /// The outer group has less: it is what stops the inner one.
    void outerLimitStopsTheInner_data() { kernels(); }
    void outerLimitStopsTheInner() {
        const test::Run r = run(scenario(kernel(), 1, {limited("/a", 10 * ms), limited("/a/b", 20 * ms)}, {worker("y", "/a/b", 0)}), 150 * ms);
        QCOMPARE(r.switches, std::string("y@0:0 idle@0:10000 y@0:100000 idle@0:110000"));
        const Queue& outer = r.state.queue(r.state.groups[1].first_queue);
        const Queue& inner = r.state.queue(r.state.groups[2].first_queue);
        QCOMPARE(int{outer.throttled}, 1);
        QCOMPARE(int{inner.throttled}, 0);
        QCOMPARE(int{outer.throttle_count}, 1);
        QCOMPARE(int{inner.throttle_count}, 1);
        QCOMPARE(outer.h_nr_queued, 1U);
        QCOMPARE(r.state.root_queue(CpuId{0}).h_nr_queued, 0U);
    }
    /// The inner group is out at 10; x, in the outer one, has what is left of 30: from 50 to 70.
    void innerLimitLeavesTheOuter_data() { kernels(); }
    void innerLimitLeavesTheOuter() {
        const test::Run r = run(scenario(kernel(), 1, {limited("/a", 30 * ms), limited("/a/b", 10 * ms)}, {worker("y", "/a/b", 0), worker("x", "/a", 0, 50 * ms)}), 99 * ms);
        QCOMPARE(r.switches, std::string("y@0:0 idle@0:10000 x@0:50000 idle@0:70000"));
        const Queue& inner = r.state.queue(r.state.groups[2].first_queue);
        QCOMPARE(int{inner.throttled}, 1);
        QCOMPARE(int{inner.throttle_count}, 2);
    }
    /// Slices of 10 ms of 40. The hog takes two and is out at 20. b and c, with one each since 19, sleep at 21 and give
    /// back 7 each, all but 1 ms: 14 in the pool, more than a slice. 5 ms later the hog comes back: 11 at 27, the last 3
    /// at 37, out at 40.
    void slackIsHandedOn_data() { kernels(); }
    void slackIsHandedOn() {
        Scenario s = scenario(kernel(), 3, {limited("/g", 40 * ms)},
                              {worker("hog", "/g", 0), worker("b", "/g", 1, 19 * ms, 2 * ms), worker("c", "/g", 2, 19 * ms, 2 * ms)});
        s.settings[Tunable::bandwidth_slice] = 10'000;
        const test::Run r = run(std::move(s), 99 * ms);
        QCOMPARE(r.switches, std::string("hog@0:0 b@1:19000 c@2:19000 idle@0:20000 idle@1:21000 idle@2:21000 hog@0:26000 idle@0:40000"));
        const QueueId first = r.state.groups[1].first_queue;
        QCOMPARE(r.state.bandwidth_of(QueueId{first.value + 1}).runtime_remaining, 1 * ms);
        QCOMPARE(r.state.bandwidth_of(QueueId{first.value + 2}).runtime_remaining, 1 * ms);
    }
    /// Unused quota up to the burst is there later, from 5.14 on: 20 and 10.
    void burst_data() { kernels(); }
    void burst() {
        const bool bursts = kernel() >= Kernel::cfs_6_1;
        const test::Run r = run(scenario(kernel(), 1, {limited("/g", 20 * ms, 10 * ms)}, {worker("hog", "/g", 0, 150 * ms)}), 299 * ms);
        QCOMPARE(r.switches, std::string(bursts ? "hog@0:150000 idle@0:180000 hog@0:200000 idle@0:220000" : "hog@0:150000 idle@0:170000 hog@0:200000 idle@0:220000"));
    }
    /// A period in which nothing is used stops the timer; it goes on at multiples of the period.
    void theTimerStops_data() { kernels(); }
    void theTimerStops() {
        Scenario s = scenario(kernel(), 1, {limited("/g", 20 * ms)}, {worker("hog", "/g", 0, 450 * ms)});
        const test::Run idle = run(s, 449 * ms);
        QCOMPARE(int{idle.state.pool(GroupId{1}).period_active}, 0);
        QCOMPARE(idle.state.pool(GroupId{1}).nr_periods, std::uint64_t{2});
        QCOMPARE(idle.state.events.size(), std::size_t{1});
        QCOMPARE(run(s, 599 * ms).switches, std::string("hog@0:450000 idle@0:470000 hog@0:500000 idle@0:520000"));
    }
    /// Woken at 50 into a group that is out since about 20: it waits for the period, and takes nothing from the free task.
    void wokenIntoAThrottledGroup_data() { kernels(); }
    void wokenIntoAThrottledGroup() {
        const Scenario s = scenario(kernel(), 1, {limited("/g", 10 * ms)},
                                    {worker("hog", "/g", 0), worker("late", "/g", 0, 50 * ms), worker("free", "", 0)});
        const test::Run r = run(s, 60 * ms);
        const Queue& group = r.state.queue(r.state.groups[1].first_queue);
        QCOMPARE(group.h_nr_queued, 2U);
        QCOMPARE(int{r.state.task(TaskId{1}).on_rq}, 1);
        QCOMPARE(r.state.rq(CpuId{0}).nr_running, 1U);
        QCOMPARE(r.state.rq(CpuId{0}).curr, TaskId{2});
        const test::Run later = run(s, 1000 * ms - 1);
        QCOMPARE(ran(later.state, 0) + ran(later.state, 1), 100 * ms);
        QVERIFY(ran(later.state, 1) > 40 * ms);
    }
    /// No group has a limit: no rows, no timers.
    void withoutLimits() {
        const State st = initial_state(scenario(Kernel::eevdf_6_12y, 1, {limited("/g", 0)}, {worker("hog", "/g", 0)}));
        QVERIFY(!st.bandwidth_used() && st.queue_bandwidth.empty());
        QCOMPARE(st.events.size(), std::size_t{1});
    }
};

} // namespace picknext

using picknext::TestBandwidth;
QTEST_APPLESS_MAIN(TestBandwidth)
#include "test_bandwidth.moc"
