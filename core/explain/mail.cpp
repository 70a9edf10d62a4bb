// SPDX-License-Identifier: GPL-3.0-or-later
// A decision as plain text for a mail: ASCII but for names, at most 72 columns.
#include <fmt/format.h>

#include "core/explain/explain.hpp"
#include "core/explain/moment.hpp"

namespace picknext {
namespace {

constexpr std::size_t columns = 72;
constexpr std::size_t step_width = 7;     // "* P5.3 "
constexpr std::size_t verdict_width = 6;  // " noted"

/// Code points: what a terminal shows for the names people use.
std::size_t width(std::string_view text) {
    std::size_t n = 0;
    for (char c : text) n += (static_cast<unsigned char>(c) & 0xc0U) != 0x80U ? 1 : 0;
    return n;
}

/// Appends text broken at blanks, each line indented; a word longer than a line stays whole.
void add_wrapped(std::string& out, std::string_view text, std::size_t indent) {
    std::size_t at = 0;
    while (!text.empty()) {
        const std::size_t end = std::min(text.find(' '), text.size());
        const std::string_view word = text.substr(0, end);
        text.remove_prefix(std::min(end + 1, text.size()));
        if (at != 0 && at + 1 + width(word) > columns) {
            out += '\n';
            at = 0;
        }
        if (at == 0) {
            out.append(indent, ' ');
            at = indent;
        } else {
            out += ' ';
            ++at;
        }
        out += word;
        at += width(word);
    }
    out += '\n';
}

void add_row(std::string& out, const ExplainedCheck& row) {
    const std::string step = fmt::format("{} {}", row.deciding ? '*' : ' ', plain(row.step));
    const std::string question = plain(row.question);
    const std::string verdict = plain(row.verdict);
    if (step_width + width(question) + verdict_width <= columns) {
        const std::size_t gap = columns - step_width - width(question) - width(verdict);
        out += fmt::format("{:<{}}{}{:>{}}{}\n", step, step_width, question, "", gap, verdict);
    } else {
        out += fmt::format("{:<{}}{}\n", step, columns - width(verdict), verdict);
        add_wrapped(out, question, step_width);
    }
    add_wrapped(out, plain(row.inputs), step_width);
}

} // namespace

std::string as_mail_text(const Scenario& scenario, const State& st, const DecisionHeader& header, std::span<const Check> checks) {
    if (header.kind == Kind::count) return "The start: nothing was decided yet.\n";
    const Explanation e = explain(scenario, st, header, checks);
    std::string out = fmt::format("#{} | {} ms | {} | {} | {}\n", st.decisions, plain(ms_length(header.at, 6)),
                                  cpu_text(scenario, CpuId{static_cast<std::int32_t>(header.cpu)}), info(header.kind).name,
                                  name_of(st.settings.kernel));
    add_wrapped(out, plain(e.title), 0);
    add_wrapped(out, plain(e.sentence), 0);
    out += e.function;
    if (!e.path.empty()) out += fmt::format(", path {}", e.path);
    out += '\n';
    if (!e.checks.empty()) out += "\nChecks in the order made; * decided. Times in ms, virtual ones from V.\n";
    for (const ExplainedCheck& row : e.checks) add_row(out, row);
    if (!e.closest.empty()) out += "\nClosest calls\n";
    for (std::size_t i : e.closest) {
        const ExplainedCheck& row = e.checks[i];
        add_wrapped(out, fmt::format("{} by {}", plain(row.question), plain(ms_length(row.margin < 0 ? -row.margin : row.margin, 6))), 2);
    }
    if (!e.writes.empty()) out += "\nWritten by the next step\n";
    for (const Write& w : e.writes) add_wrapped(out, fmt::format("{}: {}", w.field, plain(w.change)), 2);
    return out;
}

} // namespace picknext
