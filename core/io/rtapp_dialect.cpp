// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/io/rtapp_dialect.hpp"

#include <algorithm>
#include <array>
#include <optional>
#include <vector>

#include <fmt/ranges.h>

namespace picknext::io {
namespace {

enum class Quirk : std::uint8_t { comments, trailing_comma, single_quotes, letter_case, leading_zeros, raw_newline, trailing_text, count };
constexpr std::array quirk_names{"comments", "trailing commas", "single quotes", "True or False", "leading zeros",
                                 "line breaks in strings", "text after the end"};
static_assert(quirk_names.size() == static_cast<std::size_t>(Quirk::count));

bool is_blank(char c) { return c == ' ' || c == '\t' || c == '\n' || c == '\r'; }
bool is_digit(char c) { return c >= '0' && c <= '9'; }
bool is_word(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_' || is_digit(c); }

class Filter {
  public:
    Filter(const Source& source, Report& report) : m_source(source), m_report(report), m_in(source.text()) {}

    Result<Rewritten> run(std::size_t start) {
        m_at = start;
        keep_place();
        while (m_at < m_in.size() && !m_error && !m_finished) token();
        if (m_error) return *m_error;
        flush_comma();
        note_quirks();
        return std::move(m_out);
    }

  private:
    enum class Last : std::uint8_t { nothing, open, value, key, colon, comma }; // what was written last

    void token() {
        const char c = m_in[m_at];
        if (is_blank(c)) return blank(c);
        if (m_in.substr(m_at, 2) == "//" || m_in.substr(m_at, 2) == "/*") return comment();
        if (c == ',') return comma();
        if (c == ':') {
            flush_comma();
            m_last = Last::colon;
            return copy();
        }
        if (c == '}' || c == ']') return close();
        before_value();
        if (c == '{' || c == '[') return open(c);
        if (c == '"' || c == '\'') return string(c);
        if (is_digit(c) || c == '-') return number();
        if (is_word(c)) return word();
        m_last = Last::value;
        copy();
    }

    // Output.
    void keep_place() { m_out.map.emplace_back(m_out.text.size(), m_at); }
    void copy() { m_out.text += m_in[m_at++]; }
    void quirk(Quirk q) {
        if (m_quirks[static_cast<std::size_t>(q)] == std::string_view::npos) m_quirks[static_cast<std::size_t>(q)] = m_at;
    }

    void blank(char c) {
        m_line_break = m_line_break || c == '\n';
        copy();
    }
    void comment() {
        quirk(Quirk::comments);
        const bool block = m_in[m_at + 1] == '*';
        std::size_t end = block ? m_in.find("*/", m_at + 2) : m_in.find('\n', m_at);
        if (block && end == std::string_view::npos) { // the parser complains
            m_out.text += m_in.substr(m_at);
            m_at = m_in.size();
            return;
        }
        end = std::min(end, m_in.size()) + (block ? 2 : 0);
        m_line_break = m_line_break || m_in.substr(m_at, end - m_at).find('\n') != std::string_view::npos;
        m_at = std::min(end, m_in.size());
        m_out.text += ' ';
        keep_place();
    }

    /// A comma waits until it is known not to be the last one before a bracket.
    void comma() {
        flush_comma();
        if (m_last == Last::key) key_without_value();
        m_comma = m_at++;
        keep_place();
    }
    void flush_comma() {
        if (!m_comma) return;
        m_out.map.emplace_back(m_out.text.size(), *m_comma);
        m_out.text += ',';
        keep_place();
        m_comma.reset();
        m_last = Last::comma;
    }
    void drop_comma() {
        const bool trailing = m_comma && (m_last == Last::value);
        if (!trailing) return flush_comma();
        const std::size_t here = m_at;
        m_at = *m_comma;
        quirk(Quirk::trailing_comma);
        m_at = here;
        m_comma.reset();
    }
    void before_value() {
        const bool missing = !m_comma && m_last == Last::value && m_line_break && !m_open.empty();
        flush_comma();
        if (!missing) return;
        m_report.push_back({Severity::warning, "W-COMMA", m_source.place(m_at), "a comma is missing at the end of the line before; it was put there (rt-app refuses the file)", 1});
        m_out.text += ',';
        keep_place();
        m_last = Last::comma;
    }
    /// "suspend", in rt-app's own video examples: its helper fills in the name of the task.
    void key_without_value() {
        if (!m_key.starts_with("suspend")) return;
        m_report.push_back({Severity::note, "N-SUSPEND", m_source.place(m_at), "\"suspend\" has no value here; it suspends its own task anyway", 1});
        m_out.text += ":null";
        keep_place();
        m_last = Last::value;
    }

    void open(char c) {
        m_open.push_back(c);
        m_last = Last::open;
        m_line_break = false;
        copy();
    }
    void close() {
        if (m_last == Last::key && !m_comma) key_without_value();
        drop_comma();
        if (!m_open.empty()) m_open.pop_back();
        m_last = Last::value;
        m_line_break = false;
        copy();
        if (m_open.empty()) end_of_root();
    }
    void end_of_root() {
        m_finished = true;
        if (std::all_of(m_in.begin() + static_cast<std::ptrdiff_t>(m_at), m_in.end(), is_blank)) return;
        if (skip_insignificant(m_in, m_at).to < m_in.size()) quirk(Quirk::trailing_text);
    }

    void string(char quote) {
        if (quote == '\'') quirk(Quirk::single_quotes);
        const bool key = !m_open.empty() && m_open.back() == '{' && m_last != Last::colon;
        m_out.text += '"';
        ++m_at;
        const std::size_t begin = m_at;
        while (m_at < m_in.size() && m_in[m_at] != quote) character(quote);
        m_key = m_in.substr(begin, m_at - begin);
        if (m_at < m_in.size()) {
            m_out.text += '"';
            ++m_at;
        }
        m_last = key ? Last::key : Last::value;
        m_line_break = false;
    }
    void character(char quote) {
        const char c = m_in[m_at];
        if (c == '\\' && m_at + 1 < m_in.size()) {
            if (m_in[m_at + 1] == '\'') {
                ++m_at;
                keep_place();
            } else {
                copy();
            }
            return copy();
        }
        if (quote == '\'' && c == '"') m_out.text += '\\';
        else if (static_cast<unsigned char>(c) < 0x20) {
            quirk(Quirk::raw_newline);
            m_out.text += fmt::format("\\u{:04x}", static_cast<unsigned>(c));
            ++m_at;
            return keep_place();
        }
        copy();
        if (quote == '\'' && c == '"') keep_place();
    }

    void number() {
        if (m_in[m_at] == '-') copy();
        std::size_t zeros = 0;
        while (m_at + zeros + 1 < m_in.size() && m_in[m_at + zeros] == '0' && is_digit(m_in[m_at + zeros + 1])) ++zeros;
        if (zeros > 0) {
            quirk(Quirk::leading_zeros);
            m_at += zeros;
            keep_place();
        }
        while (m_at < m_in.size() && (is_word(m_in[m_at]) || m_in[m_at] == '.' || m_in[m_at] == '+' || m_in[m_at] == '-')) copy();
        m_last = Last::value;
        m_line_break = false;
    }

    void word() {
        std::size_t end = m_at;
        while (end < m_in.size() && is_word(m_in[end])) ++end;
        const std::string_view token = m_in.substr(m_at, end - m_at);
        if (token.size() > 4 && token.starts_with("__") && token.ends_with("__")) {
            m_error = Error{"E-TEMPLATE", m_source.place(m_at),
                            fmt::format("{} is a placeholder of a template; let the tool it belongs to fill it in, or write a value", token)};
            return;
        }
        std::string lower(token);
        for (char& c : lower)
            if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
        const bool literal = lower == "true" || lower == "false" || lower == "null";
        if (literal && lower != token) quirk(Quirk::letter_case);
        m_out.text += literal ? std::string_view{lower} : token;
        m_at = end;
        m_last = Last::value;
        m_line_break = false;
    }

    void note_quirks() {
        std::vector<std::string_view> found;
        std::size_t first = m_in.size();
        for (std::size_t q = 0; q < m_quirks.size(); ++q)
            if (m_quirks[q] != std::string_view::npos) {
                found.push_back(quirk_names[q]);
                first = std::min(first, m_quirks[q]);
            }
        if (!found.empty())
            m_report.push_back({Severity::note, "N-DIALECT", m_source.place(first), fmt::format("not plain JSON, read as rt-app does: {}", fmt::join(found, ", ")), 1});
    }

    const Source& m_source;
    Report& m_report;
    std::string_view m_in;
    std::size_t m_at = 0;
    Rewritten m_out;
    std::vector<char> m_open;
    std::optional<std::size_t> m_comma; // one that waits
    Last m_last = Last::nothing;
    bool m_line_break = false;          // since the last token
    bool m_finished = false;
    std::string_view m_key;             // the last string
    std::array<std::size_t, static_cast<std::size_t>(Quirk::count)> m_quirks = [] {
        std::array<std::size_t, static_cast<std::size_t>(Quirk::count)> none{};
        none.fill(std::string_view::npos);
        return none;
    }();
    std::optional<Error> m_error;
};

} // namespace

Result<Rewritten> rewrite_rtapp(const Source& source, Report& report) {
    if (source.text().empty()) return Error{"E-EMPTY", source.place(0), "the file is empty"};
    if (source.text().size() > max_json_bytes)
        return Error{"E-SIZE", source.place(0), fmt::format("{} bytes; at most {} are read", source.text().size(), max_json_bytes)};
    const Result<std::size_t> mark = check_encoding(source);
    if (!mark) return mark.error();
    if (*mark > 0) report.push_back({Severity::note, "N-BOM", source.place(*mark), "a byte order mark was skipped (rt-app refuses it)", 1});
    return Filter(source, report).run(*mark);
}

Result<JsonValue> parse_rtapp(const Source& source, Report& report) {
    const Result<Rewritten> plain = rewrite_rtapp(source, report);
    if (!plain) return plain.error();
    return parse_rewritten_json(source, plain->text, plain->map);
}

} // namespace picknext::io
