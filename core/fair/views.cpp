// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/fair/views.hpp"

#include "core/fair/entity.hpp"
#include "core/rbtree/tree.hpp"

namespace picknext::fair {

VTime average_vruntime(const Settings& settings, const State& st, QueueId queue) {
    const Queue& q = st.queue(queue);
    return settings.eevdf() ? average_vruntime(st, q) : q.ref;
}

bool is_eligible(const Settings& settings, const State& st, QueueId queue, EntityId entity) {
    return !settings.eevdf() || eligible(sums_of(st, st.queue(queue)), st.entity(entity).vruntime);
}

std::int64_t lag(const Settings& settings, const State& st, QueueId queue, EntityId entity) {
    return average_vruntime(settings, st, queue) - st.entity(entity).vruntime;
}

bool is_protected(const Settings& settings, const Entity& entity) {
    return settings.eevdf() && is_protected(entity);
}

std::vector<EntityId> in_order(const State& st, QueueId queue) {
    std::vector<EntityId> out;
    for (EntityId e = st.queue(queue).leftmost; e; e = rbtree::next(st, e))
        out.push_back(e);
    return out;
}

Sums sums(const Settings&, const State& st, QueueId queue) { return sums_of(st, st.queue(queue)); }

} // namespace picknext::fair
