// SPDX-License-Identifier: GPL-3.0-or-later
// costs/1: what operations cost on a platform, each constant with its basis.
#include <algorithm>

#include <fmt/ranges.h>

#include "core/base/duration.hpp"
#include "core/io/extra_keys.hpp"
#include "core/io/native.hpp"
#include "core/io/native_keys.hpp"

namespace picknext::io {
namespace {

using cost::Basis;
using cost::Cost;
using cost::CostInfo;
using cost::CostProfile;
using cost::CostUnit;
using cost::IdleState;
using cost::Provenance;

/// A duration, a whole number or true and false, by the unit.
std::int64_t value_of(const JsonNode& n, CostUnit unit) {
    if (unit == CostUnit::flag) return n.boolean() ? 1 : 0;
    if (unit != CostUnit::ns) return n.integer(0, cost::most(unit));
    const std::int64_t ns = n.duration();
    if (ns > cost::most(unit))
        n.fail("E-RANGE", fmt::format("{} is out of range; 0 to {} are possible", write_duration(ns), write_duration(cost::most(unit))));
    return ns;
}
JsonValue value_tree(std::int64_t value, CostUnit unit) {
    if (unit == CostUnit::flag) return JsonValue::of(value != 0);
    return unit == CostUnit::ns ? JsonValue::of(std::string_view{write_duration(value)}) : JsonValue::of(value);
}

/// basis, range and text; `range` is the one that holds when the file gives none.
Provenance provenance_of(const JsonNode& n, CostUnit unit, Provenance range) {
    Provenance p = std::move(range);
    p.basis = static_cast<Basis>(n.required("basis").word(cost::basis_names));
    if (const auto r = n.find("range")) {
        const std::vector<JsonNode> ends = r->items();
        if (ends.size() != 2) {
            r->fail("E-TYPE", "a range is two values, the lowest and the highest");
            return p;
        }
        p.low = value_of(ends[0], unit);
        p.high = value_of(ends[1], unit);
        if (p.low > p.high) r->fail("E-RANGE", "the lowest value of this range is above the highest; swap them");
    }
    if (p.basis == Basis::assumed) {
        if (const auto t = n.find("text")) p.text = t->text();
    } else {
        p.text = n.required("text").text();
    }
    return p;
}
/// 0 charges nothing and is always possible.
void warn_outside(const JsonNode& value, std::int64_t v, CostUnit unit, const Provenance& p) {
    if (v != 0 && (v < p.low || v > p.high))
        value.warn("W-RANGE", fmt::format("{} lies outside {} to {}, where this constant is plausible", cost_text(v, unit), cost_text(p.low, unit),
                                          cost_text(p.high, unit)));
}
void add_provenance(JsonValue& v, const Provenance& p, CostUnit unit) {
    v.add("basis", JsonValue::of(cost::basis_names[static_cast<std::size_t>(p.basis)]));
    if (unit != CostUnit::flag) {
        JsonValue range = JsonValue::array();
        range.items = {value_tree(p.low, unit), value_tree(p.high, unit)};
        v.add("range", std::move(range));
    }
    if (!p.text.empty()) v.add("text", JsonValue::of(std::string_view{p.text}));
}

void read_constants(const JsonNode& list, CostProfile& profile) {
    if (!list.keys(keys::cost_names())) return;
    std::vector<std::string> silent;
    for (const CostInfo& i : cost::cost_table()) {
        const std::optional<JsonNode> n = list.find(i.name);
        if (!n) {
            silent.push_back(fmt::format("{} {}", i.name, cost_text(i.fallback, i.unit)));
            continue;
        }
        if (!n->keys(keys::cost)) return;
        const JsonNode value = n->required("value");
        Provenance& p = profile.provenance[cost::index_of(i.id)];
        profile.costs[i.id] = value_of(value, i.unit);
        p = provenance_of(*n, i.unit, p);
        if (!list.reading().failed()) warn_outside(value, profile.costs[i.id], i.unit, p);
    }
    if (!silent.empty()) list.note("N-DEFAULT", fmt::format("these are not given and have their defaults: {}", fmt::join(silent, ", ")));
}

void read_idle_states(const JsonNode& list, CostProfile& profile) {
    const std::vector<JsonNode> items = list.items();
    if (items.size() > cost::max_idle_states) {
        list.fail("E-LIMIT", fmt::format("{} idle states, at most {} are possible", items.size(), cost::max_idle_states));
        return;
    }
    std::int64_t lighter = 0;
    for (std::size_t i = 0; i < items.size(); ++i) {
        const JsonNode& n = items[i];
        if (!n.keys(keys::idle_state)) return;
        profile.idle_state_names[i] = n.required("name").name();
        IdleState& s = profile.costs.idle_states[i];
        const JsonNode residency = n.required("residency");
        const JsonNode exit = n.required("exit");
        s.exit_latency = value_of(n.required("exit_latency"), CostUnit::ns);
        s.residency = value_of(residency, CostUnit::ns);
        s.charged_exit = value_of(exit, CostUnit::ns);
        if (s.residency < lighter) residency.fail("E-ORDER", "the state before this one has a longer residency; list the lightest state first");
        lighter = s.residency;
        profile.idle_state_provenance[i] = provenance_of(n, CostUnit::ns, {Basis::assumed, {}, 0, s.exit_latency});
        if (!list.reading().failed()) warn_outside(exit, s.charged_exit, CostUnit::ns, profile.idle_state_provenance[i]);
    }
    profile.costs.idle_state_count = static_cast<std::int64_t>(items.size());
}

} // namespace

std::string cost_text(std::int64_t value, CostUnit unit) {
    switch (unit) {
    case CostUnit::ns: return write_duration(value);
    case CostUnit::flag: return value != 0 ? "on" : "off";
    case CostUnit::count: return fmt::format("{}", value);
    case CostUnit::permille:
    case CostUnit::bytes: break;
    }
    return fmt::format("{} {}", value, cost::name_of(unit));
}

CostProfile costs_of(const JsonNode& root, bool inside) {
    CostProfile profile = cost::default_profile();
    if (!check_envelope(root, "costs", inside) || !root.keys(keys::costs)) return profile;
    if (const auto n = root.find("name")) profile.name = n->text();
    if (const auto n = root.find("description")) profile.description = n->text();
    read_constants(root.required("constants"), profile);
    if (root.reading().failed()) return profile;
    if (const auto n = root.find("idle_states")) read_idle_states(*n, profile);
    profile.extras = extra_keys(root.value());
    return profile;
}

JsonValue tree_of(const CostProfile& profile) {
    JsonValue v = JsonValue::object();
    v.add("format", JsonValue::of("picknext-costs/1"));
    if (!profile.name.empty()) v.add("name", JsonValue::of(std::string_view{profile.name}));
    if (!profile.description.empty()) v.add("description", JsonValue::of(std::string_view{profile.description}));
    JsonValue constants = JsonValue::object();
    for (const CostInfo& i : cost::cost_table()) {
        JsonValue c = JsonValue::object();
        c.add("value", value_tree(profile.costs[i.id], i.unit));
        add_provenance(c, profile.provenance[cost::index_of(i.id)], i.unit);
        constants.add(i.name, std::move(c));
    }
    v.add("constants", std::move(constants));
    JsonValue states = JsonValue::array();
    for (std::size_t i = 0; i < static_cast<std::size_t>(profile.costs.idle_state_count); ++i) {
        const IdleState& s = profile.costs.idle_states[i];
        JsonValue state = JsonValue::object();
        state.add("name", JsonValue::of(std::string_view{profile.idle_state_names[i]}))
            .add("exit_latency", value_tree(s.exit_latency, CostUnit::ns))
            .add("residency", value_tree(s.residency, CostUnit::ns))
            .add("exit", value_tree(s.charged_exit, CostUnit::ns));
        add_provenance(state, profile.idle_state_provenance[i], CostUnit::ns);
        states.items.push_back(std::move(state));
    }
    v.add("idle_states", std::move(states));
    put_back(v, profile.extras);
    return v;
}

} // namespace picknext::io
