// SPDX-License-Identifier: GPL-3.0-or-later
// What a decision record is made of: kinds, reasons, checks, each with one row in a table. Text, filters, statistics
// and golden logs all derive from these tables. To add a decision: an enumerator, a table row, the function.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <string_view>

#include "core/base/ids.hpp"
#include "core/base/time.hpp"

namespace picknext {

/// What was decided.
enum class Kind : std::uint8_t {
    pick,       // which entity of a queue runs next           outcome: EntityId, -1 none
    schedule,   // what the CPU runs now (__schedule)          outcome: TaskId, -1 idle
    place,      // which CPU a woken or new task goes to       outcome: CpuId
    preempt,    // does the woken task preempt the current one outcome: 1 yes, 0 no
    tick,       // does the tick ask for a reschedule          outcome: 1 yes, 0 no
    enqueue,    // where on the virtual time line a task joins outcome: 0; see the checks
    dequeue,    // leave now, or delayed (6.12)                outcome: 1 left, 0 delayed
    yield,      // what a yield gives away                     outcome: 1 something, 0 nothing
    balance,    // may this CPU balance the domain            outcome: 1 yes, 0 no
    busiest,    // group to pull from                         outcome: its first CPU, -1 balanced
    imbalance,  // what is to be moved                        outcome: amount (capped); see the reason
    queue,      // queue to pull from                         outcome: CPU, -1 none
    detach,     // one task looked at                         outcome: 1 moved, 0 stays
    active,     // push the running task                      outcome: 1 yes, 0 no
    newidle,    // balance before going idle                   outcome: 1 yes, 0 no
    nohz_kick,  // ask an idle CPU to balance for all          outcome: CPU, -1 nobody
    nohz_run,   // balance for the CPUs without a tick         outcome: 0; see the checks
    mask,       // write a bit of the LLC's idle mask (patch)  outcome: 1 set, 0 cleared, -1 kept
    idle_cores, // promise an idle core to the LLC             outcome: 1 yes, 0 no
    throttle,   // take a group that used up its quota off     outcome: its EntityId, -1 it stays
    unthrottle, // let a throttled group run again             outcome: its EntityId, -1 it stays throttled
    refill,     // what a bandwidth timer does                 outcome: EntityId of the group on the first CPU
    queue_wakeup, // who enqueues a woken task                 outcome: CPU whose wake list it joins, -1 the waker does
    hotplug,    // a CPU goes offline or online                outcome: 1 online, 0 offline, afterwards
    count
};
inline constexpr std::size_t kind_count = static_cast<std::size_t>(Kind::count);

enum class OutcomeType : std::uint8_t { none, task, cpu, entity, yes_no };

struct KindInfo {
    Kind id;
    std::string_view name;     // "pick": the word in logs and expressions
    std::string_view function; // the kernel function that decides
    OutcomeType outcome;
    std::string_view what;     // a sentence
};

/// Why the outcome is what it is; returned by the deciding function itself. Names start with their kind.
enum class Reason : std::uint16_t {
    none,
    // pick
    pick_empty, pick_only_entity, pick_parity, pick_leftmost_eligible, pick_search, pick_current_earlier,
    pick_next_buddy, pick_last_buddy, pick_skipped, pick_leftmost, pick_current_leftmost, pick_delayed_finish,
    // schedule
    schedule_switch, schedule_same, schedule_idle, schedule_from_idle, schedule_stopper,
    // place
    place_single_allowed, place_previous_idle, place_target_idle, place_scan_idle, place_no_idle, place_slow_idle,
    place_slow_least, place_in_place,
    place_current_cpu, place_kthread_stack, place_recent_idle, place_smt_sibling, place_idle_core,
    place_remembered, place_cluster_idle, place_previous_reserve, place_recent_reserve, place_no_cache,
    place_no_scan, place_budget, place_capacity, place_previous, place_slow_policy, place_slow_single,
    place_slow_stay,
    place_fallback, place_affinity, place_widened,
    // preempt
    preempt_self, preempt_idle_cpu, preempt_already, preempt_current_idle_policy, preempt_policy, preempt_feature_off,
    preempt_group_idle, preempt_picked, preempt_not_picked, preempt_granularity, preempt_within_granularity,
    preempt_throttled, preempt_running_not_needed,
    // tick
    tick_idle, tick_deadline, tick_lost_protection, tick_slice_used, tick_lag, tick_below_min_granularity, tick_alone, tick_continue,
    // enqueue
    enqueue_lag, enqueue_no_lag, enqueue_relative_deadline, enqueue_new, enqueue_sleeper, enqueue_kept, enqueue_long_sleeper,
    enqueue_normalized, enqueue_revived,
    // dequeue
    dequeue_now, dequeue_delayed, dequeue_delayed_finish, dequeue_moved,
    // yield
    yield_alone, yield_skip, yield_deadline, yield_forfeit, yield_not_eligible,
    balance_chosen, balance_other, balance_newidle, balance_not_idle_any_more, balance_left_out, busiest_none,
    busiest_type, busiest_own_load, busiest_average, busiest_margin, busiest_not_idle, busiest_idle_close,
    busiest_one_task_only, busiest_misfit, busiest_asym_packing, busiest_imbalanced, busiest_smt, busiest_sibling,
    busiest_load, imbalance_none, imbalance_misfit, imbalance_misfit_load, imbalance_asym, imbalance_one,
    imbalance_util, imbalance_tasks, imbalance_idle, imbalance_load, queue_none, queue_load, queue_util,
    queue_tasks, queue_misfit, detach_moved, detach_affinity, detach_running, detach_hot, detach_large,
    detach_fits, detach_throttled, active_no, active_failed, active_capacity, active_misfit, active_asym, active_forbidden,
    newidle_go, newidle_pending, newidle_not_overloaded, newidle_too_short, kick_was_idle, kick_nobody,
    kick_not_needed, kick_tasks, kick_capacity, kick_preferred, kick_misfit, kick_llc, kick_stats, kick_next,
    kick_found_none, kick_pending, run_kicked, run_newidle, mask_set, mask_cleared, mask_kept, mask_refused,
    idle_cores_set, idle_cores_kept, idle_cores_busy,
    // bandwidth
    throttle_used_up, throttle_supplied, unthrottle_covered, unthrottle_short, unthrottle_changed, unthrottle_offline,
    refill_period, refill_idle, refill_slack, refill_slack_late, refill_slack_little,
    queue_wakeup_off, queue_wakeup_unusable, queue_wakeup_other_cache, queue_wakeup_same_cpu, queue_wakeup_shares_cache,
    queue_wakeup_idle_target, queue_wakeup_busy_target,
    hotplug_offline, hotplug_online, hotplug_same, hotplug_last,
    count
};
inline constexpr std::size_t reason_count = static_cast<std::size_t>(Reason::count);

struct ReasonInfo {
    Reason id;
    std::string_view name;     // "pick.search": the word in logs and expressions
    std::string_view sentence; // for people, no placeholders: "Earliest deadline among the eligible, found by heap search."
};

/// The unit decides the C++ type of both values of a check.
enum class Unit : std::uint8_t { count, ns, vtime, weight, load, flag, cpu, task, entity };

/// One predicate or observed input.
enum class Chk : std::uint16_t {
    // pick
    only_entity,              // left nr queued, right 1
    buddy_eligible,           // subject next buddy: v, V
    current_eligible,         // subject current: v, V
    current_protected,        // subject current: vlag as a virtual time, deadline
    leftmost_eligible,        // subject leftmost: v, V
    left_subtree_eligible,    // subject node: min_vruntime of its left subtree, V
    node_eligible,            // subject node: v, V
    node_earlier_deadline,    // 6.6: subject node: deadline, best so far
    left_min_deadline,        // 6.6: subject node: min_deadline of left child, of node
    node_min_deadline,        // 6.6: subject node: deadline, min_deadline of its subtree
    remembered_not_later,     // 6.6: subject remembered subtree: its min_deadline, best's deadline
    descent_min_deadline,     // 6.6, second descent: subject node: deadline, min_deadline
    descent_left_min,         // 6.6, second descent: subject node: min_deadline of left child, of node
    current_earlier_deadline, // subject current: deadline, best's deadline
    leftmost_first,           // CFS: subject current: v, leftmost v
    skip_second,              // CFS: subject second: v distance, granularity
    buddy_close_enough,       // CFS: subject buddy: v distance to leftmost, granularity
    delayed_picked,           // 6.12: subject picked: sched_delayed, 1
    // schedule
    queue_empty,              // left nr_running, right 0
    same_task,                // subject picked: task, current
    // place
    allowed_cpus,             // left count, right 1
    cpu_is_idle,              // subject cpu: nr_running, 0
    cpu_allowed,              // subject cpu
    shares_cache,             // subject cpu: llc ids
    fewest_running,           // subject cpu: nr_running, best so far
    allowed_online,           // subject task: online CPUs of its affinity, 0
    delayed_in_place,         // subject task: 6.12 delayed dequeue is revived where it is
    wakee_changed,            // left the wakee, right whom the waker woke last
    many_partners,            // fewer flips of the two, LLC size
    many_more_partners,       // more flips of the two, product
    domain_holds_previous,    // subject previous CPU: depth of the domain
    sync_waker_alone,         // subject waker's CPU: nr_running without delayed, 1
    waker_is_the_load,        // subject waker's CPU
    waker_cpu_lighter,        // subject waker's CPU: weighted loads
    only_idle_policy,         // h_nr_idle, nr_running
    shares_cluster,           // first CPUs of both clusters
    kthread_alone,            // nr_running, 1
    fits_capacity,            // utilisation * 1280 / 1024, capacity
    idle_cores_flag,          // subject first CPU of the LLC: the flag, 1
    scan_set,                 // subject first CPU of the LLC: candidates, LLC size
    scan_budget,              // budget, nr_idle_scan or average cost
    scan_allowed,             // subject first CPU of the LLC: nr_idle_scan, 0
    scan_cpu,                 // budget left, 0
    scan_core,                // threads of the core, 0
    scan_exhausted,           // budget left, 0
    domain_balances,          // flag set, 1
    group_type_lower,         // group types
    group_load_lower,         // average loads
    group_more_idle,          // idle CPUs
    group_util_lower,         // utilisations
    local_type_lower,         // group types
    local_load_close,         // loads
    local_idle_enough,        // idle CPUs
    numa_imbalance_allowed,   // tasks with this one, allowed
    idle_later,               // idle_stamp, best
    cpu_load_lower,           // loads
    dst_considered,           // subject destination CPU
    newidle_still_idle,       // nr_running, 0
    core_is_idle,             // subject idle CPU
    balances_group,           // subject this CPU: chosen CPU, this CPU
    group_load,               // subject first CPU of the group
    group_util,               // subject first CPU of the group
    group_tasks,              // subject first CPU of the group
    group_spare,              // idle CPUs, GroupType
    group_busier,             // types; more is compared where they are equal
    local_type_higher,        // types
    local_load_at_least,      // average loads
    local_above_average,      // own, domain's average
    within_margin,            // 100 * busiest avg_load, pct * own
    sibling_difference,       // difference, 1
    balancer_busy,            // subject destination CPU
    idle_counts_close,        // own idle CPUs, busiest idle CPUs + 1
    busiest_one_task,         // subject first CPU of the busiest group
    amount,                   // amount, before NUMA allowance and halving
    spare_capacity,           // local capacity, local utilisation
    queue_busier,             // load x capacity, utilisation, tasks or misfit load
    task_allowed,             // subject task
    task_running,             // subject task
    task_cache_hot,           // ns since exec_start, migration cost
    failures_override,        // failures, tries
    amount_too_large,         // load or utilisation after the shift, imbalance
    failed_too_often,         // subject source CPU
    capacity_worse,           // subject source CPU
    tick_was_idle,            // subject this CPU
    nohz_cpus,                // nohz.nr_cpus without this CPU, 0
    blocked_due,              // jiffies, nohz.next_blocked
    has_blocked,              // the flag or the number of marked CPUs
    nohz_balance_due,         // jiffies, nohz.next_balance
    several_tasks,            // nr_running, 2
    own_capacity_reduced,     // capacity * pct, original * 100
    preferred_idle,           // subject CPU without a tick
    has_misfit,               // misfit load, 0
    busy_in_llc,              // nr_busy_cpus, 1
    kick_pending,             // pending, wanted flags
    own_balance_due,          // jiffies, rq.next_balance
    carries_blocked,          // has_blocked_load, 1
    idle_long_enough,         // avg_idle, cost
    root_overloaded,          // rd->overloaded, 1
    mask_state,               // new state, last state
    mask_test,                // available_idle, sched_idle
    idle_cores_known,         // subject first CPU of the LLC
    // queue_wakeup
    ttwu_queue_on,            // feature
    wakes_own_cpu,            // subject target: target, waker's CPU
    nothing_queued_there,     // subject target: nr_running, 0
    // hotplug
    cpu_online,               // subject cpu: online, wanted
    others_online,            // subject cpu: other CPUs online, 0
    // preempt
    runs_idle_thread,         // subject cpu
    wakee_is_current,         // subject task
    resched_already,          // flag
    current_idle_policy,      // subject current
    wakee_idle_policy,
    wakee_batch,
    wakee_not_normal,         // 6.12: batch or idle policy
    current_group_idle,       // subject: the current task's entity on the shared queue
    wakee_group_idle,
    wakeup_preemption_on,     // feature
    short_slice,              // subject wakee: slice, current's slice
    wakee_eligible,           // v, V
    wakee_earlier_deadline,   // deadline, current's
    pick_is_wakee,            // entity picked, wakee's entity
    beyond_granularity,       // CFS: v distance, granularity
    // tick
    deadline_reached,         // v, deadline
    more_than_one,            // nr queued, 1
    slice_exceeded,           // ran, slice
    min_granularity_reached,  // ran, min granularity
    lag_exceeded,             // v distance to leftmost, slice
    // enqueue
    queue_not_empty,
    own_vruntime_later,       // CFS: v, placed v
    lag_kept,                 // vlag stored, vlag inflated
    placed_vruntime,          // v, V or min_vruntime
    placed_deadline,          // deadline, v
    // dequeue
    sleeping,                 // flag
    sleeper_eligible,         // v, V
    // yield
    alone,                    // nr_running, 1
    yielder_eligible,         // v, V
    // bandwidth
    group_throttled,          // subject task: throttled hierarchy, 1
    pool_covers_overrun,      // subject group entity: left in the pool, overrun
    given_covers_overrun,     // subject group entity: given, overrun
    queues_throttled,         // subject group entity: some, 0
    runtime_unused,           // subject group entity: idle, 1
    pool_filled,              // subject group entity: after, before
    period_begins_soon,       // subject group entity: time left, 2 ms
    slack_above_slice,        // subject group entity: left in the pool, slice
    count
};
inline constexpr std::size_t chk_count = static_cast<std::size_t>(Chk::count);

/// What the two values of a check are to each other when the answer is yes.
enum class Relation : std::uint8_t { none, equal, less, less_equal, greater, greater_equal };
/// What the subject id of a check names.
enum class SubjectType : std::uint8_t { none, task, cpu, entity, queue };

struct ChkInfo {
    Chk id;
    std::string_view name;      // "left_subtree_eligible"
    std::string_view step;      // short mark shown before the row: "P5", ""
    std::string_view question;  // "{}: left subtree holds an eligible entity?"; one {} takes the subject's name
    std::string_view left, right; // what the two values are, in the kernel's words
    Unit unit;
    SubjectType subject;
    Relation relation;          // yes means: left relation right
    std::string_view function;  // kernel function it stands for
    std::string_view governed;  // patch or feature name that governs it, "" = none
};

[[nodiscard]] std::span<const KindInfo> kind_table();
[[nodiscard]] std::span<const ReasonInfo> reason_table();
[[nodiscard]] std::span<const ChkInfo> chk_table();
[[nodiscard]] inline const KindInfo& info(Kind k) { return kind_table()[static_cast<std::size_t>(k)]; }
[[nodiscard]] inline const ReasonInfo& info(Reason r) { return reason_table()[static_cast<std::size_t>(r)]; }
[[nodiscard]] inline const ChkInfo& info(Chk c) { return chk_table()[static_cast<std::size_t>(c)]; }
/// The unit of each check as a constant expression (the table in decision.cpp asserts that it agrees).
[[nodiscard]] constexpr Unit unit_of(Chk c) {
    switch (c) {
    case Chk::buddy_eligible: case Chk::current_eligible: case Chk::current_protected: case Chk::leftmost_eligible:
    case Chk::left_subtree_eligible: case Chk::node_eligible: case Chk::node_earlier_deadline:
    case Chk::left_min_deadline: case Chk::node_min_deadline: case Chk::remembered_not_later:
    case Chk::descent_min_deadline: case Chk::descent_left_min: case Chk::current_earlier_deadline: case Chk::leftmost_first:
    case Chk::wakee_eligible: case Chk::wakee_earlier_deadline: case Chk::deadline_reached: case Chk::placed_vruntime:
    case Chk::placed_deadline: case Chk::own_vruntime_later: case Chk::sleeper_eligible: case Chk::yielder_eligible:
        return Unit::vtime;
    case Chk::skip_second: case Chk::buddy_close_enough: case Chk::short_slice: case Chk::beyond_granularity:
    case Chk::slice_exceeded: case Chk::min_granularity_reached: case Chk::lag_exceeded: case Chk::lag_kept:
    case Chk::idle_later:
    case Chk::task_cache_hot:
    case Chk::idle_long_enough:
    case Chk::pool_covers_overrun: case Chk::given_covers_overrun: case Chk::pool_filled: case Chk::period_begins_soon: case Chk::slack_above_slice:
        return Unit::ns;
    case Chk::same_task:
    case Chk::wakee_changed:
        return Unit::task;
    case Chk::pick_is_wakee:
        return Unit::entity;
    case Chk::cpu_allowed: case Chk::wakee_is_current: case Chk::resched_already: case Chk::current_idle_policy:
    case Chk::wakee_idle_policy: case Chk::wakee_batch: case Chk::runs_idle_thread: case Chk::wakee_not_normal: case Chk::current_group_idle:
    case Chk::wakee_group_idle: case Chk::wakeup_preemption_on: case Chk::sleeping:
    case Chk::delayed_picked: case Chk::delayed_in_place:
    case Chk::domain_balances:
    case Chk::dst_considered: case Chk::core_is_idle: case Chk::balancer_busy: case Chk::task_allowed: case Chk::task_running:
    case Chk::tick_was_idle: case Chk::ttwu_queue_on: case Chk::cpu_online:
    case Chk::group_throttled: case Chk::queues_throttled: case Chk::runtime_unused:
        return Unit::flag;
    case Chk::waker_is_the_load: case Chk::waker_cpu_lighter: case Chk::fits_capacity: case Chk::group_load_lower: case Chk::group_util_lower: case Chk::local_load_close: case Chk::cpu_load_lower:
    case Chk::group_load: case Chk::group_util: case Chk::local_load_at_least: case Chk::local_above_average: case Chk::within_margin: case Chk::spare_capacity: case Chk::amount_too_large: case Chk::capacity_worse:
    case Chk::own_capacity_reduced: case Chk::has_misfit:
        return Unit::load;
    case Chk::shares_cluster:
    case Chk::balances_group: case Chk::wakes_own_cpu:
        return Unit::cpu;
    default:
        return Unit::count;
    }
}

enum class Verdict : std::uint8_t { no, yes, not_asked, noted }; // noted: an input that decides nothing itself

/// One check of a decision: 24 bytes, no padding.
struct Check {
    Chk id = Chk::count;
    Verdict verdict = Verdict::not_asked;
    std::uint8_t reserved = 0;
    std::int32_t subject = -1; // by ChkInfo::subject
    std::int64_t left = 0;     // by ChkInfo::unit; virtual times as signed 64-bit patterns
    std::int64_t right = 0;
    friend bool operator==(const Check&, const Check&) = default;
};
static_assert(sizeof(Check) == 24);

/// How a pick came to its answer: the path, not the winner (the current task chosen after the fast path is still fast).
enum class PickPath : std::uint8_t {
    none,     // not a pick
    direct,   // one entity queued
    parity,   // the current task keeps its slice
    fast,     // the leftmost is eligible
    slow,     // heap search
    buddy,    // next buddy
    leftmost, // CFS: leftmost, or the current task left of it
    skip,     // CFS: the second, the first is to be skipped
    last,     // CFS: last buddy
    count
};
inline constexpr std::size_t pick_path_count = static_cast<std::size_t>(PickPath::count);
[[nodiscard]] std::string_view name_of(PickPath path);
/// From where a decision was asked for: the part of its question that the state does not hold.
enum class Site : std::uint8_t {
    schedule, preempt,          // pick: for good, or to know whether the woken task would win
    wakeup, sync_wakeup, fork,  // place
    idle, not_idle, newly_idle, // balance to active: what the balancing CPU is to the pass (cpu_idle_type)
    around_pinned               // the same, once pinned tasks make the pass look again: without their CPU, or for another of its group
};

/// One decision: 40 bytes, no padding. Its number is its rank in the run (State::decisions when it was announced).
struct DecisionHeader {
    std::uint64_t event = 0;      // number of the event it belongs to
    std::int64_t at = 0;          // ns
    std::int32_t task = -1;       // whom it is about: pick and tick: the current task, else the woken/leaving one
    std::int32_t outcome = -1;    // by KindInfo::outcome
    std::uint16_t cpu = 0;
    Reason reason = Reason::none;
    Kind kind = Kind::count;
    std::uint8_t level = 0;       // pick: depth of the queue (0 root); later: domain level
    std::uint16_t checks = 0;     // how many checks were made (0 when they were not recorded)
    std::uint16_t deciding = 0;   // index of the deciding check
    PickPath path = PickPath::none; // of a pick
    Site site = Site::schedule;
    std::uint32_t cost = 0;       // ns, from the cost model (0 = none)
    friend bool operator==(const DecisionHeader&, const DecisionHeader&) = default;
};
static_assert(sizeof(DecisionHeader) == 40);

/// A header before it is announced; level: depth of the queue.
[[nodiscard]] constexpr DecisionHeader make_header(Kind kind, Reason reason, CpuId cpu, TaskId task, std::int32_t outcome,
                                                   std::int32_t level = 0) {
    DecisionHeader h;
    h.kind = kind;
    h.reason = reason;
    h.cpu = static_cast<std::uint16_t>(cpu.value);
    h.task = task.value;
    h.outcome = outcome;
    h.level = static_cast<std::uint8_t>(level);
    return h;
}

} // namespace picknext
