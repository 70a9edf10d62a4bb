// SPDX-License-Identifier: GPL-3.0-or-later
// Decisions as JSON, one object a line: for scripts and for comparing runs.
#pragma once

#include <span>
#include <string>

#include "core/engine/scenario.hpp"
#include "core/state/state.hpp"
#include "core/trace/decision.hpp"

namespace picknext::io {

/// Keys: number, event, time_ns, cpu (the firmware's number), kind, task, outcome, reason, level and cost_ns when not 0;
/// with checks also checks, each {check, subject, left, right, unit, verdict}, the deciding one with "deciding": true.
/// Virtual times are the absolute unsigned ones. Integers above 2^53 are strings. No line end.
[[nodiscard]] std::string decision_json(const Scenario& scenario, const State& st, const DecisionHeader& header,
                                        std::span<const Check> checks);

/// The same with title, sentence, function, path, the checks in words and the writes.
[[nodiscard]] std::string explained_json(const Scenario& scenario, const State& st, const DecisionHeader& header,
                                         std::span<const Check> checks);

} // namespace picknext::io
