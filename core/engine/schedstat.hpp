// SPDX-License-Identifier: GPL-3.0-or-later
// What is counted around the run queues, as the kernel counts it for /proc/schedstat. Balance passes count for themselves.
#pragma once

#include "core/state/state.hpp"
#include "core/topology/domains.hpp"

namespace picknext::engine {

/// A wakeup executed on `waker` put the task on `cpu`; migrated: it was on another one before (fn: ttwu_stat). A task's
/// first wakeup is not counted.
void count_wakeup(State& st, const Domains& domains, TaskId task, CpuId waker, CpuId cpu, bool sync, bool migrated);

/// A runnable task waits no longer on its CPU: it begins to run, or moves to another one and waits there
/// (fns: sched_info_arrive, sched_info_dequeue).
void end_wait(State& st, TaskId task);

} // namespace picknext::engine
