// SPDX-License-Identifier: GPL-3.0-or-later
// Weights. "fine" is what the kernel stores (coarse << 10 on 64-bit), "coarse" is scale_load_down of it.
#pragma once

#include <compare>
#include <cstdint>

#include <fmt/format.h>

namespace picknext {

/// A load weight in the fine scale: 1024 times the nice table's number (nice 0 = 1048576).
struct Weight {
    std::uint64_t fine = 0;

    constexpr Weight() = default;
    constexpr explicit Weight(std::uint64_t v) : fine(v) {}
    /// scale_load_down: fine >> 10, at least 2 for any non-zero weight.
    [[nodiscard]] constexpr std::uint64_t coarse() const {
        const std::uint64_t w = fine >> 10;
        if (w >= 2) return w;
        return fine == 0 ? 0 : 2;
    }
    friend constexpr auto operator<=>(Weight, Weight) = default;
    friend constexpr Weight operator+(Weight a, Weight b) { return Weight{a.fine + b.fine}; }
    friend constexpr Weight operator-(Weight a, Weight b) { return Weight{a.fine - b.fine}; }
};

inline constexpr Weight nice_0_weight{1048576}; // NICE_0_LOAD

} // namespace picknext

template <>
struct fmt::formatter<picknext::Weight> : fmt::formatter<std::uint64_t> {
    auto format(picknext::Weight w, fmt::format_context& ctx) const {
        return fmt::formatter<std::uint64_t>::format(w.fine, ctx);
    }
};
