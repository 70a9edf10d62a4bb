// SPDX-License-Identifier: GPL-3.0-or-later
// Per-entity load tracking: geometric series over periods of 1024 units of 1024 ns, halving every 32 periods.
// Its files: series (the arithmetic), clock (whose time it is), attach (how an entity's averages join and leave its
// queue's), group (what a group's queue passes upward), update (the order of it all), and util_est beside them.
// Everything reads the clock of the entity's or queue's CPU as it stands: update_rq_clock comes first.
#pragma once

#include <algorithm>
#include <cstdint>

#include "core/pelt/util_unchanged.hpp"
#include "core/state/level.hpp"
#include "core/state/state.hpp"

namespace picknext::pelt {

// --- series -----------------------------------------------------------------------------------------------------

inline constexpr std::uint32_t sum_max = 47742;     // LOAD_AVG_MAX: what the series converges to
inline constexpr std::uint32_t min_divider = 46718; // PELT_MIN_DIVIDER: sum_max - 1024, the divider at period start

/// value after n periods (fn: decay_load).
[[nodiscard]] std::uint64_t decay(std::uint64_t value, std::uint64_t n);
/// Contribution of a stretch over `periods` >= 1 boundaries (fn: __accumulate_pelt_segments). first, last: units
/// before the first and after the last boundary, at most 1024.
[[nodiscard]] std::uint32_t segments(std::uint64_t periods, std::uint32_t first, std::uint32_t last);
/// Divider of the averages (fn: get_pelt_divider).
[[nodiscard]] constexpr std::uint32_t divider(const LoadAvg& avg) { return min_divider + avg.period_contrib; }

inline constexpr std::uint64_t units_per_period = 1024;
inline constexpr unsigned unit_shift = 10; // a unit is 1024 ns; also the fixed point of runnable and running

/// What an entity or a queue contributes per unit of time.
struct Contribution {
    std::uint64_t load = 0, runnable = 0; // factors; without load nothing is runnable or running either
    bool running = false;                 // on the CPU
};
/// Adds `time` (units, decayed) of it to the sums.
inline void add(LoadAvg& avg, std::uint32_t time, const Contribution& c) {
    if (c.load == 0) return;
    avg.load_sum += c.load * time;
    avg.runnable_sum += (c.runnable * time) << unit_shift;
    if (c.running) avg.util_sum += time << unit_shift;
}
/// Whole units since the last update; clocks of two CPUs may be apart, then they are more than any period has.
[[nodiscard]] inline std::uint64_t units_until(const LoadAvg& avg, std::uint64_t now) {
    return (now - avg.last_update) >> unit_shift;
}
/// Are so many units later still in the same period?
[[nodiscard]] inline bool within_period(const LoadAvg& avg, std::uint64_t units) {
    return avg.period_contrib + units < units_per_period;
}
/// Moves on within the period: the averages stay.
inline void grow(LoadAvg& avg, std::uint64_t units, const Contribution& c) {
    avg.last_update += units << unit_shift;
    avg.period_contrib += static_cast<std::uint32_t>(units);
    add(avg, static_cast<std::uint32_t>(units), c);
}
/// Brings the sums up to now (fn: ___update_load_sum). True when a period boundary was crossed, then the averages are
/// to be renewed.
bool advance(LoadAvg& avg, std::uint64_t now, const Contribution& c);
/// Recomputes the averages (fn: ___update_load_avg). factor: coarse weight of an entity, 1 for a queue.
void renew(LoadAvg& avg, std::uint64_t factor);

// --- clock ------------------------------------------------------------------------------------------------------

/// What load tracking reads as now, in ns: the run queue's clock, behind by what a CPU of less than full capacity has
/// to catch up, plus State::pelt_epoch (fn: cfs_rq_clock_pelt). last_update 0 means "never attached", so a run whose
/// clocks start at 0 needs an epoch above 0.
[[nodiscard]] inline std::uint64_t clock(const State& st, const Rq& rq) {
    return static_cast<std::uint64_t>(rq.clock) - rq.pelt_behind - rq.pelt_lost + st.pelt_epoch;
}
[[nodiscard]] inline std::uint64_t clock(const State& st, CpuId cpu) { return clock(st, st.rq(cpu)); }
/// The same for a queue that may be below a throttled one: the time it was, it has not seen (fn: cfs_rq_clock_pelt).
[[nodiscard]] std::uint64_t clock_of_throttled(const State& st, QueueId queue);
[[nodiscard]] inline std::uint64_t queue_clock(const State& st, QueueId queue) {
    return st.bandwidth_used() ? clock_of_throttled(st, queue) : clock(st, st.queue(queue).cpu);
}
/// By which clock throttled time is measured: the PELT clock, before 5.19 the task clock, ns
/// (fns: tg_throttle_down, tg_unthrottle_up).
inline constexpr std::uint64_t clock_stands_still = ~std::uint64_t{0}; // of QueueBandwidth::throttled_pelt_idle
[[nodiscard]] std::uint64_t throttle_clock(const State& st, CpuId cpu);
/// A queue went empty: whoever leaves it asleep later will want to know what time it was there
/// (fn: update_idle_cfs_rq_clock_pelt).
void note_emptied(State& st, QueueId queue);

/// The clock of a CPU has just advanced by `delta` >= 0 ns: a busy CPU's time passes in proportion to its capacity, so
/// that its sums grow as slowly as its work gets done; an idle one catches up (fn: update_rq_clock_pelt).
inline void update_clock(Rq& rq, std::int64_t delta) {
    constexpr unsigned capacity_shift = 10;
    constexpr std::int64_t full_capacity = 1 << capacity_shift;
    const auto wall = static_cast<std::uint64_t>(delta);
    if (!rq.curr)
        rq.pelt_behind = 0;
    else if (rq.capacity != full_capacity)
        rq.pelt_behind += wall - (wall * static_cast<std::uint64_t>(rq.capacity) >> capacity_shift);
}
/// The CPU is about to go idle. If it was fully busy there is no idle time it could catch up in: that much is lost
/// (fn: update_idle_rq_clock_pelt).
void going_idle(State& st, CpuId cpu);

// --- attach -----------------------------------------------------------------------------------------------------

/// init_entity_runnable_average: a task starts with load_avg = coarse weight, a group entity with zero. Not attached.
void init_entity(Entity& entity);
/// post_init_entity_util_avg without the attach: initial utilisation from the queue the task will join.
void init_utilization(State& st, EntityId entity, QueueId queue);
/// attach_entity_load_avg, detach_entity_load_avg on `queue`, whose averages are current. A detached entity counts as
/// never attached.
void attach(State& st, QueueId queue, EntityId entity);
void detach(State& st, QueueId queue, EntityId entity);
/// remove_entity_load_avg: the averages of a sleeping or dead task, decayed to its queue's last update, will leave
/// that queue at its next update.
void remove(State& st, EntityId entity);
/// migrate_task_rq_fair of a sleeping task that wakes on another CPU: remove, from 6.1 on decay by how far the idle old
/// CPU lags behind State::now, then count as never attached.
void migrate_sleeper(State& st, EntityId entity);
/// The load part of reweight_entity: the entity's share of its queue's load moves with it, queued or asleep, nothing is
/// decayed first. Sets weight and forgets the cached inverse. For an attached entity.
void reweight(State& st, EntityId entity, Weight weight);

// --- group ------------------------------------------------------------------------------------------------------

/// calc_group_shares: the weight the entity of this group queue should have.
[[nodiscard]] Weight group_weight(const State& st, QueueId group_queue);
/// update_tg_load_avg: the group's load sum follows this queue's load for changes above 1/64; from 6.7 on at most once
/// per ms. Nothing for a root queue.
void update_group_load(State& st, QueueId queue);

// --- update -----------------------------------------------------------------------------------------------------

enum class Attach : std::uint8_t { no, if_new };        // DO_ATTACH
enum class GroupSum : std::uint8_t { leave, follow };  // UPDATE_TG
[[nodiscard]] inline Contribution contribution_of(const Entity& e, bool running) {
    const std::uint64_t active = e.on_rq != 0 && e.sched_delayed == 0 ? 1 : 0;
    return {e.on_rq, e.my_queue ? active * e.runnable_weight : active, running};
}
[[nodiscard]] inline Contribution contribution_of(const Queue& q) { return {q.weight.coarse(), q.h_nr_runnable, q.curr.valid()}; }

/// What most updates are: a task, and nothing happened but some time within the period. False: there is more to do.
[[nodiscard]] inline bool grow_both(Entity& e, Queue& q, std::uint64_t now, bool running) {
    const std::uint64_t units = units_until(e.avg, now), queue_units = units_until(q.avg, now);
    if (!within_period(e.avg, units) || !within_period(q.avg, queue_units)) return false;
    if (e.my_queue || q.removed_nr != 0 || e.avg.last_update == 0) return false;
    grow(e.avg, units, contribution_of(e, running));
    if (queue_units != 0) grow(q.avg, queue_units, contribution_of(q)); // often it was updated at this very instant
    return true;
}

/// Everything else an update may find.
void update_load_with_events(State& st, EntityId entity, std::uint64_t now, Attach attach, GroupSum group_sum);
/// update_load_avg: the entity (if ever attached), its queue with what left it, pending propagation, then attaches a
/// new entity if asked. The group's load sum is looked at when it attached, and when the queue crossed a period and
/// `group_sum` says follow (everywhere except put_prev and when a dequeue is delayed or revived).
/// Looks at: entity.on_rq, sched_delayed, runnable_weight; queue.curr, weight, h_nr_runnable (kept in every profile).
inline void update_load(State& st, const Level& at, Attach attach, GroupSum group_sum = GroupSum::follow) {
    const std::uint64_t now = st.bandwidth_used() ? clock_of_throttled(st, at.e.queue) : clock(st, at.rq);
    if (!grow_both(at.e, at.q, now, at.current())) update_load_with_events(st, at.id, now, attach, group_sum);
}
inline void update_load(State& st, EntityId entity, Attach attach, GroupSum group_sum = GroupSum::follow) {
    update_load(st, level_of(st, entity), attach, group_sum);
}
/// attach_entity_cfs_rq: attaches a new entity outside an enqueue (a group's entity at creation; 5.12: every new task)
/// and lets every level above know.
void attach_new(State& st, EntityId entity);
/// update_cfs_rq_load_avg alone: the queue and what left it. True if a period was crossed or something left.
bool update_queue(State& st, QueueId queue);
/// Blocked decay of all queues of a CPU, bottom up (fn: __update_blocked_fair). True while anything is left to decay.
bool update_blocked(State& st, CpuId cpu);

// --- util_est ---------------------------------------------------------------------------------------------------

/// The estimate of a task in 0..1024 (fn: _task_util_est).
[[nodiscard]] inline std::uint32_t task_util_est(const State& st, TaskId task) {
    const LoadAvg& avg = st.entity(task).avg;
    return std::max(avg.util_est & ~util_unchanged, avg.util_est_ewma);
}
/// Takes the utilisation of a task that falls asleep into its estimate, if it changed since it was taken last.
void util_est_sample(State& st, TaskId task);
/// At enqueue, at dequeue, and at the end of an activation (fn: util_est_enqueue, _dequeue, _update). The sum is kept
/// on the root queue of the task's CPU. Nothing when UTIL_EST is off.
inline void util_est_enqueue(State& st, TaskId task) {
    if (!st.settings.on(Feature::util_est)) return;
    st.root_queue(st.task(task).cpu).avg.util_est += task_util_est(st, task);
}
inline void util_est_dequeue(State& st, TaskId task) {
    if (!st.settings.on(Feature::util_est)) return;
    std::uint32_t& sum = st.root_queue(st.task(task).cpu).avg.util_est;
    sum -= std::min(sum, task_util_est(st, task));
}
inline void util_est_update(State& st, TaskId task, bool sleeping) {
    if (sleeping && st.settings.on(Feature::util_est)) util_est_sample(st, task);
}

} // namespace picknext::pelt
