// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/io/results_json.hpp"

#include <cmath>

#include <fmt/format.h>

#include "core/bench/assumptions.hpp"
#include "core/io/document.hpp"

namespace picknext::io {
namespace {

using namespace bench;

JsonValue text(std::string_view t) { return JsonValue::of(t); }
JsonValue real(double value) {
    JsonValue v;
    if (!std::isfinite(value)) return v; // null
    v.kind = JsonValue::Kind::real;
    v.text = fmt::format("{}", value);
    return v;
}
JsonValue reals(const std::vector<double>& values) {
    JsonValue v = JsonValue::array();
    for (const double x : values) v.items.push_back(real(x));
    return v;
}
JsonValue interval(const std::optional<metrics::Interval>& i) { return i ? reals({i->low, i->high}) : JsonValue{}; }

std::string_view word(Better better) { return better == Better::lower ? "lower" : "higher"; }

JsonValue metric_tree(const Outcome& outcome, std::size_t cell, std::size_t arm, std::string_view name, std::string_view unit, const Better* better) {
    const std::vector<double> values = samples(outcome, cell, arm, name);
    const metrics::Spread s = metrics::spread(values);
    JsonValue v = JsonValue::object();
    v.add("name", text(name)).add("unit", text(unit));
    if (better != nullptr) v.add("better", text(word(*better)));
    v.add("values", reals(values)).add("median", real(s.median)).add("mean", real(s.mean)).add("deviation", real(s.deviation));
    return v;
}

JsonValue lines_tree(const LinesByKind& lines) {
    JsonValue v = JsonValue::object();
    for (const cost::LineKindInfo& kind : cost::line_kind_table()) {
        const LineCounts& c = lines[static_cast<std::size_t>(kind.id)];
        if (c.reads + c.writes == 0) continue;
        JsonValue line = JsonValue::object();
        line.add("reads", JsonValue::of(c.reads)).add("writes", JsonValue::of(c.writes)).add("hits", JsonValue::of(c.hits)).add("transfers", JsonValue::of(c.transfers));
        line.add("waits", JsonValue::of(c.waits)).add("wait_ns", JsonValue::of(c.wait_ns)).add("ns", JsonValue::of(c.ns));
        v.add(kind.name, std::move(line));
    }
    return v;
}

JsonValue assumptions_tree(const std::vector<Assumption>& list) {
    JsonValue v = JsonValue::array();
    for (const Assumption& a : list) {
        JsonValue item = JsonValue::object();
        item.add("constant", text(cost::info(a.constant).name)).add("basis", text(cost::basis_names[static_cast<std::size_t>(a.basis)]));
        item.add("kind", text(spend_names[static_cast<std::size_t>(a.kind)])).add("share", real(a.share));
        v.items.push_back(std::move(item));
    }
    return v;
}

JsonValue arm_tree(const Plan& plan, const Outcome& outcome, std::size_t cell, std::size_t arm) {
    const Breakdown where = breakdown(outcome, cell, arm);
    JsonValue v = JsonValue::object();
    v.add("name", text(plan.arms[arm].name)).add("runs", JsonValue::of(static_cast<std::uint64_t>(where.runs)));
    JsonValue list = JsonValue::array();
    for (const Figure& f : metrics_of(outcome, cell)) list.items.push_back(metric_tree(outcome, cell, arm, f.name, f.unit, &f.better));
    v.add("metrics", std::move(list));
    JsonValue counted = JsonValue::array();
    for (const Derived& d : derived_table())
        if (!samples(outcome, cell, arm, d.name).empty()) counted.items.push_back(metric_tree(outcome, cell, arm, d.name, d.unit, nullptr));
    v.add("counted", std::move(counted));
    v.add("operation", text(plan.cells[cell].benchmark.operation)).add("operations", real(where.operations)).add("simulated_ns", real(where.took));
    JsonValue spent = JsonValue::object(), tallies = JsonValue::object();
    for (std::size_t i = 0; i < where.spent.size(); ++i) spent.add(spend_names[i], real(where.spent[i]));
    for (std::size_t i = 0; i < where.tallies.size(); ++i) tallies.add(tally_names[i], real(where.tallies[i]));
    v.add("spent_ns", std::move(spent)).add("tallies", std::move(tallies)).add("lines", lines_tree(where.lines));
    v.add("assumptions", assumptions_tree(assumptions(plan, plan.cells[cell].benchmark.workload, where)));
    return v;
}

JsonValue differences_tree(const Outcome& outcome, std::size_t cell) {
    JsonValue list = JsonValue::array();
    for (const Figure& f : metrics_of(outcome, cell)) {
        const Compared c = compare(outcome, cell, f.name);
        if (!c.paired) continue;
        JsonValue v = JsonValue::object();
        v.add("metric", text(f.name)).add("pairs", JsonValue::of(static_cast<std::uint64_t>(c.a.size())));
        v.add("difference", real(c.paired->difference)).add("difference_95", interval(c.paired->difference_95));
        v.add("ratio", real(c.paired->ratio)).add("ratio_95", interval(c.paired->ratio_95));
        list.items.push_back(std::move(v));
    }
    return list;
}

std::string field(std::string_view t) {
    if (t.find_first_of(",\"\n\r") == std::string_view::npos) return std::string(t);
    std::string out = "\"";
    for (const char c : t) {
        if (c == '"') out += '"';
        out += c;
    }
    return out + "\"";
}

Result<std::string> shipped_text(std::string_view kind, const std::string& name) {
    const Result<std::string> path = shipped_file(kind, name);
    return path ? read_file(*path) : path;
}

} // namespace

JsonValue results_tree(const Plan& plan, const Outcome& outcome, const std::vector<Measured>& measured, std::string_view version) {
    JsonValue v = JsonValue::object();
    v.add("format", text("picknext-results/1")).add("engine", text(version)).add("simulated", JsonValue::of(true)).add("command", text(plan.command));
    v.add("topology", text(plan.machine.name)).add("cpus", JsonValue::of(plan.machine.online().size())).add("costs", text(plan.costs.name));
    v.add("complete", JsonValue::of(outcome.complete()));
    JsonValue seeds = JsonValue::array();
    for (int r = 0; r < plan.repeats; ++r) seeds.items.push_back(JsonValue::of(plan.seed + static_cast<std::uint64_t>(r)));
    v.add("seeds", std::move(seeds));
    JsonValue arms = JsonValue::array();
    for (const Arm& a : plan.arms) {
        JsonValue arm = JsonValue::object();
        arm.add("name", text(a.name)).add("kernel", text(name_of(a.settings.kernel))).add("changes", text(a.changes));
        arms.items.push_back(std::move(arm));
    }
    v.add("arms", std::move(arms));
    JsonValue cells = JsonValue::array();
    for (std::size_t c = 0; c < plan.cells.size(); ++c) {
        const Benchmark& b = plan.cells[c].benchmark;
        JsonValue cell = JsonValue::object();
        cell.add("point", text(plan.cells[c].label)).add("command", text(b.command)).add("scaling", text(b.scaling));
        JsonValue of_arms = JsonValue::array();
        for (std::size_t a = 0; a < plan.arms.size(); ++a) of_arms.items.push_back(arm_tree(plan, outcome, c, a));
        cell.add("arms", std::move(of_arms));
        if (plan.arms.size() > 1) cell.add("differences", differences_tree(outcome, c));
        JsonValue real_ones = JsonValue::array();
        for (const Figure& f : metrics_of(outcome, c)) {
            const std::vector<double> values = measured_for(measured, plan.cells[c].label, f);
            if (values.empty()) continue;
            JsonValue m = JsonValue::object();
            m.add("name", text(f.name)).add("unit", text(f.unit)).add("values", reals(values));
            real_ones.items.push_back(std::move(m));
        }
        if (!real_ones.items.empty()) cell.add("measured", std::move(real_ones));
        cells.items.push_back(std::move(cell));
    }
    v.add("cells", std::move(cells));
    return v;
}

std::string write_results(const Plan& plan, const Outcome& outcome, const std::vector<Measured>& measured, std::string_view version) {
    return json_text(results_tree(plan, outcome, measured, version));
}

JsonValue published_tree(const std::vector<Judged>& rows) {
    JsonValue list = JsonValue::array();
    const auto side = [](const std::optional<double>& published, const std::vector<double>& simulated, bench::Verdict verdict) {
        JsonValue v = JsonValue::object();
        v.add("published", real(*published)).add("simulated", simulated.empty() ? JsonValue{} : real(metrics::spread(simulated).median)).add("verdict", text(words_of(verdict)));
        return v;
    };
    for (const Judged& j : rows) {
        const Published& p = *j.published;
        JsonValue v = JsonValue::object();
        v.add("point", text(p.cell)).add("name", text(p.metric)).add("unit", text(p.unit)).add("source", text(p.source));
        if (p.before && !p.ratio_only) v.add("before", side(p.before, j.before, j.before_verdict));
        if (p.after && !p.ratio_only) v.add("after", side(p.after, j.after, j.after_verdict));
        if (p.before && p.after) {
            JsonValue e = JsonValue::object();
            e.add("published", real(*p.after / *p.before)).add("simulated", j.paired ? real(j.paired->ratio) : JsonValue{});
            e.add("interval_95", j.paired ? interval(j.paired->ratio_95) : JsonValue{}).add("verdict", text(words_of(j.effect)));
            v.add("effect", std::move(e));
        }
        list.items.push_back(std::move(v));
    }
    return list;
}

std::string results_csv(const Plan& plan, const Outcome& outcome) {
    std::string out = "point,arm,repeat,seed,figure,unit,better,value\n";
    for (std::size_t c = 0; c < plan.cells.size(); ++c)
        for (std::size_t a = 0; a < plan.arms.size(); ++a)
            for (int r = 0; r < outcome.repeats; ++r) {
                const Run& run = outcome.run(c, a, r);
                if (run.end != End::done) continue;
                const auto row = [&](std::string_view name, std::string_view unit, std::string_view better, double value) {
                    out += fmt::format("{},{},{},{},{},{},{},{}\n", field(plan.cells[c].label), field(plan.arms[a].name), r + 1, plan.seed + static_cast<std::uint64_t>(r),
                                       field(name), field(unit), better, value);
                };
                for (const Figure& f : run.figures) row(f.name, f.unit, word(f.better), f.value);
                for (const Derived& d : derived_table())
                    if (const std::optional<double> value = d.value(run)) row(d.name, d.unit, "", *value);
            }
    return out;
}

Platforms shipped_platforms() {
    return {[](const std::string& name) -> Result<Machine> {
                Result<std::string> file = shipped_text("topologies", name);
                if (!file) return file.error();
                Report report;
                return read_topology(*file, name, report);
            },
            [](const std::string& name) -> Result<cost::CostProfile> {
                Result<std::string> file = shipped_text("costs", name);
                if (!file) return file.error();
                Report report;
                return read_costs(*file, name, report);
            }};
}

} // namespace picknext::io
