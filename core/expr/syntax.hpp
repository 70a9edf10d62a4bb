// SPDX-License-Identifier: GPL-3.0-or-later
// The syntax tree: what was written, before anybody asks what the words mean.
#pragma once

#include <cstdint>
#include <vector>

#include "core/expr/lexer.hpp"

namespace picknext::expr {

enum class Form : std::uint8_t {
    integer, duration,    // value
    text,                 // word: what stands in the quotes
    word,
    member,               // first . word
    call,                 // word ( first, its next, ... ); `cpu 3` is cpu(3)
    negative,             // - first
    no,                   // ! first
    binary,               // first sign second
    in,                   // first in { second, its next, ... }
    contains,             // first contains second
    range                 // first - second, in a set only
};

inline constexpr std::int32_t no_node = -1;

struct Node {
    Form form = Form::integer;
    TokenKind sign = TokenKind::end;       // of binary
    std::uint32_t begin = 0, end = 0;      // bytes of the whole
    std::uint32_t word_begin = 0, word_end = 0; // of its word; of its sign for binary
    std::int64_t value = 0;
    std::int32_t first = no_node, second = no_node;
    std::int32_t next = no_node;           // the next argument of a call, or member of a set
};

/// Children come before their parents.
struct Syntax {
    std::vector<Node> nodes;
    std::int32_t root = no_node;
};

} // namespace picknext::expr
