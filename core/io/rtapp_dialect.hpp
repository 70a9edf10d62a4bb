// SPDX-License-Identifier: GPL-3.0-or-later
// The JSON that rt-app takes is wider than JSON: comments, trailing commas, single quotes and more. A filter rewrites
// it as plain JSON and remembers where each byte came from, so that there is one parser.
#pragma once

#include <string>

#include "core/base/result.hpp"
#include "core/io/document.hpp"
#include "core/io/json_reader.hpp"

namespace picknext::io {

struct Rewritten {
    std::string text;
    OffsetMap map;
};

/// Notes once per kind what was not plain JSON (N-DIALECT); missing commas at a line end are warnings (W-COMMA), a
/// "suspend" without a value a note (N-SUSPEND). Errors: as check_encoding, and E-TEMPLATE for __NAME__ placeholders.
/// What rt-app itself refuses is passed on to the parser.
[[nodiscard]] Result<Rewritten> rewrite_rtapp(const Source& source, Report& report);

/// rewrite_rtapp and parse.
[[nodiscard]] Result<JsonValue> parse_rtapp(const Source& source, Report& report);

} // namespace picknext::io
