// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/balance/group_stats.hpp"

#include <algorithm>

#include "core/balance/loads.hpp"
#include "core/state/idle.hpp"

namespace picknext::balance {
namespace {

/// Of the CPU the group prefers.
int highest_priority(const Domains& domains, const SchedGroup& group) {
    int highest = domains.priority[group.span.first().index()];
    for_each_cpu(group.span, [&](CpuId c) { highest = std::max(highest, domains.priority[c.index()]); });
    return highest;
}

struct Gathering {
    const State& st;
    const Settings& settings;
    const Domains& domains;
    const Domain& domain;
    CpuSetView considered;
    DomainStats& out;

    /// Load of a task that does not fit its CPU, or whose CPU lost capacity to others.
    void misfit(GroupStats& g, CpuId c) const {
        if (domain.has(sd::asym_cpucapacity)) {
            if (st.rq(c).misfit_task_load <= g.misfit_load) return;
            g.misfit_load = st.rq(c).misfit_task_load;
            out.overloaded = true;
        } else if (settings.kernel >= Kernel::cfs_6_1 && out.view.idle != IdleKind::not_idle && st.root_queue(c).h_nr_queued == 1 &&
                   capacity_reduced(st, c, domain.imbalance_pct)) {
            g.misfit_load = std::max(g.misfit_load, cpu_load(st, c));
        }
    }

    void pulls(GroupStats& g, const SchedGroup& group) const {
        if (out.view.idle == IdleKind::not_idle || g.h_nr_running == 0) return;
        g.asym_packing = domain.has(sd::asym_packing) && domains.priority[out.view.dst_cpu.index()] > g.preferred_priority;
        g.smt_balance = settings.patch(Patch::smt_balance) == 1 && (group.flags & sd::share_cpucapacity) != 0 && g.h_nr_running > 1;
    }

    GroupStats gather(const SchedGroup& group, bool local) const {
        GroupStats g;
        for_each_cpu(group.span, [&](CpuId c) {
            if (!contains(considered, c)) return;
            const std::uint32_t running = st.rq(c).nr_running;
            g.load += cpu_load(st, c);
            g.util += cpu_util(st, settings, c);
            g.runnable += cpu_runnable(st, c);
            g.h_nr_running += st.root_queue(c).h_nr_queued;
            g.nr_running += running;
            if (running > 1) out.overloaded = true;
            if (running == 0 && idle_cpu(st, c)) ++g.idle_cpus;
            else if (!local) misfit(g, c);
        });
        const GroupCapacity& capacity = st.group_capacities[group.capacity.index()];
        g.capacity = static_cast<std::uint64_t>(capacity.capacity);
        g.min_capacity = capacity.min_capacity;
        g.max_capacity = capacity.max_capacity;
        g.imbalanced = capacity.imbalance != 0;
        g.weight = static_cast<std::uint32_t>(group.weight);
        g.cores = static_cast<std::uint32_t>(group.cores);
        g.flags = group.flags;
        g.first_cpu = group.span.first();
        if (domain.has(sd::asym_packing)) g.preferred_priority = highest_priority(domains, group);
        if (!local) pulls(g, group);
        g.type = classify(g, domain.imbalance_pct);
        if (g.type == GroupType::overloaded) g.avg_load = g.load * 1024 / g.capacity;
        return g;
    }
};

} // namespace

DomainStats gather_stats(const State& st, const Settings& settings, const Domains& domains, const Domain& domain, CpuId dst_cpu, IdleKind idle,
                         CpuSetView considered) {
    DomainStats out;
    out.view.idle = idle;
    out.view.domain_flags = domain.flags;
    out.view.imbalance_pct = domain.imbalance_pct;
    out.view.imb_numa_nr = domain.imb_numa_nr;
    out.view.child_prefers_siblings = domain.child && domains.domain(domain.child).has(sd::prefer_sibling);
    out.view.dst_core_idle = is_core_idle(st, domains.siblings(dst_cpu), dst_cpu);
    out.view.dst_capacity = st.rq(dst_cpu).cpu_capacity;
    out.view.dst_cpu = dst_cpu;
    const Gathering gathering{st, settings, domains, domain, considered, out};
    out.groups.reserve(domains.group_count(domain));
    out.of.reserve(domains.group_count(domain));
    for (std::size_t k = 0; k < domains.group_count(domain); ++k) {
        const SchedGroup& group = domains.group_at(domain, k);
        const bool local = group.span.has(dst_cpu);
        const GroupStats stats = gathering.gather(group, local);
        out.util += stats.util;
        // With a pinned task the destination may be another CPU than the owner, but it is of the same group.
        out.groups.insert(local ? out.groups.begin() : out.groups.end(), stats);
        out.of.insert(local ? out.of.begin() : out.of.end(), &group);
    }
    return out;
}

} // namespace picknext::balance
