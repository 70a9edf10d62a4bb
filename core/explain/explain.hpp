// SPDX-License-Identifier: GPL-3.0-or-later
// A decision in words: everything the Why panel, the command line and golden logs print comes from here, so they agree.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/engine/scenario.hpp"
#include "core/state/state.hpp"
#include "core/trace/decision.hpp"

namespace picknext {

/// One check as a row.
struct ExplainedCheck {
    std::string step;        // "P5①", may be empty
    std::string question;    // "cc1#2: left subtree holds an eligible entity?"
    std::string inputs;      // "left min v −0.955 ≤ V: go left", values in kernel words
    std::string verdict;     // "✓ yes", "✗ no", "– n/a", "· noted"
    std::string function;    // kernel function
    std::string governed;    // patch or feature, may be empty
    bool deciding = false;
    bool has_margin = false;
    std::int64_t margin = 0; // left - right in the check's unit
    Check check;             // the raw record, for links and highlights
};

/// One thing applying the outcome changes: "cfs_rq.curr", "cc1#1 → cc1#4".
struct Write {
    std::string field;
    std::string change;
};

struct Explanation {
    std::string title;       // "CPU 3 picks cc1#4"
    std::string sentence;    // reason, with its numbers
    std::string function;    // "pick_eevdf()"
    std::string path;        // for picks: "direct", "parity", "fast", "slow", "buddy" ...
    std::vector<ExplainedCheck> checks;
    std::vector<std::size_t> closest; // indices into checks, smallest margin first, at most three
    std::vector<Write> writes;
};

/// All words for one decision. st: the state it saw.
[[nodiscard]] Explanation explain(const Scenario& scenario, const State& st, const DecisionHeader& header,
                                  std::span<const Check> checks);

/// Only title and sentence in one line, for logs: "pick     CPU 3  cc1#4   earliest deadline ...".
[[nodiscard]] std::string outcome_text(const Scenario& scenario, const State& st, const DecisionHeader& header);

/// The name people see: task instance name, "group /a", "idle" for none.
[[nodiscard]] std::string name_of(const Scenario& scenario, const State& st, TaskId task);
[[nodiscard]] std::string name_of(const Scenario& scenario, const State& st, EntityId entity);
[[nodiscard]] std::string name_of(const Scenario& scenario, const State& st, GroupId group);

/// Number formats used everywhere: "12.345 678 ms" style (groups by U+202F, minus U+2212) and plain ASCII.
[[nodiscard]] std::string ms_text(std::int64_t ns, int decimals = 3);      // signed: "+2.385", "−0.955", "0.000"
[[nodiscard]] std::string ms_length(std::int64_t ns, int decimals = 3);    // a length: no plus sign, "12.000"
[[nodiscard]] std::string grouped(std::int64_t value);                     // "9 825 907"

/// The same words for logs and mails: our typographic signs in ASCII ("-0.955", "P5.1", "->", "yes"); names stay.
[[nodiscard]] std::string plain(std::string_view text);

/// A decision as plain text of at most 72 columns, for a mail.
[[nodiscard]] std::string as_mail_text(const Scenario& scenario, const State& st, const DecisionHeader& header,
                                       std::span<const Check> checks);

} // namespace picknext
