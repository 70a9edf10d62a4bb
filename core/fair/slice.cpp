// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/fair/slice.hpp"

#include <algorithm>

#include "core/fair/average.hpp"
#include "core/fair/entity.hpp"

namespace picknext::fair {
namespace {

/// What the slice of an entity may not fall below. sched_idle: nobody but idle entities is queued.
std::int64_t least_slice(const State& st, const Queue& q, const Entity& e) {
    const bool sched_idle = q.idle_nr == q.nr_queued && q.nr_queued > 0;
    return st
        .settings[is_idle(st, e) && !sched_idle ? Tunable::idle_min_granularity : Tunable::min_granularity];
}

} // namespace

std::int64_t sched_slice(const State& st, const Queue& q, EntityId entity) {
    const Settings& settings = st.settings;
    const Entity& first = st.entity(entity);
    const bool whole_cpu = settings.on(Feature::alt_period);
    const std::uint32_t queued = whole_cpu ? st.root_queue(q.cpu).h_nr_queued : q.nr_queued;
    const std::int64_t count = std::int64_t{queued} + (first.on_rq == 0 ? 1 : 0);
    const bool stretched = count > settings[Tunable::nr_latency];
    auto slice = static_cast<std::uint64_t>(stretched ? count * settings[Tunable::min_granularity]
                                                      : settings[Tunable::latency]);
    for (EntityId e = entity; e; e = st.entity(e).parent) {
        const Entity& se = st.entity(e);
        const Queue& level = st.queue(se.queue);
        const Weight load = se.on_rq != 0 ? level.weight : level.weight + se.weight;
        slice = scale_delta(slice, se.weight, load, 0); // a queue's inverse is never cached
    }
    if (settings.on(Feature::base_slice))
        slice = std::max(slice, static_cast<std::uint64_t>(least_slice(st, q, first)));
    return static_cast<std::int64_t>(slice);
}

bool many_queued(const State& st, const Queue& q) { return q.nr_queued >= st.settings[Tunable::nr_latency]; }

std::uint64_t min_slice(const State& st, const Queue& q) {
    std::uint64_t least = UINT64_MAX;
    if (const Entity* curr = queued_current(st, q)) least = curr->slice;
    if (q.root) least = std::min(least, st.entity(q.root).subtree_min_slice);
    return least == UINT64_MAX ? 0 : least;
}

} // namespace picknext::fair
