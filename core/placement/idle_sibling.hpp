// SPDX-License-Identifier: GPL-3.0-or-later
// The wakeup's search for an idle CPU near the target (fn: select_idle_sibling and what it calls).
#pragma once

#include "core/placement/wake.hpp"
#include "core/trace/recorder.hpp"

namespace picknext::placement {

/// target: what wake affinity chose. The answer's target, record and fork fields are left alone.
template <DecisionSink S>
[[nodiscard]] Placement select_idle_sibling(const State& st, const Settings& settings, const Domains& domains, const Wake& wake,
                                            CpuId target, Evidence<S>& why);

/// What a scan that took scan_ns teaches SIS_PROP: the answer's avg_scan_cost and wake_avg_idle, if it is to learn at all.
void learn_scan(const State& st, const Settings& settings, const Domains& domains, const Wake& wake, std::uint64_t scan_ns, Placement& out);

/// Does the core of a CPU that goes idle become wholly idle, and its LLC not know yet? The row to set has_idle_cores
/// of, else none (fn: __update_idle_core; the CPU itself is not examined, it still counts as running its old task).
[[nodiscard]] LlcSharedId core_becomes_idle(const State& st, const Domains& domains, CpuId cpu);

} // namespace picknext::placement
