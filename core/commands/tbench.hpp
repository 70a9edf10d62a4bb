// SPDX-License-Identifier: GPL-3.0-or-later
// tbench: pairs of processes that replay a file server's network traffic over loopback.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "core/commands/arguments.hpp"
#include "core/commands/figure.hpp"
#include "core/workload/workload.hpp"

namespace picknext::commands {

struct Tbench {
    std::int64_t clients = 1;               // the bare number
    std::int64_t runtime = 600'000'000'000; // -t, ns
    friend bool operator==(const Tbench&, const Tbench&) = default;
};

[[nodiscard]] Tbench read_tbench(Arguments& args, std::int64_t scale);
/// Assumed, all of it: of 40 operations 32 send and get 100 bytes, 4 get and 4 send 4, 24, 44 and 64 KiB with 100 bytes the other
/// way; a client thinks 2 us, a server works 4 us. Client i begins with operation 11 i.
[[nodiscard]] Workload workload_of(const Tbench& tool);
/// "throughput" MB/s (10^6 bytes): what the large operations carry, as the original counts file data alone. Whole cycles of 40
/// operations are counted in proportion to the messages, so a short run is a little off.
[[nodiscard]] std::vector<Figure> figures(const Tbench& tool, const State& state);
[[nodiscard]] std::string report(const Tbench& tool, const State& state);

} // namespace picknext::commands
