// SPDX-License-Identifier: GPL-3.0-or-later
// Inside of the checker: what its parts share (checker.cpp words and conditions, checker_calls.cpp functions,
// checker_types.cpp comparisons and sets).
#pragma once

#include <algorithm>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "core/base/nearest.hpp"
#include "core/expr/checker.hpp"
#include "core/expr/names.hpp"
#include "core/expr/place.hpp"

namespace picknext::expr {

/// A node with its type.
struct Operand {
    Type type = Type::condition;
    std::int32_t step = no_step; // of names and texts: none, they mean something beside another type only
    std::int32_t node = no_node;
};

constexpr bool is_order(TokenKind sign) { return sign >= TokenKind::less && sign <= TokenKind::greater_equal; }
constexpr bool has_order(Type t) { return t == Type::number || t == Type::time || t == Type::vtime || t == Type::cpu; }
constexpr bool is_amount(Type t) { return t == Type::number || t == Type::time || t == Type::vtime; }

/// Thrown within the checker only, to leave its recursion.
struct Refusal {
    Error error;
};

/// One check of one tree. Each function takes a node of the syntax tree and returns what it is, or throws a Refusal.
class Checker {
  public:
    Checker(std::string_view text, const Syntax& syntax, const Scenario& scenario)
        : m_text(text), m_syntax(syntax), m_scenario(scenario) {
        const engine::Plan plan = engine::make_plan(scenario);
        m_groups = group_paths(plan);
        m_out.text = text;
        describe_caches(*plan.partitions.front());
    }

    Program run(Want want) {
        m_out.root = want == Want::condition ? condition(m_syntax.root) : watched(m_syntax.root);
        return std::move(m_out);
    }

  private:
    // --- small things -------------------------------------------------------------------------------------------------
    [[nodiscard]] const Node& node(std::int32_t i) const { return m_syntax.nodes[static_cast<std::size_t>(i)]; }
    [[nodiscard]] std::string_view text_of(const Node& n) const { return m_text.substr(n.begin, n.end - n.begin); }
    [[nodiscard]] std::string_view word_of(const Node& n) const { return m_text.substr(n.word_begin, n.word_end - n.word_begin); }
    [[noreturn]] void refuse(std::size_t at, std::string code, std::string message) const {
        throw Refusal{error_at(m_text, at, std::move(code), std::move(message))};
    }
    std::int32_t add(Op op, Type type, std::int32_t of_node, std::int32_t first = no_step, std::int32_t second = no_step) {
        Step s{.op = op, .type = type, .first = first, .second = second, .begin = node(of_node).begin, .end = node(of_node).end};
        m_out.steps.push_back(s);
        return static_cast<std::int32_t>(m_out.steps.size() - 1);
    }
    [[nodiscard]] Step& step(std::int32_t i) { return m_out.steps[static_cast<std::size_t>(i)]; }
    std::int32_t constant(Type type, std::int64_t value, std::int32_t of_node) {
        const std::int32_t s = add(Op::constant, type, of_node);
        step(s).value = value;
        return s;
    }
    [[nodiscard]] static std::string hint(std::string_view word, const std::vector<std::string_view>& known) { return did_you_mean(word, known); }

    void describe_caches(const Domains& domains);

    // --- words --------------------------------------------------------------------------------------------------------
    [[noreturn]] void not_a_field(const Operand& o) const;
    /// How to write what is a name of something: "; write path == slow".
    [[nodiscard]] std::string use_of(std::string_view word) const;
    [[nodiscard]] static bool names_hold(Type type, std::string_view word) {
        const std::vector<Name> names = names_of(type);
        return std::any_of(names.begin(), names.end(), [&](const Name& n) { return n.name == word; });
    }
    [[noreturn]] void no_such_name(const Operand& o, Type type, std::string_view word) const;
    [[noreturn]] void wrong_type(const Operand& o, Type wanted, std::string_view mend = {}) const {
        refuse(node(o.node).begin, "E-TYPE", fmt::format("{} is {}, but {} is needed here{}{}", quoted(o.node), with_article(o.type), with_article(wanted), mend.empty() ? "" : "; ", mend));
    }
    [[nodiscard]] std::string quoted(std::int32_t n) const {
        const std::string_view text = text_of(node(n));
        return node(n).form == Form::text ? std::string(text) : fmt::format("\"{}\"", text);
    }

    // --- what a node is -----------------------------------------------------------------------------------------------
    Operand infer(std::int32_t i);

    Operand word(std::int32_t i);
    std::int32_t read(const Field* field, std::int32_t of, std::int32_t i) {
        const std::int32_t s = add(Op::field, field->type, i, of);
        step(s).field = field;
        return s;
    }

    Operand member(std::int32_t i);

    Operand negative(std::int32_t i);

    // --- calls --------------------------------------------------------------------------------------------------------
    Operand call(std::int32_t i);
    std::int32_t only_argument(std::int32_t i) const;
    Operand named_task(std::int32_t i);
    /// The tasks a name in quotes means.
    std::uint32_t add_matches(std::int32_t text);
    Operand mask(std::int32_t i);
    Operand check_part(std::int32_t i);
    [[nodiscard]] static Type type_of(Unit unit);

    std::uint8_t take_slot(std::int32_t i) {
        if (m_slots == slots) refuse(node(i).begin, "E-LIMIT", fmt::format("more than {} of any, all and patterns of tasks within each other", slots));
        return static_cast<std::uint8_t>(m_slots++);
    }
    /// any(cpu, body), any(cpu in set, body), and the same of tasks.
    Operand quantifier(std::int32_t i);

    // --- types --------------------------------------------------------------------------------------------------------
    /// The operand as that type, where it can be.
    Operand as(const Operand& o, Type type);
    [[nodiscard]] std::int64_t cpu(const Node& n, std::int64_t number) const;
    [[nodiscard]] std::int64_t group(const Operand& o) const;

    /// A step that is a condition; a pattern of tasks within it means some task, and ends here.
    std::int32_t condition(std::int32_t i);
    /// Ends the patterns of tasks begun after the first `outer` ones: some task makes `inner` true.
    std::int32_t close(std::int32_t inner, std::size_t outer);
    /// What a watch shows.
    std::int32_t watched(std::int32_t i);

    Operand comparison(std::int32_t i);
    /// == or != with a name in quotes, which may be a pattern.
    Operand named(std::int32_t i, const Operand& left, const Operand& text, std::size_t outer);
    Operand outcome_named(std::int32_t i, const Operand& name);

    Operand arithmetic(std::int32_t i);

    // --- sets ---------------------------------------------------------------------------------------------------------
    Operand in_set(std::int32_t i);
    std::int32_t set_test(std::int32_t i, const Operand& left, std::int32_t members);
    /// The rows of ranges, for tasks of matches, that a set means: first and how many.
    std::pair<std::uint32_t, std::uint32_t> members_of(std::int32_t first, Type type);
    void add_member(std::int32_t i, Type type, std::vector<Range>& out);
    /// The value of a member, which must be written out.
    std::int64_t fixed(std::int32_t i, Type type) {
        const Operand o = as(infer(i), type);
        if (step(o.step).op != Op::constant) refuse(node(i).begin, "E-TYPE", "members of a set are written out; use \"==\" for what changes");
        return step(o.step).value;
    }
    void add_pattern(const Node& n, Type type, std::vector<Range>& out);

    Operand contains(std::int32_t i);

    struct Bound {
        std::string_view name;
        Type type;
        std::uint8_t slot;
    };
    struct Open { // a pattern of tasks that waits for the end of its comparison
        std::uint8_t slot;
        std::uint32_t from, count;
        std::int32_t node;
    };
    std::string_view m_text;
    const Syntax& m_syntax;
    const Scenario& m_scenario;
    std::vector<std::string> m_groups; // paths by GroupId
    std::vector<Bound> m_bound;
    std::vector<Open> m_open;
    std::size_t m_slots = 0;
    Program m_out;
};

} // namespace picknext::expr
