// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/cost/refill.hpp"

#include <algorithm>

#include "core/base/assert.hpp"

namespace picknext::cost {
namespace {

constexpr std::int64_t us = 1000;
constexpr std::int64_t longest_us = 1'000'000'000; // lengths are cut here: sums of squares stay in 64 bits
constexpr std::int64_t small_deviation_us = 20;
constexpr std::int64_t small_share = 6; // of the mean

std::int64_t transfers(std::int64_t distance, std::int64_t mlp, std::int64_t working_set, std::int64_t footprint) {
    PICKNEXT_ASSERT(working_set >= 0 && footprint >= 0, "working set {}, footprint {}", working_set, footprint);
    const std::int64_t lines = (std::min(working_set, footprint) + line_bytes - 1) / line_bytes;
    return lines * distance / std::max<std::int64_t>(mlp, 1); // a profile that charges nothing has no mlp either
}

bool spread_is_small(const std::array<std::int64_t, idle_lengths_kept>& lengths) {
    constexpr auto n = static_cast<std::int64_t>(idle_lengths_kept);
    std::int64_t sum = 0;
    for (const std::int64_t l : lengths) sum += std::min(l / us, longest_us);
    const std::int64_t mean = sum / n;
    std::int64_t squares = 0;
    for (const std::int64_t l : lengths) {
        const std::int64_t off = std::min(l / us, longest_us) - mean;
        squares += off * off;
    }
    const std::int64_t variance = squares / n;
    return variance <= small_deviation_us * small_deviation_us || variance <= mean * mean / (small_share * small_share);
}

} // namespace

std::int64_t refill_ns(const Costs& costs, Sharing from, std::int64_t working_set, std::int64_t footprint) {
    if (from == Sharing::same_cpu || from == Sharing::same_core) return 0;
    return transfers(distance(costs, from), costs[Cost::refill_mlp], working_set, footprint);
}

std::int64_t refill_preempted_ns(const Costs& costs, std::int64_t working_set, std::int64_t footprint) {
    return scaled(transfers(costs[Cost::distance_same_llc], costs[Cost::refill_mlp], working_set, footprint), costs[Cost::refill_preempted]);
}

std::int64_t predict_idle(std::int64_t next_timer, const IdleHistory& history) {
    if (history.recorded < static_cast<std::int64_t>(idle_lengths_kept)) return next_timer;
    auto sorted = history.lengths;
    std::sort(sorted.begin(), sorted.end());
    if (!spread_is_small(history.lengths)) return std::min(next_timer, sorted.back());
    constexpr std::size_t upper = idle_lengths_kept / 2;
    const std::int64_t median = sorted[upper - 1] + (sorted[upper] - sorted[upper - 1]) / 2;
    return std::min(next_timer, median);
}

bool stops_tick(NohzTick mode, std::int64_t predicted, std::int64_t tick_ns, bool stopped) {
    switch (mode) {
    case NohzTick::never: return false;
    case NohzTick::always: return true;
    case NohzTick::predicted: return stopped || predicted >= tick_ns;
    }
    return false;
}

std::size_t deepest_state(const Costs& costs, std::int64_t predicted) {
    PICKNEXT_ASSERT(costs.idle_state_count > 0, "a profile without idle states");
    std::size_t deepest = 0;
    for (std::size_t i = 0; i < static_cast<std::size_t>(costs.idle_state_count); ++i)
        if (costs.idle_states[i].residency <= predicted) deepest = i;
    return deepest;
}

std::int64_t idle_exit_ns(const Costs& costs, std::int64_t predicted) {
    if (costs.idle_state_count == 0) return 0;
    const IdleState& state = costs.idle_states[deepest_state(costs, predicted)];
    return costs[Cost::idle_charge_table] != 0 ? state.exit_latency : state.charged_exit;
}

} // namespace picknext::cost
