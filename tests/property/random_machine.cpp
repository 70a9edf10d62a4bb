// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/property/random_machine.hpp"

#include <fmt/format.h>

#include "core/engine/bandwidth.hpp"
#include "core/pelt/pelt.hpp"
#include "core/state/events.hpp"

namespace picknext::testing {
namespace {

State empty_state(const Settings& settings, std::size_t cpus) {
    State st;
    st.settings = settings;
    st.pelt_epoch = pelt_clock_start;
    st.mask_words = 1;
    st.masks = {(1ULL << cpus) - 1};
    st.rqs.resize(cpus);
    st.queues.resize(cpus);
    for (std::size_t c = 0; c < cpus; ++c) {
        st.queues[c].ref = VTime{queue_start_vtime};
        st.queues[c].cpu = CpuId{c};
        st.queues[c].group = GroupId{0};
    }
    st.groups.resize(1);
    st.groups[0].first_queue = QueueId{0};
    return st;
}

bool sleeps(const State& st, TaskId t) { return st.task(t).state == TaskState::sleeping; }
bool lives(const State& st, TaskId t) { return st.task(t).state != TaskState::dead; }
bool waits(const State& st, TaskId t) { return st.task(t).on_rq != 0 && st.rq(st.task(t).cpu).curr != t; }

} // namespace

template <DecisionSink S>
RandomMachine<S>::RandomMachine(const Settings& settings, const Mix& mix, std::uint64_t seed, S& sink)
    : m_st(empty_state(settings, mix.cpus)), m_mix(mix), m_seed(seed), m_recorder(sink) {
    for (int g = 0; g < mix.groups; ++g) {
        const GroupId parent{static_cast<std::size_t>(below(m_st.groups.size()))};
        const GroupId group = add_group(m_st, parent, 2 + below(4096), below(8) == 0);
        if (m_mix.limits) limit(group);
    }
}

template <DecisionSink S>
void RandomMachine<S>::limit(GroupId group) {
    constexpr std::uint64_t ms = 1'000'000;
    BandwidthLimit limit;
    limit.period = static_cast<std::int64_t>(5 * ms + below(40 * ms));
    if (below(4) != 0) limit.quota = static_cast<std::int64_t>(ms + below(30 * ms));
    if (below(3) == 0) limit.burst = static_cast<std::int64_t>(below(static_cast<std::uint64_t>(limit.quota) + 1));
    set_group_bandwidth(m_cx, group, limit);
}

template <DecisionSink S>
void RandomMachine<S>::pass(std::int64_t to) {
    while (!m_st.events.empty() && m_st.events.front().at <= to) {
        const Event e = pop_event(m_st);
        m_st.now = e.at;
        if (e.kind == EventKind::bandwidth_period) bandwidth_period_timer(m_cx, GroupId{e.subject});
        else bandwidth_slack_timer(m_cx, GroupId{e.subject});
        settle();
    }
    m_st.now = to;
}

template <DecisionSink S>
TaskId RandomMachine<S>::any_task(bool (*suits)(const State&, TaskId)) {
    const std::size_t n = m_st.tasks.size();
    if (n == 0) return {};
    const std::size_t from = below(n);
    for (std::size_t i = 0; i < n; ++i)
        if (const TaskId t{(from + i) % n}; suits(m_st, t)) return t;
    return {};
}

template <DecisionSink S>
Policy RandomMachine<S>::any_policy() {
    const std::uint64_t r = m_mix.changes ? below(8) : 7;
    return r == 0 ? Policy::batch : r == 1 ? Policy::idle : Policy::normal;
}

template <DecisionSink S>
void RandomMachine<S>::settle() {
    for (std::size_t c = 0; c < m_st.cpu_count(); ++c)
        for (const CpuId cpu{c}; m_st.rq(cpu).need_resched != 0;) {
            before_schedule(cpu);
            schedule(m_cx, cpu);
        }
}

template <DecisionSink S>
std::string RandomMachine<S>::fork() {
    if (m_alive >= m_mix.most_tasks) return leave(below(4) == 0);
    ++m_alive;
    const GroupId group{static_cast<std::size_t>(below(m_st.groups.size()))};
    const TaskId t = add_task(m_st, any_policy(), any_nice(), any_slice(), group, MaskId{0});
    const CpuId cpu = any_cpu();
    wake_up_new_task(m_cx, t, cpu, any_cpu());
    return fmt::format("fork {} on {}", t, cpu);
}

template <DecisionSink S>
std::string RandomMachine<S>::wake() {
    const TaskId t = any_task(sleeps);
    if (!t) return fork();
    if (m_st.task(t).on_rq != 0) {
        revive_task(m_cx, t, {});
        return fmt::format("revive {}", t);
    }
    const CpuId cpu = below(3) == 0 ? any_cpu() : m_st.task(t).cpu;
    activate_task(m_cx, t, cpu, {.migrated = cpu != m_st.task(t).cpu});
    return fmt::format("wake {} on {}", t, cpu);
}

template <DecisionSink S>
std::string RandomMachine<S>::leave(bool exiting) {
    const CpuId cpu = any_cpu();
    const TaskId t = m_st.rq(cpu).curr;
    if (!t) return tick();
    block_current(m_cx, cpu, exiting);
    m_st.rq(cpu).need_resched = 1;
    settle();
    if (exiting) {
        task_dead(m_st, t);
        --m_alive;
    }
    return fmt::format("{} {} on {}", exiting ? "exit" : "sleep", t, cpu);
}

template <DecisionSink S>
std::string RandomMachine<S>::tick() {
    pass((m_st.now / m_st.settings.tick_ns() + 1) * m_st.settings.tick_ns());
    for (std::size_t c = 0; c < m_st.cpu_count(); ++c)
        sched_tick(m_cx, CpuId{c});
    return "tick";
}

template <DecisionSink S>
std::string RandomMachine<S>::change() {
    const TaskId t = any_task(lives);
    if (!t || !m_mix.changes) return tick();
    switch (below(m_mix.limits ? 5 : 4)) {
    case 0:
        set_nice(m_cx, t, any_nice());
        return fmt::format("nice {}", t);
    case 1:
        set_attributes(m_cx, t, {.policy = any_policy(), .nice = any_nice(), .slice = any_slice()});
        return fmt::format("attributes {}", t);
    case 2: {
        const TaskId moved = any_task(waits);
        if (!moved || m_st.cpu_count() < 2) return tick();
        const CpuId to{(m_st.task(moved).cpu.index() + 1) % m_st.cpu_count()};
        move_queued_task(m_cx, moved, to);
        return fmt::format("move {} to {}", moved, to);
    }
    case 4: {
        const GroupId g{1 + static_cast<std::size_t>(below(m_st.groups.size() - 1))};
        limit(g);
        return fmt::format("limit {}", g);
    }
    default:
        if (m_st.groups.size() < 2) return tick();
        const GroupId g{1 + static_cast<std::size_t>(below(m_st.groups.size() - 1))};
        if (m_st.groups[g.index()].idle == 0) set_group_shares(m_cx, g, 2 + below(4096));
        return fmt::format("shares {}", g);
    }
}

template <DecisionSink S>
std::string RandomMachine<S>::yield() {
    const CpuId cpu = any_cpu();
    if (!m_st.rq(cpu).curr || !m_mix.changes) return tick();
    yield_current(m_cx, cpu);
    m_st.rq(cpu).need_resched = 1;
    return fmt::format("yield on {}", cpu);
}

template <DecisionSink S>
std::string RandomMachine<S>::step() {
    pass(m_st.now + static_cast<std::int64_t>(below(3) == 0 ? 0 : below(1'500'000)));
    ++m_st.event;
    std::string done;
    const std::uint64_t r = below(100);
    if (r < 35)
        done = tick();
    else if (r < 60)
        done = wake();
    else if (r < 82)
        done = leave(below(20) == 0);
    else if (r < 88)
        done = fork();
    else if (r < 96)
        done = change();
    else
        done = yield();
    settle();
    return done;
}

template class RandomMachine<NullSink>;
template class RandomMachine<CountSink>;
template class RandomMachine<HeaderSink>;
template class RandomMachine<FullSink>;

} // namespace picknext::testing
