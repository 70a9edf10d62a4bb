// SPDX-License-Identifier: GPL-3.0-or-later
// The shipped cost profiles: they give the published figures they were made from, and generic-x86 is what a silent file means.
#include <QTest>

#include "core/cost/lines.hpp"
#include "core/cost/refill.hpp"
#include "core/io/document.hpp"

using namespace picknext;
using namespace picknext::cost;

namespace {

using Ns = std::int64_t;

CostProfile shipped(const char* name) {
    io::Report report;
    const Result<std::string> path = io::shipped_file("costs", name);
    const Result<std::string> text = path ? io::read_file(*path) : Result<std::string>(path.error());
    const Result<CostProfile> profile = text ? io::read_costs(*text, name, report) : Result<CostProfile>(text.error());
    return profile ? *profile : CostProfile{};
}
Ns sum(const Costs& c, std::initializer_list<Cost> parts) {
    Ns ns = 0;
    for (const Cost part : parts) ns += c[part];
    return ns;
}
/// Half of a round trip of perf bench sched pipe, both tasks on one CPU: one message, one wakeup, one switch.
Ns stacked(const Costs& c) { return sum(c, {Cost::pipe_write, Cost::wakeup, Cost::pipe_read_block, Cost::context_switch, Cost::pipe_read_return}); }
/// The same on two CPUs, the reader's idle in its lightest state.
Ns split(const Costs& c) {
    const Ns wake = c[Cost::polling_idle] != 0 ? c[Cost::polling_wake] : sum(c, {Cost::ipi_send, Cost::ipi_delivery});
    return sum(c, {Cost::pipe_write, Cost::wakeup, Cost::switch_from_idle, Cost::pipe_read_return}) + wake + idle_exit_ns(c, 0);
}

} // namespace

class TestProfiles : public QObject {
    Q_OBJECT
  private Q_SLOTS:
    /// costs.md 3.3: 2143 published in a cluster, 2762 across; 0.72 wakeups and switches per message. 20 lines would give 2244 and
    /// 2764 if each message brought all of them; in a run rows of reads bring none, so there are 25 (property.costs).
    void hackbenchOnAKunpengNode() {
        const Costs c = shipped("kunpeng920-node").costs;
        const Ns calls = sum(c, {Cost::pipe_write, Cost::pipe_read_block, Cost::pipe_read_return});
        const Ns wakes = scaled(sum(c, {Cost::wakeup, Cost::context_switch}), 720);
        const auto message = [&](Sharing r) { return calls + wakes + c[Cost::pipe_line_transfers] * distance(c, r); };
        QCOMPARE(calls, Ns{350 + 350});
        QCOMPARE(message(Sharing::same_cluster), Ns{2414});
        QCOMPARE(message(Sharing::same_llc), Ns{3064});
        QCOMPARE(2 * split(c), Ns{9300}); // 3.4
    }
    /// costs.md 8.1: 225 ns per call removed at 14 groups: two misses of 60 and the extra.
    void theFlagOfIdleCoresOnAKunpengNode() {
        Costs c = shipped("kunpeng920-node").costs;
        QCOMPARE(2 * distance(c, Sharing::same_llc) + llc_shared_extra_ns(c), Ns{225});
        c[Cost::llc_shared_extra_on] = 0;
        QCOMPARE(2 * distance(c, Sharing::same_llc) + llc_shared_extra_ns(c), Ns{120});
    }
    /// costs.md 4.1: 25.674 and 19.609 us per operation.
    void pipesOnAHikey() {
        const Costs c = shipped("hikey").costs;
        QCOMPARE(stacked(c), Ns{12800});
        QCOMPARE(split(c), Ns{9800});
    }
    /// costs.md 4.3: after 10 ms of idle time a worker answers 15 us later, IPI and switch from idle included; the tables say 250 and 700.
    void idleStatesOfAHikey() {
        Costs c = shipped("hikey").costs;
        QCOMPARE(idle_exit_ns(c, 1'000'000), Ns{12'000});
        QCOMPARE(idle_exit_ns(c, 2'700'000), Ns{12'000});
        c[Cost::idle_charge_table] = 1;
        QCOMPARE(idle_exit_ns(c, 1'000'000), Ns{250'000});
        QCOMPARE(idle_exit_ns(c, 2'700'000), Ns{700'000});
        QCOMPARE(cold_ns(c, c[Cost::futex_wake], 10'000'000), Ns{9000});
    }
    /// costs.md 5: "the profile gives 6.3".
    void pipesOnAXeon() { QCOMPARE(2 * split(shipped("xeon-8260-2s").costs), Ns{6280}); }
    /// costs.md 6.1: split 3.9, stacked 2.8 (threads) and 3.0 (processes) us per operation: stacking does not lose here.
    void pipesOnX86() {
        const Costs c = shipped("generic-x86").costs;
        QCOMPARE(2 * split(c), Ns{3900});
        QCOMPARE(2 * stacked(c), Ns{2800});
        QCOMPARE(2 * (stacked(c) + c[Cost::address_space]), Ns{3000});
    }
    void genericIsTheDefault() { QVERIFY(shipped("generic-x86").costs.values == default_profile().costs.values); }
    void zeroChargesNothing() { QVERIFY(shipped("zero").costs == Costs{}); }
    /// A profile of a machine that is shipped too.
    void eachHasItsMachine() {
        const std::vector<std::string> machines = io::shipped_names("topologies");
        for (const std::string& name : io::shipped_names("costs"))
            QVERIFY2(name == "zero" || std::find(machines.begin(), machines.end(), name) != machines.end(), name.c_str());
    }
    void eachValueSaysWhereItComesFrom() {
        for (const std::string& name : io::shipped_names("costs"))
            for (const CostInfo& i : cost_table())
                QVERIFY2(!shipped(name.c_str()).provenance[index_of(i.id)].text.empty(), (name + " " + std::string(i.name)).c_str());
    }
};

QTEST_APPLESS_MAIN(TestProfiles)
#include "test_profiles.moc"
