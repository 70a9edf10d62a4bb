// SPDX-License-Identifier: GPL-3.0-or-later
#include <utility>

#include "core/pelt/floors.hpp"
#include "core/pelt/group.hpp"
#include "core/pelt/pelt.hpp"
#include "core/pelt/util_unchanged.hpp"

namespace picknext::pelt {

namespace {

/// __update_load_avg_se.
void update_entity(Entity& e, std::uint64_t now, bool running) {
    if (!advance(e.avg, now, contribution_of(e, running))) return;
    renew(e.avg, e.weight.coarse());
    e.avg.util_est &= ~util_unchanged;
}

/// One average and its sum lose what left the queue.
template <class Sum>
void take_out(const Settings& settings, std::uint64_t amount, std::uint32_t d, std::uint64_t& average, Sum& sum) {
    subtract(average, amount);
    subtract(sum, amount * d);
    raise_to_average(settings, sum, average);
}

void take_out_removed(const Settings& settings, Queue& q) {
    const std::uint32_t d = divider(q.avg);
    const std::uint64_t load = std::exchange(q.removed_load, 0);
    const std::uint64_t util = std::exchange(q.removed_util, 0);
    const std::uint64_t runnable = std::exchange(q.removed_runnable, 0);
    q.removed_nr = 0;
    take_out(settings, load, d, q.avg.load_avg, q.avg.load_sum);
    take_out(settings, util, d, q.avg.util_avg, q.avg.util_sum);
    take_out(settings, runnable, d, q.avg.runnable_avg, q.avg.runnable_sum);
    note_for_parent(q, -static_cast<std::int64_t>(runnable * d) >> 10);
}

bool has_load(const LoadAvg& avg) { return avg.load_avg != 0 || avg.util_avg != 0; }

/// __update_load_avg_cfs_rq and what left it; `now` by the clock of its CPU.
bool update_queue_to(const Settings& settings, Queue& q, std::uint64_t now) {
    const bool left = q.removed_nr != 0;
    if (left) take_out_removed(settings, q);
    if (!advance(q.avg, now, contribution_of(q))) return left;
    renew(q.avg, 1);
    return true;
}

} // namespace

bool update_queue(State& st, QueueId queue) {
    Queue& q = st.queue(queue);
    return update_queue_to(st.settings, q, queue_clock(st, queue));
}

void update_load_with_events(State& st, EntityId entity, std::uint64_t now, Attach attach_it, GroupSum group_sum) {
    Entity& e = st.entity(entity);
    Queue& q = st.queue(e.queue);
    if (e.avg.last_update != 0) update_entity(e, now, q.curr == entity);
    bool changed = update_queue_to(st.settings, q, now);
    if (e.my_queue) changed |= take_over_from_group(st, entity);
    if (attach_it == Attach::if_new && e.avg.last_update == 0) {
        attach(st, e.queue, entity);
        update_group_load(st, e.queue);
    } else if (changed && group_sum == GroupSum::follow) {
        update_group_load(st, e.queue);
    }
}

void attach_new(State& st, EntityId entity) {
    update_load(st, entity, Attach::if_new);
    if (st.queue(st.entity(entity).queue).throttled != 0) return;
    for (EntityId above = st.entity(entity).parent; above; above = st.entity(above).parent)
        if (update_load(st, above, Attach::no); st.queue(st.entity(above).queue).throttled != 0) return;
}

bool update_blocked(State& st, CpuId cpu) {
    bool left = false;
    for (std::size_t g = st.groups.size(); g-- > 0;) { // a group comes after its parent: children first
        const QueueId queue{g == 0 ? cpu.index() : st.groups[g].first_queue.index() + cpu.index()};
        if (st.queue(queue).throttle_count != 0) continue; // its time stands still
        if (update_queue(st, queue)) update_group_load(st, queue);
        const Queue& q = st.queue(queue);
        if (q.owner && (has_load(st.entity(q.owner).avg) || q.propagate != 0)) update_load(st, q.owner, Attach::no);
        left = left || has_load(q.avg);
    }
    return left;
}

} // namespace picknext::pelt
