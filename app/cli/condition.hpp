// SPDX-License-Identifier: GPL-3.0-or-later
// Conditions on decisions as arguments.
#pragma once

#include <optional>
#include <string>

#include "core/expr/expression.hpp"

namespace picknext::cli {

/// The condition an option gives; what is wrong with it goes to standard error, with the place marked below.
[[nodiscard]] std::optional<expr::Expression> compile_or_complain(const std::string& option, const std::string& text, const Scenario& scenario);

} // namespace picknext::cli
