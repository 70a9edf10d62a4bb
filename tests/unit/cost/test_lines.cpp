// SPDX-License-Identifier: GPL-3.0-or-later
// The cache-line engine: single accesses and storms, with the generic distances 9, 40, 110 and 150.
#include <QtTest>

#include "core/cost/lines.hpp"

using namespace picknext;
using namespace picknext::cost;

namespace {

using Ns = std::int64_t;

/// A machine, its lines, and accesses to one of them far enough apart not to wait, unless a time is given.
struct Bench {
    Machine machine;
    CacheLines lines;
    Costs costs = default_profile().costs;
    LineId line;
    Ns now = 0;

    explicit Bench(const MachineCounts& counts) : machine(*build_machine(counts)), lines(make_lines(machine)) {
        line = layout(machine).line(LineKind::nohz);
    }
    Ns at(Ns time, int cpu, LineOp op) { return access(lines, costs, machine, line, CpuId{cpu}, op, time); }
    Ns read(int cpu) { return at(now += 1000, cpu, LineOp::read); }
    Ns write(int cpu) { return at(now += 1000, cpu, LineOp::write); }
    Ns atomic(int cpu) { return at(now += 1000, cpu, LineOp::atomic); }
    [[nodiscard]] const CacheLine& state() const { return lines.lines[line.index()]; }
    [[nodiscard]] bool holds(int cpu) const { return contains(lines.holders_of(line), CpuId{cpu}); }
};

/// 2 sockets of 2 LLCs of 4 cores with 2 threads, siblings adjacent: CPUs 0-7 and 8-15 in socket 0, 16-31 in socket 1.
MachineCounts two_sockets() {
    MachineCounts n;
    n.packages = n.llcs = n.threads = 2;
    n.cores = 4;
    n.threads_last = false;
    return n;
}
MachineCounts one_llc(int cores) {
    MachineCounts n;
    n.cores = cores;
    return n;
}

} // namespace

class TestLines : public QObject {
    Q_OBJECT
  private slots:
    void everyLineHasItsPlace() {
        Bench b(two_sockets());
        const LineLayout l = layout(b.machine);
        QCOMPARE(l.size(), std::size_t{4 + 4 + 32 + 32 + 1 + 1});
        QCOMPARE(b.lines.lines.size(), l.size());
        for (std::size_t i = 0; i < l.size(); ++i) {
            const LineLayout::Name name = l.name(LineId{i});
            QCOMPARE(l.line(name.kind, name.at), LineId{i});
        }
        QCOMPARE(l.line(LineKind::idle_mask, 1), LineId{5});
        QCOMPARE(l.line(LineKind::rq, 0), LineId{8});
    }
    void aLineHeldIsReadAtOnce() {
        Bench b(two_sockets());
        QCOMPARE(b.read(0), Ns{40}); // nobody holds it: from the LLC
        QCOMPARE(b.read(0), Ns{2});
        QCOMPARE(b.write(0), Ns{5}); // the only holder
        QCOMPARE(b.write(0), Ns{5});
        QCOMPARE(b.atomic(0), Ns{6});
    }
    void aReadComesFromTheOwner_data() {
        QTest::addColumn<int>("reader");
        QTest::addColumn<int>("ns");
        QTest::newRow("sibling") << 1 << 9;
        QTest::newRow("same LLC") << 2 << 40;
        QTest::newRow("other LLC") << 8 << 110;
        QTest::newRow("other socket") << 16 << 150;
    }
    void aReadComesFromTheOwner() {
        QFETCH(int, reader);
        QFETCH(int, ns);
        Bench b(two_sockets());
        b.write(0);
        QCOMPARE(b.read(reader), Ns{ns});
        QCOMPARE(b.read(reader), Ns{2});
        QCOMPARE(b.read(0), Ns{2}); // who keeps it
        QCOMPARE(b.state().owner, CpuId{0});
        QCOMPARE(b.state().holders, 2U);
    }
    void withoutOwnerAReadComesFromTheNearestHolder() {
        Bench b(two_sockets());
        b.read(16);
        b.read(8);
        QCOMPARE(b.state().owner, CpuId::none());
        QCOMPARE(b.read(9), Ns{9});
        QCOMPARE(b.read(0), Ns{110}); // from 8, not 16
    }
    void aWriteWaitsForTheFarthestHolder() {
        Bench b(two_sockets());
        b.write(0);
        b.read(1);
        QCOMPARE(b.write(0), Ns{9}); // owned, but the sibling holds it too
        QVERIFY(!b.holds(1));
        b.read(1);
        b.read(8);
        QCOMPARE(b.atomic(1), Ns{110});
        QCOMPARE(b.state().owner, CpuId{1});
        QCOMPARE(b.state().holders, 1U);
        QCOMPARE(b.atomic(1), Ns{6});
        b.read(31);
        QCOMPARE(b.write(0), Ns{150});
    }
    void decidingChangesNothing() {
        Bench b(two_sockets());
        b.write(0);
        const CacheLines before = b.lines;
        const LineAccess a = decide_access(b.lines, b.costs, b.machine, b.line, CpuId{8}, LineOp::read, 5000);
        QVERIFY(!a.hit);
        QCOMPARE(a.source, CpuId{0});
        QCOMPARE(a.ns(), Ns{110});
        QCOMPARE(a.done, Ns{5110});
        QVERIFY(b.lines == before);
    }
    void counters() {
        Bench b(two_sockets());
        b.write(0);                  // 40
        b.read(8);                   // 110
        b.read(8);                   // 2
        b.at(b.now, 0, LineOp::read);      // 2, a hit does not wait
        b.at(b.now + 1000, 16, LineOp::atomic); // 150
        b.at(b.now + 1050, 24, LineOp::atomic); // waits 100 more, then 110
        const CacheLine& s = b.state();
        QCOMPARE(s.reads, std::uint64_t{3});
        QCOMPARE(s.writes, std::uint64_t{3});
        QCOMPARE(s.hits, std::uint64_t{2});
        QCOMPARE(s.transfers, std::uint64_t{4});
        QCOMPARE(s.waits, std::uint64_t{1});
        QCOMPARE(s.wait_ns, std::uint64_t{100});
        QCOMPARE(s.ns, std::uint64_t{40 + 110 + 2 + 2 + 150 + 210});
    }
    /// costs.md 8.5: n CPUs at once on one line: (n - 1) / 2 * d extra on the mean, (n - 1) * d at worst; 8 CPUs and d of 60
    /// and 120: 210 and 420 mean, 420 and 840 worst.
    void stormsSerialise_data() {
        QTest::addColumn<int>("n");
        QTest::addColumn<int>("d");
        QTest::addColumn<int>("mean");
        QTest::addColumn<int>("worst");
        QTest::newRow("8 CPUs, 60") << 8 << 60 << 210 << 420;
        QTest::newRow("8 CPUs, 120") << 8 << 120 << 420 << 840;
        QTest::newRow("24 CPUs, 34") << 24 << 34 << 391 << 782;
    }
    void stormsSerialise() {
        QFETCH(int, n);
        QFETCH(int, d);
        QFETCH(int, mean);
        QFETCH(int, worst);
        Bench b(one_llc(n + 1));
        b.costs[Cost::distance_same_llc] = d;
        b.write(n); // somebody else had it
        Ns sum = 0, last = 0;
        for (int cpu = 0; cpu < n; ++cpu) {
            last = b.at(10'000, cpu, LineOp::atomic) - d; // beyond the lone transfer
            QCOMPARE(last, Ns{cpu} * d);
            sum += last;
        }
        QCOMPARE(last, Ns{worst});
        QCOMPARE(sum, Ns{n} * mean);
        QCOMPARE(b.state().wait_ns, static_cast<std::uint64_t>(sum));
    }
    void theQueueIsCapped() {
        Bench b(one_llc(41));
        b.write(40);
        std::vector<Ns> ns;
        for (int cpu = 0; cpu < 40; ++cpu) ns.push_back(b.at(10'000, cpu, LineOp::atomic));
        QCOMPARE(ns[31], Ns{32 * 40});
        QCOMPARE(ns[32], Ns{33 * 40}); // behind 32
        QCOMPARE(ns[39], Ns{33 * 40}); // and no longer
        QCOMPARE(b.state().busy_until, Ns{10'000 + 33 * 40});
        b.costs[Cost::line_waiters] = 0;
        QCOMPARE(b.at(10'000, 0, LineOp::atomic), Ns{40});
    }
    void evictionIsAFixedDraw() {
        Bench b(one_llc(4));
        int lost = 0;
        for (std::uint64_t n = 0; n < 10'000; ++n) lost += evicts(b.costs, b.line, CpuId{1}, n) ? 1 : 0;
        QVERIFY2(lost > 4'800 && lost < 5'200, QByteArray::number(lost)); // four standard deviations of 50
        QCOMPARE(evicts(b.costs, b.line, CpuId{1}, 7), evicts(b.costs, b.line, CpuId{1}, 7));
        b.costs[Cost::line_eviction] = 1000;
        QVERIFY(evicts(b.costs, b.line, CpuId{1}, 7));
        b.costs[Cost::line_eviction] = 0;
        QVERIFY(!evicts(b.costs, b.line, CpuId{1}, 7));
    }
    void aSwitchLosesWhatTheCpuHeld() {
        Bench b(one_llc(4));
        b.write(1);
        b.read(2);
        b.costs[Cost::line_eviction] = 1000;
        QCOMPARE(apply_switch(b.lines, b.costs, CpuId{0}, 1), 0);
        QCOMPARE(apply_switch(b.lines, b.costs, CpuId{1}, 1), 1);
        QVERIFY(!b.holds(1) && b.holds(2));
        QCOMPARE(b.state().owner, CpuId::none());
        QCOMPARE(b.state().holders, 1U);
        QCOMPARE(b.read(1), Ns{40});
    }
    void lineByLineAndCpuByCpuAgree() {
        MachineCounts n = two_sockets();
        n.cores = 128; // 1,024 CPUs
        Bench b(n);
        b.costs[Cost::line_eviction] = 500;
        for (int i = 0; i < 4000; ++i) {
            const CpuId cpu{(i * 37) % 1024};
            const LineId line{(i * 101) % static_cast<int>(b.lines.lines.size())};
            access(b.lines, b.costs, b.machine, line, cpu, i % 5 == 0 ? LineOp::write : LineOp::read, i);
            if (i % 3 == 0) apply_switch(b.lines, b.costs, cpu, static_cast<std::uint64_t>(i));
        }
        std::size_t held = 0;
        for (std::size_t l = 0; l < b.lines.lines.size(); ++l) {
            const LineId line{l};
            const CacheLine& s = b.lines.lines[l];
            QCOMPARE(static_cast<int>(s.holders), count(b.lines.holders_of(line)));
            QVERIFY(!s.owner || contains(b.lines.holders_of(line), s.owner));
            for_each_cpu(b.lines.holders_of(line), [&](CpuId c) {
                ++held;
                QVERIFY(contains(b.lines.held_by(c), CpuId{l}));
            });
        }
        std::size_t by_cpu = 0;
        for (int c = 0; c < 1024; ++c) by_cpu += static_cast<std::size_t>(count(b.lines.held_by(CpuId{c})));
        QVERIFY(held > 0);
        QCOMPARE(by_cpu, held);
    }
    void withoutCostsNothingTakesTime() {
        Bench b(two_sockets());
        b.costs = Costs{};
        for (int cpu = 0; cpu < 32; ++cpu) QCOMPARE(b.at(0, cpu, LineOp::atomic), Ns{0});
        QCOMPARE(apply_switch(b.lines, b.costs, CpuId{31}, 1), 0);
        QCOMPARE(b.state().transfers, std::uint64_t{32}); // counted all the same
    }
};

QTEST_APPLESS_MAIN(TestLines)
#include "test_lines.moc"
