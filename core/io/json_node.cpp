// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/io/json_node.hpp"

#include <algorithm>
#include <charconv>

#include <fmt/ranges.h>

#include "core/base/duration.hpp"
#include "core/base/nearest.hpp"
#include "core/io/json_pointer.hpp"
#include "core/topology/cpulist.hpp"

namespace picknext::io {
namespace {

using Kind = JsonValue::Kind;

std::string_view name_of(Kind kind) {
    switch (kind) {
    case Kind::null: return "null";
    case Kind::boolean: return "true or false";
    case Kind::integer: return "a number";
    case Kind::real: return "a number with a fraction";
    case Kind::string: return "a text";
    case Kind::array: return "an array";
    case Kind::object: return "an object";
    }
    return "";
}

/// The value as a message shows it.
std::string shown(const JsonValue& v) {
    switch (v.kind) {
    case Kind::boolean: return v.truth ? "true" : "false";
    case Kind::integer: return v.above_int64 ? fmt::format("{}", static_cast<std::uint64_t>(v.integer)) : fmt::format("{}", v.integer);
    case Kind::real: return v.text.substr(0, 40);
    default: return std::string(name_of(v.kind));
    }
}

bool all_zero(std::string_view digits) { return digits.find_first_not_of('0') == std::string_view::npos; }

} // namespace

std::optional<std::string> name_problem(std::string_view name) {
    const bool control = std::any_of(name.begin(), name.end(), [](char c) {
        return static_cast<unsigned char>(c) < 0x20 || static_cast<unsigned char>(c) == 0x7f;
    });
    if (name.empty()) return "a name may not be empty";
    if (control) return "a name may not hold control characters";
    if (name.size() > max_task_name) return fmt::format("a name of {} bytes; at most {} are allowed", name.size(), max_task_name);
    return std::nullopt;
}

void Reading::message(Severity severity, std::string code, Place place, std::string_view key, std::string text, std::uint64_t times) {
    auto& [count, last] = m_listed[{code, std::string{key}}];
    if (++count > listed_per_key) {
        m_report[last].count += times;
        return;
    }
    last = m_report.size();
    m_report.push_back(Message{severity, std::move(code), std::move(place), std::move(text), times});
}

std::string JsonNode::pointer() const {
    if (m_parent == nullptr) return {};
    std::string out = m_parent->pointer();
    if (m_member != nullptr) append_key(out, m_member->key, m_member->occurrence);
    else append_index(out, m_index);
    return out;
}

Place JsonNode::place() const {
    return m_reading->source().place(m_value->at, pointer());
}

void JsonNode::fail(std::string code, std::string message) const {
    if (!m_reading->failed()) m_reading->fail(Error{std::move(code), place(), std::move(message)});
}
void JsonNode::warn(std::string code, std::string message) const {
    m_reading->message(Severity::warning, std::move(code), place(), key(), std::move(message));
}
void JsonNode::note(std::string code, std::string message) const {
    m_reading->message(Severity::note, std::move(code), place(), key(), std::move(message));
}

void JsonNode::warn_at_key(std::string code, std::string message, std::uint64_t count) const {
    m_reading->message(Severity::warning, std::move(code), m_reading->source().place(m_member != nullptr ? m_member->at : m_value->at, pointer()),
                       key(), std::move(message), count);
}

bool JsonNode::expect_object() const {
    if (!is(Kind::object)) fail("E-TYPE", fmt::format("an object is needed here, not {}", name_of(m_value->kind)));
    return is(Kind::object);
}
bool JsonNode::expect_array() const {
    if (!is(Kind::array)) fail("E-TYPE", fmt::format("an array is needed here, not {}", name_of(m_value->kind)));
    return is(Kind::array);
}

bool JsonNode::keys(std::span<const std::string_view> known) const {
    if (!expect_object()) return false;
    for (const JsonNode& member : members()) {
        const std::string_view name = member.key();
        if (name.substr(0, 2) == "x-") continue;
        if (std::find(known.begin(), known.end(), name) == known.end())
            member.warn_at_key("W-UNKNOWN-KEY", fmt::format("key \"{}\" is not known and was ignored{}", name, did_you_mean(name, known)));
        else if (member.occurrence() > 1)
            member.warn_at_key("W-DUPKEY", fmt::format("key \"{}\" repeats line {}; the last one counts", name, first_line(name)));
    }
    return true;
}

int JsonNode::first_line(std::string_view key) const {
    const auto first = std::find_if(m_value->members.begin(), m_value->members.end(), [&](const JsonMember& m) { return m.key == key; });
    return first == m_value->members.end() ? 0 : m_reading->source().line(first->at);
}

std::optional<JsonNode> JsonNode::find(std::string_view key) const {
    for (auto member = m_value->members.rbegin(); member != m_value->members.rend(); ++member) {
        if (member->key != key) continue;
        JsonNode node(*m_reading, member->value, this);
        node.m_member = &*member;
        return node;
    }
    return std::nullopt;
}

JsonNode JsonNode::required(std::string_view key) const {
    if (std::optional<JsonNode> found = find(key)) return *found;
    if (is(Kind::object)) fail("E-MISSING", fmt::format("the key \"{}\" is missing here", key));
    return JsonNode(*m_reading, m_reading->nothing(), this);
}

std::vector<JsonNode> JsonNode::items() const {
    std::vector<JsonNode> out;
    if (!expect_array()) return out;
    out.reserve(m_value->items.size());
    for (std::size_t i = 0; i < m_value->items.size(); ++i) {
        out.emplace_back(*m_reading, m_value->items[i], this);
        out.back().m_index = i;
    }
    return out;
}

std::vector<JsonNode> JsonNode::members() const {
    std::vector<JsonNode> out;
    if (!expect_object()) return out;
    out.reserve(m_value->members.size());
    for (const JsonMember& member : m_value->members) {
        out.emplace_back(*m_reading, member.value, this);
        out.back().m_member = &member;
    }
    return out;
}

std::int64_t JsonNode::integer(std::int64_t low, std::int64_t high) const {
    if (is(Kind::real)) {
        const std::string& token = m_value->text;
        const std::size_t dot = token.find('.');
        const bool exponent = token.find_first_of("eE") != std::string::npos;
        std::string hint;
        if (!exponent && dot == std::string::npos) hint = fmt::format("; {} to {} are possible", low, high);
        else if (!exponent && all_zero(std::string_view{token}.substr(dot + 1))) hint = fmt::format("; write {}", token.substr(0, dot));
        fail(hint.find(" to ") != std::string::npos ? "E-RANGE" : "E-TYPE", fmt::format("a whole number is needed here, not {}{}", shown(*m_value), hint));
        return low;
    }
    if (!is(Kind::integer)) {
        fail("E-TYPE", fmt::format("a whole number is needed here, not {}", name_of(m_value->kind)));
        return low;
    }
    if (m_value->above_int64 || m_value->integer < low || m_value->integer > high) {
        fail("E-RANGE", fmt::format("{} is out of range; {} to {} are possible", shown(*m_value), low, high));
        return low;
    }
    return m_value->integer;
}

std::uint64_t JsonNode::u64() const {
    if (is(Kind::integer) && (m_value->above_int64 || m_value->integer >= 0)) return static_cast<std::uint64_t>(m_value->integer);
    if (is(Kind::string)) {
        std::string_view digits = m_value->text;
        const bool hex = digits.substr(0, 2) == "0x";
        if (hex) digits.remove_prefix(2);
        std::uint64_t value = 0;
        const auto [end, problem] = std::from_chars(digits.data(), digits.data() + digits.size(), value, hex ? 16 : 10);
        if (problem == std::errc{} && end == digits.data() + digits.size()) return value;
    }
    fail(is(Kind::integer) || is(Kind::real) ? "E-RANGE" : "E-TYPE",
         fmt::format("a number from 0 to {} is needed here (or a text of one, decimal or 0x), not {}", UINT64_MAX, shown(*m_value)));
    return 0;
}

bool JsonNode::boolean() const {
    if (!is(Kind::boolean)) fail("E-TYPE", fmt::format("true or false is needed here, not {}", shown(*m_value)));
    return m_value->truth;
}

std::string JsonNode::text() const {
    if (!is(Kind::string)) fail("E-TYPE", fmt::format("a text is needed here, not {}", shown(*m_value)));
    return m_value->text;
}

std::string JsonNode::name() const {
    std::string out = text();
    if (!is(Kind::string)) return out;
    if (const auto problem = name_problem(out)) fail("E-NAME", *problem);
    return out;
}

std::int64_t JsonNode::duration() const {
    if (is(Kind::integer) && !m_value->above_int64 && m_value->integer == 0) return 0;
    if (is(Kind::integer) || is(Kind::real)) {
        fail("E-UNIT", fmt::format("{0} has no unit; write \"{0}us\" or with ns, ms or s", shown(*m_value)));
        return 0;
    }
    if (!is(Kind::string)) {
        fail("E-TYPE", fmt::format("a duration like \"250us\" is needed here, not {}", name_of(m_value->kind)));
        return 0;
    }
    const Result<std::int64_t> ns = parse_duration(m_value->text);
    if (!ns) fail(ns.error().code, ns.error().message);
    return ns ? *ns : 0;
}

std::vector<int> JsonNode::cpulist() const {
    const std::string list = text();
    if (!is(Kind::string)) return {};
    Result<std::vector<int>> cpus = parse_cpulist(list);
    if (!cpus) fail(cpus.error().code, cpus.error().message);
    return cpus ? std::move(*cpus) : std::vector<int>{};
}

std::size_t JsonNode::word(std::span<const std::string_view> allowed) const {
    const std::string found = text();
    const auto at = std::find(allowed.begin(), allowed.end(), found);
    if (at != allowed.end()) return static_cast<std::size_t>(at - allowed.begin());
    if (is(Kind::string))
        fail("E-ENUM", fmt::format("\"{}\" is not known here; allowed are {}{}", found, fmt::join(allowed, ", "), did_you_mean(found, allowed)));
    return 0;
}

} // namespace picknext::io
