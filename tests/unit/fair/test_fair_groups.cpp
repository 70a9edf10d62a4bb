// SPDX-License-Identifier: GPL-3.0-or-later
// Groups inside groups: counts, slices, shares, buddies, and what a switch between branches touches.
#include <QtTest>

#include "core/engine/invariants.hpp"
#include "core/fair/slice.hpp"
#include "core/fair/views.hpp"
#include "tests/unit/fair/one_cpu.hpp"

using namespace picknext;

namespace {

constexpr qint64 ms = OneCpu::ms;

TaskId fork_in(OneCpu& m, GroupId group, std::int64_t slice = 0) {
    const TaskId t = add_task(m.st, Policy::normal, 0, slice, group, MaskId{0});
    wake_up_new_task(m.cx, t, OneCpu::cpu, OneCpu::cpu);
    return t;
}
Entity& owner(OneCpu& m, GroupId g) { return m.st.entity(m.st.groups[g.index()].first_entity); }
Queue& queue_of(OneCpu& m, GroupId g) { return m.st.queue(m.st.groups[g.index()].first_queue); }
void run(OneCpu& m, TaskId t) {
    m.st.rq(OneCpu::cpu).need_resched = 1;
    while (m.st.rq(OneCpu::cpu).curr != t) {
        m.st.now += 4 * ms;
        sched_tick(m.cx, OneCpu::cpu);
        schedule(m.cx, OneCpu::cpu);
    }
}

} // namespace

class FairGroupsTest : public QObject {
    Q_OBJECT
  private slots:
    void countsOfEveryLevel() {
        OneCpu m(Kernel::eevdf_6_12y);
        const GroupId outer = add_group(m.st, GroupId{0}, 1024, false);
        const GroupId inner = add_group(m.st, outer, 1024, false);
        fork_in(m, inner);
        fork_in(m, inner);
        fork_in(m, outer);
        fork_in(m, GroupId{0});
        QCOMPARE(queue_of(m, inner).nr_queued, 2U);
        QCOMPARE(queue_of(m, outer).nr_queued, 2U); // a task and a group
        QCOMPARE(queue_of(m, outer).h_nr_queued, 3U);
        QCOMPARE(m.q().nr_queued, 2U);
        QCOMPARE(m.q().h_nr_queued, 4U);
        QCOMPARE(m.st.rq(OneCpu::cpu).nr_running, 4U);
        QCOMPARE(owner(m, inner).depth, 1);
        QCOMPARE(owner(m, outer).runnable_weight, std::uint64_t{3});
        QCOMPARE(QString::fromStdString(broken_invariant(m.st)), QString());
    }
    void picksGoFromTheRootDown() {
        OneCpu m(Kernel::eevdf_6_12y);
        const GroupId outer = add_group(m.st, GroupId{0}, 1024, false);
        const GroupId inner = add_group(m.st, outer, 1024, false);
        const TaskId t = fork_in(m, inner);
        m.recorded.all.clear();
        QVERIFY(schedule(m.cx, OneCpu::cpu));
        std::vector<int> levels;
        for (const Recorded::One& d : m.recorded.all)
            if (d.header.kind == Kind::pick) {
                levels.push_back(d.header.level);
                QCOMPARE(d.header.path, PickPath::direct);
            }
        QCOMPARE(levels, (std::vector<int>{0, 1, 2}));
        QCOMPARE(m.st.rq(OneCpu::cpu).curr, t);
        QCOMPARE(queue_of(m, inner).curr, m.st.task(t).entity);
        QCOMPARE(m.q().curr, m.st.groups[outer.index()].first_entity);
    }
    void anEmptiedBranchLeavesEveryLevel() {
        OneCpu m(Kernel::eevdf_6_8);
        const GroupId outer = add_group(m.st, GroupId{0}, 1024, false);
        const GroupId inner = add_group(m.st, outer, 1024, false);
        fork_in(m, inner);
        schedule(m.cx, OneCpu::cpu);
        block_current(m.cx, OneCpu::cpu, false);
        schedule(m.cx, OneCpu::cpu);
        QCOMPARE(owner(m, inner).on_rq, std::uint8_t{0});
        QCOMPARE(owner(m, outer).on_rq, std::uint8_t{0});
        QCOMPARE(m.q().nr_queued, 0U);
        QVERIFY(!m.q().curr && !queue_of(m, outer).curr && !queue_of(m, inner).curr);
    }
    /// CFS: 24 ms, half at the root, half of that in the group; each level's inverse is cut.
    void sliceOverTwoLevels() {
        OneCpu m(Kernel::cfs_5_12, 8);
        const GroupId g = add_group(m.st, GroupId{0}, 1024, false);
        fork_in(m, GroupId{0});
        const TaskId t = fork_in(m, g);
        QCOMPARE(fair::sched_slice(m.st, queue_of(m, g), m.st.task(t).entity), 11'999'991);
        fork_in(m, g);
        QCOMPARE(fair::sched_slice(m.st, queue_of(m, g), m.st.task(t).entity), 5'999'994);
    }
    /// A group runs at the smallest slice of its tasks.
    void groupSliceIsTheSmallest() {
        OneCpu m(Kernel::eevdf_6_12y);
        const GroupId g = add_group(m.st, GroupId{0}, 1024, false);
        fork_in(m, g, 5'000'000);
        QCOMPARE(owner(m, g).slice, std::uint64_t{5'000'000});
        fork_in(m, g, 300'000);
        QCOMPARE(owner(m, g).slice, std::uint64_t{300'000});
        QCOMPARE(fair::min_slice(m.st, queue_of(m, g)), std::uint64_t{300'000});
    }
    /// 6.12y: the group of a sleeper goes on if it has somebody left.
    void aSleeperNominatesItsGroup() {
        OneCpu m(Kernel::eevdf_6_12y);
        m.st.settings.set(Feature::delay_dequeue, false);
        const GroupId g = add_group(m.st, GroupId{0}, 1024, false);
        const TaskId a = fork_in(m, g);
        fork_in(m, g);
        fork_in(m, GroupId{0});
        run(m, a);
        block_current(m.cx, OneCpu::cpu, false);
        QCOMPARE(m.q().next, m.st.groups[g.index()].first_entity);
    }
    void sharesChangeTheEntityAtOnce() {
        OneCpu m(Kernel::eevdf_6_12y);
        const GroupId g = add_group(m.st, GroupId{0}, 1024, false);
        fork_in(m, g);
        fork_in(m, GroupId{0});
        QCOMPARE(owner(m, g).weight, nice_0_weight);
        set_group_shares(m.cx, g, 512);
        QCOMPARE(owner(m, g).weight, Weight{524288});
        QCOMPARE(m.q().weight, Weight{1048576 + 524288});
        QCOMPARE(QString::fromStdString(broken_invariant(m.st)), QString());
    }
    void twoGroupsShareTheCpuByShares() {
        OneCpu m(Kernel::eevdf_6_12y);
        const GroupId heavy = add_group(m.st, GroupId{0}, 2048, false);
        const GroupId light = add_group(m.st, GroupId{0}, 1024, false);
        std::vector<TaskId> tasks;
        for (int i = 0; i < 3; ++i)
            tasks.push_back(fork_in(m, light)); // three of them share one third
        tasks.push_back(fork_in(m, heavy));
        schedule(m.cx, OneCpu::cpu);
        for (int tick = 0; tick < 3000; ++tick) {
            m.st.now += 1 * ms;
            sched_tick(m.cx, OneCpu::cpu);
            if (m.st.rq(OneCpu::cpu).need_resched != 0) schedule(m.cx, OneCpu::cpu);
        }
        const auto ran = static_cast<double>(owner(m, heavy).sum_exec),
                   other = static_cast<double>(owner(m, light).sum_exec);
        QVERIFY2(std::abs(ran / other - 2.0) < 0.02, qPrintable(QString::number(ran / other)));
        QVERIFY(std::abs(static_cast<double>(m.se(tasks[0]).sum_exec) - other / 3) < 4e6);
    }
    void idleGroupsCountTheirTasksAsIdle() {
        OneCpu m(Kernel::eevdf_6_12y);
        const GroupId g = add_group(m.st, GroupId{0}, 1024, true);
        fork_in(m, g);
        QCOMPARE(m.q().idle_nr, 1U);
        QCOMPARE(m.q().h_nr_idle, 1U);
        QCOMPARE(queue_of(m, g).h_nr_idle, 0U);
        QCOMPARE(owner(m, g).weight, Weight{3 << 10});
    }
};

QTEST_APPLESS_MAIN(FairGroupsTest)
#include "test_fair_groups.moc"
