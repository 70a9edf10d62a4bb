// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/nohz/nohz.hpp"

#include <algorithm>

#include "core/balance/loads.hpp"
#include "core/state/idle.hpp"

namespace picknext::nohz {
namespace {

bool has_next_kick(const Settings& settings) { return settings.kernel >= Kernel::cfs_6_1; }
NohzStats stats_of(const Settings& settings) { return static_cast<NohzStats>(settings.patch(Patch::nohz_stats_decayed)); }

/// Thread 5: who knows whether anything is left to decay. The reconstructed cpumask variant asks the marks themselves.
std::int64_t blocked_marks(const State& st, const Settings& settings) {
    if (stats_of(settings) != NohzStats::cpumask) return st.nohz.has_blocked;
    std::int64_t marks = 0;
    for_each_cpu(st.nohz_idle_cpus, [&](CpuId c) { marks += st.rq(c).has_blocked_load; });
    return marks;
}

/// One decision of nohz_balancer_kick.
template <DecisionSink S>
struct Deciding {
    const State& st;
    const Settings& settings;
    const Domains& domains;
    CpuId cpu;
    Evidence<S>& why;
    const Rq& rq = st.rq(cpu);

    [[nodiscard]] bool stats_due() const {
        const std::int64_t now = st.jiffies();
        if (stats_of(settings) != NohzStats::never_stop) {
            const std::int64_t marks = blocked_marks(st, settings);
            if (!why.template check<Chk::has_blocked>(CpuId{}, marks, 1, marks > 0)) return false;
        }
        return why.template check<Chk::blocked_due>(CpuId{}, now, st.nohz.next_blocked, now > st.nohz.next_blocked);
    }

    /// The first reason to have work pulled away from here.
    [[nodiscard]] Reason work_to_share() const {
        const CpuDomains& own = domains.cpu(cpu);
        if (why.template check<Chk::several_tasks>(cpu, rq.nr_running, 2, rq.nr_running >= 2)) return Reason::kick_tasks;
        if (own.base && st.root_queue(cpu).h_nr_queued >= 1) {
            const int pct = domains.domain(own.base).imbalance_pct;
            if (why.template check<Chk::own_capacity_reduced>(cpu, rq.cpu_capacity * pct, rq.capacity * 100, balance::capacity_reduced(st, cpu, pct)))
                return Reason::kick_capacity;
        }
        if (own.sd_asym_packing && preferred_idle(domains.domain(own.sd_asym_packing))) return Reason::kick_preferred;
        if (own.sd_asym_cpucapacity) return misfit(domains.domain(own.sd_asym_cpucapacity)) ? Reason::kick_misfit : Reason::kick_not_needed;
        if (!own.shared) return Reason::kick_not_needed;
        const std::uint32_t busy = st.llc_shared[own.shared.index()].nr_busy_cpus + (rq.llc_nohz_idle != 0 ? 1 : 0);
        return why.template check<Chk::busy_in_llc>(cpu, busy, 1, busy > 1) ? Reason::kick_llc : Reason::kick_not_needed;
    }
    [[nodiscard]] bool preferred_idle(const Domain& domain) const {
        bool found = false;
        for_each_cpu(st.nohz_idle_cpus, [&](CpuId c) {
            if (c == cpu || !domain.span.has(c)) return true;
            const int theirs = domains.priority[c.index()], own = domains.priority[cpu.index()];
            return !(found = why.template check<Chk::preferred_idle>(c, theirs, own, theirs > own));
        });
        return found;
    }
    [[nodiscard]] bool misfit(const Domain& domain) const {
        const bool helpable = settings.kernel >= Kernel::eevdf_6_12 || rq.capacity < domains.max_capacity ||
                              balance::capacity_reduced(st, cpu, domain.imbalance_pct);
        return why.template check<Chk::has_misfit>(cpu, static_cast<std::int64_t>(rq.misfit_task_load), 0, rq.misfit_task_load != 0 && helpable);
    }

    /// fn: kick_ilb.
    void choose(Kick& kick) const {
        CpuId ilb;
        for_each_cpu(st.nohz_idle_cpus, [&](CpuId c) {
            if (c == cpu || !why.template check<Chk::cpu_is_idle>(c, st.rq(c).nr_running, 0, idle_cpu(st, c))) return true;
            ilb = c;
            return false;
        });
        if (!ilb) {
            kick.reason = Reason::kick_found_none;
            return;
        }
        const std::uint8_t pending = st.rq(ilb).nohz_flags;
        const bool asked = settings.kernel >= Kernel::eevdf_6_12 && (pending & kick.flags) == kick.flags;
        if (why.template check<Chk::kick_pending>(ilb, pending, kick.flags, asked)) {
            kick.reason = Reason::kick_pending;
            return;
        }
        kick.ilb = ilb;
        kick.ipi = (pending & kick_mask) == 0;
    }
};

} // namespace

void enter_idle(State& st, const Domains& domains, CpuId cpu) {
    Rq& rq = st.rq(cpu);
    if (rq.online == 0) return;
    rq.has_blocked_load = 1;
    if (rq.nohz_tick_stopped == 0) {
        const CpuDomains& own = domains.cpu(cpu);
        if (!own.base) return;
        rq.nohz_tick_stopped = 1;
        set_bit(st.nohz_idle_cpus, cpu);
        ++st.nohz.nr_cpus;
        if (own.shared && rq.llc_nohz_idle == 0) {
            rq.llc_nohz_idle = 1;
            --st.llc_shared[own.shared.index()].nr_busy_cpus;
        }
        if (has_next_kick(st.settings)) st.nohz.needs_update = 1;
    }
    // Every idle CPU may carry load of sleepers; the one that refreshes clears this if nothing is left.
    st.nohz.has_blocked = 1;
}

void exit_idle(State& st, const Domains& domains, CpuId cpu) {
    Rq& rq = st.rq(cpu);
    if (rq.nohz_tick_stopped == 0) return;
    rq.nohz_tick_stopped = 0;
    clear_bit(st.nohz_idle_cpus, cpu);
    --st.nohz.nr_cpus;
    if (rq.llc_nohz_idle == 0) return;
    rq.llc_nohz_idle = 0;
    ++st.llc_shared[domains.cpu(cpu).shared.index()].nr_busy_cpus;
}

template <DecisionSink S>
Kick decide_kick(const State& st, const Settings& settings, const Domains& domains, CpuId cpu, Evidence<S>& why) {
    Kick kick;
    const Rq& rq = st.rq(cpu);
    const auto answer = [&](Reason reason) {
        why.mark_last();
        kick.reason = reason;
        return kick;
    };
    if (why.template check<Chk::tick_was_idle>(cpu, rq.idle_balance != 0, true, rq.idle_balance != 0)) return answer(Reason::kick_was_idle);
    const std::int64_t others = std::int64_t{st.nohz.nr_cpus} - rq.nohz_tick_stopped;
    if (!why.template check<Chk::nohz_cpus>(cpu, others, 0, others > 0)) return answer(Reason::kick_nobody);

    const Deciding<S> deciding{st, settings, domains, cpu, why};
    const std::int64_t now = st.jiffies();
    if (deciding.stats_due()) kick.flags = stats_kick;
    kick.reason = kick.flags != 0 ? Reason::kick_stats : Reason::kick_not_needed;
    if (why.template check<Chk::nohz_balance_due>(cpu, now, st.nohz.next_balance, now >= st.nohz.next_balance)) {
        const Reason share = deciding.work_to_share();
        if (share != Reason::kick_not_needed) {
            kick.flags = balance_kick | stats_kick;
            kick.reason = share;
        }
    }
    if (has_next_kick(settings) && st.nohz.needs_update != 0) {
        if (kick.flags == 0) kick.reason = Reason::kick_next;
        kick.flags |= next_kick;
    }
    why.mark_last();
    if (kick.flags != 0) deciding.choose(kick);
    return kick;
}

void apply_kick(State& st, const Domains& domains, CpuId cpu, const Kick& kick) {
    if (st.rq(cpu).idle_balance == 0) exit_idle(st, domains, cpu);
    if ((kick.flags & balance_kick) != 0) st.nohz.next_balance = st.jiffies() + 1;
    if (kick.ilb) st.rq(kick.ilb).nohz_flags |= kick.flags;
}

std::uint8_t take_flags(State& st, CpuId cpu) {
    Rq& rq = st.rq(cpu);
    const std::uint8_t flags = rq.nohz_flags & (kick_mask | newidle_kick);
    rq.nohz_flags = 0;
    rq.idle_balance = idle_cpu(st, cpu) ? 1 : 0;
    return rq.idle_balance != 0 && rq.need_resched == 0 ? flags : std::uint8_t{0};
}

void newidle_step(State& st, CpuId cpu) {
    Rq& rq = st.rq(cpu);
    if (rq.avg_idle < static_cast<std::uint64_t>(st.settings[Tunable::migration_cost])) return;
    const bool blocked = stats_of(st.settings) == NohzStats::never_stop || blocked_marks(st, st.settings) > 0;
    if (blocked && st.jiffies() >= st.nohz.next_blocked) rq.nohz_flags |= newidle_kick;
}

bool idle_loop_entry(State& st, CpuId cpu) {
    Rq& rq = st.rq(cpu);
    const std::uint8_t flags = rq.nohz_flags;
    rq.nohz_flags = flags & static_cast<std::uint8_t>(~newidle_kick);
    return flags == newidle_kick && rq.need_resched == 0;
}

#define PICKNEXT_FOR_SINK(S) template Kick decide_kick(const State&, const Settings&, const Domains&, CpuId, Evidence<S>&);
PICKNEXT_FOR_EACH_SINK(PICKNEXT_FOR_SINK)
#undef PICKNEXT_FOR_SINK

} // namespace picknext::nohz
