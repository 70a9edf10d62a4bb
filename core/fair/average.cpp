// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/fair/average.hpp"

#include <algorithm>

#include "core/fair/weights.hpp"
#include "core/rbtree/tree.hpp"

namespace picknext::fair {

std::int64_t limited_lag(const State& st, VTime average, const Entity& entity) {
    const auto tick = static_cast<std::uint64_t>(st.settings.tick_ns());
    const auto limit = static_cast<std::int64_t>(to_virtual(std::max(2 * entity.slice, tick), entity));
    return std::clamp(average - entity.vruntime, -limit, limit);
}

void store_lag(State& st, Queue& q, Entity& entity) {
    entity.vlag = limited_lag(st, follow_average(st, q), entity);
}

void tree_insert(State& st, Queue& q, EntityId entity) {
    if (st.settings.eevdf()) {
        const Entity& e = st.entity(entity);
        const std::uint64_t w = e.weight.coarse();
        q.sum_w_vruntime += weighted(e.vruntime - q.ref, w);
        q.sum_weight += w;
    }
    rbtree::insert(st, q, entity);
}

void tree_erase(State& st, Queue& q, EntityId entity) {
    rbtree::erase(st, q, entity);
    if (st.settings.eevdf()) {
        const Entity& e = st.entity(entity);
        const std::uint64_t w = e.weight.coarse();
        q.sum_w_vruntime -= weighted(e.vruntime - q.ref, w);
        q.sum_weight -= w;
    }
}

} // namespace picknext::fair
