// SPDX-License-Identifier: GPL-3.0-or-later
// Lengths of time as people write them: "250us", "1.5ms", "4s".
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "core/base/result.hpp"

namespace picknext {

inline constexpr std::int64_t longest_duration = 1'000'000'000'000'000'000; // ns (31 years): a sum of nine cannot wrap

/// Nanoseconds, 0..longest_duration. Units ns, us, ms, s; decimals are exact. Errors without a place: E-UNIT (no or
/// unknown unit), E-DURATION (no number), E-RANGE (negative, too long, or finer than a nanosecond).
[[nodiscard]] Result<std::int64_t> parse_duration(std::string_view text);

/// In the largest unit that leaves at least 1 before the point: "1.5ms"; 0 is "0s".
[[nodiscard]] std::string write_duration(std::int64_t ns);

} // namespace picknext
