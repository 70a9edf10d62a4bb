// SPDX-License-Identifier: GPL-3.0-or-later
// Result<T>: a value, or the Error that says why there is none. Member names follow std::expected.
#pragma once

#include <string>
#include <utility>
#include <variant>

#include "core/base/assert.hpp"

namespace picknext {

/// Where in the user's text something is wrong. line and column count from 1 (column in code points); 0 = not known.
struct Place {
    std::string file;    // as the user named it; "-" for standard input; empty when there is no file
    int line = 0;
    int column = 0;
    std::string pointer; // JSON pointer (RFC 6901) of the key, empty for none
    friend bool operator==(const Place&, const Place&) = default;
};

/// A user's mistake: stable code (tested), place, and a sentence that says what is wrong and how to mend it.
struct Error {
    std::string code;    // "E-..." stable
    Place place;
    std::string message;
    /// "web.json:17:13: error E-TYPE /tasks/0/nice: ..." in one line.
    [[nodiscard]] std::string text() const;
    friend bool operator==(const Error&, const Error&) = default;
};

template <class T>
class [[nodiscard]] Result {
  public:
    Result(T value) : m_data(std::in_place_index<0>, std::move(value)) {}         // NOLINT: implicit by design
    Result(Error error) : m_data(std::in_place_index<1>, std::move(error)) {}     // NOLINT: implicit by design

    [[nodiscard]] bool has_value() const { return m_data.index() == 0; }
    explicit operator bool() const { return has_value(); }

    [[nodiscard]] T& value() & { check(); return std::get<0>(m_data); }
    [[nodiscard]] const T& value() const& { check(); return std::get<0>(m_data); }
    [[nodiscard]] T&& value() && { check(); return std::get<0>(std::move(m_data)); }
    T& operator*() & { return value(); }
    const T& operator*() const& { return value(); }
    T* operator->() { return &value(); }
    const T* operator->() const { return &value(); }
    [[nodiscard]] const Error& error() const {
        PICKNEXT_ASSERT(!has_value(), "error() of a result that holds a value");
        return std::get<1>(m_data);
    }

  private:
    void check() const { PICKNEXT_ASSERT(has_value(), "value() of an error: {}", std::get<1>(m_data).text()); }
    std::variant<T, Error> m_data;
};

} // namespace picknext
