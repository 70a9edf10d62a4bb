// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <cstdint>

#include "core/base/rng.hpp"

namespace picknext::test {

/// A counter-based die.
class Dice {
  public:
    explicit Dice(std::uint64_t seed) : m_seed(seed) {}
    std::size_t below(std::size_t n) { return static_cast<std::size_t>(random_below(m_seed, 0, m_counter++, n)); }

  private:
    std::uint64_t m_seed;
    std::uint64_t m_counter = 0;
};

} // namespace picknext::test
