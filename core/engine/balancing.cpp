// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/engine/balancing.hpp"

#include <algorithm>

#include "core/balance/intervals.hpp"
#include "core/balance/misfit.hpp"
#include "core/balance/newidle.hpp"
#include "core/base/rng.hpp"
#include "core/engine/schedstat.hpp"
#include "core/pelt/pelt.hpp"
#include "core/placement/idle_sibling.hpp"
#include "core/state/idle.hpp"

namespace picknext::engine {
namespace {

constexpr std::uint64_t least_idle_cost = 500'000; // ns: sysctl_sched_migration_cost as max_idle_balance_cost begins
constexpr std::uint64_t newidle_stream = 0x6e657769646c65; // of random draws

} // namespace

template <DecisionSink S>
std::int64_t Balancer<S>::interval(DomainId domain, bool busy) const {
    const Domain& d = domains.domain(domain);
    return balance::balance_interval(st.domains[domain.index()].balance_interval, d.busy_factor, busy, st.settings[Tunable::hz], domains.online.size());
}

// ---- moving

template <DecisionSink S>
void Balancer<S>::detach(TaskId task, CpuId from) {
    if (st.task(task).state == TaskState::runnable) end_wait(st, task);
    detach_queued_task(m_context, task);
    m_touched.push_back(from);
}
template <DecisionSink S>
void Balancer<S>::attach(TaskId task, CpuId to) {
    ++st.task(task).migrations;
    st.accounts.count(Tally::migrations);
    attach_queued_task(m_context, task, to);
    m_touched.push_back(to);
}
template <DecisionSink S>
void Balancer<S>::start_active_balance(CpuId source) { m_pushes.push_back(source); }

template <DecisionSink S>
void Balancer<S>::push(CpuId cpu) { balance::push_running(st, domains, cpu, *this, m_rec); }

// ---- passes

template <DecisionSink S>
auto Balancer<S>::pass(DomainId domain, CpuId cpu, balance::IdleKind idle, bool& go_on) -> Searched {
    const balance::PassResult result = balance::balance_pass(st, domains, domain, cpu, idle, domains.online, *this, m_rec);
    go_on = go_on && result.continue_balancing;
    return {result.moved, m_charging.balanced(m_payer ? m_payer : cpu, result)};
}

/// Costs of newidle searches are forgotten by about 1 % a second (fn: update_newidle_cost).
template <DecisionSink S>
bool Balancer<S>::decay_cost(DomainId domain) {
    DomainState& d = st.domains[domain.index()];
    if (st.jiffies() <= d.last_decay + st.settings[Tunable::hz]) return false;
    d.max_newidle_lb_cost = d.max_newidle_lb_cost * 253 / 256;
    d.last_decay = st.jiffies();
    return true;
}

/// fn: rebalance_domains.
template <DecisionSink S>
void Balancer<S>::rebalance_domains(CpuId cpu, balance::IdleKind idle) {
    const std::int64_t now = st.jiffies();
    bool busy = idle != balance::IdleKind::idle && !sched_idle_cpu(st, cpu);
    bool go_on = true, decayed = false, collected = false;
    std::int64_t next = now + 60 * st.settings[Tunable::hz];
    std::uint64_t cost = 0;
    for (DomainId d = domains.cpu(cpu).base; d; d = domains.domain(d).parent) {
        decayed = decay_cost(d);
        cost += st.domains[d.index()].max_newidle_lb_cost;
        if (!go_on) {
            if (decayed) continue;
            break;
        }
        std::int64_t wait = interval(d, busy);
        if (now >= st.domains[d.index()].last_balance + wait) {
            if (pass(d, cpu, idle, go_on).moved > 0) {
                idle = idle_cpu(st, cpu) ? balance::IdleKind::idle : balance::IdleKind::not_idle;
                busy = idle != balance::IdleKind::idle && !sched_idle_cpu(st, cpu);
            }
            st.domains[d.index()].last_balance = now;
            wait = interval(d, busy);
        }
        if (st.domains[d.index()].last_balance + wait < next) {
            next = st.domains[d.index()].last_balance + wait;
            collected = true;
        }
    }
    if (decayed) st.rq(cpu).max_idle_balance_cost = std::max(least_idle_cost, cost);
    if (collected) st.rq(cpu).next_balance = next;
}

template <DecisionSink S>
bool Balancer<S>::refresh_blocked(CpuId cpu) {
    update_rq_clock(st, cpu, st.now);
    st.rq(cpu).last_blocked_update = st.jiffies();
    return pelt::update_blocked(st, cpu);
}

template <DecisionSink S>
void Balancer<S>::rebalance(CpuId cpu) {
    update_rq_clock(st, cpu, st.now);
    rebalance_domains(cpu, balance::IdleKind::idle);
}

template <DecisionSink S>
void Balancer<S>::runs(CpuId cpu) {
    Rq& rq = st.rq(cpu);
    rq.misfit_task_load = balance::misfit_load(st, domains, cpu, rq.curr);
}

// ---- the tick

template <DecisionSink S>
void Balancer<S>::tick(CpuId cpu) {
    if (!domains.cpu(cpu).base) return;
    Rq& rq = st.rq(cpu);
    if (rq.curr) runs(cpu);
    rq.idle_balance = idle_cpu(st, cpu) ? 1 : 0;
    write_mask(cpu, placement::MaskHook::tick);
    const nohz::Kick kick = nohz::decide_kick(st, st.settings, domains, cpu, m_rec.open());
    if (kick.reason == Reason::kick_was_idle || kick.reason == Reason::kick_nobody) m_rec.drop();
    else m_rec.announce(st, make_header(Kind::nohz_kick, kick.reason, cpu, rq.curr, kick.ilb.value));
    if (rq.idle_balance == 0 && rq.nohz_tick_stopped != 0) m_charging.nohz_left(cpu);
    nohz::apply_kick(st, domains, cpu, kick);
    if (st.jiffies() >= rq.next_balance) {
        refresh_blocked(cpu);
        rebalance_domains(cpu, rq.idle_balance != 0 ? balance::IdleKind::idle : balance::IdleKind::not_idle);
    }
    if (kick.flags != 0) st.accounts.count(Tally::kicks);
    if (kick.flags == nohz::stats_kick) st.accounts.count(Tally::stats_kicks);
    if (!kick.ipi) return;
    if (m_charging.on()) m_charging.notify(cpu, kick.ilb, false);
    else kicked(kick.ilb);
}

template <DecisionSink S>
void Balancer<S>::kicked(CpuId cpu) {
    if ((st.rq(cpu).nohz_flags & nohz::kick_mask) == 0) return;
    if (const std::uint8_t flags = nohz::take_flags(st, cpu)) look_after(cpu, flags, Reason::run_kicked);
}

template <DecisionSink S>
void Balancer<S>::look_after(CpuId cpu, std::uint8_t flags, Reason reason) {
    m_payer = cpu;
    const nohz::Round round = nohz::idle_balance(st, domains, cpu, flags, reason, *this, m_rec);
    m_payer = {};
    m_charging.nohz_round(cpu, round.refreshed, round.skipped);
}

// ---- going idle

template <DecisionSink S>
void Balancer<S>::pull_forward(CpuId cpu, DomainId domain) {
    const std::int64_t next = st.domains[domain.index()].last_balance + interval(domain, false);
    st.rq(cpu).next_balance = std::min(st.rq(cpu).next_balance, next);
}

/// One domain, maybe only now and then (NI_RANDOM: by how often it helped).
template <DecisionSink S>
auto Balancer<S>::newidle_pass(DomainId domain, CpuId cpu, bool& go_on) -> Searched {
    DomainState& d = st.domains[domain.index()];
    const bool random = st.settings.on(Feature::ni_random);
    std::uint32_t weight = 1;
    const auto learn = [&](std::uint32_t success) {
        ++d.newidle_call;
        d.newidle_success += success;
        if (d.newidle_call < 1024) return;
        d.newidle_ratio = d.newidle_success;
        d.newidle_call /= 2;
        d.newidle_success /= 2;
    };
    if (random) {
        const std::uint32_t chance = 1 + d.newidle_ratio;
        if (random_below(st.seed, newidle_stream + domain.index(), st.event, 1024) > chance) {
            learn(0);
            return {};
        }
        weight = (1024 + chance / 2) / chance;
    }
    const Searched searched = pass(domain, cpu, balance::IdleKind::newly_idle, go_on);
    if (random) learn(searched.moved > 0 ? weight : 0);
    if (static_cast<std::uint64_t>(searched.ns) > d.max_newidle_lb_cost) {
        d.max_newidle_lb_cost = static_cast<std::uint64_t>(searched.ns);
        if (st.settings.kernel >= Kernel::cfs_6_1) d.last_decay = st.jiffies();
    }
    return searched;
}

template <DecisionSink S>
int Balancer<S>::search_domains(CpuId cpu) {
    Rq& rq = st.rq(cpu);
    const bool until_declined = st.settings.kernel >= Kernel::eevdf_6_12;
    std::uint64_t cost = 0;
    bool go_on = true;
    int pulled = 0;
    refresh_blocked(cpu);
    for (DomainId d = domains.cpu(cpu).base; d; d = domains.domain(d).parent) {
        pull_forward(cpu, d);
        if (rq.avg_idle < cost + st.domains[d.index()].max_newidle_lb_cost) break;
        if (domains.domain(d).has(sd::balance_newidle)) {
            const Searched searched = newidle_pass(d, cpu, go_on);
            pulled = searched.moved;
            cost += static_cast<std::uint64_t>(searched.ns);
        }
        if (pulled > 0 || (until_declined ? !go_on : rq.nr_running > 0 || rq.ttwu_pending != 0)) break;
    }
    rq.max_idle_balance_cost = std::max(rq.max_idle_balance_cost, cost);
    return pulled;
}

template <DecisionSink S>
bool Balancer<S>::pull_before_idle(CpuId cpu) {
    Rq& rq = st.rq(cpu);
    rq.misfit_task_load = 0;
    const DomainId base = domains.cpu(cpu).base;
    if (!base || rq.online == 0) return false;
    const Reason verdict = balance::newidle_verdict(st, st.settings, domains, cpu, m_rec.open());
    m_rec.announce(st, make_header(Kind::newidle, verdict, cpu, rq.curr, verdict == Reason::newidle_go ? 1 : 0));
    if (verdict == Reason::newidle_pending) return false;
    rq.idle_stamp = std::max<std::int64_t>(rq.clock, 1); // the search counts as idle time; 0 would mean not idle
    int pulled = 0;
    if (verdict == Reason::newidle_go) pulled = search_domains(cpu);
    else pull_forward(cpu, base);
    if (rq.nr_running > 0 && pulled == 0) pulled = 1; // somebody else put a task here
    if (pulled > 0) rq.idle_stamp = 0;
    else nohz::newidle_step(st, cpu);
    return pulled > 0;
}

template <DecisionSink S>
void Balancer<S>::going_idle(CpuId cpu) {
    write_mask(cpu, placement::MaskHook::switching_to_idle);
    const LlcSharedId own = domains.cpu(cpu).shared;
    if (!domains.smt_present || !own) return;
    Evidence<S>& why = m_rec.open();
    const bool known = st.llc_shared[own.index()].has_idle_cores != 0;
    why.template check<Chk::idle_cores_known>(domains.cpu(cpu).llc_id, st.llc_shared[own.index()].has_idle_cores, 1, known);
    const bool set = placement::core_becomes_idle(st, domains, cpu).valid();
    if (!known) why.template decide<Chk::core_is_idle>(cpu, set, true, set);
    const Reason reason = known ? Reason::idle_cores_kept : set ? Reason::idle_cores_set : Reason::idle_cores_busy;
    m_rec.announce(st, make_header(Kind::idle_cores, reason, cpu, st.rq(cpu).curr, set ? 1 : 0));
    if (set) st.llc_shared[own.index()].has_idle_cores = 1;
}

// ---- the idle loop

template <DecisionSink S>
void Balancer<S>::enter_idle_loop(CpuId cpu) {
    if (nohz::idle_loop_entry(st, cpu)) look_after(cpu, nohz::stats_kick, Reason::run_newidle);
}

template <DecisionSink S>
bool Balancer<S>::stops_tick(CpuId cpu) const {
    switch (static_cast<NohzTick>(st.settings.patch(Patch::nohz_tick))) {
    case NohzTick::never: return false;
    case NohzTick::always: return true;
    case NohzTick::predicted:
        if (m_charging.on()) return m_charging.predicted_idle(cpu, false) >= st.settings.tick_ns();
        return st.rq(cpu).avg_idle >= static_cast<std::uint64_t>(st.settings.tick_ns());
    }
    return true;
}

template <DecisionSink S>
void Balancer<S>::idle_pass(CpuId cpu, bool tick_stops) {
    const bool stops_now = tick_stops && st.rq(cpu).tick_stopped == 0;
    const bool enters = stops_now && st.rq(cpu).nohz_tick_stopped == 0;
    write_mask(cpu, placement::MaskHook::idle_loop, {.tick_stops = tick_stops, .enters_nohz = enters});
    if (!stops_now) return;
    nohz::enter_idle(st, domains, cpu);
    m_charging.nohz_entered(cpu, enters);
}

template <DecisionSink S>
void Balancer<S>::write_mask(CpuId cpu, placement::MaskHook hook, placement::IdlePass pass, CpuId by) {
    if (st.settings.idle_mask() == IdleMask::off) return;
    const placement::MaskWrite write = placement::decide_mask(st, st.settings, domains, cpu, hook, pass, m_rec.open());
    if (!write.asked) {
        m_rec.drop();
        return;
    }
    m_rec.announce(st, make_header(Kind::mask, write.reason, cpu, st.rq(cpu).curr, write.bit));
    placement::apply(st, cpu, write);
    m_charging.mask_written(by ? by : cpu, cpu);
}

template class Balancer<NullSink>;
template class Balancer<CountSink>;
template class Balancer<HeaderSink>;
template class Balancer<FullSink>;

} // namespace picknext::engine
