// SPDX-License-Identifier: GPL-3.0-or-later
// A benchmark as the engine runs it: what its tasks do, and how its figures are read from the state a run ended in.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "core/commands/benchmark.hpp"
#include "core/state/state.hpp"
#include "core/workload/workload.hpp"

namespace picknext::bench {

using commands::Better;
using commands::Figure;

inline constexpr std::int64_t longest_run = 3'600'000'000'000; // ns of simulated time a benchmark that ends by itself may take

struct Benchmark {
    std::string command;           // as typed
    std::string scaling;           // how it is smaller than the command asked for, in words; empty: it is not
    std::vector<std::string> notes; // what was ignored, and what is not simulated
    Workload workload;
    std::optional<std::int64_t> duration; // ns of simulated time it runs; nothing: it ends by itself
    /// At the end of a run, the most important first; empty when there was nothing to measure. Of the size that was asked for.
    std::function<std::vector<Figure>(const State&)> figures;
    std::function<std::string(const State&)> report; // what the tool itself would print
    std::string operation = "message";               // what `operations` counts, in the singular
    std::function<double(const State&)> operations;  // done so far
    double of = 0;                 // how many operations it has in all; 0: not known
};

/// A command that was read, with what `operations` means for its tool: messages of hackbench, round trips of sched pipe, samples of
/// schbench, entries into the idle state of the storm, messages of the others.
[[nodiscard]] Benchmark benchmark_of(commands::Benchmark read);

} // namespace picknext::bench
