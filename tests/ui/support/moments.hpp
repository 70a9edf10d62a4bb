// SPDX-License-Identifier: GPL-3.0-or-later
// Moments built by hand, for views: their numbers are chosen, not simulated, and can be checked on paper.
#pragma once

#include <memory>

#include "core/history/timeline.hpp"

namespace picknext::test {

/// Ten tasks on CPU 3 of 16 (2 LLC, SMT), at pick 4711 by heap search: cc1#0 runs and is not eligible, the search visits
/// cc1#1, xorg and cc1#3, and takes the last.
[[nodiscard]] std::shared_ptr<Snapshot> crowded_queue();

/// A machine of this shape with about two thirds of its CPUs busy, and as many slices a lane as asked for.
[[nodiscard]] std::shared_ptr<Snapshot> busy_machine(int nodes, int llcs_per_node, int cores_per_llc, int threads, std::size_t slices_per_lane);

/// One CPU with `tasks` tasks in a balanced tree.
[[nodiscard]] std::shared_ptr<Snapshot> long_queue(int tasks);

/// A scenario to be simulated: 8 CPUs in 2 LLCs, sleepers, workers and a group.
[[nodiscard]] std::shared_ptr<const Scenario> small_scenario(Kernel kernel);

} // namespace picknext::test
