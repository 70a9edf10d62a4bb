// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/io/compare_json.hpp"

#include <nlohmann/json.hpp>

#include "core/compare/align.hpp"
#include "core/explain/explain.hpp"
#include "core/io/decision_json.hpp"

namespace picknext::io {
namespace {

using compare::Depth;
using Json = nlohmann::ordered_json;

Json record_json(const Scenario& scenario, const std::optional<compare::Record>& r) {
    if (!r) return nullptr;
    return Json::parse(explained_json(scenario, r->before, r->header, r->checks));
}

std::string_view word(compare::Likeness l) {
    switch (l) {
    case compare::Likeness::same: return "same";
    case compare::Likeness::numbers: return "numbers";
    case compare::Likeness::answer: return "answer";
    case compare::Likeness::only_a: return "only_a";
    case compare::Likeness::only_b: return "only_b";
    }
    return "";
}

/// Both decisions with their checks, and which check of one is which of the other.
Json divergence_json(const compare::Comparison& c, const std::optional<compare::Divergence>& d) {
    if (!d) return nullptr;
    Json out{{"a", record_json(*c.a, d->a)}, {"b", record_json(*c.b, d->b)}};
    if (!d->a || !d->b) return out;
    Json rows = Json::array();
    for (const compare::CheckPair& pair : compare::align(d->a->checks, d->b->checks)) {
        const ChkInfo& row = info(pair.a ? d->a->checks[*pair.a].id : d->b->checks[*pair.b].id);
        Json item{{"check", row.name}, {"a", pair.a ? Json(*pair.a) : Json(nullptr)}, {"b", pair.b ? Json(*pair.b) : Json(nullptr)}, {"likeness", word(pair.likeness)}};
        if (!row.governed.empty()) item["governed"] = row.governed;
        rows.push_back(std::move(item));
    }
    out["rows"] = std::move(rows);
    return out;
}

Json divergences_json(const compare::Comparison& c, const compare::Divergences& d) {
    const auto count = [&](Depth depth) { return d.differ[static_cast<std::size_t>(depth)]; };
    Json out{{"compared", d.compared},           {"decisions_a", d.decisions_a},    {"decisions_b", d.decisions_b},
             {"left_out_a", d.left_out_a},       {"left_out_b", d.left_out_b},      {"outcome", divergence_json(c, d.at(Depth::outcome))},
             {"other_reason", count(Depth::reason)}, {"reason", divergence_json(c, d.at(Depth::reason))},
             {"other_checks", count(Depth::checks)}, {"checks", divergence_json(c, d.at(Depth::checks))},
             {"other_time", count(Depth::time)}, {"time", divergence_json(c, d.at(Depth::time))}};
    const compare::ActivationTotals& a = d.activations;
    out["activations"] = {{"pairs", a.pairs},   {"other_outcome", a.other_outcome}, {"other_reason", a.other_reason}, {"other_time", a.other_time},
                          {"farthest_ns", a.farthest}, {"only_a", a.only_a},        {"only_b", a.only_b},             {"first", divergence_json(c, d.activation)}};
    return out;
}

Json paired_json(const compare::Paired& p) {
    if (p.seeds == 0) return nullptr;
    Json out{{"seeds", p.seeds}, {"a", p.a}, {"b", p.b}, {"difference", p.difference}};
    if (p.interval) out["interval"] = {p.interval->low, p.interval->high};
    return out;
}

Json metrics_json(const compare::Samples& a, const compare::Samples& b) {
    Json out = Json::array();
    for (const compare::MeasureInfo& m : compare::measure_table()) {
        const compare::Paired p = compare::paired(a, b, m.id);
        if (p.seeds == 0) continue;
        Json item{{"metric", m.key}, {"unit", m.time ? "ns" : "count"}};
        item.update(paired_json(p));
        out.push_back(std::move(item));
    }
    return out;
}

Json matrix_json(const compare::Matrix& matrix) {
    Json out{{"toggles", matrix.toggles}, {"interactions", Json::array()}};
    for (unsigned set = 1; set < matrix.arms.size(); ++set) {
        Json of = Json::array();
        for (std::size_t t = 0; t < matrix.toggles.size(); ++t)
            if ((set >> t & 1U) != 0) of.push_back(matrix.toggles[t]);
        Json measures = Json::array();
        for (const compare::MeasureInfo& m : compare::measure_table()) {
            const compare::Paired p = compare::interaction(matrix.arms, set, m.id);
            if (p.seeds == 0) continue;
            Json item{{"metric", m.key}, {"unit", m.time ? "ns" : "count"}};
            item.update(paired_json(p));
            measures.push_back(std::move(item));
        }
        out["interactions"].push_back({{"of", std::move(of)}, {"metrics", std::move(measures)}});
    }
    return out;
}

std::string_view word(compare::Effect e) {
    constexpr std::array<std::string_view, compare::effect_count> words{"unknown", "none", "checks", "reason", "not_asked", "outcome"};
    return words[static_cast<std::size_t>(e)];
}

std::string line(const Json& object) { return object.dump(-1, ' ', false, Json::error_handler_t::replace); }

} // namespace

std::string what_if_json(const Scenario& scenario, const compare::Record& record, const compare::WhatIfs& what) {
    Json out{{"decision", record_json(scenario, record)}, {"possible", what.possible}, {"alternatives", Json::array()}};
    for (const compare::WhatIf& w : what.all) {
        Json item{{"change", w.alternative.change}, {"effect", word(w.effect)}};
        if (w.alternative.without_history) item["without_history"] = true;
        if (w.effect == compare::Effect::checks || w.effect == compare::Effect::reason || w.effect == compare::Effect::outcome) {
            const compare::Record other = compare::decided(record, *w.again, w.alternative.settings);
            item["decision"] = Json::parse(decision_json(scenario, other.before, other.header, other.checks));
        }
        out["alternatives"].push_back(std::move(item));
    }
    return line(out);
}

std::string tallies_json(const Scenario& scenario, const compare::Tallies& t) {
    Json out{{"scenario", scenario.name}, {"decisions", t.decisions}, {"taken_again", t.taken_again}, {"alternatives", Json::array()}};
    for (const compare::Tally& row : t.all) {
        Json item{{"change", row.alternative.change}};
        if (row.alternative.without_history) item["without_history"] = true;
        for (std::size_t e = 0; e < compare::effect_count; ++e) item[std::string(word(static_cast<compare::Effect>(e)))] = row.count[e];
        for (const compare::Effect e : {compare::Effect::checks, compare::Effect::reason, compare::Effect::not_asked, compare::Effect::outcome})
            if (row.first[static_cast<std::size_t>(e)] != 0) item["first_" + std::string(word(e))] = row.first[static_cast<std::size_t>(e)];
        out["alternatives"].push_back(std::move(item));
    }
    return line(out);
}

std::string comparison_json(const compare::Comparison& c) {
    Json out{{"scenario", c.a->name}, {"changes", c.changes}, {"differs", c.differs()}};
    if (c.divergences) out["divergence"] = divergences_json(c, *c.divergences);
    if (c.samples) out["metrics"] = metrics_json((*c.samples)[0], (*c.samples)[1]);
    if (c.matrix) out["matrix"] = matrix_json(*c.matrix);
    return line(out);
}

} // namespace picknext::io
