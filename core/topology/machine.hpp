// SPDX-License-Identifier: GPL-3.0-or-later
// The machine: what it is made of and who shares what. Immutable during a run; CPU online state lives in State.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/cpu_set.hpp"
#include "core/base/extra_key.hpp"
#include "core/base/ids.hpp"
#include "core/base/result.hpp"

namespace picknext {

inline constexpr std::size_t max_cpus = 4096;
inline constexpr int max_cpu_number = 65535;
inline constexpr std::size_t max_nodes = 1024;
inline constexpr int full_capacity = 1024; // SCHED_CAPACITY_SCALE

/// One logical CPU. Ids of the levels are dense and machine-wide; a level a machine lacks is an id of its own per
/// next smaller level (each core its own cluster), so spans are always defined.
struct Cpu {
    int number = 0;            // the firmware's CPU number (what people write); CpuId is the rank of it
    CoreId core;
    ClusterId cluster;
    LlcId llc;
    DieId die;
    PackageId package;
    NodeId node;
    int capacity = full_capacity; // 1..1024
    int kind = 0;                 // hybrid kind, higher = stronger
    int priority = 0;             // asym packing priority
    bool online = true;           // at the start of a run
    friend bool operator==(const Cpu&, const Cpu&) = default;
};

struct Node {
    int number = 0;                // the firmware's node number
    std::uint64_t memory = 0;      // bytes, 0 = not known
    friend bool operator==(const Node&, const Node&) = default;
};

/// A cache as the source described it: for display only, the llc ids rule.
struct Cache {
    int level = 0;
    std::string type;              // "Unified", "Data", "Instruction"
    std::uint64_t size = 0;        // bytes, 0 = not known
    CpuSet cpus;
    friend bool operator==(const Cache&, const Cache&) = default;
};

struct Machine {
    std::string name;
    std::string description;
    std::vector<Cpu> cpus;                         // ascending by number
    std::vector<Node> nodes;                       // index = NodeId; a node without CPUs is legal
    std::vector<std::vector<int>> distances;       // [node][node], empty = 10 local and 20 remote
    std::vector<Cache> caches;
    std::vector<ExtraKey> extras;                  // the user's own keys of its file
    bool has_clusters = false;                     // some cluster is neither its core nor its LLC

    // Derived by finish(): spans by level id, and CPU counts.
    std::vector<CpuSet> core_span, cluster_span, llc_span, package_span, node_span;

    [[nodiscard]] std::size_t cpu_count() const { return cpus.size(); }
    [[nodiscard]] const Cpu& cpu(CpuId c) const { return cpus[c.index()]; }
    /// The CPU with this firmware number, or none.
    [[nodiscard]] CpuId by_number(int number) const;
    [[nodiscard]] int distance(NodeId a, NodeId b) const;
    /// Some core has two or more CPUs (kernel: sched_smt_present, but counting offline ones too).
    [[nodiscard]] bool has_smt() const;
    [[nodiscard]] CpuSet online() const;

    friend bool operator==(const Machine&, const Machine&) = default;
};

/// The short form of a regular machine ("build" of topology/1): counts per parent, each >= 1.
struct MachineCounts {
    int packages = 1, nodes = 1, llcs = 1, clusters = 1, cores = 1, threads = 1;
    bool threads_last = true;             // numbering: 0..n-1 are first threads (x86); else siblings adjacent
    std::vector<int> cluster_capacity;    // optional, per cluster in order; empty = all 1024
};

/// Builds a regular machine. Error E-LIMIT above max_cpus or max_nodes, E-RANGE for a count below 1.
[[nodiscard]] Result<Machine> build_machine(const MachineCounts& counts);

/// Fills the derived spans from the cpus; densifies level ids in order of first CPU; checks the nesting rules of
/// design (threads of a core in one cluster, LLC, package, node; cluster within LLC). The machine must have its cpus
/// ascending by number.
/// Errors: E-NESTING, E-NOCPU (no online CPU), E-LIMIT.
[[nodiscard]] Result<Machine> finish(Machine machine);

/// "2 nodes · 4 LLC · 16 cores · SMT2": the counts in a line for headings. Cores,
/// clusters and LLCs count when one of their CPUs is online.
[[nodiscard]] std::string summary(const Machine& machine);

/// Linux cpulist of firmware numbers, "0-3,8": of the CPUs in the set.
[[nodiscard]] std::string cpu_list(const Machine& machine, CpuSetView set);

} // namespace picknext
