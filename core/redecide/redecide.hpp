// SPDX-License-Identifier: GPL-3.0-or-later
// A recorded decision taken again from the very state it was taken from, under other settings: what would have been
// decided, and why. One decision only: what would have come of it is another run.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "core/state/state.hpp"
#include "core/topology/domains.hpp"
#include "core/topology/machine.hpp"

namespace picknext {

struct Redecided {
    std::int32_t outcome = -1;  // by KindInfo::outcome, as in DecisionHeader
    Reason reason = Reason::none;
    PickPath path = PickPath::none; // of a pick
    std::vector<Check> checks;  // every check made on the way, in order
    friend bool operator==(const Redecided&, const Redecided&) = default;
};

/// Kinds that can be taken again: pick, place, balance, busiest, imbalance, queue, nohz_kick. before: the state as a sink
/// is shown it; header: the decision's; domains: those in force then. Costs a copy of the state.
/// Nothing for other kinds, for a pick when the kernels keep differently sorted or augmented trees, and where the record
/// does not hold the whole question: a CPU taken for its affinity alone, a balance pass that looks again around pinned
/// tasks. Whatever is answered, the decision's own settings gave its own answer.
[[nodiscard]] std::optional<Redecided> redecide(const State& before, const DecisionHeader& header, const Settings& settings, const Machine& machine,
                                                const Domains& domains);

} // namespace picknext
