// SPDX-License-Identifier: GPL-3.0-or-later
// What must hold between events, whatever happened.
#pragma once

#include <string>

#include "core/state/state.hpp"
#include "core/topology/domains.hpp"

namespace picknext {

/// The first broken rule as a sentence with its values, or empty. Trees sorted, balanced and coloured by the
/// rules, leftmost and augmented values right, counts and weights equal recounts, EEVDF sums equal recounts,
/// a runnable task on exactly one queue and allowed there, or on exactly one wake list, a CPU idle exactly when nothing is
/// queued, everything queued reached from the root but what a group out of runtime holds back, nothing on an offline CPU.
[[nodiscard]] std::string broken_invariant(const State& st);

/// The same for what several CPUs of a run keep about each other: the list of each CPU's tasks equals a recount, no request
/// to reschedule is left, whoever works or sleeps on time has the event that ends it, nr_busy_cpus and nohz.nr_cpus equal
/// recounts, and bits of idle CPUs are what the patch in use promises. domains: those the run uses.
[[nodiscard]] std::string broken_machine_invariant(const State& st, const Domains& domains);

} // namespace picknext
