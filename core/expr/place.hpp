// SPDX-License-Identifier: GPL-3.0-or-later
// Where in an expression something is wrong.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

#include "core/base/result.hpp"

namespace picknext::expr {

/// Whether a byte of UTF-8 belongs to a code point begun before it.
[[nodiscard]] constexpr bool continues_code_point(char c) { return (static_cast<unsigned char>(c) & 0xc0U) == 0x80U; }

/// Column of a byte offset, from 1, in code points (bytes that only continue one are not counted): at most one past the
/// last of the text.
[[nodiscard]] int column_at(std::string_view text, std::size_t byte);

/// The byte where a column begins; the size of the text beyond it.
[[nodiscard]] std::size_t byte_at(std::string_view text, int column);

/// A refusal at a byte offset; line 1, no file.
[[nodiscard]] Error error_at(std::string_view text, std::size_t byte, std::string code, std::string message);

} // namespace picknext::expr
