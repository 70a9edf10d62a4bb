// SPDX-License-Identifier: GPL-3.0-or-later
// Changing a weight: of a group's entity as its share changes, of a task by nice and policy.
#pragma once

#include "core/state/level.hpp"
#include "core/state/state.hpp"

namespace picknext::fair {

/// Gives an attached entity a new weight (fn: reweight_entity). EEVDF off the queue: the stored lag is
/// rescaled; queued: vruntime and deadline keep their weighted distance from V. CFS leaves vruntime alone.
void reweight_entity(State& st, EntityId entity, Weight weight);

/// Gives a group's entity the weight its share has now (fn: update_cfs_group); nothing while the
/// group is throttled.
void renew_group_weight(State& st, EntityId group_entity);
/// The same; nothing for a task.
inline void update_group_weight(State& st, EntityId entity) {
    if (st.entity(entity).my_queue) renew_group_weight(st, entity);
}
inline void update_group_weight(State& st, const Level& at) {
    if (at.e.my_queue) renew_group_weight(st, at.id);
}

/// The weight a task's policy and nice call for (fn: set_load_weight); the task is not queued.
void set_load_weight(State& st, TaskId task);

} // namespace picknext::fair
