// SPDX-License-Identifier: GPL-3.0-or-later
// How long a CPU waits between two passes of a domain, in jiffies.
#pragma once

#include <algorithm>
#include <cstdint>

namespace picknext::balance {

/// fn: msecs_to_jiffies, rounded up.
[[nodiscard]] constexpr std::int64_t ms_to_jiffies(std::int64_t ms, std::int64_t hz) { return (ms * hz + 999) / 1000; }
/// Longest wait: a tenth of a second per online CPU (max_load_balance_interval).
[[nodiscard]] constexpr std::int64_t longest_interval(std::int64_t hz, std::int64_t online_cpus) { return std::max<std::int64_t>(1, hz * online_cpus / 10); }
/// fn: get_sd_balance_interval. A busy CPU waits longer, and one jiffy less than that, so that levels do not all meet.
[[nodiscard]] constexpr std::int64_t balance_interval(std::int64_t ms, int busy_factor, bool busy, std::int64_t hz, std::int64_t online_cpus) {
    std::int64_t jiffies = ms_to_jiffies(busy ? ms * busy_factor : ms, hz);
    if (busy) --jiffies;
    return std::clamp<std::int64_t>(jiffies, 1, longest_interval(hz, online_cpus));
}
static_assert(balance_interval(16, 16, true, 250, 64) == 63 && balance_interval(4, 16, false, 250, 64) == 1);

} // namespace picknext::balance
