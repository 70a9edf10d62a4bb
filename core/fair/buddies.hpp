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

/// Takes one mark from an entity, upward as long as its ancestors bear it too.
void clear_mark(State& st, EntityId entity, EntityId Queue::*mark);

/// Forgets an entity as buddy (fn: clear_buddies).
inline void clear_buddies(State& st, Queue& q, EntityId entity) {
    if (q.next == entity) clear_mark(st, entity, &Queue::next);
    if (q.last == entity) clear_mark(st, entity, &Queue::last);
    if (q.skip == entity) clear_mark(st, entity, &Queue::skip);
}

} // namespace picknext::fair
