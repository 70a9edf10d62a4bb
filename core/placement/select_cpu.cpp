// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/placement/select_cpu.hpp"

namespace picknext::placement {
namespace {

bool usable(const State& st, TaskId task, CpuId cpu) {
    return cpu && st.rq(cpu).online != 0 && contains(st.mask(st.task(task).affinity), cpu);
}

} // namespace

template <DecisionSink S>
Fallback fallback_cpu(const State& st, const Machine& machine, TaskId task, CpuId near, Evidence<S>& why) {
    CpuId same_node, allowed, online_same_node, online;
    int choices = 0;
    for (std::size_t c = 0; c < st.cpu_count(); ++c) {
        const CpuId cpu{c};
        if (st.rq(cpu).online == 0) continue;
        const bool near_by = machine.cpu(cpu).node == machine.cpu(near).node;
        if (!online) online = cpu;
        if (!online_same_node && near_by) online_same_node = cpu;
        if (!usable(st, task, cpu)) continue;
        ++choices;
        if (!allowed) allowed = cpu;
        if (!same_node && near_by) same_node = cpu;
    }
    if (why.template check<Chk::allowed_online>(task, choices, 0, choices > 0)) return {same_node ? same_node : allowed, false};
    why.mark_last();
    return {online_same_node ? online_same_node : online, true};
}

template <DecisionSink S>
Placement select_cpu(const State& st, const Settings& settings, const Domains& domains, const Machine& machine, const Wake& wake,
                     Evidence<S>& why) {
    const CpuSetView allowed = st.mask(st.task(wake.task).affinity);
    const int choices = count(allowed);
    Placement out;
    if (why.template check<Chk::allowed_cpus>(wake.task, choices, 1, choices == 1)) {
        why.mark_last();
        out.cpu = first_cpu(allowed);
        out.reason = Reason::place_single_allowed;
    } else {
        out = select_task_rq(st, settings, domains, wake, why);
    }
    if (usable(st, wake.task, out.cpu)) return out;
    why.template decide<Chk::cpu_allowed>(out.cpu, contains(allowed, out.cpu), true, false);
    const Fallback fallback = fallback_cpu(st, machine, wake.task, wake.prev, why);
    out.cpu = fallback.cpu;
    out.widens_affinity = fallback.widens_affinity;
    out.reason = fallback.widens_affinity ? Reason::place_widened : Reason::place_fallback;
    return out;
}

#define PICKNEXT_FOR_SINK(S) \
    template Fallback fallback_cpu(const State&, const Machine&, TaskId, CpuId, Evidence<S>&); \
    template Placement select_cpu(const State&, const Settings&, const Domains&, const Machine&, const Wake&, Evidence<S>&);
PICKNEXT_FOR_EACH_SINK(PICKNEXT_FOR_SINK)
#undef PICKNEXT_FOR_SINK

} // namespace picknext::placement
