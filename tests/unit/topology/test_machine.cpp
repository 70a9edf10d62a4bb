// SPDX-License-Identifier: GPL-3.0-or-later
#include <QTest>

#include "core/topology/machine.hpp"

using namespace picknext;

class TestMachine : public QObject {
    Q_OBJECT
  private slots:
    void numbering_data();
    void numbering();
    void regular_machine();
    void clusters();
    void folded_clusters();
    void missing_levels();
    void ids_become_dense();
    void sparse_numbers();
    void nesting();
    void offline();
    void lists();
};

namespace {

MachineCounts counts(int packages, int nodes, int llcs, int clusters, int cores, int threads, bool threads_last = true) {
    MachineCounts n;
    n.packages = packages;
    n.nodes = nodes;
    n.llcs = llcs;
    n.clusters = clusters;
    n.cores = cores;
    n.threads = threads;
    n.threads_last = threads_last;
    return n;
}

Cpu numbered(int number) {
    Cpu cpu;
    cpu.number = number;
    return cpu;
}

std::string list(const Machine& m, const CpuSet& set) { return cpu_list(m, set); }

} // namespace

void TestMachine::numbering_data() {
    QTest::addColumn<bool>("threadsLast");
    QTest::addColumn<QString>("firstCore");
    QTest::addColumn<QString>("firstLlc");
    QTest::newRow("first threads are 0..n-1") << true << "0,8" << "0-3,8-11";
    QTest::newRow("siblings are neighbours") << false << "0-1" << "0-7";
}
void TestMachine::numbering() {
    QFETCH(bool, threadsLast);
    QFETCH(QString, firstCore);
    QFETCH(QString, firstLlc);
    const Machine m = *build_machine(counts(2, 1, 1, 1, 4, 2, threadsLast));
    QCOMPARE(m.cpu_count(), std::size_t{16});
    QCOMPARE(QString::fromStdString(list(m, m.core_span[0])), firstCore);
    QCOMPARE(QString::fromStdString(list(m, m.llc_span[0])), firstLlc);
    for (std::size_t c = 0; c < m.cpu_count(); ++c) QCOMPARE(m.cpus[c].number, static_cast<int>(c));
}

void TestMachine::regular_machine() {
    const Machine m = *build_machine(counts(2, 2, 4, 1, 8, 2)); // 2 sockets, 4 nodes, 16 LLCs
    QCOMPARE(m.cpu_count(), std::size_t{256});
    QCOMPARE(m.package_span.size(), std::size_t{2});
    QCOMPARE(m.nodes.size(), std::size_t{4});
    QCOMPARE(m.llc_span.size(), std::size_t{16});
    QCOMPARE(m.core_span.size(), std::size_t{128});
    QCOMPARE(m.llc_span[5].size(), 16);
    QCOMPARE(m.node_span[1].size(), 64);
    QVERIFY(m.has_smt());
    QCOMPARE(m.distance(NodeId{0}, NodeId{0}), 10);
    QCOMPARE(m.distance(NodeId{0}, NodeId{3}), 20);
    QCOMPARE(summary(m), std::string{"4 nodes · 16 LLC · 128 cores · SMT2"});
}

void TestMachine::clusters() {
    const Machine m = *build_machine(counts(1, 1, 1, 6, 4, 1));
    QVERIFY(m.has_clusters);
    QVERIFY(!m.has_smt());
    QCOMPARE(m.cluster_span.size(), std::size_t{6});
    QCOMPARE(list(m, m.cluster_span[1]), std::string{"4-7"});
    QCOMPARE(summary(m), std::string{"1 node · 1 LLC · 6 clusters · 24 cores"});
}

void TestMachine::folded_clusters() {
    const Machine same_as_llc = *build_machine(counts(1, 1, 2, 1, 4, 2));
    QVERIFY(!same_as_llc.has_clusters);
    QCOMPARE(same_as_llc.cluster_span, same_as_llc.core_span);
    const Machine same_as_core = *build_machine(counts(1, 1, 1, 4, 1, 2));
    QVERIFY(!same_as_core.has_clusters);
    QCOMPARE(same_as_core.cluster_span.size(), std::size_t{4});
}

void TestMachine::missing_levels() {
    Machine m;
    m.cpus = {numbered(0), numbered(1), numbered(2)};
    m = *finish(std::move(m));
    QCOMPARE(m.core_span.size(), std::size_t{3}); // a core of its own each
    QCOMPARE(m.llc_span.size(), std::size_t{1});
    QCOMPARE(m.package_span.size(), std::size_t{1});
    QCOMPARE(m.nodes.size(), std::size_t{1});
    QCOMPARE(summary(m), std::string{"1 node · 1 LLC · 3 cores"});
}

void TestMachine::ids_become_dense() {
    Machine m;
    m.cpus = {numbered(0), numbered(1), numbered(2), numbered(3)};
    for (std::size_t c = 0; c < 4; ++c) {
        m.cpus[c].llc = LlcId{c < 2 ? 654 : 138};
        m.cpus[c].package = PackageId{8442};
        m.cpus[c].node = NodeId{c < 2 ? 33 : 2};
    }
    m = *finish(std::move(m));
    QCOMPARE(m.cpus[0].llc, LlcId{0});
    QCOMPARE(m.cpus[3].llc, LlcId{1});
    QCOMPARE(m.cpus[3].package, PackageId{0});
    QCOMPARE(m.nodes[0].number, 2); // nodes are in order of their numbers
    QCOMPARE(m.nodes[1].number, 33);
    QCOMPARE(m.cpus[0].node, NodeId{1});
}

void TestMachine::sparse_numbers() {
    Machine m;
    m.cpus = {numbered(0), numbered(8), numbered(9), numbered(88)};
    m = *finish(std::move(m));
    QCOMPARE(m.by_number(9), CpuId{2});
    QVERIFY(!m.by_number(1));
    QVERIFY(!m.by_number(89));
    QCOMPARE(cpu_list(m, CpuSet::all(4)), std::string{"0,8-9,88"});
}

void TestMachine::nesting() {
    Machine m;
    m.cpus = {numbered(0), numbered(1)};
    m.cpus[0].core = m.cpus[1].core = CoreId{0};
    m.cpus[0].package = PackageId{0};
    m.cpus[1].package = PackageId{1};
    const Result<Machine> done = finish(std::move(m));
    QVERIFY(!done.has_value());
    QCOMPARE(done.error().code, std::string{"E-NESTING"});
}

void TestMachine::offline() {
    Machine m = *build_machine(counts(1, 1, 1, 1, 4, 1));
    m.cpus[3].online = false;
    QCOMPARE(m.online().size(), 3);
    QCOMPARE(summary(m), std::string{"1 node · 1 LLC · 3 cores"});
    for (Cpu& cpu : m.cpus) cpu.online = false;
    QCOMPARE(finish(std::move(m)).error().code, std::string{"E-NOCPU"});
}

void TestMachine::lists() {
    const Machine m = *build_machine(counts(1, 1, 1, 1, 8, 1));
    CpuSet set(8);
    QCOMPARE(list(m, set), std::string{});
    for (const int c : {0, 2, 3, 7}) set.add(CpuId{c});
    QCOMPARE(list(m, set), std::string{"0,2-3,7"});
}

QTEST_APPLESS_MAIN(TestMachine)
#include "test_machine.moc"
