// SPDX-License-Identifier: GPL-3.0-or-later
// A first, small rule behind the final interface: the previous CPU if idle, else an idle CPU of its last-level cache.
#include "core/placement/select_cpu.hpp"

#include "core/base/assert.hpp"

namespace picknext::placement {
namespace {

bool allowed_and_online(const State& st, CpuSetView allowed, CpuId cpu) {
    return contains(allowed, cpu) && st.rq(cpu).online != 0;
}

template <DecisionSink S>
bool check_idle(const State& st, CpuId cpu, Evidence<S>& why) {
    return why.template check<Chk::cpu_is_idle>(cpu, st.rq(cpu).nr_running, 0, cpu_is_idle(st, cpu));
}

/// A new task: the first idle CPU from its parent's on, else the one with the fewest tasks, low number first.
template <DecisionSink S>
Placement place_new(const State& st, CpuSetView allowed, CpuId parent, Evidence<S>& why) {
    Placement best;
    std::uint32_t fewest = UINT32_MAX;
    for_each_cpu_wrap(allowed, parent.index(), [&](CpuId cpu) {
        if (st.rq(cpu).online == 0) return true;
        ++best.scanned;
        if (check_idle(st, cpu, why)) {
            why.mark_last();
            best.cpu = cpu;
            best.reason = Reason::place_fork_idle;
            return false;
        }
        const std::uint32_t running = st.rq(cpu).nr_running;
        if (running < fewest) {
            fewest = running;
            best.cpu = cpu;
            best.reason = Reason::place_fork_least;
        }
        return true;
    });
    if (best.reason == Reason::place_fork_least)
        why.template decide<Chk::fewest_running>(best.cpu, fewest, fewest, true);
    return best;
}

} // namespace

bool cpu_is_idle(const State& st, CpuId cpu) {
    const Rq& rq = st.rq(cpu);
    return !rq.curr.valid() && rq.nr_running == 0 && rq.ttwu_pending == 0 && rq.online != 0;
}

template <DecisionSink S>
Placement select_cpu(const State& st, const Settings&, const Machine& machine, const Wake& wake, Evidence<S>& why) {
    const Task& task = st.task(wake.task);
    const CpuSetView allowed = st.mask(task.affinity);
    const int choices = count(allowed);
    if (why.template check<Chk::allowed_cpus>(wake.task, choices, 1, choices == 1)) {
        why.mark_last();
        return {first_cpu(allowed), Reason::place_single_allowed, 0};
    }
    if (wake.fork) return place_new(st, allowed, wake.prev, why);

    if (why.template check<Chk::cpu_allowed>(wake.prev, contains(allowed, wake.prev), true,
                                             allowed_and_online(st, allowed, wake.prev)) &&
        check_idle(st, wake.prev, why)) {
        why.mark_last();
        return {wake.prev, Reason::place_previous_idle, 1};
    }
    Placement found{CpuId::none(), Reason::place_scan_idle, 1};
    const CpuSet& cache = machine.llc_span[machine.cpu(wake.prev).llc.index()];
    for_each_cpu_wrap(cache, wake.prev.index() + 1, [&](CpuId cpu) {
        if (cpu == wake.prev || !allowed_and_online(st, allowed, cpu)) return true;
        ++found.scanned;
        if (!check_idle(st, cpu, why)) return true;
        why.mark_last();
        found.cpu = cpu;
        return false;
    });
    if (found.cpu) return found;
    if (allowed_and_online(st, allowed, wake.prev)) {
        why.mark_last();
        return {wake.prev, Reason::place_no_idle, found.scanned};
    }
    Placement elsewhere = place_new(st, allowed, wake.prev, why); // the whole cache is forbidden: anywhere allowed
    PICKNEXT_ASSERT(elsewhere.cpu, "task {} has no online CPU it may run on", wake.task);
    return elsewhere;
}

template Placement select_cpu(const State&, const Settings&, const Machine&, const Wake&, Evidence<NullSink>&);
template Placement select_cpu(const State&, const Settings&, const Machine&, const Wake&, Evidence<CountSink>&);
template Placement select_cpu(const State&, const Settings&, const Machine&, const Wake&, Evidence<HeaderSink>&);
template Placement select_cpu(const State&, const Settings&, const Machine&, const Wake&, Evidence<FullSink>&);

} // namespace picknext::placement
