// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/pelt/pelt.hpp"

namespace picknext::pelt {

namespace {

// A util_sum of a CPU that never idled, less one unit: from here on the averages say "fully busy".
constexpr std::uint32_t fully_busy = (min_divider << 10) - sum_max;

} // namespace

std::uint64_t throttle_clock(const State& st, CpuId cpu) {
    if (st.settings.kernel >= Kernel::cfs_6_1) return clock(st, cpu);
    return static_cast<std::uint64_t>(st.rq(cpu).clock) + st.pelt_epoch;
}

std::uint64_t clock_of_throttled(const State& st, QueueId queue) {
    const Queue& q = st.queue(queue);
    const QueueBandwidth& own = st.bandwidth_of(queue);
    const std::uint64_t now = q.throttle_count != 0 ? own.throttled_clock_pelt : clock(st, q.cpu);
    return now - own.throttled_clock_pelt_time;
}

void note_emptied(State& st, QueueId queue) {
    QueueBandwidth& own = st.bandwidth_of(queue);
    own.throttled_pelt_idle = st.queue(queue).throttle_count != 0 ? clock_stands_still : own.throttled_clock_pelt_time;
}

void going_idle(State& st, CpuId cpu) {
    Rq& rq = st.rq(cpu);
    if (st.root_queue(cpu).avg.util_sum >= fully_busy) rq.pelt_lost += rq.pelt_behind;
    rq.pelt_behind = 0;
}

} // namespace picknext::pelt
