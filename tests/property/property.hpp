// SPDX-License-Identifier: GPL-3.0-or-later
// A loop over seeds that stops at the first property that does not hold and says which seed broke it.
#pragma once

#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <string>

#include <fmt/format.h>

#include "tests/support/random_scenario.hpp"

namespace picknext::test {

/// check(seed, scenario) returns what is wrong, or nothing. Seeds 1..count, or the one given as first argument.
template <class Check>
int for_each_seed(int argc, char** argv, std::uint64_t count, const Check& check) {
    const std::uint64_t only = argc > 1 ? std::strtoull(argv[1], nullptr, 10) : 0;
    for (std::uint64_t seed = only != 0 ? only : 1; seed <= (only != 0 ? only : count); ++seed) {
        const Scenario scenario = random_scenario(seed);
        const std::string wrong = check(seed, scenario);
        if (wrong.empty()) continue;
        fmt::print(stderr, "{}\n  {}\n", describe(seed, scenario), wrong);
        return 1;
    }
    return 0;
}

} // namespace picknext::test
