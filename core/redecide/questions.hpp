// SPDX-License-Identifier: GPL-3.0-or-later
// What a decision was asked, as far as its record and the state it saw do not say. Where they leave something open, every
// question it may have been is tried; those that do not give back what was decided were not it.
#pragma once

#include <span>
#include <vector>

#include "core/balance/pass.hpp"
#include "core/placement/idle_mask.hpp"
#include "core/redecide/redecide.hpp"

namespace picknext::redecision {

struct Question {
    bool fork = false;                                        // preempt: the first wakeup of the task
    placement::MaskHook hook = placement::MaskHook::tick;     // mask
    placement::IdlePass pass = {};                            // mask
    balance::Migration migration = balance::Migration::load;  // detach, active: by what the imbalance is counted
    bool pushed = false;                                      // detach: by the stopper
};

/// All it may have been; empty: decisions of this kind cannot be taken again.
[[nodiscard]] std::vector<Question> questions(const DecisionHeader& header);

/// A record, the state it was announced with, and what that state is on.
struct Asked {
    const DecisionHeader& header;
    std::span<const Check> checks;
    const Machine& machine;
    const Domains& domains;
};

/// Takes the decision under the settings of the state, which is changed no more than the kernel changes it while it decides.
/// Nothing where the record does not hold the whole question.
[[nodiscard]] std::optional<Redecided> answer(State& st, const Asked& asked, const Question& question);

} // namespace picknext::redecision
