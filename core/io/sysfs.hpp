// SPDX-License-Identifier: GPL-3.0-or-later
// The topology Linux shows under /sys.
#pragma once

#include <string>

#include "core/io/document.hpp"

namespace picknext::io {

/// `root` is the folder that holds sys/devices/system/cpu ("" for this machine). Errors: E-OPEN (no such folder),
/// E-LIMIT, E-NOCPU, E-NESTING.
[[nodiscard]] Result<Machine> read_sysfs(const std::string& root, Report& report);

} // namespace picknext::io
