// SPDX-License-Identifier: GPL-3.0-or-later
// The list of fair tasks of a CPU in the order the balancer looks at them (rq->cfs_tasks): most recently run or queued
// first; balancing begins at the last.
#pragma once

#include "core/base/assert.hpp"
#include "core/state/state.hpp"

namespace picknext {

inline void list_add_first(State& st, CpuId cpu, TaskId id) {
    Rq& rq = st.rq(cpu);
    Task& task = st.task(id);
    task.list_previous = TaskId::none();
    task.list_next = rq.list_first;
    if (rq.list_first) st.task(rq.list_first).list_previous = id;
    else rq.list_last = id;
    rq.list_first = id;
}
inline void list_remove(State& st, CpuId cpu, TaskId id) {
    Rq& rq = st.rq(cpu);
    Task& task = st.task(id);
    PICKNEXT_DEBUG_ASSERT(task.list_previous || rq.list_first == id, "task {} is not on the list of CPU {}", id, cpu);
    if (task.list_previous) st.task(task.list_previous).list_next = task.list_next;
    else rq.list_first = task.list_next;
    if (task.list_next) st.task(task.list_next).list_previous = task.list_previous;
    else rq.list_last = task.list_previous;
    task.list_previous = task.list_next = TaskId::none();
}
inline void list_to_first(State& st, CpuId cpu, TaskId id) {
    if (st.rq(cpu).list_first == id) return;
    list_remove(st, cpu, id);
    list_add_first(st, cpu, id);
}

} // namespace picknext
