// SPDX-License-Identifier: GPL-3.0-or-later
// Domains of typical machines and the values of their levels, worked out by hand. Many more machines are in the reference
// vectors, in the recordings (test_recorded.cpp) and among the random ones.
#include <QTest>

#include "core/topology/domains.hpp"

using namespace picknext;

namespace {

MachineCounts counts(int nodes, int llcs, int clusters, int cores, int threads) {
    MachineCounts n;
    n.nodes = nodes;
    n.llcs = llcs;
    n.clusters = clusters;
    n.cores = cores;
    n.threads = threads;
    return n;
}
Domains build(const Machine& machine, Kernel kernel) { return build_domains(machine, CpuSet::all(machine.cpu_count()), kernel); }

/// "SMT 2, MC 4" of a CPU: names and weights.
QString levels(const Domains& all, CpuId cpu, Kernel kernel) {
    QStringList out;
    for (DomainId d = all.cpu(cpu).base; d; d = all.domain(d).parent)
        out += QString::fromStdString(std::string(name_of(all.domain(d).level, kernel))) + QStringLiteral(" %1").arg(all.domain(d).weight);
    return out.join(QStringLiteral(", "));
}
const Domain& top(const Domains& all, CpuId cpu) {
    DomainId d = all.cpu(cpu).base;
    while (all.domain(d).parent) d = all.domain(d).parent;
    return all.domain(d);
}

} // namespace

class TestDomains : public QObject {
    Q_OBJECT
  private Q_SLOTS:
    void typicalMachines_data() {
        QTest::addColumn<int>("nodes");
        QTest::addColumn<int>("llcs");
        QTest::addColumn<int>("clusters");
        QTest::addColumn<int>("cores");
        QTest::addColumn<int>("threads");
        QTest::addColumn<QString>("in61");
        QTest::addColumn<QString>("in612");
        QTest::addColumn<QString>("in512"); // knew no clusters
        QTest::newRow("one LLC") << 1 << 1 << 1 << 8 << 1 << "MC 8" << "MC 8" << "MC 8";
        QTest::newRow("two nodes of one LLC, SMT") << 2 << 1 << 1 << 4 << 2 << "SMT 2, MC 8, NUMA 16" << "SMT 2, MC 8, NUMA 16" << "SMT 2, MC 8, NUMA 16";
        QTest::newRow("nodes of four LLCs, SMT") << 2 << 4 << 1 << 4 << 2 << "SMT 2, MC 8, DIE 32, NUMA 64" << "SMT 2, MC 8, PKG 32, NUMA 64" << "SMT 2, MC 8, DIE 32, NUMA 64";
        QTest::newRow("four nodes of clusters of four") << 4 << 1 << 6 << 4 << 1 << "CLS 4, MC 24, NUMA 96" << "CLS 4, MC 24, NUMA 96" << "MC 24, NUMA 96";
        QTest::newRow("two LLCs of four") << 1 << 2 << 1 << 4 << 1 << "MC 4, DIE 8" << "MC 4, PKG 8" << "MC 4, DIE 8";
        QTest::newRow("one core of two threads") << 1 << 1 << 1 << 1 << 2 << "SMT 2" << "SMT 2" << "SMT 2";
        QTest::newRow("one CPU") << 1 << 1 << 1 << 1 << 1 << "" << "" << "";
    }
    void typicalMachines() {
        QFETCH(int, nodes);
        QFETCH(int, llcs);
        QFETCH(int, clusters);
        QFETCH(int, cores);
        QFETCH(int, threads);
        QFETCH(QString, in61);
        QFETCH(QString, in612);
        QFETCH(QString, in512);
        const Machine m = *build_machine(counts(nodes, llcs, clusters, cores, threads));
        for (const auto& [kernel, expected] : {std::pair{Kernel::cfs_5_10, in512}, {Kernel::cfs_5_12, in512}, {Kernel::cfs_6_1, in61}, {Kernel::eevdf_6_12y, in612}}) {
            const Domains all = build(m, kernel);
            for (std::size_t c = 0; c < m.cpu_count(); ++c) QCOMPARE(levels(all, CpuId{c}, kernel), expected);
        }
    }

    void allowedImbalanceBetweenNodes() {
        // One LLC a node: an eighth of its CPUs. Several: as many as there are.
        QCOMPARE(top(build(*build_machine(counts(2, 1, 1, 48, 1)), Kernel::cfs_6_1), CpuId{0}).imb_numa_nr, 6);
        QCOMPARE(top(build(*build_machine(counts(2, 4, 1, 8, 1)), Kernel::cfs_6_1), CpuId{0}).imb_numa_nr, 4);
        QCOMPARE(top(build(*build_machine(counts(2, 1, 1, 4, 1)), Kernel::cfs_6_1), CpuId{0}).imb_numa_nr, 1); // at least one
    }

    void valuesOfLevels() {
        const Machine m = *build_machine(counts(2, 2, 1, 2, 2));
        const Domains all = build(m, Kernel::eevdf_6_12y);
        struct Row {
            int weight, pct, tries;
        };
        constexpr std::array rows{Row{2, 110, 0}, Row{4, 117, 1}, Row{8, 117, 1}, Row{16, 117, 2}}; // SMT, MC, PKG, NUMA
        DomainId d = all.cpu(CpuId{0}).base;
        for (const Row& row : rows) {
            const Domain& domain = all.domain(d);
            QCOMPARE(domain.weight, row.weight);
            QCOMPARE(domain.min_interval, row.weight);
            QCOMPARE(domain.max_interval, 2 * row.weight);
            QCOMPARE(domain.busy_factor, 16);
            QCOMPARE(domain.imbalance_pct, row.pct);
            QCOMPARE(domain.cache_nice_tries, row.tries);
            d = domain.parent;
        }
        QVERIFY(!d);
        QVERIFY(!top(all, CpuId{0}).has(sd::prefer_sibling) && top(all, CpuId{0}).has(sd::serialize));
    }

    void farNodesAreNotSpreadTo_data() {
        QTest::addColumn<int>("distance");
        QTest::addColumn<bool>("spread");
        QTest::newRow("30") << 30 << true;
        QTest::newRow("31") << 31 << false;
    }
    void farNodesAreNotSpreadTo() {
        QFETCH(int, distance);
        QFETCH(bool, spread);
        Machine m = *build_machine(counts(2, 1, 1, 4, 1));
        m.distances = {{10, distance}, {distance, 10}};
        const Domains all = build(m, Kernel::cfs_6_1);
        for (const std::uint32_t flag : {sd::balance_exec, sd::balance_fork, sd::wake_affine}) QCOMPARE(top(all, CpuId{0}).has(flag), spread);
        QVERIFY(top(all, CpuId{0}).has(sd::balance_newidle));
    }

    void unlikeCapacities() {
        MachineCounts n = counts(1, 2, 1, 4, 1);
        n.cluster_capacity = {446, 1024};
        const Machine m = *build_machine(n);
        const Domains all = build(m, Kernel::eevdf_6_12y);
        const Domain& mc = all.domain(all.cpu(CpuId{0}).base);
        const Domain& pkg = all.domain(mc.parent);
        QVERIFY(!mc.has(sd::asym_cpucapacity) && !mc.has(sd::prefer_sibling)); // cleared below a domain of unlike CPUs
        QVERIFY(pkg.has(sd::asym_cpucapacity) && pkg.has(sd::asym_cpucapacity_full) && pkg.has(sd::prefer_sibling));
        QCOMPARE(all.cpu(CpuId{0}).sd_asym_cpucapacity, mc.parent);
        QCOMPARE(all.max_capacity, 1024);
    }

    /// Some cores with two threads, some with one: only the groups of the latter lose their flags with the SMT level.
    void mixedCores() {
        Machine m;
        for (int c = 0; c < 6; ++c) {
            Cpu cpu;
            cpu.number = c;
            cpu.core = CoreId{c < 4 ? c / 2 : c - 2};
            m.cpus.push_back(cpu);
        }
        m = *finish(std::move(m));
        for (const Kernel kernel : {Kernel::cfs_5_12, Kernel::cfs_6_1, Kernel::eevdf_6_12y}) {
            const Domains all = build(m, kernel);
            // 6.1 leaves the groups the flags of the cluster level that stood between and is gone; later they are copied anew.
            const std::uint32_t of_core = kernel == Kernel::cfs_6_1 ? sd::share_llc : sd::share_llc | sd::share_cpucapacity;
            QCOMPARE(levels(all, CpuId{0}, kernel), QString("SMT 2, MC 6"));
            QCOMPARE(levels(all, CpuId{5}, kernel), QString("MC 6"));
            const Domain& mc = top(all, CpuId{0});
            QCOMPARE(all.group_count(mc), std::size_t{4});
            for (std::size_t k = 0; k < 4; ++k) {
                const SchedGroup& g = all.group_at(mc, k);
                QCOMPARE(g.flags & (sd::share_llc | sd::share_cpucapacity), g.weight == 2 ? of_core : 0U);
                QCOMPARE(g.flags == 0, g.weight == 1);
                QCOMPARE(g.cores, 1);
            }
        }
    }

    void anOfflineCpuIsInNoDomain() {
        const Machine m = *build_machine(counts(1, 2, 1, 2, 1));
        CpuSet online = CpuSet::all(4);
        online.remove(CpuId{1});
        const Domains all = build_domains(m, online, Kernel::cfs_6_1);
        QCOMPARE(levels(all, CpuId{0}, Kernel::cfs_6_1), QString("DIE 3")); // alone in its cache
        QCOMPARE(levels(all, CpuId{1}, Kernel::cfs_6_1), QString());
        QCOMPARE(levels(all, CpuId{2}, Kernel::cfs_6_1), QString("MC 2, DIE 3"));
        QCOMPARE(all.cpu(CpuId{0}).llc_size, 1);
        QVERIFY(!all.cpu(CpuId{0}).sd_llc && all.cpu(CpuId{2}).sd_llc);
    }
};

QTEST_APPLESS_MAIN(TestDomains)
#include "test_domains.moc"
