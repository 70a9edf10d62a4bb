// SPDX-License-Identifier: GPL-3.0-or-later
// What one balance pass counts, by each way it can end. Two CPUs of one LLC; CPU 1 has nothing to do. The tasks are new,
// so the imbalance is (2 - 0) / 2 = 1 task.
#include <QtTest>

#include "tests/support/many_cpus.hpp"

using namespace picknext;
using namespace picknext::balance;
using test::ManyCpus;

namespace {

constexpr CpuId cpu0{0}, cpu1{1};

struct TwoCpus : ManyCpus {
    TaskId running, waiting;
    explicit TwoCpus(bool with_tasks = true) : ManyCpus(Kernel::eevdf_6_12y, two_cores()) {
        if (!with_tasks) return;
        running = on(cpu0);
        waiting = on(cpu0);
    }
    static MachineCounts two_cores() {
        MachineCounts n;
        n.cores = 2;
        return n;
    }
    /// "count balanced failed imbalance gained hot nobusyq nobusyg" of CPU 1's only domain.
    [[nodiscard]] QString counted(IdleKind kind) const {
        const BalanceSchedstat& s = st.domains[domains.cpu(cpu1).base.index()].stat.by_idle[static_cast<std::size_t>(kind)];
        return QString::fromStdString(fmt::format("{} {} {} {} {} {} {} {}", s.lb_count, s.lb_balanced, s.lb_failed, s.lb_imbalance, s.lb_gained,
                                                  s.lb_hot_gained, s.lb_nobusyq, s.lb_nobusyg));
    }
    [[nodiscard]] const TaskSchedstat& of(TaskId task) const { return st.task(task).stat; }
    [[nodiscard]] DomainSchedstat& domain_counts() { return st.domains[domains.cpu(cpu1).base.index()].stat; }
};

} // namespace

class TestSchedstat : public QObject {
    Q_OBJECT
  private slots:
    void onePull() {
        TwoCpus m;
        QCOMPARE(m.pass(cpu1, 0, IdleKind::newly_idle), 1);
        QCOMPARE(m.counted(IdleKind::newly_idle), QStringLiteral("1 0 0 1 1 0 0 0"));
        QCOMPARE(m.counted(IdleKind::idle), QStringLiteral("0 0 0 0 0 0 0 0"));
        QCOMPARE(m.st.task(m.waiting).cpu, cpu1);
    }

    void nobodyToPullFrom() {
        TwoCpus m(false);
        m.on(cpu0); // one task only
        QCOMPARE(m.pass(cpu1, 0, IdleKind::idle), 0);
        QCOMPARE(m.counted(IdleKind::idle), QStringLiteral("1 1 0 0 0 0 0 1"));
    }

    /// The waiting task ran 100 us ago, which is hot: a failed pass. After two failures it is taken all the same: the tries
    /// of a domain with a cache are 1.
    void hotTask() {
        TwoCpus m;
        m.st.entity(m.waiting).exec_start = m.st.now - 100'000;
        QCOMPARE(m.pass(cpu1, 0, IdleKind::idle), 0);
        QCOMPARE(m.counted(IdleKind::idle), QStringLiteral("1 0 1 1 0 0 0 0"));
        QCOMPARE(m.of(m.waiting).nr_failed_migrations_hot, 1U);
        QCOMPARE(m.of(m.running).nr_failed_migrations_running, 1U);
        QCOMPARE(m.pass(cpu1, 0, IdleKind::idle), 0);
        QCOMPARE(m.pass(cpu1, 0, IdleKind::idle), 1);
        QCOMPARE(m.counted(IdleKind::idle), QStringLiteral("3 0 2 3 1 1 0 0"));
        QCOMPARE(m.of(m.waiting).nr_failed_migrations_hot, 2U);
        QCOMPARE(m.of(m.waiting).nr_forced_migrations, 1U);
    }

    /// The running task stays out of the question, the other one is not allowed: neither failed nor nothing found.
    void pinnedTask() {
        TwoCpus m;
        m.st.masks.push_back(1); // CPU 0
        m.st.task(m.running).affinity = m.st.task(m.waiting).affinity = MaskId{1};
        QCOMPARE(m.pass(cpu1, 0, IdleKind::idle), 0);
        QCOMPARE(m.counted(IdleKind::idle), QStringLiteral("1 1 0 1 0 0 0 0"));
        QCOMPARE(m.of(m.waiting).nr_failed_migrations_affine, 1U);
        QCOMPARE(m.of(m.running).nr_failed_migrations_affine, 1U);
    }

    /// Active balance counts at the domain of the CPU it pushes to, and its task as gained by an idle CPU.
    void push() {
        TwoCpus m(false);
        const TaskId task = m.on(cpu0);
        m.st.rq(cpu0).push_cpu = cpu1;
        m.st.rq(cpu0).curr = TaskId::none(); // the stopper runs
        QVERIFY(push_running(m.st, m.domains, cpu0, m, m.recorder));
        QCOMPARE(m.domain_counts().alb_count, 1U);
        QCOMPARE(m.domain_counts().alb_pushed, 1U);
        QCOMPARE(m.domain_counts().alb_failed, 0U);
        QCOMPARE(m.counted(IdleKind::idle), QStringLiteral("0 0 0 0 1 0 0 0"));
        QCOMPARE(m.st.task(task).cpu, cpu1);
    }

    void pushOfAPinnedTask() {
        TwoCpus m(false);
        const TaskId task = m.on(cpu0);
        m.st.masks.push_back(1);
        m.st.task(task).affinity = MaskId{1};
        m.st.rq(cpu0).push_cpu = cpu1;
        m.st.rq(cpu0).curr = TaskId::none();
        QVERIFY(!push_running(m.st, m.domains, cpu0, m, m.recorder));
        QCOMPARE(m.domain_counts().alb_count, 1U);
        QCOMPARE(m.domain_counts().alb_failed, 1U);
    }
};

QTEST_APPLESS_MAIN(TestSchedstat)
#include "test_schedstat.moc"
