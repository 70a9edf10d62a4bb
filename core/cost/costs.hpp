// SPDX-License-Identifier: GPL-3.0-or-later
// What an operation of the kernel costs in time: every constant as one row of a table, a set of values for a platform, and
// the sums made of them. A cost changes when something happens, never what is decided. Most values are not measured on
// the machine they stand for: each carries its basis.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

#include "core/base/extra_key.hpp"
#include "core/base/ids.hpp"
#include "core/topology/machine.hpp"

namespace picknext::cost {

/// A constant of the cost model, in the order of cost_table().
enum class Cost : std::uint8_t {
    // one-way transfer of a cache line, by the nearest thing both CPUs share; the first five of Sharing but same_cpu
    distance_same_core, distance_same_cluster, distance_same_llc, distance_same_socket, distance_other_socket,
    // the modelled cache lines
    line_hit, line_write, line_atomic, line_waiters, line_eviction, scan_step, mask_test, llc_shared_extra, llc_shared_extra_on,
    // system calls of workloads
    syscall, pipe_write, pipe_read_block, pipe_read_return, pipe_line_transfers, pipe_mutex, unix_socket_pair, tcp_send, tcp_receive, futex_wake,
    // wakeups and switches
    wakeup, context_switch, address_space, switch_from_idle, ipi_send, ipi_delivery, polling_wake, polling_idle,
    cold_factor, cold_after, cold_on,
    // the run queue
    rbtree_fixed, rbtree_log2, rbtree_augmented, pick_single, pick_parity, pick_leftmost, pick_heap_fixed, pick_heap_log2,
    // tick and balancing
    tick, stopper, balance_pass, balance_cpu, balance_task, balance_move, nohz_loop, nohz_refresh, nohz_skip, nohz_enter,
    // a task's working set, and idle states
    refill_mlp, refill_preempted, working_set, idle_charge_table,
    count
};
inline constexpr std::size_t cost_count = static_cast<std::size_t>(Cost::count);

/// permille: a factor in thousandths. flag: 0 off, 1 on.
enum class CostUnit : std::uint8_t { ns, permille, count, bytes, flag };

struct CostInfo {
    Cost id;
    std::string_view name;     // key in files
    std::string_view title;
    CostUnit unit;
    std::int64_t low, high;    // what a slider spans; 0 (not charged) is possible besides
    std::int64_t fallback;     // where a file is silent: the value of generic-x86
    std::string_view charged;  // what it is charged for, and to which CPU
    std::string_view function; // kernel function it stands for, empty for a factor of the model
};
[[nodiscard]] std::span<const CostInfo> cost_table();
[[nodiscard]] constexpr std::size_t index_of(Cost c) { return static_cast<std::size_t>(c); }
[[nodiscard]] const CostInfo& info(Cost c);
[[nodiscard]] std::optional<Cost> find_cost(std::string_view name);
/// Words of the enumerators: "ns", "‰", "", "bytes", "flag".
[[nodiscard]] std::string_view name_of(CostUnit unit);
/// Largest value a file may give: 10 s, a factor of 100, 1,000,000, 1 GiB, 1.
[[nodiscard]] std::int64_t most(CostUnit unit);

/// An idle state: leaving it takes at most exit_latency by the firmware's or driver's table; it pays above residency; what
/// is charged is less (the table is a worst case), unless Cost::idle_charge_table says otherwise. All ns, 0..10 s.
struct IdleState {
    std::int64_t exit_latency = 0;
    std::int64_t residency = 0;
    std::int64_t charged_exit = 0;
    friend bool operator==(const IdleState&, const IdleState&) = default;
};
inline constexpr std::size_t max_idle_states = 8;

/// All values of a platform: plain integers without padding, so that a state may hold and hash them. The default charges nothing.
struct Costs {
    std::array<std::int64_t, cost_count> values = {};        // by Cost, in its unit
    std::array<IdleState, max_idle_states> idle_states = {}; // lightest first
    std::int64_t idle_state_count = 0;

    [[nodiscard]] constexpr std::int64_t operator[](Cost c) const { return values[index_of(c)]; }
    constexpr std::int64_t& operator[](Cost c) { return values[index_of(c)]; }
    friend bool operator==(const Costs&, const Costs&) = default;
};
static_assert(std::has_unique_object_representations_v<Costs>);

/// Does anything take time? Only values in ns do, and leaving an idle state.
[[nodiscard]] bool charges(const Costs& costs);

/// How a value was come by.
enum class Basis : std::uint8_t { published, measured, fitted, assumed };
inline constexpr std::array<std::string_view, 4> basis_names{"published", "measured", "fitted", "assumed"};

/// Where a value comes from, for people.
struct Provenance {
    Basis basis = Basis::assumed;
    std::string text;                     // where published, on what measured, to what fitted, why assumed
    std::int64_t low = 0, high = 0;       // between what it may lie
    friend bool operator==(const Provenance&, const Provenance&) = default;
};

/// A cost profile as its file describes it.
struct CostProfile {
    std::string name, description;
    Costs costs;
    std::array<Provenance, cost_count> provenance;
    std::array<std::string, max_idle_states> idle_state_names;
    std::array<Provenance, max_idle_states> idle_state_provenance; // the range is of the charged exit
    std::vector<ExtraKey> extras;                                  // the user's own keys
    friend bool operator==(const CostProfile&, const CostProfile&) = default;
};
/// Every constant at its fallback, assumed, in the table's range; no idle states.
[[nodiscard]] CostProfile default_profile();

/// What two CPUs share, nearest first.
enum class Sharing : std::uint8_t { same_cpu, same_core, same_cluster, same_llc, same_socket, other_socket };
[[nodiscard]] Sharing sharing(const Machine& machine, CpuId a, CpuId b);
/// One-way transfer of a line between CPUs of this relation, ns; 0 for the same CPU.
[[nodiscard]] std::int64_t distance(const Costs& costs, Sharing r);

/// floor(log2(n)), 0 for n <= 1.
[[nodiscard]] int floor_log2(std::int64_t n);
/// value * permille / 1000, rounded down.
[[nodiscard]] constexpr std::int64_t scaled(std::int64_t value, std::int64_t permille) { return value * permille / 1000; }

/// Removing and inserting one entity of a tree of n >= 0, together (__dequeue_entity, __enqueue_entity): fixed + log2(n + 1)
/// steps; an augmented tree (EEVDF) adds its factor.
[[nodiscard]] std::int64_t rbtree_ns(const Costs& costs, std::int64_t n, bool augmented);

/// How a pick found its entity.
enum class PickPath : std::uint8_t { single, parity, leftmost, heap };
/// Picking among n >= 1 entities (pick_eevdf, pick_next_entity): a heap search takes log2(n) steps.
[[nodiscard]] std::int64_t pick_ns(const Costs& costs, PickPath path, std::int64_t n);

/// One balance pass over a domain (load_balance): counts of CPUs examined, tasks tested and tasks moved.
[[nodiscard]] std::int64_t balance_ns(const Costs& costs, std::int64_t cpus, std::int64_t tested, std::int64_t moved);

/// One round for the CPUs without a tick (_nohz_idle_balance): how many were refreshed and how many skipped.
[[nodiscard]] std::int64_t nohz_ns(const Costs& costs, std::int64_t refreshed, std::int64_t skipped);

/// What reading has_idle_cores is charged per select_idle_cpu() call beyond the two line reads. Fitted to thread 1; 0 when
/// its switch is off.
[[nodiscard]] std::int64_t llc_shared_extra_ns(const Costs& costs);

/// A path of `ns` run after the CPU was idle for `idle_ns`: dearer with cold caches, unless that switch is off.
[[nodiscard]] std::int64_t cold_ns(const Costs& costs, std::int64_t ns, std::int64_t idle_ns);

} // namespace picknext::cost
