// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/engine/hotplug.hpp"

#include <algorithm>

#include "core/balance/attach.hpp"
#include "core/engine/bandwidth.hpp"
#include "core/pelt/group.hpp"

namespace picknext::engine {
namespace {

/// Tunables the kernel scales by the number of online CPUs follow it (fn: update_sysctl).
void rescale(Settings& settings, int before, int after) {
    const auto scaling = static_cast<int>(settings[Tunable::scaling]);
    const int old_factor = scaling_factor(scaling, before), factor = scaling_factor(scaling, after);
    for (const TunableInfo& t : tunable_table())
        if (t.scales && settings[t.id] >= 0) settings[t.id] = settings[t.id] / old_factor * factor;
}

template <DecisionSink S>
Reason verdict(const State& st, const Edit& edit, const CpuSet& online, Evidence<S>& why) {
    const bool wanted = edit.kind == EditKind::online, is = st.rq(edit.cpu).online != 0;
    if (why.template check<Chk::cpu_online>(edit.cpu, is, wanted, is == wanted)) return Reason::hotplug_same;
    if (wanted) return Reason::hotplug_online;
    const int others = online.size() - 1;
    return why.template check<Chk::others_online>(edit.cpu, others, 0, others > 0) ? Reason::hotplug_offline : Reason::hotplug_last;
}

/// Decides, and writes what does not concern tasks: who is online, the domains, the scaled tunables. A CPU that goes has
/// left the mask of those without a tick first, while its LLC still counts it. Does anything change?
template <DecisionSink S>
bool switch_cpu(State& st, const Plan& plan, Recorder<S>& recorder, const Edit& edit) {
    const CpuSet online = online_cpus(st);
    Rq& rq = st.rq(edit.cpu);
    Evidence<S>& why = recorder.open();
    const Reason reason = verdict(st, edit, online, why);
    why.mark_last();
    const bool changes = switches_cpu(edit, online);
    const bool after = changes ? rq.online == 0 : rq.online != 0;
    recorder.announce(st, make_header(Kind::hotplug, reason, edit.cpu, TaskId::none(), after ? 1 : 0));
    if (!changes) return false;
    nohz::exit_idle(st, domains_of(plan, st), edit.cpu);
    rq.online = after ? 1 : 0;
    rq.nohz_flags = 0;
    if (!after) pelt::clear_group_loads(st, edit.cpu);
    balance::replace_domains(st, domains_of(plan, st));
    rescale(st.settings, online.size(), online.size() + (after ? 1 : -1));
    return true;
}

/// The instance of a task spec; none if it was not born yet.
TaskId find_instance(const State& st, std::int32_t program, std::int32_t instance) {
    const auto at = std::find_if(st.tasks.begin(), st.tasks.end(), [&](const Task& t) { return t.program == program && t.instance == instance; });
    return at == st.tasks.end() ? TaskId::none() : TaskId{static_cast<std::size_t>(at - st.tasks.begin())};
}

} // namespace

/// The CPU is offline already: whoever runs there is stopped and moved, then the next one is picked and moved before it
/// gets to run, until nobody is left (fns: balance_push, __balance_push_cpu_stop; before 5.11 migrate_tasks).
template <DecisionSink S>
void Driver<S>::drain(CpuId cpu) {
    Rq& rq = st.rq(cpu);
    pause(cpu);
    lift_limits(m_context, cpu);
    while (rq.curr || rq.nr_running != 0) {
        if (const TaskId running = rq.curr) {
            stop_current(m_context, cpu);
            switched(cpu, running, TaskId::none()); // moves it
        } else if (schedule(m_context, cpu)) {
            switched(cpu, TaskId::none(), rq.curr);
        }
    }
    if (rq.need_resched != 0) schedule(m_context, cpu); // goes idle
    rq.tick_stopped = 1;
    ++rq.tick_generation;
    ++rq.run_generation;
}

/// The CPU comes up idle, with its tick, and enters its idle loop.
template <DecisionSink S>
void Driver<S>::come_up(CpuId cpu) {
    update_rq_clock(st, cpu, st.now);
    restore_limits(st, cpu);
    arm_tick(cpu);
    idle_loop(cpu);
}

/// The kernel refuses a set without an online CPU (EINVAL of sched_setaffinity): nothing changes.
template <DecisionSink S>
void Driver<S>::change_affinity(TaskId id, const CpuSet& cpus) {
    bool any = cpus.empty();
    for_each_cpu(cpus, [&](CpuId c) { any = any || (c.index() < st.cpu_count() && st.rq(c).online != 0); });
    if (!any || st.task(id).state == TaskState::dead) return;
    st.task(id).affinity = mask_row(st, cpus);
    enforce_affinity(id);
}

template <DecisionSink S>
void Driver<S>::handle(const Edit& edit) {
    switch (edit.kind) {
    case EditKind::offline: drain(edit.cpu); break;
    case EditKind::online: come_up(edit.cpu); break;
    case EditKind::affinity:
        if (const TaskId task = find_instance(st, edit.task, edit.instance)) change_affinity(task, edit.cpus);
        break;
    }
    settle();
}

template <DecisionSink S>
void carry_out(State& st, const Scenario& scenario, const Plan& plan, Recorder<S>& recorder, const Edit& edit) {
    if (edit.kind != EditKind::affinity && !switch_cpu(st, plan, recorder, edit)) return;
    Driver<S>(st, scenario, plan, recorder).handle(edit);
}

#define PICKNEXT_FOR_SINK(S)                                     \
    template void Driver<S>::drain(CpuId);                       \
    template void Driver<S>::come_up(CpuId);                     \
    template void Driver<S>::change_affinity(TaskId, const CpuSet&); \
    template void Driver<S>::handle(const Edit&);                \
    template void carry_out(State&, const Scenario&, const Plan&, Recorder<S>&, const Edit&);
PICKNEXT_FOR_EACH_SINK(PICKNEXT_FOR_SINK)
#undef PICKNEXT_FOR_SINK

} // namespace picknext::engine
