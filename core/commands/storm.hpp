// SPDX-License-Identifier: GPL-3.0-or-later
// The two loads of thread 5, which are not tools one can install: many CPUs that go idle at one instant, and a CPU whose load others
// have to decay while it sleeps.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "core/commands/arguments.hpp"
#include "core/commands/figure.hpp"
#include "core/topology/machine.hpp"
#include "core/workload/workload.hpp"

namespace picknext::commands {

/// storm -n N -p PERIOD: N tasks, each on a CPU of its own, work and sleep to a common edge; one more CPU always runs.
struct Storm {
    std::int64_t tasks = 0;                // -n; 0 = one less than there are CPUs
    std::int64_t period = 12'000'000;      // -p, ns: longer than a tick, so that ticks stop
    std::int64_t work = 100'000;           // -w, ns
    std::int64_t runtime = 2'000'000'000;  // -t, ns
    friend bool operator==(const Storm&, const Storm&) = default;
};

/// kick_ilb: one task runs on the second CPU and then sleeps, another begins to run on the third: its ticks ask idle CPUs to decay the
/// load the first left behind.
struct KickIlb {
    std::int64_t runtime = 3'000'000'000; // -t, ns
    friend bool operator==(const KickIlb&, const KickIlb&) = default;
};

/// cpus: how many the tasks may use.
[[nodiscard]] Storm read_storm(Arguments& args, std::int64_t cpus, std::int64_t scale);
[[nodiscard]] KickIlb read_kick_ilb(Arguments& args, std::int64_t cpus, std::int64_t scale);
/// cpus: those the tasks may use, at least tasks + 1 (storm) or 3 (kick_ilb).
[[nodiscard]] Workload workload_of(const Storm& tool, const std::vector<CpuId>& cpus);
[[nodiscard]] Workload workload_of(const KickIlb& tool, const std::vector<CpuId>& cpus);

/// "enter" ns: nohz_balance_enter_idle() on average; "loop" us: _nohz_idle_balance(); "stats kicks" 1/s: for blocked load alone;
/// "kicks" 1/s: all. Those that never happened are left out.
[[nodiscard]] std::vector<Figure> nohz_figures(const State& state);
/// The same in a table of our own.
[[nodiscard]] std::string nohz_report(const State& state);

} // namespace picknext::commands
