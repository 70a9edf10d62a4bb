// SPDX-License-Identifier: GPL-3.0-or-later
// Wall time and virtual time. Both are 64-bit nanoseconds, and they never mix by accident.
#pragma once

#include <compare>
#include <cstdint>

#include <fmt/format.h>

namespace picknext {

/// Signed nanoseconds of wall (simulated) time: a point since the start of the run, or a length.
struct Nanos {
    std::int64_t ns = 0;

    constexpr Nanos() = default;
    constexpr explicit Nanos(std::int64_t v) : ns(v) {}

    friend constexpr auto operator<=>(Nanos, Nanos) = default;
    friend constexpr Nanos operator+(Nanos a, Nanos b) { return Nanos{a.ns + b.ns}; }
    friend constexpr Nanos operator-(Nanos a, Nanos b) { return Nanos{a.ns - b.ns}; }
    constexpr Nanos& operator+=(Nanos b) { ns += b.ns; return *this; }
    constexpr Nanos& operator-=(Nanos b) { ns -= b.ns; return *this; }
};

/// Virtual time: u64 nanoseconds that wrap. Order is the sign of the wrapped difference (kernel: entity_before),
/// which is no total order; hence no operator<.
struct VTime {
    std::uint64_t ns = 0;

    constexpr VTime() = default;
    constexpr explicit VTime(std::uint64_t v) : ns(v) {}

    friend constexpr bool operator==(VTime, VTime) = default;
    /// Wrapped signed distance a - b in virtual ns.
    friend constexpr std::int64_t operator-(VTime a, VTime b) { return static_cast<std::int64_t>(a.ns - b.ns); }
    friend constexpr VTime operator+(VTime a, std::int64_t d) { return VTime{a.ns + static_cast<std::uint64_t>(d)}; }
    friend constexpr VTime operator-(VTime a, std::int64_t d) { return VTime{a.ns - static_cast<std::uint64_t>(d)}; }
    constexpr VTime& operator+=(std::int64_t d) { ns += static_cast<std::uint64_t>(d); return *this; }
    constexpr VTime& operator-=(std::int64_t d) { ns -= static_cast<std::uint64_t>(d); return *this; }
};

/// a strictly earlier than b.
[[nodiscard]] constexpr bool before(VTime a, VTime b) { return a - b < 0; }
[[nodiscard]] constexpr VTime earlier(VTime a, VTime b) { return before(b, a) ? b : a; }
[[nodiscard]] constexpr VTime later(VTime a, VTime b) { return before(a, b) ? b : a; }

} // namespace picknext

template <>
struct fmt::formatter<picknext::Nanos> : fmt::formatter<std::int64_t> {
    auto format(picknext::Nanos t, fmt::format_context& ctx) const {
        return fmt::formatter<std::int64_t>::format(t.ns, ctx);
    }
};

template <>
struct fmt::formatter<picknext::VTime> : fmt::formatter<std::int64_t> {
    auto format(picknext::VTime t, fmt::format_context& ctx) const { // signed, as traces print it
        return fmt::formatter<std::int64_t>::format(static_cast<std::int64_t>(t.ns), ctx);
    }
};
