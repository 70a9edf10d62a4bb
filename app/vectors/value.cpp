// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/vectors/value.hpp"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

namespace picknext::vectors {

namespace {

using nlohmann::json;

Value convert(const json& j) {
    switch (j.type()) {
    case json::value_t::null: return Value{};
    case json::value_t::boolean: return Value{std::int64_t{j.get<bool>()}};
    case json::value_t::number_integer: return Value{j.get<std::int64_t>()};
    case json::value_t::number_unsigned: return Value{static_cast<std::int64_t>(j.get<std::uint64_t>())};
    case json::value_t::string: return Value{j.get<std::string>()};
    case json::value_t::array: {
        Value::List list;
        list.reserve(j.size());
        for (const json& element : j) list.push_back(convert(element));
        return Value{std::move(list)};
    }
    case json::value_t::object: {
        Value::Map map;
        map.reserve(j.size());
        for (const auto& [key, element] : j.items()) map.emplace_back(key, convert(element));
        return Value{std::move(map)};
    }
    default: throw Malformed(fmt::format("{} is no whole number", j.dump()));
    }
}

} // namespace

Value parse(std::string_view text) {
    try {
        return convert(json::parse(text));
    } catch (const json::exception& e) {
        throw Malformed(e.what());
    }
}

const Value* Value::find(std::string_view key) const {
    for (const auto& [name, value] : map())
        if (name == key) return &value;
    return nullptr;
}

const Value& Value::operator[](std::string_view key) const {
    if (const Value* v = find(key)) return *v;
    throw Malformed(fmt::format("\"{}\" is missing", key));
}

const Value& Value::operator[](std::size_t index) const {
    if (index < list().size()) return list()[index];
    throw Malformed(fmt::format("a list has {} elements, {} are needed", list().size(), index + 1));
}

std::int64_t Value::number_or(std::string_view key, std::int64_t otherwise) const {
    const Value* v = find(key);
    return v != nullptr ? v->number() : otherwise;
}

std::string Value::text_or(std::string_view key, std::string_view otherwise) const {
    const Value* v = find(key);
    return v != nullptr ? v->text() : std::string(otherwise);
}

std::vector<std::int64_t> Value::numbers() const {
    std::vector<std::int64_t> out;
    out.reserve(list().size());
    for (const Value& v : list()) out.push_back(v.number());
    return out;
}

} // namespace picknext::vectors
