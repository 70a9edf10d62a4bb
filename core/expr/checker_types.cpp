// SPDX-License-Identifier: GPL-3.0-or-later
// What may be compared with what, and sets.
#include "core/expr/checking.hpp"

namespace picknext::expr {

Operand Checker::comparison(std::int32_t i) {
    const Node& n = node(i);
    const std::size_t outer = m_open.size();
    Operand left = infer(n.first), right = infer(n.second);
    const auto open = [](const Operand& o) { return o.type == Type::name || o.type == Type::text; };
    if (open(left) && open(right)) not_a_field(left.type == Type::name ? left : right);
    if (open(left)) std::swap(left, right);
    const bool swapped = left.node == n.second;
    if (open(right)) {
        if (right.type == Type::name && is_order(n.sign) && !names_hold(left.type, text_of(node(right.node)))) not_a_field(right);
        if (is_order(n.sign)) refuse(n.word_begin, "E-TYPE", fmt::format("names have no order; compare them with \"==\", \"!=\" or \"in\""));
        if (right.type == Type::text) return named(i, left, right, outer);
        if (left.type == Type::outcome) return outcome_named(i, right);
    }
    if (!swapped && right.type == Type::outcome && left.type != Type::outcome) std::swap(left, right);
    if (left.type == Type::outcome && right.type == Type::outcome) refuse(n.begin, "E-TYPE", "an outcome is compared with something else");
    if (left.type == Type::outcome && right.type == Type::number)
        refuse(node(right.node).begin, "E-TYPE", fmt::format("an outcome is a CPU, a task, yes or no; write outcome == cpu {0}, or for an imbalance amount == {0}", text_of(node(right.node))));
    if (left.type == Type::outcome) left = as(left, right.type);
    else if (left.type != right.type) {
        // A literal takes the type of the other side.
        if (!open(right) && node(left.node).form == Form::integer) left = as(left, right.type);
        else right = as(right, left.type);
    }
    const Type type = left.type;
    if (type == Type::checks) wrong_type(left, Type::condition, "write checks contains NAME");
    if (type == Type::mask) wrong_type(left, Type::condition, "write mask(llc 0) contains cpu 5");
    if (is_order(n.sign) && !has_order(type)) refuse(n.word_begin, "E-TYPE", fmt::format("{} has no order; compare it with \"==\" or \"!=\"", with_article(type)));
    const bool turned = left.node == n.second;
    const std::int32_t s = add(type == Type::vtime && is_order(n.sign) ? Op::compare_vtime : Op::compare, Type::condition, i, turned ? right.step : left.step, turned ? left.step : right.step);
    step(s).sign = n.sign;
    return {Type::condition, close(s, outer), i};
}

Operand Checker::named(std::int32_t i, const Operand& left, const Operand& text, std::size_t outer) {
    const Type type = left.type == Type::outcome ? Type::task : left.type;
    const Operand subject = as(left, type);
    const std::int32_t s = set_test(i, subject, text.node);
    if (node(i).sign == TokenKind::equal) return {Type::condition, close(s, outer), i};
    const std::int32_t differs = add(Op::compare, Type::condition, i, s, constant(Type::condition, 0, i)); // no value: false too
    step(differs).sign = TokenKind::equal;
    return {Type::condition, close(differs, outer), i};
}

Operand Checker::outcome_named(std::int32_t i, const Operand& name) {
    const std::string_view word = text_of(node(name.node));
    const bool none = word == "none", yes = word == "yes";
    if (!none && !yes && word != "no")
        refuse(node(name.node).begin, "E-NAME", fmt::format("an outcome is never \"{}\"; it is cpu N, task(\"NAME\"), yes, no or none", word));
    const std::int32_t s = add(none ? Op::nobody : Op::outcome, Type::condition, i);
    const std::int32_t compare = add(Op::compare, Type::condition, i, s, constant(Type::condition, none || yes ? 1 : 0, name.node));
    step(compare).sign = node(i).sign;
    return {Type::condition, compare, i};
}

Operand Checker::in_set(std::int32_t i) {
    const Node& n = node(i);
    const std::size_t outer = m_open.size();
    Operand left = infer(n.first);
    if (left.type == Type::name || left.type == Type::text) not_a_field(left);
    if (left.type == Type::outcome) {
        const Node& member = node(n.second);
        const bool cpus = member.form == Form::call || (member.form == Form::range && node(member.first).form == Form::call);
        if (!cpus && member.form != Form::text) refuse(member.begin, "E-TYPE", "say what the outcome is: outcome in cpu 0-3, or outcome in \"web*\"");
        left = as(left, cpus ? Type::cpu : Type::task);
    }
    return {Type::condition, close(set_test(i, left, n.second), outer), i};
}

std::int32_t Checker::set_test(std::int32_t i, const Operand& left, std::int32_t members) {
    const auto [from, count] = members_of(members, left.type);
    const std::int32_t s = add(left.type == Type::task ? Op::matches : Op::within, Type::condition, i, left.step);
    step(s).from = from;
    step(s).count = count;
    return s;
}

std::pair<std::uint32_t, std::uint32_t> Checker::members_of(std::int32_t first, Type type) {
    if (type == Type::vtime || type == Type::condition || type == Type::mask || type == Type::checks)
        refuse(node(first).begin, "E-TYPE", fmt::format("there are no sets of {}; compare with \"==\" or \"<\"", type == Type::vtime ? "virtual times" : "such values"));
    if (type == Type::task) {
        const auto from = static_cast<std::uint32_t>(m_out.matches.size());
        for (std::int32_t m = first; m != no_node; m = node(m).next) {
            if (node(m).form != Form::text) refuse(node(m).begin, "E-TYPE", "tasks in a set are names in quotes: task in \"a\", \"web*\"");
            add_matches(m);
        }
        return {from, static_cast<std::uint32_t>(m_out.matches.size() - from)};
    }
    std::vector<Range> found;
    for (std::int32_t m = first; m != no_node; m = node(m).next) add_member(m, type, found);
    const auto from = static_cast<std::uint32_t>(m_out.ranges.size());
    m_out.ranges.insert(m_out.ranges.end(), found.begin(), found.end());
    return {from, static_cast<std::uint32_t>(found.size())};
}

void Checker::add_member(std::int32_t i, Type type, std::vector<Range>& out) {
    const Node& n = node(i);
    if (n.form == Form::text && is_pattern(word_of(n))) return add_pattern(n, type, out);
    if (n.form != Form::range) {
        const std::int64_t v = fixed(i, type);
        out.push_back({v, v});
        return;
    }
    if (!has_order(type)) refuse(n.word_begin, "E-TYPE", fmt::format("{} has no order, so there are no ranges", with_article(type)));
    const std::int64_t low = fixed(n.first, type), high = fixed(n.second, type);
    if (high < low) refuse(n.begin, "E-RANGE", fmt::format("the range {} runs backwards; write {}-{}", text_of(n), text_of(node(n.second)), text_of(node(n.first))));
    out.push_back({low, high});
}

void Checker::add_pattern(const Node& n, Type type, std::vector<Range>& out) {
    const std::string_view pattern = word_of(n);
    const std::size_t before = out.size();
    if (type == Type::group) {
        for (std::size_t g = 0; g < m_groups.size(); ++g)
            if (matches(pattern, m_groups[g])) out.push_back({static_cast<std::int64_t>(g), static_cast<std::int64_t>(g)});
    } else {
        for (const Name& name : names_of(type))
            if (matches(pattern, name.name)) out.push_back({name.value, name.value});
    }
    if (out.size() == before) refuse(n.begin, "E-NAME", fmt::format("no name of {} is like {}", with_article(type), text_of(n)));
}

Operand Checker::contains(std::int32_t i) {
    const Node& n = node(i);
    const std::size_t outer = m_open.size();
    const Operand left = infer(n.first);
    if (left.type == Type::name || left.type == Type::text) not_a_field(left);
    if (left.type == Type::checks) {
        const Form form = node(n.second).form;
        const Operand what{form == Form::text ? Type::text : Type::name, no_step, n.second};
        if (form != Form::text && form != Form::word) refuse(node(n.second).begin, "E-TYPE", "behind \"checks contains\" stands the name of a check");
        const std::int64_t id = step(as(what, Type::check).step).value;
        const std::int32_t s = add(Op::contains_check, Type::condition, i);
        step(s).value = id;
        m_out.needs_checks = true;
        return {Type::condition, s, i};
    }
    if (left.type != Type::mask) refuse(n.word_begin, "E-TYPE", "\"contains\" stands behind checks or a mask; for sets that are written out there is \"in\"");
    const std::int32_t cpu = as(infer(n.second), Type::cpu).step;
    return {Type::condition, close(add(Op::contains_cpu, Type::condition, i, left.step, cpu), outer), i};
}

Operand Checker::as(const Operand& o, Type type) {
    if (o.type == type) return o;
    const Node& n = node(o.node);
    const bool literal = n.form == Form::integer;
    if (o.type == Type::name) {
        const std::string_view word = text_of(n);
        const std::vector<Name> names = names_of(type);
        for (const Name& name : names)
            if (name.name == word) return {type, constant(type, name.value, o.node), o.node};
        if (names.empty() || type == Type::condition || type == Type::task || type == Type::cpu) not_a_field(o);
        no_such_name(o, type, word);
    }
    if (o.type == Type::text && type == Type::group) return {type, constant(type, group(o), o.node), o.node};
    if (o.type == Type::text) {
        if (names_of(type).empty() || type == Type::condition || type == Type::cpu) wrong_type(o, type, "quotes are for names");
        if (type == Type::task) wrong_type(o, type, fmt::format("write task({})", text_of(n)));
        for (const Name& name : names_of(type))
            if (name.name == word_of(n)) return {type, constant(type, name.value, o.node), o.node};
        no_such_name(o, type, word_of(n));
    }
    if (literal && type == Type::cpu) return {type, constant(type, cpu(n, n.value), o.node), o.node};
    if (literal && type == Type::llc) {
        const auto count = static_cast<std::int64_t>(m_out.llc_row.size());
        if (n.value < 0 || n.value >= count) refuse(n.begin, "E-RANGE", fmt::format("the machine has no last-level cache {}; they count from 0 to {}", n.value, count - 1));
        return {type, constant(type, n.value, o.node), o.node};
    }
    if (literal && type == Type::condition && (n.value == 0 || n.value == 1)) return {type, constant(type, n.value, o.node), o.node};
    if (literal && type == Type::time && n.value == 0) return {type, constant(type, 0, o.node), o.node};
    if (literal && type == Type::time) wrong_type(o, type, fmt::format("write {0}ns, {0}us, {0}ms or {0}s", n.value));
    if (o.type == Type::outcome && (type == Type::cpu || type == Type::task || type == Type::group || type == Type::condition))
        return {type, add(Op::outcome, type, o.node), o.node};
    if (o.type == Type::outcome) wrong_type(o, type, "the amount of an imbalance is \"amount\"");
    if (type == Type::vtime && o.type == Type::time) wrong_type(o, type, "virtual times are compared with each other; their difference is a time");
    if (type == Type::cpu && o.type == Type::task) wrong_type(o, type, fmt::format("write {}.cpu", text_of(n)));
    wrong_type(o, type);
}

std::int64_t Checker::cpu(const Node& n, std::int64_t number) const {
    const Machine& machine = m_scenario.machine;
    const CpuId id = number >= 0 && number <= max_cpu_number ? machine.by_number(static_cast<int>(number)) : CpuId::none();
    if (!id) refuse(n.begin, "E-RANGE", fmt::format("the machine has no CPU {}; its CPUs are {}", number, cpu_list(machine, CpuSet::all(machine.cpu_count()))));
    return id.value;
}

std::int64_t Checker::group(const Operand& o) const {
    const std::string_view path = word_of(node(o.node));
    for (std::size_t g = 0; g < m_groups.size(); ++g)
        if (m_groups[g] == path) return static_cast<std::int64_t>(g);
    const std::vector<std::string_view> known(m_groups.begin(), m_groups.end());
    const std::string mend = hint(path, known);
    refuse(node(o.node).begin, "E-NAME", fmt::format("there is no task group {}{}", text_of(node(o.node)), !mend.empty() ? mend : known.size() == 1 ? "; there is only \"/\"" : fmt::format("; one is \"{}\"", known[1])));
}

} // namespace picknext::expr
