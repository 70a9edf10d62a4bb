// SPDX-License-Identifier: GPL-3.0-or-later
// A vector file as a tree of values. Numbers are 64-bit patterns: those of 2^63 and more read as negative.
#pragma once

#include <cstdint>
#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

namespace picknext::vectors {

/// The file is not what its format promises: what() says what is missing or of the wrong type.
class Malformed : public std::runtime_error {
  public:
    using std::runtime_error::runtime_error;
};

class Value {
  public:
    using List = std::vector<Value>;
    using Map = std::vector<std::pair<std::string, Value>>; // in file order

    Value() = default;
    explicit Value(std::int64_t number) : m_data(number) {}
    explicit Value(std::string text) : m_data(std::move(text)) {}
    explicit Value(List list) : m_data(std::move(list)) {}
    explicit Value(Map map) : m_data(std::move(map)) {}

    // Each throws Malformed when the value is of another type.
    [[nodiscard]] std::int64_t number() const { return get<std::int64_t>("a number"); }
    [[nodiscard]] std::uint64_t pattern() const { return static_cast<std::uint64_t>(number()); }
    [[nodiscard]] int integer() const { return static_cast<int>(number()); }
    [[nodiscard]] const std::string& text() const { return get<std::string>("a text"); }
    [[nodiscard]] const List& list() const { return get<List>("a list"); }
    [[nodiscard]] const Map& map() const { return get<Map>("an object"); }
    [[nodiscard]] bool is_list() const { return std::holds_alternative<List>(m_data); }
    [[nodiscard]] bool is_map() const { return std::holds_alternative<Map>(m_data); }

    /// The member of an object, or nullptr.
    [[nodiscard]] const Value* find(std::string_view key) const;
    /// The member of an object, which must be there.
    [[nodiscard]] const Value& operator[](std::string_view key) const;
    /// The element of a list, which must be there.
    [[nodiscard]] const Value& operator[](std::size_t index) const;
    [[nodiscard]] std::int64_t number_or(std::string_view key, std::int64_t otherwise) const;
    [[nodiscard]] std::string text_or(std::string_view key, std::string_view otherwise) const;
    /// A list of numbers.
    [[nodiscard]] std::vector<std::int64_t> numbers() const;

  private:
    template <class T>
    [[nodiscard]] const T& get(const char* wanted) const {
        if (const T* v = std::get_if<T>(&m_data)) return *v;
        throw Malformed(std::string(wanted) + " is expected");
    }
    std::variant<std::monostate, std::int64_t, std::string, List, Map> m_data;
};

/// Parses JSON without fractions. Throws Malformed.
[[nodiscard]] Value parse(std::string_view text);

} // namespace picknext::vectors
