// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/io/json_reader.hpp"

#include <algorithm>
#include <cctype>
#include <iterator>
#include <optional>
#include <unordered_map>

#include <nlohmann/json.hpp>

#include "core/io/json_pointer.hpp"

namespace picknext::io {
namespace {

/// An input iterator that tells how far the library has read: its callbacks carry no position.
struct CountingIterator {
    using iterator_category = std::input_iterator_tag;
    using value_type = char;
    using difference_type = std::ptrdiff_t;
    using pointer = const char*;
    using reference = const char&;

    const char* at = nullptr;
    const char** reached = nullptr;

    reference operator*() const { return *at; }
    CountingIterator& operator++() {
        ++at;
        *reached = at;
        return *this;
    }
    CountingIterator operator++(int) {
        CountingIterator old = *this;
        ++*this;
        return old;
    }
    friend bool operator==(const CountingIterator& a, const CountingIterator& b) { return a.at == b.at; }
};

/// Receives the library's callbacks and grows the tree.
class TreeBuilder {
  public:
    TreeBuilder(const Source& source, std::string_view plain, const OffsetMap& map)
        : m_source(source), m_text(plain), m_map(map), m_reached(plain.data()) {}

    [[nodiscard]] CountingIterator begin() { return {m_text.data(), &m_reached}; }
    [[nodiscard]] CountingIterator end() { return {m_text.data() + m_text.size(), &m_reached}; }
    [[nodiscard]] const std::optional<Error>& error() const { return m_error; }
    [[nodiscard]] bool comments() const { return m_comments; }
    [[nodiscard]] JsonValue take() { return std::move(m_root); }

    // The library's interface.
    bool null() { return leaf(JsonValue{}); }
    bool boolean(bool value) { return leaf(JsonValue::of(value)); }
    bool number_integer(std::int64_t value) { return leaf(JsonValue::of(value), true); }
    bool number_unsigned(std::uint64_t value) { return leaf(JsonValue::of(value), true); }
    bool number_float(double, const std::string& token) {
        JsonValue v;
        v.kind = JsonValue::Kind::real;
        v.text = token;
        return leaf(std::move(v), true);
    }
    bool string(std::string& value) {
        if (value.size() > max_json_string) return too_long(value.size());
        return leaf(JsonValue::of(std::string_view{value}));
    }
    bool binary(nlohmann::json::binary_t&) { return false; } // JSON text has none
    bool start_object(std::size_t) { return open(JsonValue::object()); }
    bool start_array(std::size_t) { return open(JsonValue::array()); }
    bool end_object() { return close(); }
    bool end_array() { return close(); }
    bool key(std::string& name) {
        if (name.size() > max_json_string) return too_long(name.size());
        Frame& top = m_open.back();
        const std::size_t at = origin(token_start());
        const int occurrence = ++top.keys[name];
        top.value->members.push_back(JsonMember{name, at, occurrence, {}});
        m_after_key = true;
        m_done = reached();
        return true;
    }
    bool parse_error(std::size_t, const std::string&, const nlohmann::detail::exception& problem) {
        if (problem.id == 406) // out_of_range of a number
            return fail("E-RANGE", token_start(), "this number is too large to be read");
        return syntax_error();
    }

  private:
    struct Frame {
        JsonValue* value;
        std::unordered_map<std::string, int> keys; // how often each key came
    };

    [[nodiscard]] std::size_t reached() const { return static_cast<std::size_t>(m_reached - m_text.data()); }
    /// The token whose callback runs begins after the last one's end and what separates them.
    [[nodiscard]] std::size_t token_start() {
        const Skipped skipped = skip_insignificant(m_text, m_done);
        m_comments = m_comments || skipped.comment;
        return skipped.to;
    }
    /// After a number the library has read one byte too far, unless the text ends there: find its end ourselves.
    [[nodiscard]] std::size_t number_end(std::size_t at) const {
        const auto here = [&](char c) { return at < m_text.size() && m_text[at] == c; };
        const auto digits = [&] {
            while (at < m_text.size() && std::isdigit(static_cast<unsigned char>(m_text[at])) != 0) ++at;
        };
        if (here('-')) ++at;
        if (here('0')) ++at;
        else digits();
        if (here('.')) {
            ++at;
            digits();
        }
        if (here('e') || here('E')) {
            ++at;
            if (here('+') || here('-')) ++at;
            digits();
        }
        return at;
    }

    [[nodiscard]] std::size_t origin(std::size_t offset) const {
        if (m_map.empty()) return offset;
        auto after = std::upper_bound(m_map.begin(), m_map.end(), offset, [](std::size_t o, const auto& entry) { return o < entry.first; });
        if (after == m_map.begin()) return offset;
        --after;
        return after->second + (offset - after->first);
    }

    bool fail(std::string code, std::size_t offset, std::string message) {
        if (!m_error) m_error = Error{std::move(code), m_source.place(origin(offset), pointer()), std::move(message)};
        return false;
    }
    bool too_long(std::size_t size) {
        return fail("E-LIMIT", token_start(), fmt::format("a text of {} bytes; at most {} are allowed", size, max_json_string));
    }

    /// Puts the value where it belongs; null when a limit is reached.
    JsonValue* place(JsonValue value) {
        value.at = origin(token_start());
        m_after_key = false;
        if (++m_values > max_json_values) {
            fail("E-LIMIT", token_start(), fmt::format("more than {} values", max_json_values));
            return nullptr;
        }
        if (m_open.empty()) {
            m_root = std::move(value);
            m_have_root = true;
            return &m_root;
        }
        JsonValue& parent = *m_open.back().value;
        if (parent.kind == JsonValue::Kind::array) {
            parent.items.push_back(std::move(value));
            return &parent.items.back();
        }
        parent.members.back().value = std::move(value);
        return &parent.members.back().value;
    }
    bool leaf(JsonValue value, bool number = false) {
        if (place(std::move(value)) == nullptr) return false;
        m_done = number ? number_end(token_start()) : reached();
        return true;
    }
    bool open(JsonValue value) {
        if (m_open.size() >= max_json_nesting)
            return fail("E-DEPTH", token_start(), fmt::format("nested deeper than {} levels", max_json_nesting));
        JsonValue* placed = place(std::move(value));
        if (placed == nullptr) return false;
        m_open.push_back(Frame{placed, {}});
        m_done = reached();
        return true;
    }
    bool close() {
        (void)token_start();
        m_open.pop_back();
        m_done = reached();
        return true;
    }

    [[nodiscard]] std::string pointer() const {
        std::string out;
        for (const Frame& frame : m_open) {
            if (frame.value->kind == JsonValue::Kind::array) {
                if (!frame.value->items.empty()) append_index(out, frame.value->items.size() - 1);
            } else if (!frame.value->members.empty()) {
                append_key(out, frame.value->members.back().key, frame.value->members.back().occurrence);
            }
        }
        return out;
    }

    bool syntax_error() {
        const Skipped skipped = skip_insignificant(m_text, m_done);
        const std::size_t at = skipped.to;
        if (at >= m_text.size()) return ends_early(at);
        if (reached() <= at) return separator_error(reached() - 1); // the library stopped before that token
        if (m_text[at] == '"') return string_error(at, skipped);
        const std::string token = word(at);
        if (!token.empty() && at + token.size() == m_text.size() && !m_open.empty()) return fail("E-TRUNCATED", at, "the text ends inside this word");
        return fail("E-SYNTAX", at, what_is_wrong(at, skipped));
    }
    bool ends_early(std::size_t at) {
        if (m_open.empty()) return fail("E-EMPTY", at, "there is nothing in this file but white space");
        const JsonValue& inner = *m_open.back().value;
        return fail("E-TRUNCATED", at,
                    fmt::format("the text ends before the {} that begins in line {} is closed",
                                inner.kind == JsonValue::Kind::array ? "array" : "object", m_source.line(inner.at)));
    }
    bool separator_error(std::size_t at) {
        if (m_after_key) return fail("E-SYNTAX", at, fmt::format("key \"{}\" has no value", m_open.back().value->members.back().key));
        return fail("E-SYNTAX", at, m_text[at] == ',' ? "a comma too many stands here" : "a colon is not expected here");
    }
    bool string_error(std::size_t at, const Skipped& before) {
        std::size_t end = at + 1;
        while (end < m_text.size() && m_text[end] != '"') {
            if (static_cast<unsigned char>(m_text[end]) < 0x20)
                return fail("E-SYNTAX", end, "a line break or control character stands inside a string; write it as \\n or \\u00xx");
            end += m_text[end] == '\\' ? 2 : 1;
        }
        if (end >= m_text.size()) return fail("E-TRUNCATED", at, "the text ends inside this string");
        if (reached() <= end) return fail("E-SYNTAX", reached() - 1, "this escape is not known; a backslash in a text is written \\\\");
        return fail("E-SYNTAX", at, what_is_wrong(at, before));
    }

    [[nodiscard]] std::string what_is_wrong(std::size_t at, const Skipped& before) const {
        const char c = m_text[at];
        const char previous = at > 0 ? m_text[at - 1] : ' ';
        if (m_text.substr(at, 2) == "/*") return "this comment is not closed";
        if (m_have_root && m_open.empty()) return "text stands after the end of the JSON value";
        if (m_after_key && !before.colon) return "a colon is missing before this";
        if (c == '}' || c == ']') {
            if (m_after_key) return "the value of this key is missing";
            if (m_open.empty()) return fmt::format("\"{}\" closes nothing that is open", c);
            const bool array = m_open.back().value->kind == JsonValue::Kind::array;
            if (array != (c == ']')) return fmt::format("\"{}\" stands here, but the {} of line {} is still open", c, array ? "array" : "object",
                                                        m_source.line(m_open.back().value->at));
            return "a comma stands before the closing bracket; remove it";
        }
        if (c == '\'') return "text stands in double quotes, not in single ones";
        const std::string token = word(at);
        if (at == m_done && std::isdigit(static_cast<unsigned char>(previous)) != 0 && !token.empty())
            return previous == '0' && std::isdigit(static_cast<unsigned char>(c)) != 0
                       ? "a number may not begin with 0"
                       : "this is no JSON number; write plain decimal digits";
        if (token == "NaN" || token == "nan" || token == "Infinity" || token == "inf" || token == "-Infinity")
            return fmt::format("{} is no JSON number", token);
        if (token == "True" || token == "False" || token == "None")
            return fmt::format("\"{}\" is written in small letters in JSON (true, false, null)", token);
        if (c == '+' || c == '.') return fmt::format("a number may not begin with \"{}\"", c);
        if (c == '#') return "comments are written // or /* */";
        const bool after_value = !m_open.empty() && !before.comma && !before.colon && has_children();
        if (after_value) return "a comma is missing before this";
        if (!token.empty() && std::isalpha(static_cast<unsigned char>(c)) != 0)
            return fmt::format("\"{}\" is no JSON value; text stands in double quotes", token);
        return fmt::format("\"{}\" is not expected here", token.empty() ? std::string(m_text.substr(at, std::max<std::size_t>(utf8_length(m_text.substr(at)), 1))) : token);
    }
    [[nodiscard]] bool has_children() const {
        const JsonValue& inner = *m_open.back().value;
        return !inner.items.empty() || !inner.members.empty();
    }
    [[nodiscard]] std::string word(std::size_t at) const {
        std::size_t end = at;
        while (end < m_text.size() && end < at + 40 &&
               (std::isalnum(static_cast<unsigned char>(m_text[end])) != 0 || m_text[end] == '_' || (end == at && m_text[end] == '-')))
            ++end;
        return std::string(m_text.substr(at, end - at));
    }

    const Source& m_source;
    std::string_view m_text;
    const OffsetMap& m_map;
    const char* m_reached;
    std::size_t m_done = 0;   // end of the last token announced
    std::size_t m_values = 0;
    bool m_have_root = false;
    bool m_after_key = false; // a key came, its value not yet
    bool m_comments = false;
    JsonValue m_root;
    std::vector<Frame> m_open;
    std::optional<Error> m_error;
};

Result<JsonValue> parse(const Source& source, std::string_view plain, const OffsetMap& map, bool& comments) {
    TreeBuilder builder(source, plain, map);
    try {
        constexpr bool strict = true;
        constexpr bool ignore_comments = true;
        const bool good = nlohmann::json::sax_parse(builder.begin(), builder.end(), &builder, nlohmann::json::input_format_t::json,
                                                    strict, ignore_comments);
        if (!good && !builder.error()) return Error{"E-SYNTAX", source.place(0), "this is not JSON"};
    } catch (const nlohmann::json::exception&) {
        return Error{"E-SYNTAX", source.place(0), "this is not JSON"};
    }
    if (builder.error()) return *builder.error();
    comments = builder.comments();
    return builder.take();
}

} // namespace

Skipped skip_insignificant(std::string_view text, std::size_t from) {
    Skipped s{from};
    while (s.to < text.size()) {
        const char c = text[s.to];
        if (c == ',') s.comma = true;
        else if (c == ':') s.colon = true;
        else if (text.substr(s.to, 2) == "//") {
            s.comment = true;
            s.to = std::min(text.find('\n', s.to), text.size());
            continue;
        } else if (text.substr(s.to, 2) == "/*") {
            s.comment = true;
            const std::size_t end = text.find("*/", s.to + 2);
            if (end == std::string_view::npos) break;
            s.to = end + 2;
            continue;
        } else if (c != ' ' && c != '\t' && c != '\n' && c != '\r') {
            break;
        }
        ++s.to;
    }
    return s;
}

Result<JsonValue> parse_json(const Source& source, Report& report) {
    const std::string_view text = source.text();
    if (text.empty()) return Error{"E-EMPTY", source.place(0), "the file is empty"};
    if (text.size() > max_json_bytes)
        return Error{"E-SIZE", source.place(0), fmt::format("{} bytes; at most {} are read", text.size(), max_json_bytes)};
    const Result<std::size_t> mark = check_encoding(source);
    if (!mark) return mark.error();
    OffsetMap map;
    if (*mark > 0) {
        map.emplace_back(0, *mark);
        report.push_back({Severity::note, "N-BOM", source.place(*mark), "a byte order mark was skipped", 1});
    }
    bool comments = false;
    Result<JsonValue> root = parse(source, text.substr(*mark), map, comments);
    if (root && comments)
        report.push_back({Severity::note, "N-COMMENT", source.place(root->at), "comments are read over, and lost when the file is saved", 1});
    return root;
}

Result<JsonValue> parse_rewritten_json(const Source& source, std::string_view plain, const OffsetMap& map) {
    bool comments = false;
    return parse(source, plain, map, comments);
}

} // namespace picknext::io
