// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/fair/reweight.hpp"

#include "core/fair/average.hpp"
#include "core/fair/charge.hpp"
#include "core/fair/entity.hpp"
#include "core/fair/weights.hpp"
#include "core/pelt/pelt.hpp"
#include "core/state/throttled.hpp"

namespace picknext::fair {
namespace {

std::int64_t rescaled(std::int64_t distance, Weight old, Weight weight) {
    return weighted(distance, old.fine) / static_cast<std::int64_t>(weight.fine);
}

/// Takes a queued EEVDF entity out for the change. Returns V: 6.12 takes it while the entity still counts,
/// before that a waiting entity is already out.
VTime take_out(State& st, Queue& q, EntityId entity, bool running) {
    const bool counts = st.settings.kernel >= Kernel::eevdf_6_12;
    if (counts || running) update_curr(st, q);
    if (counts) {
        const VTime average = follow_average(st, q);
        if (!running) tree_erase(st, q, entity);
        return average;
    }
    if (!running) tree_erase(st, q, entity);
    return average_vruntime(st, q);
}

/// vruntime and deadline of a queued EEVDF entity after the change of weight.
void rescale(const State& st, Entity& e, VTime average, Weight old, std::int64_t lag) {
    const bool limited = st.settings.kernel >= Kernel::eevdf_6_12;
    const std::int64_t distance = limited ? lag : average - e.vruntime;
    e.vruntime = average - rescaled(distance, old, e.weight);
    e.deadline = average + rescaled(e.deadline - average, old, e.weight);
}

void reweight_queued_eevdf(State& st, Queue& q, EntityId entity, Weight weight) {
    Entity& e = st.entity(entity);
    const bool running = q.curr == entity;
    const VTime average = take_out(st, q, entity, running);
    const std::int64_t lag = limited_lag(st, average, e); // in the old weight's virtual time
    const Weight old = e.weight;
    q.weight = q.weight - old;
    pelt::reweight(st, entity, weight);
    rescale(st, e, average, old, lag);
    q.weight = q.weight + weight;
    if (!running) tree_insert(st, q, entity);
    if (!running || st.settings.kernel != Kernel::eevdf_6_6) advance_min_vruntime(st, q);
}

} // namespace

void reweight_entity(State& st, EntityId entity, Weight weight) {
    Entity& e = st.entity(entity);
    Queue& q = st.queue(e.queue);
    if (e.on_rq == 0) {
        if (st.settings.eevdf()) e.vlag = rescaled(e.vlag, e.weight, weight);
        pelt::reweight(st, entity, weight);
        return;
    }
    if (st.settings.eevdf()) {
        reweight_queued_eevdf(st, q, entity, weight);
        return;
    }
    if (q.curr == entity) update_curr(st, q);
    q.weight = q.weight - e.weight;
    pelt::reweight(st, entity, weight);
    q.weight = q.weight + weight;
}

void renew_group_weight(State& st, EntityId group_entity) {
    const Entity& e = st.entity(group_entity);
    if (throttled_hierarchy(st.queue(e.my_queue))) return;
    const bool keeps_weight_when_empty = st.settings.kernel == Kernel::eevdf_6_12y;
    if (keeps_weight_when_empty && st.queue(e.my_queue).weight.fine == 0) return;
    const Weight weight = pelt::group_weight(st, e.my_queue);
    if (st.settings.eevdf() && weight == e.weight) return;
    reweight_entity(st, group_entity, weight);
}

void set_load_weight(State& st, TaskId task) {
    const Task& t = st.task(task);
    Entity& e = st.entity(t.entity);
    Entity wanted = {};
    set_task_weight(wanted, t.policy, t.nice);
    const Kernel k = st.settings.kernel;
    const bool idle_set_directly = k < Kernel::cfs_6_1 || k == Kernel::eevdf_6_6 || k == Kernel::eevdf_6_8;
    if (e.avg.last_update == 0) { // never attached: it carries nothing that could be rescaled
        e.weight = wanted.weight;
        pelt::init_entity(e);
    } else if (t.policy != Policy::idle || !idle_set_directly) {
        reweight_entity(st, t.entity, wanted.weight);
    } else {
        e.weight = wanted.weight;
    }
    e.inv_weight = wanted.inv_weight;
}

} // namespace picknext::fair
