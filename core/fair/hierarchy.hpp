// SPDX-License-Identifier: GPL-3.0-or-later
// Queueing and unqueueing a task with the groups above it. One record per entity that is placed or leaves.
#pragma once

#include "core/fair/place.hpp"
#include "core/state/state.hpp"
#include "core/trace/recorder.hpp"

namespace picknext::fair {

/// One byte, so that it travels in a register: put together from single bytes it would stall every reader.
struct DequeueFlags {
    bool sleep : 1 = false;     // DEQUEUE_SLEEP
    bool save : 1 = false;      // DEQUEUE_SAVE: to be restored after a change of attributes
    bool move : 1 = false;      // DEQUEUE_MOVE
    bool special : 1 = false;   // DEQUEUE_SPECIAL: a state that must not be delayed (exit)
    bool delayed : 1 = false;   // DEQUEUE_DELAYED: finishes a delayed dequeue
    bool migrating : 1 = false; // to another CPU while queued
};

/// Queues a task that is not queued, and every group above that is not (fn: enqueue_task_fair); counts
/// follow.
template <DecisionSink S>
void enqueue_task(State& st, Recorder<S>& rec, TaskId task, EnqueueFlags flags);

/// Takes a task off, and every group above that becomes empty (fn: dequeue_task_fair). False when 6.12
/// delayed it: then it stays queued.
template <DecisionSink S>
bool dequeue_task(State& st, Recorder<S>& rec, TaskId task, DequeueFlags flags);

/// Finishes the delayed dequeue of an entity a pick found (fn: dequeue_entities).
template <DecisionSink S>
void finish_delayed(State& st, Recorder<S>& rec, EntityId entity);

/// Revives a task whose dequeue is delayed (fn: requeue_delayed_entity).
template <DecisionSink S>
void revive_delayed(State& st, Recorder<S>& rec, TaskId task);

/// One level for a group that was throttled or comes back: its entity joins or leaves the queue above; no task
/// is counted (fns: enqueue_entity, dequeue_entity).
template <DecisionSink S>
void enqueue_group(State& st, Recorder<S>& rec, EntityId entity);
template <DecisionSink S>
void dequeue_group(State& st, Recorder<S>& rec, EntityId entity, DequeueFlags flags);

/// Renews load, runnable count and weight of a queued group entity after something changed below it.
void renew_from_below(State& st, EntityId entity);

} // namespace picknext::fair
