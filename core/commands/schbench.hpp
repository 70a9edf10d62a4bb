// SPDX-License-Identifier: GPL-3.0-or-later
// schbench as it was from 2016 to 2022: workers spin, post their message thread and wait to be served; the time from being served to
// running is the latency. The rewrite of 2023 is another program (schbench_2023.hpp).
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "core/commands/arguments.hpp"
#include "core/commands/figure.hpp"
#include "core/commands/latency_histogram.hpp"
#include "core/workload/workload.hpp"

namespace picknext::commands {

struct Schbench {
    std::int64_t message_threads = 2;      // -m
    std::int64_t workers = 16;             // -t, of each message thread
    std::int64_t runtime = 30'000'000'000; // -r, ns
    std::int64_t reply = 10'000'000;       // -s, ns: what a message thread sleeps before it serves; and up to a quarter more
    std::int64_t spin = 30'000'000;        // -c, ns of wall time (10 ms in the first versions)
    std::int64_t warmup = 0;               // -w, ns: samples before it do not count
    friend bool operator==(const Schbench&, const Schbench&) = default;
};

[[nodiscard]] Schbench read_schbench(Arguments& args, std::int64_t scale);
/// Message threads first, then the workers of each. With a warm-up a main task looks at the clock each second, as the original's.
[[nodiscard]] Workload workload_of(const Schbench& tool);
/// "p50.0", "p75.0", "p90.0", "p95.0", "p99.0", "p99.5", "p99.9", "min", "max": us, as the tool rounds them.
[[nodiscard]] std::vector<Figure> figures(const Schbench& tool, const State& state);
[[nodiscard]] std::string report(const Schbench& tool, const State& state);

} // namespace picknext::commands
