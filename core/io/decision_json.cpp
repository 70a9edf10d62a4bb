// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/io/decision_json.hpp"

#include <nlohmann/json.hpp>

#include "core/explain/explain.hpp"

namespace picknext::io {
namespace {

using Json = nlohmann::ordered_json;

constexpr std::int64_t exact_in_double = std::int64_t{1} << 53; // many JSON readers hold numbers as doubles

Json number(std::int64_t v) {
    if (v > exact_in_double || v < -exact_in_double) return std::to_string(v);
    return v;
}
Json number(std::uint64_t v) {
    if (v > static_cast<std::uint64_t>(exact_in_double)) return std::to_string(v);
    return v;
}

Json cpu_number(const Scenario& scenario, std::int32_t cpu) {
    if (cpu < 0 || static_cast<std::size_t>(cpu) >= scenario.machine.cpu_count()) return nullptr;
    return scenario.machine.cpu(CpuId{cpu}).number;
}
Json task_name_or_null(const Scenario& scenario, const State& st, std::int32_t task) {
    if (task < 0) return nullptr;
    return name_of(scenario, st, TaskId{task});
}
Json entity_name_or_null(const Scenario& scenario, const State& st, std::int32_t entity) {
    if (entity < 0) return nullptr;
    return name_of(scenario, st, EntityId{entity});
}

Json outcome(const Scenario& scenario, const State& st, const DecisionHeader& h) {
    switch (info(h.kind).outcome) {
    case OutcomeType::entity: return entity_name_or_null(scenario, st, h.outcome);
    case OutcomeType::task: return task_name_or_null(scenario, st, h.outcome);
    case OutcomeType::cpu: return cpu_number(scenario, h.outcome);
    case OutcomeType::yes_no: return h.outcome == 1;
    case OutcomeType::none: return h.kind == Kind::imbalance ? Json(h.outcome) : Json(nullptr);
    }
    return nullptr;
}

Json subject(const Scenario& scenario, const State& st, const Check& c) {
    switch (info(c.id).subject) {
    case SubjectType::task: return task_name_or_null(scenario, st, c.subject);
    case SubjectType::cpu: return cpu_number(scenario, c.subject);
    case SubjectType::entity: return entity_name_or_null(scenario, st, c.subject);
    case SubjectType::queue: return c.subject;
    case SubjectType::none: break;
    }
    return nullptr;
}

Json value(const Scenario& scenario, const State& st, Unit unit, std::int64_t v) {
    switch (unit) {
    case Unit::vtime: return number(static_cast<std::uint64_t>(v));
    case Unit::flag: return v != 0;
    case Unit::cpu: return cpu_number(scenario, static_cast<std::int32_t>(v));
    case Unit::task: return task_name_or_null(scenario, st, static_cast<std::int32_t>(v));
    case Unit::entity: return entity_name_or_null(scenario, st, static_cast<std::int32_t>(v));
    case Unit::count:
    case Unit::ns:
    case Unit::weight:
    case Unit::load: break;
    }
    return number(v);
}

std::string_view unit_name(Unit unit) {
    switch (unit) {
    case Unit::count: return "count";
    case Unit::ns: return "ns";
    case Unit::vtime: return "vtime";
    case Unit::weight: return "weight";
    case Unit::load: return "load";
    case Unit::flag: return "flag";
    case Unit::cpu: return "cpu";
    case Unit::task: return "task";
    case Unit::entity: return "entity";
    }
    return "";
}

std::string_view verdict_name(Verdict v) {
    switch (v) {
    case Verdict::no: return "no";
    case Verdict::yes: return "yes";
    case Verdict::not_asked: return "n/a";
    case Verdict::noted: return "noted";
    }
    return "";
}

Json check_json(const Scenario& scenario, const State& st, const Check& c) {
    const ChkInfo& row = info(c.id);
    Json out{{"check", row.name}};
    if (row.subject != SubjectType::none) out["subject"] = subject(scenario, st, c);
    if (c.verdict != Verdict::not_asked) {
        out["left"] = value(scenario, st, row.unit, c.left);
        out["right"] = value(scenario, st, row.unit, c.right);
        out["unit"] = unit_name(row.unit);
    }
    out["verdict"] = verdict_name(c.verdict);
    return out;
}

Json decision_object(const Scenario& scenario, const State& st, const DecisionHeader& h, std::span<const Check> checks) {
    Json out{{"number", number(st.decisions)}, {"event", number(h.event)},
             {"time_ns", number(h.at)},        {"cpu", cpu_number(scenario, h.cpu)},
             {"kind", info(h.kind).name},      {"task", task_name_or_null(scenario, st, h.task)},
             {"outcome", outcome(scenario, st, h)}, {"reason", info(h.reason).name}};
    if (h.level != 0) out["level"] = h.level;
    if (h.cost != 0) out["cost_ns"] = h.cost;
    if (checks.empty()) return out;
    Json rows = Json::array();
    for (const Check& c : checks) rows.push_back(check_json(scenario, st, c));
    rows[std::min<std::size_t>(h.deciding, rows.size() - 1)]["deciding"] = true;
    out["checks"] = std::move(rows);
    return out;
}

std::string line(const Json& object) { return object.dump(-1, ' ', false, Json::error_handler_t::replace); }

} // namespace

std::string decision_json(const Scenario& scenario, const State& st, const DecisionHeader& header, std::span<const Check> checks) {
    return line(decision_object(scenario, st, header, checks));
}

std::string explained_json(const Scenario& scenario, const State& st, const DecisionHeader& header, std::span<const Check> checks) {
    Json out = decision_object(scenario, st, header, checks);
    const Explanation e = explain(scenario, st, header, checks);
    out["title"] = e.title;
    out["sentence"] = e.sentence;
    out["function"] = e.function;
    if (!e.path.empty()) out["path"] = e.path;
    for (std::size_t i = 0; i < e.checks.size(); ++i) {
        Json& row = out["checks"][i];
        if (!e.checks[i].step.empty()) row["step"] = e.checks[i].step;
        row["question"] = e.checks[i].question;
        row["inputs"] = e.checks[i].inputs;
        row["function"] = e.checks[i].function;
        if (!e.checks[i].governed.empty()) row["governed"] = e.checks[i].governed;
        if (e.checks[i].has_margin) row["margin_ns"] = number(e.checks[i].margin);
    }
    Json writes = Json::array();
    for (const Write& w : e.writes) writes.push_back({{"field", w.field}, {"change", w.change}});
    out["writes"] = std::move(writes);
    return line(out);
}

} // namespace picknext::io
