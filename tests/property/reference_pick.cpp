// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/property/reference_pick.hpp"

#include <vector>

#include "core/rbtree/tree.hpp"

namespace picknext::testing {
namespace {

__extension__ using Wide = __int128;

bool current_queued(const State& st, const Queue& q) { return q.curr && st.entity(q.curr).on_rq != 0; }

/// The tree in order, then the running one.
std::vector<EntityId> queued(const State& st, const Queue& q) {
    std::vector<EntityId> all;
    for (EntityId e = q.leftmost; e; e = rbtree::next(st, e))
        all.push_back(e);
    if (current_queued(st, q)) all.push_back(q.curr);
    return all;
}

} // namespace

bool exactly_eligible(const State& st, const Queue& q, EntityId entity) {
    const VTime own = st.entity(entity).vruntime;
    Wide lag = 0; // sum of w * (v - own) >= 0 says the mean is not before own
    for (EntityId e : queued(st, q))
        lag += static_cast<Wide>(st.entity(e).weight.coarse()) * (st.entity(e).vruntime - own);
    return lag >= 0;
}

ReferencePick reference_pick(const State& st, const Queue& q) {
    const std::vector<EntityId> all = queued(st, q);
    const bool by_deadline = st.settings.tree_key() == TreeKey::deadline;
    const bool curr_counts = current_queued(st, q) && exactly_eligible(st, q, q.curr);
    if (by_deadline && all.size() == 1) return {all[0], st.entity(all[0]).deadline};
    if (curr_counts && st.settings.on(Feature::run_to_parity)) {
        const Entity& curr = st.entity(q.curr);
        if (static_cast<std::uint64_t>(curr.vlag) == curr.deadline.ns) return {q.curr, curr.deadline};
    }
    EntityId best;
    for (EntityId e : all) { // the running one is last: it needs a strictly earlier deadline
        if (!exactly_eligible(st, q, e)) continue;
        if (!best || before(st.entity(e).deadline, st.entity(best).deadline)) best = e;
    }
    return {by_deadline ? best : EntityId::none(), st.entity(best).deadline};
}

} // namespace picknext::testing
