// SPDX-License-Identifier: GPL-3.0-or-later
// The rows of State that belong to domains, groups and LLCs, as they are when domains have just been built.
#pragma once

#include "core/state/state.hpp"
#include "core/topology/domains.hpp"

namespace picknext::balance {

/// Sizes and fills the rows. Everything that was learnt (failures, intervals, flags) starts anew, as on hotplug.
void attach_domains(State& st, const Domains& domains);

/// The group's capacity is what its CPUs have left, at least 1 each (fn: update_group_capacity).
void update_group_capacity(State& st, const Domains& domains, const SchedGroup& group);

} // namespace picknext::balance
