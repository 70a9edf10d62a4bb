// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/bench/assumptions.hpp"

#include <algorithm>

namespace picknext::bench {
namespace {

using cost::Cost;

constexpr std::array distances{Cost::distance_same_core, Cost::distance_same_cluster, Cost::distance_same_llc, Cost::distance_same_socket,
                               Cost::distance_other_socket};
constexpr std::array syscall{Cost::syscall,          Cost::pipe_write, Cost::pipe_read_block, Cost::pipe_read_return,
                             Cost::unix_socket_pair, Cost::tcp_send,   Cost::tcp_receive};
constexpr std::array mutex{Cost::pipe_mutex};
constexpr std::array message_lines{Cost::pipe_line_transfers,  Cost::distance_same_core,   Cost::distance_same_cluster,
                                   Cost::distance_same_llc,    Cost::distance_same_socket, Cost::distance_other_socket};
constexpr std::array wakeup{Cost::wakeup, Cost::futex_wake, Cost::cold_factor, Cost::cold_after};
constexpr std::array idle_scan{Cost::scan_step,         Cost::mask_test,           Cost::line_hit,             Cost::distance_same_core, Cost::distance_same_cluster,
                               Cost::distance_same_llc, Cost::distance_same_socket, Cost::distance_other_socket};
constexpr std::array shared_lines{Cost::line_hit,          Cost::line_write,       Cost::line_atomic,           Cost::line_waiters,
                                  Cost::line_eviction,     Cost::llc_shared_extra, Cost::distance_same_core,    Cost::distance_same_cluster,
                                  Cost::distance_same_llc, Cost::distance_same_socket, Cost::distance_other_socket};
constexpr std::array ipi{Cost::ipi_send, Cost::ipi_delivery, Cost::polling_wake};
constexpr std::array context_switch{Cost::context_switch, Cost::address_space, Cost::switch_from_idle};
constexpr std::array tree{Cost::rbtree_fixed, Cost::rbtree_log2, Cost::rbtree_augmented};
constexpr std::array pick{Cost::pick_single, Cost::pick_parity, Cost::pick_leftmost, Cost::pick_heap_fixed, Cost::pick_heap_log2};
constexpr std::array refill{Cost::refill_mlp, Cost::refill_preempted, Cost::working_set};
constexpr std::array tick{Cost::tick};
constexpr std::array stopper{Cost::stopper};
constexpr std::array balance{Cost::balance_pass, Cost::balance_cpu, Cost::balance_task, Cost::balance_move};
constexpr std::array nohz{Cost::nohz_loop, Cost::nohz_refresh, Cost::nohz_skip, Cost::nohz_enter};

bool is_distance(Cost c) { return std::find(distances.begin(), distances.end(), c) != distances.end(); }

/// Some pair of CPUs of the machine is related like this.
bool machine_has(const Machine& machine, Cost distance) {
    const auto relation = static_cast<cost::Sharing>(cost::index_of(distance) + 1); // Sharing begins with same_cpu
    const auto cpus = static_cast<std::int32_t>(machine.cpus.size());
    for (std::int32_t a = 0; a < cpus; ++a)
        for (std::int32_t b = 0; b < a; ++b)
            if (cost::sharing(machine, CpuId(a), CpuId(b)) == relation) return true;
    return false;
}

bool workload_uses(const Workload& workload, std::initializer_list<ResourceKind> kinds) {
    return std::any_of(workload.resources.begin(), workload.resources.end(),
                       [&](const ResourceSpec& r) { return std::find(kinds.begin(), kinds.end(), r.kind) != kinds.end(); });
}

/// Whether a run of this workload can be charged the constant at all.
bool can_use(const Plan& plan, const Workload& workload, Cost c) {
    using Kind = ResourceKind;
    const cost::Costs& costs = plan.costs.costs;
    switch (c) {
    case Cost::pipe_write:
    case Cost::pipe_mutex:
    case Cost::pipe_read_block:
    case Cost::pipe_read_return: return workload_uses(workload, {Kind::pipe});
    case Cost::unix_socket_pair: return workload_uses(workload, {Kind::unix_socket});
    case Cost::tcp_send:
    case Cost::tcp_receive: return workload_uses(workload, {Kind::tcp_socket, Kind::udp_socket});
    case Cost::futex_wake: return workload_uses(workload, {Kind::mutex, Kind::cond, Kind::sem, Kind::barrier, Kind::suspend, Kind::mailbox});
    case Cost::address_space: return std::any_of(workload.tasks.begin(), workload.tasks.end(), [](const TaskSpec& t) { return t.process; });
    case Cost::llc_shared_extra: return costs[Cost::llc_shared_extra_on] != 0;
    case Cost::polling_wake: return costs[Cost::polling_idle] != 0;
    case Cost::cold_factor:
    case Cost::cold_after: return costs[Cost::cold_on] != 0;
    case Cost::rbtree_augmented: return plan.arms.front().settings.eevdf();
    default: return !is_distance(c) || machine_has(plan.machine, c);
    }
}

} // namespace

std::span<const cost::Cost> constants_of(Spend kind) {
    switch (kind) {
    case Spend::syscall: return syscall;
    case Spend::message_lines: return message_lines;
    case Spend::mutex: return mutex;
    case Spend::wakeup: return wakeup;
    case Spend::idle_scan: return idle_scan;
    case Spend::shared_lines: return shared_lines;
    case Spend::ipi: return ipi;
    case Spend::idle_exit: return {}; // the idle states have rows of their own
    case Spend::context_switch: return context_switch;
    case Spend::tree: return tree;
    case Spend::pick: return pick;
    case Spend::refill: return refill;
    case Spend::tick: return tick;
    case Spend::stopper: return stopper;
    case Spend::balance: return balance;
    case Spend::nohz: return nohz;
    case Spend::count: break;
    }
    return {};
}

std::vector<Assumption> assumptions(const Plan& plan, const Workload& workload, const Breakdown& where) {
    std::vector<Assumption> out;
    const double all = where.kernel_time();
    if (all <= 0) return out;
    std::array<bool, cost::cost_count> usable{};
    for (const cost::CostInfo& i : cost::cost_table()) usable[cost::index_of(i.id)] = plan.costs.costs[i.id] != 0 && can_use(plan, workload, i.id);
    for (std::size_t k = 0; k < where.spent.size(); ++k) {
        if (where.spent[k] <= 0) continue;
        for (const Cost c : constants_of(static_cast<Spend>(k)))
            if (usable[cost::index_of(c)]) out.push_back({c, plan.costs.provenance[cost::index_of(c)].basis, static_cast<Spend>(k), where.spent[k] / all});
    }
    std::stable_sort(out.begin(), out.end(), [](const Assumption& a, const Assumption& b) { return a.share > b.share; });
    return out;
}

cost::Basis idle_basis(const cost::CostProfile& profile) {
    cost::Basis worst = cost::Basis::published;
    for (std::size_t i = 0; i < static_cast<std::size_t>(profile.costs.idle_state_count); ++i) worst = std::max(worst, profile.idle_state_provenance[i].basis);
    return worst;
}

double idle_share(const Breakdown& where) {
    const double all = where.kernel_time();
    return all > 0 ? where.spent[static_cast<std::size_t>(Spend::idle_exit)] / all : 0;
}

std::array<double, cost::basis_names.size()> time_by_basis(const std::vector<Assumption>& list) {
    std::array<double, static_cast<std::size_t>(Spend::count)> share{};
    std::array<std::size_t, static_cast<std::size_t>(Spend::count)> worst{};
    for (const Assumption& a : list) {
        const auto k = static_cast<std::size_t>(a.kind);
        share[k] = a.share;
        worst[k] = std::max(worst[k], static_cast<std::size_t>(a.basis));
    }
    std::array<double, cost::basis_names.size()> out{};
    for (std::size_t k = 0; k < share.size(); ++k) out[worst[k]] += share[k];
    return out;
}

} // namespace picknext::bench
