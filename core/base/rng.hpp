// SPDX-License-Identifier: GPL-3.0-or-later
// Counter-based randomness: value = f(seed, stream, counter). A draw depends on nothing else, so a patch that
// reorders events does not shift anybody's dice.
#pragma once

#include <cstdint>

#include "core/base/assert.hpp"

namespace picknext {

__extension__ typedef unsigned __int128 WideProduct;

/// 64 uniform bits of draw number `counter` of `stream` under `seed` (two rounds of a 64-bit finaliser).
[[nodiscard]] constexpr std::uint64_t random_bits(std::uint64_t seed, std::uint64_t stream, std::uint64_t counter) {
    auto mix = [](std::uint64_t z) {
        z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9ULL;
        z = (z ^ (z >> 27)) * 0x94d049bb133111ebULL;
        return z ^ (z >> 31);
    };
    std::uint64_t a = mix(seed + 0x9e3779b97f4a7c15ULL);
    a = mix(a ^ (stream * 0xd1342543de82ef95ULL + 0x632be59bd9b4e019ULL));
    return mix(a + counter * 0x9e3779b97f4a7c15ULL);
}

/// Uniform in [0, n), n >= 1; the bias of the multiply-shift is below n / 2^64.
[[nodiscard]] constexpr std::uint64_t random_below(std::uint64_t seed, std::uint64_t stream, std::uint64_t counter,
                                                   std::uint64_t n) {
    PICKNEXT_DEBUG_ASSERT(n > 0, "empty range");
    return static_cast<std::uint64_t>((static_cast<WideProduct>(random_bits(seed, stream, counter)) * n) >> 64);
}

} // namespace picknext
