// SPDX-License-Identifier: GPL-3.0-or-later
// The mark a stored estimate carries until the utilisation it was made from changes.
#pragma once

#include <cstdint>

namespace picknext::pelt {

inline constexpr std::uint32_t util_unchanged = 0x80000000U; // UTIL_AVG_UNCHANGED, bit 31 of LoadAvg::util_est

} // namespace picknext::pelt
