// SPDX-License-Identifier: GPL-3.0-or-later
// Per-entity load tracking: geometric series over periods of 1024 units of 1024 ns, halving every 32 periods.
// Times are u64 ns of the PELT clock (= the run queue's clock at full capacity). fair-class.md 9.
#pragma once

#include <cstdint>

#include "core/state/state.hpp"

namespace picknext::pelt {

inline constexpr std::uint32_t sum_max = 47742;   // LOAD_AVG_MAX
inline constexpr std::uint32_t min_divider = 46718; // sum_max - 1024: what a sum is divided by at period start

/// value after n periods (fn: decay_load).
[[nodiscard]] std::uint64_t decay(std::uint64_t value, std::uint64_t n);
/// Contribution of a stretch over `periods` boundaries (fn: __accumulate_pelt_segments). first, last: units.
[[nodiscard]] std::uint32_t segments(std::uint64_t periods, std::uint32_t first, std::uint32_t last);
/// Divider of the averages (fn: get_pelt_divider).
[[nodiscard]] constexpr std::uint32_t divider(const LoadAvg& avg) { return min_divider + avg.period_contrib; }

/// Brings the sums up to now (fn: ___update_load_sum). load, runnable: factors; running: on the CPU.
/// True when a period boundary was crossed, then the averages are to be renewed.
bool advance(LoadAvg& avg, std::uint64_t now, std::uint64_t load, std::uint64_t runnable, bool running);
/// Recomputes the averages (fn: ___update_load_avg). factor: coarse weight of an entity, 1 for a queue.
void renew(LoadAvg& avg, std::uint64_t factor);

/// init_entity_runnable_average: a task starts with load_avg = coarse weight, a group entity with zero.
void init_entity(Entity& entity);
/// post_init_entity_util_avg without the attach: initial utilisation from the queue the task will join.
void init_utilization(State& st, EntityId entity, QueueId queue);

enum class Attach : std::uint8_t { no, if_new };
/// Whether the group's load sum may follow (UPDATE_TG): not when putting back, delaying or reviving.
enum class GroupSum : std::uint8_t { leave, follow };
/// update_load_avg: the entity (if ever attached), its queue with what left it, pending propagation, then attaches a
/// new entity if asked; then the group's load sum where the kernel looks at it.
void update_load(State& st, EntityId entity, Attach attach, GroupSum group_sum = GroupSum::follow);
/// update_cfs_rq_load_avg alone: the queue and what left it. True if it decayed.
bool update_queue(State& st, QueueId queue);
/// attach_entity_load_avg, detach_entity_load_avg on `queue`, whose averages are current.
void attach(State& st, QueueId queue, EntityId entity);
void detach(State& st, QueueId queue, EntityId entity);
/// remove_entity_load_avg: a sleeping task leaves its old queue (migration at wakeup, exit).
void remove(State& st, EntityId entity);
/// The load part of reweight_entity; sets entity.weight itself. on_queue: its load is part of its queue's
/// (enqueue_load_avg/dequeue_load_avg around it).
void reweight(State& st, EntityId entity, Weight weight, bool on_queue);
/// calc_group_shares: the weight the entity of this group queue should have.
[[nodiscard]] Weight group_weight(const State& st, QueueId group_queue);
/// update_tg_load_avg of a group queue: thresholds by version.
void update_group_load(State& st, QueueId group_queue);

/// Utilisation estimates: at enqueue, at dequeue, and at the end of an activation (fn: util_est_enqueue, _dequeue, _update).
void util_est_enqueue(State& st, TaskId task);
void util_est_dequeue(State& st, TaskId task);
void util_est_update(State& st, TaskId task, bool sleeping);

/// Blocked decay of all queues of a CPU, bottom up (fn: update_blocked_averages). True while anything is left to decay.
bool update_blocked(State& st, CpuId cpu, std::uint64_t now);

} // namespace picknext::pelt
