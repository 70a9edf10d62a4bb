// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/engine/engine.hpp"

#include <algorithm>
#include <string>

#include "core/balance/attach.hpp"
#include "core/engine/bandwidth.hpp"
#include "core/engine/driver.hpp"
#include "core/nohz/nohz.hpp"

namespace picknext {
namespace engine {

namespace {

std::vector<std::int32_t> own_timers(const TaskSpec& spec, const Workload& workload) {
    std::vector<std::int32_t> own;
    for (const Phase& phase : spec.phases)
        for (const Op& op : phase.ops) {
            if (op.kind != OpKind::timer || workload.resources[static_cast<std::size_t>(op.resource)].shared) continue;
            if (std::find(own.begin(), own.end(), op.resource) == own.end()) own.push_back(op.resource);
        }
    return own;
}

std::vector<const Op*> own_lists(const TaskSpec& spec) {
    std::vector<const Op*> own;
    for (const Phase& phase : spec.phases)
        for (const Op& op : phase.ops)
            if (op.amount.kind == Dist::Kind::list) own.push_back(&op);
    return own;
}

std::string parent_path(const std::string& path) { return path.substr(0, path.rfind('/')); }

GroupId find_group(const Plan& plan, const std::string& path) {
    for (std::size_t g = 0; g < plan.groups.size(); ++g)
        if (plan.groups[g].path == path) return GroupId{g + 1};
    return GroupId{0};
}

/// Adds the group of a path after its parents; one the workload does not describe has the defaults.
void add_path(Plan& plan, const Workload& workload, const std::string& path) {
    if (path.empty() || path == "/" || find_group(plan, path) != GroupId{0}) return;
    add_path(plan, workload, parent_path(path));
    const auto described = std::find_if(workload.groups.begin(), workload.groups.end(),
                                        [&](const GroupSpec& g) { return g.path == path; });
    plan.groups.push_back(described != workload.groups.end() ? *described : GroupSpec{.path = path});
}

} // namespace

Plan make_plan(const Scenario& scenario) {
    Plan plan;
    const Workload& workload = scenario.workload;
    for (const GroupSpec& group : workload.groups) add_path(plan, workload, group.path);
    for (const TaskSpec& task : workload.tasks) {
        add_path(plan, workload, task.group);
        plan.group_of.push_back(find_group(plan, task.group));
        plan.own_timers.push_back(own_timers(task, workload));
        plan.own_lists.push_back(own_lists(task));
    }
    plan.domains = build_domains(scenario.machine, scenario.machine.online(), scenario.settings.kernel);
    return plan;
}

MaskId mask_row(State& st, const CpuSet& set) {
    std::vector<std::uint64_t> row(st.mask_words, 0);
    bool any = false;
    for_each_cpu(set, [&](CpuId cpu) {
        if (cpu.index() >= st.cpu_count()) return;
        set_bit(row, cpu);
        any = any || st.rq(cpu).online != 0;
    });
    if (!any) return MaskId{0};
    const std::size_t rows = st.masks.size() / st.mask_words;
    for (std::size_t r = 0; r < rows; ++r)
        if (std::equal(row.begin(), row.end(), st.mask(MaskId{r}).begin())) return MaskId{r};
    st.masks.insert(st.masks.end(), row.begin(), row.end());
    return MaskId{rows};
}

TaskId add_instance(State& st, const Scenario& scenario, const Plan& plan, std::int32_t spec_index,
                    std::int32_t instance) {
    const auto index = static_cast<std::size_t>(spec_index);
    const TaskSpec& spec = scenario.workload.tasks[index];
    const MaskId affinity = mask_row(st, spec.affinity);
    const TaskId id = add_task(st, spec.policy, spec.nice, spec.slice, plan.group_of[index], affinity);
    Task& task = st.task(id);
    task.program = spec_index;
    task.instance = instance;
    task.cpu = spec.start_cpu.value_or(first_cpu(st.mask(affinity)));
    const std::size_t own = plan.own_timers[index].size() + plan.own_lists[index].size();
    if (own != 0) {
        task.first_own = ResourceId{st.resources.size()};
        st.resources.resize(st.resources.size() + own);
    }
    return id;
}

} // namespace engine

namespace {
/// Before the run every CPU has idled for long: its tick is off, and whoever keeps a mask of idle CPUs knows it.
void stop_all_ticks(State& st, const Domains& domains) {
    for (std::size_t c = 0; c < st.cpu_count(); ++c) {
        if (st.rqs[c].online == 0) continue;
        nohz::enter_idle(st, domains, CpuId{c});
        if (domains.cpus[c].shared) set_bit(st.llc_idle_cpus, CpuId{c});
    }
}

/// Nobody has run yet: setting limits decides nothing.
void limit_groups(State& st, const std::vector<GroupSpec>& groups) {
    NullSink nobody;
    Recorder<NullSink> unrecorded(nobody);
    Context<NullSink> cx{st, unrecorded};
    for (std::size_t g = 0; g < groups.size(); ++g)
        set_group_bandwidth(cx, GroupId{g + 1}, {.quota = groups[g].quota, .period = groups[g].period, .burst = groups[g].burst});
}

/// Without NO_HZ every CPU ticks, idle or not.
void start_all_ticks(State& st) {
    for (std::size_t c = 0; c < st.cpu_count(); ++c) {
        Rq& rq = st.rqs[c];
        if (rq.online == 0) continue;
        rq.tick_stopped = 0;
        push_event(st, st.settings.tick_ns(), EventKind::tick, static_cast<std::int32_t>(c), ++rq.tick_generation);
    }
}
} // namespace

State initial_state(const Scenario& scenario) {
    const engine::Plan plan = engine::make_plan(scenario);
    State st;
    st.settings = scenario.settings;
    st.seed = scenario.seed;
    st.pelt_epoch = pelt_clock_start;
    const std::size_t cpus = scenario.machine.cpu_count();
    st.mask_words = cpu_set_words(cpus);
    st.masks.assign(st.mask_words, 0);
    st.rqs.resize(cpus);
    st.queues.resize(cpus);
    for (std::size_t c = 0; c < cpus; ++c) {
        const Cpu& cpu = scenario.machine.cpus[c];
        set_bit(st.masks, CpuId{c});
        st.rqs[c].capacity = st.rqs[c].cpu_capacity = cpu.capacity;
        st.rqs[c].idle_stamp = 1; // idle since the start; 0 would mean it is not
        st.rqs[c].online = cpu.online ? 1 : 0;
        st.queues[c].ref = VTime{queue_start_vtime};
        st.queues[c].cpu = CpuId{c};
        st.queues[c].group = GroupId{0};
    }
    balance::attach_domains(st, plan.domains);
    if (st.settings.patch(Patch::nohz_tick) == static_cast<int>(NohzTick::never)) start_all_ticks(st);
    else stop_all_ticks(st, plan.domains);
    st.groups.emplace_back();
    st.groups[0].first_queue = QueueId{0};
    for (const GroupSpec& g : plan.groups)
        add_group(st, engine::find_group(plan, engine::parent_path(g.path)), static_cast<std::uint64_t>(g.shares), g.idle);
    limit_groups(st, plan.groups);
    st.resources.resize(scenario.workload.resources.size());
    for (std::size_t r = 0; r < st.resources.size(); ++r)
        if (scenario.workload.resources[r].kind == ResourceKind::sem) st.resources[r].value = scenario.workload.resources[r].initial;
    for (std::size_t s = 0; s < scenario.workload.tasks.size(); ++s) {
        const TaskSpec& spec = scenario.workload.tasks[s];
        for (int i = 0; i < spec.count; ++i) {
            const TaskId id = engine::add_instance(st, scenario, plan, static_cast<std::int32_t>(s), i);
            push_event(st, spec.start.ns, EventKind::start, id.value, 0);
        }
    }
    return st;
}

Engine::Engine(std::shared_ptr<const Scenario> scenario)
    : m_scenario(std::move(scenario)), m_plan(std::make_shared<engine::Plan>(engine::make_plan(*m_scenario))),
      m_state(initial_state(*m_scenario)) {}

std::int64_t Engine::next_event_time() const { return m_state.events.empty() ? INT64_MAX : m_state.events.front().at; }

namespace {
template <DecisionSink S>
void process_next(State& st, engine::Driver<S>& driver) {
    const Event event = pop_event(st);
    st.now = event.at;
    ++st.event;
    driver.handle(event);
}
} // namespace

template <DecisionSink S>
bool Engine::step(S& sink) {
    if (m_state.events.empty()) return false;
    Recorder<S> recorder(sink);
    engine::Driver<S> driver(m_state, *m_scenario, *m_plan, recorder);
    process_next(m_state, driver);
    return true;
}

template <DecisionSink S>
StopReason Engine::run(const RunLimit& limit, S& sink, std::stop_token stop, const Progress& progress) {
    Recorder<S> recorder(sink);
    engine::Driver<S> driver(m_state, *m_scenario, *m_plan, recorder);
    for (std::uint64_t n = 1; !m_state.events.empty(); ++n) {
        if (m_state.event >= limit.events || m_state.decisions >= limit.decisions) return StopReason::limit;
        if (next_event_time() > limit.time) {
            m_state.now = limit.time;
            return StopReason::limit;
        }
        process_next(m_state, driver);
        if (n % 4096 != 0) continue;
        if (stop.stop_requested()) return StopReason::cancelled;
        if (progress) progress(m_state);
    }
    return StopReason::finished;
}

template bool Engine::step(NullSink&);
template bool Engine::step(CountSink&);
template bool Engine::step(HeaderSink&);
template bool Engine::step(FullSink&);
template StopReason Engine::run(const RunLimit&, NullSink&, std::stop_token, const Progress&);
template StopReason Engine::run(const RunLimit&, CountSink&, std::stop_token, const Progress&);
template StopReason Engine::run(const RunLimit&, HeaderSink&, std::stop_token, const Progress&);
template StopReason Engine::run(const RunLimit&, FullSink&, std::stop_token, const Progress&);

} // namespace picknext
