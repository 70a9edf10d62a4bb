// SPDX-License-Identifier: GPL-3.0-or-later
// Numbers a benchmark is judged by.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace picknext::commands {

enum class Better : std::uint8_t { lower, higher };

struct Figure {
    std::string name;  // stable, the same for a simulated run and for a saved output: "time", "p99.0", "wakeup p50.0"
    std::string unit;  // "s", "us", "us/op", "1/s", "requests/s", "bytes/s", "MB/s", "Mb/s", "ns"
    Better better = Better::lower;
    double value = 0;
    friend bool operator==(const Figure&, const Figure&) = default;
};

/// A figure somebody measured on a real machine: what a saved output of a tool says.
struct Measured {
    std::string tool;           // "hackbench", "perf bench sched messaging", "perf bench sched pipe", "perf bench" (its simple format does not
                                // say which), "schbench"; "table" for a row of a table
    std::string point;          // what the output says of its options, as in a sweep: "g=2"; empty when it says nothing
    std::string metric;         // as Figure::name
    std::string unit;
    Better better = Better::lower;
    std::vector<double> values; // one for each run in the file, in their order
    friend bool operator==(const Measured&, const Measured&) = default;
};

} // namespace picknext::commands
