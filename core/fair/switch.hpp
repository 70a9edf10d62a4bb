// SPDX-License-Identifier: GPL-3.0-or-later
// Putting the running entities back into their trees and setting others.
#pragma once

#include "core/state/state.hpp"
#include "core/trace/recorder.hpp"

namespace picknext::fair {

/// One level. put: charged and back into the tree if still queued; a group that used up its runtime is
/// throttled (fn: put_prev_entity). set: forgotten as buddy, out of the tree, protected, its run begins (fn: set_next_entity).
template <DecisionSink S>
void put_prev_entity(State& st, Recorder<S>& rec, EntityId entity);
void set_next_entity(State& st, EntityId entity);

/// Every level of a task (fn: put_prev_task_fair, set_next_task_fair). set: a group with a quota gets runtime.
template <DecisionSink S>
void put_prev_task(State& st, Recorder<S>& rec, TaskId task);
void set_next_task(State& st, TaskId task);

/// From one running task to another, neither idle: only the levels that differ are touched.
template <DecisionSink S>
void switch_entities(State& st, Recorder<S>& rec, TaskId prev, TaskId next);
/// From idle: 6.12 sets from the task up, before that from the root down.
void set_from_idle(State& st, TaskId next);

} // namespace picknext::fair
