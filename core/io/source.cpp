// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/io/source.hpp"

#include <algorithm>

namespace picknext::io {

Source::Source(std::string name, std::string_view text) : m_name(std::move(name)), m_text(text), m_lines{0} {
    for (std::size_t i = 0; i < text.size(); ++i)
        if (text[i] == '\n') m_lines.push_back(i + 1);
}

Place Source::place(std::size_t offset, std::string pointer) const {
    offset = std::min(offset, m_text.size());
    const auto after = std::upper_bound(m_lines.begin(), m_lines.end(), offset);
    const std::size_t line = static_cast<std::size_t>(after - m_lines.begin());
    int column = 1;
    for (std::size_t i = m_lines[line - 1]; i < offset; ++i)
        if ((static_cast<unsigned char>(m_text[i]) & 0xc0) != 0x80) ++column;
    if (line == 1 && m_text.substr(0, 3) == "\xef\xbb\xbf" && offset >= 3) --column; // the mark is no column
    return Place{m_name, static_cast<int>(line), column, std::move(pointer)};
}

std::size_t utf8_length(std::string_view text) {
    const auto byte = [&](std::size_t i) { return i < text.size() ? static_cast<unsigned char>(text[i]) : 0U; };
    const auto follows = [&](std::size_t i, unsigned low = 0x80, unsigned high = 0xbf) {
        return byte(i) >= low && byte(i) <= high;
    };
    const unsigned first = byte(0);
    if (text.empty()) return 0;
    if (first < 0x80) return 1;
    if (first >= 0xc2 && first <= 0xdf) return follows(1) ? 2 : 0;
    if (first >= 0xe0 && first <= 0xef) {
        const unsigned low = first == 0xe0 ? 0xa0 : 0x80;   // no overlong form
        const unsigned high = first == 0xed ? 0x9f : 0xbf;  // no surrogate
        return follows(1, low, high) && follows(2) ? 3 : 0;
    }
    if (first >= 0xf0 && first <= 0xf4) {
        const unsigned low = first == 0xf0 ? 0x90 : 0x80;
        const unsigned high = first == 0xf4 ? 0x8f : 0xbf;  // not above U+10FFFF
        return follows(1, low, high) && follows(2) && follows(3) ? 4 : 0;
    }
    return 0;
}

Result<std::size_t> check_encoding(const Source& source) {
    const std::string_view text = source.text();
    const auto starts = [&](std::string_view mark) { return text.substr(0, mark.size()) == mark; };
    const auto wrong = [&](std::string_view encoding) {
        return Error{"E-ENCODING", source.place(0), fmt::format("the text is {}; save it as UTF-8", encoding)};
    };
    using namespace std::string_view_literals;
    if (starts("\xff\xfe\x00\x00"sv) || starts("\x00\x00\xfe\xff"sv)) return wrong("UTF-32");
    if (starts("\xff\xfe"sv) || starts("\xfe\xff"sv)) return wrong("UTF-16");
    for (std::size_t i = 0; i < text.size();) {
        const std::size_t length = utf8_length(text.substr(i));
        if (text[i] == '\0')
            return Error{"E-NUL", source.place(i), "a zero byte stands in the text; this is no text file"};
        if (length == 0)
            return Error{"E-UTF8", source.place(i),
                         fmt::format("byte 0x{:02x} is not valid UTF-8; save the file as UTF-8", static_cast<unsigned char>(text[i]))};
        i += length;
    }
    return starts("\xef\xbb\xbf"sv) ? std::size_t{3} : std::size_t{0};
}

} // namespace picknext::io
