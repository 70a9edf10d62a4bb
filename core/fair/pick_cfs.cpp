// SPDX-License-Identifier: GPL-3.0-or-later
// The CFS pick: smallest vruntime, unless a buddy is close enough behind it.
#include "core/fair/average.hpp"
#include "core/fair/pick.hpp"
#include "core/fair/slice.hpp"
#include "core/rbtree/tree.hpp"

namespace picknext::fair {
namespace {

template <DecisionSink S>
class CfsPick {
  public:
    CfsPick(const State& st, const Queue& q, Evidence<S>& why)
        : m_st(st), m_q(q), m_why(why), m_curr(queued_current(st, q) ? q.curr : EntityId::none()) {}

    Pick run() {
        const EntityId left = first();
        if (!left) return {};
        Pick pick{left, left == m_curr ? Reason::pick_current_leftmost : Reason::pick_leftmost,
                  PickPath::leftmost};
        if (m_q.skip == left)
            if (const EntityId second = second_of(left);
                second && close_enough<Chk::skip_second>(second, left))
                pick = {second, Reason::pick_skipped, PickPath::skip};
        if (m_q.next && close_enough<Chk::buddy_close_enough>(m_q.next, left))
            return {m_q.next, Reason::pick_next_buddy, PickPath::buddy};
        if (m_q.last && close_enough<Chk::buddy_close_enough>(m_q.last, left))
            return {m_q.last, Reason::pick_last_buddy, PickPath::last};
        return pick;
    }

  private:
    /// The running entity if it is strictly before this waiting one, or if there is none.
    EntityId earlier_of(EntityId waiting) const {
        if (!waiting) return m_curr;
        if (m_curr && before(m_st.entity(m_curr).vruntime, m_st.entity(waiting).vruntime)) return m_curr;
        return waiting;
    }

    EntityId first() {
        const EntityId choice = earlier_of(m_q.leftmost);
        if (m_curr && m_q.leftmost) {
            m_why.template decide<Chk::leftmost_first>(m_curr, m_st.entity(m_curr).vruntime,
                                                       m_st.entity(m_q.leftmost).vruntime, choice == m_curr);
        } else {
            m_why.template skip<Chk::leftmost_first>(m_q.curr);
        }
        return choice;
    }

    EntityId second_of(EntityId choice) const {
        return choice == m_curr ? m_q.leftmost : earlier_of(rbtree::next(m_st, choice));
    }

    template <Chk C>
    bool close_enough(EntityId candidate, EntityId left) {
        const Entity& e = m_st.entity(candidate);
        const Entity& l = m_st.entity(left);
        const bool yes = behind(m_st, e, l) < 1;
        Nanos granularity;
        if constexpr (Evidence<S>::recording) granularity = Nanos{wakeup_granularity(m_st, l)};
        m_why.template check<C>(candidate, Nanos{e.vruntime - l.vruntime}, granularity, yes);
        if (yes) m_why.mark_last();
        return yes;
    }

    const State& m_st;
    const Queue& m_q;
    Evidence<S>& m_why;
    EntityId m_curr;
};

} // namespace

template <DecisionSink S>
Pick pick_cfs(const State& st, const Queue& q, Evidence<S>& why) {
    return CfsPick<S>(st, q, why).run();
}

#define X(S) template Pick pick_cfs<S>(const State&, const Queue&, Evidence<S>&);
PICKNEXT_FOR_EACH_SINK(X)
#undef X

} // namespace picknext::fair
