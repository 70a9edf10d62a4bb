// SPDX-License-Identifier: GPL-3.0-or-later
#include <array>

#include "core/base/wide_multiply.hpp"
#include "core/pelt/pelt.hpp"

namespace picknext::pelt {

namespace {

constexpr std::uint64_t half_life = 32;   // periods
constexpr std::uint64_t last_period = 63 * half_life; // beyond it everything is gone

// floor((2^32 - 1) * 2^(-i/32)). The first is not 1.0: a decay by 32 periods is a little more than a halving.
constexpr std::array<std::uint32_t, half_life> decay_factors{
    0xffffffff, 0xfa83b2da, 0xf5257d14, 0xefe4b99a, 0xeac0c6e6, 0xe5b906e6, 0xe0ccdeeb, 0xdbfbb796,
    0xd744fcc9, 0xd2a81d91, 0xce248c14, 0xc9b9bd85, 0xc5672a10, 0xc12c4cc9, 0xbd08a39e, 0xb8fbaf46,
    0xb504f333, 0xb123f581, 0xad583ee9, 0xa9a15ab4, 0xa5fed6a9, 0xa2704302, 0x9ef5325f, 0x9b8d39b9,
    0x9837f050, 0x94f4efa8, 0x91c3d373, 0x8ea4398a, 0x8b95c1e3, 0x88980e80, 0x85aac367, 0x82cd8698};

} // namespace

std::uint64_t decay(std::uint64_t value, std::uint64_t n) {
    if (n > last_period) return 0;
    return multiply_shift(value >> (n / half_life), decay_factors[n % half_life], 32);
}

std::uint32_t segments(std::uint64_t periods, std::uint32_t first, std::uint32_t last) {
    const auto oldest = static_cast<std::uint32_t>(decay(first, periods));
    const auto whole = static_cast<std::uint32_t>(sum_max - decay(sum_max, periods) - units_per_period);
    return oldest + whole + last;
}

namespace {

/// Moves on over at least one boundary.
void cross(LoadAvg& avg, std::uint64_t units, const Contribution& c) {
    const std::uint64_t position = avg.period_contrib + units;
    const std::uint64_t periods = position / units_per_period;
    const auto rest = static_cast<std::uint32_t>(position % units_per_period);
    const auto until_boundary = static_cast<std::uint32_t>(units_per_period) - avg.period_contrib;
    avg.last_update += units << unit_shift;
    avg.load_sum = decay(avg.load_sum, periods);
    avg.runnable_sum = decay(avg.runnable_sum, periods);
    avg.util_sum = static_cast<std::uint32_t>(decay(avg.util_sum, periods));
    avg.period_contrib = rest;
    if (c.load != 0) add(avg, segments(periods, until_boundary, rest), c);
}

} // namespace

bool advance(LoadAvg& avg, std::uint64_t now, const Contribution& c) {
    if (static_cast<std::int64_t>(now - avg.last_update) < 0) { // clocks of two CPUs: start afresh from here
        avg.last_update = now;
        return false;
    }
    const std::uint64_t units = units_until(avg, now);
    if (within_period(avg, units)) {
        grow(avg, units, c);
        return false;
    }
    cross(avg, units, c);
    return true;
}

void renew(LoadAvg& avg, std::uint64_t factor) {
    const std::uint32_t d = divider(avg);
    avg.load_avg = factor * avg.load_sum / d;
    avg.runnable_avg = avg.runnable_sum / d;
    avg.util_avg = avg.util_sum / d;
}

} // namespace picknext::pelt
