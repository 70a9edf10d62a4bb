// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/placement/select_task.hpp"

#include "core/placement/idle_sibling.hpp"
#include "core/placement/slow_path.hpp"
#include "core/placement/wake_affine.hpp"

namespace picknext::placement {
namespace {

/// What a wakeup remembers of the waker; the idle task is a waker like any other.
struct Waker {
    TaskId last_wakee;
    std::uint32_t flips = 0;
    std::int64_t decay = 0; // jiffies
};
Waker waker_of(const State& st, CpuId cpu) {
    const Rq& rq = st.rq(cpu);
    if (!rq.curr) return {rq.idle_last_wakee, rq.idle_wakee_flips, rq.idle_wakee_flip_decay};
    const Task& task = st.task(rq.curr);
    return {task.last_wakee, task.wakee_flips, task.wakee_flip_decay};
}

/// The first domain that holds both CPUs and wants affine wakeups.
template <DecisionSink S>
DomainId meeting_domain(const Domains& domains, const Wake& wake, Evidence<S>& why) {
    for (DomainId i = domains.cpu(wake.waker_cpu).base; i; i = domains.domain(i).parent) {
        const Domain& d = domains.domain(i);
        const bool holds = d.has(sd::wake_affine) && d.span.has(wake.prev);
        if (why.template check<Chk::domain_holds_previous>(wake.prev, d.depth, d.depth, holds)) return i;
    }
    return {};
}

template <DecisionSink S>
Placement wakeup(const State& st, const Settings& settings, const Domains& domains, const Wake& wake, Evidence<S>& why) {
    const Waker waker = waker_of(st, wake.waker_cpu);
    why.template check<Chk::wakee_changed>(wake.task, wake.task, waker.last_wakee, wake.task != waker.last_wakee);
    const WakeeRecord record =
        record_wakee(st.jiffies(), settings[Tunable::hz], waker.last_wakee, waker.flips, waker.decay, wake.task);
    Placement out;
    const bool allowed = contains(st.mask(st.task(wake.task).affinity), wake.waker_cpu);
    if (wake.current_cpu && settings.kernel >= Kernel::eevdf_6_6 && allowed) {
        out.cpu = wake.waker_cpu;
        out.reason = Reason::place_current_cpu;
    } else {
        const auto llc_size = static_cast<std::uint32_t>(domains.cpu(wake.waker_cpu).llc_size);
        const bool affine = !wake_wide(wake.task, record.flips, st.task(wake.task).wakee_flips, llc_size, why) &&
                            why.template check<Chk::cpu_allowed>(wake.waker_cpu, allowed, true, allowed);
        CpuId target = wake.prev;
        DomainId domain;
        if (affine) domain = meeting_domain(domains, wake, why);
        if (wake.waker_cpu == wake.prev) domain = {};
        if (domain) target = wake_affine(gather_affine(st, domains, wake, domains.domain(domain)), settings, why);
        out = select_idle_sibling(st, settings, domains, wake, target, why);
        out.target = target;
        out.affine_domain = domain;
        out.waker_recent = affine && settings.kernel < Kernel::cfs_6_1;
    }
    out.records_wakee = true;
    out.wakee_flips = record.flips;
    out.wakee_flip_decay = record.decay;
    return out;
}

} // namespace

template <DecisionSink S>
Placement select_task_rq(const State& st, const Settings& settings, const Domains& domains, const Wake& wake, Evidence<S>& why) {
    if (!wake.fork && !wake.exec) return wakeup(st, settings, domains, wake, why);
    const DomainId domain = highest_domain(domains, wake.waker_cpu, wake.exec ? sd::balance_exec : sd::balance_fork);
    if (!domain) return {wake.prev, Reason::place_previous, 0};
    return find_idlest_cpu(st, settings, domains, wake, domain, why);
}

void apply(State& st, const Domains& domains, const Wake& wake, const Placement& p) {
    Rq& rq = st.rq(wake.waker_cpu);
    if (p.records_wakee) {
        if (rq.curr) {
            Task& waker = st.task(rq.curr);
            waker.last_wakee = wake.task;
            waker.wakee_flips = p.wakee_flips;
            waker.wakee_flip_decay = p.wakee_flip_decay;
        } else {
            rq.idle_last_wakee = wake.task;
            rq.idle_wakee_flips = p.wakee_flips;
            rq.idle_wakee_flip_decay = p.wakee_flip_decay;
        }
    }
    if (p.affine_domain) {
        TaskSchedstat& stat = st.task(wake.task).stat;
        ++stat.nr_wakeups_affine_attempts;
        if (p.target == wake.waker_cpu) {
            ++stat.nr_wakeups_affine;
            ++st.domains[p.affine_domain.index()].stat.ttwu_move_affine;
        }
    }
    if (p.recent_used) st.task(wake.task).recent_used_cpu = p.recent_used;
    if (p.widens_affinity) st.task(wake.task).affinity = MaskId{0};
    if (p.waker_recent && rq.curr) st.task(rq.curr).recent_used_cpu = wake.waker_cpu;
    if (p.idle_cores_gone) st.llc_shared[p.idle_cores_gone.index()].has_idle_cores = 0;
    if (p.avg_scan_cost) st.domains[domains.cpu(wake.waker_cpu).sd_llc.index()].avg_scan_cost = *p.avg_scan_cost;
    if (p.wake_avg_idle) {
        rq.wake_avg_idle = *p.wake_avg_idle;
        rq.wake_stamp = p.wake_stamp;
    }
}

#define PICKNEXT_FOR_SINK(S) template Placement select_task_rq(const State&, const Settings&, const Domains&, const Wake&, Evidence<S>&);
PICKNEXT_FOR_EACH_SINK(PICKNEXT_FOR_SINK)
#undef PICKNEXT_FOR_SINK

} // namespace picknext::placement
