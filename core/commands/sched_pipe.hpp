// SPDX-License-Identifier: GPL-3.0-or-later
// perf bench sched pipe: two tasks hand a message of four bytes to and fro.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "core/commands/arguments.hpp"
#include "core/commands/figure.hpp"
#include "core/workload/workload.hpp"

namespace picknext::commands {

struct SchedPipe {
    bool simple_format = false;       // perf bench -f simple
    bool threads = false;             // -T; else processes
    std::int64_t loops = 1'000'000;   // -l: round trips, as typed
    std::int64_t run_loops = 1'000'000; // simulated: time is proportional to them
    friend bool operator==(const SchedPipe&, const SchedPipe&) = default;
};

[[nodiscard]] SchedPipe read_sched_pipe(Arguments& args, std::int64_t scale);
/// Processes: the parent writes first and waits for its child at the end. Threads: a main task waits for both.
[[nodiscard]] Workload workload_of(const SchedPipe& tool);
/// "usecs/op" (one round trip: two messages, two wakeups), "time" of all loops, "ops/sec".
[[nodiscard]] std::vector<Figure> figures(const SchedPipe& tool, const State& state);
[[nodiscard]] std::string report(const SchedPipe& tool, const State& state);

} // namespace picknext::commands
