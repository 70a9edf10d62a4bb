// SPDX-License-Identifier: GPL-3.0-or-later
// netperf over loopback: request and response, or a stream, between pairs of netperf and netserver.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "core/commands/arguments.hpp"
#include "core/commands/figure.hpp"
#include "core/topology/machine.hpp"
#include "core/workload/workload.hpp"

namespace picknext::commands {

struct Netperf {
    enum class Test : std::uint8_t { tcp_stream, udp_stream, tcp_rr, udp_rr };
    Test test = Test::tcp_stream;           // -t
    std::int64_t pairs = 1;                 // the word "x24" of the line, ours: netperf itself knows one pair
    std::int64_t runtime = 10'000'000'000;  // -l, ns
    std::int64_t request = 1, response = 1; // -- -r, bytes
    std::int64_t message = 0;               // -- -m: bytes of a send; 0 = 16,384 for TCP, 65,507 for UDP
    CpuSet client, server;                  // -T: where they may run; empty = anywhere
    friend bool operator==(const Netperf&, const Netperf&) = default;
};

[[nodiscard]] Netperf read_netperf(Arguments& args, const Machine& machine, std::int64_t scale);
/// Tasks: netserver and netperf of each pair, in this order.
[[nodiscard]] Workload workload_of(const Netperf& tool);
/// RR: "transactions" 1/s of all pairs, "latency" us of one. STREAM: "received" bytes/s; UDP also "sent".
[[nodiscard]] std::vector<Figure> figures(const Netperf& tool, const State& state);
/// The table of one netperf, its result that of all pairs together. Not compared with measured output: there is no sample.
[[nodiscard]] std::string report(const Netperf& tool, const State& state);

/// The word "x24": so many at once. False if it is none.
[[nodiscard]] bool read_multiple(Arguments& args, const Word& word, std::int64_t& multiple);

} // namespace picknext::commands
