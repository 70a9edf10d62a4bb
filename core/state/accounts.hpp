// SPDX-License-Identifier: GPL-3.0-or-later
// What a run adds up beside deciding: where the time of the CPUs went in the kernel, how often what happened, and the samples
// its tasks measured. Counted, never read by a decision.
#pragma once

#include <array>
#include <cstdint>
#include <string_view>
#include <type_traits>

#include "core/base/ids.hpp"

namespace picknext {

/// Where kernel time goes (the cost model charges it; without costs all stay 0).
enum class Spend : std::uint8_t {
    syscall,        // entry, copying, sockets and futexes
    message_lines,  // cache lines a message brings along
    mutex,          // spinning for the mutex of a pipe
    wakeup,         // try_to_wake_up without the search
    idle_scan,      // looking for an idle CPU
    shared_lines,   // the modelled lines: sd_llc_shared, idle masks, nohz
    ipi,            // sending, and taking one
    idle_exit,      // leaving an idle state
    context_switch, // to another task, or from the idle task
    tree,           // red-black tree
    pick,           // pick_next_task
    refill,         // caches after a move
    tick,
    stopper,
    balance,        // load_balance, newidle included
    nohz,           // nohz_idle_balance, nohz_balance_enter_idle
    count
};
inline constexpr std::array<std::string_view, static_cast<std::size_t>(Spend::count)> spend_names{
    "syscall", "message_lines", "mutex", "wakeup", "idle_scan", "shared_lines", "ipi", "idle_exit", "context_switch",
    "tree", "pick", "refill", "tick", "stopper", "balance", "nohz"};

/// What is counted.
enum class Tally : std::uint8_t {
    messages,       // read from pipes and sockets
    dropped,        // datagrams that found no room
    pick_direct, pick_parity, pick_fast, pick_slow, // EEVDF, by how the pick ended (thread 4); CFS counts none
    pick_buddy,     // picks that never came to pick_eevdf
    select_idle,    // searches for an idle CPU that came to the scan of an LLC (select_idle_cpu)
    scanned_cpus,   // CPUs, or cores, these looked at
    flag_reads,     // has_idle_cores read (thread 1)
    ipis,           // sent to wake or to reschedule another CPU
    migrations,
    kicks,          // nohz_balancer_kick() that asked somebody
    stats_kicks,    // of these, those for blocked load alone (thread 5)
    nohz_runs, nohz_run_ns,     // _nohz_idle_balance and its time
    nohz_enters,    // calls of nohz_balance_enter_idle,
    nohz_joins, nohz_enter_ns, // and those by which the CPU joins the mask, with their time
    stale_mask_bits, // wakeups that found an idle CPU missing from the mask of idle CPUs (thread 3)
    count
};
inline constexpr std::array<std::string_view, static_cast<std::size_t>(Tally::count)> tally_names{
    "messages", "dropped", "pick_direct", "pick_parity", "pick_fast", "pick_slow", "pick_buddy", "select_idle", "scanned_cpus",
    "flag_reads", "ipis", "migrations", "kicks", "stats_kicks", "nohz_runs", "nohz_run_ns", "nohz_enters", "nohz_joins", "nohz_enter_ns",
    "stale_mask_bits"};

struct Accounts {
    std::array<std::int64_t, static_cast<std::size_t>(Spend::count)> spent = {};    // ns, summed over CPUs
    std::array<std::uint64_t, static_cast<std::size_t>(Tally::count)> tallies = {};

    [[nodiscard]] std::int64_t operator[](Spend s) const { return spent[static_cast<std::size_t>(s)]; }
    [[nodiscard]] std::uint64_t operator[](Tally t) const { return tallies[static_cast<std::size_t>(t)]; }
    void spend(Spend s, std::int64_t ns) { spent[static_cast<std::size_t>(s)] += ns; }
    void count(Tally t, std::uint64_t n = 1) { tallies[static_cast<std::size_t>(t)] += n; }
    friend bool operator==(const Accounts&, const Accounts&) = default;
};
static_assert(std::has_unique_object_representations_v<Accounts>);

/// A length of time a task measured (operations stamp and sample; a latency of schbench).
struct Sample {
    std::int64_t ns = 0;
    std::int32_t series = 0;   // index into Workload::series
    TaskId task;
    friend bool operator==(const Sample&, const Sample&) = default;
};
inline constexpr std::size_t max_samples = 1'000'000; // later ones are lost
static_assert(std::has_unique_object_representations_v<Sample>);

inline constexpr std::size_t idle_lengths_kept = 8;
/// The last idle lengths of a CPU, ns, as a ring.
struct IdleHistory {
    std::array<std::int64_t, idle_lengths_kept> lengths = {};
    std::int64_t recorded = 0;   // in all; the ring is full from idle_lengths_kept on
    std::int64_t began = 0;      // ns: when the CPU last went idle
    std::int64_t predicted = 0;  // ns: how long it was then expected to idle
    std::int64_t cold = 0;       // ns it had idled before what it runs now; 0 once it has switched on from that
    void record(std::int64_t length) { lengths[static_cast<std::size_t>(recorded++) % idle_lengths_kept] = length; }
    friend bool operator==(const IdleHistory&, const IdleHistory&) = default;
};
static_assert(std::has_unique_object_representations_v<IdleHistory>);

} // namespace picknext
