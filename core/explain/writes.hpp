// SPDX-License-Identifier: GPL-3.0-or-later
// What applying an outcome changes.
#pragma once

#include <vector>

#include "core/explain/explain.hpp"
#include "core/explain/moment.hpp"

namespace picknext {

/// In the order the kernel writes. Empty when the outcome changes nothing.
[[nodiscard]] std::vector<Write> writes_of(const Moment& m);

} // namespace picknext
