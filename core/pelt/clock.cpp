// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/wide_multiply.hpp"
#include "core/pelt/pelt.hpp"

namespace picknext::pelt {

namespace {

constexpr unsigned capacity_shift = 10; // full capacity is 1024
// A util_sum of a CPU that never idled, less one unit: from here on the averages say "fully busy".
constexpr std::uint32_t fully_busy = (min_divider << 10) - sum_max;

} // namespace

std::uint64_t clock(const State& st, CpuId cpu) {
    const Rq& rq = st.rq(cpu);
    return static_cast<std::uint64_t>(rq.clock) - rq.pelt_behind - rq.pelt_lost + st.pelt_epoch;
}

void update_clock(Rq& rq, std::int64_t delta) {
    const auto wall = static_cast<std::uint64_t>(delta);
    const auto capacity = static_cast<std::uint64_t>(rq.capacity);
    if (!rq.curr) rq.pelt_behind = 0;
    else rq.pelt_behind += wall - multiply_shift(wall, capacity, capacity_shift);
}

void going_idle(State& st, CpuId cpu) {
    Rq& rq = st.rq(cpu);
    if (st.root_queue(cpu).avg.util_sum >= fully_busy) rq.pelt_lost += rq.pelt_behind;
    rq.pelt_behind = 0;
}

} // namespace picknext::pelt
