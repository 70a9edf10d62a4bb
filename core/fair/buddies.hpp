// SPDX-License-Identifier: GPL-3.0-or-later
// Buddy marks: next and last are to be preferred by the next pick, skip is to be passed over. A mark is set
// on every level up to the root.
#pragma once

#include "core/state/state.hpp"

namespace picknext::fair {

/// fn: set_next_buddy, set_last_buddy, set_skip_buddy. Idle entities are never nominated as next or last: 6.1
/// and later stop at the first on the way up, 5.12 asks the task only.
void set_next_buddy(State& st, EntityId entity);
void set_last_buddy(State& st, EntityId entity);
void set_skip_buddy(State& st, EntityId entity);

/// Forgets an entity as buddy, upward as long as its ancestors are marked too (fn: clear_buddies).
void clear_buddies(State& st, Queue& q, EntityId entity);

} // namespace picknext::fair
