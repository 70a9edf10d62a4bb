// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/engine/charging.hpp"

#include <algorithm>
#include <utility>

#include "core/cost/refill.hpp"
#include "core/state/events.hpp"

namespace picknext::engine {

using cost::Cost;
using cost::LineKind;
using cost::LineOp;

Charging::Charging(State& state, const Scenario& scenario, const Domains& doms)
    : st(state), m_scenario(scenario), domains(doms), m_costs(scenario.costs.costs), m_on(!state.idle_histories.empty()) {
    if (m_on) m_layout = cost::layout(scenario.machine);
}

void prepare_costs(State& st, const Scenario& scenario) {
    if (!cost::charges(scenario.costs.costs)) return;
    st.idle_histories.assign(st.cpu_count(), {});
    st.cache_lines = cost::make_lines(scenario.machine);
}

std::int64_t Charging::access(CpuId cpu, LineKind kind, std::size_t at, LineOp op) {
    return cost::access(st.cache_lines, m_costs, m_scenario.machine, m_layout.line(kind, at), cpu, op, clock(cpu));
}

std::int64_t Charging::path(CpuId cpu, std::int64_t ns) const { return cost::cold_ns(m_costs, ns, st.idle_histories[cpu.index()].cold); }

std::size_t Charging::llc(CpuId cpu) const { return m_scenario.machine.cpus[cpu.index()].llc.index(); }

// ---- system calls

std::int64_t Charging::entry(const Op& op, const Workload& workload, bool retrying) const {
    if (!m_on) return 0;
    const auto kind = [&] { return workload.resources[static_cast<std::size_t>(op.resource)].kind; };
    switch (op.kind) {
    case OpKind::read: return read_part(kind(), retrying);
    case OpKind::write:
        if (retrying) return 0; // it was copied when it came in
        switch (kind()) {
        case ResourceKind::unix_socket: return m_costs[Cost::unix_socket_pair] / 2;
        case ResourceKind::tcp_socket:
        case ResourceKind::udp_socket: return m_costs[Cost::tcp_send];
        default: return m_costs[Cost::pipe_write];
        }
    case OpKind::sleep:
    case OpKind::timer:
    case OpKind::suspend:
    case OpKind::resume:
    case OpKind::wake:
    case OpKind::fork:
    case OpKind::yield:
    case OpKind::set:
    case OpKind::exit: return m_costs[Cost::syscall];
    default: return 0; // locks and mailboxes: only who waits or wakes calls the kernel
    }
}

void Charging::bring_lines(CpuId from, CpuId cpu) {
    if (!from || from == cpu) return;
    const std::int64_t each = cost::distance(m_costs, cost::sharing(m_scenario.machine, from, cpu));
    charge(cpu, Spend::message_lines, m_costs[Cost::pipe_line_transfers] * each / 2);
}

/// Who comes while another holds the mutex spins until it is free. The holder is through with its critical section now.
void Charging::lock_pipe(CpuId cpu, const ResourceSpec& spec, Resource& channel) {
    const std::int64_t held = m_costs[Cost::pipe_mutex], end = clock(cpu), begin = end - held;
    if (held == 0 || spec.kind != ResourceKind::pipe) return;
    const bool meets = begin >= channel.locked_from && begin < channel.locked_until;
    const std::int64_t wait = meets ? channel.locked_until - begin : 0;
    charge(cpu, Spend::mutex, wait);
    if (begin >= channel.locked_until) channel.locked_from = begin;
    if (meets || begin >= channel.locked_until) channel.locked_until = end + wait;
}

void Charging::passed_message(CpuId cpu, const ResourceSpec& spec, Resource& channel) {
    if (!m_on) return;
    lock_pipe(cpu, spec, channel);
    bring_lines(std::exchange(channel.toucher, cpu), cpu);
}

std::int64_t Charging::read_part(ResourceKind channel, bool returning) const {
    switch (channel) {
    case ResourceKind::unix_socket: return m_costs[Cost::unix_socket_pair] / 4;
    case ResourceKind::tcp_socket:
    case ResourceKind::udp_socket: return m_costs[Cost::tcp_receive] / 2;
    default: return m_costs[returning ? Cost::pipe_read_return : Cost::pipe_read_block];
    }
}

void Charging::read_returned(CpuId cpu, const ResourceSpec& channel) { charge(cpu, Spend::syscall, read_part(channel.kind, true)); }

void Charging::futex_wake(CpuId cpu) {
    if (m_on) charge(cpu, Spend::wakeup, path(cpu, m_costs[Cost::futex_wake]));
}

// ---- wakeups

void Charging::wakeup(CpuId waker) {
    if (m_on) charge(waker, Spend::wakeup, path(waker, m_costs[Cost::wakeup]));
}

std::int64_t Charging::searched(CpuId waker, const placement::Placement& placed, const placement::Looks& looks) {
    const std::int64_t began = clock(waker);
    const auto shared = [&](std::int64_t ns) { charge(waker, Spend::shared_lines, ns); };
    if (looks.flag_of) {
        shared(access(waker, LineKind::domain_pointers, looks.flag_of.index(), LineOp::read));
        shared(access(waker, LineKind::llc_shared, llc(looks.flag_of), LineOp::read));
        if (!domains.smt_present) shared(cost::llc_shared_extra_ns(m_costs));
    }
    if (looks.mask_of) shared(access(waker, LineKind::idle_mask, llc(looks.mask_of), LineOp::read) + m_costs[Cost::mask_test]);
    for (const CpuId cpu : looks.queues)
        charge(waker, Spend::idle_scan, m_costs[Cost::scan_step] + access(waker, LineKind::rq, cpu.index(), LineOp::read));
    if (placed.idle_cores_gone) shared(access(waker, LineKind::llc_shared, llc(placed.target ? placed.target : placed.cpu), LineOp::write));
    return clock(waker) - began;
}

void Charging::queue_changed(CpuId by, CpuId queue) {
    if (!m_on) return;
    charge(by, Spend::shared_lines, access(by, LineKind::rq, queue.index(), LineOp::write));
    charge(by, Spend::tree, cost::rbtree_ns(m_costs, st.rq(queue).nr_running, st.settings.eevdf()) / 2);
}

void Charging::notify(CpuId from, CpuId target, bool sent) {
    Rq& rq = st.rq(target);
    if (rq.arrival != 0) return;
    const bool idle = !rq.curr;
    const bool polling = idle && m_costs[Cost::polling_idle] != 0;
    if (!polling) st.accounts.count(Tally::ipis);
    if (!sent) charge(from, Spend::ipi, m_costs[polling ? Cost::polling_wake : Cost::ipi_send]);
    std::int64_t at = clock(from);
    if (!polling) {
        at += m_costs[Cost::ipi_delivery];
        st.accounts.spend(Spend::ipi, m_costs[Cost::ipi_delivery]);
    }
    if (rq.kernel_until > at) {
        if (idle) at = rq.kernel_until; // it has not come to sleep yet
    } else if (idle) {
        const std::int64_t exit = cost::idle_exit_ns(m_costs, st.idle_histories[target.index()].predicted);
        st.accounts.spend(Spend::idle_exit, exit);
        at += exit;
    }
    rq.arrival = std::max(at, st.now + 1); // 0 would mean that none is on its way
    push_event(st, rq.arrival, EventKind::arrival, target.value, static_cast<std::uint64_t>(rq.arrival));
}

std::int64_t Charging::awake_at(CpuId cpu) {
    Rq& rq = st.rq(cpu);
    if (!m_on || rq.curr || rq.nr_running != 0 || rq.arrival != 0 || rq.kernel_until >= st.now) return st.now;
    const std::int64_t exit = cost::idle_exit_ns(m_costs, st.idle_histories[cpu.index()].predicted);
    charge(cpu, Spend::idle_exit, exit);
    return clock(cpu);
}

// ---- switches and idleness

namespace {
cost::PickPath priced(PickPath path) {
    switch (path) {
    case PickPath::direct: return cost::PickPath::single;
    case PickPath::parity: return cost::PickPath::parity;
    case PickPath::slow: return cost::PickPath::heap;
    default: return cost::PickPath::leftmost;
    }
}
} // namespace

void Charging::picked(CpuId cpu, PickPath path, std::uint32_t queued) {
    if (m_on) charge(cpu, Spend::pick, cost::pick_ns(m_costs, priced(path), std::max<std::int64_t>(1, queued)));
}

/// Threads of one program share theirs: -1.
std::int32_t Charging::address_space(TaskId task) const {
    if (!task) return -1;
    return m_scenario.workload.tasks[static_cast<std::size_t>(st.task(task).program)].process ? task.value : -1;
}

std::int64_t Charging::refill(CpuId cpu, TaskId next) const {
    const Task& task = st.task(next);
    const std::int64_t footprint = task.footprint * bytes_per_ns, set = m_costs[Cost::working_set];
    if (footprint == 0 || !task.ran_on) return 0;
    if (task.ran_on != cpu) return cost::refill_ns(m_costs, cost::sharing(m_scenario.machine, task.ran_on, cpu), set, footprint);
    return st.rq(cpu).ran_last != next ? cost::refill_preempted_ns(m_costs, set, footprint) : 0;
}

void Charging::switched(CpuId cpu, TaskId prev, TaskId next) {
    if (!m_on) return;
    IdleHistory& idle = st.idle_histories[cpu.index()];
    Rq& rq = st.rq(cpu);
    if (!prev && next) {
        const std::int64_t length = st.now - idle.began;
        idle.record(length);
        idle.cold = length;
    } else {
        idle.cold = 0;
        if (!next) idle.began = st.now;
    }
    charge(cpu, Spend::shared_lines, access(cpu, LineKind::rq, cpu.index(), LineOp::write));
    charge(cpu, Spend::context_switch, m_costs[prev && next ? Cost::context_switch : Cost::switch_from_idle]); // to idle: assumed to be as much
    cost::apply_switch(st.cache_lines, m_costs, cpu, st.switches, st.seed);
    if (!next) return;
    if (rq.ran_last && rq.ran_last != next && address_space(rq.ran_last) != address_space(next))
        charge(cpu, Spend::context_switch, m_costs[Cost::address_space]);
    charge(cpu, Spend::refill, refill(cpu, next));
    rq.ran_last = next;
    st.task(next).ran_on = cpu;
}

/// The CPU's own timers: its tick, and the sleepers that armed theirs there.
std::int64_t Charging::predicted_idle(CpuId cpu, bool with_tick) const {
    std::int64_t next = !with_tick ? INT64_MAX : (st.now / st.settings.tick_ns() + 1) * st.settings.tick_ns();
    for (const Event& event : st.events)
        if (event.kind == EventKind::timer && event.at < next && st.task(TaskId{event.subject}).cpu == cpu) next = event.at;
    return cost::predict_idle(next == INT64_MAX ? next : next - st.now, st.idle_histories[cpu.index()]);
}

void Charging::idles(CpuId cpu) {
    if (!m_on || m_costs.idle_state_count < 2) return;
    st.idle_histories[cpu.index()].predicted = predicted_idle(cpu, st.rq(cpu).tick_stopped == 0);
}

// ---- ticks and balancing

std::int64_t Charging::balanced(CpuId cpu, const balance::PassResult& pass) {
    if (!m_on) return 0;
    const std::int64_t ns = cost::balance_ns(m_costs, pass.examined, pass.tested, pass.moved);
    charge(cpu, Spend::balance, ns);
    return ns;
}

void Charging::nohz_entered(CpuId cpu, bool joins) {
    st.accounts.count(Tally::nohz_enters);
    if (!m_on) return;
    if (!joins) return charge(cpu, Spend::nohz, access(cpu, LineKind::nohz, 0, LineOp::write)); // only marks that there is blocked load
    st.accounts.count(Tally::nohz_joins);
    // Before the flag of thread 5's kernel there was less to write; the cpumask variant adds an atomic on a shared word.
    std::int64_t ns = m_costs[Cost::nohz_enter];
    const std::int64_t lines = access(cpu, LineKind::nohz, 0, LineOp::atomic) + access(cpu, LineKind::llc_shared, llc(cpu), LineOp::atomic);
    ns = std::max(ns, lines); // the constant was measured with these lines uncontended
    if (st.settings.patch(Patch::nohz_stats_decayed) == static_cast<int>(NohzStats::cpumask)) ns += access(cpu, LineKind::stats_mask, 0, LineOp::atomic);
    st.accounts.count(Tally::nohz_enter_ns, static_cast<std::uint64_t>(ns));
    charge(cpu, Spend::nohz, ns);
}

void Charging::nohz_left(CpuId cpu) {
    if (!m_on) return;
    charge(cpu, Spend::shared_lines, access(cpu, LineKind::nohz, 0, LineOp::atomic));
    charge(cpu, Spend::shared_lines, access(cpu, LineKind::llc_shared, llc(cpu), LineOp::atomic));
}

void Charging::nohz_round(CpuId cpu, std::int64_t refreshed, std::int64_t skipped) {
    st.accounts.count(Tally::nohz_runs);
    if (!m_on) return;
    const std::int64_t ns = cost::nohz_ns(m_costs, refreshed, skipped);
    st.accounts.count(Tally::nohz_run_ns, static_cast<std::uint64_t>(ns));
    charge(cpu, Spend::nohz, ns);
}

void Charging::mask_written(CpuId by, CpuId cpu) {
    if (m_on) charge(by, Spend::shared_lines, access(by, LineKind::idle_mask, llc(cpu), LineOp::atomic));
}

} // namespace picknext::engine
