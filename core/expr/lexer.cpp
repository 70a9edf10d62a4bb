// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/expr/lexer.hpp"

#include <array>
#include <charconv>

#include <fmt/format.h>

#include "core/base/duration.hpp"
#include "core/expr/place.hpp"

namespace picknext::expr {
namespace {

constexpr bool is_digit(char c) { return c >= '0' && c <= '9'; }
constexpr bool is_letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_'; }
constexpr bool is_blank(char c) { return c == ' ' || c == '\t' || c == '\n' || c == '\r'; }

struct Sign {
    std::string_view text;
    TokenKind kind;
};
constexpr std::array signs{ // longer ones first
    Sign{"&&", TokenKind::both},    Sign{"||", TokenKind::either},     Sign{"==", TokenKind::equal}, Sign{"!=", TokenKind::not_equal},
    Sign{"<=", TokenKind::less_equal}, Sign{">=", TokenKind::greater_equal}, Sign{"<", TokenKind::less},   Sign{">", TokenKind::greater},
    Sign{"(", TokenKind::open},     Sign{")", TokenKind::close},       Sign{"{", TokenKind::open_set}, Sign{"}", TokenKind::close_set},
    Sign{",", TokenKind::comma},    Sign{".", TokenKind::dot},         Sign{"+", TokenKind::plus},   Sign{"-", TokenKind::minus},
    Sign{"*", TokenKind::times},    Sign{"/", TokenKind::divide},      Sign{"%", TokenKind::remainder}, Sign{"!", TokenKind::no},
};

class Lexer {
  public:
    explicit Lexer(std::string_view text) : m_text(text) {}

    Tokens run() {
        if (m_text.size() > longest_text) refuse(longest_text, "E-LIMIT", fmt::format("an expression has at most {} bytes", longest_text));
        while (!m_out.error) {
            while (m_at < m_text.size() && is_blank(m_text[m_at])) ++m_at;
            if (m_at == m_text.size()) break;
            token();
        }
        add(TokenKind::end, m_at, m_at);
        return std::move(m_out);
    }

  private:
    [[nodiscard]] char ahead(std::size_t n) const { return m_at + n < m_text.size() ? m_text[m_at + n] : '\0'; }
    void add(TokenKind kind, std::size_t begin, std::size_t end, std::int64_t value = 0) {
        m_out.tokens.push_back({kind, static_cast<std::uint32_t>(begin), static_cast<std::uint32_t>(end), value});
    }
    void refuse(std::size_t at, std::string code, std::string message) {
        m_out.error = error_at(m_text, at, std::move(code), std::move(message));
    }

    void token() {
        const char c = m_text[m_at];
        if (is_letter(c)) return word();
        if (is_digit(c)) return number();
        if (c == '"' || c == '\'') return text(c);
        for (const Sign& sign : signs) {
            if (!m_text.substr(m_at).starts_with(sign.text)) continue;
            add(sign.kind, m_at, m_at + sign.text.size());
            m_at += sign.text.size();
            return;
        }
        if (c == '=') return refuse(m_at, "E-SYNTAX", "\"=\" changes nothing here; a comparison is written \"==\"");
        if (c == '&' || c == '|') return refuse(m_at, "E-SYNTAX", fmt::format("conditions are joined by \"{0}{0}\"", c));
        std::size_t end = m_at + 1;
        while (end < m_text.size() && continues_code_point(m_text[end])) ++end;
        const bool printable = static_cast<unsigned char>(c) > ' ' && c != '\x7f';
        refuse(m_at, "E-SYNTAX", printable ? fmt::format("{} has no meaning here; names with signs stand in quotes", m_text.substr(m_at, end - m_at))
                                           : "a control character has no meaning here; leave it out");
    }

    void word() {
        const std::size_t begin = m_at;
        while (is_letter(ahead(0)) || is_digit(ahead(0))) ++m_at;
        add(TokenKind::word, begin, m_at);
    }

    /// Digits, or with a point or letters behind them a duration.
    void number() {
        const std::size_t begin = m_at;
        while (is_digit(ahead(0))) ++m_at;
        const bool whole = !is_letter(ahead(0)) && !(ahead(0) == '.' && is_digit(ahead(1)));
        if (!whole) {
            if (ahead(0) == '.') ++m_at;
            while (is_digit(ahead(0))) ++m_at;
            while (is_letter(ahead(0)) || is_digit(ahead(0))) ++m_at;
        }
        const std::string_view text = m_text.substr(begin, m_at - begin);
        if (!whole) {
            const Result<std::int64_t> ns = parse_duration(text);
            if (!ns) return refuse(begin, ns.error().code, ns.error().message);
            return add(TokenKind::duration, begin, m_at, *ns);
        }
        std::int64_t value = 0;
        if (std::from_chars(text.data(), text.data() + text.size(), value).ec != std::errc{})
            return refuse(begin, "E-RANGE", fmt::format("numbers go up to {}", INT64_MAX));
        add(TokenKind::integer, begin, m_at, value);
    }

    void text(char quote) {
        const std::size_t begin = ++m_at;
        while (m_at < m_text.size() && m_text[m_at] != quote) ++m_at;
        add(TokenKind::text, begin, m_at);
        if (m_at == m_text.size()) return refuse(begin - 1, "E-SYNTAX", fmt::format("the quote is never closed; put {} behind the name", quote));
        ++m_at;
    }

    std::string_view m_text;
    std::size_t m_at = 0;
    Tokens m_out;
};

} // namespace

Tokens lex(std::string_view text) { return Lexer(text).run(); }

} // namespace picknext::expr
