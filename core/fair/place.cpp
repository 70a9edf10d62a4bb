// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/fair/place.hpp"

#include <algorithm>

#include "core/fair/average.hpp"
#include "core/fair/entity.hpp"
#include "core/fair/slice.hpp"
#include "core/fair/weights.hpp"

namespace picknext::fair {
namespace {

constexpr std::int64_t long_sleep = INT64_MAX / 1024 + 1; // 2^63 / 1024 ns, about 104 days

/// The lag that leaves the stored one once the entity's own weight is part of the average.
std::int64_t inflated_lag(const State& st, const Queue& q, const Entity& e) {
    std::uint64_t load = q.sum_weight;
    if (const Entity* curr = queued_current(st, q)) load += curr->weight.coarse();
    const std::int64_t product = weighted(e.vlag, load + e.weight.coarse());
    return product / static_cast<std::int64_t>(std::max<std::uint64_t>(load, 1));
}

template <DecisionSink S>
Placement place_eevdf(const State& st, const Queue& q, EntityId entity, EnqueueFlags flags,
                      Evidence<S>& why) {
    const Settings& settings = st.settings;
    const Entity& e = st.entity(entity);
    const VTime average = average_vruntime(st, q);
    const bool own_slice = e.custom_slice != 0;
    Placement p;
    p.slice = own_slice ? e.slice : static_cast<std::uint64_t>(settings[Tunable::base_slice]);
    p.reason = Reason::enqueue_no_lag;
    std::int64_t lag = 0;
    const bool others =
        why.template decide<Chk::queue_not_empty>(EntityId::none(), q.nr_queued, 0, q.nr_queued > 0);
    if (others && settings.on(Feature::place_lag)) {
        lag = inflated_lag(st, q, e);
        p.reason = Reason::enqueue_lag;
        why.template note<Chk::lag_kept>(entity, Nanos{e.vlag}, Nanos{lag});
    }
    p.vruntime = average - lag;
    why.template note<Chk::placed_vruntime>(entity, p.vruntime, average);
    if (settings.on(Feature::place_rel_deadline) && e.rel_deadline != 0) {
        p.deadline = VTime{e.deadline.ns + p.vruntime.ns};
        p.reason = Reason::enqueue_relative_deadline;
    } else {
        std::uint64_t virtual_slice = to_virtual(p.slice, e);
        const bool half =
            flags.initial && settings.kernel >= Kernel::eevdf_6_12; // before, placed again without the flag
        if (half && settings.on(Feature::place_deadline_initial)) virtual_slice /= 2;
        p.deadline = VTime{p.vruntime.ns + virtual_slice};
    }
    why.template note<Chk::placed_deadline>(entity, p.deadline, p.vruntime);
    return p;
}

/// What a sleeper is credited.
std::int64_t sleeper_credit(const State& st, const Entity& e) {
    const bool small = st.settings.kernel >= Kernel::cfs_6_1 && is_idle(st, e);
    const std::int64_t credit = st.settings[small ? Tunable::min_granularity : Tunable::latency];
    return st.settings.on(Feature::gentle_fair_sleepers) ? credit >> 1 : credit;
}

/// fn: entity_is_long_sleeper. Past it the comparison of vruntimes could wrap.
bool slept_long(const State& st, const Queue& q, const Entity& e) {
    if (st.settings.kernel < Kernel::cfs_6_1 || e.exec_start == 0) return false;
    return rq_of(st, q).clock - e.exec_start > long_sleep;
}

template <DecisionSink S>
Placement place_cfs(const State& st, const Queue& q, EntityId entity, EnqueueFlags flags, Evidence<S>& why) {
    const Entity& e = st.entity(entity);
    VTime base = q.ref;
    Placement p;
    if (flags.initial) {
        p.reason = Reason::enqueue_new;
        if (st.settings.on(Feature::start_debit)) {
            const auto slice = static_cast<std::uint64_t>(sched_slice(st, q, entity));
            base.ns += to_virtual(slice, e);
        }
    } else {
        p.reason = Reason::enqueue_sleeper;
        base -= sleeper_credit(st, e);
    }
    if (!flags.initial && slept_long(st, q, e)) {
        p.reason = Reason::enqueue_long_sleeper;
        p.vruntime = base;
    } else {
        p.vruntime = later(e.vruntime, base);
        if (why.template check<Chk::own_vruntime_later>(entity, e.vruntime, base, before(base, e.vruntime)))
            p.reason = Reason::enqueue_kept;
        why.mark_last();
    }
    why.template note<Chk::placed_vruntime>(entity, p.vruntime, q.ref);
    return p;
}

} // namespace

template <DecisionSink S>
[[gnu::flatten]] Placement decide_place(const State& st, const Queue& q, EntityId entity, EnqueueFlags flags,
                       Evidence<S>& why) {
    return st.settings.eevdf() ? place_eevdf(st, q, entity, flags, why)
                               : place_cfs(st, q, entity, flags, why);
}

void apply_place(State& st, Queue& q, Entity& e, const Placement& placement) {
    if (st.settings.eevdf()) {
        follow_average(st, q);
        e.slice = placement.slice;
        e.deadline = placement.deadline;
        e.rel_deadline = 0;
    }
    e.vruntime = placement.vruntime;
}

#define X(S)                                                                                                 \
    template Placement decide_place<S>(const State&, const Queue&, EntityId, EnqueueFlags, Evidence<S>&);
PICKNEXT_FOR_EACH_SINK(X)
#undef X

} // namespace picknext::fair
