// SPDX-License-Identifier: GPL-3.0-or-later
// The EEVDF pick by looking at everybody, with sums and products in 128 bits taken afresh.
#pragma once

#include "core/state/state.hpp"

namespace picknext::testing {

struct ReferencePick {
    EntityId entity; // none: only the deadline is determined (6.6 breaks ties by the tree's shape)
    VTime deadline;
};
[[nodiscard]] ReferencePick reference_pick(const State& st, const Queue& q);

/// lag >= 0 by the exact weighted mean.
[[nodiscard]] bool exactly_eligible(const State& st, const Queue& q, EntityId entity);

} // namespace picknext::testing
