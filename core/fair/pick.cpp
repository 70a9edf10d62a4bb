// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/fair/pick.hpp"

#include "core/fair/average.hpp"

namespace picknext::fair {
namespace {

template <DecisionSink S>
Pick pick_by_algorithm(const State& st, const Queue& q, Evidence<S>& why) {
    if (st.settings.tree_key() == TreeKey::deadline) return pick_eevdf(st, q, why);
    return st.settings.eevdf() ? pick_eevdf_by_vruntime(st, q, why) : pick_cfs(st, q, why);
}

} // namespace

template <DecisionSink S>
Pick pick_next(const State& st, const Queue& q, Evidence<S>& why) {
    const Feature gate =
        st.settings.kernel == Kernel::eevdf_6_12y ? Feature::pick_buddy : Feature::next_buddy;
    if (q.next && st.settings.eevdf() && st.settings.on(gate)) {
        const VTime vruntime = st.entity(q.next).vruntime;
        VTime average;
        if constexpr (Evidence<S>::recording) average = average_vruntime(st, q);
        if (why.template decide<Chk::buddy_eligible>(q.next, vruntime, average,
                                                     eligible(sums_of(st, q), vruntime)))
            return {q.next, Reason::pick_next_buddy, PickPath::buddy};
    }
    return pick_by_algorithm(st, q, why);
}

template <DecisionSink S>
Pick pick_for_preemption(const State& st, const Queue& q, Evidence<S>& why) {
    return pick_by_algorithm(st, q, why);
}

#define X(S)                                                                                                 \
    template Pick pick_next<S>(const State&, const Queue&, Evidence<S>&);                                    \
    template Pick pick_for_preemption<S>(const State&, const Queue&, Evidence<S>&);
PICKNEXT_FOR_EACH_SINK(X)
#undef X

void count_pick(Accounts& accounts, PickPath path) {
    switch (path) {
    case PickPath::direct: return accounts.count(Tally::pick_direct);
    case PickPath::parity: return accounts.count(Tally::pick_parity);
    case PickPath::fast: return accounts.count(Tally::pick_fast);
    case PickPath::slow: return accounts.count(Tally::pick_slow);
    case PickPath::buddy: return accounts.count(Tally::pick_buddy);
    default: return;
    }
}

} // namespace picknext::fair
