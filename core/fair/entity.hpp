// SPDX-License-Identifier: GPL-3.0-or-later
// Small facts about an entity and the hierarchy above it.
#pragma once

#include <cstdint>

#include "core/state/state.hpp"

namespace picknext::fair {

[[nodiscard]] inline bool is_task(const Entity& e) { return e.task.valid(); }

/// Idle policy, or a group with cpu.idle (fn: se_is_idle).
[[nodiscard]] inline bool is_idle(const State& st, const Entity& e) {
    if (e.task) return st.task(e.task).policy == Policy::idle;
    return st.groups[st.queue(e.my_queue).group.index()].idle != 0;
}

[[nodiscard]] inline Rq& rq_of(State& st, const Queue& q) { return st.rq(q.cpu); }
[[nodiscard]] inline const Rq& rq_of(const State& st, const Queue& q) { return st.rq(q.cpu); }

inline void request_resched(State& st, const Queue& q) { rq_of(st, q).need_resched = 1; }

/// Slice protection of the running entity is no flag: vlag holds the deadline it was set with.
[[nodiscard]] inline bool is_protected(const Entity& e) {
    return static_cast<std::uint64_t>(e.vlag) == e.deadline.ns;
}
inline void protect(Entity& e) { e.vlag = static_cast<std::int64_t>(e.deadline.ns); }
inline void cancel_protection(Entity& e) {
    if (is_protected(e)) e.vlag = static_cast<std::int64_t>(e.deadline.ns + 1);
}

/// Climbs two entities of one CPU to where they share a queue (fn: find_matching_se).
inline void climb_to_shared_queue(const State& st, EntityId& a, EntityId& b) {
    while (st.entity(a).depth > st.entity(b).depth)
        a = st.entity(a).parent;
    while (st.entity(b).depth > st.entity(a).depth)
        b = st.entity(b).parent;
    while (st.entity(a).queue != st.entity(b).queue) {
        a = st.entity(a).parent;
        b = st.entity(b).parent;
    }
}

/// The queue of a group on a CPU; the root group's is the CPU's root queue.
[[nodiscard]] inline QueueId queue_of(const State& st, GroupId group, CpuId cpu) {
    const Group& g = st.groups[group.index()];
    return g.first_queue && group.value != 0 ? QueueId{g.first_queue.index() + cpu.index()}
                                             : QueueId{cpu.index()};
}

/// Puts an entity that is not queued under a queue (fn: set_task_rq).
inline void attach_to_queue(State& st, Entity& e, QueueId queue) {
    e.queue = queue;
    e.parent = st.queue(queue).owner;
    e.depth = e.parent ? st.entity(e.parent).depth + 1 : 0;
}

} // namespace picknext::fair
