// SPDX-License-Identifier: GPL-3.0-or-later
// The XML that hwloc's lstopo writes, versions 1, 2 and 3.
#pragma once

#include "core/io/document.hpp"
#include "core/io/source.hpp"

namespace picknext::io {

/// Errors: E-SYNTAX, E-FORMAT (no hwloc topology), E-VERSION, E-DEPTH, E-CPUSET, E-DUPLICATE, E-LIMIT, E-NOCPU, E-NESTING.
[[nodiscard]] Result<Machine> read_hwloc(const Source& source, Report& report);

} // namespace picknext::io
