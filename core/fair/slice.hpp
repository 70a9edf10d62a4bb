// SPDX-License-Identifier: GPL-3.0-or-later
// How long a CFS entity should run, and how far apart two may be; the smallest slice of an EEVDF queue.
#pragma once

#include <cstdint>

#include "core/fair/weights.hpp"
#include "core/state/state.hpp"

namespace picknext::fair {

/// CFS: the share of the period an entity has over all levels, ns (fn: sched_slice). Counts it in if not
/// queued.
[[nodiscard]] std::int64_t sched_slice(const State& st, const Queue& q, EntityId entity);

/// CFS: the wakeup granularity in the virtual time of an entity, ns (fn: wakeup_gran).
[[nodiscard]] inline std::int64_t wakeup_granularity(const State& st, const Entity& e) {
    return static_cast<std::int64_t>(
        to_virtual(static_cast<std::uint64_t>(st.settings[Tunable::wakeup_granularity]), e));
}

/// CFS: "many" entities: buddies of some kinds are nominated only then.
[[nodiscard]] bool many_queued(const State& st, const Queue& q);

/// 6.12: the smallest slice queued, ns; 0 when nothing is (fn: cfs_rq_min_slice). The tree's is the stored
/// one, which rotations may have left stale.
[[nodiscard]] std::uint64_t min_slice(const State& st, const Queue& q);

} // namespace picknext::fair
