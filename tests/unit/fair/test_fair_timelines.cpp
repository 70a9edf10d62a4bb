// SPDX-License-Identifier: GPL-3.0-or-later
// Who runs when, in milliseconds, for two or three tasks that start together and never sleep.
#include <QtTest>

#include <set>

#include "tests/unit/fair/one_cpu.hpp"

using namespace picknext;

namespace {

/// "0 A, 3 B, ...": every schedule until `end`; * = the same task again. Tasks are named A, B, C in order.
QString timeline(OneCpu& m, const std::vector<int>& nices, std::int64_t end_ms) {
    std::vector<TaskId> tasks;
    m.st.settings.set(Feature::place_deadline_initial, false);
    m.st.settings.set(Feature::start_debit, false);
    for (int nice : nices)
        tasks.push_back(m.fork(nice));
    for (TaskId t : tasks)
        m.se(t).vruntime = m.q().ref; // all start together
    QStringList out;
    const auto reschedule = [&] {
        const bool switched = schedule(m.cx, OneCpu::cpu);
        const auto curr = static_cast<char16_t>(u'A' + m.st.rq(OneCpu::cpu).curr.value);
        out += QString::number(m.st.now / OneCpu::ms) + " " + QChar(curr) + (switched ? "" : "*");
    };
    reschedule();
    const std::int64_t tick = m.st.settings.tick_ns();
    for (m.st.now = tick; m.st.now <= end_ms * OneCpu::ms; m.st.now += tick) {
        sched_tick(m.cx, OneCpu::cpu);
        if (m.st.rq(OneCpu::cpu).need_resched != 0) reschedule();
    }
    return out.join(", ");
}

QString eevdf(Kernel kernel, const std::vector<int>& nices, std::int64_t end_ms, std::int64_t hz = 1000,
              std::int64_t slice = 3'000'000) {
    OneCpu m(kernel, 1, hz);
    m.st.settings[Tunable::base_slice] = slice;
    return timeline(m, nices, end_ms);
}

QString cfs(int cpus, std::int64_t hz, const std::vector<int>& nices, std::int64_t end_ms) {
    OneCpu m(Kernel::cfs_6_1, cpus, hz);
    return timeline(m, nices, end_ms);
}

} // namespace

class FairTimelinesTest : public QObject {
    Q_OBJECT
  private slots:
    void equalTasksTakeTurnsBySlice() {
        QCOMPARE(eevdf(Kernel::eevdf_6_12y, {0, 0}, 12), QString("0 A, 3 B, 6 A, 9 B, 12 A"));
        QCOMPARE(eevdf(Kernel::eevdf_6_8, {0, 0}, 12), QString("0 A, 3 B, 6 A, 9 B, 12 A"));
    }
    /// In 6.6 equal deadlines do not take the CPU from the running one.
    void equalDeadlinesIn66() {
        QCOMPARE(eevdf(Kernel::eevdf_6_6, {0, 0}, 12), QString("0 A, 3 B, 6 B*, 9 A, 12 A*"));
    }
    void aCoarseTickDecides() {
        QCOMPARE(eevdf(Kernel::eevdf_6_12y, {0, 0, 0}, 16, 250), QString("0 A, 4 B, 8 C, 12 A, 16 B"));
        QCOMPARE(eevdf(Kernel::eevdf_6_12y, {0, 0}, 12, 250, 700'000), QString("0 A, 4 B, 8 A, 12 B"));
    }
    /// Rounded down three times, 3 ms of nice 5 miss the deadline by 1 ns: B runs a fourth tick.
    void nice0AgainstNice5In68() {
        const QString expected =
            "0 A, 3 B, 7 A, 10 A*, 13 A*, 16 A*, 19 B, 23 A, 26 A*, 29 A*, 32 A*, 35 B, 39 A";
        QCOMPARE(eevdf(Kernel::eevdf_6_8, {0, 5}, 39), expected);
        QCOMPARE(eevdf(Kernel::eevdf_6_6, {0, 5}, 39), expected);
    }
    /// 6.12 ends an unprotected run at the first tick at which it is not eligible.
    void nice0AgainstNice5In612() {
        const QString expected =
            "0 A, 3 B, 7 A, 10 A*, 13 A*, 16 A*, 17 B, 21 A, 23 A*, 26 A*, 29 A*, 32 A*, 33 B, 37 A";
        QCOMPARE(eevdf(Kernel::eevdf_6_12, {0, 5}, 37), expected);
        QCOMPARE(eevdf(Kernel::eevdf_6_12y, {0, 5}, 37), expected);
    }
    void niceMinus5AgainstNice0() {
        QCOMPARE(eevdf(Kernel::eevdf_6_8, {-5, 0}, 29),
                 QString("0 A, 4 B, 7 A, 11 A*, 15 B, 18 A, 22 A*, 26 B, 29 A"));
        QCOMPARE(eevdf(Kernel::eevdf_6_12, {-5, 0}, 28),
                 QString("0 A, 4 B, 7 A, 11 A*, 13 B, 16 A, 18 A*, 22 A*, 25 B, 28 A"));
    }
    /// Who is picked again was looked for: a search of one node that finds nothing. Everyone else is found at once. Both
    /// kernels share the first 60 ms alike.
    void repicksAreSearches() {
        for (const Kernel kernel : {Kernel::eevdf_6_8, Kernel::eevdf_6_12, Kernel::eevdf_6_12y})
            for (const auto& nices : {std::vector{0, 5}, std::vector{-5, 0}}) {
                OneCpu m(kernel);
                m.st.settings[Tunable::base_slice] = 3'000'000;
                timeline(m, nices, 60);
                int searches = 0;
                for (const Recorded::One& d : m.recorded.all) {
                    if (d.header.kind != Kind::pick || d.header.site != Site::schedule || d.header.at == 0) continue;
                    const bool again = d.header.outcome == d.header.task;
                    QCOMPARE(d.header.path, again ? PickPath::slow : PickPath::fast);
                    if (!again) continue;
                    ++searches;
                    QCOMPARE(d.header.reason, Reason::pick_current_earlier);
                    std::set<std::int32_t> nodes;
                    for (const Check& c : d.checks)
                        if (c.id == Chk::left_subtree_eligible || c.id == Chk::node_eligible) nodes.insert(c.subject);
                    QCOMPARE(nodes.size(), std::size_t{1});
                }
                QVERIFY(searches > 5);
                if (nices[0] != 0) continue;
                QCOMPARE(m.se(TaskId{0}).sum_exec, std::uint64_t{44'000'000});
                QCOMPARE(m.se(TaskId{1}).sum_exec, std::uint64_t{16'000'000});
            }
    }
    /// 12 ms, for the slice is 11999994 ns; with exact arithmetic it would be 16.
    void cfsOnEightCpus() {
        QCOMPARE(cfs(8, 250, {0, 0}, 36), QString("0 A, 12 B, 24 A, 36 B"));
        QCOMPARE(cfs(8, 250, {0, 5}, 56), QString("0 A, 20 B, 28 A, 48 B, 56 A"));
        QCOMPARE(cfs(8, 250, {0, 0, 0}, 24), QString("0 A, 8 B, 16 C, 24 A"));
    }
    void cfsOnOneCpu() { QCOMPARE(cfs(1, 1000, {0, 0}, 9), QString("0 A, 3 B, 6 A, 9 B")); }

    void everyTickDrivenPickOfEqualTasksIsFast() {
        OneCpu m(Kernel::eevdf_6_12y);
        m.st.settings[Tunable::base_slice] = 3'000'000;
        timeline(m, {0, 0}, 30);
        int picks = 0;
        for (const Recorded::One& d : m.recorded.all)
            if (d.header.kind == Kind::pick) {
                ++picks;
                QCOMPARE(d.header.path, PickPath::fast);
            }
        QCOMPARE(picks, 11);
    }
};

QTEST_APPLESS_MAIN(FairTimelinesTest)
#include "test_fair_timelines.moc"
