// SPDX-License-Identifier: GPL-3.0-or-later
// A review packet: a scenario with what somebody claims about its run, so that another can look at the same decision and a
// script can tell whether the claims still hold. Seed, edits, bookmarks, notes and the decision under discussion are the
// scenario's own.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/result.hpp"
#include "core/engine/scenario.hpp"

namespace picknext::packet {

/// At which decisions a claim is to hold.
enum class When : std::uint8_t {
    always,   // at each
    never,    // at none
    sometime, // at one at least
    decision  // at the one of a number
};

struct Assertion {
    std::string name = {};      // what it claims, for people; may be empty
    When when = When::always;
    std::uint64_t decision = 0; // when decision: its number, from 1
    std::string condition = {}; // in the language of core/expr
    std::string where = {};     // only decisions at which this holds count; empty: all. Not with When::decision
    friend bool operator==(const Assertion&, const Assertion&) = default;
};

struct Packet {
    std::string title, description, author;
    Scenario scenario;                   // without the toggles
    std::vector<std::string> toggles;    // put over its settings, as core/profile/changes reads them
    std::optional<std::uint64_t> digest; // of the state the run ends in
    std::vector<Assertion> assertions;
    std::vector<ExtraKey> extras;        // the user's own keys of the file, but those of the scenario
    friend bool operator==(const Packet&, const Packet&) = default;
};

/// The scenario under the toggles: what is run. Errors: those of fn changed, with the toggle's place in its own text.
[[nodiscard]] Result<Scenario> scenario_under_toggles(const Packet& packet);

/// What a claim says, in a line: its name, or its condition.
[[nodiscard]] std::string claim(const Assertion& assertion);

} // namespace picknext::packet
