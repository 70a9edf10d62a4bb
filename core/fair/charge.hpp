// SPDX-License-Identifier: GPL-3.0-or-later
// Charging the running entity for the time since it was charged last, and what that may ask for (fn:
// update_curr).
#pragma once

#include "core/fair/average.hpp"
#include "core/fair/bandwidth.hpp"
#include "core/fair/buddies.hpp"
#include "core/fair/entity.hpp"
#include "core/fair/weights.hpp"
#include "core/state/state.hpp"
#include "core/trace/recorder.hpp"

namespace picknext::fair {

/// Run time and vruntime advance to the run queue's clock, `now`. False when no time passed; then
/// nothing else is to be done. Each call rounds down once: call it where the kernel does, not more and not
/// less often.
inline bool advance_running(State& st, Queue& q, Entity& curr, std::int64_t now) {
    if (now <= curr.exec_start) return false;
    const auto delta = static_cast<std::uint64_t>(now) - static_cast<std::uint64_t>(curr.exec_start);
    curr.exec_start = now;
    curr.sum_exec += delta;
    curr.vruntime.ns += to_virtual(delta, curr);
    if (q.runtime_enabled != 0) account_runtime(st, q, static_cast<std::int64_t>(delta));
    return true;
}

/// What the charge of a running EEVDF entity asks for.
struct ChargeOutcome {
    bool renew = false; // vruntime reached the deadline: a new slice begins
    bool resched = false;
    Reason reason = Reason::tick_continue;
};

/// The slice of an entity without its own (6.12), or of every entity (6.6, 6.8).
void renew_slice(const State& st, Entity& e);
/// A new deadline one slice after vruntime (fn: update_deadline); 6.12y moves the reference to V.
void renew_deadline(State& st, Queue& q, Entity& e);

/// The queue's running entity was just advanced. CFS asks for nothing here.
template <DecisionSink S>
[[nodiscard]] ChargeOutcome decide_charge(const State& st, const Queue& q, const Entity& curr, Evidence<S>& why) {
    if (!st.settings.eevdf()) return {};
    const bool renew = why.template check<Chk::deadline_reached>(q.curr, curr.vruntime, curr.deadline,
                                                                 !before(curr.vruntime, curr.deadline));
    why.mark_last();
    const bool contended =
        why.template check<Chk::more_than_one>(EntityId::none(), q.nr_queued, 1, q.nr_queued > 1);
    if (!contended) {
        why.mark_last();
        return {renew, false, Reason::tick_alone};
    }
    if (renew) return {true, true, Reason::tick_deadline};
    if (!st.settings.on(Feature::preempt_short)) return {};
    if (why.template decide<Chk::current_protected>(q.curr, VTime{static_cast<std::uint64_t>(curr.vlag)},
                                                    curr.deadline, is_protected(curr)))
        return {};
    const bool owed = eligible(sums_of(q, curr.on_rq != 0 ? &curr : nullptr), curr.vruntime);
    VTime average;
    if constexpr (Evidence<S>::recording) average = average_vruntime(st, q);
    if (why.template decide<Chk::current_eligible>(q.curr, curr.vruntime, average, owed)) return {};
    return {false, true, Reason::tick_lost_protection};
}

inline void apply_charge(State& st, Queue& q, Entity& curr, const ChargeOutcome& outcome) {
    if (outcome.renew) renew_deadline(st, q, curr);
    if (outcome.resched) {
        request_resched(st, q);
        clear_buddies(st, q, q.curr);
    }
    advance_min_vruntime(st, q);
}

/// All of it, unrecorded: what every place but the tick does. Most calls find that no time has passed.
inline void update_curr(State& st, Queue& q, const Rq& rq) {
    if (!q.curr) return;
    Entity& curr = st.entity(q.curr);
    if (!advance_running(st, q, curr, rq.clock)) return;
    Evidence<NullSink> unrecorded;
    apply_charge(st, q, curr, decide_charge(st, q, curr, unrecorded));
}
inline void update_curr(State& st, Queue& q) { update_curr(st, q, rq_of(st, q)); }

} // namespace picknext::fair
