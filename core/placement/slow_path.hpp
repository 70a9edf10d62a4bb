// SPDX-License-Identifier: GPL-3.0-or-later
// Fork and exec: from the widest domain that wants it down to the idlest CPU (fns: find_idlest_cpu, find_idlest_group).
#pragma once

#include "core/placement/wake.hpp"
#include "core/trace/recorder.hpp"

namespace picknext::placement {

/// The widest domain of the CPU with the flag, none if it has none (fn: the walk in select_task_rq_fair).
[[nodiscard]] DomainId highest_domain(const Domains& domains, CpuId cpu, std::uint32_t flag);

/// The CPU for a new task or one that executes a new program; `domain` is one of wake.waker_cpu's.
template <DecisionSink S>
[[nodiscard]] Placement find_idlest_cpu(const State& st, const Settings& settings, const Domains& domains, const Wake& wake,
                                        DomainId domain, Evidence<S>& why);

} // namespace picknext::placement
