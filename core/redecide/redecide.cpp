// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/redecide/redecide.hpp"

#include <algorithm>

#include "core/balance/pass.hpp"
#include "core/fair/pick.hpp"
#include "core/nohz/nohz.hpp"
#include "core/placement/select_cpu.hpp"

namespace picknext {
namespace {

using Why = Evidence<FullSink>;

Redecided answer(std::int64_t outcome, Reason reason, const Why& why) {
    Redecided out;
    out.outcome = static_cast<std::int32_t>(std::clamp<std::int64_t>(outcome, INT32_MIN, INT32_MAX));
    out.reason = reason;
    out.checks.assign(why.checks().begin(), why.checks().end());
    return out;
}

/// The settings are those of the state.
struct Deciding {
    const State& st;
    const DecisionHeader& header;
    const Machine& machine;
    const Domains& domains;

    [[nodiscard]] CpuId cpu() const { return CpuId{header.cpu}; }

    [[nodiscard]] std::optional<Redecided> run() const {
        switch (header.kind) {
        case Kind::pick: return pick();
        case Kind::place: return place();
        case Kind::balance:
        case Kind::busiest:
        case Kind::imbalance:
        case Kind::queue: return pass_step();
        case Kind::nohz_kick: return kick();
        default: return std::nullopt;
        }
    }

    /// The queue is the root one, or, further down, the one its winner is on.
    [[nodiscard]] std::optional<Redecided> pick() const {
        const EntityId winner{header.outcome};
        if (!winner && header.level != 0) return std::nullopt;
        const Queue& queue = header.level == 0 ? st.root_queue(cpu()) : st.queue(st.entity(winner).queue);
        Why why;
        const fair::Pick pick = header.site == Site::preempt ? fair::pick_for_preemption(st, queue, why) : fair::pick_next(st, queue, why);
        const bool delayed = header.site == Site::schedule && pick.entity && st.entity(pick.entity).sched_delayed != 0;
        if (delayed) why.decide<Chk::delayed_picked>(pick.entity, true, true, true);
        Redecided out = answer(pick.entity.value, delayed ? Reason::pick_delayed_finish : pick.reason, why);
        out.path = pick.path;
        return out;
    }

    [[nodiscard]] std::optional<Redecided> place() const {
        const TaskId task{header.task};
        const CpuId prev = st.task(task).cpu;
        Why why;
        if (st.task(task).on_rq != 0) {
            why.decide<Chk::delayed_in_place>(task, true, true, true);
            return answer(prev.value, Reason::place_in_place, why);
        }
        placement::Wake wake{.task = task, .prev = prev, .waker_cpu = cpu()};
        wake.sync = header.site == Site::sync_wakeup;
        wake.fork = header.site == Site::fork;
        const placement::Placement placed = placement::select_cpu(st, st.settings, domains, machine, wake, why);
        return answer(placed.cpu.value, placed.reason, why);
    }

    /// A step of a balance pass follows from the steps before it: which group, how much, which queue.
    [[nodiscard]] std::optional<Redecided> pass_step() const {
        if (header.site == Site::around_pinned) return std::nullopt;
        balance::Env env;
        env.domain = domains.cpu(cpu()).base;
        while (env.domain && domains.domain(env.domain).depth != header.level) env.domain = domains.domain(env.domain).parent;
        if (!env.domain) return std::nullopt;
        const Domain& domain = domains.domain(env.domain);
        env.this_cpu = env.dst_cpu = cpu();
        env.idle = header.site == Site::idle ? balance::IdleKind::idle : header.site == Site::not_idle ? balance::IdleKind::not_idle : balance::IdleKind::newly_idle;
        env.cpus = CpuSet(st.cpu_count());
        for_each_cpu(domain.span, [&](CpuId c) {
            if (st.rq(c).online != 0) env.cpus.add(c);
        });
        Why why;
        if (header.kind == Kind::balance) {
            const balance::YesNo verdict = balance::should_we_balance(st, st.settings, domains, env, why);
            return answer(verdict.yes, verdict.reason, why);
        }
        const balance::DomainStats stats = balance::gather_stats(st, st.settings, domains, domain, env.dst_cpu, env.idle, env.cpus);
        const balance::Busiest found = balance::find_busiest_group(stats.view, stats.groups, st.settings, why);
        const auto index = static_cast<std::size_t>(found.index);
        if (header.kind == Kind::busiest) return answer(found.relieve ? stats.groups[index].first_cpu.value : -1, found.reason, why);
        if (!found.relieve) return answer(header.kind == Kind::queue ? -1 : 0, header.kind == Kind::queue ? Reason::queue_none : Reason::imbalance_none, why);
        why.clear();
        env.imbalance = balance::calculate_imbalance(stats.view, stats.groups[0], stats.groups[index], found, st.settings, why);
        if (header.kind == Kind::imbalance) return answer(env.imbalance.amount, env.imbalance.reason, why);
        if (env.imbalance.amount == 0) return answer(-1, Reason::queue_none, why);
        why.clear();
        const balance::Source source = balance::find_busiest_queue(st, st.settings, domains, env, *stats.of[index], why);
        return answer(source.cpu.value, source.reason, why);
    }

    [[nodiscard]] std::optional<Redecided> kick() const {
        Why why;
        const nohz::Kick kick = nohz::decide_kick(st, st.settings, domains, cpu(), why);
        return answer(kick.ilb.value, kick.reason, why);
    }
};

/// The settings the state was made under must give back what was decided.
bool gives_itself_back(const Redecided& again, const DecisionHeader& header) {
    return again.outcome == header.outcome && again.reason == header.reason && (header.kind != Kind::pick || again.path == header.path);
}

} // namespace

std::optional<Redecided> redecide(const State& before, const DecisionHeader& header, const Settings& settings, const Machine& machine,
                                  const Domains& domains) {
    const Settings& own = before.settings;
    if (header.kind == Kind::pick && (own.tree_key() != settings.tree_key() || own.augment() != settings.augment() || own.eevdf() != settings.eevdf()))
        return std::nullopt;
    const std::optional<Redecided> same = Deciding{before, header, machine, domains}.run();
    if (!same || !gives_itself_back(*same, header)) return std::nullopt;
    State other = before;
    other.settings = settings;
    return Deciding{other, header, machine, domains}.run();
}

} // namespace picknext
