// SPDX-License-Identifier: GPL-3.0-or-later
// The table of constants, and sums worked out by hand from the generic values.
#include <QtTest>

#include <set>

#include "core/cost/costs.hpp"

using namespace picknext;
using namespace picknext::cost;

namespace {

using Ns = std::int64_t;

/// What an empty file would give.
Costs defaults() { return default_profile().costs; }

Machine two_sockets() { // 2 sockets of 2 LLCs of 2 clusters of 2 cores with 2 threads, siblings adjacent
    MachineCounts n;
    n.packages = n.llcs = n.clusters = n.cores = n.threads = 2;
    n.threads_last = false;
    return *build_machine(n);
}

} // namespace

class TestCosts : public QObject {
    Q_OBJECT
  private slots:
    void eachConstantHasItsRow() {
        std::set<std::string_view> names;
        for (const CostInfo& i : cost_table()) {
            const QByteArray name = QByteArray::fromStdString(std::string(i.name));
            QVERIFY2(names.insert(i.name).second, name);
            QVERIFY2(find_cost(i.name) == i.id && info(i.id).name == i.name, name);
            QVERIFY2(!i.title.empty() && !i.charged.empty(), name);
            QVERIFY2(i.low >= 0 && i.low <= i.high && i.high <= most(i.unit), name);
            QVERIFY2(i.fallback == 0 || (i.low <= i.fallback && i.fallback <= i.high), name);
        }
        QVERIFY(!find_cost("ticks").has_value());
    }
    void theDefaultChargesNothing() {
        for (const Ns v : Costs{}.values) QCOMPARE(v, Ns{0});
        QCOMPARE(balance_ns(Costs{}, 100, 32, 5), Ns{0});
        QCOMPARE(rbtree_ns(Costs{}, 100, true), Ns{0});
    }
    void relationsAreByTheNearestThingShared() {
        const Machine m = two_sockets();
        const auto to = [&](int cpu) { return sharing(m, CpuId{0}, CpuId{cpu}); };
        QCOMPARE(to(0), Sharing::same_cpu);
        QCOMPARE(to(1), Sharing::same_core);
        QCOMPARE(to(2), Sharing::same_cluster);
        QCOMPARE(to(4), Sharing::same_llc);
        QCOMPARE(to(8), Sharing::same_socket);
        QCOMPARE(to(16), Sharing::other_socket);
        const Costs c = defaults();
        const std::array<Ns, 6> ns{0, 9, 40, 40, 110, 150};
        for (std::size_t r = 0; r < ns.size(); ++r) QCOMPARE(distance(c, static_cast<Sharing>(r)), ns[r]);
    }
    void log2IsRoundedDown() {
        QCOMPARE(floor_log2(0), 0);
        QCOMPARE(floor_log2(1), 0);
        QCOMPARE(floor_log2(2), 1);
        QCOMPARE(floor_log2(3), 1);
        QCOMPARE(floor_log2(4), 2);
        QCOMPARE(floor_log2(1023), 9);
        QCOMPARE(floor_log2(1024), 10);
    }
    void treesCostByTheirDepth() {
        const Costs c = defaults(); // 20 + 12 log2(n + 1)
        QCOMPARE(rbtree_ns(c, 0, false), Ns{20});
        QCOMPARE(rbtree_ns(c, 1, false), Ns{32});
        QCOMPARE(rbtree_ns(c, 7, false), Ns{56});
        QCOMPARE(rbtree_ns(c, 7, true), Ns{72}); // 56 + 30 % of it, 16.8
    }
    /// costs.md 8.4: heap minus leftmost is 12 log2(n), 24 at n = 4.
    void picksCostByTheirPath() {
        const Costs c = defaults();
        QCOMPARE(pick_ns(c, PickPath::single, 1), Ns{5});
        QCOMPARE(pick_ns(c, PickPath::parity, 4), Ns{8});
        QCOMPARE(pick_ns(c, PickPath::leftmost, 4), Ns{15});
        QCOMPARE(pick_ns(c, PickPath::heap, 4) - pick_ns(c, PickPath::leftmost, 4), Ns{24});
    }
    /// costs.md 6.5: 1.0, 7.5 and 14 us for 4, 112 and 224 CPUs.
    void balancePassesCostByWhatTheyLookAt() {
        const Costs c = defaults();
        QCOMPARE(balance_ns(c, 4, 0, 0), Ns{1040});
        QCOMPARE(balance_ns(c, 112, 0, 0), Ns{7520});
        QCOMPARE(balance_ns(c, 224, 0, 0), Ns{14240});
        QCOMPARE(balance_ns(c, 4, 3, 2), Ns{1040 + 120 + 1400});
    }
    /// Thread 5: 39 us are 2 + 5.5 per refreshed CPU if 6.7 of 7 were; all 7 give 40.5.
    void nohzRoundsCostByTheirCpus() {
        QCOMPARE(nohz_ns(defaults(), 7, 0), Ns{40500});
        QCOMPARE(nohz_ns(defaults(), 0, 7), Ns{4800});
    }
    void fittedPartsHaveSwitches() {
        Costs c = defaults();
        c[Cost::llc_shared_extra] = 105;
        QCOMPARE(llc_shared_extra_ns(c), Ns{0});
        QCOMPARE(cold_ns(c, 4500, 10'000'000), Ns{4500});
        c[Cost::llc_shared_extra_on] = 1;
        c[Cost::cold_on] = 1;
        QCOMPARE(llc_shared_extra_ns(c), Ns{105});
        QCOMPARE(cold_ns(c, 4500, 10'000'000), Ns{9000});
        QCOMPARE(cold_ns(c, 4500, 1'000'000), Ns{4500}); // above 1 ms only
    }
};

QTEST_APPLESS_MAIN(TestCosts)
#include "test_costs.moc"
