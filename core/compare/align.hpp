// SPDX-License-Identifier: GPL-3.0-or-later
// The checks of two decisions side by side.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "core/trace/decision.hpp"

namespace picknext::compare {

enum class Likeness : std::uint8_t {
    same,     // same answer from the same numbers
    numbers,  // same answer from other numbers
    answer,   // another answer
    only_a,   // not asked in B
    only_b    // not asked in A
};
struct CheckPair {
    std::optional<std::size_t> a, b; // index of the check in its decision; at least one
    Likeness likeness = Likeness::same;
    friend bool operator==(const CheckPair&, const CheckPair&) = default;
};

/// One row per check, in an order both decisions keep, with as many pairs as there can be. A pair are two checks of the
/// same predicate about the same subject. A check recorded as not arising counts as not asked.
[[nodiscard]] std::vector<CheckPair> align(std::span<const Check> a, std::span<const Check> b);

} // namespace picknext::compare
