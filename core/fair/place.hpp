// SPDX-License-Identifier: GPL-3.0-or-later
// Where on the virtual time line an entity joins its queue (fn: place_entity).
#pragma once

#include "core/state/state.hpp"
#include "core/trace/recorder.hpp"

namespace picknext::fair {

/// How an entity comes to be queued. One byte, as DequeueFlags.
struct EnqueueFlags {
    bool wakeup : 1 = false;   // ENQUEUE_WAKEUP
    bool migrated : 1 = false; // ENQUEUE_MIGRATED: from another CPU
    bool initial : 1 = false;  // ENQUEUE_INITIAL: first time ever
    bool restore : 1 = false;  // ENQUEUE_RESTORE: taken off for a change of attributes
};

struct Placement {
    VTime vruntime;
    VTime deadline;          // EEVDF
    std::uint64_t slice = 0; // EEVDF, ns
    Reason reason = Reason::none;
};

/// EEVDF: V minus the stored lag, inflated for the weight that joins; then the deadline. CFS: of a new task
/// one slice after min_vruntime, of a sleeper its credit before it, never earlier than its own vruntime. The
/// entity is not queued. Nothing is charged or moved here.
template <DecisionSink S>
[[nodiscard]] Placement decide_place(const State& st, const Queue& q, EntityId entity, EnqueueFlags flags,
                                     Evidence<S>& why);
void apply_place(State& st, Queue& q, Entity& e, const Placement& placement);

} // namespace picknext::fair
