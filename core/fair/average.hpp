// SPDX-License-Identifier: GPL-3.0-or-later
// The weighted average of a queue's vruntimes and what hangs on it: V, eligibility, and the reference point
// both are kept relative to. The running entity is outside the tree's sums and is added while it is queued.
#pragma once

#include <cstdint>

#include "core/rbtree/tree.hpp"
#include "core/state/state.hpp"

namespace picknext::fair {

/// The running entity of a queue, or null when none runs or it is no longer queued.
[[nodiscard]] inline const Entity* queued_current(const State& st, const Queue& q) {
    if (!q.curr) return nullptr;
    const Entity& e = st.entity(q.curr);
    return e.on_rq != 0 ? &e : nullptr;
}

/// distance * weight in 64 bits that wrap, as the kernel's product does.
[[nodiscard]] inline std::int64_t weighted(std::int64_t distance, std::uint64_t weight) {
    return static_cast<std::int64_t>(static_cast<std::uint64_t>(distance) * weight);
}

/// What V comes from, the running entity included: W = sum of coarse weights, S = sum of w * (v - ref), and
/// ref.
struct Sums {
    std::uint64_t weight = 0;
    std::int64_t weighted = 0;
    VTime ref;
    friend bool operator==(const Sums&, const Sums&) = default;
};
/// curr: the running entity of the queue while it is queued, else null.
[[nodiscard]] inline Sums sums_of(const Queue& q, const Entity* curr) {
    Sums s{q.sum_weight, q.sum_w_vruntime, q.ref};
    if (curr) {
        const std::uint64_t w = curr->weight.coarse();
        s.weight += w;
        s.weighted += weighted(curr->vruntime - q.ref, w);
    }
    return s;
}
[[nodiscard]] inline Sums sums_of(const State& st, const Queue& q) { return sums_of(q, queued_current(st, q)); }

/// Is somebody at this vruntime owed time (fn: vruntime_eligible)? No division, so nothing is rounded.
[[nodiscard]] inline bool eligible(const Sums& s, VTime vruntime) {
    return s.weighted >= weighted(vruntime - s.ref, s.weight);
}

/// V as a distance from the reference: rounded down, so that an entity placed there is eligible (fn:
/// avg_vruntime).
[[nodiscard]] inline std::int64_t average_offset(const Sums& s) {
    if (s.weight == 0) return 0;
    const auto w = static_cast<std::int64_t>(s.weight);
    return (s.weighted < 0 ? s.weighted - (w - 1) : s.weighted) / w;
}
[[nodiscard]] inline VTime average_of(const Sums& s) { return s.ref + average_offset(s); }

/// V of a queue; changes nothing.
[[nodiscard]] inline VTime average_vruntime(const State& st, const Queue& q) {
    const Entity* curr = queued_current(st, q);
    if (curr && !q.root && st.settings.kernel == Kernel::eevdf_6_12y) return curr->vruntime;
    return average_of(sums_of(q, curr));
}

/// Moves the reference; the sum keeps its meaning.
inline void move_ref(Queue& q, std::int64_t by) {
    q.sum_w_vruntime -= weighted(by, q.sum_weight);
    q.ref += by;
}

/// V, where the kernel computes it to use it: 6.12y moves the reference there.
inline VTime follow_average(State& st, Queue& q) {
    const VTime v = average_vruntime(st, q);
    if (st.settings.kernel == Kernel::eevdf_6_12y) move_ref(q, v - q.ref);
    return v;
}

/// min_vruntime advances to the earliest of tree and running entity, never back (fn:
/// update_min_vruntime). 6.12y has none.
inline void advance_min_vruntime(State& st, Queue& q) {
    if (st.settings.kernel == Kernel::eevdf_6_12y) return;
    VTime candidate = q.ref;
    const Entity* curr = queued_current(st, q);
    if (curr) candidate = curr->vruntime;
    if (q.root) {
        const bool by_deadline = st.settings.tree_key() == TreeKey::deadline;
        const VTime tree = by_deadline ? st.entity(q.root).subtree_min : st.entity(q.leftmost).vruntime;
        candidate = curr ? earlier(candidate, tree) : tree;
    }
    if (before(q.ref, candidate)) move_ref(q, candidate - q.ref);
}

/// V - vruntime within the limit for its slice (fn: entity_lag): plus or minus max(2 slices, a tick) in its
/// virtual time.
[[nodiscard]] std::int64_t limited_lag(const State& st, VTime average, const Entity& entity);

/// Takes the lag of a queued entity (fn: update_entity_lag); moves the reference in 6.12y.
void store_lag(State& st, Queue& q, Entity& entity);

/// Into and out of the tree with its part of the sums (fn: __enqueue_entity, __dequeue_entity).
inline void tree_insert(State& st, Queue& q, EntityId entity) {
    if (st.settings.eevdf()) {
        const Entity& e = st.entity(entity);
        const std::uint64_t w = e.weight.coarse();
        q.sum_w_vruntime += weighted(e.vruntime - q.ref, w);
        q.sum_weight += w;
    }
    rbtree::insert(st, q, entity);
}

inline void tree_erase(State& st, Queue& q, EntityId entity) {
    rbtree::erase(st, q, entity);
    if (st.settings.eevdf()) {
        const Entity& e = st.entity(entity);
        const std::uint64_t w = e.weight.coarse();
        q.sum_w_vruntime -= weighted(e.vruntime - q.ref, w);
        q.sum_weight -= w;
    }
}

} // namespace picknext::fair
