// SPDX-License-Identifier: GPL-3.0-or-later
// What a text is, by its content.
#include <array>

#include "core/io/document.hpp"
#include "core/io/json_reader.hpp"

namespace picknext::io {
namespace {

/// The quoted word stands in the text as a key: followed by a colon.
bool has_key(std::string_view text, std::string_view quoted) {
    for (std::size_t at = text.find(quoted); at != std::string_view::npos; at = text.find(quoted, at + 1)) {
        const std::size_t after = text.find_first_not_of(" \t\r\n", at + quoted.size());
        if (after != std::string_view::npos && text[after] == ':') return true;
    }
    return false;
}

Format native_or_rtapp(std::string_view text) {
    constexpr std::array kinds{std::pair{std::string_view{"\"picknext-topology/"}, Format::topology},
                               std::pair{std::string_view{"\"picknext-workload/"}, Format::workload},
                               std::pair{std::string_view{"\"picknext-scenario/"}, Format::scenario},
                               std::pair{std::string_view{"\"picknext-costs/"}, Format::costs},
                               std::pair{std::string_view{"\"picknext-packet/"}, Format::packet}};
    // The envelope comes first; inlined parts have envelopes of their own further down.
    std::size_t first = std::string_view::npos;
    Format found = Format::unknown;
    for (const auto& [mark, format] : kinds)
        if (const std::size_t at = text.find(mark); at < first) {
            first = at;
            found = format;
        }
    if (found != Format::unknown) return found;
    if (has_key(text, "\"tasks\"") || has_key(text, "'tasks'") || has_key(text, "\"threads\"")) return Format::rtapp;
    return Format::unknown;
}

} // namespace

Format detect(std::string_view text) {
    if (text.starts_with("\xef\xbb\xbf")) text.remove_prefix(3);
    const std::size_t first = skip_insignificant(text, 0).to;
    const std::string_view body = text.substr(first);
    if (body.starts_with("<?xml") || body.starts_with("<!DOCTYPE topology") || body.starts_with("<topology")) return Format::hwloc_xml;
    return body.starts_with('{') ? native_or_rtapp(body) : Format::unknown;
}

} // namespace picknext::io
