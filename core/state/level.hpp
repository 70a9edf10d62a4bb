// SPDX-License-Identifier: GPL-3.0-or-later
// An entity with the queue it is on and that queue's CPU, looked up once for all the steps taken on one level of a
// hierarchy: each look-up follows an index through an array, and waits for the one before.
#pragma once

#include "core/state/state.hpp"

namespace picknext {

/// The references are valid until an entity, queue or CPU is added.
struct Level {
    EntityId id;
    Entity& e;
    Queue& q;
    Rq& rq;
    /// The entity is the one that runs on its queue.
    [[nodiscard]] bool current() const { return q.curr == id; }
};
[[nodiscard]] inline Level level_of(State& st, EntityId entity) {
    Entity& e = st.entity(entity);
    Queue& q = st.queue(e.queue);
    return {entity, e, q, st.rq(q.cpu)};
}

} // namespace picknext
