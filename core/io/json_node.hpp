// SPDX-License-Identifier: GPL-3.0-or-later
// Typed reading of a JSON tree. A JsonNode is a value that knows where it stands; a Reading collects what was wrong: the
// first error wins, and reading goes on with harmless values, so that readers are straight lines.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "core/io/document.hpp"
#include "core/io/json_value.hpp"
#include "core/io/source.hpp"
#include "core/workload/workload.hpp"

namespace picknext::io {

/// Messages of one code about one key beyond this many are counted, not listed.
inline constexpr int listed_per_key = 20;

/// What is wrong with a name (empty, control characters, longer than max_task_name), or nothing.
[[nodiscard]] std::optional<std::string> name_problem(std::string_view name);

class Reading {
  public:
    Reading(const Source& source, Report& report) : m_source(source), m_report(report) {}

    [[nodiscard]] const Source& source() const { return m_source; }
    [[nodiscard]] Report& report() { return m_report; }
    [[nodiscard]] bool failed() const { return m_error.has_value(); }
    [[nodiscard]] const Error& error() const { return *m_error; }
    [[nodiscard]] const JsonValue& nothing() const { return m_nothing; } // what a missing key has

    void fail(Error error) {
        if (!m_error) m_error = std::move(error);
    }
    /// `key` groups messages for counting.
    void message(Severity severity, std::string code, Place place, std::string_view key, std::string text, std::uint64_t count = 1);

  private:
    const Source& m_source;
    Report& m_report;
    std::optional<Error> m_error;
    JsonValue m_nothing;
    std::map<std::pair<std::string, std::string>, std::pair<int, std::size_t>> m_listed; // (code, key) -> count, last index
};

class JsonNode {
  public:
    JsonNode(Reading& reading, const JsonValue& root, const JsonNode* parent = nullptr)
        : m_reading(&reading), m_value(&root), m_parent(parent) {}

    [[nodiscard]] const JsonValue& value() const { return *m_value; }
    [[nodiscard]] Reading& reading() const { return *m_reading; }
    [[nodiscard]] std::string_view key() const { return m_member != nullptr ? std::string_view{m_member->key} : std::string_view{}; }
    [[nodiscard]] std::string pointer() const;
    [[nodiscard]] Place place() const;
    [[nodiscard]] bool is(JsonValue::Kind kind) const { return m_value->kind == kind; }

    // What is wrong, here.
    void fail(std::string code, std::string message) const;
    void warn(std::string code, std::string message) const;
    void note(std::string code, std::string message) const;
    /// Warns at the key of this member, not at its value; `count` of them in one.
    void warn_at_key(std::string code, std::string message, std::uint64_t count = 1) const;
    [[nodiscard]] int line() const { return m_reading->source().line(m_member != nullptr ? m_member->at : m_value->at); }
    [[nodiscard]] int occurrence() const { return m_member != nullptr ? m_member->occurrence : 1; }

    /// E-TYPE unless this is an object (array).
    bool expect_object() const;
    bool expect_array() const;

    /// Expects an object; warns about keys not in the table (W-UNKNOWN-KEY) and repeated ones (W-DUPKEY: the last one
    /// counts). Keys that begin with x- are the user's own.
    bool keys(std::span<const std::string_view> known) const;

    // Children live no longer than this node.
    [[nodiscard]] std::optional<JsonNode> find(std::string_view key) const; // the last of repeated ones
    [[nodiscard]] int first_line(std::string_view key) const;               // of the first of repeated ones
    [[nodiscard]] JsonNode required(std::string_view key) const;            // E-MISSING, and a null
    [[nodiscard]] std::vector<JsonNode> items() const;                      // E-TYPE unless an array
    [[nodiscard]] std::vector<JsonNode> members() const;                    // all, repeated ones too

    // Typed values; on an error a harmless one.
    [[nodiscard]] std::int64_t integer(std::int64_t low, std::int64_t high) const;
    [[nodiscard]] int small(int low, int high) const { return static_cast<int>(integer(low, high)); }
    [[nodiscard]] std::uint64_t u64() const;     // integer, or text in decimal or 0x
    [[nodiscard]] bool boolean() const;
    [[nodiscard]] std::string text() const;      // any text
    [[nodiscard]] std::string name() const;      // no control characters, 1..max_task_name bytes
    [[nodiscard]] std::int64_t duration() const; // ns; E-UNIT for a bare number that is not 0
    [[nodiscard]] std::vector<int> cpulist() const;
    /// Index of the word in the table; E-ENUM lists it.
    [[nodiscard]] std::size_t word(std::span<const std::string_view> allowed) const;

  private:
    Reading* m_reading;
    const JsonValue* m_value;
    const JsonNode* m_parent;
    const JsonMember* m_member = nullptr; // when the parent is an object
    std::size_t m_index = 0;              // when the parent is an array
};

} // namespace picknext::io
