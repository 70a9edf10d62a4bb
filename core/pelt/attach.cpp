// SPDX-License-Identifier: GPL-3.0-or-later
#include <algorithm>

#include "core/pelt/floors.hpp"
#include "core/pelt/group.hpp"
#include "core/pelt/pelt.hpp"

namespace picknext::pelt {

namespace {

void add_load(LoadAvg& queue, const Entity& entity) {
    queue.load_avg += entity.avg.load_avg;
    queue.load_sum += entity.weight.coarse() * entity.avg.load_sum;
}

void subtract_load(const Settings& settings, LoadAvg& queue, const Entity& entity) {
    subtract(queue.load_avg, entity.avg.load_avg);
    subtract(queue.load_sum, entity.weight.coarse() * entity.avg.load_sum);
    raise_to_average(settings, queue.load_sum, queue.load_avg);
}

/// The unweighted sum that load_avg stands for. From 5.18 on a load too small to be told apart still counts 1.
std::uint64_t load_sum_of(const Settings& settings, const Entity& entity, std::uint32_t d) {
    const std::uint64_t weighted = entity.avg.load_avg * d;
    const std::uint64_t weight = entity.weight.coarse();
    if (settings.kernel < Kernel::cfs_6_1) return weight != 0 ? weighted / weight : d;
    return weight < weighted ? weighted / weight : 1;
}

} // namespace

void init_entity(Entity& entity) {
    entity.avg = LoadAvg{};
    if (!entity.my_queue) entity.avg.load_avg = entity.weight.coarse();
}

void init_utilization(State& st, EntityId entity, QueueId queue) {
    const Queue& q = st.queue(queue);
    Entity& e = st.entity(entity);
    const std::int64_t cap = (st.rq(q.cpu).capacity - static_cast<std::int64_t>(q.avg.util_avg)) / 2;
    if (cap > 0) {
        e.avg.util_avg = static_cast<std::uint64_t>(cap);
        if (q.avg.util_avg != 0) {
            // Up to 6.8 the fine weight: with any load at all the cap nearly always wins.
            const bool coarse = st.settings.kernel >= Kernel::eevdf_6_12;
            const std::uint64_t weight = coarse ? e.weight.coarse() : e.weight.fine;
            e.avg.util_avg = std::min(e.avg.util_avg, q.avg.util_avg * weight / (q.avg.load_avg + 1));
        }
    }
    e.avg.runnable_avg = e.avg.util_avg;
}

void attach(State& st, QueueId queue, EntityId entity) {
    Queue& q = st.queue(queue);
    Entity& e = st.entity(entity);
    const std::uint32_t d = divider(q.avg);
    e.avg.last_update = q.avg.last_update;
    e.avg.period_contrib = q.avg.period_contrib;
    e.avg.util_sum = static_cast<std::uint32_t>(e.avg.util_avg * d);
    e.avg.runnable_sum = e.avg.runnable_avg * d;
    e.avg.load_sum = load_sum_of(st.settings, e, d);

    add_load(q.avg, e);
    q.avg.util_avg += e.avg.util_avg;
    q.avg.util_sum += e.avg.util_sum;
    q.avg.runnable_avg += e.avg.runnable_avg;
    q.avg.runnable_sum += e.avg.runnable_sum;
    note_for_parent(q, static_cast<std::int64_t>(e.avg.load_sum));
}

void detach(State& st, QueueId queue, EntityId entity) {
    Queue& q = st.queue(queue);
    Entity& e = st.entity(entity);
    subtract_load(st.settings, q.avg, e);
    subtract(q.avg.util_avg, e.avg.util_avg);
    subtract(q.avg.util_sum, e.avg.util_sum);
    raise_to_average(st.settings, q.avg.util_sum, q.avg.util_avg);
    subtract(q.avg.runnable_avg, e.avg.runnable_avg);
    subtract(q.avg.runnable_sum, e.avg.runnable_sum);
    raise_to_average(st.settings, q.avg.runnable_sum, q.avg.runnable_avg);
    note_for_parent(q, -static_cast<std::int64_t>(e.avg.load_sum));
    e.avg.last_update = 0;
}

void remove(State& st, EntityId entity) {
    Entity& e = st.entity(entity);
    Queue& q = st.queue(e.queue);
    if (advance(e.avg, q.avg.last_update, {})) renew(e.avg, e.weight.coarse());
    ++q.removed_nr;
    q.removed_load += e.avg.load_avg;
    q.removed_util += e.avg.util_avg;
    q.removed_runnable += e.avg.runnable_avg;
}

void migrate_sleeper(State& st, EntityId entity) {
    Entity& e = st.entity(entity);
    remove(st, entity);
    const CpuId old_cpu = st.queue(e.queue).cpu;
    const Rq& rq = st.rq(old_cpu);
    const bool ages_on_idle_cpu = st.settings.kernel >= Kernel::cfs_6_1;
    const std::uint64_t throttled = st.bandwidth_used() ? st.bandwidth_of(e.queue).throttled_pelt_idle : 0;
    if (ages_on_idle_cpu && !rq.curr && throttled != clock_stands_still) {
        const std::uint64_t now = clock(st, old_cpu) + static_cast<std::uint64_t>(st.now - rq.clock) - throttled;
        if (advance(e.avg, now, {})) renew(e.avg, e.weight.coarse());
    }
    e.avg.last_update = 0;
}

void reweight(State& st, EntityId entity, Weight weight) {
    Entity& e = st.entity(entity);
    LoadAvg& queue = st.queue(e.queue).avg;
    subtract_load(st.settings, queue, e);
    e.weight = weight;
    e.inv_weight = 0;
    e.avg.load_avg = weight.coarse() * e.avg.load_sum / divider(e.avg);
    add_load(queue, e);
}

} // namespace picknext::pelt
