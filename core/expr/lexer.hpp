// SPDX-License-Identifier: GPL-3.0-or-later
// Text to tokens.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

#include "core/base/result.hpp"

namespace picknext::expr {

inline constexpr std::size_t longest_text = 4096; // bytes of an expression

enum class TokenKind : std::uint8_t {
    end, word, integer, duration, text,
    open, close, open_set, close_set, comma, dot,
    plus, minus, times, divide, remainder,
    no, both, either,
    equal, not_equal, less, less_equal, greater, greater_equal
};

struct Token {
    TokenKind kind = TokenKind::end;
    std::uint32_t begin = 0, end = 0; // bytes of the text; a text in quotes without them
    std::int64_t value = 0;           // of an integer, and in ns of a duration
};

struct Tokens {
    std::vector<Token> tokens;        // the last is `end`, at the end of the text or where reading stopped
    std::optional<Error> error;       // E-SYNTAX, E-LIMIT, E-RANGE, E-UNIT
};

/// Words are letters, digits and "_"; numbers whole, or with a unit a duration (12.5ms); texts stand in " or '.
[[nodiscard]] Tokens lex(std::string_view text);

} // namespace picknext::expr
