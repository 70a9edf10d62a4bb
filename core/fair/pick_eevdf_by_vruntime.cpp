// SPDX-License-Identifier: GPL-3.0-or-later
// The EEVDF pick of 6.6: the tree is sorted by vruntime and knows each subtree's earliest deadline. One walk
// along the border of eligibility remembers the best subtree left of it; a second walk descends there.
#include "core/fair/pick.hpp"
#include "core/fair/pick_steps.hpp"

namespace picknext::fair {
namespace {

template <DecisionSink S>
class TwoPassPick : PickSteps<S> {
  public:
    TwoPassPick(const State& st, const Queue& q, Evidence<S>& why) : PickSteps<S>(st, q, why) {}

    Pick run() {
        const EntityId curr = eligible_current();
        if (queued_current(m_st, m_q)) m_why.mark_last();
        if (keeps_slice(curr)) return {curr, Reason::pick_parity, PickPath::parity};
        m_best = curr;
        walk_border();
        EntityId best = m_best;
        if (remembered_is_better()) best = descend();
        if (!best) best = m_q.leftmost;
        return {best, best == curr ? Reason::pick_current_earlier : Reason::pick_search, PickPath::slow};
    }

  private:
    using PickSteps<S>::at, PickSteps<S>::owed, PickSteps<S>::eligible_current, PickSteps<S>::keeps_slice;
    using PickSteps<S>::m_st, PickSteps<S>::m_q, PickSteps<S>::m_why, PickSteps<S>::m_average;

    /// First pass: everybody left of an eligible node is eligible too.
    void walk_border() {
        for (EntityId node = m_q.root; node;) {
            const Entity& e = at(node);
            if (!m_why.template decide<Chk::node_eligible>(node, e.vruntime, m_average, owed(e.vruntime))) {
                node = e.link.left;
                continue;
            }
            take_if_earlier(node);
            if (e.link.left && remember_left(e)) return;
            if (m_why.template check<Chk::node_min_deadline>(node, e.deadline, e.subtree_min,
                                                             e.deadline == e.subtree_min))
                return;
            node = e.link.right;
        }
    }

    void take_if_earlier(EntityId node) {
        if (m_best) {
            const VTime own = at(node).deadline, best = at(m_best).deadline;
            if (!m_why.template check<Chk::node_earlier_deadline>(node, own, best, before(own, best))) return;
            m_why.mark_last();
        }
        m_best = node;
    }

    /// Remembers the left subtree with the earliest deadline. True when nothing below the node can be
    /// earlier.
    bool remember_left(const Entity& e) {
        const EntityId left = e.link.left;
        const VTime least = at(left).subtree_min;
        if (!m_remembered || before(least, at(m_remembered).subtree_min)) m_remembered = left;
        return m_why.template check<Chk::left_min_deadline>(left, least, e.subtree_min,
                                                            least == e.subtree_min);
    }

    bool remembered_is_better() {
        if (!m_remembered) return false;
        const VTime least = at(m_remembered).subtree_min;
        const VTime best = at(m_best).deadline; // the node above the remembered subtree was a candidate
        return m_why.template decide<Chk::remembered_not_later>(m_remembered, least, best,
                                                                !before(best, least));
    }

    /// Second pass: follow the earliest deadline down.
    EntityId descend() {
        for (EntityId node = m_remembered; node;) {
            const Entity& e = at(node);
            if (m_why.template decide<Chk::descent_min_deadline>(node, e.deadline, e.subtree_min,
                                                                 e.deadline == e.subtree_min))
                return node;
            const EntityId left = e.link.left;
            const VTime least = left ? at(left).subtree_min : VTime{};
            const bool there = left && least == e.subtree_min;
            node = m_why.template check<Chk::descent_left_min>(node, least, e.subtree_min, there)
                       ? left
                       : e.link.right;
        }
        return {};
    }

    EntityId m_best;
    EntityId m_remembered;
};

} // namespace

template <DecisionSink S>
Pick pick_eevdf_by_vruntime(const State& st, const Queue& q, Evidence<S>& why) {
    if (q.nr_queued == 0) return {};
    return TwoPassPick<S>(st, q, why).run();
}

#define X(S) template Pick pick_eevdf_by_vruntime<S>(const State&, const Queue&, Evidence<S>&);
PICKNEXT_FOR_EACH_SINK(X)
#undef X

} // namespace picknext::fair
