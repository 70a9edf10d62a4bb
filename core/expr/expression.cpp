// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/expr/expression.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "core/base/duration.hpp"
#include "core/expr/evaluator.hpp"
#include "core/expr/names.hpp"
#include "core/expr/parser.hpp"
#include "core/expr/place.hpp"

namespace picknext::expr {
namespace {

std::string time_text(std::int64_t ns) {
    if (ns > longest_duration || ns < -longest_duration) return fmt::format("{}ns", ns);
    return ns < 0 ? "-" + write_duration(-ns) : write_duration(ns);
}

/// The conditions && and || join below a step, from left to right.
void collect(const Program& program, std::int32_t step, std::vector<std::int32_t>& out) {
    const Step& s = program.steps[static_cast<std::size_t>(step)];
    if (s.op != Op::both && s.op != Op::either) {
        out.push_back(step);
        return;
    }
    collect(program, s.first, out);
    collect(program, s.second, out);
}

} // namespace

Result<Expression> Expression::compile(std::string_view text, const Scenario& scenario, Want want) {
    const Result<Syntax> syntax = parse(text);
    if (!syntax) return syntax.error();
    Result<Program> program = check(text, *syntax, scenario, want);
    if (!program) return program.error();
    return Expression(std::move(*program));
}

Value Expression::value(const State& st, const DecisionHeader& header, std::span<const Check> checks) const {
    return evaluate(m_program, m_program.root, seen(st, header, checks));
}

bool Expression::holds(const State& st, const DecisionHeader& header, std::span<const Check> checks) const {
    const Value v = value(st, header, checks);
    return v.has && v.v != 0;
}

std::vector<Tried> Expression::tried(const Scenario& scenario, const State& st, const DecisionHeader& header, std::span<const Check> checks) const {
    std::vector<std::int32_t> terms;
    if (type() == Type::condition) collect(m_program, m_program.root, terms);
    std::vector<Tried> out;
    const Seen now = seen(st, header, checks);
    const auto words = [&](std::int32_t step) {
        return value_text(scenario, st, m_program.steps[static_cast<std::size_t>(step)].type, evaluate(m_program, step, now));
    };
    for (const std::int32_t term : terms) {
        const Step& s = m_program.steps[static_cast<std::size_t>(term)];
        Tried t;
        t.column = column_at(text(), s.begin);
        t.length = column_at(text(), s.end) - t.column;
        const Value v = evaluate(m_program, term, now);
        t.holds = v.has && v.v != 0;
        if (s.op == Op::compare || s.op == Op::compare_vtime || s.op == Op::within || s.op == Op::matches) t.left = words(s.first);
        if (s.op == Op::compare || s.op == Op::compare_vtime) t.right = words(s.second);
        out.push_back(std::move(t));
    }
    return out;
}

std::string value_text(const Scenario& scenario, const State& st, Type type, Value value) {
    if (!value.has) return "no value";
    switch (type) {
    case Type::time: return time_text(value.v);
    case Type::cpu:
        if (value.v < 0 || static_cast<std::size_t>(value.v) >= scenario.machine.cpu_count()) return "none";
        return fmt::format("cpu {}", scenario.machine.cpus[static_cast<std::size_t>(value.v)].number);
    case Type::llc: return fmt::format("llc {}", value.v);
    case Type::task:
        if (value.v < 0 || static_cast<std::size_t>(value.v) >= st.tasks.size()) return "none";
        return fmt::format("\"{}\"", task_name(scenario.workload, st.tasks[static_cast<std::size_t>(value.v)]));
    case Type::group: {
        const std::vector<std::string> paths = group_paths(engine::make_plan(scenario));
        return value.v >= 0 && static_cast<std::size_t>(value.v) < paths.size() ? fmt::format("\"{}\"", paths[static_cast<std::size_t>(value.v)]) : "none";
    }
    default: break;
    }
    const std::vector<Name> names = names_of(type);
    const auto name = std::find_if(names.begin(), names.end(), [&](const Name& n) { return n.value == value.v; });
    return name != names.end() ? std::string(name->name) : fmt::format("{}", value.v);
}

} // namespace picknext::expr
