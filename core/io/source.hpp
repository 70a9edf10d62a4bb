// SPDX-License-Identifier: GPL-3.0-or-later
// A text with a name, and the places in it: offsets become line and column only when a message needs them.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "core/base/result.hpp"

namespace picknext::io {

class Source {
  public:
    /// The text must outlive the source.
    Source(std::string name, std::string_view text);

    [[nodiscard]] const std::string& name() const { return m_name; }
    [[nodiscard]] std::string_view text() const { return m_text; }

    /// Line and column (both from 1, columns in code points) of a byte offset.
    [[nodiscard]] Place place(std::size_t offset, std::string pointer = {}) const;
    [[nodiscard]] int line(std::size_t offset) const { return place(offset).line; }

  private:
    std::string m_name;
    std::string_view m_text;
    std::vector<std::size_t> m_lines; // offset at which each line begins
};

/// Checks what holds for every text we read: no UTF-16 or UTF-32 mark (E-ENCODING), valid UTF-8 (E-UTF8), no NUL byte
/// (E-NUL). Returns how many bytes a UTF-8 byte order mark takes at the front: 3 or 0.
[[nodiscard]] Result<std::size_t> check_encoding(const Source& source);

/// Length of the first well-formed UTF-8 sequence of the text, 0 if it is not well-formed.
[[nodiscard]] std::size_t utf8_length(std::string_view text);

} // namespace picknext::io
