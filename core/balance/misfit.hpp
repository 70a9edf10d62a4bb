// SPDX-License-Identifier: GPL-3.0-or-later
// Does the running task need a larger CPU?
#pragma once

#include "core/state/state.hpp"
#include "core/topology/domains.hpp"

namespace picknext::balance {

/// What Rq::misfit_task_load becomes when `task` (none: nobody of the fair class) runs on `cpu`: its load, at least 1, if its
/// estimated utilisation leaves less than 20 % of the CPU's capacity; 0 if it fits or may run on no larger CPU
/// (fn: update_misfit_status; until 6.11 only a task bound to one CPU was let off). 0 on machines of like CPUs.
[[nodiscard]] std::uint64_t misfit_load(const State& st, const Domains& domains, CpuId cpu, TaskId task);

} // namespace picknext::balance
