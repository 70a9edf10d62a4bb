// SPDX-License-Identifier: GPL-3.0-or-later
// JSON text to tree. The library scans; we count bytes for the places, keep repeated keys, and hold the limits.
#pragma once

#include <cstddef>
#include <string_view>
#include <utility>
#include <vector>

#include "core/base/result.hpp"
#include "core/io/document.hpp"
#include "core/io/json_value.hpp"
#include "core/io/source.hpp"

namespace picknext::io {

inline constexpr std::size_t max_json_bytes = std::size_t{64} << 20;
inline constexpr std::size_t max_json_nesting = 64;
inline constexpr std::size_t max_json_string = std::size_t{1} << 20; // bytes
inline constexpr std::size_t max_json_values = 4'000'000;

/// Where the bytes of a rewritten text came from: breakpoints (offset there, offset in the original), ascending.
using OffsetMap = std::vector<std::pair<std::size_t, std::size_t>>;

/// Parses strict JSON; comments are allowed and noted once (N-COMMENT), as is a byte order mark (N-BOM).
/// Errors: E-EMPTY, E-SIZE, E-ENCODING, E-UTF8, E-NUL, E-SYNTAX, E-TRUNCATED, E-DEPTH, E-LIMIT, E-RANGE.
[[nodiscard]] Result<JsonValue> parse_json(const Source& source, Report& report);

/// The same for a text that was rewritten from the source: no encoding check, places by the map.
[[nodiscard]] Result<JsonValue> parse_rewritten_json(const Source& source, std::string_view plain, const OffsetMap& map);

/// First offset >= from that is not white space, a comma, a colon or inside a comment.
struct Skipped {
    std::size_t to = 0;
    bool comma = false;
    bool colon = false;
    bool comment = false;
};
[[nodiscard]] Skipped skip_insignificant(std::string_view text, std::size_t from);

} // namespace picknext::io
