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

} // namespace

std::string comparison_json(const compare::Comparison& c) {
    Json out{{"scenario", c.a->name}, {"changes", c.changes}, {"differs", c.differs()}};
    if (c.divergences) out["divergence"] = divergences_json(c, *c.divergences);
    if (c.samples) out["metrics"] = metrics_json((*c.samples)[0], (*c.samples)[1]);
    if (c.matrix) out["matrix"] = matrix_json(*c.matrix);
    return out.dump(-1, ' ', false, Json::error_handler_t::replace);
}

} // namespace picknext::io
