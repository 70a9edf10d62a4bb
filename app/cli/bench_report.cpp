// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/bench_report.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "app/cli/table.hpp"
#include "core/bench/assumptions.hpp"
#include "core/io/document.hpp"

namespace picknext::cli {
namespace {

using namespace bench;

constexpr std::size_t most_columns = 8; // of cells and arms in the wide tables
constexpr double least_share = 0.005;   // of the kernel's time, to be listed

std::string settings_text(const Arm& arm) {
    return fmt::format("{}{}{}", name_of(arm.settings.kernel), arm.changes.empty() ? "" : ", ", arm.changes);
}
std::string point_of(const Cell& cell) { return cell.label.empty() ? "all" : cell.label; }

std::string median_and_range(const std::vector<double>& values) {
    if (values.empty()) return "-";
    const metrics::Spread s = metrics::spread(values);
    if (s.least == s.most) return short_number(s.median);
    return fmt::format("{} [{} .. {}]", short_number(s.median), short_number(s.least), short_number(s.most));
}
std::string interval_text(const std::optional<metrics::Interval>& i) { return i ? fmt::format("{} .. {}", percent_change(i->low), percent_change(i->high)) : "-"; }

void print_heading(const Plan& plan, const Outcome& outcome) {
    fmt::print("{}\n", plan.command);
    fmt::print("  machine   {} ({} CPUs online); costs {}\n", plan.machine.name.empty() ? "(no name)" : plan.machine.name, plan.machine.online().size(),
               plan.costs.name.empty() ? "none: kernel work takes no time" : plan.costs.name);
    if (plan.arms.size() == 1) fmt::print("  kernel    {}\n", settings_text(plan.arms[0]));
    else
        for (const Arm& a : plan.arms) fmt::print("  {:<8}  {}\n", a.name, settings_text(a));
    fmt::print("  runs      {} point{} x {} arm{} x {} seed{}, from seed {} on\n", plan.cells.size(), plan.cells.size() == 1 ? "" : "s", outcome.arms,
               outcome.arms == 1 ? "" : "s", outcome.repeats, outcome.repeats == 1 ? "" : "s", plan.seed);
    const std::string& scaling = plan.cells.front().benchmark.scaling;
    fmt::print("  scale     {}\n", scaling.empty() ? "full size" : scaling);
    for (const std::string& note : plan.cells.front().benchmark.notes) fmt::print("  note      {}\n", note);
}

/// A row of a table of figures: the arms, their difference, and what was measured.
class FigureTable {
  public:
    FigureTable(const Plan& plan, const Outcome& outcome, const std::vector<Measured>& measured, std::vector<std::string> first)
        : m_plan(plan), m_outcome(outcome), m_measured(measured), m_table(first.size()), m_two(plan.arms.size() > 1), m_several(outcome.repeats > 1) {
        for (const Arm& a : plan.arms) first.push_back(m_two ? a.name : "simulated");
        if (m_two) first.push_back("change");
        if (m_two && m_several) first.push_back("95 % interval");
        if (!measured.empty()) first.push_back("measured");
        m_table.row(std::move(first));
    }
    void row(std::vector<std::string> first, std::size_t cell, const Figure& metric) {
        for (std::size_t a = 0; a < m_plan.arms.size(); ++a) first.push_back(median_and_range(samples(m_outcome, cell, a, metric.name)));
        const Compared both = compare(m_outcome, cell, metric.name);
        if (m_two) first.push_back(both.paired ? percent_change(both.paired->ratio) : "-");
        if (m_two && m_several) first.push_back(both.paired ? interval_text(both.paired->ratio_95) : "-");
        if (!m_measured.empty()) first.push_back(median_and_range(measured_for(m_measured, m_plan.cells[cell].label, metric)));
        m_table.row(std::move(first));
    }
    void print() const { m_table.print(); }

  private:
    const Plan& m_plan;
    const Outcome& m_outcome;
    const std::vector<Measured>& m_measured;
    Table m_table;
    bool m_two, m_several;
};

std::string_view word(Better better) { return better == Better::lower ? "lower" : "higher"; }

/// One point: all figures in one table. A sweep: a table per figure.
void print_metrics(const Plan& plan, const Outcome& outcome, const std::vector<Figure>& metrics, const std::vector<Measured>& measured) {
    const std::string_view range = outcome.repeats > 1 ? "; median [least .. most]" : "";
    if (plan.cells.size() == 1) {
        fmt::print("\nSimulated{}\n", range);
        FigureTable table(plan, outcome, measured, {"figure", "unit", "better"});
        for (const Figure& f : metrics) table.row({f.name, f.unit, std::string(word(f.better))}, 0, f);
        table.print();
        return;
    }
    for (const Figure& f : metrics) {
        fmt::print("\nSimulated {}{}{} ({} is better{})\n", f.name, f.unit.empty() ? "" : ", ", f.unit, word(f.better), range);
        FigureTable table(plan, outcome, measured, {"point"});
        for (std::size_t c = 0; c < plan.cells.size(); ++c) table.row({point_of(plan.cells[c])}, c, f);
        table.print();
    }
}

/// The cells and arms that fit beside each other: all, or the first and the last cell.
struct Column {
    std::size_t cell, arm;
};
std::vector<Column> columns_of(const Plan& plan) {
    std::vector<std::size_t> cells;
    for (std::size_t c = 0; c < plan.cells.size(); ++c) cells.push_back(c);
    if (cells.size() * plan.arms.size() > most_columns) cells = {0, plan.cells.size() - 1};
    std::vector<Column> out;
    for (const std::size_t c : cells)
        for (std::size_t a = 0; a < plan.arms.size(); ++a) out.push_back({c, a});
    return out;
}
std::vector<std::string> column_heads(const Plan& plan, const std::vector<Column>& columns, std::string first) {
    std::vector<std::string> head{std::move(first)};
    for (const Column& c : columns) {
        std::string name = plan.cells[c.cell].label;
        if (plan.arms.size() > 1) name += (name.empty() ? "" : " ") + plan.arms[c.arm].name;
        head.push_back(name.empty() ? "simulated" : name);
    }
    return head;
}

/// "~" where a kind of time rests on a fitted constant, "*" where on an assumed one.
std::string mark_of(const Plan& plan, const std::vector<Assumption>& list, Spend kind) {
    cost::Basis worst = cost::Basis::published;
    for (const Assumption& a : list)
        if (a.kind == kind) worst = std::max(worst, a.basis);
    if (kind == Spend::idle_exit) worst = idle_basis(plan.costs);
    return worst == cost::Basis::assumed ? "*" : worst == cost::Basis::fitted ? "~" : "";
}

void print_spent(const Plan& plan, const Outcome& outcome, const std::vector<Column>& columns) {
    std::vector<Breakdown> where;
    std::vector<Assumption> list;
    for (const Column& c : columns) {
        where.push_back(breakdown(outcome, c.cell, c.arm));
        for (const Assumption& a : assumptions(plan, plan.cells[c.cell].benchmark.workload, where.back())) list.push_back(a);
    }
    const auto per = [](const Breakdown& b, double ns) { return b.operations > 0 ? short_number(ns / b.operations) : "-"; };
    Table table;
    table.row(column_heads(plan, columns, "kind"));
    for (std::size_t k = 0; k < spend_names.size(); ++k) {
        if (std::all_of(where.begin(), where.end(), [&](const Breakdown& b) { return b.spent[k] == 0; })) continue;
        std::vector<std::string> row{fmt::format("{} {}", spend_names[k], mark_of(plan, list, static_cast<Spend>(k)))};
        for (const Breakdown& b : where) row.push_back(per(b, b.spent[k]));
        table.row(row);
    }
    if (table.empty()) {
        fmt::print("\nNo kernel time was charged: all costs are 0.\n");
        return;
    }
    std::vector<std::string> sum{"kernel time"};
    for (const Breakdown& b : where) sum.push_back(per(b, b.kernel_time()));
    table.row(sum);
    fmt::print("\nWhere the kernel's time went, simulated ns of all CPUs per {} (~ rests on fitted constants, * on assumed ones)\n",
               plan.cells.front().benchmark.operation);
    table.print();
}

void print_counted(const Plan& plan, const Outcome& outcome, const std::vector<Column>& columns) {
    Table table(2);
    std::vector<std::string> head = column_heads(plan, columns, "counted");
    head.insert(head.begin() + 1, "unit");
    table.row(head);
    for (const Derived& d : derived_table()) {
        std::vector<std::string> row{std::string(d.name), std::string(d.unit)};
        bool any = false;
        for (const Column& c : columns) {
            const std::vector<double> values = samples(outcome, c.cell, c.arm, d.name);
            row.push_back(values.empty() ? "-" : short_number(metrics::spread(values).median));
            any = any || std::any_of(values.begin(), values.end(), [](double v) { return v != 0; });
        }
        if (any) table.row(row);
    }
    if (table.empty()) return;
    fmt::print("\nCounted (median of the seeds)\n");
    table.print();
}

void print_lines(const Plan& plan, const Outcome& outcome, const std::vector<Column>& columns) {
    Table table;
    table.row({"cache lines", "", "accesses", "hits", "transfers", "queued", "ns per transfer"});
    for (const Column& c : columns) {
        const Breakdown where = breakdown(outcome, c.cell, c.arm);
        for (const cost::LineKindInfo& kind : cost::line_kind_table()) {
            const LineCounts& n = where.lines[static_cast<std::size_t>(kind.id)];
            if (n.reads + n.writes == 0) continue;
            table.row({std::string(kind.name), column_heads(plan, {c}, "").back(), fmt::format("{}", n.reads + n.writes), fmt::format("{}", n.hits),
                       fmt::format("{}", n.transfers), fmt::format("{}", n.waits), n.transfers > 0 ? short_number(static_cast<double>(n.ns) / static_cast<double>(n.transfers)) : "-"});
        }
    }
    if (table.empty()) return;
    fmt::print("\nModelled cache lines, sums of the seeds\n");
    table.print();
}

void print_assumptions(const Plan& plan, const Outcome& outcome) {
    const std::size_t last = plan.cells.size() - 1;
    const Breakdown where = breakdown(outcome, last, 0);
    const std::vector<Assumption> list = assumptions(plan, plan.cells[last].benchmark.workload, where);
    const double idle = idle_share(where);
    if (list.empty() && idle <= 0) return;
    Table table(3);
    table.row({"constant", "basis", "from", "value", "share of kernel time it is part of"});
    const auto row = [&](const std::string& name, const cost::Provenance& source, const std::string& value, double share, Spend kind) {
        std::string from = source.text;
        if (from.size() > 48) from = from.substr(0, from.find_last_of(' ', 45)) + " ...";
        table.row({name, std::string(cost::basis_names[static_cast<std::size_t>(source.basis)]), from, value,
                   fmt::format("{:.1f} % ({})", 100 * share, spend_names[static_cast<std::size_t>(kind)])});
    };
    for (const Assumption& a : list)
        if (a.share >= least_share && a.basis >= cost::Basis::fitted)
            row(std::string(cost::info(a.constant).name), plan.costs.provenance[cost::index_of(a.constant)],
                io::cost_text(plan.costs.costs[a.constant], cost::info(a.constant).unit), a.share, a.kind);
    for (std::size_t i = 0; idle >= least_share && i < static_cast<std::size_t>(plan.costs.costs.idle_state_count); ++i)
        row("leaving " + plan.costs.idle_state_names[i], plan.costs.idle_state_provenance[i],
            io::cost_text(plan.costs.costs.idle_states[i].charged_exit, cost::CostUnit::ns), idle, Spend::idle_exit);
    auto by_basis = time_by_basis(list);
    by_basis[static_cast<std::size_t>(idle_basis(plan.costs))] += idle;
    fmt::print("\nWhat the time rests on, by the least sure constant of each kind:");
    for (std::size_t b = 0; b < by_basis.size(); ++b) fmt::print("{} {} {:.0f} %", b == 0 ? "" : ",", cost::basis_names[b], 100 * by_basis[b]);
    fmt::print("\n");
    if (!table.empty()) table.print();
}

} // namespace

void print_incomplete(const Plan& plan, const Outcome& outcome) {
    if (outcome.complete()) return;
    const auto count = [&](End end) { return std::count_if(outcome.runs.begin(), outcome.runs.end(), [&](const Run& r) { return r.end == end; }); };
    fmt::print("\n{} of {} runs are done; figures are of these.\n", count(End::done), plan.runs());
    if (const auto late = count(End::too_long); late > 0) fmt::print("{} did not end by themselves within an hour of simulated time.\n", late);
}

void print_bench(const Plan& plan, const Outcome& outcome, const std::vector<Measured>& measured) {
    print_heading(plan, outcome);
    std::vector<Figure> metrics;
    for (std::size_t c = 0; c < plan.cells.size() && metrics.empty(); ++c) metrics = metrics_of(outcome, c);
    if (metrics.empty()) fmt::print("\nThere is no result: nothing was done, or there was nothing to measure.\n");
    else print_metrics(plan, outcome, metrics, measured);
    if (!measured.empty()) {
        const bool any = std::any_of(plan.cells.begin(), plan.cells.end(), [&](const Cell& cell) {
            return std::any_of(metrics.begin(), metrics.end(), [&](const Figure& f) { return !measured_for(measured, cell.label, f).empty(); });
        });
        fmt::print("{}", any ? "\nMeasured: all values the file has under that name, whatever command and options they came from.\n"
                             : "\nNothing in the measured file goes by the name of one of these figures.\n");
    }
    if (std::any_of(outcome.runs.begin(), outcome.runs.end(), [](const Run& r) { return r.end == End::done; })) {
        const std::vector<Column> columns = columns_of(plan);
        print_spent(plan, outcome, columns);
        print_counted(plan, outcome, columns);
        print_lines(plan, outcome, columns);
        print_assumptions(plan, outcome);
    }
    print_incomplete(plan, outcome);
}

void print_panel(const Panel& panel, const Outcome& outcome, const std::vector<Judged>& rows) {
    const Plan& plan = panel.plan;
    fmt::print("\n  {}{}{}\n", panel.name, panel.note.empty() ? "" : ": ", panel.note);
    fmt::print("    {}\n    {} with costs {}, kernel {}; before: {}; after: {}\n", panel.command, panel.topology, panel.costs, panel.kernel, plan.arms[0].changes, plan.arms[1].changes);
    const std::string& scaling = plan.cells.front().benchmark.scaling;
    fmt::print("    {}; {} seed{}\n", scaling.empty() ? "full size" : scaling, outcome.repeats, outcome.repeats == 1 ? "" : "s");
    if (!rows.empty()) {
        Table table(3);
        table.row({"point", "figure", "unit", "published: before", "after", "change", "simulated: before", "after", "mean change", "95 % interval", "verdicts: before", "after", "effect"});
        const auto text = [](const std::optional<double>& v) { return v ? short_number(*v) : "-"; };
        const auto middle = [](const std::vector<double>& v) { return v.empty() ? "-" : short_number(metrics::spread(v).median); };
        for (const Judged& j : rows) {
            const Published& p = *j.published;
            const bool effect = p.before && p.after;
            table.row({p.cell.empty() ? "all" : std::string(p.cell), std::string(p.metric), std::string(p.unit), text(p.before), text(p.after),
                       effect ? percent_change(*p.after / *p.before) : "-", middle(j.before), middle(j.after), effect && j.paired ? percent_change(j.paired->ratio) : "-",
                       effect && j.paired ? interval_text(j.paired->ratio_95) : "-", p.before && !p.ratio_only ? std::string(words_of(j.before_verdict)) : "-",
                       p.after && !p.ratio_only ? std::string(words_of(j.after_verdict)) : "-", effect ? std::string(words_of(j.effect)) : "-"});
        }
        table.print();
    } else {
        Table table(3);
        table.row({"point", "figure", "unit", "simulated: before", "after", "mean change", "95 % interval"});
        for (std::size_t c = 0; c < plan.cells.size(); ++c)
            for (const Figure& f : metrics_of(outcome, c)) {
                const Compared both = compare(outcome, c, f.name);
                table.row({point_of(plan.cells[c]), f.name, f.unit, median_and_range(both.a), median_and_range(both.b), both.paired ? percent_change(both.paired->ratio) : "-",
                           both.paired ? interval_text(both.paired->ratio_95) : "-"});
            }
        if (!table.empty()) table.print();
    }
    if (const Equal e = equal_pairs(outcome, plan.cells.size()); e.equal > 0)
        fmt::print("    {} of {} pairs of runs are equal to the last count and nanosecond\n", e.equal, e.pairs);
    Table counted(2);
    counted.row({"counted", "unit", "before", "after"});
    for (const Derived& d : derived_table()) {
        if (std::find(panel.shown.begin(), panel.shown.end(), d.name) == panel.shown.end()) continue;
        std::array<std::vector<double>, 2> values;
        for (std::size_t arm = 0; arm < 2; ++arm)
            for (int r = 0; r < outcome.repeats; ++r)
                if (const std::optional<double> v = figure(pooled(outcome, plan.cells.size(), arm, r), d.name)) values[arm].push_back(*v);
        counted.row({std::string(d.name), std::string(d.unit), median_and_range(values[0]), median_and_range(values[1])});
    }
    if (!counted.empty()) counted.print();
}

} // namespace picknext::cli
