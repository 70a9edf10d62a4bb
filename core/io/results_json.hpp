// SPDX-License-Identifier: GPL-3.0-or-later
// results/1: what a benchmark came to, as JSON and as a table for spreadsheets; and shipped platforms for plans.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "core/bench/measured.hpp"
#include "core/bench/run.hpp"
#include "core/bench/threads.hpp"
#include "core/io/json_value.hpp"

namespace picknext::io {

/// One plan and its outcome. version: of the program. Runs that are not done are left out, and "complete" says so.
[[nodiscard]] JsonValue results_tree(const bench::Plan& plan, const bench::Outcome& outcome, const std::vector<bench::Measured>& measured, std::string_view version);
/// The same as text.
[[nodiscard]] std::string write_results(const bench::Plan& plan, const bench::Outcome& outcome, const std::vector<bench::Measured>& measured,
                                        std::string_view version);
/// Published rows with the simulated ones and their verdicts.
[[nodiscard]] JsonValue published_tree(const std::vector<bench::Judged>& rows);

/// A row per run and figure: point,arm,repeat,seed,figure,unit,better,value. RFC 4180.
[[nodiscard]] std::string results_csv(const bench::Plan& plan, const bench::Outcome& outcome);

/// Shipped topologies and cost profiles by name.
[[nodiscard]] bench::Platforms shipped_platforms();

} // namespace picknext::io
