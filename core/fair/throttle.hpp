// SPDX-License-Identifier: GPL-3.0-or-later
// A group without runtime leaves a CPU with everything below it, and comes back. Its tasks stay queued on its queue;
// only the group's entity is off the queue above, and the levels above do not count them. One record each.
#pragma once

#include "core/state/state.hpp"
#include "core/trace/recorder.hpp"

namespace picknext::fair {

/// True when the queue must not run: it has used up its runtime and is throttled, now or already
/// (fn: check_cfs_rq_runtime).
template <DecisionSink S>
bool throttle_if_used_up(State& st, Recorder<S>& rec, QueueId queue);

/// A queue of a group with a quota got its first entity: without runtime it is throttled at once
/// (fn: check_enqueue_throttle).
template <DecisionSink S>
void throttle_if_enqueued_without(State& st, Recorder<S>& rec, QueueId queue);

/// A throttled queue comes back; an idle CPU is asked to reschedule. The clock of its CPU is read
/// (fn: unthrottle_cfs_rq).
template <DecisionSink S>
void unthrottle(State& st, Recorder<S>& rec, QueueId queue);

} // namespace picknext::fair
