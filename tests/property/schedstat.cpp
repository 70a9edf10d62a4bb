// SPDX-License-Identifier: GPL-3.0-or-later
// Counters agree with what happened: recounted from the decisions of the run, and with each other.
#include <vector>

#include "core/engine/engine.hpp"
#include "tests/property/property.hpp"

namespace {

using namespace picknext;

/// What schedule, balance and placement decisions tell of a run.
class Recount final : public Observer {
  public:
    explicit Recount(std::size_t cpus) : ran(cpus), slices(cpus), m_since(cpus, -1) {}

    void on_decision(const State&, const DecisionHeader& h, std::span<const Check>) override {
        if (h.kind == Kind::balance && h.site != Site::around_pinned) ++passes;
        if (h.kind == Kind::place && h.site != Site::fork && h.reason != Reason::place_affinity) ++wakeups;
        if (h.kind == Kind::detach && h.outcome == 1) ++moved;
        if (h.kind != Kind::schedule || h.reason == Reason::schedule_same) return;
        close(h.cpu, h.at);
        if (h.reason == Reason::schedule_idle || h.reason == Reason::schedule_stopper) return;
        m_since[h.cpu] = h.at;
        ++slices[h.cpu];
    }
    std::vector<std::uint64_t> ran, slices; // by CPU; closed times
    std::uint64_t wakeups = 0, moved = 0, passes = 0;

  private:
    void close(std::size_t cpu, std::int64_t now) {
        if (m_since[cpu] >= 0) ran[cpu] += static_cast<std::uint64_t>(now - m_since[cpu]);
        m_since[cpu] = -1;
    }
    std::vector<std::int64_t> m_since; // when the running task began, -1 idle
};

std::string disagreement(const State& st, const Recount& seen, std::uint64_t started) {
    std::uint64_t ttwu = 0, delay = 0, gained = 0;
    for (std::size_t c = 0; c < st.cpu_count(); ++c) {
        const Rq& rq = st.rqs[c];
        if (rq.busy_ns != seen.ran[c]) return fmt::format("CPU {}: ran {} ns, its switches say {}", c, rq.busy_ns, seen.ran[c]);
        if (rq.stat.pcount != seen.slices[c]) return fmt::format("CPU {}: {} timeslices, its switches say {}", c, rq.stat.pcount, seen.slices[c]);
        if (rq.stat.sched_goidle > rq.stat.sched_count || rq.stat.ttwu_local > rq.stat.ttwu_count) return fmt::format("CPU {}: a part exceeds the whole", c);
        ttwu += rq.stat.ttwu_count;
        delay += rq.stat.run_delay;
    }
    if (ttwu != seen.wakeups || ttwu + started != st.wakeups)
        return fmt::format("{} wakeups counted, {} placed, {} of the run with {} starts", ttwu, seen.wakeups, st.wakeups, started);
    std::uint64_t of_tasks = 0, waited = 0, migrated = 0, all_migrations = 0;
    for (const Task& t : st.tasks) {
        const TaskSchedstat& s = t.stat;
        if (s.nr_wakeups != s.nr_wakeups_local + s.nr_wakeups_remote || s.nr_wakeups_affine > s.nr_wakeups_affine_attempts ||
            s.nr_wakeups_migrate > s.nr_wakeups || s.nr_wakeups_sync > s.nr_wakeups)
            return fmt::format("a task's {} wakeups are {} local and {} remote", s.nr_wakeups, s.nr_wakeups_local, s.nr_wakeups_remote);
        of_tasks += s.nr_wakeups;
        waited += t.waited_ns;
        migrated += s.nr_wakeups_migrate;
        all_migrations += t.migrations;
    }
    if (of_tasks != ttwu) return fmt::format("tasks counted {} wakeups, CPUs {}", of_tasks, ttwu);
    if (waited != delay) return fmt::format("tasks waited {} ns, CPUs counted {}", waited, delay);
    std::uint64_t remote = 0, remote_by_cpu = 0;
    for (const Task& t : st.tasks) remote += t.stat.nr_wakeups_remote;
    for (const DomainState& d : st.domains) {
        remote_by_cpu += d.stat.ttwu_wake_remote;
        if (d.stat.alb_count != d.stat.alb_failed + d.stat.alb_pushed) return fmt::format("{} active balances", d.stat.alb_count);
        for (std::size_t k = 0; k < 3; ++k) {
            const BalanceSchedstat& s = d.stat.by_idle[k];
            gained += s.lb_gained;
            if (s.lb_balanced + s.lb_failed > s.lb_count || s.lb_nobusyg + s.lb_nobusyq > s.lb_balanced)
                return fmt::format("{} passes: {} balanced, {} failed", s.lb_count, s.lb_balanced, s.lb_failed);
        }
    }
    if (remote != remote_by_cpu) return fmt::format("{} remote wakeups of tasks, {} by CPUs", remote, remote_by_cpu);
    if (gained != seen.moved) return fmt::format("{} tasks gained, {} moved", gained, seen.moved);
    if (migrated + gained > all_migrations) return fmt::format("{} woken elsewhere and {} gained of {} migrations", migrated, gained, all_migrations);
    return {};
}

} // namespace

int main(int argc, char** argv) {
    return test::for_each_seed(argc, argv, 60, [](std::uint64_t, Scenario random) -> std::string {
        // Counters of domains begin anew when CPUs go and come.
        std::erase_if(random.edits, [](const Edit& e) { return e.kind != EditKind::affinity; });
        Recount seen(random.machine.cpu_count());
        HeaderSink sink{&seen};
        Engine engine(std::make_shared<const Scenario>(random));
        engine.run({.time = *random.until_ns}, sink);
        const State& st = engine.state();
        std::uint64_t started = 0, counted = 0;
        for (const Task& t : st.tasks) started += t.state != TaskState::waiting_to_start;
        for (const DomainState& d : st.domains)
            for (const BalanceSchedstat& s : d.stat.by_idle) counted += s.lb_count;
        if (counted != seen.passes) return fmt::format("{} passes counted, {} seen", counted, seen.passes);
        return disagreement(st, seen, started);
    });
}
