// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/fair/buddies.hpp"

#include "core/fair/entity.hpp"

namespace picknext::fair {
namespace {

using Mark = EntityId Queue::*;

void nominate(State& st, EntityId entity, Mark mark) {
    const bool every_level_asked = st.settings.kernel >= Kernel::cfs_6_1;
    const Entity& first = st.entity(entity);
    if (!every_level_asked && is_task(first) && is_idle(st, first)) return;
    for (EntityId e = entity; e; e = st.entity(e).parent) {
        const Entity& se = st.entity(e);
        if (se.on_rq == 0) return;
        if (every_level_asked && is_idle(st, se)) return;
        st.queue(se.queue).*mark = e;
    }
}

} // namespace

void set_next_buddy(State& st, EntityId entity) { nominate(st, entity, &Queue::next); }
void set_last_buddy(State& st, EntityId entity) { nominate(st, entity, &Queue::last); }

void set_skip_buddy(State& st, EntityId entity) {
    for (EntityId e = entity; e; e = st.entity(e).parent)
        st.queue(st.entity(e).queue).skip = e;
}

void clear_mark(State& st, EntityId entity, Mark mark) {
    for (EntityId e = entity; e; e = st.entity(e).parent) {
        Queue& q = st.queue(st.entity(e).queue);
        if (q.*mark != e) return;
        q.*mark = EntityId::none();
    }
}

} // namespace picknext::fair
