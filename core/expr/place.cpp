// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/expr/place.hpp"

#include <algorithm>

namespace picknext::expr {

int column_at(std::string_view text, std::size_t byte) {
    const std::string_view before = text.substr(0, std::min(byte, text.size()));
    return 1 + static_cast<int>(std::count_if(before.begin(), before.end(), [](char c) { return !continues_code_point(c); }));
}

std::size_t byte_at(std::string_view text, int column) {
    int at = 1;
    for (std::size_t byte = 0; byte < text.size(); ++byte) {
        if (at == column && !continues_code_point(text[byte])) return byte;
        at += continues_code_point(text[byte]) ? 0 : 1;
    }
    return text.size();
}

Error error_at(std::string_view text, std::size_t byte, std::string code, std::string message) {
    return Error{std::move(code), Place{{}, 1, column_at(text, byte), {}}, std::move(message)};
}

} // namespace picknext::expr
