// SPDX-License-Identifier: GPL-3.0-or-later
// SIS_UTIL: how many CPUs of an LLC a wakeup may look at, from how busy the LLC is.
#pragma once

#include <algorithm>
#include <cstdint>

namespace picknext::balance {

/// nr_idle_scan from the summed utilisation of an LLC: all CPUs when idle, none from about 85 % on
/// (fn: update_idle_cpu_scan).
[[nodiscard]] constexpr std::uint32_t idle_scan_limit(std::uint64_t sum_util, std::uint64_t llc_size, std::uint64_t imbalance_pct) {
    const std::uint64_t x = sum_util / llc_size;
    const std::uint64_t used = std::min<std::uint64_t>(x * x * imbalance_pct * imbalance_pct / (10000 * 1024), 1024);
    return static_cast<std::uint32_t>((1024 - used) * llc_size / 1024);
}

} // namespace picknext::balance
