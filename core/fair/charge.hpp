// SPDX-License-Identifier: GPL-3.0-or-later
// Charging the running entity for the time since it was charged last, and what that may ask for (fn:
// update_curr).
#pragma once

#include "core/state/state.hpp"
#include "core/trace/recorder.hpp"

namespace picknext::fair {

/// Run time and vruntime advance to the run queue's clock. False when nobody runs or no time passed; then
/// nothing else is to be done. Each call rounds down once: call it where the kernel does, not more and not
/// less often.
bool advance_current(State& st, Queue& q);

/// What the charge of a running EEVDF entity asks for.
struct ChargeOutcome {
    bool renew = false; // vruntime reached the deadline: a new slice begins
    bool resched = false;
    Reason reason = Reason::tick_continue;
};
/// The queue's running entity was just advanced. CFS asks for nothing here.
template <DecisionSink S>
[[nodiscard]] ChargeOutcome decide_charge(const State& st, const Queue& q, Evidence<S>& why);
void apply_charge(State& st, Queue& q, const ChargeOutcome& outcome);

/// All of it, unrecorded: what every place but the tick does.
void update_curr(State& st, Queue& q);

/// The slice of an entity without its own (6.12), or of every entity (6.6, 6.8).
void renew_slice(const State& st, Entity& e);
/// A new deadline one slice after vruntime (fn: update_deadline); 6.12y moves the reference to V.
void renew_deadline(State& st, Queue& q, Entity& e);

} // namespace picknext::fair
