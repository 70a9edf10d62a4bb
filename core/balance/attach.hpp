// SPDX-License-Identifier: GPL-3.0-or-later
// The rows of State that belong to domains, groups and LLCs, as they are when domains have just been built.
#pragma once

#include "core/state/state.hpp"
#include "core/topology/domains.hpp"

namespace picknext::balance {

/// Sizes and fills the rows as at boot: nobody's tick is stopped, everybody's balance is due.
void attach_domains(State& st, const Domains& domains);

/// The domains of a running machine are replaced after hotplug: what was learnt in them (failures, intervals, idle cores,
/// busy CPUs, scan limits) starts anew; whose ticks are stopped does not change (fns: build_sched_domains,
/// rq_attach_root). A CPU without a tick so counts as busy in its LLC until it has left the mask once.
void replace_domains(State& st, const Domains& domains);

/// The group's capacity is what its CPUs have left, at least 1 each (fn: update_group_capacity).
void update_group_capacity(State& st, const Domains& domains, const SchedGroup& group);

} // namespace picknext::balance
