// SPDX-License-Identifier: GPL-3.0-or-later
// Functions: rq(), task(), mask(), check(), any() and all() ...
#include <array>
#include <tuple>

#include "core/expr/checking.hpp"

namespace picknext::expr {

Operand Checker::call(std::int32_t i) {
    const Node& n = node(i);
    const std::string_view name = word_of(n);
    if (name == "any" || name == "all") return quantifier(i);
    if (name == "age") // no state says when a bit was written: only the last written state is kept (idle_mask_state)
        refuse(n.begin, "E-ABSENT", "when a bit of a mask was written is not kept; ask for what it is: mask(llc 0) contains cpu 5");
    if (name == "cpu" || name == "rq") return {Type::cpu, as(infer(only_argument(i)), Type::cpu).step, i};
    if (name == "llc") return {Type::llc, as(infer(only_argument(i)), Type::llc).step, i};
    if (name == "group") return {Type::group, as(infer(only_argument(i)), Type::group).step, i};
    if (name == "task") return named_task(i);
    if (name == "mask") return mask(i);
    if (name == "check") refuse(n.begin, "E-TYPE", fmt::format("a check has parts; write {}.left, .right, .margin, .passed or .subject", text_of(n)));
    refuse(n.begin, "E-NAME", fmt::format("there is no function \"{}\"{}", name, hint(name, {"rq", "task", "group", "cpu", "llc", "mask", "check", "any", "all"})));
}

std::int32_t Checker::only_argument(std::int32_t i) const {
    const Node& n = node(i);
    if (const std::int32_t second = node(n.first).next; second != no_node)
        refuse(node(second).begin, "E-ARGUMENTS", fmt::format("{}() takes one argument", word_of(n)));
    return n.first;
}

Operand Checker::named_task(std::int32_t i) {
    const std::int32_t argument = only_argument(i);
    if (node(argument).form != Form::text) {
        const Operand o = infer(argument);
        if (o.type == Type::name) refuse(node(argument).begin, "E-TYPE", fmt::format("names of tasks stand in quotes: task(\"{}\")", text_of(node(argument))));
        return {Type::task, as(o, Type::task).step, i};
    }
    const std::uint32_t from = add_matches(argument);
    const auto count = static_cast<std::uint32_t>(m_out.matches.size() - from);
    const bool one = count == 1 && m_out.matches[from].instance >= 0;
    const std::int32_t s = add(one ? Op::named_task : Op::bound, Type::task, i);
    step(s).from = from;
    if (!one) { // some task of those: any() around the comparison it stands in
        step(s).slot = take_slot(i);
        m_open.push_back({step(s).slot, from, count, i});
    }
    return {Type::task, s, i};
}

std::uint32_t Checker::add_matches(std::int32_t text) {
    const auto from = static_cast<std::uint32_t>(m_out.matches.size());
    const std::string_view pattern = word_of(node(text));
    for (Match& m : find_tasks(m_scenario.workload, pattern)) m_out.matches.push_back(std::move(m));
    if (m_out.matches.size() > from) return from;
    const std::vector<std::string> names = task_names(m_scenario.workload);
    const std::vector<std::string_view> known(names.begin(), names.end());
    refuse(node(text).begin, "E-NAME", fmt::format("no task is named {}{}", text_of(node(text)), hint(pattern, known)));
}

Operand Checker::mask(std::int32_t i) {
    const std::int32_t argument = only_argument(i);
    if (node(argument).form == Form::word && word_of(node(argument)) == "nohz") return {Type::mask, constant(Type::mask, nohz_mask, i), i};
    const Operand o = infer(argument);
    if (o.type != Type::llc || step(o.step).op != Op::constant) refuse(node(argument).begin, "E-ARGUMENTS", "a mask is mask(llc 0) or mask(nohz)");
    return {Type::mask, constant(Type::mask, first_llc_mask + step(o.step).value, i), i};
}

Operand Checker::check_part(std::int32_t i) {
    const Node& n = node(i);
    const std::int32_t argument = only_argument(n.first);
    const std::int64_t id = step(as({Type::name, no_step, argument}, Type::check).step).value;
    const ChkInfo& row = info(static_cast<Chk>(id));
    constexpr std::array<std::string_view, 5> parts{"left", "right", "margin", "passed", "subject"};
    const auto* part = std::find(parts.begin(), parts.end(), word_of(n));
    if (part == parts.end())
        refuse(n.word_begin, "E-NAME", fmt::format("a check has no part \"{}\"; there are {}", word_of(n), fmt::join(parts, ", ")));
    const auto which = static_cast<CheckPart>(part - parts.begin());
    Type type = type_of(row.unit);
    if (which == CheckPart::passed) type = Type::condition;
    if (which == CheckPart::margin) {
        if (!is_amount(type)) refuse(n.word_begin, "E-TYPE", fmt::format("{} compares no amounts; ask for .passed", row.name));
        if (type == Type::vtime) type = Type::time;
    }
    if (which == CheckPart::subject) {
        if (row.subject == SubjectType::none || row.subject == SubjectType::queue) refuse(n.word_begin, "E-TYPE", fmt::format("{} is about nobody; ask for .passed", row.name));
        type = row.subject == SubjectType::cpu ? Type::cpu : Type::task;
    }
    const std::int32_t s = add(Op::check_value, type, i);
    step(s).value = id;
    step(s).part = which;
    m_out.needs_checks = true;
    return {type, s, i};
}

Type Checker::type_of(Unit unit) {
    switch (unit) {
    case Unit::ns: return Type::time;
    case Unit::vtime: return Type::vtime;
    case Unit::flag: return Type::condition;
    case Unit::cpu: return Type::cpu;
    case Unit::task:
    case Unit::entity: return Type::task;
    case Unit::count:
    case Unit::weight:
    case Unit::load: break;
    }
    return Type::number;
}

Operand Checker::quantifier(std::int32_t i) {
    const Node& n = node(i);
    const std::string_view call = word_of(n);
    const std::int32_t over = n.first, body = node(over).next;
    const std::int32_t variable = node(over).form == Form::in ? node(over).first : over;
    const std::string_view name = node(variable).form == Form::word ? word_of(node(variable)) : std::string_view{};
    if (name != "cpu" && name != "task")
        refuse(node(over).begin, "E-ARGUMENTS", fmt::format("{0}() runs over CPUs or tasks; write {0}(cpu, condition) or {0}(task, condition)", call));
    if (body == no_node) refuse(n.end - 1, "E-ARGUMENTS", fmt::format("the condition is missing; write {}({}, condition)", call, name));
    if (const std::int32_t third = node(body).next; third != no_node)
        refuse(node(third).begin, "E-ARGUMENTS", fmt::format("{}() takes two arguments; a set of several stands in braces: cpu in {{0-3,8}}", call));
    const Type type = name == "cpu" ? Type::cpu : Type::task;
    const std::uint8_t slot = take_slot(i);
    std::uint32_t from = 0, count = 0;
    if (node(over).form == Form::in) std::tie(from, count) = members_of(node(over).second, type);
    m_bound.push_back({name, type, slot});
    const std::int32_t inner = condition(body);
    m_bound.pop_back();
    --m_slots;
    const bool any = call == "any";
    const std::int32_t s = add(type == Type::cpu ? (any ? Op::any_cpu : Op::all_cpu) : (any ? Op::any_task : Op::all_task), Type::condition, i, no_step, inner);
    step(s).slot = slot;
    step(s).from = from;
    step(s).count = count;
    return {Type::condition, s, i};
}

} // namespace picknext::expr
