// SPDX-License-Identifier: GPL-3.0-or-later
// A benchmark as a person types it, made a workload: "numactl -N 0 hackbench -p -T -l 20000 -g 10". What the run is judged by follows
// from its samples and counters; the result can be printed as the tool prints it.
//
//   Result<Benchmark> b = read_benchmark(line, machine);
//   scenario.workload = b->workload; run to RunLimit{.time = time_limit(*b)}, then figures(*b, state) and report(*b, state)
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "core/commands/confinement.hpp"
#include "core/commands/figure.hpp"
#include "core/commands/hackbench.hpp"
#include "core/commands/netperf.hpp"
#include "core/commands/sched_pipe.hpp"
#include "core/commands/schbench.hpp"
#include "core/commands/schbench_2023.hpp"
#include "core/commands/storm.hpp"
#include "core/commands/tbench.hpp"
#include "core/commands/uperf.hpp"

namespace picknext::commands {

using Tool = std::variant<Hackbench, SchedPipe, Schbench, Schbench2023, Netperf, Uperf, Tbench, Storm, KickIlb>;

enum class SchbenchVersion : std::uint8_t {
    by_options, // the rewrite if -n, -F, -L, -M or -W is given, else that of 2020
    of_2020,
    of_2023
};

struct BenchmarkOptions {
    SchbenchVersion schbench = SchbenchVersion::by_options; // for the bare name; "schbench-2020" and "schbench-2023" decide by themselves
    std::int64_t scale = 1; // >= 1: loops, or seconds, are divided by it; figures stay those of the full size
};

struct Benchmark {
    std::string command;             // as typed
    Tool tool;                       // with its options
    Confinement where;
    Workload workload;
    std::optional<std::int64_t> duration; // ns: stop then; absent: it ends by itself
    std::string scaled;              // how it was scaled down, in words; empty when it was not
    std::vector<std::string> notes;  // harmless options that were ignored, and what is not simulated
};

/// Tools: hackbench, perf bench sched messaging, perf bench sched pipe, schbench, netperf, uperf, tbench; ours: storm, kick_ilb.
/// The part of a path before the tool's name is ignored.
/// Errors have the place command:1:COLUMN: those of split_command, take_confinement and Arguments, and E-TOOL.
[[nodiscard]] Result<Benchmark> read_benchmark(std::string_view line, const Machine& machine, const BenchmarkOptions& options = {});

/// Where its run ends if it does not end by itself, ns; INT64_MAX for one that does.
[[nodiscard]] std::int64_t time_limit(const Benchmark& benchmark);

/// What the run is judged by, the most important first. state: where the run ended. Empty if it was stopped before there was anything to
/// measure.
[[nodiscard]] std::vector<Figure> figures(const Benchmark& benchmark, const State& state);

/// The result as the tool prints it.
[[nodiscard]] std::string report(const Benchmark& benchmark, const State& state);

/// The line with the value of an option replaced, or added behind the tool's name: with_option("hackbench -g 2", "g", "4"). `n` stands for
/// the number of pairs or clients where the tool has no option for it (netperf, uperf: the word x4; tbench: its bare number). Errors as
/// read_benchmark's for the words of the line; the value is not looked at.
[[nodiscard]] Result<std::string> with_option(std::string_view line, std::string_view option, std::string_view value);

} // namespace picknext::commands
