// SPDX-License-Identifier: GPL-3.0-or-later
// Lists of CPU numbers as Linux writes them: "0-3,8,16-31:2/4".
#pragma once

#include <string_view>
#include <vector>

#include "core/base/result.hpp"

namespace picknext {

/// Numbers ascending and distinct, each 0..max_cpu_number. "" is none. "a-b:used/group" takes the first `used` of each
/// `group` numbers. White space around the list is allowed, as in /sys.
/// Errors without a place: E-CPULIST (not a list), E-RANGE (a number too large, a range backwards).
[[nodiscard]] Result<std::vector<int>> parse_cpulist(std::string_view text);

} // namespace picknext
