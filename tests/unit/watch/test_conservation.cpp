// SPDX-License-Identifier: GPL-3.0-or-later
// Idle CPUs while a task waits elsewhere, on machines set up by hand and with decisions told by hand: which pairs there
// are, how long they last, and what is named as the cause.
#include <QTest>

#include "core/watch/conservation.hpp"
#include "tests/support/many_cpus.hpp"

using namespace picknext;
using namespace picknext::watch;
using test::ManyCpus;

namespace {

constexpr CpuId cpu0{0}, cpu1{1}, cpu2{2}, cpu4{4};
constexpr std::int64_t ms = 1'000'000;

MachineCounts cores(int llcs, int each, int threads = 1) {
    MachineCounts n;
    n.llcs = llcs;
    n.cores = each;
    n.threads = threads;
    return n;
}

/// A machine and a watch over it that starts at 0.
struct Watched : ManyCpus {
    std::vector<Interval> found;
    Conservation watch{domains, [this](const Interval& i) { found.push_back(i); }};
    std::uint64_t at_event = 0;

    explicit Watched(const MachineCounts& counts, Kernel kernel = Kernel::eevdf_6_12) : ManyCpus(kernel, counts) { st.now = 0; }

    void tell(Kind kind, Reason reason, CpuId cpu, std::int32_t outcome, std::int32_t level = 0) {
        DecisionHeader header = make_header(kind, reason, cpu, TaskId::none(), outcome, level);
        header.event = at_event + 1; // of the event at work
        header.at = st.now;
        watch.note(header);
    }
    /// Ends the event in which all this happened, at this time.
    void event(std::int64_t at) {
        st.now = at;
        st.event = ++at_event;
        watch.after_event(st);
    }
    void end(std::int64_t at) {
        st.now = at;
        watch.finish(st);
    }
    TaskId queued(CpuId cpu) {
        tell(Kind::enqueue, Reason::enqueue_new, cpu, 0);
        return on(cpu);
    }
    void sleeps(TaskId task) {
        const CpuId cpu = st.task(task).cpu;
        detach(task, cpu);
        st.task(task).on_rq = 0;
        st.task(task).state = TaskState::sleeping;
        if (st.rq(cpu).curr == task) st.rq(cpu).curr = TaskId::none();
        tell(Kind::dequeue, Reason::dequeue_now, cpu, 1);
    }
    void moves(TaskId task, CpuId to) {
        const CpuId from = st.task(task).cpu;
        detach(task, from);
        attach(task, to);
        st.rq(to).curr = task;
        tell(Kind::dequeue, Reason::dequeue_moved, from, 1);
        tell(Kind::enqueue, Reason::enqueue_kept, to, 0);
    }
    void only_on(TaskId task, std::initializer_list<CpuId> cpus) {
        std::vector<std::uint64_t> row(st.mask_words, 0);
        for (const CpuId c : cpus) set_bit(row, c);
        st.task(task).affinity = MaskId{st.masks.size() / st.mask_words};
        st.masks.insert(st.masks.end(), row.begin(), row.end());
    }
    /// "idle task@queue begin-end cause", times in ms.
    [[nodiscard]] QString text() const {
        QStringList out;
        for (const Interval& i : found)
            out << QString::fromStdString(fmt::format("{} {}@{} {}-{} {}", i.idle, i.task, i.queue, i.begin / ms, i.end / ms, name_of(i.cause)));
        return out.join("; ");
    }
};

} // namespace

class TestConservation : public QObject {
    Q_OBJECT
  private slots:
    /// Two tasks on CPU 0 of two CPUs from 1 ms to 4 ms: CPU 1 could have run the second. Nobody was asked before a pass at
    /// 2 ms, which found the difference of idle CPUs too small: 1 ms for the one cause, 2 for the other.
    void one_pair() {
        Watched m(cores(1, 2));
        m.queued(cpu0);
        m.event(0);
        const TaskId waiting = m.queued(cpu0);
        m.event(1 * ms);
        QCOMPARE(m.watch.open(), 1);
        m.tell(Kind::balance, Reason::balance_chosen, cpu1, 1);
        m.tell(Kind::busiest, Reason::busiest_idle_close, cpu1, -1);
        m.event(2 * ms);
        m.moves(waiting, cpu1);
        m.event(4 * ms);
        QCOMPARE(m.text(), "1 1@0 1-4 busiest.idle_close");
        QCOMPARE(m.watch.lost_ns(), 3 * ms);
        QCOMPARE(m.watch.by_cause().size(), 2U);
        QCOMPARE(m.watch.by_cause().at({}).ns, 1 * ms);
        const CauseTotal close = m.watch.by_cause().at({Because::pass, Reason::busiest_idle_close});
        QCOMPARE(close.ns, 2 * ms);
        QCOMPARE(close.longest, 2 * ms);
        QCOMPARE(close.stretches, 1U);
    }

    /// Nothing waits: one task on each CPU, or a queue that was emptied; and a pair of no length is none.
    void no_pair() {
        Watched m(cores(1, 2));
        const TaskId first = m.queued(cpu0);
        m.event(0);
        const TaskId second = m.queued(cpu0);
        m.event(1 * ms);
        m.moves(second, cpu1); // at the same instant
        m.event(1 * ms);
        m.sleeps(first);
        m.event(2 * ms);
        m.end(9 * ms);
        QCOMPARE(m.text(), "");
        QCOMPARE(m.watch.lost_ns(), 0);
    }

    /// Three idle CPUs and two waiting tasks are two pairs: 2 * 5 ms lost. When one task goes the other keeps its CPU.
    void each_cpu_and_task_once() {
        Watched m(cores(1, 4));
        m.queued(cpu0);
        m.queued(cpu0);
        const TaskId last = m.queued(cpu0);
        m.event(0);
        QCOMPARE(m.watch.open(), 2);
        m.sleeps(last);
        m.event(5 * ms);
        QCOMPARE(m.watch.open(), 1);
        m.end(5 * ms);
        QCOMPARE(m.watch.lost_ns(), 10 * ms);
        QCOMPARE(m.found.size(), 2U);
        QVERIFY(m.found[0].idle != m.found[1].idle && m.found[0].task != m.found[1].task);
    }

    /// The task waits on when its CPU gets busy: another idle CPU takes its place in a new pair.
    void partner_is_replaced() {
        Watched m(cores(1, 3));
        m.queued(cpu0);
        m.queued(cpu0);
        m.event(0);
        m.queued(cpu1);
        m.event(2 * ms);
        m.end(5 * ms);
        QCOMPARE(m.text(), "1 1@0 0-2 none_due; 2 1@0 2-5 none_due");
    }

    void affinity() {
        Watched m(cores(1, 3));
        m.queued(cpu0);
        const TaskId bound = m.queued(cpu0);
        m.only_on(bound, {cpu0});
        m.event(0);
        QCOMPARE(m.watch.open(), 0);
        const TaskId half_bound = m.queued(cpu0);
        m.only_on(half_bound, {cpu0, cpu2});
        m.event(1 * ms);
        m.end(3 * ms);
        QCOMPARE(m.text(), "2 2@0 1-3 none_due");
    }

    /// A sleeper whose dequeue is delayed is queued, but it waits for nothing.
    void delayed_dequeue() {
        Watched m(cores(1, 2));
        m.queued(cpu0);
        const TaskId delayed = m.queued(cpu0);
        m.st.task(delayed).state = TaskState::sleeping;
        m.event(0);
        m.end(3 * ms);
        QCOMPARE(m.text(), "");
    }

    /// Two LLCs of four CPUs: the queue of CPU 4 is reached from CPU 0 at level 1, not at level 0 where CPU 0 finds nothing.
    void level_of_the_pass() {
        Watched m(cores(2, 4));
        QCOMPARE(shared_level(m.domains, cpu0, cpu1), 0);
        QCOMPARE(shared_level(m.domains, cpu0, cpu4), 1);
        for (std::size_t c = 1; c < 8; ++c) m.queued(CpuId{c});
        m.queued(cpu4);
        m.event(0);
        m.tell(Kind::balance, Reason::balance_chosen, cpu0, 1, 0);
        m.tell(Kind::busiest, Reason::busiest_none, cpu0, -1, 0);
        m.event(1 * ms);
        m.tell(Kind::balance, Reason::balance_other, cpu0, 0, 0); // ends the search at every level
        m.event(2 * ms);
        m.tell(Kind::balance, Reason::balance_chosen, cpu0, 1, 1);
        m.tell(Kind::busiest, Reason::busiest_load, cpu0, 4, 1);
        m.tell(Kind::imbalance, Reason::imbalance_tasks, cpu0, 1, 1);
        m.tell(Kind::queue, Reason::queue_tasks, cpu0, 4, 1);
        m.tell(Kind::detach, Reason::detach_hot, cpu0, 0, 1);
        m.tell(Kind::active, Reason::active_no, cpu0, 0, 1); // says less than the task did
        m.event(5 * ms);
        m.end(9 * ms);
        QCOMPARE(m.watch.by_cause().at({}).ns, 2 * ms);
        QCOMPARE(m.watch.by_cause().at({Because::pass, Reason::balance_other}).ns, 3 * ms);
        QCOMPARE(m.watch.by_cause().at({Because::pass, Reason::detach_hot}).ns, 4 * ms);
        QCOMPARE(m.text(), "0 7@4 0-9 detach.hot");
    }

    /// Thread 2: utilisation is to be moved, and the task's is more.
    void utilisation_too_small() {
        Watched m(cores(1, 2));
        m.queued(cpu0);
        m.queued(cpu0);
        m.tell(Kind::newidle, Reason::newidle_go, cpu1, 1);
        m.tell(Kind::imbalance, Reason::imbalance_util, cpu1, 964);
        m.tell(Kind::queue, Reason::queue_util, cpu1, 0);
        m.tell(Kind::detach, Reason::detach_large, cpu1, 0);
        m.tell(Kind::active, Reason::active_no, cpu1, 0);
        m.event(0);
        m.end(1 * ms);
        QCOMPARE(m.text(), "1 1@0 0-1 detach.large_util");
    }

    /// Thread 3's draft: the wakeup saw no bit of CPU 1, so the task stayed on CPU 0. With the bit it is the scan's own reason.
    void bit_missing() {
        for (const bool bit : {false, true}) {
            Watched m(cores(1, 2), Kernel::cfs_5_10);
            m.st.settings.set(Patch::idle_mask, static_cast<int>(IdleMask::draft));
            m.st.llc_idle_cpus.assign(1, bit ? 0b10U : 0U);
            m.queued(cpu0);
            m.event(0);
            m.tell(Kind::place, Reason::place_no_idle, cpu0, 0);
            m.queued(cpu0);
            m.event(1 * ms);
            m.end(2 * ms);
            QCOMPARE(m.text(), bit ? "1 1@0 1-2 place.no_idle" : "1 1@0 1-2 mask.bit_missing");
        }
    }

    /// CPU 1 goes idle beside a crowded CPU 0 and does not look; what was decided in an earlier idle time does not count.
    void newidle() {
        Watched m(cores(1, 2));
        m.queued(cpu0);
        m.queued(cpu0);
        const TaskId other = m.queued(cpu1);
        m.event(0);
        m.tell(Kind::newidle, Reason::newidle_too_short, cpu1, 0);
        m.sleeps(other);
        m.event(3 * ms);
        m.end(4 * ms);
        QCOMPARE(m.text(), "1 1@0 3-4 newidle.too_short");

        Watched later(cores(1, 2));
        later.tell(Kind::newidle, Reason::newidle_too_short, cpu1, 0);
        later.queued(cpu0);
        later.queued(cpu0);
        const TaskId between = later.queued(cpu1);
        later.event(0);
        later.sleeps(between);
        later.event(3 * ms);
        later.end(4 * ms);
        QCOMPARE(later.text(), "1 1@0 3-4 none_due");
    }

    /// It looked in its core and stopped: the domain of the other core was not reached.
    void no_pass() {
        Watched m(cores(1, 2, 2)); // threads last: CPU 0's sibling is CPU 2
        m.queued(cpu0);
        m.queued(cpu0);
        m.queued(CpuId{2});
        m.queued(CpuId{3});
        m.tell(Kind::newidle, Reason::newidle_go, cpu1, 1);
        m.event(0);
        m.end(1 * ms);
        QCOMPARE(shared_level(m.domains, cpu1, cpu0), 1);
        QCOMPARE(m.text(), "1 1@0 0-1 newidle.no_pass");
    }
};

QTEST_APPLESS_MAIN(TestConservation)
#include "test_conservation.moc"
