// SPDX-License-Identifier: GPL-3.0-or-later
// A checked expression: steps with types, every name resolved to a number. Evaluating it cannot fail and allocates nothing.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "core/expr/fields.hpp"
#include "core/expr/lexer.hpp"

namespace picknext::expr {

enum class Op : std::uint8_t {
    constant,     // value
    bound,        // what any or all stands at: slot
    field,        // of the owner first, no_step for the decision's
    outcome,      // of the decision, as `type`; a condition: yes_no
    nobody,       // the outcome is none
    named_task,   // the task of the only match
    negative, no, // first
    both, either, // first, second
    arithmetic,   // first sign second; no value when it does not fit
    wrapping,     // the same of virtual times: + and - only
    compare,      // first sign second
    compare_vtime,
    within,       // first lies in one of the ranges
    matches,      // the task first is one of the matches
    contains_cpu, // the mask first holds the CPU second
    contains_check, // check `value` was made
    check_value,  // of the first check `value` that was asked: part
    any_cpu, all_cpu,   // second holds for some / every CPU in the ranges (none: online), in slot
    any_task, all_task  // second holds for some / every task of the matches (none: all), in slot
};

enum class CheckPart : std::uint8_t { left, right, margin, passed, subject };

inline constexpr std::int32_t no_step = -1;
inline constexpr std::size_t slots = 2;  // any and all within each other: time grows by a factor with each

struct Step {
    Op op = Op::constant;
    Type type = Type::condition;
    TokenKind sign = TokenKind::end;
    CheckPart part = CheckPart::left;
    std::uint8_t slot = 0;
    std::int32_t first = no_step, second = no_step;
    std::uint32_t begin = 0, end = 0;   // bytes of the text it was written as
    std::uint32_t from = 0, count = 0;  // of ranges or matches
    std::int64_t value = 0;
    const Field* field = nullptr;
};

struct Range {
    std::int64_t low = 0, high = 0; // both in it
};

/// Instances of a task spec: one, those whose name matches a pattern, or all.
struct Match {
    std::int32_t program = -1;
    std::int32_t instance = -1; // the one, -1 several
    std::string pattern;        // of the several; empty = all
    std::string stem;           // what their names begin with: the name of the spec and "#"
};

struct Program {
    std::string text;
    std::vector<Step> steps;      // operands before what uses them
    std::int32_t root = no_step;
    std::vector<Range> ranges;
    std::vector<Match> matches;
    std::vector<std::int32_t> llc_of, llc_row; // see Seen
    bool needs_checks = false;
};

} // namespace picknext::expr
