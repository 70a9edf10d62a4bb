// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/io/json_value.hpp"

#include <algorithm>

#include <fmt/format.h>

namespace picknext::io {
namespace {

constexpr std::size_t line_width = 100;

bool is_scalar(const JsonValue& v) { return v.kind != JsonValue::Kind::array && v.kind != JsonValue::Kind::object; }

/// Scalars, and objects or arrays of scalars one level down, read well on one line.
bool is_flat(const JsonValue& v, int levels) {
    if (is_scalar(v)) return true;
    if (levels == 0) return false;
    return std::all_of(v.items.begin(), v.items.end(), [&](const JsonValue& i) { return is_flat(i, levels - 1); }) &&
           std::all_of(v.members.begin(), v.members.end(), [&](const JsonMember& m) { return is_flat(m.value, levels - 1); });
}

void quote(std::string& out, std::string_view text) {
    out += '"';
    for (const char c : text) {
        switch (c) {
        case '"': out += "\\\""; break;
        case '\\': out += "\\\\"; break;
        case '\n': out += "\\n"; break;
        case '\t': out += "\\t"; break;
        default:
            if (static_cast<unsigned char>(c) < 0x20) out += fmt::format("\\u{:04x}", static_cast<unsigned>(c));
            else out += c;
        }
    }
    out += '"';
}

void scalar(std::string& out, const JsonValue& v) {
    switch (v.kind) {
    case JsonValue::Kind::boolean: out += v.truth ? "true" : "false"; break;
    case JsonValue::Kind::integer:
        out += v.above_int64 ? fmt::format("{}", static_cast<std::uint64_t>(v.integer)) : fmt::format("{}", v.integer);
        break;
    case JsonValue::Kind::real: out += v.text; break;
    case JsonValue::Kind::string: quote(out, v.text); break;
    default: out += "null"; break;
    }
}

/// One element after another between brackets, `separate` before each but the first.
template <class Each, class Separate>
void elements(std::string& out, const JsonValue& v, Each each, Separate separate) {
    const bool is_array = v.kind == JsonValue::Kind::array;
    bool first = true;
    const auto next = [&] {
        separate(first);
        first = false;
    };
    out += is_array ? '[' : '{';
    for (const JsonValue& item : v.items) {
        next();
        each(item);
    }
    for (const JsonMember& member : v.members) {
        next();
        quote(out, member.key);
        out += ": ";
        each(member.value);
    }
}

void on_one_line(std::string& out, const JsonValue& v) {
    if (is_scalar(v)) return scalar(out, v);
    elements(out, v, [&](const JsonValue& child) { on_one_line(out, child); }, [&](bool first) { out += first ? "" : ", "; });
    out += v.kind == JsonValue::Kind::array ? ']' : '}';
}

void indented(std::string& out, const JsonValue& v, std::size_t depth) {
    if (is_scalar(v)) return scalar(out, v);
    const bool scalars = v.kind == JsonValue::Kind::array && is_flat(v, 1);
    if (scalars || (depth > 0 && is_flat(v, 3))) {
        std::string line;
        on_one_line(line, v);
        if (scalars || line.size() + 2 * depth <= line_width) {
            out += line;
            return;
        }
    }
    const auto new_line = [&](std::size_t level) { out += "\n" + std::string(2 * level, ' '); };
    elements(out, v, [&](const JsonValue& child) { indented(out, child, depth + 1); },
             [&](bool first) {
                 if (!first) out += ',';
                 new_line(depth + 1);
             });
    if (!v.items.empty() || !v.members.empty()) new_line(depth);
    out += v.kind == JsonValue::Kind::array ? ']' : '}';
}

} // namespace

JsonValue::JsonValue() = default;
JsonValue::JsonValue(const JsonValue&) = default;
JsonValue::JsonValue(JsonValue&&) noexcept = default;
JsonValue& JsonValue::operator=(const JsonValue&) = default;
JsonValue& JsonValue::operator=(JsonValue&&) noexcept = default;
JsonValue::~JsonValue() = default;

JsonValue JsonValue::of(bool value) {
    JsonValue v;
    v.kind = Kind::boolean;
    v.truth = value;
    return v;
}
JsonValue JsonValue::of(std::int64_t value) {
    JsonValue v;
    v.kind = Kind::integer;
    v.integer = value;
    return v;
}
JsonValue JsonValue::of(std::uint64_t value) {
    JsonValue v = of(static_cast<std::int64_t>(value));
    v.above_int64 = value > static_cast<std::uint64_t>(INT64_MAX);
    return v;
}
JsonValue JsonValue::of(std::string_view value) {
    JsonValue v;
    v.kind = Kind::string;
    v.text = value;
    return v;
}
JsonValue JsonValue::array() {
    JsonValue v;
    v.kind = Kind::array;
    return v;
}
JsonValue JsonValue::object() {
    JsonValue v;
    v.kind = Kind::object;
    return v;
}
JsonValue& JsonValue::add(std::string_view key, JsonValue value) {
    members.push_back(JsonMember{std::string{key}, 0, 1, std::move(value)});
    return *this;
}

std::string json_text(const JsonValue& value) {
    std::string out;
    indented(out, value, 0);
    out += '\n';
    return out;
}

} // namespace picknext::io
