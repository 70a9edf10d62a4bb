// SPDX-License-Identifier: GPL-3.0-or-later
// The single decisions of a balance pass, in the order it makes them.
#include <algorithm>

#include "core/balance/loads.hpp"
#include "core/balance/pass.hpp"
#include "core/state/idle.hpp"
#include "core/state/throttled.hpp"

namespace picknext::balance {
namespace {

std::int64_t number(std::uint64_t v) { return static_cast<std::int64_t>(v); }

/// Bits shifted out leave nothing, however far (fn: shr_bound).
std::uint64_t shifted(std::uint64_t value, std::uint32_t bits) { return bits >= 64 ? 0 : value >> bits; }

const SchedGroup& local_group(const Domains& domains, const Env& env) { return domains.group_at(domains.domain(env.domain), 0); }

/// fn: task_hot, without the NUMA balancing that is not modelled.
template <DecisionSink S>
bool is_cache_hot(const State& st, const Settings& settings, const Domain& domain, const Env& env, TaskId id, Evidence<S>& why) {
    const Task& task = st.task(id);
    if (task.policy == Policy::idle || domain.has(sd::share_cpucapacity)) return false;
    const Entity& entity = st.entity(id);
    if (settings.on(Feature::cache_hot_buddy) && st.rq(env.dst_cpu).nr_running != 0 && entity.queue) {
        const Queue& queue = st.queue(entity.queue);
        const bool buddy = queue.next == task.entity || (!settings.eevdf() && queue.last == task.entity);
        if (buddy) return why.template check<Chk::task_cache_hot>(id, Nanos{0}, Nanos{settings[Tunable::migration_cost]}, true);
    }
    const std::int64_t cost = settings[Tunable::migration_cost];
    const std::int64_t since = st.rq(env.src_cpu).clock - entity.exec_start;
    return why.template check<Chk::task_cache_hot>(id, Nanos{since}, Nanos{cost}, cost == -1 || (cost != 0 && since < cost));
}

} // namespace

template <DecisionSink S>
YesNo should_we_balance(const State& st, const Settings& settings, const Domains& domains, const Env& env, Evidence<S>& why) {
    const Domain& domain = domains.domain(env.domain);
    if (!why.template check<Chk::dst_considered>(env.dst_cpu, env.cpus.has(env.dst_cpu), true, env.cpus.has(env.dst_cpu)))
        return {false, Reason::balance_left_out};
    if (env.idle == IdleKind::newly_idle) {
        const Rq& rq = st.rq(env.dst_cpu);
        const bool idle = settings.kernel < Kernel::cfs_6_1 || (rq.nr_running == 0 && rq.ttwu_pending == 0);
        const bool still = why.template check<Chk::newidle_still_idle>(env.dst_cpu, rq.nr_running, 0, idle);
        return {still, still ? Reason::balance_newidle : Reason::balance_not_idle_any_more};
    }
    const SchedGroup& group = local_group(domains, env);
    const bool whole_cores = settings.patch(Patch::whole_core_balance) == 1 && !domain.has(sd::share_cpucapacity);
    CpuSet candidates = group.balance_mask;
    CpuId chosen, second_best;
    for_each_cpu(candidates, [&](CpuId c) {
        if (!env.cpus.has(c)) return true;
        if (!why.template check<Chk::cpu_is_idle>(c, st.rq(c).nr_running, 0, idle_cpu(st, c))) return true;
        if (whole_cores) {
            const bool core = is_core_idle(st, domains.siblings(c), c);
            if (!why.template check<Chk::core_is_idle>(c, core, true, core)) {
                if (!second_best) second_best = c;
                for_each_cpu(domains.siblings(c), [&](CpuId s) { candidates.remove(s); });
                return true;
            }
        }
        chosen = c;
        return false;
    });
    if (!chosen) chosen = second_best ? second_best : group.balance_cpu;
    const bool mine = why.template decide<Chk::balances_group>(env.dst_cpu, chosen, env.dst_cpu, chosen == env.dst_cpu);
    return {mine, mine ? Reason::balance_chosen : Reason::balance_other};
}

template <DecisionSink S>
Source find_busiest_queue(const State& st, const Settings& settings, const Domains& domains, const Env& env, const SchedGroup& group,
                          Evidence<S>& why) {
    const Domain& domain = domains.domain(env.domain);
    const bool skips_empty = settings.kernel >= Kernel::cfs_5_12;
    Source out;
    std::uint64_t best = 0;          // of the measure the migration goes by
    std::int64_t best_capacity = 1;  // load is compared per capacity
    const auto busier = [&](CpuId c, std::uint64_t measure, std::uint64_t than, Reason reason) {
        if (!why.template check<Chk::queue_busier>(c, number(measure), number(than), measure > than)) return false;
        out = {c, reason};
        return true;
    };
    for_each_cpu(group.span, [&](CpuId c) {
        if (!env.cpus.has(c)) return;
        const std::uint32_t running = st.root_queue(c).h_nr_queued;
        if (skips_empty && running == 0) return;
        const std::int64_t capacity = st.rq(c).cpu_capacity;
        const std::int64_t here = st.rq(env.dst_cpu).cpu_capacity;
        const bool no_gain = skips_empty ? !capacity_greater(here, capacity) : here < capacity;
        if (domain.has(sd::asym_cpucapacity) && no_gain && running == 1) return;
        if (domain.has(sd::asym_packing) && running == 1 && domains.priority[c.index()] > domains.priority[env.dst_cpu.index()]) return;
        switch (env.imbalance.migration) {
        case Migration::load: {
            const std::uint64_t load = cpu_load(st, c);
            if (running == 1 && load > static_cast<std::uint64_t>(env.imbalance.amount) && !capacity_reduced(st, c, domain.imbalance_pct)) return;
            if (busier(c, load * static_cast<std::uint64_t>(best_capacity), best * static_cast<std::uint64_t>(capacity), Reason::queue_load)) {
                best = load;
                best_capacity = capacity;
            }
            break;
        }
        case Migration::util: {
            if (running <= 1) return;
            std::uint64_t util = cpu_util(st, settings, c);
            if (settings.kernel >= Kernel::eevdf_6_6)
                util = std::min(std::max(util, cpu_runnable(st, c)), static_cast<std::uint64_t>(st.rq(c).capacity));
            if (busier(c, util, best, Reason::queue_util)) best = util;
            break;
        }
        case Migration::task:
            if (busier(c, running, best, Reason::queue_tasks)) best = running;
            break;
        case Migration::misfit:
            if (busier(c, st.rq(c).misfit_task_load, best, Reason::queue_misfit)) best = st.rq(c).misfit_task_load;
            break;
        }
    });
    return out;
}

template <DecisionSink S>
DetachVerdict may_detach(const State& st, const Settings& settings, const Domains& domains, const Env& env, TaskId id, Evidence<S>& why) {
    const Domain& domain = domains.domain(env.domain);
    const DomainState& dynamic = st.domains[env.domain.index()];
    const CpuSetView affinity = st.mask(st.task(id).affinity);
    DetachVerdict out;
    if (st.bandwidth_used()) {
        const bool throttled = throttled_pair(st, id, env.src_cpu, env.dst_cpu);
        if (why.template check<Chk::group_throttled>(id, throttled, true, throttled)) {
            out.reason = Reason::detach_throttled;
            why.mark_last();
            return out;
        }
    }
    out.allowed = why.template check<Chk::task_allowed>(id, contains(affinity, env.dst_cpu), true, contains(affinity, env.dst_cpu));
    if (!out.allowed) {
        out.reason = Reason::detach_affinity;
        why.mark_last();
        if (env.idle == IdleKind::newly_idle || env.dst_pinned || env.active) return out;
        for_each_cpu(local_group(domains, env).balance_mask, [&](CpuId c) {
            if (!env.cpus.has(c) || !contains(affinity, c)) return true;
            out.other_dst = c;
            return false;
        });
        return out;
    }
    const auto stays = [&](Reason reason) {
        why.mark_last();
        out.reason = reason;
        return out;
    };
    const bool running = st.rq(env.src_cpu).curr == id && !env.active;
    if (why.template check<Chk::task_running>(id, running, true, running)) return stays(Reason::detach_running);
    const bool hot = !env.active && is_cache_hot(st, settings, domain, env, id, why);
    if (hot && !why.template check<Chk::failures_override>(id, dynamic.nr_balance_failed, domain.cache_nice_tries,
                                                    dynamic.nr_balance_failed > static_cast<std::uint32_t>(domain.cache_nice_tries)))
        return stays(Reason::detach_hot);
    out.forced = hot;
    out.moves = true;
    out.reason = Reason::detach_moved;
    if (env.active) return out;
    const auto too_large = [&](std::uint64_t amount, std::uint32_t shift) {
        const std::uint64_t seen = shifted(amount, shift);
        const bool large = why.template check<Chk::amount_too_large>(id, number(seen), env.imbalance.amount,
                                                                     seen > static_cast<std::uint64_t>(env.imbalance.amount));
        out.moves = !large;
        if (large) out.reason = Reason::detach_large;
        out.amount = number(amount);
    };
    switch (env.imbalance.migration) {
    case Migration::load: {
        const std::uint64_t load = std::max<std::uint64_t>(task_h_load(st, id), 1);
        too_large(load, dynamic.nr_balance_failed);
        if (settings.on(Feature::lb_min) && load < 16 && dynamic.nr_balance_failed == 0) {
            out.moves = false;
            out.reason = Reason::detach_large;
        }
        break;
    }
    case Migration::util:
        too_large(task_util_est(st, settings, id), settings.patch(Patch::util_detach_shift) == 1 ? dynamic.nr_balance_failed : 0);
        break;
    case Migration::task:
        out.amount = 1;
        break;
    case Migration::misfit:
        if (fits_capacity(task_util_est(st, settings, id), st.rq(env.src_cpu).cpu_capacity)) {
            out.moves = false;
            out.reason = Reason::detach_fits;
        }
        out.amount = env.imbalance.amount;
        break;
    }
    why.mark_last();
    return out;
}

template <DecisionSink S>
YesNo need_active_balance(const State& st, const Settings& settings, const Domains& domains, const Env& env, Evidence<S>& why) {
    const Domain& domain = domains.domain(env.domain);
    const std::int64_t here = st.rq(env.dst_cpu).cpu_capacity, there = st.rq(env.src_cpu).cpu_capacity;
    if (env.idle != IdleKind::not_idle && domain.has(sd::asym_packing) &&
        domains.priority[env.dst_cpu.index()] > domains.priority[env.src_cpu.index()])
        return {true, Reason::active_asym};
    // 5.10 pushed for any kind of imbalance, and asked for the failures last.
    const bool any_kind = settings.kernel == Kernel::cfs_5_10;
    const std::uint32_t failed = st.domains[env.domain.index()].nr_balance_failed;
    const bool often = (any_kind || env.imbalance.migration == Migration::task) && failed > static_cast<std::uint32_t>(domain.cache_nice_tries) + 2;
    const auto too_often = [&] { return why.template check<Chk::failed_too_often>(env.src_cpu, failed, domain.cache_nice_tries + 2, often); };
    if (!any_kind && too_often()) return {true, Reason::active_failed};
    const bool reduced = env.idle != IdleKind::not_idle && st.root_queue(env.src_cpu).h_nr_queued == 1 &&
                         capacity_reduced(st, env.src_cpu, domain.imbalance_pct) && there * domain.imbalance_pct < here * 100;
    if (why.template check<Chk::capacity_worse>(env.src_cpu, there * domain.imbalance_pct, here * 100, reduced)) return {true, Reason::active_capacity};
    if (env.imbalance.migration == Migration::misfit) return {true, Reason::active_misfit};
    if (any_kind && too_often()) return {true, Reason::active_failed};
    return {false, Reason::active_no};
}

#define PICKNEXT_FOR_SINK(S)                                                                                                         \
    template YesNo should_we_balance(const State&, const Settings&, const Domains&, const Env&, Evidence<S>&);                       \
    template Source find_busiest_queue(const State&, const Settings&, const Domains&, const Env&, const SchedGroup&, Evidence<S>&);  \
    template DetachVerdict may_detach(const State&, const Settings&, const Domains&, const Env&, TaskId, Evidence<S>&);              \
    template YesNo need_active_balance(const State&, const Settings&, const Domains&, const Env&, Evidence<S>&);
PICKNEXT_FOR_EACH_SINK(PICKNEXT_FOR_SINK)
#undef PICKNEXT_FOR_SINK

} // namespace picknext::balance
