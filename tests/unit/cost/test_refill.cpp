// SPDX-License-Identifier: GPL-3.0-or-later
// Refills, predicted idle times and idle exits, worked out by hand.
#include <QtTest>

#include "core/cost/refill.hpp"

using namespace picknext;
using namespace picknext::cost;

namespace {

using Ns = std::int64_t;
constexpr Ns us = 1000, ms = 1000 * us;

Costs defaults() { return default_profile().costs; }

/// C1, C1E and C6 of a Skylake server, 60 % charged but for C1.
Costs skylake() {
    Costs c = defaults();
    c.idle_states[0] = {2 * us, 2 * us, 500};
    c.idle_states[1] = {10 * us, 20 * us, 6 * us};
    c.idle_states[2] = {133 * us, 600 * us, 79'800};
    c.idle_state_count = 3;
    return c;
}
IdleHistory history(std::initializer_list<Ns> lengths) {
    IdleHistory h;
    for (const Ns l : lengths) h.record(l);
    return h;
}

} // namespace

class TestRefill : public QObject {
    Q_OBJECT
  private slots:
    /// multi-cpu.md 18.4: 32 KiB are 512 lines; 512 * d / 4.
    void aMoveCostsTheWorkingSet() {
        const Costs c = defaults();
        constexpr Ns set = 32 << 10;
        QCOMPARE(refill_ns(c, Sharing::same_cpu, set, set), Ns{0});
        QCOMPARE(refill_ns(c, Sharing::same_core, set, set), Ns{0});
        QCOMPARE(refill_ns(c, Sharing::same_llc, set, set), Ns{5120});
        QCOMPARE(refill_ns(c, Sharing::same_socket, set, set), Ns{14080});
        QCOMPARE(refill_ns(c, Sharing::other_socket, set, set), Ns{19200});
    }
    void noMoreThanWasTouched() {
        const Costs c = defaults();
        QCOMPARE(refill_ns(c, Sharing::same_llc, 32 << 10, 0), Ns{0});
        QCOMPARE(refill_ns(c, Sharing::same_llc, 32 << 10, 4096), Ns{640}); // 64 lines
        QCOMPARE(refill_ns(c, Sharing::same_llc, 100, 4096), Ns{20});       // two lines
    }
    void parallelMissesAreAParameter() {
        Costs c = defaults();
        c[Cost::refill_mlp] = 1;
        QCOMPARE(refill_ns(c, Sharing::same_llc, 32 << 10, 32 << 10), Ns{20480});
        QCOMPARE(refill_ns(Costs{}, Sharing::same_llc, 32 << 10, 32 << 10), Ns{0});
    }
    void comingBackCostsThreeTenths() { QCOMPARE(refill_preempted_ns(defaults(), 32 << 10, 32 << 10), Ns{1536}); }

    void idleIsPredictedByTheTimerUntilEightAreKnown() {
        QCOMPARE(predict_idle(5 * ms, history({})), 5 * ms);
        QCOMPARE(predict_idle(5 * ms, history({us, us, us, us, us, us, us})), 5 * ms);
        QCOMPARE(predict_idle(5 * ms, history({us, us, us, us, us, us, us, us})), us);
        QCOMPARE(predict_idle(500, history({us, us, us, us, us, us, us, us})), Ns{500});
    }
    /// 100 .. 170 us: mean 135, variance (35^2 + 25^2 + 15^2 + 5^2) * 2 / 8 = 525 us^2: above 20^2, but 135^2 / 36 = 506 is less.
    /// 110 .. 180: mean 145, 145^2 / 36 = 584: small enough.
    void theMedianCountsWhenTheSpreadIsSmallElseTheLongest() {
        QCOMPARE(predict_idle(5 * ms, history({100 * us, 110 * us, 120 * us, 130 * us, 140 * us, 150 * us, 160 * us, 170 * us})), 170 * us);
        QCOMPARE(predict_idle(5 * ms, history({180 * us, 110 * us, 170 * us, 120 * us, 160 * us, 130 * us, 150 * us, 140 * us})), 145 * us);
        // an older length leaves the ring
        QCOMPARE(predict_idle(5 * ms, history({9 * ms, us, us, us, us, us, us, us, us})), us);
    }
    void longLengthsDoNotOverflow() {
        const Ns year = 31'536'000'000 * ms;
        QCOMPARE(predict_idle(2 * year, history({year, year, year, year, year, year, year, year})), year);
        QCOMPARE(predict_idle(2 * year, history({0, 0, 0, 0, year, year, year, year})), year);
    }
    void theTickStopsForATickOfIdleTime() {
        QVERIFY(!stops_tick(NohzTick::predicted, 4 * ms - 1, 4 * ms, false));
        QVERIFY(stops_tick(NohzTick::predicted, 4 * ms, 4 * ms, false));
        QVERIFY(stops_tick(NohzTick::predicted, us, 4 * ms, true));
        QVERIFY(stops_tick(NohzTick::always, us, 4 * ms, false));
        QVERIFY(!stops_tick(NohzTick::never, 40 * ms, 4 * ms, true));
    }
    void theDeepestStateThatPaysIsEntered() {
        const Costs c = skylake();
        QCOMPARE(deepest_state(c, 0), std::size_t{0}); // none pays: the lightest
        QCOMPARE(deepest_state(c, 20 * us - 1), std::size_t{0});
        QCOMPARE(deepest_state(c, 20 * us), std::size_t{1});
        QCOMPARE(deepest_state(c, 600 * us), std::size_t{2});
        QCOMPARE(idle_exit_ns(c, 10 * us), Ns{500});
        QCOMPARE(idle_exit_ns(c, 100 * us), 6 * us);
        QCOMPARE(idle_exit_ns(c, 10 * ms), Ns{79'800});
    }
    void theTableMayBeCharged() {
        Costs c = skylake();
        c[Cost::idle_charge_table] = 1;
        QCOMPARE(idle_exit_ns(c, 10 * ms), 133 * us);
        QCOMPARE(idle_exit_ns(Costs{}, 10 * ms), Ns{0});
    }
};

QTEST_APPLESS_MAIN(TestRefill)
#include "test_refill.moc"
