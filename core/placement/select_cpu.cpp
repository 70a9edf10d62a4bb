// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/placement/select_cpu.hpp"

namespace picknext::placement {
namespace {

bool usable(const State& st, TaskId task, CpuId cpu) {
    return cpu && st.rq(cpu).online != 0 && contains(st.mask(st.task(task).affinity), cpu);
}

} // namespace

CpuId fallback_cpu(const State& st, const Machine& machine, TaskId task, CpuId near) {
    CpuId same_node, allowed, online;
    for (std::size_t c = 0; c < st.cpu_count(); ++c) {
        const CpuId cpu{c};
        if (st.rq(cpu).online == 0) continue;
        if (!online) online = cpu;
        if (!usable(st, task, cpu)) continue;
        if (!allowed) allowed = cpu;
        if (!same_node && machine.cpu(cpu).node == machine.cpu(near).node) same_node = cpu;
    }
    return same_node ? same_node : allowed ? allowed : online;
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
    out.cpu = fallback_cpu(st, machine, wake.task, out.cpu);
    out.reason = Reason::place_fallback;
    return out;
}

#define PICKNEXT_FOR_SINK(S) \
    template Placement select_cpu(const State&, const Settings&, const Domains&, const Machine&, const Wake&, Evidence<S>&);
PICKNEXT_FOR_SINK(NullSink)
PICKNEXT_FOR_SINK(CountSink)
PICKNEXT_FOR_SINK(HeaderSink)
PICKNEXT_FOR_SINK(FullSink)
#undef PICKNEXT_FOR_SINK

} // namespace picknext::placement
