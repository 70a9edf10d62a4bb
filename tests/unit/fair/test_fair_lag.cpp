// SPDX-License-Identifier: GPL-3.0-or-later
// Lag of the EEVDF kernels worked out by hand: its limits, what joining, a new weight and a delayed sleep make of it.
#include <QtTest>

#include "core/fair/reweight.hpp"
#include "core/fair/views.hpp"
#include "tests/unit/fair/one_cpu.hpp"

using namespace picknext;

namespace {

constexpr std::int64_t ms = OneCpu::ms;
VTime vt(std::int64_t ns) { return VTime{static_cast<std::uint64_t>(ns)}; }
bool eligible(OneCpu& m, TaskId t) { return fair::is_eligible(m.st.settings, m.st, QueueId{0}, m.st.task(t).entity); }
qint64 lag(OneCpu& m, TaskId t) {
    return static_cast<qint64>(fair::average_vruntime(m.st, m.q()).ns) - static_cast<qint64>(m.se(t).vruntime.ns);
}

} // namespace

class FairLagTest : public QObject {
    Q_OBJECT
  private slots:
    /// Twice the slice, a tick at least, in virtual time.
    void limits_data() {
        QTest::addColumn<qint64>("hz");
        QTest::addColumn<int>("nice");
        QTest::addColumn<qint64>("slice");
        QTest::addColumn<qint64>("limit");
        struct Row {
            qint64 hz;
            int nice;
            std::array<qint64, 4> limits; // of slices of 0.70, 0.75, 2.8 and 3.0 ms
        };
        constexpr std::array rows{Row{250, 0, {4'000'000, 4'000'000, 5'600'000, 6'000'000}},
                                  Row{250, 5, {12'226'865, 12'226'865, 17'117'612, 18'340'298}},
                                  Row{250, -20, {46'146, 46'146, 64'604, 69'219}},
                                  Row{1000, 0, {1'400'000, 1'500'000, 5'600'000, 6'000'000}}};
        constexpr std::array<qint64, 4> slices{700'000, 750'000, 2'800'000, 3'000'000};
        for (const Row& row : rows)
            for (std::size_t i = 0; i < slices.size(); ++i)
                QTest::addRow("HZ %lld, nice %d, %lld ns", row.hz, row.nice, slices[i]) << row.hz << row.nice << slices[i] << row.limits[i];
    }
    void limits() {
        QFETCH(qint64, hz);
        QFETCH(int, nice);
        QFETCH(qint64, slice);
        QFETCH(qint64, limit);
        OneCpu m(Kernel::eevdf_6_12y, 1, hz);
        Entity& e = m.se(m.task(nice));
        e.slice = static_cast<std::uint64_t>(slice);
        e.vruntime = vt(0);
        QCOMPARE(fair::limited_lag(m.st, vt(1'000'000'000), e), limit);
        QCOMPARE(fair::limited_lag(m.st, vt(-1'000'000'000), e), -limit);
        QCOMPARE(fair::limited_lag(m.st, vt(1234), e), 1234);
    }

    /// Joining moves the average; where the newcomer is placed, its lag is what it was before.
    void joiningKeepsLag() {
        OneCpu m(Kernel::eevdf_6_12y);
        m.waiting(50 * ms, 60 * ms);
        m.waiting(50 * ms, 60 * ms);
        const TaskId t = m.waiting(48'500'000, 60 * ms);
        QCOMPARE(fair::average_vruntime(m.st, m.q()), vt(49'500'000));
        QCOMPARE(lag(m, t), 1'000'000);
        OneCpu light(Kernel::eevdf_6_12y);
        light.waiting(50 * ms, 60 * ms);
        const TaskId l = light.waiting(53'981'445, 60 * ms, 5);
        QCOMPARE(fair::average_vruntime(light.st, light.q()), vt(50'981'445));
        QCOMPARE(lag(light, l), -3'000'000);
    }

    /// Nice 0 to nice 5: lag and what is left of the request are stretched by the weights, from V. 6.12 takes V as it is,
    /// 1 ms; before that the entity is out already and V is the other's 0.4 ms. (The first 6.6 kept the vruntime; the
    /// profile is 6.6.9.)
    void reweight_data() {
        QTest::addColumn<Kernel>("kernel");
        QTest::addColumn<qint64>("vruntime");
        QTest::addColumn<qint64>("deadline");
        QTest::newRow("6.6.9") << Kernel::eevdf_6_6 << qint64{4'068'059} << qint64{10'181'492};
        QTest::newRow("6.8") << Kernel::eevdf_6_8 << qint64{4'068'059} << qint64{10'181'492};
        QTest::newRow("6.12") << Kernel::eevdf_6_12 << qint64{2'834'029} << qint64{8'947'462};
    }
    void reweight() {
        QFETCH(Kernel, kernel);
        QFETCH(qint64, vruntime);
        QFETCH(qint64, deadline);
        OneCpu m(kernel);
        m.st.settings[Tunable::base_slice] = 3 * ms;
        const TaskId a = m.waiting(1'600'000, 3'600'000);
        m.waiting(400'000, 9 * ms);
        QCOMPARE(fair::average_vruntime(m.st, m.q()), vt(1'000'000));
        m.se(a).slice = 3 * ms;
        fair::reweight_entity(m.st, m.st.task(a).entity, Weight{335 << 10});
        QCOMPARE(m.se(a).vruntime, vt(vruntime));
        QCOMPARE(m.se(a).deadline, vt(deadline));
    }

    /// A sleeper at 10 ms becomes eligible as the other reaches 10 ms, not before.
    void eligibleWhenTheOtherHasCaughtUp() {
        const auto eligible_beside = [](std::int64_t other) {
            OneCpu m(Kernel::eevdf_6_12y);
            const TaskId sleeper = m.waiting(10 * ms, 12 * ms);
            m.running(other, 11 * ms);
            return eligible(m, sleeper);
        };
        QVERIFY(!eligible_beside(10 * ms - 1));
        QVERIFY(eligible_beside(10 * ms));
    }

    void aDelayedSleeperLeavesWithOrWithoutItsLag_data() {
        QTest::addColumn<bool>("zero");
        QTest::addColumn<qint64>("vlag");
        QTest::newRow("DELAY_ZERO") << true << qint64{0};
        QTest::newRow("NO_DELAY_ZERO") << false << qint64{1'000'000}; // mean 11, A at 10
    }
    void aDelayedSleeperLeavesWithOrWithoutItsLag() {
        QFETCH(bool, zero);
        QFETCH(qint64, vlag);
        OneCpu m(Kernel::eevdf_6_12y);
        m.st.settings.set(Feature::delay_zero, zero);
        const TaskId a = m.running(10 * ms, 12 * ms);
        const TaskId b = m.waiting(8 * ms, 11 * ms);
        block_current(m.cx, OneCpu::cpu, false);
        QCOMPARE(m.recorded.last(Kind::dequeue)->header.reason, Reason::dequeue_delayed);
        schedule(m.cx, OneCpu::cpu);
        m.se(b).slice = 1 * ms;
        m.st.now = 4 * ms; // B at 12, past its deadline
        sched_tick(m.cx, OneCpu::cpu);
        schedule(m.cx, OneCpu::cpu);
        QCOMPARE(m.st.task(a).on_rq, std::uint8_t{0});
        QCOMPARE(m.se(a).vlag, vlag);
    }

    /// Eligible in the trees of the pick tests: mean 5.5, so 2 and 4; mean 5.5 again, so 1 and 2; with a current at 5, 5.4.
    void eligibilityInSmallTrees() {
        const auto who = [](const std::vector<std::int64_t>& vruntimes, std::int64_t current) {
            OneCpu m(Kernel::eevdf_6_8);
            std::vector<TaskId> tasks;
            for (const std::int64_t v : vruntimes) tasks.push_back(m.waiting(v, v + 10));
            if (current >= 0) tasks.push_back(m.running(current, current + 10));
            QString out;
            for (const TaskId t : tasks) out += eligible(m, t) ? 'y' : 'n';
            return out;
        };
        QCOMPARE(who({10, 2, 4, 6}, -1), QString("nyyn"));
        QCOMPARE(who({10, 9, 1, 2}, -1), QString("nnyy"));
        QCOMPARE(who({10, 2, 4, 6}, 5), QString("nyyny"));
        QCOMPARE(who({1, 9}, -1), QString("yn"));
    }
};

QTEST_APPLESS_MAIN(FairLagTest)
#include "test_fair_lag.moc"
