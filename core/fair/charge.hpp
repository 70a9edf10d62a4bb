// SPDX-License-Identifier: GPL-3.0-or-later
// Charging the running entity for the time since it was charged last, and what that may ask for (fn:
// update_curr).
#pragma once

#include "core/fair/entity.hpp"
#include "core/fair/weights.hpp"
#include "core/state/state.hpp"
#include "core/trace/recorder.hpp"

namespace picknext::fair {

/// Run time and vruntime advance to the run queue's clock. False when nobody runs or no time passed; then
/// nothing else is to be done. Each call rounds down once: call it where the kernel does, not more and not
/// less often.
inline bool advance_current(State& st, Queue& q) {
    if (!q.curr) return false;
    Entity& curr = st.entity(q.curr);
    const std::int64_t now = rq_of(st, q).clock;
    const std::int64_t delta = now - curr.exec_start;
    if (delta <= 0) return false;
    curr.exec_start = now;
    curr.sum_exec += static_cast<std::uint64_t>(delta);
    curr.vruntime.ns += to_virtual(static_cast<std::uint64_t>(delta), curr);
    return true;
}

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

/// All of it, unrecorded: what every place but the tick does. Most calls find that no time has passed.
void charge_advanced(State& st, Queue& q);
inline void update_curr(State& st, Queue& q) {
    if (advance_current(st, q)) charge_advanced(st, q);
}

/// The slice of an entity without its own (6.12), or of every entity (6.6, 6.8).
void renew_slice(const State& st, Entity& e);
/// A new deadline one slice after vruntime (fn: update_deadline); 6.12y moves the reference to V.
void renew_deadline(State& st, Queue& q, Entity& e);

} // namespace picknext::fair
