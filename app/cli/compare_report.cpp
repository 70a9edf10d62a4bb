// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/compare_report.hpp"

#include <bit>
#include <cmath>
#include <string>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "core/compare/align.hpp"
#include "core/explain/explain.hpp"

namespace picknext::cli {
namespace {

using compare::Depth;
using compare::Likeness;

std::string_view sign(Likeness likeness) {
    switch (likeness) {
    case Likeness::same: return "=";
    case Likeness::numbers: return "~";
    case Likeness::answer: return "!=";
    case Likeness::only_a: return "A";
    case Likeness::only_b: return "B";
    }
    return "";
}

constexpr std::size_t question_columns = 76;

/// Code points.
std::size_t width(std::string_view text) {
    std::size_t n = 0;
    for (const char c : text) n += (static_cast<unsigned char>(c) & 0xc0U) != 0x80U ? 1 : 0;
    return n;
}
std::string padded(std::string text, std::size_t columns) {
    const std::size_t w = width(text);
    if (w < columns) text.append(columns - w, ' ');
    return text;
}

std::string verdict(const ExplainedCheck* row) {
    if (row == nullptr || row->check.verdict == Verdict::not_asked) return "not asked";
    return plain(row->verdict);
}

void print_row(const ExplainedCheck* a, const ExplainedCheck* b, Likeness likeness) {
    const ExplainedCheck& row = a != nullptr ? *a : *b;
    const char mark_a = a != nullptr && a->deciding ? '*' : ' ', mark_b = b != nullptr && b->deciding ? '*' : ' ';
    std::string question = plain(row.question);
    if (!row.step.empty()) question = fmt::format("{} {}", plain(row.step), question);
    if (!row.governed.empty()) question += fmt::format(" [{}]", row.governed);
    fmt::print("  {:<2} {} {}{:<9} {}{}\n", sign(likeness), padded(std::move(question), question_columns), mark_a, verdict(a), mark_b, verdict(b));
    if (likeness == Likeness::same) return;
    if (a != nullptr && a->check.verdict != Verdict::not_asked) fmt::print("       A: {}\n", plain(a->inputs));
    if (b != nullptr && b->check.verdict != Verdict::not_asked) fmt::print("       B: {}\n", plain(b->inputs));
}

void print_decision(char arm, const Scenario& scenario, const std::optional<compare::Record>& record) {
    if (!record) {
        fmt::print("{}: the run has no further decision.\n", arm);
        return;
    }
    const DecisionHeader& h = record->header;
    const Explanation e = explain(scenario, record->before, h, record->checks);
    fmt::print("{}: #{} at {} ms, {}: {}\n   {}\n", arm, record->before.decisions, plain(ms_length(h.at, 6)), info(h.kind).name, plain(e.title), plain(e.sentence));
}

std::string count(std::uint64_t n, std::string_view one, std::string_view many) { return fmt::format("{} {}", n, n == 1 ? one : many); }

void print_first(const compare::Comparison& c, std::string_view title, const std::optional<compare::Divergence>& d) {
    if (!d) return;
    fmt::print("\n{}\n", title);
    print_side_by_side(*c.a, *c.b, *d);
}

void print_divergences(const compare::Comparison& c, const compare::Divergences& d) {
    fmt::print("\nDecisions in order: {} of A, {} of B; {} compared", d.decisions_a, d.decisions_b, d.compared);
    if (d.left_out_a + d.left_out_b != 0)
        fmt::print(", left out as asked in one run only: {} of A, {} of B", d.left_out_a, d.left_out_b);
    fmt::print(".\n");
    if (d.differs(Depth::outcome)) fmt::print("The first other outcome ends the comparison in order. Up to it:\n");
    else fmt::print("No outcome differs.\n");
    const auto line = [&](std::string_view what, Depth depth) {
        const std::optional<compare::Divergence>& first = d.at(depth);
        fmt::print("  {:<30}{}", what, d.differ[static_cast<std::size_t>(depth)]);
        if (first && first->a && first->b) fmt::print(", first #{} of A and #{} of B", first->a->before.decisions, first->b->before.decisions);
        fmt::print("\n");
    };
    line("same outcome, other reason", Depth::reason);
    line("same reason, other checks", Depth::checks);
    line("all the same, other time", Depth::time);
    print_first(c, "First other outcome", d.at(Depth::outcome));
    if (!d.differs(Depth::outcome)) {
        print_first(c, "First same outcome with another reason", d.at(Depth::reason));
        if (!d.differs(Depth::reason)) print_first(c, "First same reason with other checks", d.at(Depth::checks));
    }
    const compare::ActivationTotals& a = d.activations;
    fmt::print("\nBy wakeup of a task: {} made in both runs, {} only in A, {} only in B.\n", count(a.pairs, "decision", "decisions"), a.only_a, a.only_b);
    fmt::print("  other outcome                 {}\n  same outcome, other reason    {}\n  at another time               {}", a.other_outcome, a.other_reason, a.other_time);
    if (a.other_time != 0) fmt::print(", at most {} ms apart", plain(ms_text(a.farthest, 6)));
    fmt::print("\n");
    if (!d.activation || !a.first) return;
    const auto number = [](const std::optional<compare::Record>& r) { return r ? r->before.decisions : 0; };
    const std::optional<compare::Divergence>& first = d.at(Depth::outcome);
    if (first && number(first->a) == a.first->a.number && number(first->b) == a.first->b.number) fmt::print("  the first is the one above\n");
    else print_first(c, fmt::format("First wakeup with another outcome: activation {} of {}", a.first->key.activation,
                                    d.activation->a ? name_of(*c.a, d.activation->a->before, TaskId{a.first->key.task}) : "a task"), d.activation);
}

std::string value_text(const compare::MeasureInfo& m, double v, bool whole) {
    if (m.time) return plain(ms_length(static_cast<std::int64_t>(std::llround(v)), 6));
    return whole ? fmt::format("{:.0f}", v) : fmt::format("{:.2f}", v);
}
std::string signed_text(const compare::MeasureInfo& m, double v, bool whole) {
    const std::string text = value_text(m, std::abs(v), whole);
    return v > 0 ? "+" + text : v < 0 ? "-" + text : text;
}

void print_paired(std::string_view name, const compare::MeasureInfo& m, const compare::Paired& p) {
    const bool whole = p.seeds == 1;
    std::string judged;
    if (m.better != compare::Better::neither && p.difference != 0 && (whole || p.clear()))
        judged = (p.difference < 0) == (m.better == compare::Better::lower) ? "better" : "worse";
    std::string percent = p.a != 0 && p.difference != 0 ? fmt::format("{:+.2f} %", 100 * p.difference / std::abs(p.a)) : "";
    fmt::print("  {} {:>16} {:>16} {:>16} {:>11}", padded(std::string(name), 22), value_text(m, p.a, whole), value_text(m, p.b, whole), signed_text(m, p.difference, whole), percent);
    if (p.interval) fmt::print("  [{}, {}]", signed_text(m, p.interval->low, false), signed_text(m, p.interval->high, false));
    fmt::print("{}{}\n", judged.empty() ? "" : "  ", judged);
}

void print_metrics(const compare::Samples& a, const compare::Samples& b) {
    fmt::print("\nMetrics{}; times in ms\n", a.size() > 1 ? fmt::format(": means over {} seeds, 95 % interval of the mean difference of each seed", a.size()) : "");
    fmt::print("  {:<22} {:>16} {:>16} {:>16}\n", "", "A", "B", "B - A");
    for (const compare::MeasureInfo& m : compare::measure_table()) {
        const compare::Paired p = compare::paired(a, b, m.id);
        if (p.seeds != 0 && (p.a != 0 || p.b != 0 || p.difference != 0)) print_paired(m.name, m, p);
    }
}

/// For each measure that moves: each toggle alone, then what sets of them do beyond that.
void print_matrix(const compare::Matrix& matrix) {
    fmt::print("\nToggles over A\n");
    for (std::size_t t = 0; t < matrix.toggles.size(); ++t) fmt::print("  {}  {}\n", static_cast<char>('p' + t), matrix.toggles[t]);
    fmt::print("A row of one letter is what that toggle changes alone; a row of several what they change together beyond all\nsmaller sets of them. A: no toggle; B: those of the row. Rows without effect are left out; times in ms.\n");
    for (const compare::MeasureInfo& m : compare::measure_table()) {
        bool named = false;
        for (std::size_t size = 1; size <= matrix.toggles.size(); ++size)
            for (unsigned set = 1; set < matrix.arms.size(); ++set) {
                if (std::popcount(set) != static_cast<int>(size)) continue;
                const compare::Paired p = compare::interaction(matrix.arms, set, m.id);
                if (p.seeds == 0 || (p.difference == 0 && (!p.interval || p.interval->low == p.interval->high))) continue;
                if (!named) fmt::print("{}\n  {:<22} {:>16} {:>16} {:>16}\n", m.name, "", "A", "B", "effect");
                named = true;
                std::string letters;
                for (std::size_t t = 0; t < matrix.toggles.size(); ++t)
                    if ((set >> t & 1U) != 0) letters += fmt::format("{}{}", letters.empty() ? "" : " x ", static_cast<char>('p' + t));
                print_paired(letters, m, p);
            }
    }
}

} // namespace

void print_side_by_side(const Scenario& scenario_a, const Scenario& scenario_b, const compare::Divergence& d) {
    print_decision('A', scenario_a, d.a);
    print_decision('B', scenario_b, d.b);
    if (!d.a || !d.b) return;
    if (d.a->header.kind != d.b->header.kind) {
        fmt::print("Other questions: their checks cannot be set side by side.\n");
        return;
    }
    const Explanation a = explain(scenario_a, d.a->before, d.a->header, d.a->checks);
    const Explanation b = explain(scenario_b, d.b->before, d.b->header, d.b->checks);
    fmt::print("  {:<2} {:<{}}  {:<10} {}\n", "", "check [what governs it], * decided", question_columns, "A", "B");
    for (const compare::CheckPair& pair : compare::align(d.a->checks, d.b->checks))
        print_row(pair.a ? &a.checks[*pair.a] : nullptr, pair.b ? &b.checks[*pair.b] : nullptr, pair.likeness);
}

void print_comparison(const compare::Comparison& c) {
    fmt::print("{}, {}\n", c.a->name, summary(c.a->machine));
    fmt::print("A: {}\nB: {}\n", name_of(c.a->settings.kernel), name_of(c.b->settings.kernel));
    if (c.changes.empty()) fmt::print("No setting differs.\n");
    else fmt::print("B differs from A by {}\n", fmt::join(c.changes, ","));
    if (c.divergences) print_divergences(c, *c.divergences);
    if (c.samples) print_metrics((*c.samples)[0], (*c.samples)[1]);
    if (c.matrix) print_matrix(*c.matrix);
}

} // namespace picknext::cli
