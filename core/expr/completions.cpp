// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/expr/completions.hpp"

#include <algorithm>
#include <array>
#include <optional>

#include <fmt/format.h>

#include "core/expr/fields.hpp"
#include "core/expr/lexer.hpp"
#include "core/expr/names.hpp"
#include "core/expr/place.hpp"

namespace picknext::expr {
namespace {

constexpr std::array operators{
    std::pair<std::string_view, std::string_view>{"==", "is equal"},
    std::pair<std::string_view, std::string_view>{"!=", "is another; false where there is no value"},
    std::pair<std::string_view, std::string_view>{"<", "is less"},
    std::pair<std::string_view, std::string_view>{"<=", "is less or equal"},
    std::pair<std::string_view, std::string_view>{">", "is greater"},
    std::pair<std::string_view, std::string_view>{">=", "is greater or equal"},
    std::pair<std::string_view, std::string_view>{"in", "is one of: cpu in 0-3,8"},
    std::pair<std::string_view, std::string_view>{"contains", "behind checks or a mask: has this one"},
    std::pair<std::string_view, std::string_view>{"&&", "and"},
    std::pair<std::string_view, std::string_view>{"||", "or"},
};

class Completer {
  public:
    Completer(std::string_view text, const Scenario& scenario) : m_text(text), m_scenario(scenario), m_tokens(lex(text).tokens) {
        m_tokens.pop_back(); // the end
    }

    Completions run() {
        std::size_t begun = m_text.size(); // byte where what is begun begins
        if (!m_tokens.empty()) {
            const Token& last = m_tokens.back();
            const bool open_quote = last.kind == TokenKind::text && last.end == m_text.size();
            if ((last.kind == TokenKind::word && last.end == m_text.size()) || open_quote) {
                m_quoted = open_quote;
                begun = open_quote ? last.begin - 1 : last.begin;
                m_prefix = m_text.substr(last.begin, last.end - last.begin);
                m_tokens.pop_back();
            }
        }
        if (const std::size_t n = m_tokens.size(); !m_quoted && n >= 3 && m_tokens[n - 1].kind == TokenKind::dot && m_tokens[n - 2].kind == TokenKind::word &&
                                                   m_tokens[n - 3].kind != TokenKind::dot && !type_before(n - 1)) { // place. of place.scan_idle
            begun = m_tokens[n - 2].begin;
            m_prefix = m_text.substr(begun);
            m_tokens.resize(n - 2);
        }
        m_out.from = column_at(m_text, begun);
        propose();
        return std::move(m_out);
    }

  private:
    [[nodiscard]] std::string_view text_of(std::size_t i) const { return m_text.substr(m_tokens[i].begin, m_tokens[i].end - m_tokens[i].begin); }
    [[nodiscard]] bool is_word(std::size_t i, std::string_view word) const { return m_tokens[i].kind == TokenKind::word && text_of(i) == word; }

    void propose() {
        const std::size_t n = m_tokens.size();
        if (n == 0) return operand();
        switch (m_tokens[n - 1].kind) {
        case TokenKind::dot: return fields(type_before(n - 1));
        case TokenKind::open: return n >= 2 && m_tokens[n - 2].kind == TokenKind::word ? argument(text_of(n - 2)) : operand();
        case TokenKind::open_set:
        case TokenKind::comma: return member();
        case TokenKind::close:
        case TokenKind::close_set:
        case TokenKind::integer:
        case TokenKind::duration:
        case TokenKind::text: return signs();
        case TokenKind::word:
            if (is_word(n - 1, "in") || is_word(n - 1, "contains")) return beside(type_before(n - 1));
            if (is_word(n - 1, "cpu") && !m_quoted) cpus("");
            return signs();
        default: break;
        }
        if (m_tokens[n - 1].kind >= TokenKind::equal) return beside(type_before(n - 1));
        operand();
    }

    void add(std::string_view text, std::string_view meaning) {
        if (!m_quoted && text.starts_with('"') && !m_prefix.empty()) return;
        const std::string_view bare = m_quoted && text.starts_with('"') ? text.substr(1) : text;
        if (m_quoted && bare.size() == text.size()) return;
        if (!bare.starts_with(m_prefix)) return;
        m_out.candidates.push_back({std::string(text), std::string(meaning)});
    }
    void add_field(const Field& f) {
        std::string meaning(f.meaning);
        if (!f.unit.empty()) meaning += fmt::format(" [{}]", f.unit);
        if (!f.kernel.empty()) meaning += fmt::format(" ({})", f.kernel);
        add(f.name, meaning);
    }
    void operand() {
        for (const Field& f : field_table())
            if (f.owner == Owner::decision) add_field(f);
        for (const Function& f : function_table()) add(f.call, f.meaning);
    }
    void fields(std::optional<Type> type) {
        if (!type) return;
        for (const Field& f : field_table()) {
            const bool fits = (f.owner == Owner::task && (type == Type::task || type == Type::outcome)) || (f.owner == Owner::cpu && (type == Type::cpu || type == Type::outcome)) ||
                              (f.owner == Owner::llc && type == Type::llc) || (f.owner == Owner::group && type == Type::group);
            if (fits) add_field(f);
        }
        if (type == Type::check)
            for (const std::string_view part : {"left", "right", "margin", "passed", "subject"}) add(part, "a part of the check");
    }
    void argument(std::string_view call) {
        if (call == "task") return tasks();
        if (call == "group") return groups();
        if (call == "check") return names(Type::check);
        if (call == "mask") {
            llcs();
            return add("nohz", "nohz.idle_cpus_mask");
        }
        if (call == "llc") return llcs();
        if (call == "any" || call == "all") {
            add("cpu", "over the online CPUs; cpu in {0-3,8} over these");
            return add("task", "over the tasks that have not ended; task in \"a*\" over these");
        }
        if (call == "rq" || call == "cpu") cpus("");
        operand();
    }
    /// Behind a comma: a set goes on, or the next argument begins.
    void member() {
        std::size_t depth = 0;
        for (std::size_t i = m_tokens.size() - 1; i-- > 0;) {
            if (m_tokens[i].kind == TokenKind::close) ++depth;
            if (m_tokens[i].kind == TokenKind::open && depth-- == 0) break;
            if (depth == 0 && is_word(i, "in")) {
                beside(type_before(i));
                break;
            }
        }
        if (m_tokens.back().kind == TokenKind::comma) operand();
    }
    /// What a value of this type is compared with.
    void beside(std::optional<Type> type) {
        if (!type) return operand();
        switch (*type) {
        case Type::task: tasks(); break;
        case Type::group: groups(); break;
        case Type::outcome:
            cpus("cpu ");
            tasks();
            names(Type::condition);
            add("none", "nobody");
            break;
        case Type::mask:
        case Type::cpu: cpus("cpu "); break;
        case Type::checks: names(Type::check); break;
        default: names(*type);
        }
        if (names_of(*type).empty() || *type == Type::cpu || *type == Type::task) operand();
    }
    void names(Type type) {
        for (const Name& n : names_of(type)) {
            add(n.name, n.meaning);
            if (m_quoted) add(fmt::format("\"{}\"", n.name), n.meaning);
        }
    }
    void tasks() {
        for (const std::string& name : task_names(m_scenario.workload)) add(fmt::format("\"{}\"", name), "a task of the workload");
        names(Type::task);
    }
    void groups() {
        for (const std::string& path : group_paths(engine::make_plan(m_scenario))) add(fmt::format("\"{}\"", path), "a task group");
    }
    void cpus(std::string_view before) {
        for (const Cpu& cpu : m_scenario.machine.cpus) add(fmt::format("{}{}", before, cpu.number), "a CPU of the machine");
    }
    void llcs() {
        for (std::size_t i = 0; i < m_scenario.machine.llc_span.size(); ++i)
            add(fmt::format("llc {}", i), fmt::format("CPUs {}", cpu_list(m_scenario.machine, m_scenario.machine.llc_span[i])));
    }
    void signs() {
        for (const auto& [sign, meaning] : operators) add(sign, meaning);
    }

    /// The type of the operand that ends before a token, as far as words tell.
    [[nodiscard]] std::optional<Type> type_before(std::size_t end) const {
        if (end == 0) return std::nullopt;
        const Token& last = m_tokens[end - 1];
        if (last.kind == TokenKind::word) {
            const std::string_view word = text_of(end - 1);
            if (end < 2 || m_tokens[end - 2].kind != TokenKind::dot) {
                const Field* field = find_field(Owner::decision, word);
                return field != nullptr ? std::optional(field->type) : std::nullopt;
            }
            const std::optional<Type> of = type_before(end - 2);
            for (const Field& f : field_table()) {
                const bool fits = (f.owner == Owner::task && of == Type::task) || (f.owner == Owner::cpu && of == Type::cpu) || (f.owner == Owner::llc && of == Type::llc) ||
                                  (f.owner == Owner::group && of == Type::group);
                if (fits && f.name == word) return f.type;
            }
            return std::nullopt;
        }
        if (last.kind == TokenKind::integer && end >= 2) return is_word(end - 2, "cpu") ? std::optional(Type::cpu) : is_word(end - 2, "llc") ? std::optional(Type::llc) : std::nullopt;
        if (last.kind != TokenKind::close) return std::nullopt;
        std::size_t depth = 0;
        for (std::size_t i = end - 1; i-- > 0;) {
            if (m_tokens[i].kind == TokenKind::close) ++depth;
            if (m_tokens[i].kind != TokenKind::open || depth-- > 0) continue;
            if (i == 0 || m_tokens[i - 1].kind != TokenKind::word) return type_before(end - 1);
            return type_of_call(text_of(i - 1));
        }
        return std::nullopt;
    }
    [[nodiscard]] static std::optional<Type> type_of_call(std::string_view call) {
        if (call == "rq" || call == "cpu") return Type::cpu;
        if (call == "task") return Type::task;
        if (call == "group") return Type::group;
        if (call == "llc") return Type::llc;
        if (call == "mask") return Type::mask;
        if (call == "check") return Type::check;
        return std::nullopt;
    }

    std::string_view m_text;
    const Scenario& m_scenario;
    std::vector<Token> m_tokens; // before what is begun
    std::string_view m_prefix;   // what is begun
    bool m_quoted = false;       // and it is a name in quotes
    Completions m_out;
};

} // namespace

Completions completions(std::string_view text, int column, const Scenario& scenario) {
    return Completer(text.substr(0, byte_at(text, column)), scenario).run();
}

} // namespace picknext::expr
