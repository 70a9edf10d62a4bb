// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/io/json_pointer.hpp"

namespace picknext::io {

void append_key(std::string& pointer, std::string_view key, int occurrence) {
    pointer += '/';
    for (const char c : key) {
        if (c == '~') pointer += "~0";
        else if (c == '/') pointer += "~1";
        else pointer += c;
    }
    if (occurrence > 1) pointer += "#" + std::to_string(occurrence);
}

void append_index(std::string& pointer, std::size_t index) { pointer += "/" + std::to_string(index); }

} // namespace picknext::io
