// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/trace/decision.hpp"

#include <cstddef>

namespace picknext {
namespace {

constexpr std::array kinds{
    KindInfo{Kind::pick, "pick", "pick_next_entity", OutcomeType::entity, "Which entity of a queue runs next."},
    KindInfo{Kind::schedule, "schedule", "__schedule", OutcomeType::task, "What the CPU runs from now on."},
    KindInfo{Kind::place, "place", "select_task_rq_fair", OutcomeType::cpu, "Which CPU a woken or new task goes to."},
    KindInfo{Kind::preempt, "preempt", "check_preempt_wakeup_fair", OutcomeType::yes_no, "Does the woken task preempt the current one?"},
    KindInfo{Kind::tick, "tick", "task_tick_fair", OutcomeType::yes_no, "Does the tick ask for a reschedule?"},
    KindInfo{Kind::enqueue, "enqueue", "place_entity", OutcomeType::none, "Where on the virtual time line a task joins."},
    KindInfo{Kind::dequeue, "dequeue", "dequeue_entity", OutcomeType::yes_no, "Does a sleeper leave the queue now?"},
    KindInfo{Kind::yield, "yield", "yield_task_fair", OutcomeType::yes_no, "What a yield gives away."},
};
static_assert(kinds.size() == kind_count);

constexpr std::array reasons{
    ReasonInfo{Reason::none, "none", ""},
    ReasonInfo{Reason::pick_empty, "pick.empty", "Nothing is queued."},
    ReasonInfo{Reason::pick_only_entity, "pick.direct", "It is the only entity queued."},
    ReasonInfo{Reason::pick_parity, "pick.parity", "The current task is eligible and keeps the rest of its slice (RUN_TO_PARITY)."},
    ReasonInfo{Reason::pick_leftmost_eligible, "pick.fast", "The leftmost has the earliest deadline and is eligible: no search."},
    ReasonInfo{Reason::pick_search, "pick.slow", "Earliest deadline among the eligible entities, found by heap search."},
    ReasonInfo{Reason::pick_current_earlier, "pick.current", "The current task is eligible and its deadline is strictly earlier than the best of the tree."},
    ReasonInfo{Reason::pick_next_buddy, "pick.next_buddy", "It is marked as next buddy and may run."},
    ReasonInfo{Reason::pick_last_buddy, "pick.last_buddy", "It is marked as last buddy and is close enough to the leftmost."},
    ReasonInfo{Reason::pick_skipped, "pick.skip", "The first in line yielded; the second is close enough."},
    ReasonInfo{Reason::pick_leftmost, "pick.leftmost", "It has the smallest vruntime."},
    ReasonInfo{Reason::pick_current_leftmost, "pick.current_leftmost", "The current task's vruntime is still the smallest."},
    ReasonInfo{Reason::pick_delayed_finish, "pick.delayed", "It sleeps already, its dequeue was only delayed: it leaves now and the pick starts again."},
    ReasonInfo{Reason::schedule_switch, "schedule.switch", "Another task was picked."},
    ReasonInfo{Reason::schedule_same, "schedule.same", "The running task was picked again: nothing is switched."},
    ReasonInfo{Reason::schedule_idle, "schedule.idle", "Nothing is queued: the CPU goes idle."},
    ReasonInfo{Reason::schedule_from_idle, "schedule.from_idle", "The CPU leaves idle."},
    ReasonInfo{Reason::schedule_stopper, "schedule.stopper", "The running task may no longer run here: the stopper thread takes the CPU and moves it."},
    ReasonInfo{Reason::place_single_allowed, "place.only_allowed", "Its affinity allows one CPU."},
    ReasonInfo{Reason::place_previous_idle, "place.previous_idle", "The CPU it ran on last is idle."},
    ReasonInfo{Reason::place_target_idle, "place.target_idle", "The target CPU is idle."},
    ReasonInfo{Reason::place_scan_idle, "place.scan_idle", "The scan of the last-level cache found an idle CPU."},
    ReasonInfo{Reason::place_no_idle, "place.no_idle", "No CPU of the last-level cache is idle: it stays where it was."},
    ReasonInfo{Reason::place_fork_idle, "place.fork_idle", "A new task takes the first idle CPU it is allowed on."},
    ReasonInfo{Reason::place_fork_least, "place.fork_least", "No allowed CPU is idle: the one with the fewest queued tasks."},
    ReasonInfo{Reason::place_in_place, "place.in_place", "Its dequeue was delayed: it is revived where it is, no CPU is selected."},
    ReasonInfo{Reason::place_current_cpu, "place.current_cpu", "The caller asked for the CPU it runs on."},
    ReasonInfo{Reason::place_kthread_stack, "place.kthread", "A kernel thread of this CPU wakes it and is about to sleep: it stays."},
    ReasonInfo{Reason::place_recent_idle, "place.recent_idle", "The CPU it used before the previous one is idle and shares the cache."},
    ReasonInfo{Reason::place_smt_sibling, "place.smt_sibling", "A sibling thread of the previous CPU's core is idle."},
    ReasonInfo{Reason::place_idle_core, "place.idle_core", "A core whose threads are all idle was found."},
    ReasonInfo{Reason::place_remembered, "place.core_remembered", "No core is wholly idle: an idle CPU met on the way is taken."},
    ReasonInfo{Reason::place_cluster_idle, "place.cluster_idle", "An idle CPU of the target's cluster was found."},
    ReasonInfo{Reason::place_previous_reserve, "place.previous_reserve", "No idle CPU in the cluster or the LLC: the idle previous CPU outside the cluster."},
    ReasonInfo{Reason::place_recent_reserve, "place.recent_reserve", "No idle CPU in the cluster or the LLC: the idle recent CPU outside the cluster."},
    ReasonInfo{Reason::place_no_cache, "place.no_llc", "The target shares its cache with nobody: the target."},
    ReasonInfo{Reason::place_no_scan, "place.no_scan", "The LLC is too busy to scan (nr_idle_scan is 0): the target."},
    ReasonInfo{Reason::place_budget, "place.budget", "No idle CPU within the scan's budget: the target."},
    ReasonInfo{Reason::place_capacity, "place.capacity", "Idle CPU that fits the task best on a machine with unlike CPUs."},
    ReasonInfo{Reason::place_previous, "place.previous", "No domain balances this kind of wakeup: it stays."},
    ReasonInfo{Reason::place_slow_policy, "place.slow_idle_policy", "The CPU of the idlest group runs idle-policy tasks only."},
    ReasonInfo{Reason::place_slow_single, "place.slow_single", "The idlest group is this one CPU."},
    ReasonInfo{Reason::place_slow_stay, "place.slow_stay", "No other group is idler: it stays."},
    ReasonInfo{Reason::preempt_self, "preempt.self", "The woken task is the running one."},
    ReasonInfo{Reason::preempt_idle_cpu, "preempt.idle_cpu", "The CPU is idle."},
    ReasonInfo{Reason::preempt_already, "preempt.already", "A reschedule was already requested."},
    ReasonInfo{Reason::preempt_current_idle_policy, "preempt.current_idle_policy", "The current task has the idle policy and the woken one has not."},
    ReasonInfo{Reason::preempt_policy, "preempt.policy", "A task of batch or idle policy preempts nobody."},
    ReasonInfo{Reason::preempt_feature_off, "preempt.feature_off", "WAKEUP_PREEMPTION is off."},
    ReasonInfo{Reason::preempt_group_idle, "preempt.group_idle", "Exactly one of the two compared groups is idle."},
    ReasonInfo{Reason::preempt_picked, "preempt.picked", "A pick would take the woken task now."},
    ReasonInfo{Reason::preempt_not_picked, "preempt.not_picked", "A pick would not take the woken task."},
    ReasonInfo{Reason::preempt_granularity, "preempt.granularity", "The woken task is ahead by more than the wakeup granularity."},
    ReasonInfo{Reason::preempt_within_granularity, "preempt.within_granularity", "The woken task is not ahead by more than the wakeup granularity."},
    ReasonInfo{Reason::preempt_throttled, "preempt.throttled", "One of the two is throttled."},
    ReasonInfo{Reason::preempt_running_not_needed, "preempt.not_needed", "The task runs already."},
    ReasonInfo{Reason::tick_idle, "tick.idle", "The CPU is idle."},
    ReasonInfo{Reason::tick_deadline, "tick.deadline", "vruntime reached the deadline: a new slice begins and others wait."},
    ReasonInfo{Reason::tick_lost_protection, "tick.lost_protection", "The current task is unprotected and no longer eligible."},
    ReasonInfo{Reason::tick_slice_used, "tick.slice_used", "The current task ran longer than its slice."},
    ReasonInfo{Reason::tick_lag, "tick.lag", "The current task is more than a slice ahead of the leftmost."},
    ReasonInfo{Reason::tick_below_min_granularity, "tick.min_granularity", "The current task has run less than the minimum granularity."},
    ReasonInfo{Reason::tick_alone, "tick.alone", "Nobody else is queued."},
    ReasonInfo{Reason::tick_continue, "tick.continue", "The current task goes on."},
    ReasonInfo{Reason::enqueue_lag, "enqueue.lag", "Placed so that its stored lag holds after it joined."},
    ReasonInfo{Reason::enqueue_no_lag, "enqueue.no_lag", "Placed at the average: no lag is carried."},
    ReasonInfo{Reason::enqueue_relative_deadline, "enqueue.relative_deadline", "Placed with its lag, and the rest of its deadline is kept."},
    ReasonInfo{Reason::enqueue_new, "enqueue.new", "A new task starts behind min_vruntime by its virtual slice."},
    ReasonInfo{Reason::enqueue_sleeper, "enqueue.sleeper", "A sleeper is placed before min_vruntime by its credit."},
    ReasonInfo{Reason::enqueue_kept, "enqueue.kept", "Its own vruntime is later than the placed one and stays."},
    ReasonInfo{Reason::enqueue_long_sleeper, "enqueue.long_sleeper", "It slept so long that its own vruntime is no longer compared."},
    ReasonInfo{Reason::enqueue_normalized, "enqueue.normalized", "Its vruntime is relative: min_vruntime of this queue is added."},
    ReasonInfo{Reason::enqueue_revived, "enqueue.revived", "It was still queued, only its dequeue was delayed."},
    ReasonInfo{Reason::dequeue_now, "dequeue.now", "It leaves the queue."},
    ReasonInfo{Reason::dequeue_delayed, "dequeue.delayed", "It is not eligible: it stays queued until it is picked (DELAY_DEQUEUE)."},
    ReasonInfo{Reason::dequeue_delayed_finish, "dequeue.finish", "The delayed dequeue is finished."},
    ReasonInfo{Reason::dequeue_moved, "dequeue.moved", "It leaves to be queued again elsewhere or changed."},
    ReasonInfo{Reason::yield_alone, "yield.alone", "Nobody else is queued: nothing happens."},
    ReasonInfo{Reason::yield_skip, "yield.skip", "It is marked to be skipped once."},
    ReasonInfo{Reason::yield_deadline, "yield.deadline", "Its deadline moves out by one slice."},
    ReasonInfo{Reason::yield_forfeit, "yield.forfeit", "It gives up the rest of its slice: vruntime becomes the deadline."},
    ReasonInfo{Reason::yield_not_eligible, "yield.not_eligible", "It is not eligible: it gives up nothing more."},
};
static_assert(reasons.size() == reason_count);

using R = Relation;
using U = Unit;
using T = SubjectType;
constexpr std::array chks{
    ChkInfo{Chk::only_entity, "only_entity", "P1", "Only one entity queued?", "nr_queued", "one", U::count, T::none, R::equal, "pick_eevdf", ""},
    ChkInfo{Chk::buddy_eligible, "buddy_eligible", "P0", "Next buddy {} eligible?", "v", "V", U::vtime, T::entity, R::less_equal, "pick_next_entity", "PICK_BUDDY"},
    ChkInfo{Chk::current_eligible, "current_eligible", "P2", "Current {} eligible?", "v", "V", U::vtime, T::entity, R::less_equal, "entity_eligible", ""},
    ChkInfo{Chk::current_protected, "current_protected", "P3", "RUN_TO_PARITY protects {}?", "vlag", "d", U::vtime, T::entity, R::equal, "protect_slice", "RUN_TO_PARITY"},
    ChkInfo{Chk::leftmost_eligible, "leftmost_eligible", "P4", "Leftmost {} eligible? (fast path)", "v", "V", U::vtime, T::entity, R::less_equal, "pick_eevdf", "eevdf_fast_path"},
    ChkInfo{Chk::left_subtree_eligible, "left_subtree_eligible", "P5", "{}: left subtree holds an eligible entity?", "left min v", "V", U::vtime, T::entity, R::less_equal, "vruntime_eligible", ""},
    ChkInfo{Chk::node_eligible, "node_eligible", "P5", "{}: itself eligible?", "v", "V", U::vtime, T::entity, R::less_equal, "entity_eligible", ""},
    ChkInfo{Chk::node_earlier_deadline, "node_earlier_deadline", "P5", "{}: deadline earlier than the best so far?", "d", "best d", U::vtime, T::entity, R::less, "__pick_eevdf", ""},
    ChkInfo{Chk::left_min_deadline, "left_min_deadline", "P5", "{}: does its left subtree hold the earliest deadline?", "left min d", "min d", U::vtime, T::entity, R::equal, "__pick_eevdf", ""},
    ChkInfo{Chk::node_min_deadline, "node_min_deadline", "P5", "{}: its own deadline the earliest of its subtree?", "d", "min d", U::vtime, T::entity, R::equal, "__pick_eevdf", ""},
    ChkInfo{Chk::remembered_not_later, "remembered_not_later", "P5", "{}: remembered subtree, its earliest deadline not later than the best?", "min d", "best d", U::vtime, T::entity, R::less_equal, "__pick_eevdf", ""},
    ChkInfo{Chk::descent_min_deadline, "descent_min_deadline", "P5b", "{}: its own deadline the earliest of its subtree?", "d", "min d", U::vtime, T::entity, R::equal, "__pick_eevdf", ""},
    ChkInfo{Chk::descent_left_min, "descent_left_min", "P5b", "{}: does its left subtree hold the earliest deadline?", "left min d", "min d", U::vtime, T::entity, R::equal, "__pick_eevdf", ""},
    ChkInfo{Chk::current_earlier_deadline, "current_earlier_deadline", "P6", "Current {} earlier than the best?", "d", "best d", U::vtime, T::entity, R::less, "pick_eevdf", ""},
    ChkInfo{Chk::leftmost_first, "leftmost_first", "1", "Current {} before the leftmost?", "v", "leftmost v", U::vtime, T::entity, R::less, "pick_next_entity", ""},
    ChkInfo{Chk::skip_second, "skip_second", "2", "First is to be skipped; second {} close enough?", "distance", "granularity", U::ns, T::entity, R::less_equal, "pick_next_entity", ""},
    ChkInfo{Chk::buddy_close_enough, "buddy_close_enough", "3", "Buddy {} close enough to the leftmost?", "distance", "granularity", U::ns, T::entity, R::less_equal, "wakeup_preempt_entity", ""},
    ChkInfo{Chk::delayed_picked, "delayed_picked", "", "{}: is its dequeue delayed?", "sched_delayed", "1", U::flag, T::entity, R::equal, "pick_next_entity", "DELAY_DEQUEUE"},
    ChkInfo{Chk::queue_empty, "queue_empty", "", "Is nothing queued?", "nr_running", "zero", U::count, T::cpu, R::equal, "pick_next_task_fair", ""},
    ChkInfo{Chk::same_task, "same_task", "", "Is {} the task that runs already?", "picked", "current", U::task, T::task, R::equal, "__schedule", ""},
    ChkInfo{Chk::allowed_cpus, "allowed_cpus", "", "{}: allowed on one CPU only?", "nr_cpus_allowed", "one", U::count, T::task, R::equal, "select_task_rq", ""},
    ChkInfo{Chk::cpu_is_idle, "cpu_is_idle", "", "{} idle?", "nr_running", "zero", U::count, T::cpu, R::equal, "available_idle_cpu", ""},
    ChkInfo{Chk::cpu_allowed, "cpu_allowed", "", "{} allowed?", "in mask", "1", U::flag, T::cpu, R::equal, "select_task_rq", ""},
    ChkInfo{Chk::shares_cache, "shares_cache", "", "{} shares the last-level cache?", "LLC", "LLC", U::count, T::cpu, R::equal, "cpus_share_cache", ""},
    ChkInfo{Chk::fewest_running, "fewest_running", "", "{} has fewer tasks than the best so far?", "nr_running", "best", U::count, T::cpu, R::less, "find_idlest_cpu", ""},
    ChkInfo{Chk::delayed_in_place, "delayed_in_place", "", "{}: still queued, dequeue delayed?", "sched_delayed", "1", U::flag, T::task, R::equal, "ttwu_runnable", "DELAY_DEQUEUE"},
    ChkInfo{Chk::wakee_changed, "wakee_changed", "", "Is {} another task than the waker woke last?", "wakee", "last wakee", U::task, T::task, R::none, "record_wakee", ""},
    ChkInfo{Chk::many_partners, "many_partners", "", "{}: does even the steadier of the two switch partners often?", "fewer flips", "LLC size", U::count, T::task, R::greater_equal, "wake_wide", ""},
    ChkInfo{Chk::many_more_partners, "many_more_partners", "", "{}: does the other switch partners that much more?", "more flips", "fewer flips x LLC size", U::count, T::task, R::greater_equal, "wake_wide", ""},
    ChkInfo{Chk::domain_holds_previous, "domain_holds_previous", "", "Does the waker's domain hold {}?", "level", "level", U::count, T::cpu, R::none, "select_task_rq_fair", ""},
    ChkInfo{Chk::sync_waker_alone, "sync_waker_alone", "", "Synchronous wakeup, waker alone on {}?", "nr_running", "one", U::count, T::cpu, R::equal, "wake_affine_idle", "WA_IDLE"},
    ChkInfo{Chk::waker_is_the_load, "waker_is_the_load", "", "Synchronous wakeup: is the waker all the load of {}?", "waker's load", "load", U::load, T::cpu, R::greater, "wake_affine_weight", "WA_WEIGHT"},
    ChkInfo{Chk::waker_cpu_lighter, "waker_cpu_lighter", "", "{}: lighter than the previous CPU with the task moved?", "weighted load here", "weighted load there", U::load, T::cpu, R::less, "wake_affine_weight", "WA_WEIGHT"},
    ChkInfo{Chk::only_idle_policy, "only_idle_policy", "", "{} runs idle-policy tasks only?", "idle-policy tasks", "nr_running", U::count, T::cpu, R::equal, "sched_idle_cpu", ""},
    ChkInfo{Chk::shares_cluster, "shares_cluster", "", "{} shares the cluster of the target?", "cluster", "cluster", U::cpu, T::cpu, R::equal, "cpus_share_resources", "cluster_wakeup"},
    ChkInfo{Chk::kthread_alone, "kthread_alone", "", "Waker is a kernel thread of {} and nearly alone?", "nr_running", "one", U::count, T::cpu, R::less_equal, "select_idle_sibling", ""},
    ChkInfo{Chk::fits_capacity, "fits_capacity", "", "Does the task fit {}?", "utilisation x 1.25", "capacity", U::load, T::cpu, R::less, "asym_fits_cpu", ""},
    ChkInfo{Chk::idle_cores_flag, "idle_cores_flag", "", "LLC of {}: is a wholly idle core promised?", "has_idle_cores", "1", U::count, T::cpu, R::equal, "test_idle_cores", "test_idle_cores"},
    ChkInfo{Chk::scan_set, "scan_set", "", "CPUs the scan may look at", "CPUs", "LLC size", U::count, T::cpu, R::none, "select_idle_cpu", "idle_mask"},
    ChkInfo{Chk::scan_budget, "scan_budget", "", "CPUs the scan may try", "budget", "nr_idle_scan", U::count, T::cpu, R::none, "select_idle_cpu", "SIS_UTIL"},
    ChkInfo{Chk::scan_allowed, "scan_allowed", "", "May the scan try any CPU?", "nr_idle_scan", "zero", U::count, T::cpu, R::greater, "select_idle_cpu", "SIS_UTIL"},
    ChkInfo{Chk::scan_cpu, "scan_cpu", "", "{} is tried next", "left to try", "zero", U::count, T::cpu, R::none, "select_idle_cpu", ""},
    ChkInfo{Chk::scan_core, "scan_core", "", "The core of {} is tried next", "threads", "zero", U::count, T::cpu, R::none, "select_idle_core", ""},
    ChkInfo{Chk::scan_exhausted, "scan_exhausted", "", "Budget used up before {}?", "left to try", "zero", U::count, T::cpu, R::less_equal, "select_idle_cpu", "SIS_UTIL"},
    ChkInfo{Chk::domain_balances, "domain_balances", "", "Is the domain at this level of {} to be balanced for this kind of wakeup?", "flag", "1", U::flag, T::cpu, R::equal, "select_task_rq_fair", ""},
    ChkInfo{Chk::group_type_lower, "group_type_lower", "", "Group of {}: a less busy type than the best so far?", "type", "best type", U::count, T::cpu, R::less, "update_pick_idlest", ""},
    ChkInfo{Chk::group_load_lower, "group_load_lower", "", "Group of {}: less load than the best so far?", "avg_load", "best avg_load", U::load, T::cpu, R::less, "update_pick_idlest", ""},
    ChkInfo{Chk::group_more_idle, "group_more_idle", "", "Group of {}: more idle CPUs than the best so far?", "idle CPUs", "best idle CPUs", U::count, T::cpu, R::greater, "update_pick_idlest", ""},
    ChkInfo{Chk::group_util_lower, "group_util_lower", "", "Group of {}: less utilisation than the best so far?", "utilisation", "best utilisation", U::load, T::cpu, R::less, "update_pick_idlest", ""},
    ChkInfo{Chk::local_type_lower, "local_type_lower", "", "Own group of {}: a less busy type than the idlest?", "own type", "idlest type", U::count, T::cpu, R::less, "find_idlest_group", ""},
    ChkInfo{Chk::local_load_close, "local_load_close", "", "Own group of {}: load close enough to stay?", "idlest load and margin", "own load", U::load, T::cpu, R::greater_equal, "find_idlest_group", ""},
    ChkInfo{Chk::local_idle_enough, "local_idle_enough", "", "Own group of {}: at least as many idle CPUs?", "own idle CPUs", "idlest idle CPUs", U::count, T::cpu, R::greater_equal, "find_idlest_group", ""},
    ChkInfo{Chk::numa_imbalance_allowed, "numa_imbalance_allowed", "", "Own node of {}: may it hold one more task?", "tasks with it", "allowed", U::count, T::cpu, R::less_equal, "allow_numa_imbalance", ""},
    ChkInfo{Chk::idle_later, "idle_later", "", "{} went idle later than the best so far?", "idle since", "best", U::ns, T::cpu, R::greater, "find_idlest_group_cpu", ""},
    ChkInfo{Chk::cpu_load_lower, "cpu_load_lower", "", "{} carries less load than the least so far?", "load", "least load", U::load, T::cpu, R::less, "find_idlest_group_cpu", ""},
    ChkInfo{Chk::runs_idle_thread, "runs_idle_thread", "0", "Does {} run its idle task?", "idle", "1", U::flag, T::cpu, R::equal, "wakeup_preempt", ""},
    ChkInfo{Chk::wakee_is_current, "wakee_is_current", "1", "Is {} the running task?", "current", "1", U::flag, T::task, R::equal, "check_preempt_wakeup_fair", ""},
    ChkInfo{Chk::resched_already, "resched_already", "2", "Reschedule already requested?", "need_resched", "1", U::flag, T::cpu, R::equal, "check_preempt_wakeup_fair", ""},
    ChkInfo{Chk::current_idle_policy, "current_idle_policy", "3", "Current {} of idle policy?", "idle", "1", U::flag, T::task, R::equal, "check_preempt_wakeup_fair", ""},
    ChkInfo{Chk::wakee_idle_policy, "wakee_idle_policy", "3", "{} of idle policy?", "idle", "1", U::flag, T::task, R::equal, "check_preempt_wakeup_fair", ""},
    ChkInfo{Chk::wakee_batch, "wakee_batch", "4", "{} of batch policy?", "batch", "1", U::flag, T::task, R::equal, "check_preempt_wakeup_fair", ""},
    ChkInfo{Chk::wakee_not_normal, "wakee_not_normal", "4", "{} of batch or idle policy?", "not normal", "1", U::flag, T::task, R::equal, "check_preempt_wakeup_fair", ""},
    ChkInfo{Chk::current_group_idle, "current_group_idle", "3", "Current side {} idle?", "idle", "1", U::flag, T::entity, R::equal, "check_preempt_wakeup_fair", ""},
    ChkInfo{Chk::wakee_group_idle, "wakee_group_idle", "3", "Woken side {} idle?", "idle", "1", U::flag, T::entity, R::equal, "check_preempt_wakeup_fair", ""},
    ChkInfo{Chk::wakeup_preemption_on, "wakeup_preemption_on", "", "Is WAKEUP_PREEMPTION on?", "feature", "1", U::flag, T::none, R::equal, "check_preempt_wakeup_fair", "WAKEUP_PREEMPTION"},
    ChkInfo{Chk::short_slice, "short_slice", "5", "{}: slice shorter than the current one's?", "slice", "current slice", U::ns, T::task, R::less, "do_preempt_short", "PREEMPT_SHORT"},
    ChkInfo{Chk::wakee_eligible, "wakee_eligible", "5", "{} eligible?", "v", "V", U::vtime, T::task, R::less_equal, "entity_eligible", "PREEMPT_SHORT"},
    ChkInfo{Chk::wakee_earlier_deadline, "wakee_earlier_deadline", "5", "{}: deadline before the current one's?", "d", "current d", U::vtime, T::task, R::less, "do_preempt_short", "PREEMPT_SHORT"},
    ChkInfo{Chk::pick_is_wakee, "pick_is_wakee", "6", "Would a pick take {} now?", "picked", "wakee", U::entity, T::task, R::equal, "pick_eevdf", ""},
    ChkInfo{Chk::beyond_granularity, "beyond_granularity", "5", "{} ahead by more than the wakeup granularity?", "distance", "granularity", U::ns, T::task, R::greater, "wakeup_preempt_entity", ""},
    ChkInfo{Chk::deadline_reached, "deadline_reached", "", "{}: vruntime at the deadline?", "v", "d", U::vtime, T::entity, R::greater_equal, "update_deadline", ""},
    ChkInfo{Chk::more_than_one, "more_than_one", "", "Does somebody wait?", "nr_queued", "one", U::count, T::none, R::greater, "entity_tick", ""},
    ChkInfo{Chk::slice_exceeded, "slice_exceeded", "", "{} ran longer than its slice?", "ran", "slice", U::ns, T::entity, R::greater, "check_preempt_tick", ""},
    ChkInfo{Chk::min_granularity_reached, "min_granularity_reached", "", "{} ran the minimum granularity?", "ran", "min granularity", U::ns, T::entity, R::greater_equal, "check_preempt_tick", ""},
    ChkInfo{Chk::lag_exceeded, "lag_exceeded", "", "{} more than a slice ahead of the leftmost?", "distance", "slice", U::ns, T::entity, R::greater, "check_preempt_tick", ""},
    ChkInfo{Chk::queue_not_empty, "queue_not_empty", "", "Is anybody queued?", "nr_queued", "zero", U::count, T::none, R::greater, "place_entity", "PLACE_LAG"},
    ChkInfo{Chk::own_vruntime_later, "own_vruntime_later", "", "{}: its own vruntime later than the placed one?", "v", "placed v", U::vtime, T::entity, R::greater, "place_entity", ""},
    ChkInfo{Chk::lag_kept, "lag_kept", "", "Lag of {}", "stored", "inflated", U::ns, T::entity, R::none, "place_entity", "PLACE_LAG"},
    ChkInfo{Chk::placed_vruntime, "placed_vruntime", "", "vruntime of {}", "v", "reference", U::vtime, T::entity, R::none, "place_entity", ""},
    ChkInfo{Chk::placed_deadline, "placed_deadline", "", "Deadline of {}", "d", "v", U::vtime, T::entity, R::none, "place_entity", ""},
    ChkInfo{Chk::sleeping, "sleeping", "", "{}: does it sleep?", "sleep", "1", U::flag, T::entity, R::equal, "dequeue_entity", ""},
    ChkInfo{Chk::sleeper_eligible, "sleeper_eligible", "", "{} eligible?", "v", "V", U::vtime, T::entity, R::less_equal, "entity_eligible", "DELAY_DEQUEUE"},
    ChkInfo{Chk::alone, "alone", "", "Is it the only task?", "nr_running", "one", U::count, T::cpu, R::equal, "yield_task_fair", ""},
    ChkInfo{Chk::yielder_eligible, "yielder_eligible", "", "{} eligible?", "v", "V", U::vtime, T::entity, R::less_equal, "yield_task_fair", ""},
};
static_assert(chks.size() == chk_count);

constexpr std::array<std::string_view, pick_path_count> path_names{"none", "direct", "parity", "fast", "slow",
                                                                   "buddy", "leftmost", "skip", "last"};

template <class Table>
constexpr bool in_order(const Table& table) {
    for (std::size_t i = 0; i < table.size(); ++i)
        if (static_cast<std::size_t>(table[i].id) != i) return false;
    return true;
}
static_assert(in_order(kinds) && in_order(reasons) && in_order(chks));
static_assert([] {
    for (const ChkInfo& c : chks)
        if (unit_of(c.id) != c.unit) return false;
    return true;
}(), "unit_of() and the table must agree");

} // namespace

std::string_view name_of(PickPath path) { return path_names[static_cast<std::size_t>(path)]; }
std::span<const KindInfo> kind_table() { return kinds; }
std::span<const ReasonInfo> reason_table() { return reasons; }
std::span<const ChkInfo> chk_table() { return chks; }

} // namespace picknext
