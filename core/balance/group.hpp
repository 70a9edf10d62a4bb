// SPDX-License-Identifier: GPL-3.0-or-later
// What is known of a group of CPUs when groups are compared, and what type of group that makes it.
#pragma once

#include <cstdint>
#include <string_view>

#include "core/profile/profile.hpp"
#include "core/topology/domains.hpp"

namespace picknext::balance {

/// From idle to busy; the order decides which group is busier.
enum class GroupType : std::uint8_t { has_spare, fully_busy, misfit_task, smt_balance, asym_packing, imbalanced, overloaded };
/// The kernel's name without "group_".
[[nodiscard]] std::string_view name_of(GroupType type);

/// sg_lb_stats. Loads and capacities are sums over the group's CPUs, 1024 = one full CPU.
struct GroupStats {
    std::uint64_t avg_load = 0;       // load * 1024 / capacity, only of overloaded groups (placement: fully busy too)
    std::uint64_t load = 0;
    std::uint64_t capacity = 0;
    std::uint64_t util = 0;
    std::uint64_t runnable = 0;
    std::int64_t min_capacity = 0;    // of one CPU
    std::int64_t max_capacity = 0;
    std::uint32_t nr_running = 0;     // all tasks
    std::uint32_t h_nr_running = 0;   // fair tasks
    std::uint32_t idle_cpus = 0;
    std::uint32_t weight = 0;
    std::uint32_t cores = 1;
    std::uint32_t flags = 0;          // of the domain below
    std::uint64_t misfit_load = 0;    // load of a task that does not fit its CPU
    int preferred_priority = 0;       // asym packing: priority of its preferred CPU, higher is preferred
    bool imbalanced = false;
    bool asym_packing = false;
    bool smt_balance = false;
    GroupType type = GroupType::has_spare;
    CpuId first_cpu;                  // names the group
};

/// First match wins, from overloaded down (fn: group_classify).
[[nodiscard]] GroupType classify(const GroupStats& group, int imbalance_pct);

/// fn: adjust_numa_imbalance (6.1 and later): small differences between nodes are left alone while the destination runs
/// at most `allowed` tasks.
[[nodiscard]] constexpr std::int64_t adjust_numa_imbalance(std::int64_t imbalance, std::int64_t dst_running, std::int64_t allowed) {
    if (dst_running > allowed) return imbalance;
    return imbalance <= 2 ? 0 : imbalance;
}

} // namespace picknext::balance
