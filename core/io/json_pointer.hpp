// SPDX-License-Identifier: GPL-3.0-or-later
// JSON pointers (RFC 6901) with an occurrence for repeated keys: "/tasks/t/run#2".
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace picknext::io {

void append_key(std::string& pointer, std::string_view key, int occurrence);
void append_index(std::string& pointer, std::size_t index);

} // namespace picknext::io
