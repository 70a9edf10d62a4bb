// SPDX-License-Identifier: GPL-3.0-or-later
// What a benchmark came to, for people.
#pragma once

#include <vector>

#include "core/bench/measured.hpp"
#include "core/bench/run.hpp"
#include "core/bench/threads.hpp"

namespace picknext::cli {

/// Times, differences, where the time went, counters, cache lines and what all that rests on.
void print_bench(const bench::Plan& plan, const bench::Outcome& outcome, const std::vector<bench::Measured>& measured);

/// How many of the runs are done, when not all are; and runs that did not end by themselves.
void print_incomplete(const bench::Plan& plan, const bench::Outcome& outcome);

/// A panel of a thread: published and simulated side by side, and a verdict per row.
void print_panel(const bench::Panel& panel, const bench::Outcome& outcome, const std::vector<bench::Judged>& rows);

} // namespace picknext::cli
