// SPDX-License-Identifier: GPL-3.0-or-later
// What kernel/sched/core.c does around the fair class on one run queue: activate, block, schedule, tick, yield,
// attribute changes. Drivers: they alternate pure decisions with applying them and announce one record each.
// The event loop and the reference-vector checker both call these, so the vectors test what the engine runs.
// Times: every call has the run queue's clock read at `now` first unless said otherwise (fn: update_rq_clock).
#pragma once

#include <cstdint>

#include "core/state/state.hpp"
#include "core/trace/recorder.hpp"

namespace picknext {

namespace engine {
class Charging;
}

/// What happens on a machine of several CPUs when one runs out of tasks; called from schedule() while the CPU still
/// counts as running its old task.
class IdlePath {
  public:
    virtual ~IdlePath() = default;
    /// Nothing is left to pick: true when tasks were pulled here (fn: newidle_balance).
    virtual bool pull_before_idle(CpuId cpu) = 0;
    /// The idle task was chosen (fn: set_next_task_idle).
    virtual void going_idle(CpuId cpu) = 0;
};

/// What a driver works on: the state it changes (settings inside) and where decisions are announced.
template <DecisionSink S>
struct Context {
    State& st;
    Recorder<S>& rec;
    IdlePath* idle_path = nullptr; // none: a CPU on its own
    engine::Charging* charging = nullptr; // none: nothing takes time
};

struct WakeFlags {
    bool sync : 1 = false;      // WF_SYNC
    bool fork : 1 = false;      // WF_FORK: first wakeup of a new task
    bool migrated : 1 = false;  // WF_MIGRATED: the CPU changed
};

/// Attributes after a change; all fields are taken.
struct SchedAttr {
    Policy policy = Policy::normal;
    int nice = 0;
    std::int64_t slice = 0; // ns; 0 = base slice; else clamped to 0.1..100 ms; ignored before 6.12
};

/// Adds a task with its entity, not queued, as after sched_fork: vruntime and vlag 0, weight from policy and nice.
/// group must exist. Returns its id.
TaskId add_task(State& st, Policy policy, int nice, std::int64_t slice, GroupId group, MaskId affinity);

/// Adds a group under `parent` on every CPU: entities of nice-0 weight whose load is zero, attached at once
/// (fn: sched_create_group, online_fair_sched_group). shares: coarse, 2..262144.
GroupId add_group(State& st, GroupId parent, std::uint64_t shares, bool idle);

/// update_rq_clock: the run queue's clock becomes now, unless the skip flag is set (which this clears).
void update_rq_clock(State& st, CpuId cpu, std::int64_t now);

/// wake_up_new_task on `cpu` (already chosen): initial load averages, fork placement, enqueue, preemption check with
/// the fork flag. parent_cpu: whose current task it is placed relative to in CFS (task_fork_fair).
template <DecisionSink S>
void wake_up_new_task(Context<S>& cx, TaskId task, CpuId cpu, CpuId parent_cpu);

/// A task that sleeps, or was just woken, gets another CPU: its lag and load are carried from the old one (fns:
/// set_task_cpu, migrate_task_rq_fair).
void move_sleeper(State& st, TaskId task, CpuId to);

/// ttwu_do_activate on `cpu` (already chosen) of a task that is fully dequeued; with flags.migrated it comes from another
/// CPU, and is carried from there now unless it has been (move_sleeper). Then the preemption check.
template <DecisionSink S>
void activate_task(Context<S>& cx, TaskId task, CpuId cpu, WakeFlags flags);

/// ttwu_runnable: a task whose dequeue was delayed is revived in place; then the preemption check.
template <DecisionSink S>
void revive_task(Context<S>& cx, TaskId task, WakeFlags flags);

/// The current task of `cpu` blocks (or exits): dequeue as sleep, which 6.12 may delay; the caller then calls schedule.
template <DecisionSink S>
void block_current(Context<S>& cx, CpuId cpu, bool exiting);

/// __schedule without the blocking part: pick; when another task (or idle) is chosen put the old one back and set the
/// new one; clears need_resched. Returns true when the CPU switched. After an exit the caller then calls task_dead.
template <DecisionSink S>
bool schedule(Context<S>& cx, CpuId cpu);

/// What follows an exited task's last switch: its load goes to its queue's removed account.
void task_dead(State& st, TaskId task);

/// task_tick of the fair class on `cpu`; nothing but the clock on an idle CPU.
template <DecisionSink S>
void sched_tick(Context<S>& cx, CpuId cpu);

/// yield_task_fair of the current task; the caller then calls schedule.
template <DecisionSink S>
void yield_current(Context<S>& cx, CpuId cpu);

/// yield_to_task_fair: `target` (queued on this CPU) becomes next buddy, then yield.
template <DecisionSink S>
void yield_to(Context<S>& cx, CpuId cpu, TaskId target);

/// set_user_nice: nothing at all when nice does not change.
template <DecisionSink S>
void set_nice(Context<S>& cx, TaskId task, int nice);

/// __sched_setscheduler: policy, nice and slice together.
template <DecisionSink S>
void set_attributes(Context<S>& cx, TaskId task, const SchedAttr& attr);

/// sched_group_set_shares. shares coarse, 2..262144.
template <DecisionSink S>
void set_group_shares(Context<S>& cx, GroupId group, std::uint64_t shares);

/// The stopper thread takes the CPU from its current task, which waits from then on (fn: migration_cpu_stop): the CPU
/// runs none of its tasks until the caller calls schedule.
template <DecisionSink S>
void stop_current(Context<S>& cx, CpuId cpu);

/// The two halves of a move: off the queue without sleep; onto the queue of `to`, with the preemption check there
/// (fns: detach_task, attach_task).
template <DecisionSink S>
void detach_queued_task(Context<S>& cx, TaskId task);
template <DecisionSink S>
void attach_queued_task(Context<S>& cx, TaskId task, CpuId to);

/// Moves a queued task that does not run to another CPU, as balancing or an affinity change does: dequeue without
/// sleep, migrate, enqueue, preemption check there.
template <DecisionSink S>
void move_queued_task(Context<S>& cx, TaskId task, CpuId to);

} // namespace picknext
