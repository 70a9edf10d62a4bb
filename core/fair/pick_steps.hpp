// SPDX-License-Identifier: GPL-3.0-or-later
// What both EEVDF picks begin with: is the running entity eligible (P2), and does it keep its slice (P3).
#pragma once

#include "core/fair/average.hpp"
#include "core/fair/entity.hpp"

namespace picknext::fair {

template <DecisionSink S>
class PickSteps {
  protected:
    PickSteps(const State& st, const Queue& q, Evidence<S>& why)
        : m_st(st), m_q(q), m_why(why), m_sums(sums_of(st, q)) {
        if constexpr (Evidence<S>::recording) m_average = average_vruntime(st, q);
    }

    [[nodiscard]] const Entity& at(EntityId e) const { return m_st.entity(e); }
    [[nodiscard]] bool owed(VTime vruntime) const { return eligible(m_sums, vruntime); }

    /// P2: the running entity, if it may be considered.
    EntityId eligible_current() {
        const Entity* curr = queued_current(m_st, m_q);
        if (!curr) {
            m_why.template skip<Chk::current_eligible>(m_q.curr);
            return {};
        }
        const bool yes = m_why.template check<Chk::current_eligible>(m_q.curr, curr->vruntime, m_average,
                                                                     owed(curr->vruntime));
        return yes ? m_q.curr : EntityId::none();
    }

    /// P3 (RUN_TO_PARITY). curr: what P2 left.
    bool keeps_slice(EntityId curr) {
        if (!curr || !m_st.settings.on(Feature::run_to_parity)) {
            m_why.template skip<Chk::current_protected>(curr);
            return false;
        }
        const Entity& e = at(curr);
        const VTime mark{static_cast<std::uint64_t>(e.vlag)};
        return m_why.template decide<Chk::current_protected>(curr, mark, e.deadline, is_protected(e));
    }

    const State& m_st;
    const Queue& m_q;
    Evidence<S>& m_why;
    Sums m_sums;
    VTime m_average;
};

} // namespace picknext::fair
