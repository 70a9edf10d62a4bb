// SPDX-License-Identifier: GPL-3.0-or-later
// Tokens to the syntax tree.
//
//   condition  = and { "||" and }             and = comparison { "&&" comparison }
//   comparison = sum [ ("==" "!=" "<" "<=" ">" ">=") sum | "in" set | "contains" sum ]
//   sum        = product { ("+" | "-") product }     product = prefix { ("*" | "/" | "%") prefix }
//   prefix     = ("!" | "-") prefix | primary { "." WORD }
//   primary    = INTEGER | DURATION | TEXT | WORD | ("cpu" | "llc") INTEGER | WORD "(" arguments ")" | "(" condition ")"
//   set        = "{" member { "," member } "}" | member { "," member }   (among the arguments of a call: one member, or braces)
//   member     = literal [ "-" literal ]      literal = [ "-" ] INTEGER | [ "-" ] DURATION | TEXT | WORD { "." WORD } | "cpu" INTEGER
#pragma once

#include <string_view>

#include "core/base/result.hpp"
#include "core/expr/syntax.hpp"

namespace picknext::expr {

inline constexpr int deepest_nesting = 64; // parentheses, calls and prefixes within each other

/// Errors: those of lex(), E-SYNTAX, E-LIMIT.
[[nodiscard]] Result<Syntax> parse(std::string_view text);

} // namespace picknext::expr
