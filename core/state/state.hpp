// SPDX-License-Identifier: GPL-3.0-or-later
// The whole scheduler at one instant, as one copyable, comparable, hashable value: flat arrays linked by indices.
// Nothing here decides anything. A copy is a checkpoint, a snapshot for the views, a twin or a test fixture.
// Every step follows several indices, so the rows of the run queues fill whole cache lines and their sizes are cheap to
// multiply by (256 = a shift); `room` is what that leaves. Measured: 8 to 10 % of every operation.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "core/base/cpu_set.hpp"
#include "core/base/hash.hpp"
#include "core/base/ids.hpp"
#include "core/base/time.hpp"
#include "core/base/weight.hpp"
#include "core/profile/profile.hpp"
#include "core/state/accounts.hpp"
#include "core/state/cache_lines.hpp"
#include "core/trace/recorder.hpp"

namespace picknext {

inline constexpr std::uint64_t queue_start_vtime = 0xfffffffffff00000ULL; // -2^20, so that wrap bugs show at once
inline constexpr std::uint64_t pelt_clock_start = 1ULL << 30; // ns, of a run: 0 is taken, it means "never attached"

/// Load tracking of an entity or a queue (struct sched_avg). Sums are 64 or 32 bits as in the kernel.
struct LoadAvg {
    std::uint64_t last_update = 0;     // ns of pelt::clock, 0 = never attached
    std::uint64_t load_sum = 0;        // entity: unweighted; queue: weighted
    std::uint64_t runnable_sum = 0;
    std::uint32_t util_sum = 0;
    std::uint32_t period_contrib = 0;  // units of 1024 ns into the current period, 0..1023
    std::uint64_t load_avg = 0;
    std::uint64_t runnable_avg = 0;
    std::uint64_t util_avg = 0;
    std::uint32_t util_est = 0;        // entity: estimate, bit 31 = utilisation unchanged since; queue: sum of estimates
    std::uint32_t util_est_ewma = 0;   // entity, before 6.8: the average beside the last value
    friend bool operator==(const LoadAvg&, const LoadAvg&) = default;
};

/// A node of a red-black tree over entity indices.
struct TreeLink {
    EntityId parent, left, right;
    std::uint8_t red = 0;
    std::uint8_t in_tree = 0;
    std::uint8_t pad[2] = {};
    friend bool operator==(const TreeLink&, const TreeLink&) = default;
};

/// sched_entity: what the fair class schedules, a task or a group on one CPU.
struct alignas(64) Entity {
    TreeLink link;
    VTime subtree_min;                 // augmented: min_vruntime (6.8+) or min_deadline (6.6)
    std::uint64_t subtree_min_slice = 0; // augmented, 6.12
    VTime vruntime;
    VTime deadline;
    std::int64_t vlag = 0;             // stored lag off the queue; while running the protection mark (7.7)
    Weight weight;
    std::uint64_t slice = 0;           // ns requested
    std::int64_t exec_start = 0;       // ns, clock of its queue's CPU
    std::uint64_t sum_exec = 0;        // ns
    std::uint64_t prev_sum_exec = 0;   // ns, at the last set_next
    std::uint32_t inv_weight = 0;      // cached inverse, 0 = not cached
    std::uint8_t on_rq = 0;
    std::uint8_t sched_delayed = 0;
    std::uint8_t rel_deadline = 0;
    std::uint8_t custom_slice = 0;
    LoadAvg avg;
    std::uint64_t runnable_weight = 0; // group entity: runnable tasks below at the last renewal
    EntityId parent;                   // group entity it hangs under, none at the root
    QueueId queue;                     // the queue it is (or was last) on
    QueueId my_queue;                  // the queue it owns, none for a task
    TaskId task;                       // none for a group
    std::int32_t depth = 0;            // 0 on a root queue
    std::int32_t pad = 0;
    std::uint8_t room[56] = {};
    friend bool operator==(const Entity&, const Entity&) = default;
};

/// cfs_rq: the fair queue of one CPU, or of one group on one CPU. QueueId c < CPUs is the root queue of CPU c.
struct alignas(64) Queue {
    EntityId root, leftmost;           // of the tree; current is outside it
    EntityId curr, next, last, skip;   // running entity of this queue, and the buddies
    VTime ref;                         // min_vruntime; 6.12y: zero_vruntime
    std::int64_t sum_w_vruntime = 0;   // sum over the tree of coarse weight * (vruntime - ref)
    std::uint64_t sum_weight = 0;      // coarse, tree only
    Weight weight;                     // of everything queued, current included
    std::uint32_t inv_weight = 0;
    std::uint32_t nr_queued = 0;       // entities: tree and current
    std::uint32_t h_nr_queued = 0;     // tasks below, delayed ones included
    std::uint32_t h_nr_runnable = 0;
    std::uint32_t h_nr_delayed = 0;
    std::uint32_t idle_nr = 0;         // idle-policy entities on this queue
    std::uint32_t h_nr_idle = 0;       // idle-policy tasks below
    std::uint8_t runtime_enabled = 0;  // its group has a quota: what runs here is charged to it
    std::uint8_t throttled = 0;        // out of runtime: its owner is off the queue above
    std::uint16_t throttle_count = 0;  // throttled queues among this one and those above it
    LoadAvg avg;
    std::uint64_t removed_load = 0, removed_util = 0, removed_runnable = 0; // averages of tasks that left
    std::uint64_t removed_nr = 0;
    std::int64_t propagate_sum = 0;    // pending runnable_sum for the parent
    std::uint32_t propagate = 0;
    CpuId cpu;
    std::uint64_t tg_load_contrib = 0; // tg_load_avg_contrib
    std::uint64_t last_tg_update = 0;  // ns
    GroupId group;
    EntityId owner;                    // the group entity this queue belongs to, none at the root
    std::uint8_t room[32] = {};
    friend bool operator==(const Queue&, const Queue&) = default;
};

/// task_group.
struct Group {
    GroupId parent;
    std::uint32_t idle = 0;            // cpu.idle
    Weight shares{1048576};
    std::uint64_t load_avg = 0;        // sum of its queues' contributions
    EntityId first_entity;             // + CPU index; none for the root group
    QueueId first_queue;               // + CPU index
    friend bool operator==(const Group&, const Group&) = default;
};

/// cfs_bandwidth: the runtime a group may use per period; row = GroupId. No group has a quota: no rows.
struct Bandwidth {
    std::int64_t quota = 0;            // ns per period, 0 = no limit
    std::int64_t period = 100'000'000; // ns
    std::int64_t burst = 0;            // ns of unused quota a period may take over from those before it
    std::int64_t runtime = 0;          // ns left in the pool
    std::int64_t period_expires = 0;   // ns: next expiry of the period timer
    std::uint64_t nr_periods = 0;      // in which the timer was on
    std::uint64_t nr_throttled = 0;    // of them, those at whose end a queue was throttled
    std::uint64_t throttled_time = 0;  // ns, summed over queues, closed intervals
    QueueId throttled_first, throttled_last; // throttled queues in the order they were throttled
    std::uint8_t period_active = 0;    // the period timer is on
    std::uint8_t slack_started = 0;    // the slack timer is on
    std::uint8_t idle = 0;             // no runtime was taken since the period began
    std::uint8_t pad[5] = {};
    friend bool operator==(const Bandwidth&, const Bandwidth&) = default;
};
/// What bandwidth control knows of a cfs_rq; row = QueueId. No group has a quota: no rows.
struct QueueBandwidth {
    std::int64_t runtime_remaining = 0; // ns taken from the pool and not yet used; negative: overrun
    std::int64_t throttled_clock = 0;  // ns: when it was throttled last
    std::uint64_t throttled_clock_pelt = 0;      // ns: where its PELT clock stands still while throttle_count is not 0
    std::uint64_t throttled_clock_pelt_time = 0; // ns its PELT clock stood still so far
    std::uint64_t throttled_pelt_idle = 0;       // the same when it went empty; all ones: it stood still then (6.0)
    QueueId next_throttled;            // of its group
    std::int32_t pad = 0;
    friend bool operator==(const QueueBandwidth&, const QueueBandwidth&) = default;
};

enum class TaskState : std::uint8_t {
    waiting_to_start, // has a start time that lies ahead, or is to be forked
    runnable,         // queued or running
    sleeping,         // blocked; may still be queued when its dequeue is delayed
    dead
};
/// What a task is doing within its program.
enum class Doing : std::uint32_t {
    between,  // at the beginning of operation `op`
    working,  // run: work_left remains
    spinning, // spin: busy until `until`
    resting,  // sleep or timer: blocked until `until`
    waiting,  // blocked on a resource
    retrying  // woken to try operation `op` again
};
enum class Policy : std::uint8_t { normal = 0, batch = 3, idle = 5 };

/// Counters of a task's wakeups and moves (struct sched_statistics). 32 bits last for every run that ends.
struct TaskSchedstat {
    std::uint32_t nr_wakeups = 0;      // of these:
    std::uint32_t nr_wakeups_sync = 0;
    std::uint32_t nr_wakeups_migrate = 0; // to another CPU than it was on
    std::uint32_t nr_wakeups_local = 0;   // to the waker's CPU
    std::uint32_t nr_wakeups_remote = 0;
    std::uint32_t nr_wakeups_affine = 0;  // wake_affine() gave the waker's CPU
    std::uint32_t nr_wakeups_affine_attempts = 0; // wake_affine() was asked
    std::uint32_t nr_failed_migrations_affine = 0; // a balance pass left it where it was: forbidden there,
    std::uint32_t nr_failed_migrations_running = 0; // running,
    std::uint32_t nr_failed_migrations_hot = 0;     // or cache hot
    std::uint32_t nr_forced_migrations = 0;         // taken though cache hot
    friend bool operator==(const TaskSchedstat&, const TaskSchedstat&) = default;
};

/// task_struct, as far as the fair class and the workload interpreter look at it.
struct alignas(64) Task {
    EntityId entity;
    CpuId cpu;                         // where it is or was last
    CpuId recent_used_cpu;
    GroupId group{0};
    MaskId affinity;                   // row of State::masks
    std::int32_t program = -1;         // index of its TaskSpec
    std::int32_t instance = 0;         // which of the spec's count
    TaskState state = TaskState::waiting_to_start;
    Policy policy = Policy::normal;
    std::int8_t nice = 0;
    std::uint8_t on_rq = 0;            // task_struct.on_rq: queued (delayed included)
    // placement (wake_wide)
    TaskId last_wakee;
    std::uint32_t wakee_flips = 0;
    std::int64_t wakee_flip_decay = 0; // jiffies: when the flips were last halved
    // where its program stands
    std::uint32_t phase = 0, op = 0;
    std::uint64_t phase_round = 0;
    Doing doing = Doing::between;
    std::uint32_t passed_time = 0;     // it has worked or rested since it was born
    std::uint64_t task_round = 0;
    std::uint64_t draws = 0;           // random numbers taken so far
    std::int64_t work_left = 0;        // of a run op, ns at capacity 1024
    std::int64_t work_since = 0;       // when the work in progress began to count on this CPU, ns
    std::int64_t until = 0;            // of a spin op, a sleep or a timer: when it ends, ns
    std::int64_t round_began = 0;      // ns: a round must not end at the instant it began
    ResourceId blocked_on;             // and the list of its waiters
    TaskId next_waiter;
    ResourceId first_own;              // its own rows: timers that are not shared, then how far its lists are
    std::uint32_t phase_began = 0;     // attributes of the phase are applied
    std::uint64_t activation = 0;      // how often it was woken: names an activation across runs
    std::uint64_t migrations = 0;
    std::int64_t last_switched = 0;    // ns: when it last began or ceased to run
    std::uint64_t waited_ns = 0;       // runnable but not running, closed intervals
    TaskId list_previous, list_next;   // neighbours in its CPU's list of fair tasks (task_list.hpp)
    TaskId wake_next;                  // behind it on its CPU's wake list (wake_list.hpp)
    std::uint32_t wake_migrated = 0;   // on a wake list: it comes from another CPU (sched_remote_wakeup)
    std::int64_t stamp = 0;            // ns: when it last passed a stamp operation, or was served
    std::int64_t footprint = 0;        // ns it worked since its caches were cold, for the refill model
    CpuId ran_on;                      // where it last executed
    std::uint32_t entry = 0;           // of its operation: 1 = the way into the kernel is in progress, 2 = done
    TaskSchedstat stat;
    std::uint8_t room[4] = {};
    friend bool operator==(const Task&, const Task&) = default;
};

/// Counters of a CPU (struct rq, schedstat). Its run time is Rq::busy_ns.
struct CpuSchedstat {
    std::uint64_t run_delay = 0;       // ns tasks waited here before they ran, closed intervals
    std::uint64_t pcount = 0;          // timeslices: times a task began to run
    std::uint32_t yld_count = 0;
    std::uint32_t sched_count = 0;     // calls of schedule()
    std::uint32_t sched_goidle = 0;    // of these, those that chose the idle task
    std::uint32_t ttwu_count = 0;      // wakeups this CPU executed
    std::uint32_t ttwu_local = 0;      // of these, those of tasks that went to this CPU
    std::uint32_t pad = 0;
    friend bool operator==(const CpuSchedstat&, const CpuSchedstat&) = default;
};

/// rq: one CPU.
struct alignas(64) Rq {
    std::int64_t clock = 0;            // ns
    TaskId curr;                       // none = the idle task
    std::uint32_t nr_running = 0;      // fair tasks, delayed included
    std::uint32_t nr_switches = 0;
    std::uint8_t need_resched = 0;
    std::uint8_t skip_clock_update = 0;
    std::uint8_t online = 1;
    std::uint8_t tick_stopped = 1;     // an idle CPU's tick is off
    std::uint8_t ttwu_pending = 0;     // its wake list is not empty
    std::uint8_t nohz_tick_stopped = 0; // in nohz.idle_cpus_mask
    std::uint8_t nohz_flags = 0;       // pending kick, bits of nohz::Flag
    std::uint8_t has_blocked_load = 0; // may carry load of sleepers that still decays
    std::uint8_t idle_balance = 0;     // the last tick found the CPU idle
    std::uint8_t llc_nohz_idle = 0;    // counted out of its LLC's nr_busy_cpus
    std::uint8_t idle_mask_state = 1;  // idle_mask patch: the last state written, 1 idle
    std::uint8_t active_balance = 0;   // the stopper is to push the running task away
    std::int64_t idle_stamp = 0;       // ns, 0 = not idle-stamped
    std::uint64_t avg_idle = 1'000'000;
    std::uint64_t run_generation = 0;  // invalidates a pending end-of-run event
    std::uint64_t tick_generation = 0; // invalidates a pending tick
    std::uint64_t busy_ns = 0;         // closed intervals
    std::int64_t capacity = 1024;      // original: arch_scale_cpu_capacity
    std::uint64_t pelt_behind = 0;     // ns the PELT clock is behind clock, see pelt::update_clock
    std::uint64_t pelt_lost = 0;       // ns it never catches up (lost_idle_time)
    std::int64_t cpu_capacity = 1024;  // what interrupts and other classes leave of it, at least 1
    std::int64_t next_balance = 0;     // jiffies
    std::int64_t last_blocked_update = 0; // jiffies: last_blocked_load_update_tick
    std::uint64_t max_idle_balance_cost = 500'000; // ns
    std::int64_t wake_stamp = 0;       // jiffies, 6.1 with SIS_PROP
    std::uint64_t wake_avg_idle = 0;   // ns
    std::uint64_t misfit_task_load = 0;
    TaskId list_first, list_last;      // fair tasks, most recently run first
    TaskId wake_first, wake_last;      // woken tasks this CPU is to enqueue (wake_list), first come first
    CpuId push_cpu;                    // where an active balance pushes to
    TaskId idle_last_wakee;            // the idle task is a waker too
    std::int64_t idle_wakee_flip_decay = 0; // jiffies
    std::uint32_t idle_wakee_flips = 0;
    std::uint32_t pad2 = 0;
    CpuSchedstat stat;
    // the cost model
    std::int64_t kernel_until = 0;     // ns: until then it executes what it was charged for
    std::int64_t arrival = 0;          // ns: when the next IPI reaches it, 0 = none is on its way
    TaskId ran_last;                   // whose caches and address space it holds
    std::uint32_t pad = 0;
    friend bool operator==(const Rq&, const Rq&) = default;
};

/// Counters of the balance passes of one domain for one kind of idleness (struct sched_domain, schedstat).
struct BalanceSchedstat {
    std::uint32_t lb_count = 0;        // passes
    std::uint32_t lb_balanced = 0;     // found nothing to do, or only pinned tasks
    std::uint32_t lb_failed = 0;       // found something to move and moved nothing
    std::uint32_t lb_imbalance = 0;    // sum of the imbalances found: load, utilisation or tasks, whatever each counted
    std::uint32_t lb_gained = 0;       // tasks pulled
    std::uint32_t lb_hot_gained = 0;   // allowed though cache hot
    std::uint32_t lb_nobusyq = 0;      // no queue to pull from
    std::uint32_t lb_nobusyg = 0;      // no group to pull from
    friend bool operator==(const BalanceSchedstat&, const BalanceSchedstat&) = default;
};
/// Counters of a domain.
struct DomainSchedstat {
    std::array<BalanceSchedstat, 3> by_idle; // idle, not idle, newly idle (balance::IdleKind)
    std::uint32_t alb_count = 0;       // active balances
    std::uint32_t alb_failed = 0;
    std::uint32_t alb_pushed = 0;
    std::uint32_t ttwu_wake_remote = 0; // wakeups by this CPU of a task on another one, the nearest of its domains that holds both
    std::uint32_t ttwu_move_affine = 0; // wake_affine() gave this CPU
    friend bool operator==(const DomainSchedstat&, const DomainSchedstat&) = default;
};

/// What changes in a sched_domain; row = DomainId of Domains.
struct DomainState {
    std::int64_t last_balance = 0;        // jiffies
    std::int64_t last_decay = 0;          // jiffies: last_decay_max_lb_cost
    std::uint64_t max_newidle_lb_cost = 0; // ns
    std::uint64_t avg_scan_cost = 0;      // ns, SIS_PROP
    std::uint32_t balance_interval = 0;   // ms
    std::uint32_t nr_balance_failed = 0;
    std::uint32_t newidle_call = 512, newidle_success = 256, newidle_ratio = 512; // NI_RANDOM
    DomainSchedstat stat;
    friend bool operator==(const DomainState&, const DomainState&) = default;
};
/// sched_group_capacity; row = GroupCapacityId of Domains.
struct GroupCapacity {
    std::int64_t capacity = 0;
    std::int64_t min_capacity = 0;        // of one CPU
    std::int64_t max_capacity = 0;
    std::int64_t next_update = 0;         // jiffies
    std::uint32_t imbalance = 0;          // a lower level could not balance for affinity
    std::uint32_t pad = 0;
    friend bool operator==(const GroupCapacity&, const GroupCapacity&) = default;
};
/// sched_domain_shared: one cache line per LLC; row = LlcSharedId of Domains.
struct LlcShared {
    std::uint32_t nr_busy_cpus = 0;       // changes at most once a tick and CPU
    std::uint32_t has_idle_cores = 0;     // a hint: may be stale
    std::uint32_t nr_idle_scan = 0;       // CPUs SIS_UTIL lets a wakeup look at
    std::uint32_t pad = 0;
    friend bool operator==(const LlcShared&, const LlcShared&) = default;
};
/// The global state of idle balancing without ticks (struct nohz) and what the root domain knows.
struct Nohz {
    std::int64_t next_balance = 0;        // jiffies
    std::int64_t next_blocked = 0;        // jiffies
    std::uint32_t nr_cpus = 0;            // members of the mask
    std::uint32_t has_blocked = 0;
    std::uint32_t needs_update = 0;       // next_balance is to be collected again
    std::uint32_t overloaded = 0;         // rd->overload: some CPU had two tasks or a misfit
    friend bool operator==(const Nohz&, const Nohz&) = default;
};

enum class EventKind : std::uint8_t { // order at equal times: order_of
    edit,    // a timed edit of the scenario: subject its rank in Scenario::edits
    start,   // a task begins: subject task
    timer,   // a sleeper's timer expires: subject task, generation = its activation
    tick,    // scheduler_tick of subject CPU
    run_end, // the current operation of the task on subject CPU is done
    bandwidth_period, // a period of subject group's quota begins
    bandwidth_slack,  // runtime given back to subject group's pool is handed out
    arrival, // subject CPU takes an IPI, or has left its idle state; generation = Rq::arrival
    count
};
/// Bandwidth timers were armed before a tick of the same instant was: they expire first.
[[nodiscard]] constexpr int order_of(EventKind kind) {
    constexpr std::array<std::int8_t, static_cast<std::size_t>(EventKind::count)> order{0, 1, 2, 5, 6, 3, 4, 7};
    return order[static_cast<std::size_t>(kind)];
}

/// A future event. Order: time, kind, subject, then the order they were made in.
struct Event {
    std::int64_t at = 0;               // ns
    std::uint64_t seq = 0;
    std::uint64_t generation = 0;
    std::int32_t subject = -1;
    EventKind kind = EventKind::count;
    std::uint8_t pad[3] = {};
    friend bool operator==(const Event&, const Event&) = default;
};
/// a comes before b. Strict total order.
[[nodiscard]] constexpr bool comes_before(const Event& a, const Event& b) {
    if (a.at != b.at) return a.at < b.at;
    if (a.kind != b.kind) return order_of(a.kind) < order_of(b.kind);
    if (a.subject != b.subject) return a.subject < b.subject;
    return a.seq < b.seq;
}

/// A mutex, condition, semaphore, barrier, pipe, socket, timer, mailbox or suspend point of the workload.
struct Resource {
    std::int64_t value = 0;            // sem: count; barrier: arrived; pipe, socket: bytes; mutex: 1 = held; timer: next expiry
    TaskId owner;                      // mutex; mailbox: who waits for posts
    TaskId first_waiter, last_waiter;  // first come, first served; pipe, socket: readers; mailbox: posters, newest first
    TaskId first_writer, last_writer;  // pipe, socket: who waits for room
    CpuId toucher;                     // pipe, socket: CPU that used it last and has its cache lines
    std::uint32_t buffers = 0;         // pipe: buffers in use
    std::uint32_t tail = 0;            // pipe: bytes written to the last of them
    std::uint32_t head = 0;            // pipe: bytes read from the first of them
    std::uint32_t pad = 0;
    std::int64_t locked_from = 0, locked_until = 0; // pipe: ns between which its mutex is held, in the cost model
    friend bool operator==(const Resource&, const Resource&) = default;
};

struct State {
    // scalars
    std::int64_t now = 0;              // ns
    std::uint64_t event = 0;           // events processed so far
    std::uint64_t decisions = 0;       // decisions announced so far
    std::uint64_t switches = 0;        // context switches so far
    std::uint64_t ticks = 0;           // ticks handled so far
    std::uint64_t wakeups = 0;
    std::uint64_t next_seq = 0;
    std::uint64_t seed = 1;
    std::uint64_t mask_words = 1;      // words per row of masks
    std::uint64_t pelt_epoch = 0;      // ns the PELT clock is ahead of the run queues' clocks, see pelt::clock
    Settings settings;
    Nohz nohz;
    // arrays
    std::vector<Task> tasks;
    std::vector<Entity> entities;
    std::vector<Queue> queues;         // first the root queue of each CPU
    std::vector<Rq> rqs;               // by CPU
    std::vector<Group> groups;         // first the root group
    std::vector<Resource> resources;
    std::vector<Event> events;         // binary heap, earliest first
    std::vector<std::uint64_t> masks;  // rows of mask_words words
    std::vector<DomainState> domains;
    std::vector<GroupCapacity> group_capacities;
    std::vector<LlcShared> llc_shared;
    std::vector<std::uint64_t> nohz_idle_cpus; // one row: idle_cpus_mask
    std::vector<std::uint64_t> llc_idle_cpus;  // one row: the idle_mask patch's mask of each LLC, all in one
    std::vector<Bandwidth> bandwidth;              // by group; empty while none has a quota
    std::vector<QueueBandwidth> queue_bandwidth;   // by queue; empty while no group has a quota
    // what is counted, and the cost model
    Accounts accounts;
    std::vector<Sample> samples;
    std::vector<IdleHistory> idle_histories; // by CPU; empty without costs
    CacheLines cache_lines;                  // empty without costs

    [[nodiscard]] Task& task(TaskId t) { return tasks[t.index()]; }
    [[nodiscard]] const Task& task(TaskId t) const { return tasks[t.index()]; }
    [[nodiscard]] Entity& entity(EntityId e) { return entities[e.index()]; }
    [[nodiscard]] const Entity& entity(EntityId e) const { return entities[e.index()]; }
    [[nodiscard]] Entity& entity(TaskId t) { return entities[tasks[t.index()].entity.index()]; }
    [[nodiscard]] const Entity& entity(TaskId t) const { return entities[tasks[t.index()].entity.index()]; }
    [[nodiscard]] Queue& queue(QueueId q) { return queues[q.index()]; }
    [[nodiscard]] const Queue& queue(QueueId q) const { return queues[q.index()]; }
    [[nodiscard]] Rq& rq(CpuId c) { return rqs[c.index()]; }
    [[nodiscard]] const Rq& rq(CpuId c) const { return rqs[c.index()]; }
    [[nodiscard]] Queue& root_queue(CpuId c) { return queues[c.index()]; }
    [[nodiscard]] const Queue& root_queue(CpuId c) const { return queues[c.index()]; }
    /// Some group has, or had, a quota (fn: cfs_bandwidth_used).
    [[nodiscard]] bool bandwidth_used() const { return !bandwidth.empty(); }
    [[nodiscard]] Bandwidth& pool(GroupId g) { return bandwidth[g.index()]; }
    [[nodiscard]] const Bandwidth& pool(GroupId g) const { return bandwidth[g.index()]; }
    [[nodiscard]] QueueBandwidth& bandwidth_of(QueueId q) { return queue_bandwidth[q.index()]; }
    [[nodiscard]] const QueueBandwidth& bandwidth_of(QueueId q) const { return queue_bandwidth[q.index()]; }
    [[nodiscard]] CpuSetView mask(MaskId m) const {
        return std::span(masks).subspan(m.index() * mask_words, mask_words);
    }
    [[nodiscard]] std::size_t cpu_count() const { return rqs.size(); }
    /// Whole ticks since the start (the kernel's jiffies).
    [[nodiscard]] std::int64_t jiffies() const { return now / settings.tick_ns(); }
    friend bool operator==(const State&, const State&) = default;
};

/// The digest of everything in the state: equal states have equal digests. Bandwidth control that is not used adds
/// nothing to it.
[[nodiscard]] std::uint64_t digest(const State& st);

/// Bytes a copy of the state occupies (arrays by size, not capacity).
[[nodiscard]] std::size_t size_in_bytes(const State& st);

/// The first difference between two states as a sentence ("entities[3] differs at byte 48"), empty if equal.
[[nodiscard]] std::string first_difference(const State& a, const State& b);

template <DecisionSink S>
void Recorder<S>::announce(State& st, DecisionHeader header) {
    const Evidence<S>& e = close();
    ++st.decisions;
    if constexpr (!std::is_same_v<S, NullSink>) {
        header.event = st.event;
        header.at = st.now;
        header.checks = static_cast<std::uint16_t>(e.checks().size());
        header.deciding = e.deciding();
        m_sink->on_decision(st, header, e.checks());
    }
}

// No padding anywhere: the digest hashes bytes.
static_assert(std::has_unique_object_representations_v<Entity> && std::has_unique_object_representations_v<Queue> &&
              std::has_unique_object_representations_v<Task> && std::has_unique_object_representations_v<Rq> &&
              std::has_unique_object_representations_v<Group> && std::has_unique_object_representations_v<Event> &&
              std::has_unique_object_representations_v<Resource> && std::has_unique_object_representations_v<DomainState> &&
              std::has_unique_object_representations_v<GroupCapacity> && std::has_unique_object_representations_v<LlcShared> &&
              std::has_unique_object_representations_v<Nohz> && std::has_unique_object_representations_v<Bandwidth> &&
              std::has_unique_object_representations_v<QueueBandwidth> && std::has_unique_object_representations_v<Settings>);
static_assert(std::is_trivially_copyable_v<Entity> && std::is_trivially_copyable_v<Queue> &&
              std::is_trivially_copyable_v<Task> && std::is_trivially_copyable_v<Rq> &&
              std::is_trivially_copyable_v<Bandwidth> && std::is_trivially_copyable_v<QueueBandwidth> &&
              std::is_trivially_copyable_v<Settings>);

} // namespace picknext
