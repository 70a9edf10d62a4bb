// SPDX-License-Identifier: GPL-3.0-or-later
// What holds on any machine under any workload, kernel, patch and feature: no task is lost, hints are stale only the way
// the kernel lets them be, and whatever idleness is wasted is found and named. Usage: picknext_property_machine [seeds [seed]]
#include <algorithm>
#include <array>
#include <cstdlib>
#include <map>
#include <string>
#include <utility>

#include <fmt/format.h>

#include "core/engine/engine.hpp"
#include "core/engine/invariants.hpp"
#include "core/engine/plan.hpp"
#include "core/state/idle.hpp"
#include "core/state/throttled.hpp"
#include "core/watch/watch.hpp"
#include "tests/property/random_topology.hpp"
#include "tests/support/random_scenario.hpp"

namespace picknext::testing {
namespace {

/// How much was looked at, and what was wasted, over all seeds.
struct Tally {
    std::uint64_t events = 0, wakeups = 0, core_scans_failed = 0, lag_sums = 0;
    std::int64_t simulated_ns = 0, lost_ns = 0;
    std::map<watch::Cause, watch::CauseTotal> causes;
    watch::Interval longest; // of all intervals, and where it was
    std::uint64_t longest_seed = 0;
};

/// Looks at a run decision by decision and after each event.
class Checker final : public Observer {
  public:
    Checker(const Scenario& scenario, Tally& tally)
        : m_scenario(scenario), m_in_force(scenario.machine, scenario.settings.kernel), m_tally(tally),
          m_watch(scenario, {.on_interval = [&](const watch::Interval& i) {
              if (i.end - i.begin <= tally.longest.end - tally.longest.begin) return;
              tally.longest = i;
              tally.longest_seed = scenario.seed;
          }}) {}

    void on_decision(const State& before, const DecisionHeader& header, std::span<const Check> checks) override {
        meet(before);
        m_watch.on_decision(before, header, checks);
        check_cleared(before);
        if (header.kind == Kind::place) {
            if (header.reason != Reason::place_affinity) m_woken.push_back({TaskId{header.task}, header.outcome});
            remember_promises(before, header);
        }
        if (header.kind == Kind::enqueue)
            std::erase_if(m_woken, [&](const Woken& w) { return w.task.value == header.task && w.cpu == static_cast<std::int32_t>(header.cpu); });
        if (header.kind == Kind::tick) m_ticked = CpuId{static_cast<std::size_t>(header.cpu)};
        if (header.kind == Kind::schedule && m_ticked && m_ticked.index() == header.cpu) m_ticked = CpuId::none(); // it may have idled since
    }

    /// The first rule the event broke, or nothing.
    std::string after_event(const State& st) {
        meet(st);
        m_watch.after_event(st);
        check_cleared(st);
        std::erase_if(m_woken, [&](const Woken& w) { return st.rq(CpuId{w.cpu}).ttwu_pending != 0 && st.rq(CpuId{w.cpu}).arrival != 0; }); // on its wake list
        if (m_broken.empty() && !m_woken.empty())
            m_broken = fmt::format("task {} was woken for CPU {}, but not queued there", m_woken.front().task, m_woken.front().cpu);
        if (m_broken.empty()) m_broken = broken_invariant(st);
        if (m_broken.empty()) m_broken = broken_machine_invariant(st, *m_domains);
        if (m_broken.empty()) check_idle_cores(st);
        if (m_broken.empty()) check_tick(st);
        if (m_broken.empty()) check_watch(st);
        m_woken.clear();
        m_ticked = CpuId::none();
        ++m_tally.events;
        return m_broken;
    }

    std::string finish(const State& st) {
        m_watch.finish(st);
        std::int64_t sum = 0;
        for (const auto& [cause, total] : m_watch.conservation().by_cause()) {
            watch::CauseTotal& all = m_tally.causes[cause];
            all.ns += total.ns;
            all.stretches += total.stretches;
            all.longest = std::max(all.longest, total.longest);
            sum += total.ns;
        }
        m_tally.lost_ns += m_watch.conservation().lost_ns();
        m_tally.simulated_ns += st.now;
        m_tally.wakeups += st.wakeups;
        const watch::LagSum& lag = m_watch.worst_lag_sum();
        m_tally.lag_sums += lag.cpu.valid() ? 1 : 0;
        if (lag.sum > 0 || (lag.sum < 0 && -lag.sum >= static_cast<std::int64_t>(lag.weight)))
            return fmt::format("lags on CPU {} sum to {} with weight {}", lag.cpu, lag.sum, lag.weight);
        if (sum != m_watch.conservation().lost_ns()) return fmt::format("causes sum to {} ns of {} lost", sum, m_watch.conservation().lost_ns());
        return {};
    }

  private:
    struct Woken {
        TaskId task;
        std::int32_t cpu;
    };

    // --- has_idle_cores: may promise what is gone, may not deny what was promised unless a search failed to find it ---

    /// Where CPUs went or came the hints begin anew, and so does what is known of them.
    void meet(const State& st) {
        const Domains* const now = &m_in_force.at(st);
        if (std::exchange(m_domains, now) == now) return;
        m_promised.clear();
        m_denied.clear();
        m_was_idle.clear();
    }
    [[nodiscard]] bool core_idle(const State& st, CpuId cpu) const {
        bool idle = true;
        for_each_cpu(m_domains->siblings(cpu), [&](CpuId s) { return idle = idle_cpu(st, s); });
        return idle;
    }
    [[nodiscard]] bool promises(const State& st, std::size_t llc) const { return st.llc_shared[llc].has_idle_cores != 0; }

    /// A placement may clear flags; which idle cores could it have used?
    void remember_promises(const State& st, const DecisionHeader& header) {
        m_promised.assign(st.llc_shared.size(), 0);
        m_usable.assign(st.llc_shared.size(), 0);
        const CpuSetView affinity = st.mask(st.task(TaskId{header.task}).affinity);
        const bool masked = st.settings.idle_mask() != IdleMask::off;
        for (std::size_t l = 0; l < st.llc_shared.size(); ++l) {
            m_promised[l] = promises(st, l) ? 1 : 0;
            for_each_cpu(m_domains->llcs[l], [&](CpuId c) {
                const bool candidate = contains(affinity, c) && (!masked || contains(st.llc_idle_cpus, c));
                if (candidate && core_idle(st, c)) m_usable[l] = 1;
            });
        }
    }
    void check_cleared(const State& st) {
        // At the commit of thread 1 a failed search clears the flag of the waker's LLC, whatever that has.
        const bool of_waker = st.settings.kernel == Kernel::cfs_5_12 && st.settings.patch(Patch::select_idle_smt) == 0;
        for (std::size_t l = 0; l < m_promised.size(); ++l) {
            if (m_promised[l] == 0 || promises(st, l)) continue;
            ++m_tally.core_scans_failed;
            m_denied.resize(m_promised.size(), 0);
            m_denied[l] = 1;
            if (m_usable[l] != 0 && !of_waker && m_broken.empty()) m_broken = fmt::format("LLC {}: has_idle_cores was cleared beside an idle core", l);
        }
        m_promised.clear();
    }
    /// A core that became idle in this event is promised, unless the promise was taken back in it.
    void check_idle_cores(const State& st) {
        if (!m_domains->smt_present) return;
        const bool first = m_was_idle.empty();
        m_was_idle.resize(st.cpu_count(), 0);
        m_denied.resize(st.llc_shared.size(), 0);
        for_each_cpu(m_domains->online, [&](CpuId c) {
            const bool idle = core_idle(st, c), became = idle && m_was_idle[c.index()] == 0;
            m_was_idle[c.index()] = idle ? 1 : 0;
            const LlcSharedId llc = m_domains->cpu(c).shared;
            if (first || !became || !llc || promises(st, llc.index()) || m_denied[llc.index()] != 0 || !m_broken.empty()) return;
            m_broken = fmt::format("CPU {}: its core became idle, but has_idle_cores of LLC {} is 0", c, llc);
        });
        std::fill(m_denied.begin(), m_denied.end(), 0);
    }

    // --- a tick that found the CPU busy took its bits back ---

    void check_tick(const State& st) {
        if (!m_ticked || !st.rq(m_ticked).curr || st.rq(m_ticked).idle_balance != 0) return;
        const auto gone = [&](const std::vector<std::uint64_t>& mask, const char* what) {
            if (contains(mask, m_ticked)) m_broken = fmt::format("CPU {}: busy at its tick, but in {}", m_ticked, what);
        };
        if (m_domains->cpu(m_ticked).base) gone(st.nohz_idle_cpus, "the nohz mask");
        const IdleMask mask = st.settings.idle_mask();
        const bool by_state = mask == IdleMask::v5 || mask == IdleMask::v6 || mask == IdleMask::v11;
        if (by_state && m_domains->cpu(m_ticked).shared && !runs_idle_policy(st)) gone(st.llc_idle_cpus, "the idle mask");
    }
    /// Tasks of idle policy alone leave the bit set; so may whoever changed policy since.
    [[nodiscard]] bool runs_idle_policy(const State& st) const { return st.root_queue(m_ticked).h_nr_idle != 0; }

    // --- the watch against a search of everything ---

    void check_watch(const State& st) {
        if (m_tally.events % 8 != 0) return;
        bool wasted = false;
        for (std::size_t t = 0; t < st.tasks.size() && !wasted; ++t) {
            const Task& task = st.tasks[t];
            if (task.state != TaskState::runnable || task.on_rq == 0 || st.rq(task.cpu).curr == TaskId{t}) continue; // on_rq 0: on a wake list
            for_each_cpu(st.mask(task.affinity), [&](CpuId c) {
                return !(wasted = st.rq(c).online != 0 && idle_cpu(st, c) && !throttled_pair(st, TaskId{t}, task.cpu, c));
            });
        }
        const int open = m_watch.conservation().open();
        if (wasted != (open != 0)) m_broken = fmt::format("an idle CPU could run a waiting task: {}, but the watch has {} pairs", wasted, open);
    }

    const Scenario& m_scenario;
    engine::DomainsInForce m_in_force;
    const Domains* m_domains = nullptr; // of the state at hand
    Tally& m_tally;
    watch::Watch m_watch;
    std::vector<Woken> m_woken;
    std::vector<std::uint8_t> m_promised, m_usable, m_denied; // by LLC
    std::vector<std::uint8_t> m_was_idle;                     // by CPU: its core
    CpuId m_ticked;
    std::string m_broken;
};

std::string try_scenario(const Scenario& scenario, Tally& tally) {
    Engine engine(std::make_shared<const Scenario>(scenario));
    Checker checker(scenario, tally);
    HeaderSink sink{&checker};
    while (engine.next_event_time() <= *scenario.until_ns && engine.step(sink))
        if (std::string broken = checker.after_event(engine.state()); !broken.empty())
            return fmt::format("event {} at {} ns: {}", engine.state().event, engine.state().now, broken);
    engine.run({.time = *scenario.until_ns}, sink);
    return checker.finish(engine.state());
}

void print(const Tally& tally) {
    fmt::print("{} events, {} wakeups, {} failed core searches, {} runs with lag sums\n", tally.events, tally.wakeups, tally.core_scans_failed, tally.lag_sums);
    fmt::print("{} ms simulated, {} ms of CPU time idle while a task waited that might have run there:\n", tally.simulated_ns / 1'000'000,
               tally.lost_ns / 1'000'000);
    for (const auto& [cause, total] : tally.causes)
        fmt::print("  {:<26}{:>10} us in {:>6} stretches, longest {:>8} us\n", watch::name_of(cause), total.ns / 1000, total.stretches, total.longest / 1000);
    const watch::Interval& i = tally.longest;
    fmt::print("The longest: seed {}, CPU {} idle from {} to {} us beside task {} on CPU {}, {}\n", tally.longest_seed, i.idle, i.begin / 1000, i.end / 1000,
               i.task, i.queue, watch::name_of(i.cause));
}

int run(std::uint64_t first, std::uint64_t last) {
    Tally tally;
    for (std::uint64_t seed = first; seed <= last; ++seed) {
        Scenario scenario = test::random_scenario(seed);
        test::put_on_machine(scenario, random_topology(seed), seed);
        // Rebuilt domains begin with a full mask, of which the postings' last written states know nothing.
        if (scenario.settings.idle_mask() != IdleMask::off) std::erase_if(scenario.edits, [](const Edit& e) { return e.kind != EditKind::affinity; });
        const std::string wrong = try_scenario(scenario, tally);
        if (wrong.empty()) continue;
        fmt::print(stderr, "{}\n  {}\n", test::describe(seed, scenario), wrong);
        return 1;
    }
    print(tally);
    return tally.lost_ns == 0 || tally.core_scans_failed == 0; // looked at nothing
}

} // namespace
} // namespace picknext::testing

int main(int argc, char** argv) {
    const std::uint64_t seeds = argc > 1 ? std::strtoull(argv[1], nullptr, 10) : 200;
    const std::uint64_t only = argc > 2 ? std::strtoull(argv[2], nullptr, 10) : 0;
    return picknext::testing::run(only != 0 ? only : 1, only != 0 ? only : seeds);
}
