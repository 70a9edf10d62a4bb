// SPDX-License-Identifier: GPL-3.0-or-later
// Rules a workload keeps whatever format it came in.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "core/workload/workload.hpp"

namespace picknext::io {

/// A task that could go round for ever without time passing, and why.
struct ZeroTimeLoop {
    std::size_t task = 0; // index of the first one
    std::string sentence;
};

/// Finds endless loops without an operation that takes time: of one task alone, or of several that only wake each
/// other. A loop of a million rounds counts as endless. Blocking on something that only tasks outside such a loop
/// provide makes a loop safe.
[[nodiscard]] std::optional<ZeroTimeLoop> find_zero_time_loop(const Workload& workload);

/// The op's duration can be longer than 0, again and again.
[[nodiscard]] bool takes_time(const Dist& dist);

/// Tasks (indices) that suspend themselves and that no operation resumes or wakes.
[[nodiscard]] std::vector<std::size_t> never_woken(const Workload& workload);

/// Orders the resources by kind, else as they are, and renumbers them: the order in which they are written.
void sort_resources(Workload& workload);

/// Removes suspend points no operation names and renumbers the rest.
void drop_unused_suspends(Workload& workload);

/// Calls f(op) for every operation of a task.
template <class TaskRef, class F>
void for_each_op(TaskRef& task, F&& f) {
    for (auto& phase : task.phases)
        for (auto& op : phase.ops) f(op);
}

} // namespace picknext::io
