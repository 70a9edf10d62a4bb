// SPDX-License-Identifier: GPL-3.0-or-later
// schbench since its rewrite of 2023: requests of a short pause and a matrix product; wakeup latencies, request latencies and
// requests per second.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "core/commands/arguments.hpp"
#include "core/commands/figure.hpp"
#include "core/workload/workload.hpp"

namespace picknext::commands {

struct Schbench2023 {
    std::int64_t message_threads = 1;      // -m
    std::int64_t workers = 0;              // -t, of each message thread; 0 = as many as CPUs, shared out
    std::int64_t runtime = 30'000'000'000; // -r, ns
    std::int64_t pause = 100'000;          // -s, ns: sleep before the work, as if for the network
    std::int64_t operations = 5;           // -n: matrix products of a request
    std::int64_t footprint = 256;          // -F, KiB: three square matrices of 8-byte numbers
    std::int64_t warmup = 0;               // -w, ns
    friend bool operator==(const Schbench2023&, const Schbench2023&) = default;
};

/// Options only this version has, or only the other: -1 the older, +1 this one, 0 either.
[[nodiscard]] int schbench_age(std::span<const Word> words);

[[nodiscard]] Schbench2023 read_schbench_2023(Arguments& args, std::int64_t cpus, std::int64_t scale);
/// Assumed: 0.83 ns for each step of the naive product (measured once: the quickest of 187 requests took 4,818 us, pause included).
/// The spinning per-CPU lock around the product is left out, as with -L.
[[nodiscard]] Workload workload_of(const Schbench2023& tool);
/// "wakeup p50.0" ... "wakeup max", "request p50.0" ... us; "rps p20.0", "rps p50.0", "rps p90.0", "average rps": requests/s.
[[nodiscard]] std::vector<Figure> figures(const Schbench2023& tool, const State& state);
[[nodiscard]] std::string report(const Schbench2023& tool, const State& state);

} // namespace picknext::commands
