// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/models/bench_charts.hpp"

#include <algorithm>
#include <array>

#include <QRegularExpression>

#include "ui/models/bench_sheets.hpp"

namespace picknext::ui {

using bench::Outcome;

namespace {
QString words(std::string_view text) { return QString::fromUtf8(text.data(), static_cast<qsizetype>(text.size())); }
ChartArm arm_of(std::size_t arm) { return arm == 0 ? ChartArm::a : ChartArm::b; }
constexpr double logarithmic_from = 30; // largest over least value
constexpr double least_part = 0.01;     // of the kernel's time, to be a part of its own

struct Source {
    const BenchWork& work;
    const Outcome& outcome;
    std::size_t cell;
    std::vector<bench::Judged> rows;
    [[nodiscard]] const bench::Plan& plan() const { return work.panel.plan; }
    [[nodiscard]] const bench::Published* published(std::size_t at, std::string_view metric) const {
        for (const bench::Judged& j : rows)
            if (j.published->metric == metric && (plan().cells.size() == 1 || j.published->cell == plan().cells[at].label)) return j.published;
        return nullptr;
    }
};

/// Where a point stands: its number, or, where some point has none, its place.
struct Axis {
    std::vector<double> at;
    std::vector<std::pair<double, QString>> ticks;
    QString label;
};
Axis axis_of(const bench::Plan& plan) {
    Axis axis;
    bool numbers = plan.cells.size() > 1;
    for (const bench::Cell& cell : plan.cells) {
        const QString label = QString::fromStdString(cell.label);
        const qsizetype equals = label.indexOf(QLatin1Char('='));
        bool ok = false;
        axis.at.push_back(label.mid(equals + 1).toDouble(&ok));
        numbers = numbers && equals > 0 && ok;
        axis.label = label.left(equals);
    }
    // Few points: a tick each, so that no axis reads 2.5 groups.
    for (std::size_t c = 0; c < plan.cells.size() && (!numbers || plan.cells.size() <= 12); ++c) {
        if (!numbers) axis.at[c] = static_cast<double>(c);
        const QString point = BenchSheets::pointName(plan, c);
        axis.ticks.emplace_back(axis.at[c], numbers ? point.mid(point.indexOf(QLatin1Char('=')) + 1) : point);
    }
    if (!numbers) axis.label.clear();
    else axis.label = QStringLiteral("-") + axis.label;
    return axis;
}

ChartMark mark_of(double x, const std::vector<double>& values) {
    const metrics::Spread s = metrics::spread(values);
    ChartMark m{x, s.median, {}};
    if (values.size() > 1) m.range = {s.least, s.most};
    return m;
}
} // namespace

namespace {
struct Makers {
    Q_DECLARE_TR_FUNCTIONS(BenchCharts)
  public:
    static QString simulated(const Source& s, std::size_t arm) {
        if (s.plan().arms.size() < 2) return tr("simulated");
        return arm == 0 ? tr("A simulated") : tr("B simulated");
    }
    static QString published(std::size_t arm) { return arm == 0 ? tr("A published") : tr("B published"); }
    static QString pointDetail(const Source& s) {
        return s.plan().cells[s.cell].label.empty() ? tr("simulated") : tr("simulated, at %1").arg(BenchSheets::pointName(s.plan(), s.cell));
    }

    /// The first metric over the points.
    static Chart metric(const Source& s, const bench::Figure& f) {
        const Axis axis = axis_of(s.plan());
        Chart chart;
        chart.id = QStringLiteral("figure");
        const QString name = QString::fromStdString(f.name);
        chart.unit = QString::fromStdString(f.unit);
        chart.title = s.plan().cells.size() > 1 ? tr("%1 by %2").arg(name, axis.label) : name;
        chart.detail = f.better == commands::Better::lower ? tr("lower is better; simulated, median and range of the seeds")
                                                           : tr("higher is better; simulated, median and range of the seeds");
        chart.xLabel = axis.label;
        chart.yLabel = chart.unit.isEmpty() ? name : tr("%1, %2").arg(name, chart.unit);
        chart.ticks = axis.ticks;
        chart.fromZero = true;
        for (std::size_t arm = 0; arm < s.plan().arms.size(); ++arm) {
            ChartCurve ours{simulated(s, arm), arm_of(arm), false, true, {}}, theirs{published(arm), arm_of(arm), true, false, {}};
            for (std::size_t c = 0; c < s.plan().cells.size(); ++c) {
                if (const auto values = bench::samples(s.outcome, c, arm, f.name); !values.empty()) ours.marks.push_back(mark_of(axis.at[c], values));
                const bench::Published* p = s.published(c, f.name);
                if (!p || p->ratio_only) continue;
                if (const std::optional<double> v = arm == 0 ? p->before : p->after) theirs.marks.push_back({axis.at[c], *v, {}});
            }
            chart.curves.push_back(std::move(ours));
            if (!theirs.marks.empty()) chart.curves.push_back(std::move(theirs));
        }
        return chart;
    }

    static Chart difference(const Source& s, const bench::Figure& f) {
        const Axis axis = axis_of(s.plan());
        Chart chart;
        chart.id = QStringLiteral("change");
        chart.title = tr("B to A: change of %1").arg(QString::fromStdString(f.name));
        chart.detail = tr("simulated, mean of the seeds with its 95 % interval");
        chart.xLabel = axis.label;
        chart.yLabel = tr("change, %");
        chart.unit = QStringLiteral("%");
        chart.ticks = axis.ticks;
        chart.zeroLine = true;
        ChartCurve ours{tr("simulated, 95 % interval"), ChartArm::difference, false, false, {}}, theirs{tr("published"), ChartArm::difference, true, false, {}};
        const double aside = axis.at.size() > 1 ? (axis.at[1] - axis.at[0]) * 0.1 : 0.06; // both marks of a point stay visible
        for (std::size_t c = 0; c < s.plan().cells.size(); ++c) {
            const bench::Compared both = bench::compare(s.outcome, c, f.name);
            if (both.paired) {
                ChartMark m{axis.at[c] + aside, (both.paired->ratio - 1) * 100, {}};
                if (both.paired->ratio_95) m.range = {(both.paired->ratio_95->low - 1) * 100, (both.paired->ratio_95->high - 1) * 100};
                ours.marks.push_back(m);
            }
            const bench::Published* p = s.published(c, f.name);
            if (p && p->before && p->after) theirs.marks.push_back({axis.at[c] - aside, (*p->after / *p->before - 1) * 100, {}});
        }
        chart.curves.push_back(std::move(ours));
        if (!theirs.marks.empty()) chart.curves.push_back(std::move(theirs));
        return chart;
    }

    /// "p50.0", "wakeup p99.9", "max": those of one kind of latency.
    static std::optional<Chart> percentiles(const Source& s, const std::vector<bench::Figure>& figures) {
        static const QRegularExpression form(QStringLiteral("^(.* )?(p\\d+(?:\\.\\d+)?|max)$"));
        Chart chart;
        std::optional<QString> kind;
        std::vector<const bench::Figure*> taken;
        for (const bench::Figure& f : figures) {
            const QRegularExpressionMatch m = form.match(QString::fromStdString(f.name));
            if (!m.hasMatch() || (kind && *kind != m.captured(1))) continue;
            kind = m.captured(1);
            chart.ticks.emplace_back(static_cast<double>(taken.size()), m.captured(2).replace(QLatin1String(".0"), QString()));
            taken.push_back(&f);
        }
        if (taken.size() < 3) return std::nullopt;
        chart.id = QStringLiteral("latency");
        chart.unit = QString::fromStdString(taken.front()->unit);
        chart.title = kind->isEmpty() ? tr("Latency by percentile") : tr("%1latency by percentile").arg(*kind);
        chart.detail = pointDetail(s);
        chart.xLabel = tr("percentile");
        chart.yLabel = tr("latency, %1").arg(chart.unit);
        double least = 0, most = 0;
        const auto grow = [&](double v) {
            if (v > 0 && (least == 0 || v < least)) least = v;
            most = std::max(most, v);
        };
        for (std::size_t arm = 0; arm < s.plan().arms.size(); ++arm) {
            ChartCurve ours{simulated(s, arm), arm_of(arm), false, true, {}}, theirs{published(arm), arm_of(arm), true, false, {}};
            for (std::size_t i = 0; i < taken.size(); ++i) {
                if (const auto values = bench::samples(s.outcome, s.cell, arm, taken[i]->name); !values.empty()) {
                    ours.marks.push_back(mark_of(static_cast<double>(i), values));
                    grow(metrics::spread(values).median);
                    grow(metrics::spread(values).least);
                }
                const bench::Published* p = s.published(s.cell, taken[i]->name);
                if (!p) continue;
                if (const std::optional<double> v = arm == 0 ? p->before : p->after) theirs.marks.push_back({static_cast<double>(i), *v, {}}), grow(*v);
            }
            chart.curves.push_back(std::move(ours));
            if (!theirs.marks.empty()) chart.curves.push_back(std::move(theirs));
        }
        chart.logarithmic = least > 0 && most / least > logarithmic_from;
        chart.fromZero = !chart.logarithmic;
        return chart;
    }

    static std::optional<Chart> pickPaths(const Source& s) {
        constexpr std::array<std::string_view, 4> names{"pick_direct", "pick_parity", "pick_fast", "pick_slow"};
        Chart chart;
        chart.id = QStringLiteral("picks");
        chart.title = tr("Paths of picks");
        chart.detail = pointDetail(s);
        chart.unit = QStringLiteral("%");
        chart.xLabel = tr("share of picks, %");
        chart.parts = {tr("direct"), tr("parity"), tr("fast"), tr("slow")};
        ChartBar theirs{tr("published"), true, {}};
        for (const std::string_view name : names)
            for (const bench::Judged& j : s.rows)
                if (j.published->metric == name && j.published->after) theirs.parts.push_back(*j.published->after);
        for (std::size_t arm = 0; arm < s.plan().arms.size(); ++arm) {
            ChartBar bar{BenchSheets::armName(s.plan(), arm), false, {}};
            for (const std::string_view name : names) {
                const std::vector<double> values = bench::samples(s.outcome, s.cell, arm, name);
                if (!values.empty()) bar.parts.push_back(metrics::mean(values));
            }
            if (bar.parts.size() == names.size()) chart.bars.push_back(std::move(bar));
        }
        if (chart.bars.empty()) return std::nullopt;
        if (theirs.parts.size() == names.size()) {
            if (s.plan().cells.size() > 1) chart.detail = tr("%1; published over all points").arg(chart.detail);
            chart.bars.push_back(std::move(theirs));
        }
        return chart;
    }

    static std::optional<Chart> spent(const Source& s) {
        constexpr auto kinds = static_cast<std::size_t>(Spend::count);
        Chart chart;
        chart.id = QStringLiteral("costs");
        const QString operation = QString::fromStdString(s.plan().cells[s.cell].benchmark.operation);
        chart.title = tr("Where the kernel's time goes");
        chart.detail = tr("%1; A assumed, F fitted, M measured, P published").arg(pointDetail(s));
        chart.unit = tr("ns per %1").arg(operation);
        chart.xLabel = tr("CPU ns per %1").arg(operation);
        chart.sums = true;
        std::vector<bench::Breakdown> where;
        std::array<bool, kinds> shown{}; // the others are one part: too thin to be seen
        double rest = 0;
        for (std::size_t arm = 0; arm < s.plan().arms.size(); ++arm) {
            where.push_back(bench::breakdown(s.outcome, s.cell, arm));
            for (std::size_t k = 0; k < kinds; ++k) shown[k] = shown[k] || where.back().spent[k] > least_part * where.back().kernel_time();
        }
        std::array<cost::Basis, kinds> worst{};
        worst[static_cast<std::size_t>(Spend::idle_exit)] = BenchSheets::idleBasis(s.plan().costs);
        for (const bench::Assumption& a : BenchSheets::assumptionsAt(s.work, s.outcome, s.cell))
            worst[static_cast<std::size_t>(a.kind)] = std::max(worst[static_cast<std::size_t>(a.kind)], a.basis);
        const auto marked = [](const QString& name, cost::Basis basis) { return QStringLiteral("%1 (%2)").arg(name, BenchSheets::basisLetter(basis)); };
        cost::Basis restBasis = cost::Basis::published;
        for (std::size_t k = 0; k < kinds; ++k) {
            if (shown[k]) {
                chart.parts.push_back(marked(BenchSheets::spendName(static_cast<Spend>(k)), worst[k]));
                continue;
            }
            for (const bench::Breakdown& b : where) {
                rest = std::max(rest, b.spent[k]);
                if (b.spent[k] > 0) restBasis = std::max(restBasis, worst[k]);
            }
        }
        if (chart.parts.empty()) return std::nullopt;
        if (rest > 0) chart.parts.push_back(marked(tr("all others"), restBasis));
        for (std::size_t arm = 0; arm < where.size(); ++arm) {
            ChartBar bar{BenchSheets::armName(s.plan(), arm), false, {}};
            const auto per = [&](double ns) { return where[arm].operations > 0 ? ns / where[arm].operations : 0; };
            double others = 0;
            for (std::size_t k = 0; k < kinds; ++k) {
                if (shown[k])
                    bar.parts.push_back(per(where[arm].spent[k]));
                else
                    others += where[arm].spent[k];
            }
            if (rest > 0) bar.parts.push_back(per(others));
            chart.bars.push_back(std::move(bar));
        }
        return chart;
    }

    static std::optional<Chart> transfers(const Source& s) {
        Chart chart;
        chart.id = QStringLiteral("lines");
        const QString operation = QString::fromStdString(s.plan().cells[s.cell].benchmark.operation);
        chart.title = tr("Cache line transfers");
        chart.detail = pointDetail(s);
        chart.unit = tr("per %1").arg(operation);
        chart.xLabel = tr("transfers per %1").arg(operation);
        chart.sums = true;
        std::vector<bench::Breakdown> where;
        for (std::size_t arm = 0; arm < s.plan().arms.size(); ++arm) {
            where.push_back(bench::breakdown(s.outcome, s.cell, arm));
            chart.bars.push_back({BenchSheets::armName(s.plan(), arm), false, {}});
        }
        for (const cost::LineKindInfo& kind : cost::line_kind_table()) {
            const auto k = static_cast<std::size_t>(kind.id);
            if (std::all_of(where.begin(), where.end(), [&](const bench::Breakdown& b) { return b.lines[k].transfers == 0; })) continue;
            chart.parts.push_back(words(kind.name));
            for (std::size_t arm = 0; arm < where.size(); ++arm) {
                const double operations = where[arm].operations * static_cast<double>(where[arm].runs); // the lines are sums of the runs
                chart.bars[arm].parts.push_back(operations > 0 ? static_cast<double>(where[arm].lines[k].transfers) / operations : 0);
            }
        }
        if (chart.parts.empty()) return std::nullopt;
        return chart;
    }
};
} // namespace

std::vector<Chart> BenchCharts::of(const BenchWork& work, const Outcome& outcome, std::size_t cell) {
    const Source s{work, outcome, cell, bench::judge(work.thread, work.panel, outcome)};
    std::vector<Chart> out;
    std::vector<bench::Figure> figures;
    for (std::size_t c = 0; c < s.plan().cells.size() && figures.empty(); ++c) figures = bench::metrics_of(outcome, c);
    const std::optional<Chart> latency = figures.empty() ? std::nullopt : Makers::percentiles(s, figures);
    if (!figures.empty() && (!latency || s.plan().cells.size() > 1)) {
        out.push_back(Makers::metric(s, figures.front()));
        if (s.plan().arms.size() > 1) out.push_back(Makers::difference(s, figures.front()));
    }
    for (auto& chart : {latency, Makers::spent(s), Makers::pickPaths(s), Makers::transfers(s)})
        if (chart) out.push_back(*chart);
    return out;
}

} // namespace picknext::ui
