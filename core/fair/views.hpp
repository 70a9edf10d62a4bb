// SPDX-License-Identifier: GPL-3.0-or-later
// Read-only numbers of a fair queue that people look at: the same functions the decisions use.
#pragma once

#include <cstdint>
#include <vector>

#include "core/fair/average.hpp"
#include "core/state/state.hpp"

namespace picknext::fair {

/// V of a queue, current included while on_rq; changes nothing (fn: avg_vruntime; 6.12y without moving
/// zero_vruntime). EEVDF only; for CFS min_vruntime.
[[nodiscard]] VTime average_vruntime(const Settings& settings, const State& st, QueueId queue);

/// Eligible: the sum test of vruntime_eligible. CFS has no eligibility: true.
[[nodiscard]] bool is_eligible(const Settings& settings, const State& st, QueueId queue, EntityId entity);

/// V - vruntime in virtual ns.
[[nodiscard]] std::int64_t lag(const Settings& settings, const State& st, QueueId queue, EntityId entity);

/// Slice protection of the running entity (run to parity).
[[nodiscard]] bool is_protected(const Settings& settings, const Entity& entity);

/// Entities of the tree in order.
[[nodiscard]] std::vector<EntityId> in_order(const State& st, QueueId queue);

/// The sums V comes from, current included.
[[nodiscard]] Sums sums(const Settings& settings, const State& st, QueueId queue);

} // namespace picknext::fair
