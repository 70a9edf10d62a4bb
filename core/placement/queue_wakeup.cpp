// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/placement/queue_wakeup.hpp"

namespace picknext::placement {

template <DecisionSink S>
QueueWakeup queue_wakeup(const State& st, const Settings& settings, const Domains& domains, TaskId task, CpuId waker_cpu,
                         CpuId target, Evidence<S>& why) {
    const auto answer = [&](bool remote, Reason reason) {
        why.mark_last();
        return QueueWakeup{remote, reason};
    };
    const bool on = settings.on(Feature::ttwu_queue);
    if (!why.template check<Chk::ttwu_queue_on>(task, on, true, on)) return answer(false, Reason::queue_wakeup_off);
    const bool usable = st.rq(target).online != 0 && contains(st.mask(st.task(task).affinity), target);
    if (!why.template check<Chk::cpu_allowed>(target, usable, true, usable)) return answer(false, Reason::queue_wakeup_unusable);
    const CpuId own_llc = domains.cpu(waker_cpu).llc_id, llc = domains.cpu(target).llc_id;
    if (!why.template check<Chk::shares_cache>(target, llc.value, own_llc.value, domains.share_cache(waker_cpu, target)))
        return answer(true, Reason::queue_wakeup_other_cache);
    if (why.template check<Chk::wakes_own_cpu>(target, target, waker_cpu, target == waker_cpu))
        return answer(false, Reason::queue_wakeup_same_cpu);
    if (settings.kernel < Kernel::cfs_6_1) return answer(false, Reason::queue_wakeup_shares_cache);
    const std::uint32_t queued = st.rq(target).nr_running;
    return why.template check<Chk::nothing_queued_there>(target, queued, 0, queued == 0) ? answer(true, Reason::queue_wakeup_idle_target)
                                                                                    : answer(false, Reason::queue_wakeup_busy_target);
}

#define PICKNEXT_FOR_SINK(S) \
    template QueueWakeup queue_wakeup(const State&, const Settings&, const Domains&, TaskId, CpuId, CpuId, Evidence<S>&);
PICKNEXT_FOR_EACH_SINK(PICKNEXT_FOR_SINK)
#undef PICKNEXT_FOR_SINK

} // namespace picknext::placement
