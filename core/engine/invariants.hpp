// SPDX-License-Identifier: GPL-3.0-or-later
// What must hold between events, whatever happened.
#pragma once

#include <string>

#include "core/state/state.hpp"

namespace picknext {

/// The first broken rule as a sentence with its values, or empty. Trees sorted, balanced and coloured by the
/// rules, leftmost and augmented values right, counts and weights equal recounts, EEVDF sums equal recounts,
/// a runnable task on exactly one queue and allowed there, a CPU idle exactly when nothing is queued, everything queued
/// reached from the root but what a group out of runtime holds back.
[[nodiscard]] std::string broken_invariant(const State& st);

} // namespace picknext
