// SPDX-License-Identifier: GPL-3.0-or-later
// A command line as a person types it, in words.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "core/base/result.hpp"

namespace picknext::commands {

inline constexpr std::string_view command_file = "command"; // what messages call the line
inline constexpr std::size_t max_command = 4096;            // bytes

struct Word {
    std::string text;  // without its quotes
    int column = 1;    // where it begins in the line, from 1, in code points
};

/// Splits at blanks. 'single' and "double" quotes keep blanks; a backslash takes the next character as it is, but not in single
/// quotes. Errors at their column: E-QUOTE (not closed), E-SHELL (a pipe, redirection, list, substitution or variable: only one
/// command is understood), E-EMPTY, E-LIMIT (longer than max_command).
[[nodiscard]] Result<std::vector<Word>> split_command(std::string_view line);

/// An error at a word of the line.
[[nodiscard]] Error command_error(std::string code, int column, std::string message);

} // namespace picknext::commands
