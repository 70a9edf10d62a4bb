// SPDX-License-Identifier: GPL-3.0-or-later
// How a change of load on a group's queue reaches the group's entity one level up.
#pragma once

#include <cstdint>

#include "core/state/state.hpp"

namespace picknext::pelt {

/// An entity's load_sum joined (positive) or left (negative) the queue: its owner will take that over at its next
/// update (fn: add_tg_cfs_propagate).
void note_for_parent(Queue& queue, std::int64_t load_sum);

/// If the entity is a group's and something is noted on its queue, moves it into the entity and the queue it is on
/// (fn: propagate_entity_load_avg). True if so.
bool take_over_from_group(State& st, EntityId entity);

/// The CPU goes offline: the load of groups there no longer counts in their shares (6.8 and later; fn:
/// clear_tg_offline_cfs_rqs). It counts again once it is updated with the CPU online.
void clear_group_loads(State& st, CpuId cpu);

} // namespace picknext::pelt
