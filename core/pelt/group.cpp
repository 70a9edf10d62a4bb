// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/pelt/group.hpp"

#include <algorithm>

#include "core/pelt/floors.hpp"
#include "core/pelt/pelt.hpp"

namespace picknext::pelt {

namespace {

constexpr std::uint64_t least_group_weight = 2;         // MIN_SHARES, used unscaled
constexpr std::uint64_t group_load_interval = 1'000'000; // ns

/// One average and its sum, of the entity and of the queue it is on.
template <class Sum>
struct Pair {
    std::uint64_t& average;
    Sum& sum;
};

/// The entity's average becomes the group queue's; the queue above moves by the same difference.
template <class Sum>
void take_over(const Settings& settings, std::uint64_t target, std::uint32_t d, Pair<Sum> entity, Pair<Sum> queue) {
    if (target == entity.average) return;
    const auto average_change = static_cast<std::int64_t>(target - entity.average);
    const std::uint64_t wanted_sum = static_cast<std::uint32_t>(target * d);
    const auto sum_change = static_cast<std::int64_t>(wanted_sum - entity.sum);
    entity.average = target;
    entity.sum = static_cast<Sum>(wanted_sum);
    add_signed(queue.average, average_change);
    add_signed(queue.sum, sum_change);
    raise_to_average(settings, queue.sum, queue.average);
}

/// The entity's unweighted load_sum after `noted` joined or left its group's queue.
std::uint64_t load_sum_after(const Entity& e, const Queue& group_queue, std::int64_t noted, std::uint32_t d) {
    std::uint64_t sum = 0;
    if (noted >= 0) {
        sum = std::min<std::uint64_t>(static_cast<std::uint64_t>(noted) + e.avg.load_sum, d);
    } else {
        // What is left cannot be told from what went: estimate it as the share of time the queue had load.
        const std::uint64_t weight = group_queue.weight.coarse();
        sum = std::min(e.avg.load_sum, weight != 0 ? group_queue.avg.load_sum / weight : 0);
    }
    return std::max<std::uint64_t>(sum, e.avg.util_sum >> 10);
}

void take_over_load(const Settings& settings, std::int64_t noted, std::uint32_t d, Entity& e, const Queue& group_queue,
                    LoadAvg& queue) {
    if (noted == 0) return;
    const std::uint64_t weight = e.weight.coarse();
    const std::uint64_t sum = load_sum_after(e, group_queue, noted, d);
    const std::uint64_t average = weight * sum / d;
    if (average == e.avg.load_avg) return;
    const auto average_change = static_cast<std::int64_t>(average - e.avg.load_avg);
    const auto sum_change = static_cast<std::int64_t>(weight * sum - weight * e.avg.load_sum);
    e.avg.load_sum = sum;
    e.avg.load_avg = average;
    add_signed(queue.load_avg, average_change);
    add_signed(queue.load_sum, sum_change);
    raise_to_average(settings, queue.load_sum, queue.load_avg);
}

} // namespace

void note_for_parent(Queue& queue, std::int64_t load_sum) {
    queue.propagate = 1;
    queue.propagate_sum += load_sum;
}

bool take_over_from_group(State& st, EntityId entity) {
    Entity& e = st.entity(entity);
    if (!e.my_queue) return false;
    Queue& group_queue = st.queue(e.my_queue);
    if (group_queue.propagate == 0) return false;
    Queue& queue = st.queue(e.queue);
    const std::int64_t noted = group_queue.propagate_sum;
    group_queue.propagate = 0;
    group_queue.propagate_sum = 0;
    note_for_parent(queue, noted);

    const std::uint32_t d = divider(queue.avg);
    const LoadAvg& from = group_queue.avg;
    take_over<std::uint32_t>(st.settings, from.util_avg, d, {e.avg.util_avg, e.avg.util_sum},
                             {queue.avg.util_avg, queue.avg.util_sum});
    take_over<std::uint64_t>(st.settings, from.runnable_avg, d, {e.avg.runnable_avg, e.avg.runnable_sum},
                             {queue.avg.runnable_avg, queue.avg.runnable_sum});
    take_over_load(st.settings, noted, d, e, group_queue, queue.avg);
    return true;
}

Weight group_weight(const State& st, QueueId group_queue) {
    const Queue& q = st.queue(group_queue);
    const Group& group = st.groups[q.group.index()];
    const std::uint64_t load = std::max(q.weight.coarse(), q.avg.load_avg);
    const std::uint64_t total = group.load_avg - q.tg_load_contrib + load;
    const std::uint64_t share = total != 0 ? group.shares.fine * load / total : group.shares.fine * load;
    return Weight{std::clamp(share, least_group_weight, std::max(least_group_weight, group.shares.fine))};
}

void update_group_load(State& st, QueueId queue) {
    Queue& q = st.queue(queue);
    if (!q.owner) return;
    const std::uint64_t now = clock(st, q.cpu);
    const bool limited = st.settings.kernel >= Kernel::eevdf_6_8;
    if (limited && st.rq(q.cpu).online == 0) return;
    if (limited && now - q.last_tg_update < group_load_interval) return;
    const auto change = static_cast<std::int64_t>(q.avg.load_avg - q.tg_load_contrib);
    const auto size = static_cast<std::uint64_t>(change < 0 ? -change : change);
    if (size <= q.tg_load_contrib / 64) return;
    st.groups[q.group.index()].load_avg += static_cast<std::uint64_t>(change);
    q.tg_load_contrib = q.avg.load_avg;
    q.last_tg_update = now;
}

void clear_group_loads(State& st, CpuId cpu) {
    if (st.settings.kernel < Kernel::eevdf_6_8) return;
    for (Group& group : st.groups) {
        Queue& q = st.queue(QueueId{group.first_queue.index() + cpu.index()});
        if (!q.owner) continue;
        group.load_avg -= q.tg_load_contrib;
        q.tg_load_contrib = 0;
        q.last_tg_update = clock(st, cpu);
    }
}

} // namespace picknext::pelt
