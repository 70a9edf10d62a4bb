// SPDX-License-Identifier: GPL-3.0-or-later
// The EEVDF pick, 6.8 and later: the tree is sorted by deadline, so the leftmost is the answer whenever it is
// eligible, and subtrees without an eligible vruntime need no visit. Steps P1 to P6.
#include "core/fair/pick.hpp"
#include "core/fair/pick_steps.hpp"

namespace picknext::fair {
namespace {

template <DecisionSink S>
class EevdfPick : PickSteps<S> {
  public:
    EevdfPick(const State& st, const Queue& q, Evidence<S>& why) : PickSteps<S>(st, q, why) {}

    Pick run() {
        const EntityId curr = eligible_current();
        if (keeps_slice(curr)) return {curr, Reason::pick_parity, PickPath::parity};
        Pick best{leftmost_if_eligible(), Reason::pick_leftmost_eligible, PickPath::fast};
        if (!best.entity) best = {search(), Reason::pick_search, PickPath::slow};
        if (!best.entity) return without_best(curr);
        if (curr_is_earlier(curr, best.entity)) return {curr, Reason::pick_current_earlier, best.path};
        return best;
    }

  private:
    using PickSteps<S>::at, PickSteps<S>::owed, PickSteps<S>::eligible_current, PickSteps<S>::keeps_slice;
    using PickSteps<S>::m_st, PickSteps<S>::m_q, PickSteps<S>::m_why, PickSteps<S>::m_average;

    /// P4.
    EntityId leftmost_if_eligible() {
        const EntityId left = m_q.leftmost;
        if (!left || m_st.settings.patch(Patch::eevdf_fast_path) == 0) {
            m_why.template skip<Chk::leftmost_eligible>(left);
            return {};
        }
        const VTime vruntime = at(left).vruntime;
        return m_why.template decide<Chk::leftmost_eligible>(left, vruntime, m_average, owed(vruntime))
                   ? left
                   : EntityId::none();
    }

    /// P5: everybody left of a node has an earlier deadline, so go left while somebody eligible is there.
    EntityId search() {
        for (EntityId node = m_q.root; node;) {
            const Entity& e = at(node);
            if (const EntityId left = e.link.left) {
                const VTime least = at(left).subtree_min;
                if (m_why.template check<Chk::left_subtree_eligible>(node, least, m_average, owed(least))) {
                    node = left;
                    continue;
                }
            }
            if (m_why.template decide<Chk::node_eligible>(node, e.vruntime, m_average, owed(e.vruntime)))
                return node;
            node = e.link.right;
        }
        return {};
    }

    /// P6: a tie goes to the tree.
    bool curr_is_earlier(EntityId curr, EntityId best) {
        if (!curr) {
            m_why.template skip<Chk::current_earlier_deadline>(m_q.curr);
            return false;
        }
        const VTime own = at(curr).deadline, other = at(best).deadline;
        if (!m_why.template check<Chk::current_earlier_deadline>(curr, own, other, before(own, other)))
            return false;
        m_why.mark_last();
        return true;
    }

    /// Nobody in the tree is eligible: then the running entity is, for somebody always is.
    Pick without_best(EntityId curr) {
        PICKNEXT_DEBUG_ASSERT(curr, "nobody of {} queued entities is eligible", m_q.nr_queued);
        m_why.template skip<Chk::current_earlier_deadline>(curr);
        return {curr ? curr : m_q.leftmost, Reason::pick_current_earlier, PickPath::slow};
    }
};

} // namespace

template <DecisionSink S>
Pick pick_eevdf(const State& st, const Queue& q, Evidence<S>& why) {
    if (why.template decide<Chk::only_entity>(EntityId::none(), q.nr_queued, 1, q.nr_queued == 1))
        return {queued_current(st, q) ? q.curr : q.leftmost, Reason::pick_only_entity, PickPath::direct};
    if (q.nr_queued == 0) return {};
    return EevdfPick<S>(st, q, why).run();
}

#define X(S) template Pick pick_eevdf<S>(const State&, const Queue&, Evidence<S>&);
PICKNEXT_FOR_EACH_SINK(X)
#undef X

} // namespace picknext::fair
