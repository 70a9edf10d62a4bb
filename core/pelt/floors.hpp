// SPDX-License-Identifier: GPL-3.0-or-later
// How averages and sums of a queue take differences: never below zero, and with a sum that fits its average.
#pragma once

#include <algorithm>
#include <cstdint>

#include "core/pelt/pelt.hpp"

namespace picknext::pelt {

/// Minus amount, not below 0 (fn: sub_positive). The amount is cut to the value's width first.
template <class T>
constexpr void subtract(T& value, std::uint64_t amount) {
    const T cut = static_cast<T>(amount);
    value = value > cut ? static_cast<T>(value - cut) : T{0};
}

/// Plus a signed difference, not below 0 (fn: add_positive).
template <class T>
constexpr void add_signed(T& value, std::int64_t difference) {
    const T sum = static_cast<T>(value + static_cast<T>(difference));
    value = difference < 0 && sum > value ? T{0} : sum;
}

/// A queue's sum is at least what its average was made from at the start of a period. Both are compared as 32-bit
/// values, which cuts a load sum of 2^32 or more. Kernels before 6.1 have no such floor.
template <class T>
constexpr void raise_to_average(const Settings& settings, T& sum, std::uint64_t average) {
    if (settings.kernel < Kernel::cfs_6_1) return;
    const auto floor = static_cast<std::uint32_t>(average * min_divider);
    sum = std::max(static_cast<std::uint32_t>(sum), floor);
}

} // namespace picknext::pelt
