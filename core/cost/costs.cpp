// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/cost/costs.hpp"

#include <algorithm>
#include <bit>

#include "core/base/assert.hpp"

namespace picknext::cost {
namespace {

constexpr CostUnit ns = CostUnit::ns, permille = CostUnit::permille, number = CostUnit::count, bytes = CostUnit::bytes, flag = CostUnit::flag;

// name, title, unit, low, high, fallback, charged for and to whom, kernel function
constexpr std::array table{
    CostInfo{Cost::distance_same_core, "distance_same_core", "Line transfer between threads of a core", ns, 5, 15, 9,
             "a line that comes from an SMT sibling, to the CPU that wants it", ""},
    CostInfo{Cost::distance_same_cluster, "distance_same_cluster", "Line transfer inside a cluster", ns, 20, 90, 40,
             "a line that comes from another core of the cluster, to the CPU that wants it", ""},
    CostInfo{Cost::distance_same_llc, "distance_same_llc", "Line transfer inside the LLC", ns, 20, 80, 40,
             "a line that comes from another cluster of the LLC, to the CPU that wants it", ""},
    CostInfo{Cost::distance_same_socket, "distance_same_socket", "Line transfer between LLCs of a socket", ns, 70, 250, 110,
             "a line that comes from another LLC of the socket, to the CPU that wants it", ""},
    CostInfo{Cost::distance_other_socket, "distance_other_socket", "Line transfer between sockets", ns, 95, 290, 150,
             "a line that comes from another socket, to the CPU that wants it", ""},

    CostInfo{Cost::line_hit, "line_hit", "Reading a line held", ns, 1, 10, 2, "a read of a line the CPU shares, to that CPU", ""},
    CostInfo{Cost::line_write, "line_write", "Writing a line owned", ns, 1, 15, 5, "a store to a line no other CPU holds, to that CPU", ""},
    CostInfo{Cost::line_atomic, "line_atomic", "Atomic operation on a line owned", ns, 2, 30, 6,
             "an atomic read-modify-write on a line no other CPU holds, to that CPU", ""},
    CostInfo{Cost::line_waiters, "line_waiters", "Longest queue for a line", number, 1, 256, 32,
             "most transfers a CPU waits for; bounds the wait of the last in a storm", ""},
    CostInfo{Cost::line_eviction, "line_eviction", "Chance that a switch evicts a line", permille, 1, 1000, 500,
             "each line a CPU holds, at each task switch on it", ""},
    CostInfo{Cost::scan_step, "scan_step", "Looking at one CPU in a scan", ns, 1, 30, 5,
             "each CPU an idle scan looks at, besides reading its run queue's line; to the CPU that scans", "select_idle_cpu"},
    CostInfo{Cost::mask_test, "mask_test", "Testing a bit of a mask", ns, 1, 5, 1,
             "each bit tested in a mask whose line is held, to the CPU that tests", "cpumask_test_cpu"},
    CostInfo{Cost::llc_shared_extra, "llc_shared_extra", "Fitted extra of reading has_idle_cores", ns, 10, 300, 0,
             "each call that reads the flag, beyond its two line reads; to the CPU that scans", "test_idle_cores"},
    CostInfo{Cost::llc_shared_extra_on, "llc_shared_extra_on", "Charge the fitted extra of has_idle_cores", flag, 0, 1, 0,
             "switch of llc_shared_extra", "test_idle_cores"},

    CostInfo{Cost::syscall, "syscall", "Entering and leaving the kernel", ns, 40, 900, 100,
             "a system call that has no cost of its own, to its CPU", "do_syscall_64"},
    CostInfo{Cost::pipe_write, "pipe_write", "Writing 100 bytes to a pipe", ns, 150, 5000, 300,
             "a write without its wakeup, to the writer's CPU", "pipe_write"},
    CostInfo{Cost::pipe_read_block, "pipe_read_block", "Reading a pipe until it blocks", ns, 75, 3000, 150,
             "a read up to the point where it sleeps, to the reader's CPU", "pipe_read"},
    CostInfo{Cost::pipe_read_return, "pipe_read_return", "Reading a pipe after the wakeup", ns, 75, 2000, 150,
             "the rest of a read, to the reader's CPU", "pipe_read"},
    CostInfo{Cost::pipe_line_transfers, "pipe_line_transfers", "Lines that follow a pipe message", number, 5, 40, 0,
             "transfers of lines that are not modelled one by one, at the distance of the two CPUs; half to the writer's CPU, half to the reader's", "pipe_read"},
    CostInfo{Cost::pipe_mutex, "pipe_mutex", "Holding the mutex of a pipe", ns, 150, 250, 200,
             "contained in the calls; who comes meanwhile spins", "mutex_lock"},
    CostInfo{Cost::unix_socket_pair, "unix_socket_pair", "Sending and receiving on a UNIX socket", ns, 850, 14000, 1700,
             "both calls together, half to each side", "unix_stream_sendmsg"},
    CostInfo{Cost::tcp_send, "tcp_send", "Sending on a TCP loopback socket", ns, 2000, 32000, 4000,
             "the call with the receive softirq, to the sender's CPU", "tcp_sendmsg"},
    CostInfo{Cost::tcp_receive, "tcp_receive", "Receiving from a TCP socket", ns, 750, 12000, 1500, "the call, to the receiver's CPU",
             "tcp_recvmsg"},
    CostInfo{Cost::futex_wake, "futex_wake", "Waking one sleeper of a futex", ns, 500, 12000, 900,
             "the whole call with the wakeup path and the sending of an IPI (which are not charged besides), to the waker's CPU", "futex_wake"},

    CostInfo{Cost::wakeup, "wakeup", "Wakeup path, fixed part", ns, 200, 4000, 350,
             "state, lock, enqueue and preemption check of a wakeup, to the waker's CPU", "try_to_wake_up"},
    CostInfo{Cost::context_switch, "context_switch", "Switch from task to task", ns, 300, 6000, 450,
             "a switch between two tasks, to their CPU", "context_switch"},
    CostInfo{Cost::address_space, "address_space", "Extra for another address space", ns, 10, 1300, 100,
             "a switch between tasks of two processes, to their CPU", "switch_mm_irqs_off"},
    CostInfo{Cost::switch_from_idle, "switch_from_idle", "Switch from the idle task", ns, 200, 3200, 400,
             "a switch from the idle task to a task, to their CPU", "schedule_idle"},
    CostInfo{Cost::ipi_send, "ipi_send", "Sending an IPI", ns, 100, 600, 250, "a reschedule or call interrupt, to the sender's CPU",
             "smp_send_reschedule"},
    CostInfo{Cost::ipi_delivery, "ipi_delivery", "Delivery of an IPI", ns, 500, 2500, 1000,
             "until the handler runs, to the target CPU", "scheduler_ipi"},
    CostInfo{Cost::polling_wake, "polling_wake", "Waking a CPU that polls", ns, 100, 600, 250,
             "setting the need-resched bit an idle CPU watches, instead of an IPI; to the waker's CPU", "set_nr_if_polling"},
    CostInfo{Cost::polling_idle, "polling_idle", "Idle CPUs watch for wakeups", flag, 0, 1, 1,
             "switch: an idle CPU is woken by polling_wake, else by an IPI", "set_nr_if_polling"},
    CostInfo{Cost::cold_factor, "cold_factor", "Factor of a path with cold caches", permille, 1000, 4000, 2000,
             "a kernel path run soon after its CPU was idle for cold_after", ""},
    CostInfo{Cost::cold_after, "cold_after", "Idle time that leaves caches cold", ns, 100'000, 10'000'000, 1'000'000,
             "when cold_factor holds", ""},
    CostInfo{Cost::cold_on, "cold_on", "Paths are slower with cold caches", flag, 0, 1, 0, "switch of cold_factor", ""},

    CostInfo{Cost::rbtree_fixed, "rbtree_fixed", "Tree removal and insertion, fixed part", ns, 10, 300, 20,
             "one removal and one insertion together, to the CPU that does them", "__enqueue_entity"},
    CostInfo{Cost::rbtree_log2, "rbtree_log2", "Tree removal and insertion, per level", ns, 4, 180, 12,
             "the same, times log2(n + 1) of n entities queued", "__enqueue_entity"},
    CostInfo{Cost::rbtree_augmented, "rbtree_augmented", "Extra of an augmented tree", permille, 50, 1000, 300,
             "removal and insertion under EEVDF, of their own cost", "__enqueue_entity"},
    CostInfo{Cost::pick_single, "pick_single", "Pick: only one entity", ns, 1, 50, 5, "a pick with nothing else queued, to its CPU", "pick_eevdf"},
    CostInfo{Cost::pick_parity, "pick_parity", "Pick: the current one stays", ns, 1, 80, 8, "a pick that RUN_TO_PARITY answers, to its CPU",
             "pick_eevdf"},
    CostInfo{Cost::pick_leftmost, "pick_leftmost", "Pick: the leftmost is eligible", ns, 1, 150, 15,
             "a pick by the fast path, or of CFS; to its CPU", "pick_eevdf"},
    CostInfo{Cost::pick_heap_fixed, "pick_heap_fixed", "Pick: search, fixed part", ns, 1, 150, 15, "a pick that searches the tree, to its CPU",
             "pick_eevdf"},
    CostInfo{Cost::pick_heap_log2, "pick_heap_log2", "Pick: search, per level", ns, 1, 120, 12, "the same, times log2(n) of n entities queued",
             "pick_eevdf"},

    CostInfo{Cost::tick, "tick", "Tick without softirq", ns, 1500, 15000, 2000, "each tick, to its CPU", "scheduler_tick"},
    CostInfo{Cost::stopper, "stopper", "Active balance in the stopper", ns, 1500, 15000, 3000,
             "a run of the stopper, besides its wakeup and two switches; to the CPU it pushes from", "active_load_balance_cpu_stop"},
    CostInfo{Cost::balance_pass, "balance_pass", "Balance pass, fixed part", ns, 400, 20000, 800, "one pass over a domain, to the CPU that balances",
             "load_balance"},
    CostInfo{Cost::balance_cpu, "balance_cpu", "Balance pass, per CPU examined", ns, 30, 1500, 60, "the same, per CPU of the domain",
             "update_sg_lb_stats"},
    CostInfo{Cost::balance_task, "balance_task", "Balance pass, per task tested", ns, 20, 1000, 40, "the same, per task looked at", "can_migrate_task"},
    CostInfo{Cost::balance_move, "balance_move", "Balance pass, per task moved", ns, 350, 17000, 700, "the same, per task detached and attached",
             "detach_tasks"},
    CostInfo{Cost::nohz_loop, "nohz_loop", "Balancing for idle CPUs, fixed part", ns, 500, 10000, 2000,
             "one round over the CPUs without a tick, to the CPU that was kicked", "_nohz_idle_balance"},
    CostInfo{Cost::nohz_refresh, "nohz_refresh", "Balancing for idle CPUs, per CPU refreshed", ns, 1000, 15000, 5500,
             "the same, per CPU whose blocked load is updated", "update_nohz_stats"},
    CostInfo{Cost::nohz_skip, "nohz_skip", "Balancing for idle CPUs, per CPU skipped", ns, 50, 2000, 400, "the same, per CPU without blocked load",
             "update_nohz_stats"},
    CostInfo{Cost::nohz_enter, "nohz_enter", "Stopping the tick", ns, 50, 1000, 233, "entering the nohz idle state besides its line writes, to the CPU",
             "nohz_balance_enter_idle"},

    CostInfo{Cost::refill_mlp, "refill_mlp", "Parallel misses of a refill", number, 1, 16, 4,
             "how many lines of a working set come at a time after a migration", ""},
    CostInfo{Cost::refill_preempted, "refill_preempted", "Share refilled after another task ran", permille, 10, 1000, 300,
             "a task that comes back to the same CPU after others ran there, of a refill inside the LLC", ""},
    CostInfo{Cost::working_set, "working_set", "Working set of a task", bytes, 1024, 4 << 20, 32 << 10,
             "what a task touches again and again: bound of a refill; to the CPU it moved to", ""},
    CostInfo{Cost::idle_charge_table, "idle_charge_table", "Charge the whole exit latency", flag, 0, 1, 0,
             "switch: leaving an idle state costs its worst case from the table", "cpuidle_enter_state"},
};
static_assert(table.size() == cost_count);

constexpr bool in_order() {
    for (std::size_t i = 0; i < table.size(); ++i)
        if (index_of(table[i].id) != i) return false;
    return true;
}
static_assert(in_order());

} // namespace

std::span<const CostInfo> cost_table() { return table; }
const CostInfo& info(Cost c) { return table[index_of(c)]; }

std::optional<Cost> find_cost(std::string_view name) {
    const auto row = std::find_if(table.begin(), table.end(), [&](const CostInfo& i) { return i.name == name; });
    return row == table.end() ? std::nullopt : std::optional<Cost>(row->id);
}

std::string_view name_of(CostUnit unit) {
    switch (unit) {
    case CostUnit::ns: return "ns";
    case CostUnit::permille: return "‰";
    case CostUnit::count: return "";
    case CostUnit::bytes: return "bytes";
    case CostUnit::flag: return "flag";
    }
    return "";
}

std::int64_t most(CostUnit unit) {
    switch (unit) {
    case CostUnit::ns: return 10'000'000'000;
    case CostUnit::permille: return 100'000;
    case CostUnit::count: return 1'000'000;
    case CostUnit::bytes: return std::int64_t{1} << 30;
    case CostUnit::flag: return 1;
    }
    return 0;
}

CostProfile default_profile() {
    CostProfile p;
    for (const CostInfo& i : table) {
        p.costs[i.id] = i.fallback;
        p.provenance[index_of(i.id)] = {Basis::assumed, {}, i.low, i.high};
    }
    return p;
}

Sharing sharing(const Machine& machine, CpuId a, CpuId b) {
    if (a == b) return Sharing::same_cpu;
    const Cpu& x = machine.cpu(a);
    const Cpu& y = machine.cpu(b);
    if (x.core == y.core) return Sharing::same_core;
    if (x.cluster == y.cluster) return Sharing::same_cluster;
    if (x.llc == y.llc) return Sharing::same_llc;
    return x.package == y.package ? Sharing::same_socket : Sharing::other_socket;
}

std::int64_t distance(const Costs& costs, Sharing r) {
    if (r == Sharing::same_cpu) return 0;
    return costs.values[index_of(Cost::distance_same_core) + static_cast<std::size_t>(r) - static_cast<std::size_t>(Sharing::same_core)];
}

bool charges(const Costs& costs) {
    for (const CostInfo& row : cost_table())
        if (row.unit == CostUnit::ns && costs[row.id] != 0) return true;
    return std::any_of(costs.idle_states.begin(), costs.idle_states.end(), [](const IdleState& s) { return s.charged_exit != 0; });
}

int floor_log2(std::int64_t n) { return n <= 1 ? 0 : static_cast<int>(std::bit_width(static_cast<std::uint64_t>(n))) - 1; }

std::int64_t rbtree_ns(const Costs& costs, std::int64_t n, bool augmented) {
    PICKNEXT_ASSERT(n >= 0, "a tree of {} entities", n);
    const std::int64_t plain = costs[Cost::rbtree_fixed] + costs[Cost::rbtree_log2] * floor_log2(n + 1);
    return augmented ? plain + scaled(plain, costs[Cost::rbtree_augmented]) : plain;
}

std::int64_t pick_ns(const Costs& costs, PickPath path, std::int64_t n) {
    PICKNEXT_ASSERT(n >= 1, "a pick among {} entities", n);
    switch (path) {
    case PickPath::single: return costs[Cost::pick_single];
    case PickPath::parity: return costs[Cost::pick_parity];
    case PickPath::leftmost: return costs[Cost::pick_leftmost];
    case PickPath::heap: return costs[Cost::pick_heap_fixed] + costs[Cost::pick_heap_log2] * floor_log2(n);
    }
    return 0;
}

std::int64_t balance_ns(const Costs& costs, std::int64_t cpus, std::int64_t tested, std::int64_t moved) {
    return costs[Cost::balance_pass] + cpus * costs[Cost::balance_cpu] + tested * costs[Cost::balance_task] + moved * costs[Cost::balance_move];
}

std::int64_t nohz_ns(const Costs& costs, std::int64_t refreshed, std::int64_t skipped) {
    return costs[Cost::nohz_loop] + refreshed * costs[Cost::nohz_refresh] + skipped * costs[Cost::nohz_skip];
}

std::int64_t llc_shared_extra_ns(const Costs& costs) { return costs[Cost::llc_shared_extra_on] != 0 ? costs[Cost::llc_shared_extra] : 0; }

std::int64_t cold_ns(const Costs& costs, std::int64_t path, std::int64_t idle_ns) {
    return costs[Cost::cold_on] != 0 && idle_ns > costs[Cost::cold_after] ? scaled(path, costs[Cost::cold_factor]) : path;
}

} // namespace picknext::cost
