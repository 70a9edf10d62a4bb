// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/placement/slow_path.hpp"

#include <cstdlib>

#include "core/balance/group.hpp"
#include "core/balance/loads.hpp"
#include "core/state/idle.hpp"

namespace picknext::placement {
namespace {

using balance::GroupStats;
using balance::GroupType;

template <DecisionSink S>
class Descent {
  public:
    Descent(const State& state, const Settings& set, const Domains& doms, const Wake& w, Evidence<S>& e)
        : st(state), settings(set), domains(doms), wake(w), why(e), allowed(st.mask(st.task(w.task).affinity)),
          flag(w.exec ? sd::balance_exec : sd::balance_fork), m_cpu(w.waker_cpu) {}

    Placement run(DomainId start) {
        if (!meets(domains.domain(start).span)) return {wake.prev, Reason::place_slow_stay, 0};
        for (DomainId d = start; d;) d = narrow(domains.domain(d));
        out.cpu = m_cpu;
        return out;
    }

  private:
    /// One domain: moves to a CPU of its idlest group, or not. The domain to look at next.
    DomainId narrow(const Domain& domain) {
        if (!why.template check<Chk::domain_balances>(m_cpu, domain.has(flag), true, domain.has(flag))) return domain.child;
        const SchedGroup* group = idlest_group(domain);
        if (group == nullptr) return domain.child;
        const CpuId cpu = idlest_cpu(*group);
        if (cpu == m_cpu) return domain.child;
        m_cpu = cpu;
        DomainId next;
        for (DomainId d = domains.cpu(cpu).base; d && domains.domain(d).weight < domain.weight; d = domains.domain(d).parent)
            if (domains.domain(d).has(flag)) next = d;
        return next;
    }

    // ---- groups
    const SchedGroup* idlest_group(const Domain& domain) {
        GroupStats local, best;
        best.type = GroupType::overloaded;
        best.avg_load = UINT32_MAX;
        const SchedGroup* idlest = nullptr;
        bool has_local = false;
        for (std::size_t k = 0; k < domains.group_count(domain); ++k) {
            const SchedGroup& group = domains.group_at(domain, k);
            if (!meets(group.span)) continue;
            const GroupStats stats = gather(domain, group);
            if (group.span.has(m_cpu)) {
                local = stats;
                has_local = true;
            } else if (idler(stats, best)) {
                best = stats;
                idlest = &group;
            }
        }
        if (idlest != nullptr && has_local && stay(domain, local, best)) {
            if (m_cpu == wake.waker_cpu) why.mark_last(); // else the answer was found further up
            return nullptr;
        }
        return idlest;
    }

    /// fn: update_sg_wakeup_stats: the task's own share is left out on the CPU that holds it.
    GroupStats gather(const Domain& domain, const SchedGroup& group) const {
        GroupStats g;
        const balance_row row = st.group_capacities[group.capacity.index()];
        bool misfit = domain.has(sd::asym_cpucapacity);
        for_each_cpu(group.span, [&](CpuId c) {
            if (!contains(allowed, c)) return;
            const bool own = holds_task(c);
            g.load += without(balance::cpu_load(st, c), own ? balance::task_h_load(st, wake.task) : 0);
            g.util += without(balance::cpu_util(st, settings, c), own ? st.entity(wake.task).avg.util_avg : 0);
            g.runnable += without(balance::cpu_runnable(st, c), own ? st.entity(wake.task).avg.runnable_avg : 0);
            const std::uint32_t on_rq = own && st.task(wake.task).on_rq != 0 ? 1 : 0;
            g.nr_running += st.rq(c).nr_running - on_rq;
            g.h_nr_running += st.root_queue(c).h_nr_queued - on_rq;
            if (st.rq(c).nr_running == on_rq && idle_without(c)) ++g.idle_cpus;
            if (misfit && balance::fits_capacity(balance::task_util_est(st, settings, wake.task), st.rq(c).cpu_capacity)) misfit = false;
        });
        g.misfit_load = misfit ? 1 : 0;
        g.weight = static_cast<std::uint32_t>(group.weight);
        g.capacity = static_cast<std::uint64_t>(row.capacity);
        g.max_capacity = row.max_capacity;
        g.imbalanced = row.imbalance != 0;
        g.first_cpu = group.span.first();
        g.type = balance::classify(g, domain.imbalance_pct);
        if (g.type == GroupType::fully_busy || g.type == GroupType::overloaded) g.avg_load = g.load * 1024 / g.capacity;
        return g;
    }
    using balance_row = GroupCapacity;

    [[nodiscard]] bool holds_task(CpuId c) const { return c == st.task(wake.task).cpu && st.entity(wake.task).avg.last_update != 0; }
    [[nodiscard]] static std::uint64_t without(std::uint64_t sum, std::uint64_t part) { return sum - std::min(sum, part); }
    [[nodiscard]] bool idle_without(CpuId c) const {
        const Rq& rq = st.rq(c);
        return (!rq.curr || rq.curr == wake.task) && rq.ttwu_pending == 0;
    }
    [[nodiscard]] bool meets(CpuSetView span) const {
        bool any = false;
        for_each_cpu(span, [&](CpuId c) { return !(any = contains(allowed, c)); });
        return any;
    }

    /// Does this group replace the idlest so far (fn: update_pick_idlest)?
    bool idler(const GroupStats& g, const GroupStats& best) {
        const auto type = [](GroupType t) { return static_cast<std::int64_t>(t); };
        const auto load = [](std::uint64_t v) { return static_cast<std::int64_t>(v); };
        if (why.template check<Chk::group_type_lower>(g.first_cpu, type(g.type), type(best.type), g.type < best.type)) return true;
        if (g.type > best.type) return false;
        switch (g.type) {
        case GroupType::overloaded:
        case GroupType::fully_busy:
            return why.template check<Chk::group_load_lower>(g.first_cpu, load(g.avg_load), load(best.avg_load), g.avg_load < best.avg_load);
        case GroupType::misfit_task:
            return g.max_capacity > best.max_capacity;
        case GroupType::has_spare:
            if (why.template check<Chk::group_more_idle>(g.first_cpu, g.idle_cpus, best.idle_cpus, g.idle_cpus > best.idle_cpus)) return true;
            return g.idle_cpus == best.idle_cpus &&
                   why.template check<Chk::group_util_lower>(g.first_cpu, load(g.util), load(best.util), g.util < best.util);
        default:
            return false;
        }
    }

    /// Is the own group good enough (second half of fn: find_idlest_group)?
    bool stay(const Domain& domain, const GroupStats& local, const GroupStats& best) {
        const CpuId name = local.first_cpu;
        if (why.template check<Chk::local_type_lower>(name, static_cast<std::int64_t>(local.type), static_cast<std::int64_t>(best.type),
                                                      local.type < best.type))
            return true;
        if (local.type > best.type) return false;
        switch (local.type) {
        case GroupType::overloaded:
        case GroupType::fully_busy:
            return load_close(domain, local, best);
        case GroupType::misfit_task:
            return local.max_capacity >= best.max_capacity;
        case GroupType::has_spare:
            if (domain.has(sd::numa) && numa_stay(domain, local, best)) return true;
            return why.template check<Chk::local_idle_enough>(name, local.idle_cpus, best.idle_cpus, local.idle_cpus >= best.idle_cpus);
        default:
            return true;
        }
    }

    bool load_close(const Domain& domain, const GroupStats& local, const GroupStats& best) {
        const auto pct = static_cast<std::uint64_t>(domain.imbalance_pct);
        const std::uint64_t margin = 1024 * (pct - 100) / 100;
        const auto check = [&](std::uint64_t there, std::uint64_t here) {
            return why.template check<Chk::local_load_close>(local.first_cpu, static_cast<std::int64_t>(there),
                                                             static_cast<std::int64_t>(here), there >= here);
        };
        if (domain.has(sd::numa) && check(best.avg_load + margin, local.avg_load)) return true;
        return check(best.avg_load, local.avg_load + margin) || check(pct * best.avg_load, 100 * local.avg_load);
    }

    /// A node keeps its own tasks while it runs few.
    bool numa_stay(const Domain& domain, const GroupStats& local, const GroupStats& best) {
        if (settings.kernel == Kernel::cfs_5_10) return local.idle_cpus != 0;
        const auto check = [&](std::int64_t running, std::int64_t most) {
            return why.template check<Chk::numa_imbalance_allowed>(local.first_cpu, running, most, running <= most);
        };
        if (settings.kernel == Kernel::cfs_5_12) return check(std::int64_t{local.nr_running} + 1, domain.weight / 4);
        // The kernel asks whether the task may run on all CPUs it was compiled for, which no real machine has.
        int reachable = 0;
        for (std::size_t k = 0; k < domains.group_count(domain); ++k) {
            const SchedGroup& group = domains.group_at(domain, k);
            if (!group.span.has(m_cpu)) continue;
            for_each_cpu(group.span, [&](CpuId c) { reachable += contains(allowed, c); });
            break;
        }
        const std::int64_t most = std::min(reachable, domain.imb_numa_nr);
        const std::int64_t difference = std::abs(std::int64_t{local.idle_cpus} - std::int64_t{best.idle_cpus});
        if (difference == 0) return true;
        return check(std::int64_t{local.nr_running} + 1, most) && balance::adjust_numa_imbalance(difference, local.nr_running + 1, most) == 0;
    }

    // ---- CPUs of a group (fn: find_idlest_group_cpu)
    CpuId idlest_cpu(const SchedGroup& group) {
        if (group.weight == 1) return took(group.span.first(), Reason::place_slow_single);
        CpuId idle, busy = m_cpu;
        std::int64_t latest = 0;
        std::uint64_t least = UINT64_MAX;
        CpuId idle_policy;
        for_each_cpu(group.span, [&](CpuId c) {
            if (!contains(allowed, c)) return true;
            ++out.scanned;
            if (why.template check<Chk::only_idle_policy>(c, st.root_queue(c).h_nr_idle, st.rq(c).nr_running, sched_idle_cpu(st, c))) {
                idle_policy = c;
                return false;
            }
            if (why.template check<Chk::cpu_is_idle>(c, st.rq(c).nr_running, 0, idle_cpu(st, c))) {
                const std::int64_t since = st.rq(c).idle_stamp;
                if (why.template check<Chk::idle_later>(c, Nanos{since}, Nanos{latest}, since > latest)) {
                    latest = since;
                    idle = c;
                }
            } else if (!idle) {
                const std::uint64_t load = balance::cpu_load(st, c);
                const auto most = static_cast<std::int64_t>(std::min<std::uint64_t>(least, INT64_MAX));
                if (why.template check<Chk::cpu_load_lower>(c, static_cast<std::int64_t>(load), most, load < least)) {
                    least = load;
                    busy = c;
                }
            }
            return true;
        });
        if (idle_policy) return took(idle_policy, Reason::place_slow_policy);
        return idle ? took(idle, Reason::place_slow_idle) : took(busy, Reason::place_slow_least);
    }
    CpuId took(CpuId cpu, Reason reason) {
        why.mark_last();
        out.reason = reason;
        return cpu;
    }

    const State& st;
    const Settings& settings;
    const Domains& domains;
    const Wake& wake;
    Evidence<S>& why;
    CpuSetView allowed;
    std::uint32_t flag;
    CpuId m_cpu;
    Placement out{CpuId::none(), Reason::place_slow_stay, 0};
};

} // namespace

DomainId highest_domain(const Domains& domains, CpuId cpu, std::uint32_t flag) {
    DomainId highest;
    for (DomainId d = domains.cpu(cpu).base; d; d = domains.domain(d).parent) {
        if (!domains.domain(d).has(flag)) break;
        highest = d;
    }
    return highest;
}

template <DecisionSink S>
Placement find_idlest_cpu(const State& st, const Settings& settings, const Domains& domains, const Wake& wake, DomainId domain,
                          Evidence<S>& why) {
    return Descent<S>(st, settings, domains, wake, why).run(domain);
}

#define PICKNEXT_FOR_SINK(S) \
    template Placement find_idlest_cpu(const State&, const Settings&, const Domains&, const Wake&, DomainId, Evidence<S>&);
PICKNEXT_FOR_EACH_SINK(PICKNEXT_FOR_SINK)
#undef PICKNEXT_FOR_SINK

} // namespace picknext::placement
