// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/engine/engine.hpp"

#include <algorithm>
#include <optional>

#include "core/balance/attach.hpp"
#include "core/engine/bandwidth.hpp"
#include "core/engine/charging.hpp"
#include "core/engine/driver.hpp"
#include "core/engine/hotplug.hpp"
#include "core/nohz/nohz.hpp"

namespace picknext {
namespace engine {

MaskId mask_row(State& st, const CpuSet& set) {
    std::vector<std::uint64_t> row(st.mask_words, 0);
    bool any = false;
    for_each_cpu(set, [&](CpuId cpu) {
        if (cpu.index() >= st.cpu_count()) return;
        set_bit(row, cpu);
        any = true;
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

namespace {
State state_of(const Scenario& scenario, const engine::Plan& plan) {
    const Domains& domains = *plan.partitions.front();
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
    balance::attach_domains(st, domains);
    engine::prepare_costs(st, scenario);
    if (st.settings.patch(Patch::nohz_tick) == static_cast<int>(NohzTick::never)) start_all_ticks(st);
    else stop_all_ticks(st, domains);
    st.groups.emplace_back();
    st.groups[0].first_queue = QueueId{0};
    for (std::size_t g = 0; g < plan.groups.size(); ++g)
        add_group(st, plan.group_parents[g], static_cast<std::uint64_t>(plan.groups[g].shares), plan.groups[g].idle);
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
    for (std::size_t e = 0; e < scenario.edits.size(); ++e)
        push_event(st, scenario.edits[e].at, EventKind::edit, static_cast<std::int32_t>(e), 0);
    return st;
}
} // namespace

State initial_state(const Scenario& scenario) { return state_of(scenario, engine::make_plan(scenario)); }

Engine::Engine(std::shared_ptr<const Scenario> scenario)
    : m_scenario(std::move(scenario)), m_plan(std::make_shared<engine::Plan>(engine::make_plan(*m_scenario))),
      m_state(state_of(*m_scenario, *m_plan)) {}

void Engine::cover(const CpuSet& online) {
    if (engine::has_partition(*m_plan, online)) return;
    auto plan = std::make_shared<engine::Plan>(*m_plan); // other engines may share the old one
    engine::add_partition(*plan, *m_scenario, online);
    m_plan = std::move(plan);
}

void Engine::cover_next() {
    const Event& next = m_state.events.front();
    if (next.kind != EventKind::edit) return;
    cover(engine::online_after(m_scenario->edits[static_cast<std::size_t>(next.subject)], engine::online_cpus(m_state)));
}

void Engine::restore(const State& state) {
    m_state = state;
    cover(engine::online_cpus(m_state));
}

template <DecisionSink S>
void Engine::edit(const Edit& edit, S& sink) {
    cover(engine::online_after(edit, engine::online_cpus(m_state)));
    Recorder<S> recorder(sink);
    ++m_state.event;
    engine::carry_out(m_state, *m_scenario, *m_plan, recorder, edit);
}

std::int64_t Engine::next_event_time() const { return m_state.events.empty() ? INT64_MAX : m_state.events.front().at; }

namespace {
/// One driver serves event after event, until an edit changes who is online.
template <DecisionSink S>
void process_next(State& st, const Scenario& scenario, const engine::Plan& plan, Recorder<S>& recorder, std::optional<engine::Driver<S>>& driver) {
    const Event event = pop_event(st);
    st.now = event.at;
    ++st.event;
    if (event.kind == EventKind::edit) {
        driver.reset();
        engine::carry_out(st, scenario, plan, recorder, scenario.edits[static_cast<std::size_t>(event.subject)]);
        return;
    }
    if (!driver) driver.emplace(st, scenario, plan, recorder);
    driver->handle(event);
}
} // namespace

template <DecisionSink S>
bool Engine::step(S& sink) {
    if (m_state.events.empty()) return false;
    Recorder<S> recorder(sink);
    std::optional<engine::Driver<S>> driver;
    cover_next();
    process_next(m_state, *m_scenario, *m_plan, recorder, driver);
    return true;
}

template <DecisionSink S>
StopReason Engine::run(const RunLimit& limit, S& sink, std::stop_token stop, const Progress& progress) {
    Recorder<S> recorder(sink);
    std::optional<engine::Driver<S>> driver;
    for (std::uint64_t n = 1; !m_state.events.empty(); ++n) {
        if (m_state.event >= limit.events || m_state.decisions >= limit.decisions) return StopReason::limit;
        if (next_event_time() > limit.time) {
            m_state.now = limit.time;
            return StopReason::limit;
        }
        cover_next();
        process_next(m_state, *m_scenario, *m_plan, recorder, driver);
        if (n % 4096 != 0) continue;
        if (stop.stop_requested()) return StopReason::cancelled;
        if (progress) progress(m_state);
    }
    return StopReason::finished;
}

template void Engine::edit(const Edit&, NullSink&);
template void Engine::edit(const Edit&, CountSink&);
template void Engine::edit(const Edit&, HeaderSink&);
template void Engine::edit(const Edit&, FullSink&);
template bool Engine::step(NullSink&);
template bool Engine::step(CountSink&);
template bool Engine::step(HeaderSink&);
template bool Engine::step(FullSink&);
template StopReason Engine::run(const RunLimit&, NullSink&, std::stop_token, const Progress&);
template StopReason Engine::run(const RunLimit&, CountSink&, std::stop_token, const Progress&);
template StopReason Engine::run(const RunLimit&, HeaderSink&, std::stop_token, const Progress&);
template StopReason Engine::run(const RunLimit&, FullSink&, std::stop_token, const Progress&);

} // namespace picknext
