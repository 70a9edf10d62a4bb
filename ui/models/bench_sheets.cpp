// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/models/bench_sheets.hpp"

#include <algorithm>
#include <array>
#include <cmath>

#include "core/io/document.hpp"
#include "ui/plots/chart.hpp"
#include "ui/theme/numbers.hpp"

namespace picknext::ui {

using bench::Outcome;

namespace {
QString words(std::string_view text) { return QString::fromUtf8(text.data(), static_cast<qsizetype>(text.size())); }
const QString none = QStringLiteral("–");

SheetCell text(QString t, QString tip = {}) { return {std::move(t), {}, false, std::move(tip)}; }
SheetCell number(std::optional<double> v) { return v ? SheetCell{chartNumber(*v), *v, true, {}} : SheetCell{none, {}, true, {}}; }
/// With the digits it was published with.
SheetCell asPublished(std::optional<double> v) {
    if (!v) return {none, {}, true, {}};
    return {std::abs(*v) >= 1000 && std::floor(*v) == *v ? chartNumber(*v) : QString::number(*v, 'g', 12), *v, true, {}};
}
SheetCell middle(const std::vector<double>& values) { return number(values.empty() ? std::nullopt : std::optional(metrics::spread(values).median)); }

SheetCell range(const std::vector<double>& values) {
    if (values.size() < 2) return {none, {}, true, {}};
    const metrics::Spread s = metrics::spread(values);
    if (s.least == s.most) return text(BenchSheets::tr("none"));
    return {QStringLiteral("%1 .. %2").arg(chartNumber(s.least), chartNumber(s.most)), {}, true, {}};
}
/// A ratio as change in percent, "−6.7".
QString percent(double ratio) {
    const double value = (ratio - 1) * 100;
    const QString digits = QString::number(std::abs(value), 'f', 1);
    if (digits == QLatin1String("0.0")) return digits;
    return (value < 0 ? QString(QChar(0x2212)) : QStringLiteral("+")) + digits;
}
SheetCell changeCell(const std::optional<double>& ratio) {
    return ratio ? SheetCell{percent(*ratio), (*ratio - 1) * 100, true, {}} : SheetCell{none, {}, true, {}};
}
SheetCell interval(const std::optional<metrics::Paired>& paired) {
    if (!paired || !paired->ratio_95) return {none, {}, true, {}};
    return {QStringLiteral("[%1, %2]").arg(percent(paired->ratio_95->low), percent(paired->ratio_95->high)), {}, true, {}};
}
std::size_t cell_of(const bench::Plan& plan, std::string_view label) {
    for (std::size_t c = 0; c < plan.cells.size(); ++c)
        if (plan.cells[c].label == label) return c;
    return plan.cells.size() - 1; // of all points together
}
} // namespace

QString BenchSheets::armName(const bench::Plan& plan, std::size_t arm) { return plan.arms.size() < 2 ? tr("Simulated") : arm == 0 ? tr("A") : tr("B"); }

QString BenchSheets::pointName(const bench::Plan& plan, std::size_t cell) {
    return plan.cells[cell].label.empty() ? tr("all") : QString::fromStdString(plan.cells[cell].label);
}

QString BenchSheets::verdict(bench::Verdict verdict) {
    switch (verdict) {
    case bench::Verdict::agrees: return tr("✓ agrees");
    case bench::Verdict::same_sign: return tr("~ same sign");
    case bench::Verdict::no_effect: return tr("○ no effect found");
    case bench::Verdict::opposite_sign: return tr("✗ opposite sign");
    case bench::Verdict::differs: return tr("✗ differs");
    case bench::Verdict::not_run: return tr("… not run");
    }
    return {};
}

QString BenchSheets::basisName(cost::Basis basis) {
    switch (basis) {
    case cost::Basis::published: return tr("published");
    case cost::Basis::measured: return tr("measured");
    case cost::Basis::fitted: return tr("fitted");
    case cost::Basis::assumed: return tr("assumed");
    }
    return {};
}

QString BenchSheets::basisLetter(cost::Basis basis) {
    switch (basis) {
    case cost::Basis::published: return tr("P", "basis: published");
    case cost::Basis::measured: return tr("M", "basis: measured");
    case cost::Basis::fitted: return tr("F", "basis: fitted");
    case cost::Basis::assumed: return tr("A", "basis: assumed");
    }
    return {};
}

cost::Basis BenchSheets::idleBasis(const cost::CostProfile& profile) { return bench::idle_basis(profile); }

QString BenchSheets::spendName(Spend kind) {
    switch (kind) {
    case Spend::syscall: return tr("syscall and copy");
    case Spend::message_lines: return tr("message lines");
    case Spend::mutex: return tr("mutex of a pipe");
    case Spend::wakeup: return tr("wakeup path");
    case Spend::idle_scan: return tr("idle scan");
    case Spend::shared_lines: return tr("shared lines");
    case Spend::ipi: return tr("interrupts sent");
    case Spend::idle_exit: return tr("idle exit");
    case Spend::context_switch: return tr("context switch");
    case Spend::tree: return tr("tree");
    case Spend::pick: return tr("pick");
    case Spend::refill: return tr("cache refill");
    case Spend::tick: return tr("tick");
    case Spend::stopper: return tr("stopper");
    case Spend::balance: return tr("balance");
    case Spend::nohz: return tr("nohz balance");
    case Spend::count: break;
    }
    return {};
}

QString BenchSheets::change(double ratio) { return percent(ratio) + QStringLiteral(" %"); }

std::vector<bench::Assumption> BenchSheets::assumptionsAt(const BenchWork& work, const Outcome& outcome, std::size_t cell) {
    const bench::Plan& plan = work.panel.plan;
    std::vector<bench::Assumption> out;
    for (std::size_t arm = 0; arm < outcome.arms; ++arm)
        for (const bench::Assumption& a : bench::assumptions(plan, plan.cells[cell].benchmark.workload, bench::breakdown(outcome, cell, arm))) {
            const auto same = std::find_if(out.begin(), out.end(), [&](const bench::Assumption& o) { return o.constant == a.constant && o.kind == a.kind; });
            if (same == out.end())
                out.push_back(a);
            else
                same->share = std::max(same->share, a.share);
        }
    std::stable_sort(out.begin(), out.end(), [](const bench::Assumption& a, const bench::Assumption& b) { return a.share > b.share; });
    return out;
}

namespace {
/// Shares by basis of arm A, least sure first.
std::vector<std::pair<cost::Basis, double>> shares(const BenchWork& work, const Outcome& outcome, std::size_t cell) {
    const bench::Plan& plan = work.panel.plan;
    const bench::Breakdown where = bench::breakdown(outcome, cell, 0);
    auto by = bench::time_by_basis(bench::assumptions(plan, plan.cells[cell].benchmark.workload, where));
    by[static_cast<std::size_t>(BenchSheets::idleBasis(plan.costs))] += bench::idle_share(where);
    std::vector<std::pair<cost::Basis, double>> out;
    for (std::size_t b = by.size(); b-- > 0;)
        if (by[b] >= 0.005) out.emplace_back(static_cast<cost::Basis>(b), by[b]);
    return out;
}
} // namespace

QString BenchSheets::basis(const BenchWork& work, const Outcome& outcome, std::size_t cell) {
    QStringList out;
    for (const auto& [basis, share] : shares(work, outcome, cell)) out << tr("%1 %2 %").arg(basisName(basis)).arg(qRound(100 * share));
    return out.join(QStringLiteral(", "));
}

QString BenchSheets::basisLetters(const BenchWork& work, const Outcome& outcome, std::size_t cell) {
    QStringList out;
    for (const auto& [basis, share] : shares(work, outcome, cell)) out << QStringLiteral("%1 %2").arg(basisLetter(basis)).arg(qRound(100 * share));
    return out.join(QLatin1Char(' '));
}

Sheet BenchSheets::results(const BenchWork& work, const Outcome& outcome, std::size_t selected) {
    const bench::Plan& plan = work.panel.plan;
    const std::vector<bench::Judged> rows = bench::judge(work.thread, work.panel, outcome);
    const bool two = plan.arms.size() > 1, published = !rows.empty();
    Sheet sheet;
    auto& columns = sheet.columns;
    columns = {{tr("point")}, {tr("figure")}};
    for (std::size_t arm = 0; arm < plan.arms.size(); ++arm) {
        columns.push_back({tr("%1 simulated").arg(armName(plan, arm)), tr("Median over the seeds. %1").arg(QString::fromStdString(plan.arms[arm].changes)), true});
        if (plan.arms.size() == 1) columns.back().name = tr("simulated");
        columns.push_back({tr("spread"), tr("Least and largest value over the seeds"), true});
    }
    if (two) {
        columns.push_back({tr("B to A, %"), tr("Mean over the seeds of B / A, as change"), true});
        columns.push_back({tr("95 % interval", "column, in percent"), tr("Of that mean; needs two seeds"), true});
    }
    if (published) {
        columns.push_back({tr("A published"), {}, true});
        columns.push_back({tr("B published"), {}, true});
        columns.push_back({tr("B to A published, %"), {}, true});
        columns.push_back({tr("verdict: change"), tr("Whether the published change lies within the simulated interval or the stated tolerance")});
        columns.push_back({tr("verdict: A")});
        columns.push_back({tr("verdict: B")});
    }
    columns.push_back({tr("rests on, %"), tr("Share of the kernel's time by the least sure constant of each kind: A assumed, F fitted, M measured, P published")});

    const auto begin = [&](std::size_t cell, const QString& point, const QString& name, const QString& unit, const std::vector<double>& a, const std::vector<double>& b,
                           const std::optional<metrics::Paired>& paired) {
        SheetRow row;
        row.key = static_cast<int>(cell);
        row.now = plan.cells.size() > 1 && cell == selected;
        row.cells = {text(point), {unit.isEmpty() ? name : tr("%1, %2").arg(name, unit), {}, true, {}}, middle(a), range(a)};
        if (two) {
            row.cells.push_back(middle(b));
            row.cells.push_back(range(b));
            row.cells.push_back(changeCell(paired ? std::optional(paired->ratio) : std::nullopt));
            row.cells.push_back(interval(paired));
        }
        return row;
    };
    for (const bench::Judged& j : rows) {
        const bench::Published& p = *j.published;
        const std::size_t cell = cell_of(plan, p.cell);
        const bool effect = p.before && p.after;
        SheetRow row = begin(cell, p.cell.empty() ? tr("all") : words(p.cell), words(p.metric), words(p.unit), j.before, j.after, j.paired);
        if (p.cell.empty() && plan.cells.size() > 1) { // of all points together
            row.key = -1;
            row.now = false;
        }
        row.cells.push_back(asPublished(p.before));
        row.cells.push_back(asPublished(p.after));
        row.cells.back().tip = row.cells[row.cells.size() - 2].tip = words(p.source);
        row.cells.push_back(changeCell(effect ? std::optional(*p.after / *p.before) : std::nullopt));
        row.cells.push_back(text(effect ? verdict(j.effect) : none));
        row.cells.push_back(text(p.before && !p.ratio_only ? verdict(j.before_verdict) : none));
        row.cells.push_back(text(p.after && !p.ratio_only ? verdict(j.after_verdict) : none));
        row.cells.push_back({basisLetters(work, outcome, cell), {}, true, {}});
        sheet.rows.push_back(std::move(row));
    }
    for (std::size_t cell = 0; cell < plan.cells.size() && !published; ++cell)
        for (const bench::Figure& f : bench::metrics_of(outcome, cell)) {
            const bench::Compared both = two ? bench::compare(outcome, cell, f.name) : bench::Compared{bench::samples(outcome, cell, 0, f.name), {}, {}};
            SheetRow row = begin(cell, pointName(plan, cell), QString::fromStdString(f.name), QString::fromStdString(f.unit), both.a, both.b, both.paired);
            row.cells.push_back({basisLetters(work, outcome, cell), {}, true, {}});
            sheet.rows.push_back(std::move(row));
        }
    return sheet;
}

Sheet BenchSheets::counted(const BenchWork& work, const Outcome& outcome, std::size_t cell) {
    const bench::Plan& plan = work.panel.plan;
    Sheet sheet;
    sheet.columns = {{tr("counted")}, {tr("what it says")}, {tr("unit")}};
    for (std::size_t arm = 0; arm < plan.arms.size(); ++arm) {
        sheet.columns.push_back({plan.arms.size() > 1 ? armName(plan, arm) : tr("median"), tr("Median over the seeds"), true});
        sheet.columns.push_back({tr("spread"), {}, true});
    }
    for (const bench::Derived& d : bench::derived_table()) {
        SheetRow row{{{words(d.name), {}, true, {}}, text(words(d.what)), text(words(d.unit))}, static_cast<int>(cell), false};
        bool any = false;
        for (std::size_t arm = 0; arm < plan.arms.size(); ++arm) {
            const std::vector<double> values = bench::samples(outcome, cell, arm, d.name);
            row.cells.push_back(middle(values));
            row.cells.push_back(range(values));
            any = any || std::any_of(values.begin(), values.end(), [](double v) { return v != 0; });
        }
        if (any) sheet.rows.push_back(std::move(row));
    }
    return sheet;
}

Sheet BenchSheets::constants(const BenchWork& work, const Outcome& outcome, std::size_t cell) {
    const bench::Plan& plan = work.panel.plan;
    Sheet sheet;
    sheet.columns = {{tr("basis")}, {tr("constant")}, {tr("value"), {}, true}, {tr("range"), tr("Between what it may lie"), true},
                     {tr("share, %"), tr("Of the kernel's time: of the kind it is part of"), true}, {tr("part of")}, {tr("from")}};
    const auto rangeText = [](const cost::Provenance& from, cost::CostUnit unit) {
        if (from.low == 0 && from.high == 0) return none;
        return QStringLiteral("%1 .. %2").arg(QString::fromStdString(io::cost_text(from.low, unit)), QString::fromStdString(io::cost_text(from.high, unit)));
    };
    const auto add = [&](cost::Basis basis, SheetCell name, const QString& value, const QString& range, double share, Spend kind, const std::string& from) {
        SheetRow row;
        row.key = static_cast<int>(cell);
        row.cells = {text(tr("%1 %2").arg(basisLetter(basis), basisName(basis))), std::move(name), {value, {}, true, {}}, {range, {}, true, {}},
                     {QString::number(100 * share, 'f', 1), 100 * share, true, {}}, text(spendName(kind)), text(QString::fromStdString(from), QString::fromStdString(from))};
        sheet.rows.push_back(std::move(row));
    };
    double idle = 0;
    for (std::size_t arm = 0; arm < outcome.arms; ++arm) idle = std::max(idle, bench::idle_share(bench::breakdown(outcome, cell, arm)));
    for (std::size_t i = 0; idle > 0 && i < static_cast<std::size_t>(plan.costs.costs.idle_state_count); ++i) {
        const cost::Provenance& from = plan.costs.idle_state_provenance[i];
        add(from.basis, {tr("leaving %1").arg(QString::fromStdString(plan.costs.idle_state_names[i])), {}, true, {}},
            QString::fromStdString(io::cost_text(plan.costs.costs.idle_states[i].charged_exit, cost::CostUnit::ns)), rangeText(from, cost::CostUnit::ns), idle, Spend::idle_exit, from.text);
    }
    for (const bench::Assumption& a : assumptionsAt(work, outcome, cell)) {
        const cost::CostInfo& info = cost::info(a.constant);
        const cost::Provenance& from = plan.costs.provenance[cost::index_of(a.constant)];
        add(a.basis, {words(info.name), {}, true, words(info.title)}, QString::fromStdString(io::cost_text(plan.costs.costs[a.constant], info.unit)), rangeText(from, info.unit),
            a.share, a.kind, from.text);
    }
    std::stable_sort(sheet.rows.begin(), sheet.rows.end(), [](const SheetRow& a, const SheetRow& b) { return *a.cells[4].number > *b.cells[4].number; });
    return sheet;
}

QString BenchSheets::headline(const BenchWork& work, const Outcome& outcome, std::size_t cell) {
    const bench::Plan& plan = work.panel.plan;
    const std::vector<bench::Figure> figures = bench::metrics_of(outcome, cell);
    if (figures.empty()) return {};
    const bench::Figure& first = figures.front();
    const QString name = QString::fromStdString(first.name);
    const QString at = plan.cells[cell].label.empty() ? QString() : tr(" at %1").arg(pointName(plan, cell));
    if (plan.arms.size() < 2) {
        const std::vector<double> a = bench::samples(outcome, cell, 0, first.name);
        return a.empty() ? QString() : tr("%1 %2 %3%4").arg(name, chartNumber(metrics::spread(a).median), QString::fromStdString(first.unit), at);
    }
    const bench::Compared both = bench::compare(outcome, cell, first.name);
    if (!both.paired) return {};
    if (both.a == both.b) return tr("B to A: %1 is the same%2").arg(name, at);
    if (!both.paired->ratio_95) return tr("B to A: %1 %2%3, one seed").arg(name, change(both.paired->ratio), at);
    return tr("B to A: %1 %2, 95 % %3%4").arg(name, change(both.paired->ratio), interval(both.paired).text, at);
}

} // namespace picknext::ui
