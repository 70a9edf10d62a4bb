// SPDX-License-Identifier: GPL-3.0-or-later
// One number a benchmark is judged by.
#pragma once

#include <cstdint>
#include <string>

namespace picknext::commands {

enum class Better : std::uint8_t { lower, higher };

struct Figure {
    std::string name;  // stable, the same for a simulated run and for a saved output: "time", "p99.0", "wakeup p50.0"
    std::string unit;  // "s", "us", "us/op", "1/s", "requests/s", "bytes/s", "MB/s", "Mb/s", "ns"
    Better better = Better::lower;
    double value = 0;
    friend bool operator==(const Figure&, const Figure&) = default;
};

} // namespace picknext::commands
