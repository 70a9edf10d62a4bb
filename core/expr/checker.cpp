// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/expr/checker.hpp"

#include <optional>

#include "core/expr/checking.hpp"

namespace picknext::expr {
namespace {

std::optional<Owner> owner_of(Type type) {
    switch (type) {
    case Type::task: return Owner::task;
    case Type::cpu: return Owner::cpu;
    case Type::llc: return Owner::llc;
    case Type::group: return Owner::group;
    default: return std::nullopt;
    }
}

} // namespace

void Checker::describe_caches(const Domains& domains) {
    const Machine& machine = m_scenario.machine;
    for (const Cpu& cpu : machine.cpus) m_out.llc_of.push_back(cpu.llc.value);
    m_out.llc_row.assign(machine.llc_span.size(), -1);
    for (std::size_t c = 0; c < machine.cpus.size(); ++c)
        if (const LlcSharedId row = domains.cpu(CpuId{c}).shared; row) m_out.llc_row[machine.cpus[c].llc.index()] = row.value;
}

void Checker::not_a_field(const Operand& o) const {
    const Node& n = node(o.node);
    if (o.type == Type::text) refuse(n.begin, "E-TYPE", fmt::format("{} alone says nothing; compare something with it: task == {}", text_of(n), text_of(n)));
    std::vector<std::string_view> known;
    for (const Field& f : field_table())
        if (f.owner == Owner::decision) known.push_back(f.name);
    std::int32_t first = o.node; // of a.b.c the first word is what is not known
    while (node(first).form == Form::member) first = node(first).first;
    const std::string_view word = word_of(node(first));
    for (const std::string_view call : {"rq", "task", "group", "mask", "check", "any", "all"}) known.push_back(call);
    std::string mend = use_of(text_of(n));
    if (mend.empty()) mend = hint(word, known);
    if (mend.empty()) mend = fmt::format("; known are {}", fmt::join(known.begin(), known.begin() + 6, ", "));
    refuse(n.begin, "E-NAME", fmt::format("\"{}\" is no field{}", word, mend));
}

std::string Checker::use_of(std::string_view word) const {
    for (const Field& f : field_table())
        if (f.owner == Owner::decision && f.type >= Type::kind && f.type <= Type::check && names_hold(f.type, word)) return fmt::format("; write {} == {}", f.name, word);
    const bool task = !is_pattern(word) && !find_tasks(m_scenario.workload, word).empty();
    return task ? fmt::format("; names of tasks stand in quotes: \"{}\"", word) : std::string();
}

void Checker::no_such_name(const Operand& o, Type type, std::string_view word) const {
    std::vector<std::string_view> known;
    for (const Name& n : names_of(type)) known.push_back(n.name);
    const std::string mend = hint(word, known);
    const std::string listed = mend.empty() && known.size() <= 9 ? fmt::format("; there are {}", fmt::join(known, ", ")) : mend;
    refuse(node(o.node).begin, "E-NAME", fmt::format("\"{}\" is not {}{}", word, with_article(type), listed));
}

Operand Checker::infer(std::int32_t i) {
    const Node& n = node(i);
    switch (n.form) {
    case Form::integer: return {Type::number, constant(Type::number, n.value, i), i};
    case Form::duration: return {Type::time, constant(Type::time, n.value, i), i};
    case Form::text: return {Type::text, no_step, i};
    case Form::word: return word(i);
    case Form::member: return member(i);
    case Form::call: return call(i);
    case Form::negative: return negative(i);
    case Form::no: return {Type::condition, add(Op::no, Type::condition, i, condition(n.first)), i};
    case Form::in: return in_set(i);
    case Form::contains: return contains(i);
    case Form::binary: break;
    case Form::range: refuse(n.word_begin, "E-SYNTAX", "a range stands behind \"in\" only");
    }
    if (n.sign == TokenKind::both || n.sign == TokenKind::either) {
        const std::int32_t left = condition(n.first);
        return {Type::condition, add(n.sign == TokenKind::both ? Op::both : Op::either, Type::condition, i, left, condition(n.second)), i};
    }
    return n.sign >= TokenKind::equal ? comparison(i) : arithmetic(i);
}

Operand Checker::word(std::int32_t i) {
    const std::string_view name = word_of(node(i));
    for (auto it = m_bound.rbegin(); it != m_bound.rend(); ++it) {
        if (it->name != name) continue;
        const std::int32_t s = add(Op::bound, it->type, i);
        step(s).slot = it->slot;
        return {it->type, s, i};
    }
    const Field* field = find_field(Owner::decision, name);
    if (field == nullptr) return {Type::name, no_step, i};
    if (field->type == Type::check) m_out.needs_checks = true;
    return {field->type, read(field, no_step, i), i};
}

Operand Checker::member(std::int32_t i) {
    const Node& n = node(i);
    if (const Node& base = node(n.first); base.form == Form::call && word_of(base) == "check") return check_part(i);
    Operand base = infer(n.first);
    const std::string_view name = word_of(n);
    if (base.type == Type::name) return {Type::name, no_step, i}; // place.scan_idle, or a mistake seen later
    if (base.type == Type::outcome) base = as(base, find_field(Owner::task, name) != nullptr ? Type::task : Type::cpu);
    const std::optional<Owner> owner = owner_of(base.type);
    if (!owner) refuse(n.word_begin, "E-TYPE", fmt::format("{} is {} and has no fields; leave \".{}\" out", quoted(n.first), with_article(base.type), name));
    if (const Field* field = find_field(*owner, name)) return {field->type, read(field, base.step, i), i};
    std::vector<std::string_view> known;
    for (const Field& f : field_table())
        if (f.owner == *owner) known.push_back(f.name);
    std::string mend = hint(name, known);
    if (mend.empty()) mend = fmt::format("; some are {}", fmt::join(known.begin(), known.begin() + static_cast<std::ptrdiff_t>(std::min<std::size_t>(4, known.size())), ", "));
    refuse(n.word_begin, "E-NAME", fmt::format("{} has no field \"{}\"{}", with_article(base.type), name, mend));
}

Operand Checker::negative(std::int32_t i) {
    const Operand o = infer(node(i).first);
    if (o.type == Type::name || o.type == Type::text) not_a_field(o);
    if (o.type != Type::number && o.type != Type::time) wrong_type(o, Type::number);
    return {o.type, add(Op::negative, o.type, i, o.step), i};
}

std::int32_t Checker::condition(std::int32_t i) {
    const std::size_t outer = m_open.size();
    const Operand o = infer(i);
    if (o.type == Type::name || o.type == Type::text) not_a_field(o);
    if (o.type == Type::outcome) wrong_type(o, Type::condition, "write outcome == yes");
    if (o.type == Type::task) wrong_type(o, Type::condition, node(i).form == Form::call ? fmt::format("write task == {}", text_of(node(node(i).first))) : std::string("write task == \"NAME\""));
    if (o.type != Type::condition) wrong_type(o, Type::condition, "compare it with something: ==, <, in ...");
    return close(o.step, outer);
}

std::int32_t Checker::close(std::int32_t inner, std::size_t outer) {
    while (m_open.size() > outer) {
        const Open open = m_open.back();
        m_open.pop_back();
        --m_slots;
        const Step within = step(inner);
        const std::int32_t s = add(Op::any_task, Type::condition, open.node, no_step, inner);
        step(s).slot = open.slot;
        step(s).from = open.from;
        step(s).count = open.count;
        step(s).begin = within.begin;
        step(s).end = within.end;
        inner = s;
    }
    return inner;
}

std::int32_t Checker::watched(std::int32_t i) {
    const Operand o = infer(i);
    if (o.type == Type::name || o.type == Type::text) not_a_field(o);
    if (o.type == Type::condition) return close(o.step, 0);
    if (o.type == Type::outcome || o.type == Type::checks || o.type == Type::mask) refuse(node(i).begin, "E-TYPE", fmt::format("{} has no single value; compare it with something", with_article(o.type)));
    if (!m_open.empty()) refuse(node(m_open.back().node).begin, "E-TYPE", "several tasks have no single value; name one");
    return o.step;
}

Operand Checker::arithmetic(std::int32_t i) {
    const Node& n = node(i);
    Operand left = infer(n.first), right = infer(n.second);
    for (const Operand& o : {left, right}) {
        if (o.type == Type::name || o.type == Type::text) not_a_field(o);
        if (!is_amount(o.type)) refuse(node(o.node).begin, "E-TYPE", fmt::format("{} is {}; one calculates with numbers and times", quoted(o.node), with_article(o.type)));
    }
    const bool sum = n.sign == TokenKind::plus || n.sign == TokenKind::minus;
    Type type = left.type;
    Op op = Op::arithmetic;
    if (left.type == Type::vtime || right.type == Type::vtime) {
        const bool distance = left.type == right.type && n.sign == TokenKind::minus;
        const bool shift = left.type == Type::vtime && right.type == Type::time && sum;
        if (!distance && !shift) refuse(n.word_begin, "E-TYPE", "virtual times can be subtracted from each other, and a time can be added or subtracted");
        op = Op::wrapping;
        type = distance ? Type::time : Type::vtime;
    } else if (sum || n.sign == TokenKind::remainder) {
        if (left.type != right.type) { // 0 needs no unit
            if (right.type == Type::number) right = as(right, left.type);
            else left = as(left, right.type);
        }
        type = left.type;
    } else if (n.sign == TokenKind::times) {
        if (left.type == Type::time && right.type == Type::time) refuse(n.word_begin, "E-TYPE", "a time times a time is no time; one of them is a number");
        type = left.type == Type::time || right.type == Type::time ? Type::time : Type::number;
    } else {
        if (left.type == Type::number && right.type == Type::time) refuse(n.word_begin, "E-TYPE", "a number cannot be divided by a time");
        type = left.type == right.type ? Type::number : left.type;
    }
    const std::int32_t s = add(op, type, i, left.step, right.step);
    step(s).sign = n.sign;
    return {type, s, i};
}

Result<Program> check(std::string_view text, const Syntax& syntax, const Scenario& scenario, Want want) {
    try {
        return Checker(text, syntax, scenario).run(want);
    } catch (const Refusal& refusal) {
        return refusal.error;
    }
}

} // namespace picknext::expr
