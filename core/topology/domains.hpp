// SPDX-License-Identifier: GPL-3.0-or-later
// Scheduling domains: for each CPU a chain of ever wider spans, each split into groups between which load is balanced.
// Derived from the machine and the online CPUs, immutable, rebuilt on hotplug. What changes while running (intervals,
// failure counts, imbalance flags) is kept in State, in rows that are numbered here.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "core/profile/profile.hpp"
#include "core/topology/machine.hpp"

namespace picknext {

using SchedGroupId = Id<struct SchedGroupTag>;     // row of Domains::groups
using GroupCapacityId = Id<struct GroupCapacityTag>; // row of State::group_capacities (struct sched_group_capacity)
using LlcSharedId = Id<struct LlcSharedTag>;       // row of State::llc_shared (struct sched_domain_shared)

/// Flags of a domain, and of a group those of the domain below it.
namespace sd {
inline constexpr std::uint32_t balance_newidle = 1U << 0;
inline constexpr std::uint32_t balance_exec = 1U << 1;
inline constexpr std::uint32_t balance_fork = 1U << 2;
inline constexpr std::uint32_t balance_wake = 1U << 3;
inline constexpr std::uint32_t wake_affine = 1U << 4;
inline constexpr std::uint32_t asym_cpucapacity = 1U << 5;
inline constexpr std::uint32_t asym_cpucapacity_full = 1U << 6;
inline constexpr std::uint32_t share_cpucapacity = 1U << 7; // threads of one core
inline constexpr std::uint32_t cluster = 1U << 8;           // 6.7 and later
inline constexpr std::uint32_t share_llc = 1U << 9;         // older name: SHARE_PKG_RESOURCES
inline constexpr std::uint32_t serialize = 1U << 10;
inline constexpr std::uint32_t asym_packing = 1U << 11;
inline constexpr std::uint32_t prefer_sibling = 1U << 12;
inline constexpr std::uint32_t overlap = 1U << 13;
inline constexpr std::uint32_t numa = 1U << 14;
/// Flags that mean nothing in a domain of one group.
inline constexpr std::uint32_t needs_groups = ~wake_affine;

struct FlagInfo {
    std::uint32_t flag;
    std::string_view name; // the kernel's, without SD_
};
/// All flags in the order their names are written.
[[nodiscard]] std::span<const FlagInfo> flag_table();
} // namespace sd

/// The level a domain was built for, bottom-up.
enum class SdLevel : std::uint8_t { smt, cls, mc, pkg, node, numa };
/// "SMT", "CLS", "MC", "PKG" (before 6.7: "DIE"), "NODE", "NUMA".
[[nodiscard]] std::string_view name_of(SdLevel level, Kernel kernel);

/// How the nodes hang together (fn: init_numa_topology_type).
enum class NumaType : std::uint8_t { direct, glueless_mesh, backplane };

/// sched_group.
struct SchedGroup {
    CpuSet span;
    CpuSet balance_mask;       // CPUs that may balance on behalf of the group; the span unless groups overlap
    CpuId balance_cpu;         // first of the mask
    int weight = 0;            // CPUs in the span
    int cores = 0;             // distinct cores in the span
    std::uint32_t flags = 0;   // of the domain below (0 at the base)
    GroupCapacityId capacity;  // shared by all domains that refer to the same group
};

/// sched_domain: one level of one CPU.
struct Domain {
    CpuId owner;
    DomainId parent, child;    // wider, narrower
    SdLevel level = SdLevel::smt;
    int depth = 0;             // 0 at the base
    CpuSet span;
    int weight = 0;            // CPUs in the span
    std::uint32_t flags = 0;
    int imbalance_pct = 117;
    int cache_nice_tries = 1;  // failures before a cache-hot task may move
    int imb_numa_nr = 0;       // tasks by which nodes may differ
    int min_interval = 1;      // ms between balance passes
    int max_interval = 2;      // ms
    int busy_factor = 16;      // the interval of a busy CPU is this many times longer
    std::int32_t ring = -1;    // row of Domains::rings
    std::int32_t first = 0;    // place of the owner's own group in the ring
    [[nodiscard]] bool has(std::uint32_t flag) const { return (flags & flag) != 0; }
};

/// What each CPU keeps at hand.
struct CpuDomains {
    DomainId base;                 // lowest domain, none without domains
    DomainId sd_llc;               // widest that shares a cache
    DomainId sd_numa;              // lowest NUMA
    DomainId sd_asym_packing;      // widest with that flag
    DomainId sd_asym_cpucapacity;  // lowest that holds every capacity of the machine
    CpuId llc_id;                  // first CPU of sd_llc, else the CPU itself
    CpuId share_id;                // first CPU of the cluster, else llc_id
    int llc_size = 1;              // CPUs in sd_llc
    LlcSharedId shared;            // of sd_llc, none without it
};

struct Domains {
    CpuSet online;                               // the CPUs they are built of
    std::vector<Domain> domains;                 // by CPU, each CPU's bottom-up
    std::vector<SchedGroup> groups;
    std::vector<std::vector<SchedGroupId>> rings; // the groups of a domain in the order they are walked
    std::vector<CpuDomains> cpus;                // by CPU
    std::vector<CpuSet> llcs;                    // by LlcSharedId
    std::vector<CpuSet> cores;                   // online threads by CoreId (cpu_smt_mask)
    std::vector<CoreId> core_of;                 // by CPU
    std::vector<int> capacity;                   // by CPU, the original one
    std::vector<int> priority;                   // by CPU, asym packing: higher is preferred
    std::size_t group_capacity_count = 0;
    int max_capacity = full_capacity;            // of any CPU
    bool smt_present = false;                    // some core has two online threads
    bool cluster_active = false;                 // some CPU kept a domain with the cluster flag
    NumaType numa_type = NumaType::direct;

    [[nodiscard]] const Domain& domain(DomainId d) const { return domains[d.index()]; }
    [[nodiscard]] const SchedGroup& group(SchedGroupId g) const { return groups[g.index()]; }
    [[nodiscard]] const CpuDomains& cpu(CpuId c) const { return cpus[c.index()]; }
    [[nodiscard]] CpuSetView siblings(CpuId c) const { return cores[core_of[c.index()].index()]; }
    [[nodiscard]] std::size_t group_count(const Domain& d) const { return rings[static_cast<std::size_t>(d.ring)].size(); }
    /// The k-th group seen from the owner; 0 is its own ("local").
    [[nodiscard]] const SchedGroup& group_at(const Domain& d, std::size_t k) const {
        const auto& ring = rings[static_cast<std::size_t>(d.ring)];
        return group(ring[(static_cast<std::size_t>(d.first) + k) % ring.size()]);
    }
    /// fn: cpus_share_cache.
    [[nodiscard]] bool share_cache(CpuId a, CpuId b) const { return a == b || cpu(a).llc_id == cpu(b).llc_id; }
    /// fn: cpus_share_resources.
    [[nodiscard]] bool share_resources(CpuId a, CpuId b) const { return a == b || cpu(a).share_id == cpu(b).share_id; }
};

/// Builds the domains of the online CPUs (one partition, no cpusets). Needs the ids, capacities and distances of the
/// machine, not its derived spans. (fn: build_sched_domains)
[[nodiscard]] Domains build_domains(const Machine& machine, CpuSetView online, Kernel kernel);

} // namespace picknext
