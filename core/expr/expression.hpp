// SPDX-License-Identifier: GPL-3.0-or-later
// The language of breakpoints, filters and watches: one condition, or one value, asked about a decision and the state it
// saw. Text -> lexer -> parser -> checker -> Expression; evaluating is pure, never fails and allocates nothing.
//
//   cpu == 3 && kind == pick && path == slow          outcome == cpu 4          reason == "place.*"
//   task("T1").vlag < 0        rq(3).nr_running >= 2        group("/web").weight > 100        now >= 12.5ms
//   cpu in 0-3,8               any(cpu, rq(cpu).nr_running == 0)               checks contains left_subtree_eligible
//
// Bare words are fields of the decision (fields.hpp) or, beside one, its names; fields of tasks, CPUs, LLCs and task groups
// stand behind a point. ! binds tighter than comparisons, && tighter than ||. A name in quotes may be a pattern ("web*");
// task("web*") means some of those tasks: the comparison it stands in holds if it holds for one of them.
// What does not exist has no value (Value): a comparison with no value is false, also !=, and so is a condition without one.
// Virtual times are ordered by the sign of their wrapped distance, as the kernel orders them.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/expr/checker.hpp"

namespace picknext::expr {

/// One condition of an expression, tried on a decision: what the && and || of it are made of.
struct Tried {
    int column = 0, length = 0; // where it stands, in code points from 1
    bool holds = false;
    std::string left, right;    // the values compared, in words; empty for what is no comparison
};

class Expression {
  public:
    /// Errors have line 1 and a column from 1 to one past the last code point: those of lex(), parse() and check().
    [[nodiscard]] static Result<Expression> compile(std::string_view text, const Scenario& scenario, Want want = Want::condition);

    [[nodiscard]] const std::string& text() const { return m_program.text; }
    [[nodiscard]] Type type() const { return m_program.steps[static_cast<std::size_t>(m_program.root)].type; }
    /// It looks at the checks of decisions: without them recorded it finds none.
    [[nodiscard]] bool needs_checks() const { return m_program.needs_checks; }

    /// st: the state the decision saw, of the scenario compiled for. header: kind count at the start, where nothing was decided.
    [[nodiscard]] bool holds(const State& st, const DecisionHeader& header, std::span<const Check> checks) const;
    [[nodiscard]] Value value(const State& st, const DecisionHeader& header, std::span<const Check> checks) const;
    /// Why it holds or not: each of its conditions by itself, in order of the text.
    [[nodiscard]] std::vector<Tried> tried(const Scenario& scenario, const State& st, const DecisionHeader& header, std::span<const Check> checks) const;

  private:
    explicit Expression(Program program) : m_program(std::move(program)) {}
    [[nodiscard]] Seen seen(const State& st, const DecisionHeader& header, std::span<const Check> checks) const {
        return {st, header, checks, m_program.llc_of, m_program.llc_row};
    }
    Program m_program;
};

/// A value in the words an expression writes it with: "4ms", "cpu 3", "slow", "no value".
[[nodiscard]] std::string value_text(const Scenario& scenario, const State& st, Type type, Value value);

} // namespace picknext::expr
