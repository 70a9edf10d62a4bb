// SPDX-License-Identifier: GPL-3.0-or-later
// A patch that is to change time alone: decisions of one arm, taken again from the same state under the other.
#pragma once

#include <cstdint>
#include <stop_token>

#include "core/bench/plan.hpp"
#include "core/trace/decision.hpp"

namespace picknext::bench {

struct Redecisions {
    std::uint64_t of = 0;      // decisions of the kind in the run
    std::uint64_t again = 0;   // of these, taken again
    std::uint64_t differ = 0;  // of these, with another outcome
    friend bool operator==(const Redecisions&, const Redecisions&) = default;
};
/// The first repeat of a cell under arm `arm`; each decision of `kind` again under arm `other`, but no more than `most` (each costs a
/// copy of the state). Stopped: what was counted until then.
[[nodiscard]] Redecisions take_again(const Plan& plan, std::size_t cell, std::size_t arm, std::size_t other, Kind kind, std::uint64_t most,
                                     std::stop_token stop = {});

} // namespace picknext::bench
