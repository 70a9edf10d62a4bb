// SPDX-License-Identifier: GPL-3.0-or-later
// Keeping the keys of the user's own (x-...) from reading to writing.
#pragma once

#include <vector>

#include "core/base/extra_key.hpp"
#include "core/io/json_value.hpp"

namespace picknext::io {

/// All x- keys in the tree below an object, but not inside its members of the given names.
[[nodiscard]] std::vector<ExtraKey> extra_keys(const JsonValue& root, std::initializer_list<std::string_view> not_inside = {});

/// Puts them back where their object is still there.
void put_back(JsonValue& root, const std::vector<ExtraKey>& extras);

} // namespace picknext::io
