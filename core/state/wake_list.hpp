// SPDX-License-Identifier: GPL-3.0-or-later
// The woken tasks a CPU is to enqueue itself (rq->wake_list), first come, first enqueued. While it is not empty the CPU
// is not idle for anybody (ttwu_pending).
#pragma once

#include "core/base/assert.hpp"
#include "core/state/state.hpp"

namespace picknext {

/// A woken task joins at the end. migrated: it comes from another CPU (fn: __ttwu_queue_wakelist).
inline void wake_list_push(State& st, CpuId cpu, TaskId id, bool migrated) {
    Rq& rq = st.rq(cpu);
    Task& task = st.task(id);
    PICKNEXT_DEBUG_ASSERT(task.on_rq == 0 && !task.wake_next && rq.wake_last != id, "task {} is queued or listed already", id);
    task.wake_migrated = migrated ? 1 : 0;
    (rq.wake_last ? st.task(rq.wake_last).wake_next : rq.wake_first) = id;
    rq.wake_last = id;
    rq.ttwu_pending = 1;
}
/// Takes the first one; none if the list is empty. ttwu_pending is the caller's to clear, once the task is enqueued.
inline TaskId wake_list_pop(State& st, CpuId cpu) {
    Rq& rq = st.rq(cpu);
    const TaskId first = rq.wake_first;
    if (!first) return first;
    rq.wake_first = st.task(first).wake_next;
    st.task(first).wake_next = TaskId::none();
    if (!rq.wake_first) rq.wake_last = TaskId::none();
    return first;
}

} // namespace picknext
