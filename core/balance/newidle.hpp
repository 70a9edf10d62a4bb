// SPDX-License-Identifier: GPL-3.0-or-later
// Is it worth looking for work before a CPU goes idle (fn: newidle_balance, 6.12: sched_balance_newidle)?
#pragma once

#include "core/state/state.hpp"
#include "core/topology/domains.hpp"
#include "core/trace/recorder.hpp"

namespace picknext::balance {

/// newidle_go, or why not. The CPU has a domain. Pure.
template <DecisionSink S>
[[nodiscard]] Reason newidle_verdict(const State& st, const Settings& settings, const Domains& domains, CpuId cpu, Evidence<S>& why);

} // namespace picknext::balance
