// SPDX-License-Identifier: GPL-3.0-or-later
// Products wider than 64 bits.
#pragma once

#include <cstdint>

namespace picknext {

/// (a * b) >> shift with the whole product in between; the low 64 bits of it (kernel: mul_u64_u32_shr). shift 0..63.
[[nodiscard]] constexpr std::uint64_t multiply_shift(std::uint64_t a, std::uint64_t b, unsigned shift) {
    __extension__ using Wide = unsigned __int128;
    return static_cast<std::uint64_t>((static_cast<Wide>(a) * b) >> (shift & 63U));
}

} // namespace picknext
