// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/placement/idle_sibling.hpp"

#include <algorithm>
#include <cstdint>

#include "core/balance/loads.hpp"
#include "core/state/idle.hpp"

namespace picknext::placement {
namespace {

/// One search. Each step either answers or goes on to the next.
template <DecisionSink S>
class Search {
  public:
    Search(const State& state, const Settings& set, const Domains& doms, const Wake& w, CpuId t, Evidence<S>& e)
        : st(state), settings(set), domains(doms), wake(w), target(t), why(e), allowed(st.mask(st.task(w.task).affinity)),
          clusters(set.patch(Patch::cluster_wakeup) == 1 && doms.cluster_active),
          asymmetric(doms.cpu(t).sd_asym_cpucapacity.valid()) {}

    Placement run() {
        if (near_candidates()) return out;
        if (asymmetric) return by_capacity();
        if (!domains.cpu(target).sd_llc) return found(target, Reason::place_no_cache);
        if (settings.kernel == Kernel::cfs_5_10 ? three_searches() : one_scan()) return out;
        if (m_prev_reserve) return found(m_prev_reserve, Reason::place_previous_reserve);
        if (m_recent_reserve) return found(m_recent_reserve, Reason::place_recent_reserve);
        return found(target, m_failure);
    }

  private:
    // ---- target, previous and recent CPU
    bool near_candidates() {
        const CpuId prev = wake.prev;
        if (free(target) && fits(target)) return answer(target, Reason::place_target_idle);
        if (prev != target && shares_cache(prev) && free(prev) && fits(prev)) {
            if (!clusters || in_cluster(prev)) return answer(prev, Reason::place_previous_idle);
            m_prev_reserve = prev;
        }
        const std::uint32_t running = st.rq(wake.waker_cpu).nr_running;
        if (wake.waker_is_kthread && prev == wake.waker_cpu &&
            why.template check<Chk::kthread_alone>(prev, running, 1, running <= 1) && fits(prev))
            return answer(prev, Reason::place_kthread_stack);
        return recent_cpu();
    }

    bool recent_cpu() {
        const CpuId prev = wake.prev;
        const CpuId recent = st.task(wake.task).recent_used_cpu;
        // From 5.14 on the previous CPU is remembered in any case, before that only when the recent one was taken.
        if (settings.kernel >= Kernel::cfs_6_1) out.recent_used = prev;
        if (!recent || recent == prev || recent == target || !shares_cache(recent) || !free(recent) ||
            !why.template check<Chk::cpu_allowed>(recent, contains(allowed, recent), true, contains(allowed, recent)) || !fits(recent))
            return false;
        out.recent_used = prev;
        if (!clusters || in_cluster(recent)) return answer(recent, Reason::place_recent_idle);
        m_recent_reserve = recent;
        return false;
    }

    // ---- the forms the search of the LLC had
    /// 5.10: wholly idle cores, then any CPU, then the target's siblings.
    bool three_searches() {
        if (domains.smt_present && promised_core()) {
            CpuSet cpus = candidates();
            CpuId core;
            for_each_cpu_wrap(cpus, target.index(), [&](CpuId c) {
                count_try<Chk::scan_core>(c, count(domains.siblings(c)));
                bool idle = true;
                for_each_cpu(domains.siblings(c), [&](CpuId s) { return idle = check_idle(s); });
                for_each_cpu(domains.siblings(c), [&](CpuId s) { cpus.remove(s); });
                if (idle) core = c;
                return !idle;
            });
            if (core) return answer(core, Reason::place_idle_core);
            out.idle_cores_gone = domains.cpu(target).shared;
        }
        if (domains.cpu(wake.waker_cpu).sd_llc && scan_llc(false)) return true;
        return domains.smt_present && sibling_of(target, true);
    }

    bool one_scan() {
        bool core_mode = false;
        if (settings.kernel == Kernel::cfs_5_12 && settings.patch(Patch::select_idle_smt) == 0) {
            // Thread 1: the flag is read on every machine, unless its patch asks for SMT first.
            if (domains.smt_present || settings.patch(Patch::test_idle_cores) == 0) core_mode = promised_core();
        } else if (domains.smt_present) {
            core_mode = promised_core();
            if (!core_mode && domains.share_cache(wake.prev, target) && sibling_of(wake.prev, settings.kernel == Kernel::cfs_5_12))
                return true;
        }
        if (settings.kernel == Kernel::cfs_5_12 && !domains.cpu(wake.waker_cpu).sd_llc) return false;
        return scan_llc(core_mode);
    }

    /// fn: select_idle_cpu.
    bool scan_llc(bool core_mode) {
        if (wake.looks != nullptr) wake.looks->scanned = true;
        CpuSet cpus = candidates();
        std::int64_t budget = INT32_MAX; // also the kernel's "no limit"
        if (!set_budget(core_mode, budget)) return false;
        CpuId remembered;
        if (clusters) {
            const SchedGroup& group = domains.group_at(domains.domain(domains.cpu(target).sd_llc), 0);
            if ((group.flags & sd::cluster) != 0) {
                const Step step = walk(group.span, cpus, core_mode, budget, remembered);
                if (step == Step::hit) return answer(remembered, core_mode ? Reason::place_idle_core : Reason::place_cluster_idle);
                if (step == Step::exhausted) return false;
                for_each_cpu(group.span, [&](CpuId c) { cpus.remove(c); });
            }
        }
        const Step step = walk(cpus, cpus, core_mode, budget, remembered);
        if (step == Step::exhausted) return false;
        if (core_mode) {
            if (step == Step::hit) return answer(remembered, Reason::place_idle_core);
            // Thread 1's kernel cleared the waker's flag by mistake; c722f35b513f clears the target's.
            const bool wakers = settings.kernel == Kernel::cfs_5_12 && settings.patch(Patch::select_idle_smt) == 0;
            out.idle_cores_gone = domains.cpu(wakers ? wake.waker_cpu : target).shared;
            return remembered && answer(remembered, Reason::place_remembered);
        }
        account_scan();
        return step == Step::hit && answer(remembered, Reason::place_scan_idle);
    }

    enum class Step : std::uint8_t { done, hit, exhausted };
    /// Tries the CPUs of `order` that are still in `cpus`. With a hit the CPU is in `remembered`; in core mode that also
    /// keeps the first idle CPU met.
    Step walk(CpuSetView order, CpuSet& cpus, bool core_mode, std::int64_t& budget, CpuId& remembered) {
        const bool past = settings.patch(Patch::scan_past_target) == 1 && settings.idle_mask() == IdleMask::off;
        Step step = Step::done;
        for_each_cpu_wrap(order, target.index() + (past ? 1 : 0), [&](CpuId c) {
            if (!cpus.has(c)) return true;
            if (core_mode) {
                if (!try_core(c, cpus, remembered)) return true;
                remembered = c;
                step = Step::hit;
                return false;
            }
            --budget;
            if (m_limited && why.template check<Chk::scan_exhausted>(c, budget, 0, budget <= 0)) {
                step = Step::exhausted;
                m_failure = Reason::place_budget;
                return false;
            }
            count_try<Chk::scan_cpu>(c, budget);
            if (!free(c)) return true;
            remembered = c;
            step = Step::hit;
            return false;
        });
        return step;
    }

    /// Is the whole core idle? If not, it is out of the set, and its first idle CPU may be remembered (fn: select_idle_core).
    bool try_core(CpuId position, CpuSet& cpus, CpuId& remembered) {
        count_try<Chk::scan_core>(position, count(domains.siblings(position)));
        if (!domains.smt_present) return free(position);
        bool idle = true;
        for_each_cpu(domains.siblings(position), [&](CpuId c) {
            if (check_idle(c)) {
                if (!remembered && cpus.has(c)) remembered = c;
                return true;
            }
            idle = false;
            if (remembered) return false;
            if (!check_idle_policy(c) || !cpus.has(c)) return true;
            remembered = c;
            return false;
        });
        if (!idle) for_each_cpu(domains.siblings(position), [&](CpuId c) { cpus.remove(c); });
        return idle;
    }

    /// fn: select_idle_smt.
    bool sibling_of(CpuId cpu, bool with_itself) {
        const CpuSet& llc = domains.domain(domains.cpu(target).sd_llc).span;
        CpuId sibling;
        for_each_cpu(domains.siblings(cpu), [&](CpuId c) {
            if ((c == cpu && !with_itself) || !contains(allowed, c) || !llc.has(c) || !free(c)) return true;
            sibling = c;
            return false;
        });
        return sibling && answer(sibling, Reason::place_smt_sibling);
    }

    /// Unlike CPUs: the first idle one that fits, else the best of the idle ones (fn: select_idle_capacity).
    Placement by_capacity() {
        const CpuSet cpus = intersection(domains.domain(domains.cpu(target).sd_asym_cpucapacity).span, allowed);
        CpuId best;
        bool fitting = false;
        for_each_cpu_wrap(cpus, target.index(), [&](CpuId c) {
            if (!free(c)) return true;
            fitting = fits(c);
            if (fitting || !best || st.rq(c).cpu_capacity > st.rq(best).cpu_capacity) best = c;
            return !fitting;
        });
        return found(best ? best : target, best ? Reason::place_capacity : Reason::place_no_idle);
    }

    // ---- how far to scan
    CpuSet candidates() {
        const Domain& llc = domains.domain(domains.cpu(target).sd_llc);
        CpuSet cpus = intersection(llc.span, allowed);
        if (settings.idle_mask() != IdleMask::off) {
            cpus = intersection(cpus, st.llc_idle_cpus);
            if (wake.looks != nullptr) wake.looks->mask_of = target;
        }
        if constexpr (Evidence<S>::recording) why.template note<Chk::scan_set>(domains.cpu(target).llc_id, cpus.size(), llc.weight);
        return cpus;
    }

    /// False: no scan at all. SIS_UTIL overrides SIS_PROP.
    bool set_budget(bool core_mode, std::int64_t& budget) {
        if (settings.on(Feature::sis_prop) && !core_mode && !proportion(budget)) return false;
        if (!settings.on(Feature::sis_util)) return true;
        const std::uint32_t scan = st.llc_shared[domains.cpu(target).shared.index()].nr_idle_scan;
        if (!why.template check<Chk::scan_allowed>(domains.cpu(target).llc_id, scan, 0, scan > 0)) {
            m_failure = Reason::place_no_scan;
            return false;
        }
        budget = std::int64_t{scan} + 1;
        m_limited = true;
        why.template note<Chk::scan_budget>(target, budget, scan);
        return true;
    }

    bool proportion(std::int64_t& budget) {
        const DomainId own = domains.cpu(wake.waker_cpu).sd_llc;
        if (!own) return false;
        const Rq& rq = st.rq(wake.waker_cpu);
        std::uint64_t idle = rq.avg_idle / 512;
        if (settings.kernel >= Kernel::cfs_6_1) { // what was left of the last idle time, halved each jiffy
            idle = rq.wake_avg_idle;
            out.wake_stamp = rq.wake_stamp;
            for (; out.wake_stamp < st.jiffies() && idle != 0; ++out.wake_stamp) idle >>= 1;
            out.wake_avg_idle = idle;
        }
        const std::uint64_t cost = st.domains[own.index()].avg_scan_cost + 1;
        const std::uint64_t span = static_cast<std::uint64_t>(domains.domain(domains.cpu(target).sd_llc).weight) * idle;
        const auto divisor = static_cast<std::uint32_t>(cost); // div_u64 takes 32 bits
        budget = span > 4 * cost && divisor != 0 ? static_cast<std::int32_t>(span / divisor) : 4;
        m_limited = true;
        why.template note<Chk::scan_budget>(target, budget, static_cast<std::int64_t>(cost));
        return true;
    }

    void account_scan() { learn_scan(st, settings, domains, wake, wake.scan_ns, out); }

    // ---- tests
    bool check_idle(CpuId c) {
        if (wake.looks != nullptr) wake.looks->queues.push_back(c);
        return why.template check<Chk::cpu_is_idle>(c, st.rq(c).nr_running, 0, idle_cpu(st, c));
    }
    bool check_idle_policy(CpuId c) {
        return why.template check<Chk::only_idle_policy>(c, st.root_queue(c).h_nr_idle, st.rq(c).nr_running, sched_idle_cpu(st, c));
    }
    bool free(CpuId c) { return check_idle(c) || check_idle_policy(c); }
    bool fits(CpuId c) {
        if (!asymmetric) return true;
        const std::uint64_t util = balance::task_util_est(st, settings, wake.task);
        const std::int64_t capacity = st.rq(c).cpu_capacity;
        return why.template check<Chk::fits_capacity>(c, static_cast<std::int64_t>(util * 1280 / 1024), capacity,
                                                      balance::fits_capacity(util, capacity));
    }
    bool shares_cache(CpuId c) {
        return why.template check<Chk::shares_cache>(c, domains.cpu(c).llc_id.value, domains.cpu(target).llc_id.value,
                                                     domains.share_cache(c, target));
    }
    bool in_cluster(CpuId c) {
        return why.template check<Chk::shares_cluster>(c, domains.cpu(c).share_id, domains.cpu(target).share_id,
                                                       domains.share_resources(c, target));
    }
    bool promised_core() {
        if (wake.looks != nullptr) wake.looks->flag_of = target;
        const std::uint32_t flag = st.llc_shared[domains.cpu(target).shared.index()].has_idle_cores;
        return why.template check<Chk::idle_cores_flag>(domains.cpu(target).llc_id, flag, 1, flag != 0);
    }
    template <Chk C>
    void count_try(CpuId c, std::int64_t left) {
        ++out.scanned;
        why.template note<C>(c, left, 0);
    }

    Placement found(CpuId cpu, Reason reason) {
        why.mark_last();
        out.cpu = cpu;
        out.reason = reason;
        return out;
    }
    bool answer(CpuId cpu, Reason reason) {
        found(cpu, reason);
        return true;
    }

    const State& st;
    const Settings& settings;
    const Domains& domains;
    const Wake& wake;
    CpuId target;
    Evidence<S>& why;
    CpuSetView allowed;
    bool clusters;
    bool asymmetric;
    CpuId m_prev_reserve, m_recent_reserve;
    bool m_limited = false;
    Reason m_failure = Reason::place_no_idle;
    Placement out;
};

} // namespace

template <DecisionSink S>
Placement select_idle_sibling(const State& st, const Settings& settings, const Domains& domains, const Wake& wake, CpuId target,
                              Evidence<S>& why) {
    return Search<S>(st, settings, domains, wake, target, why).run();
}

void learn_scan(const State& st, const Settings& settings, const Domains& domains, const Wake& wake, std::uint64_t scan_ns, Placement& out) {
    const bool always = settings.kernel == Kernel::cfs_5_10;
    const DomainId own = domains.cpu(wake.waker_cpu).sd_llc;
    if (!own || (!always && !settings.on(Feature::sis_prop))) return;
    const auto cost = static_cast<std::int64_t>(st.domains[own.index()].avg_scan_cost);
    out.avg_scan_cost = static_cast<std::uint64_t>(cost + (static_cast<std::int64_t>(scan_ns) - cost) / 8);
    if (out.wake_avg_idle) *out.wake_avg_idle -= std::min(*out.wake_avg_idle, scan_ns);
}

LlcSharedId core_becomes_idle(const State& st, const Domains& domains, CpuId cpu) {
    const LlcSharedId shared = domains.cpu(cpu).shared;
    if (!shared || st.llc_shared[shared.index()].has_idle_cores != 0) return LlcSharedId::none();
    return is_core_idle(st, domains.siblings(cpu), cpu) ? shared : LlcSharedId::none();
}

#define PICKNEXT_FOR_SINK(S) \
    template Placement select_idle_sibling(const State&, const Settings&, const Domains&, const Wake&, CpuId, Evidence<S>&);
PICKNEXT_FOR_EACH_SINK(PICKNEXT_FOR_SINK)
#undef PICKNEXT_FOR_SINK

} // namespace picknext::placement
