// SPDX-License-Identifier: GPL-3.0-or-later
// What stands before a benchmark in its line and holds for all its tasks: "numactl -N 0", "taskset -c 0-3", "nice -n 5" ...
#pragma once

#include <map>
#include <string>
#include <vector>

#include "core/commands/arguments.hpp"
#include "core/topology/machine.hpp"
#include "core/workload/workload.hpp"

namespace picknext::commands {

struct Confinement {
    CpuSet affinity;      // empty = all CPUs
    int nice = 0;         // -20..19
    Policy policy = Policy::normal;
    std::string group;    // path, "" = root
    std::map<std::string, std::string, std::less<>> environment; // NAME=value before the command
    friend bool operator==(const Confinement&, const Confinement&) = default;
};

/// Reads the words before the tool and takes them off the front. Understood: NAME=value, numactl (-N, -C), taskset (-c LIST or a
/// mask), nice, chrt (-o, -b, -i), cgexec (-g cpu:NAME), and env, exec, nohup, sudo, time, which change nothing.
/// Errors: E-OPTION, E-VALUE, E-NUMBER, E-RANGE, E-CPULIST, E-AFFINITY (CPUs or nodes the machine does not have).
[[nodiscard]] Result<Confinement> take_confinement(std::span<const Word>& words, const Machine& machine, std::vector<std::string>& notes);

/// Every task of the workload is confined so; those with an affinity of their own keep it.
void confine(Workload& workload, const Confinement& where);

} // namespace picknext::commands
