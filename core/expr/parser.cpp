// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/expr/parser.hpp"

#include <algorithm>
#include <optional>

#include <fmt/format.h>

#include "core/expr/place.hpp"

namespace picknext::expr {
namespace {

constexpr bool compares(TokenKind kind) { return kind >= TokenKind::equal && kind <= TokenKind::greater_equal; }

/// Each function returns a node, or no_node once an error is noted.
class Parser {
  public:
    Parser(std::string_view text, const std::vector<Token>& tokens) : m_text(text), m_tokens(tokens) {}

    Result<Syntax> run() {
        m_out.root = condition();
        if (!m_error && ahead().kind != TokenKind::end) left_over();
        if (m_error) return *m_error;
        return std::move(m_out);
    }

  private:
    [[nodiscard]] const Token& ahead(std::size_t n = 0) const { return m_tokens[std::min(m_at + n, m_tokens.size() - 1)]; }
    [[nodiscard]] std::string_view text_of(const Token& t) const { return m_text.substr(t.begin, t.end - t.begin); }
    [[nodiscard]] bool at_word(std::string_view word) const { return ahead().kind == TokenKind::word && text_of(ahead()) == word; }
    bool take(TokenKind kind) {
        if (ahead().kind != kind) return false;
        ++m_at;
        return true;
    }
    [[nodiscard]] std::uint32_t end_of_last() const { return m_at == 0 ? 0 : end_of(m_tokens[m_at - 1]); }
    /// A text token ends before its closing quote.
    [[nodiscard]] static std::uint32_t end_of(const Token& t) { return t.kind == TokenKind::text ? t.end + 1 : t.end; }

    std::int32_t refuse(std::size_t at, std::string code, std::string message) {
        if (!m_error) m_error = error_at(m_text, at, std::move(code), std::move(message));
        return no_node;
    }
    std::int32_t expected(std::string_view what) {
        const Token& t = ahead();
        if (t.kind == TokenKind::end) return refuse(m_text.size(), "E-SYNTAX", fmt::format("the expression ends here; {} is missing", what));
        return refuse(start_of(t), "E-SYNTAX", fmt::format("{} is expected here, not \"{}\"", what, text_of(t)));
    }
    [[nodiscard]] static std::uint32_t start_of(const Token& t) { return t.kind == TokenKind::text ? t.begin - 1 : t.begin; }
    void left_over() {
        const Token& t = ahead();
        if (compares(t.kind)) refuse(t.begin, "E-SYNTAX", "a comparison has two sides; join two comparisons by \"&&\"");
        else if (at_word("and") || at_word("or")) refuse(t.begin, "E-SYNTAX", "conditions are joined by \"&&\" and \"||\"");
        else expected("\"&&\", \"||\" or the end");
    }

    std::int32_t add(Node node) {
        m_out.nodes.push_back(node);
        return static_cast<std::int32_t>(m_out.nodes.size() - 1);
    }
    [[nodiscard]] Node& at(std::int32_t node) { return m_out.nodes[static_cast<std::size_t>(node)]; }
    /// A node over two others and the sign between them.
    std::int32_t join(Form form, std::int32_t first, const Token& sign, std::int32_t second) {
        if (first == no_node || second == no_node) return no_node;
        Node n{.form = form, .sign = sign.kind, .begin = at(first).begin, .end = end_of_last(), .word_begin = sign.begin, .word_end = sign.end};
        n.first = first;
        n.second = second;
        return add(n);
    }

    std::int32_t condition() {
        std::int32_t left = both();
        while (left != no_node && ahead().kind == TokenKind::either) {
            const Token sign = m_tokens[m_at++];
            left = join(Form::binary, left, sign, both());
        }
        return left;
    }
    std::int32_t both() {
        std::int32_t left = comparison();
        while (left != no_node && ahead().kind == TokenKind::both) {
            const Token sign = m_tokens[m_at++];
            left = join(Form::binary, left, sign, comparison());
        }
        return left;
    }
    std::int32_t comparison() {
        const std::int32_t left = sum();
        if (left == no_node) return left;
        const Token sign = ahead();
        if (compares(sign.kind)) {
            ++m_at;
            return join(Form::binary, left, sign, sum());
        }
        if (at_word("contains")) {
            ++m_at;
            return join(Form::contains, left, sign, sum());
        }
        if (at_word("in")) {
            ++m_at;
            return join(Form::in, left, sign, set());
        }
        return left;
    }
    std::int32_t sum() {
        std::int32_t left = product();
        while (left != no_node && (ahead().kind == TokenKind::plus || ahead().kind == TokenKind::minus)) {
            const Token sign = m_tokens[m_at++];
            left = join(Form::binary, left, sign, product());
        }
        return left;
    }
    std::int32_t product() {
        std::int32_t left = prefix();
        while (left != no_node && ahead().kind >= TokenKind::times && ahead().kind <= TokenKind::remainder) {
            const Token sign = m_tokens[m_at++];
            left = join(Form::binary, left, sign, prefix());
        }
        return left;
    }
    std::int32_t prefix() {
        if (m_depth == deepest_nesting) return refuse(start_of(ahead()), "E-LIMIT", fmt::format("more than {} levels deep; take it apart", deepest_nesting));
        const Token sign = ahead();
        if (sign.kind != TokenKind::minus && sign.kind != TokenKind::no) return members(primary());
        ++m_at;
        ++m_depth;
        const std::int32_t operand = prefix();
        --m_depth;
        if (operand == no_node) return operand;
        Node n{.form = sign.kind == TokenKind::minus ? Form::negative : Form::no, .begin = sign.begin, .end = end_of_last(),
               .word_begin = sign.begin, .word_end = sign.end};
        n.first = operand;
        return add(n);
    }
    std::int32_t members(std::int32_t base) {
        while (base != no_node && take(TokenKind::dot)) {
            const Token word = ahead();
            if (!take(TokenKind::word)) return expected("the name of a field");
            Node n{.form = Form::member, .begin = at(base).begin, .end = word.end, .word_begin = word.begin, .word_end = word.end};
            n.first = base;
            base = add(n);
        }
        return base;
    }
    std::int32_t primary() {
        const Token t = ahead();
        if (t.kind == TokenKind::open) {
            ++m_at;
            ++m_depth;
            const bool in_call = m_in_call;
            m_in_call = false;
            const std::int32_t inner = condition();
            m_in_call = in_call;
            --m_depth;
            if (inner == no_node) return inner;
            return take(TokenKind::close) ? inner : expected("\")\"");
        }
        if (t.kind == TokenKind::word) return word();
        return literal();
    }
    std::int32_t word() {
        const Token t = m_tokens[m_at++];
        Node n{.form = Form::word, .begin = t.begin, .end = t.end, .word_begin = t.begin, .word_end = t.end};
        const std::string_view text = text_of(t);
        if ((text == "cpu" || text == "llc") && ahead().kind == TokenKind::integer) {
            n.form = Form::call;
            n.first = literal();
            n.end = end_of_last();
            return add(n);
        }
        if (!take(TokenKind::open)) return add(n);
        n.form = Form::call;
        ++m_depth;
        const bool in_call = m_in_call;
        m_in_call = true;
        std::int32_t last = no_node;
        do {
            const std::int32_t argument = condition();
            if (argument == no_node) return no_node;
            (last == no_node ? n.first : at(last).next) = argument;
            last = argument;
        } while (take(TokenKind::comma));
        m_in_call = in_call;
        --m_depth;
        if (!take(TokenKind::close)) return expected("\",\" or \")\"");
        n.end = end_of_last();
        return add(n);
    }
    std::int32_t literal() {
        const Token t = ahead();
        Node n{.form = Form::integer, .begin = start_of(t), .end = end_of(t), .word_begin = t.begin, .word_end = t.end, .value = t.value};
        if (t.kind == TokenKind::duration) n.form = Form::duration;
        else if (t.kind == TokenKind::text) n.form = Form::text;
        else if (t.kind != TokenKind::integer) return expected("a field, a number, a name in quotes or \"(\"");
        ++m_at;
        return add(n);
    }

    /// One member of a set: a literal, a word, a range of numbers.
    std::int32_t member() {
        const std::int32_t low = bound();
        if (low == no_node || ahead().kind != TokenKind::minus) return low;
        const Token sign = m_tokens[m_at++];
        return join(Form::range, low, sign, bound());
    }
    std::int32_t bound() {
        if (at_word("any") || at_word("all")) return expected("a number, a name or a range");
        const Token sign = ahead();
        if (sign.kind == TokenKind::word) return members(word());
        if (!take(TokenKind::minus)) return literal();
        const std::int32_t number = literal();
        if (number == no_node) return number;
        if (at(number).form == Form::text) return refuse(sign.begin, "E-SYNTAX", "a name has no sign; leave \"-\" out");
        at(number).value = -at(number).value;
        at(number).begin = sign.begin;
        return number;
    }
    std::int32_t set() {
        const bool braces = take(TokenKind::open_set);
        const std::int32_t first = member();
        std::int32_t last = first;
        while (last != no_node && (braces || !m_in_call) && take(TokenKind::comma)) {
            const std::int32_t next = member();
            if (next == no_node) return next;
            at(last).next = next;
            last = next;
        }
        if (last == no_node) return no_node;
        if (braces && !take(TokenKind::close_set)) return expected("\",\" or \"}\"");
        return first;
    }

    std::string_view m_text;
    const std::vector<Token>& m_tokens;
    std::size_t m_at = 0;
    int m_depth = 0;
    bool m_in_call = false; // a comma parts arguments
    std::optional<Error> m_error;
    Syntax m_out;
};

} // namespace

Result<Syntax> parse(std::string_view text) {
    const Tokens tokens = lex(text);
    if (tokens.error) return *tokens.error;
    return Parser(text, tokens.tokens).run();
}

} // namespace picknext::expr
