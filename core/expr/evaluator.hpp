// SPDX-License-Identifier: GPL-3.0-or-later
// Asks a checked expression about a decision.
#pragma once

#include "core/expr/program.hpp"

namespace picknext::expr {

/// The value of a step outside any and all. Pure; allocates nothing; time is that of its steps, times CPUs or tasks for each any and all.
[[nodiscard]] Value evaluate(const Program& program, std::int32_t step, const Seen& seen);

} // namespace picknext::expr
