// SPDX-License-Identifier: GPL-3.0-or-later
// packet/1: a scenario, what is switched over it, and what is claimed of its run.
#include <charconv>

#include <fmt/format.h>

#include "core/expr/expression.hpp"
#include "core/io/extra_keys.hpp"
#include "core/io/native.hpp"
#include "core/io/native_keys.hpp"
#include "core/profile/changes.hpp"

namespace picknext::io {
namespace {

using packet::Assertion;
using packet::Packet;
using packet::When;

constexpr std::array<std::pair<std::string_view, When>, 3> whens{std::pair{std::string_view{"always"}, When::always}, {"never", When::never}, {"sometime", When::sometime}};

/// A condition that stands behind `before` compiles; what is wrong is said of its own columns.
std::string condition_of(const JsonNode& n, const Scenario& scenario, std::string_view before = {}) {
    std::string text = n.text();
    if (n.reading().failed()) return text;
    const Result<expr::Expression> compiled = expr::Expression::compile(fmt::format("{}{}", before, text), scenario);
    if (compiled) return text;
    const int column = std::max(1, compiled.error().place.column - static_cast<int>(before.size()));
    n.fail(compiled.error().code, fmt::format("column {} of \"{}\": {}", column, text, compiled.error().message));
    return text;
}

/// What is expected of one decision: its kind, outcome and reason, and a condition, all that is given.
std::string expected_of(const JsonNode& n, const Scenario& scenario) {
    std::string out;
    const auto add = [&](std::string part) { out += (out.empty() ? "" : " && ") + std::move(part); };
    if (const auto kind = n.find("kind")) {
        condition_of(*kind, scenario, "kind == ");
        add(fmt::format("kind == {}", kind->text()));
    }
    if (const auto outcome = n.find("outcome")) {
        condition_of(*outcome, scenario, "outcome == ");
        add(fmt::format("outcome == {}", outcome->text()));
    }
    if (const auto reason = n.find("reason")) {
        condition_of(*reason, scenario, "reason == ");
        add(fmt::format("reason == {}", reason->text()));
    }
    if (const auto holds = n.find("holds")) {
        const std::string condition = condition_of(*holds, scenario);
        add(out.empty() ? condition : fmt::format("({})", condition));
    }
    if (out.empty() && !n.reading().failed()) n.fail("E-MISSING", "of this decision nothing is expected; give \"kind\", \"outcome\", \"reason\" or \"holds\"");
    return out;
}

Assertion assertion_of(const JsonNode& n, const Scenario& scenario) {
    Assertion a;
    if (!n.keys(keys::assertion)) return a;
    if (const auto name = n.find("name")) a.name = name->text();
    const auto decision = n.find("decision"), where = n.find("where");
    int given = decision ? 1 : 0;
    for (const auto& [key, when] : whens)
        if (const auto condition = n.find(key)) {
            ++given;
            a.when = when;
            a.condition = condition_of(*condition, scenario);
        }
    if (given != 1) {
        n.fail("E-ASSERTION", "an assertion is exactly one of \"always\", \"never\", \"sometime\" and \"decision\"");
        return a;
    }
    if (where && decision) where->fail("E-ASSERTION", "a decision is told by its number alone; leave out \"where\"");
    if (where) a.where = condition_of(*where, scenario);
    for (const std::string_view key : {"kind", "outcome", "reason", "holds"})
        if (const auto only = n.find(key); only && !decision) only->fail("E-ASSERTION", fmt::format("\"{}\" is expected of one decision; give \"decision\", its number", key));
    if (!decision) return a;
    a.when = When::decision;
    a.decision = decision->u64();
    if (a.decision == 0 && !n.reading().failed()) decision->fail("E-RANGE", "decisions are numbered from 1");
    a.condition = expected_of(n, scenario);
    return a;
}

std::uint64_t digest_of(const JsonNode& n) {
    const std::string text = n.text();
    std::uint64_t value = 0;
    const auto [end, problem] = std::from_chars(text.data(), text.data() + text.size(), value, 16);
    if (!n.reading().failed() && (problem != std::errc{} || end != text.data() + text.size() || text.size() != 16))
        n.fail("E-DIGEST", "a digest is 16 hexadecimal digits, as \"run --digest\" prints it");
    return value;
}

/// Put over the settings one after the other.
void read_toggles(const JsonNode& list, Packet& p) {
    Settings settings = p.scenario.settings;
    for (const JsonNode& n : list.items()) {
        const std::string toggle = n.text();
        if (n.reading().failed()) return;
        const Result<Settings> to = changed(settings, p.scenario.machine.online().size(), toggle);
        if (!to) {
            n.fail(to.error().code, fmt::format("column {}: {}", to.error().place.column, to.error().message));
            return;
        }
        settings = *to;
        p.toggles.push_back(toggle);
    }
}

} // namespace

Packet packet_of(const JsonNode& root, const std::string& folder) {
    Packet p;
    if (!check_envelope(root, "packet", false) || !root.keys(keys::packet)) return p;
    if (const auto n = root.find("title")) p.title = n->text();
    if (const auto n = root.find("description")) p.description = n->text();
    if (const auto n = root.find("author")) p.author = n->text();
    if (const auto n = root.find("digest")) p.digest = digest_of(*n);
    const JsonNode scenario = root.required("scenario");
    if (root.reading().failed() || !scenario.expect_object()) return p;
    p.scenario = scenario_of(scenario, folder);
    if (root.reading().failed()) return p;
    if (const auto n = root.find("toggles")) read_toggles(*n, p);
    if (const auto n = root.find("assertions"))
        for (const JsonNode& item : n->items()) {
            if (root.reading().failed()) return p;
            p.assertions.push_back(assertion_of(item, p.scenario));
        }
    p.extras = extra_keys(root.value(), {"scenario"});
    return p;
}

JsonValue tree_of(const Packet& p) {
    const auto text = [](const std::string& t) { return JsonValue::of(std::string_view{t}); };
    JsonValue v = JsonValue::object();
    v.add("format", JsonValue::of("picknext-packet/1"));
    if (!p.title.empty()) v.add("title", text(p.title));
    if (!p.description.empty()) v.add("description", text(p.description));
    if (!p.author.empty()) v.add("author", text(p.author));
    if (!p.toggles.empty()) {
        JsonValue list = JsonValue::array();
        for (const std::string& t : p.toggles) list.items.push_back(text(t));
        v.add("toggles", std::move(list));
    }
    if (p.digest) v.add("digest", text(fmt::format("{:016x}", *p.digest)));
    JsonValue assertions = JsonValue::array();
    for (const Assertion& a : p.assertions) {
        JsonValue item = JsonValue::object();
        if (!a.name.empty()) item.add("name", text(a.name));
        if (a.when == When::decision) item.add("decision", JsonValue::of(a.decision)).add("holds", text(a.condition));
        for (const auto& [key, when] : whens)
            if (a.when == when) item.add(key, text(a.condition));
        if (!a.where.empty()) item.add("where", text(a.where));
        assertions.items.push_back(std::move(item));
    }
    if (!assertions.items.empty()) v.add("assertions", std::move(assertions));
    v.add("scenario", tree_of(p.scenario));
    put_back(v, p.extras);
    return v;
}

} // namespace picknext::io
