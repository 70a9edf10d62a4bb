// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/fair/charge.hpp"

#include "core/fair/average.hpp"
#include "core/fair/buddies.hpp"

namespace picknext::fair {

template <DecisionSink S>
ChargeOutcome decide_charge(const State& st, const Queue& q, Evidence<S>& why) {
    if (!st.settings.eevdf()) return {};
    const Entity& curr = st.entity(q.curr);
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
    const bool owed = eligible(sums_of(st, q), curr.vruntime);
    VTime average;
    if constexpr (Evidence<S>::recording) average = average_vruntime(st, q);
    if (why.template decide<Chk::current_eligible>(q.curr, curr.vruntime, average, owed)) return {};
    return {false, true, Reason::tick_lost_protection};
}

void renew_slice(const State& st, Entity& e) {
    if (e.custom_slice == 0) e.slice = static_cast<std::uint64_t>(st.settings[Tunable::base_slice]);
}

void renew_deadline(State& st, Queue& q, Entity& e) {
    renew_slice(st, e);
    e.deadline = VTime{e.vruntime.ns + to_virtual(e.slice, e)};
    if (st.settings.kernel == Kernel::eevdf_6_12y) follow_average(st, q);
}

void apply_charge(State& st, Queue& q, const ChargeOutcome& outcome) {
    if (outcome.renew) renew_deadline(st, q, st.entity(q.curr));
    if (outcome.resched) {
        request_resched(st, q);
        clear_buddies(st, q, q.curr);
    }
    advance_min_vruntime(st, q);
}

void charge_advanced(State& st, Queue& q) {
    Evidence<NullSink> unrecorded;
    apply_charge(st, q, decide_charge(st, q, unrecorded));
}

#define X(S) template ChargeOutcome decide_charge<S>(const State&, const Queue&, Evidence<S>&);
PICKNEXT_FOR_EACH_SINK(X)
#undef X

} // namespace picknext::fair
