// SPDX-License-Identifier: GPL-3.0-or-later
// Who enqueues a woken task, and what others see meanwhile. HZ 250.
#include <QTest>

#include "core/engine/engine.hpp"
#include "core/engine/invariants.hpp"
#include "core/placement/queue_wakeup.hpp"
#include "core/state/idle.hpp"
#include "core/state/wake_list.hpp"
#include "tests/support/small_scenario.hpp"

namespace picknext {
namespace {

constexpr std::int64_t ms = 1'000'000;

/// The answers of the decision, and what the target looked like at the next decision after a remote one.
class Answers final : public Observer {
  public:
    void on_decision(const State& st, const DecisionHeader& h, std::span<const Check>) override {
        if (m_target) {
            pending_seen = pending_seen && st.rq(m_target).ttwu_pending != 0;
            idle_seen = idle_seen || idle_cpu(st, m_target);
            m_target = CpuId::none();
        }
        if (h.kind != Kind::queue_wakeup) return;
        (h.outcome >= 0 ? remote : local) += 1;
        last = h.reason;
        if (h.outcome >= 0) m_target = CpuId{h.outcome};
    }
    int remote = 0, local = 0;
    Reason last = Reason::none;
    bool pending_seen = true, idle_seen = false;

  private:
    CpuId m_target;
};

Scenario two_llcs(Kernel kernel) {
    MachineCounts counts;
    counts.llcs = 2;
    counts.cores = 2;
    return test::scenario_of(kernel, build_machine(counts).value(), {test::sleeper("a", ms, ms), test::sleeper("b", ms, ms)});
}

struct Question {
    Kernel kernel = Kernel::eevdf_6_12;
    bool feature = true;
    int waker = 0, target = 1;
    std::uint32_t running = 0; // on the target
};
placement::QueueWakeup ask(const Question& q) {
    const Scenario s = two_llcs(q.kernel); // CPUs 0,1 share a cache, 2,3 another
    State st = initial_state(s);
    st.settings.set(Feature::ttwu_queue, q.feature);
    st.rq(CpuId{q.target}).nr_running = q.running;
    const Domains domains = build_domains(s.machine, s.machine.online(), q.kernel);
    Evidence<NullSink> why;
    return placement::queue_wakeup(st, st.settings, domains, TaskId{0}, CpuId{q.waker}, CpuId{q.target}, why);
}

class TestWakeList final : public QObject {
    Q_OBJECT

  private Q_SLOTS:
    void whoEnqueues() {
        const auto is = [](const Question& q, bool remote, Reason reason) {
            const placement::QueueWakeup answer = ask(q);
            return answer.remote == remote && answer.reason == reason;
        };
        QVERIFY(is({}, true, Reason::queue_wakeup_idle_target));
        QVERIFY(is({.running = 1}, false, Reason::queue_wakeup_busy_target));
        QVERIFY(is({.target = 0}, false, Reason::queue_wakeup_same_cpu));
        QVERIFY(is({.target = 2, .running = 3}, true, Reason::queue_wakeup_other_cache));
        QVERIFY(is({.feature = false, .target = 2}, false, Reason::queue_wakeup_off));
        // Before 6.0 an idle target that shares the cache made no difference, another cache did.
        QVERIFY(is({.kernel = Kernel::cfs_5_12}, false, Reason::queue_wakeup_shares_cache));
        QVERIFY(is({.kernel = Kernel::cfs_5_12, .target = 3}, true, Reason::queue_wakeup_other_cache));
    }

    void firstComeFirstEnqueued() { // multi-cpu 21.8: the list alone makes the CPU not idle
        State st = initial_state(two_llcs(Kernel::eevdf_6_12));
        const CpuId cpu{1};
        QVERIFY(idle_cpu(st, cpu));
        wake_list_push(st, cpu, TaskId{1}, true);
        QCOMPARE(st.rq(cpu).ttwu_pending, std::uint8_t{1});
        QCOMPARE(st.rq(cpu).nr_running, 0U);
        QVERIFY(!idle_cpu(st, cpu));
        wake_list_push(st, cpu, TaskId{0}, false);
        QCOMPARE(wake_list_pop(st, cpu), TaskId{1});
        QCOMPARE(wake_list_pop(st, cpu), TaskId{0});
        QVERIFY(!wake_list_pop(st, cpu));
        QVERIFY(!st.rq(cpu).wake_last);
        QCOMPARE(st.task(TaskId{1}).wake_migrated, 1U);
    }

    void theTargetEnqueuesWithinTheSameInstant_data() {
        QTest::addColumn<bool>("feature");
        QTest::newRow("on") << true;
        QTest::newRow("off") << false;
    }
    void theTargetEnqueuesWithinTheSameInstant() {
        QFETCH(bool, feature);
        // "w" on CPU 0 posts at 1 ms; "r" waits on CPU 1, idle then: the list takes it, and it runs at that very instant.
        Scenario s = test::scenario_of(Kernel::eevdf_6_12, test::flat_machine(2), {test::sleeper("w", ms, 50 * ms), test::sleeper("r", ms, ms)});
        s.settings.set(Feature::ttwu_queue, feature);
        s.workload.resources = {{.name = "s", .kind = ResourceKind::sem, .initial = 0, .shared = true}};
        Op post, wait;
        post.kind = OpKind::sem_post;
        wait.kind = OpKind::sem_wait;
        post.resource = wait.resource = 0;
        std::vector<Op>& writer = s.workload.tasks[0].phases[0].ops;
        std::vector<Op>& reader = s.workload.tasks[1].phases[0].ops;
        writer = {writer[0], post, writer[0], writer[1]};
        reader = {wait, reader[0]};
        s.workload.tasks[0].affinity.add(CpuId{0});
        s.workload.tasks[1].affinity.add(CpuId{1});
        Engine engine(test::shared(s));
        Answers answers;
        FullSink sink{&answers};
        while (engine.next_event_time() <= ms && engine.step(sink)) QCOMPARE(broken_invariant(engine.state()), std::string());
        QCOMPARE(answers.remote, feature ? 1 : 0);
        QCOMPARE(answers.local, feature ? 0 : 1);
        QVERIFY(answers.pending_seen && !answers.idle_seen);
        QCOMPARE(engine.state().now, ms);
        QCOMPARE(engine.state().rq(CpuId{1}).curr, TaskId{1});
        QCOMPARE(engine.state().rq(CpuId{1}).ttwu_pending, std::uint8_t{0});
        // It went idle at 0 and learns of 1 ms: the average of 1 ms stays.
        QCOMPARE(engine.state().rq(CpuId{1}).avg_idle, std::uint64_t{1'000'000});
    }
};

} // namespace
} // namespace picknext

using picknext::TestWakeList;
QTEST_APPLESS_MAIN(TestWakeList)
#include "test_wake_list.moc"
