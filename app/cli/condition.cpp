// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/condition.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "app/cli/command.hpp"

namespace picknext::cli {

std::optional<expr::Expression> compile_or_complain(const std::string& option, const std::string& text, const Scenario& scenario) {
    Result<expr::Expression> condition = expr::Expression::compile(text, scenario);
    if (condition) return std::move(*condition);
    Error error = condition.error();
    error.place.file = option;
    complain(error);
    const bool one_line = std::none_of(text.begin(), text.end(), [](char c) { return static_cast<unsigned char>(c) < ' '; });
    if (one_line && text.size() <= expr::longest_text) fmt::print(stderr, "  {}\n  {:>{}}\n", text, '^', error.place.column);
    return std::nullopt;
}

} // namespace picknext::cli
