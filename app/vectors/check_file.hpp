// SPDX-License-Identifier: GPL-3.0-or-later
// One vector document from text to verdict.
#pragma once

#include <string>

#include "app/vectors/tally.hpp"
#include "core/base/result.hpp"

namespace picknext::vectors {

/// Checks one document. The error says why it could not be checked: no JSON, an unknown format, or a broken one.
[[nodiscard]] Result<Tally> check_text(const std::string& name, const std::string& text);

} // namespace picknext::vectors
