// SPDX-License-Identifier: GPL-3.0-or-later
// What benchmark tools print, as figures. Found by content: hackbench, perf bench sched messaging and pipe, schbench of
// 2016, of 2020 and of today (text and JSON), or a table name,unit,better,value[,value...].
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "core/bench/measured.hpp"
#include "core/io/document.hpp"

namespace picknext::io {

/// Several runs in one file are several values. Blocks a tool prints again and again while it runs count once, the last.
/// Errors: E-FORMAT (no line of a known tool), E-RANGE (a number that is none, or negative).
[[nodiscard]] Result<std::vector<bench::Measured>> read_measured(std::string_view text, const std::string& name, Report& report);

} // namespace picknext::io
