// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/commands/latency_histogram.hpp"

#include <algorithm>
#include <bit>
#include <cmath>

namespace picknext::commands {
namespace {

constexpr int kept_bits = 8;
constexpr int longest_bits = 26; // values of more share the last bucket

} // namespace

std::uint32_t shown_latency(std::uint32_t us) {
    const int bits = std::bit_width(us);
    if (bits <= kept_bits + 1) return us;
    if (bits > longest_bits) us = (std::uint32_t{1} << longest_bits) - 1;
    const int lost = std::min(bits, longest_bits) - kept_bits - 1;
    return (us >> lost << lost) + (std::uint32_t{1} << lost >> 1);
}

Latencies sum_up(std::span<const std::int64_t> us, std::span<const int> permille, bool zeros) {
    Latencies out;
    std::vector<std::uint32_t> shown;
    for (const std::int64_t value : us) {
        if (value <= 0 && !zeros) continue;
        const auto v = static_cast<std::uint32_t>(std::clamp<std::int64_t>(value, 0, UINT32_MAX));
        out.max = std::max(out.max, v);
        if (out.min == 0 || v < out.min) out.min = v;
        shown.push_back(shown_latency(v));
    }
    out.samples = shown.size();
    if (shown.empty()) return out;
    std::sort(shown.begin(), shown.end());
    std::uint64_t before = 0;
    for (const int p : permille) {
        // The goal is a double as in the tool: 99.9 % of 1000 samples are a little more than 999 there.
        const double goal = p / 10.0 / 100.0 * static_cast<double>(out.samples);
        const auto wanted = std::clamp<std::uint64_t>(static_cast<std::uint64_t>(std::ceil(goal)), 1, out.samples);
        const std::uint32_t value = shown[wanted - 1];
        const auto reached = static_cast<std::uint64_t>(std::upper_bound(shown.begin(), shown.end(), value) - shown.begin());
        out.percentiles.push_back({value, reached - before});
        before = reached;
    }
    return out;
}

} // namespace picknext::commands
