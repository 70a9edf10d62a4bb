// SPDX-License-Identifier: GPL-3.0-or-later
// Which CPU a woken, new or executing task goes to (fn: select_task_rq_fair), and how the answer is applied.
#pragma once

#include "core/placement/wake.hpp"
#include "core/trace/recorder.hpp"

namespace picknext::placement {

/// The CPU, the reason and every write of the decision. Pure. The answer may be a CPU the task must not use (an idle
/// target outside its affinity, an offline one): the caller falls back as the kernel does.
template <DecisionSink S>
[[nodiscard]] Placement select_task_rq(const State& st, const Settings& settings, const Domains& domains, const Wake& wake,
                                       Evidence<S>& why);

/// Writes what the decision writes; moving the task is the caller's.
void apply(State& st, const Domains& domains, const Wake& wake, const Placement& placement);

} // namespace picknext::placement
