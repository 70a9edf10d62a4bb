// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/io/extra_keys.hpp"

#include <algorithm>

#include "core/io/json_pointer.hpp"
#include "core/io/json_reader.hpp"

namespace picknext::io {
namespace {

void collect(const JsonValue& value, const std::string& pointer, std::initializer_list<std::string_view> not_inside, std::vector<ExtraKey>& out) {
    for (std::size_t i = 0; i < value.items.size(); ++i) {
        std::string below = pointer;
        append_index(below, i);
        collect(value.items[i], below, {}, out);
    }
    for (const JsonMember& member : value.members) {
        if (member.key.starts_with("x-")) {
            out.push_back({pointer, member.key, json_text(member.value)});
            out.back().json.pop_back(); // the newline of a whole text
        } else if (std::find(not_inside.begin(), not_inside.end(), member.key) == not_inside.end()) {
            std::string below = pointer;
            append_key(below, member.key, 1);
            collect(member.value, below, {}, out);
        }
    }
}

/// The object a pointer names, or null. Pointers were made by collect().
JsonValue* find(JsonValue& root, std::string_view pointer) {
    JsonValue* at = &root;
    while (!pointer.empty() && at != nullptr) {
        const std::size_t end = std::min(pointer.find('/', 1), pointer.size());
        const std::string_view step = pointer.substr(0, end);
        pointer.remove_prefix(end);
        JsonValue* next = nullptr;
        for (std::size_t i = 0; i < at->items.size() && next == nullptr; ++i) {
            std::string own;
            append_index(own, i);
            if (own == step) next = &at->items[i];
        }
        for (JsonMember& member : at->members) {
            std::string own;
            append_key(own, member.key, 1);
            if (own == step) next = &member.value;
        }
        at = next;
    }
    return at != nullptr && at->kind == JsonValue::Kind::object ? at : nullptr;
}

} // namespace

std::vector<ExtraKey> extra_keys(const JsonValue& root, std::initializer_list<std::string_view> not_inside) {
    std::vector<ExtraKey> out;
    collect(root, {}, not_inside, out);
    return out;
}

void put_back(JsonValue& root, const std::vector<ExtraKey>& extras) {
    for (const ExtraKey& extra : extras) {
        JsonValue* object = find(root, extra.object);
        if (object == nullptr) continue;
        const Source source(extra.key, extra.json);
        Report ignored;
        if (Result<JsonValue> value = parse_json(source, ignored)) object->add(extra.key, std::move(value).value());
    }
}

} // namespace picknext::io
