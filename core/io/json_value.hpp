// SPDX-License-Identifier: GPL-3.0-or-later
// A JSON text as a tree that keeps what other trees lose: key order, repeated keys, and where each value begins.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace picknext::io {

struct JsonMember;

struct JsonValue {
    enum class Kind : std::uint8_t { null, boolean, integer, real, string, array, object };
    Kind kind = Kind::null;
    bool truth = false;              // boolean
    bool above_int64 = false;        // integer: the bits of `integer` are those of a u64
    std::size_t at = 0;              // offset of its first byte in the text
    std::int64_t integer = 0;
    std::string text;                // string; real: its token as written
    std::vector<JsonValue> items;    // array
    std::vector<JsonMember> members; // object, in order, repeated keys included

    // Defined where JsonMember is complete.
    JsonValue();
    JsonValue(const JsonValue&);
    JsonValue(JsonValue&&) noexcept;
    JsonValue& operator=(const JsonValue&);
    JsonValue& operator=(JsonValue&&) noexcept;
    ~JsonValue();

    [[nodiscard]] static JsonValue of(bool value);
    [[nodiscard]] static JsonValue of(std::int64_t value);
    [[nodiscard]] static JsonValue of(std::uint64_t value);
    [[nodiscard]] static JsonValue of(int value) { return of(static_cast<std::int64_t>(value)); }
    [[nodiscard]] static JsonValue of(std::string_view value);
    [[nodiscard]] static JsonValue of(const char* value) { return of(std::string_view{value}); }
    [[nodiscard]] static JsonValue array();
    [[nodiscard]] static JsonValue object();
    /// Appends a member; returns the object, for chains.
    JsonValue& add(std::string_view key, JsonValue value);
};

struct JsonMember {
    std::string key;
    std::size_t at = 0;   // offset of the key's quote
    int occurrence = 1;   // which of the members of this name, from 1
    JsonValue value;
};

/// The text of a tree: two-space indent, LF, a final newline. An array of scalars and an object of scalars that fits
/// in 100 columns stand on one line.
[[nodiscard]] std::string json_text(const JsonValue& value);

} // namespace picknext::io
