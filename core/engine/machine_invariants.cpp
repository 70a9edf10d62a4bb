// SPDX-License-Identifier: GPL-3.0-or-later
// What must hold between the events of a run on a machine of several CPUs.
#include <algorithm>
#include <vector>

#include <fmt/format.h>

#include "core/engine/invariants.hpp"
#include "core/state/idle.hpp"

namespace picknext {
namespace {

class Inspector {
  public:
    Inspector(const State& st, const Domains& domains)
        : m_st(st), m_domains(domains), m_ticks(st.cpu_count(), 0), m_run_ends(st.cpu_count(), 0), m_timers(st.tasks.size(), 0), m_queued(st.cpu_count(), 0) {
        for (const Event& e : st.events) note(e);
        for (const Task& t : st.tasks)
            if (t.on_rq != 0) ++m_queued[t.cpu.index()];
    }

    std::string run() {
        for (std::size_t c = 0; c < m_st.cpu_count() && m_broken.empty(); ++c) {
            check_list(CpuId{c});
            check_cpu(CpuId{c});
            check_nohz(CpuId{c});
            check_idle_mask(CpuId{c});
        }
        for (std::size_t t = 0; t < m_st.tasks.size() && m_broken.empty(); ++t) check_sleeper(TaskId{t});
        const auto members = static_cast<std::uint32_t>(count(m_st.nohz_idle_cpus));
        expect(m_st.nohz.nr_cpus == members, "nohz.nr_cpus is {}, counted {}", m_st.nohz.nr_cpus, members);
        for (std::size_t l = 0; l < m_st.llc_shared.size() && m_broken.empty(); ++l) check_llc(LlcSharedId{l});
        return m_broken;
    }

  private:
    template <class... Args>
    void expect(bool holds, fmt::format_string<Args...> format, Args&&... args) {
        if (!holds && m_broken.empty()) m_broken = fmt::format(format, std::forward<Args>(args)...);
    }

    /// Counts what is still going to happen to whom.
    void note(const Event& e) {
        const auto subject = static_cast<std::size_t>(e.subject);
        m_goes_on = m_goes_on || e.kind != EventKind::tick;
        if (e.kind == EventKind::tick && m_st.rqs[subject].tick_generation == e.generation) ++m_ticks[subject];
        if (e.kind == EventKind::run_end && m_st.rqs[subject].run_generation == e.generation) ++m_run_ends[subject];
        if (e.kind == EventKind::timer && m_st.tasks[subject].activation == e.generation) ++m_timers[subject];
    }

    /// The list that balancing walks holds every queued task once, those of throttled groups too.
    void check_list(CpuId cpu) {
        std::uint32_t length = 0;
        TaskId before;
        const std::uint32_t queued = m_queued[cpu.index()];
        for (TaskId t = m_st.rq(cpu).list_first; t && length <= queued; t = m_st.task(t).list_next, ++length) {
            const Task& task = m_st.task(t);
            expect(task.on_rq != 0 && task.cpu == cpu && task.list_previous == before, "CPU {}: lists task {} with on_rq {}, CPU {}, after {} not {}",
                   cpu, t, task.on_rq, task.cpu, task.list_previous, before);
            before = t;
        }
        expect(length == queued && m_st.rq(cpu).list_last == before, "CPU {}: {} tasks listed up to {}, {} queued, the last {}", cpu, length, before,
               queued, m_st.rq(cpu).list_last);
    }

    /// Idle exactly with an empty queue; nothing that was asked for is left undone; whoever works will be interrupted.
    void check_cpu(CpuId cpu) {
        const Rq& rq = m_st.rq(cpu);
        const bool told = rq.arrival != 0 && rq.arrival >= m_st.now; // an IPI is on its way
        expect(rq.curr.valid() == (rq.nr_running != 0) || (told && !rq.curr), "CPU {}: runs task {} with {} tasks queued", cpu, rq.curr, rq.nr_running);
        expect(rq.online != 0 || !rq.curr, "CPU {}: offline, but runs task {}", cpu, rq.curr);
        expect(rq.active_balance == 0 && (told || (rq.need_resched == 0 && rq.ttwu_pending == 0)),
               "CPU {}: need_resched {}, active_balance {}, ttwu_pending {} between events", cpu, rq.need_resched, rq.active_balance, rq.ttwu_pending);
        const int ticks = m_ticks[cpu.index()];
        expect(ticks == (rq.tick_stopped == 0 ? 1 : 0), "CPU {}: tick_stopped {}, but {} ticks planned", cpu, rq.tick_stopped, ticks);
        expect(!rq.curr || rq.tick_stopped == 0, "CPU {}: runs task {} without a tick", cpu, rq.curr);
        const int ends = m_run_ends[cpu.index()];
        expect(ends == (rq.curr ? 1 : 0), "CPU {}: runs task {}, but {} ends of its work are planned", cpu, rq.curr, ends);
    }

    /// A sleeper on time is woken.
    void check_sleeper(TaskId id) {
        const Task& task = m_st.task(id);
        if (task.state == TaskState::sleeping && task.doing == Doing::resting)
            expect(m_timers[id.index()] == 1, "task {}: sleeps until {} with {} timers", id, task.until, m_timers[id.index()]);
    }

    /// The bit stays until the first tick that finds the CPU busy, so a busy CPU that has it has a tick (above).
    void check_nohz(CpuId cpu) {
        const Rq& rq = m_st.rq(cpu);
        const bool bit = contains(m_st.nohz_idle_cpus, cpu);
        expect(bit == (rq.nohz_tick_stopped != 0), "CPU {}: nohz mask bit {}, nohz_tick_stopped {}", cpu, bit, rq.nohz_tick_stopped);
        expect(!bit || rq.online != 0, "CPU {}: offline, but in the nohz mask", cpu);
        const bool in_llc = m_domains.cpu(cpu).shared.valid();
        // Domains that hotplug rebuilt count all their CPUs as busy until each has idled anew.
        expect(rq.llc_nohz_idle == 0 || (bit && in_llc), "CPU {}: counted out of its LLC {}, nohz mask bit {}", cpu, rq.llc_nohz_idle, bit);
        const bool has_domains = m_domains.cpu(cpu).base.valid();
        const bool without_tick = rq.online != 0 && has_domains && rq.tick_stopped != 0;
        expect(bit || !without_tick || !m_goes_on, "CPU {}: without a tick, but not in the nohz mask", cpu);
    }

    void check_llc(LlcSharedId llc) {
        std::uint32_t busy = 0;
        for_each_cpu(m_domains.llcs[llc.index()], [&](CpuId c) { busy += m_st.rq(c).llc_nohz_idle == 0 ? 1 : 0; });
        const std::uint32_t stored = m_st.llc_shared[llc.index()].nr_busy_cpus;
        expect(stored == busy, "LLC {}: nr_busy_cpus is {}, counted {}", llc, stored, busy);
    }

    /// What each posting of thread 3 promises of an idle CPU's bit. Bits of busy CPUs are late by design.
    void check_idle_mask(CpuId cpu) {
        if (!m_domains.cpu(cpu).shared) return;
        const Rq& rq = m_st.rq(cpu);
        const bool bit = contains(m_st.llc_idle_cpus, cpu), idle = idle_cpu(m_st, cpu);
        const bool ticks_stop = m_st.settings.patch(Patch::nohz_tick) != static_cast<int>(NohzTick::never);
        const auto holds = [&](bool right, std::string_view rule) {
            expect(right, "CPU {}: idle mask bit {}, idle {}, nohz_tick_stopped {}, tick_stopped {}, last state {}: {}", cpu, bit, idle, rq.nohz_tick_stopped,
                   rq.tick_stopped, rq.idle_mask_state, rule);
        };
        switch (m_st.settings.idle_mask()) {
        case IdleMask::off:
        case IdleMask::draft: break; // it loses bits for good
        case IdleMask::v1: holds(bit == (rq.nohz_tick_stopped != 0), "follows the nohz mask"); break;
        case IdleMask::v2: holds(ticks_stop ? bit == (rq.nohz_tick_stopped != 0) : bit, "follows the nohz mask, full where no tick stops"); break;
        case IdleMask::draft_fixed: holds(bit || !idle, "set at each switch to idle"); break;
        case IdleMask::v3: holds((bit || !idle) && (bit || rq.idle_mask_state == 0), "set at each switch to idle"); break;
        case IdleMask::v5: holds((bit || !idle || rq.tick_stopped == 0) && bit == (rq.idle_mask_state != 0), "set when idle without a tick"); break;
        case IdleMask::v6:
        case IdleMask::v11: holds((bit || !idle) && bit == (rq.idle_mask_state != 0), "set in the idle loop"); break;
        }
    }

    const State& m_st;
    const Domains& m_domains;
    std::vector<int> m_ticks, m_run_ends; // by CPU
    std::vector<int> m_timers;            // by task
    std::vector<std::uint32_t> m_queued;  // tasks, by CPU
    bool m_goes_on = false;               // something but ticks is to happen: where nothing is, ticks just end
    std::string m_broken;
};

} // namespace

std::string broken_machine_invariant(const State& st, const Domains& domains) { return Inspector(st, domains).run(); }

} // namespace picknext
