// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/pelt/pelt.hpp"

namespace picknext::pelt {

namespace {

// A util_sum of a CPU that never idled, less one unit: from here on the averages say "fully busy".
constexpr std::uint32_t fully_busy = (min_divider << 10) - sum_max;

} // namespace

void going_idle(State& st, CpuId cpu) {
    Rq& rq = st.rq(cpu);
    if (st.root_queue(cpu).avg.util_sum >= fully_busy) rq.pelt_lost += rq.pelt_behind;
    rq.pelt_behind = 0;
}

} // namespace picknext::pelt
