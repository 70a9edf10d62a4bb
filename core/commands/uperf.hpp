// SPDX-License-Identifier: GPL-3.0-or-later
// uperf with its profile "netperf": threads that each have a connection and a server and send 90 bytes to and fro.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "core/commands/confinement.hpp"
#include "core/commands/figure.hpp"
#include "core/workload/workload.hpp"

namespace picknext::commands {

struct Uperf {
    std::int64_t connections = 1;          // nthr=96 before the command, as the profile reads it; or the word "x96"
    std::int64_t runtime = 30'000'000'000; // ns; duration=10s before the command
    bool udp = false;                      // proto=udp
    friend bool operator==(const Uperf&, const Uperf&) = default;
};

[[nodiscard]] Uperf read_uperf(Arguments& args, const Confinement& where, std::int64_t scale);
/// Servers are processes of their own, clients threads of one.
[[nodiscard]] Workload workload_of(const Uperf& tool);
/// "throughput" Mb/s: bits of both directions; "operations" 1/s: reads and writes.
[[nodiscard]] std::vector<Figure> figures(const Uperf& tool, const State& state);
/// The line of totals. Not compared with measured output: there is no sample.
[[nodiscard]] std::string report(const Uperf& tool, const State& state);

} // namespace picknext::commands
