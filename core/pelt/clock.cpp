// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/pelt/pelt.hpp"

namespace picknext::pelt {

namespace {

constexpr std::int64_t full_capacity = 1024;
// A util_sum of a CPU that never idled, less one unit: from here on the averages say "fully busy".
constexpr std::uint32_t fully_busy = (min_divider << 10) - sum_max;

} // namespace

std::uint64_t clock(const State& st, CpuId cpu) {
    const Rq& rq = st.rq(cpu);
    return static_cast<std::uint64_t>(rq.clock) - rq.pelt_behind - rq.pelt_lost + st.pelt_epoch;
}

void update_clock(Rq& rq, std::int64_t delta) {
    if (!rq.curr) rq.pelt_behind = 0;
    else rq.pelt_behind += static_cast<std::uint64_t>(delta - delta * rq.capacity / full_capacity);
}

void going_idle(State& st, CpuId cpu) {
    Rq& rq = st.rq(cpu);
    if (st.root_queue(cpu).avg.util_sum >= fully_busy) rq.pelt_lost += rq.pelt_behind;
    rq.pelt_behind = 0;
}

} // namespace picknext::pelt
