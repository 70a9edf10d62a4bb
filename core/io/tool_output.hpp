// SPDX-License-Identifier: GPL-3.0-or-later
// Saved outputs of benchmark tools, found by content: hackbench, perf bench sched messaging and pipe (default and simple format),
// schbench of 2016, of 2020 and since 2023 (text and JSON), or a table name,unit,better,value[,value...] typed from other tools.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "core/commands/figure.hpp"
#include "core/io/document.hpp"

namespace picknext::io {

/// All figures of a file, in the order they first appear. Several runs in one file are several values of a figure. schbench repeats its
/// blocks while it runs: of one run the last counts; a run is over with its average, or when the runtime in a heading starts anew.
/// Warnings: W-UNREADABLE (a line of a tool whose number is none; it was left out). Notes: N-IGNORED (lines of no tool: the first, and how
/// many). Errors: those of check_encoding and the JSON reader; in a table E-TABLE, E-ENUM, E-NUMBER with their place; E-FORMAT (no line is of a
/// tool that is known).
[[nodiscard]] Result<std::vector<commands::Measured>> read_tool_output(std::string_view text, const std::string& name, Report& report);

} // namespace picknext::io
