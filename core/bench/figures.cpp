// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/bench/figures.hpp"

#include <algorithm>
#include <numeric>

namespace picknext::bench {
namespace {

double of(const Run& r, Tally t) { return static_cast<double>(r.accounts[t]); }

/// Picks pick_eevdf() made, as thread 4 counts them.
double eevdf_picks(const Run& r) { return of(r, Tally::pick_direct) + of(r, Tally::pick_parity) + of(r, Tally::pick_fast) + of(r, Tally::pick_slow); }

template <Tally T>
std::optional<double> pick_share(const Run& r) {
    const double all = eevdf_picks(r);
    return all > 0 ? std::optional{100 * of(r, T) / all} : std::nullopt;
}
std::optional<double> fast_of_searches(const Run& r) {
    const double both = of(r, Tally::pick_fast) + of(r, Tally::pick_slow);
    return both > 0 ? std::optional{100 * of(r, Tally::pick_fast) / both} : std::nullopt;
}
template <Tally T>
std::optional<double> per_operation(const Run& r) {
    return r.operations > 0 ? std::optional{of(r, T) / r.operations} : std::nullopt;
}
template <Tally T>
std::optional<double> per_second(const Run& r) {
    return r.took > 0 ? std::optional{of(r, T) * 1e9 / static_cast<double>(r.took)} : std::nullopt;
}
template <Tally Sum, Tally Times>
std::optional<double> mean_of(const Run& r) {
    return r.accounts[Times] > 0 ? std::optional{of(r, Sum) / of(r, Times)} : std::nullopt;
}
std::optional<double> nohz_run_us(const Run& r) {
    const std::optional<double> ns = mean_of<Tally::nohz_run_ns, Tally::nohz_runs>(r);
    return ns ? std::optional{*ns / 1000} : std::nullopt;
}
std::optional<double> switches(const Run& r) {
    return r.operations > 0 ? std::optional{static_cast<double>(r.switches) / r.operations} : std::nullopt;
}
std::optional<double> wakeups(const Run& r) {
    return r.operations > 0 ? std::optional{static_cast<double>(r.wakeups) / r.operations} : std::nullopt;
}

constexpr std::array derived{
    Derived{"pick_direct", "%", "picks of the only task there was", &pick_share<Tally::pick_direct>},
    Derived{"pick_parity", "%", "picks that let the current task run on", &pick_share<Tally::pick_parity>},
    Derived{"pick_fast", "%", "picks of the leftmost task, which was eligible", &pick_share<Tally::pick_fast>},
    Derived{"pick_slow", "%", "picks that searched the tree", &pick_share<Tally::pick_slow>},
    Derived{"pick_fast_of_searches", "%", "fast picks among fast and slow ones", &fast_of_searches},
    Derived{"switches", "per operation", "context switches", &switches},
    Derived{"wakeups", "per operation", "wakeups", &wakeups},
    Derived{"select_idle", "per operation", "calls of select_idle_cpu()", &per_operation<Tally::select_idle>},
    Derived{"scanned_cpus", "per operation", "CPUs these calls looked at", &per_operation<Tally::scanned_cpus>},
    Derived{"flag_reads", "per operation", "reads of has_idle_cores", &per_operation<Tally::flag_reads>},
    Derived{"ipis", "per operation", "interrupts sent to other CPUs", &per_operation<Tally::ipis>},
    Derived{"migrations", "per operation", "moves of tasks to other CPUs", &per_operation<Tally::migrations>},
    Derived{"stale_mask_bits", "per operation", "wakeups that found an idle CPU missing from the mask", &per_operation<Tally::stale_mask_bits>},
    Derived{"kicks", "per second", "kicks of an idle CPU to balance", &per_second<Tally::kicks>},
    Derived{"stats_kicks", "per second", "of these, for blocked load alone", &per_second<Tally::stats_kicks>},
    Derived{"nohz_run", "us", "time of one _nohz_idle_balance()", &nohz_run_us},
    Derived{"nohz_enter", "ns", "time of one nohz_balance_enter_idle()", &mean_of<Tally::nohz_enter_ns, Tally::nohz_enters>},
};

} // namespace

std::span<const Derived> derived_table() { return derived; }

std::optional<double> figure(const Run& run, std::string_view name) {
    if (run.end != End::done) return std::nullopt;
    for (const Figure& f : run.figures)
        if (f.name == name) return f.value;
    const auto row = std::find_if(derived.begin(), derived.end(), [&](const Derived& d) { return d.name == name; });
    return row == derived.end() ? std::nullopt : row->value(run);
}

std::vector<double> samples(const Outcome& outcome, std::size_t cell, std::size_t arm, std::string_view name) {
    std::vector<double> out;
    for (int r = 0; r < outcome.repeats; ++r) {
        const Run& run = outcome.run(cell, arm, r);
        if (run.end != End::done) continue;
        const std::optional<double> value = figure(run, name);
        if (!value) return {};
        out.push_back(*value);
    }
    return out;
}

Compared compare(const Outcome& outcome, std::size_t cell, std::string_view name) {
    Compared out;
    for (int r = 0; r < outcome.repeats && outcome.arms > 1; ++r) {
        const std::optional<double> a = figure(outcome.run(cell, 0, r), name), b = figure(outcome.run(cell, 1, r), name);
        if (!a || !b) continue;
        out.a.push_back(*a);
        out.b.push_back(*b);
    }
    if (!out.a.empty()) out.paired = metrics::paired(out.a, out.b);
    return out;
}

std::vector<Figure> metrics_of(const Outcome& outcome, std::size_t cell) {
    for (std::size_t arm = 0; arm < outcome.arms; ++arm)
        for (int r = 0; r < outcome.repeats; ++r)
            if (!outcome.run(cell, arm, r).figures.empty()) return outcome.run(cell, arm, r).figures;
    return {};
}

double Breakdown::kernel_time() const { return std::accumulate(spent.begin(), spent.end(), 0.0); }

Breakdown breakdown(const Outcome& outcome, std::size_t cell, std::size_t arm) {
    Breakdown out;
    for (int r = 0; r < outcome.repeats; ++r) {
        const Run& run = outcome.run(cell, arm, r);
        if (run.end != End::done) continue;
        ++out.runs;
        out.operations += run.operations;
        out.took += static_cast<double>(run.took);
        for (std::size_t i = 0; i < out.spent.size(); ++i) out.spent[i] += static_cast<double>(run.accounts.spent[i]);
        for (std::size_t i = 0; i < out.tallies.size(); ++i) out.tallies[i] += static_cast<double>(run.accounts.tallies[i]);
        for (std::size_t i = 0; i < out.lines.size(); ++i) out.lines[i] += run.lines[i];
    }
    if (out.runs == 0) return out;
    const auto n = static_cast<double>(out.runs);
    out.operations /= n;
    out.took /= n;
    for (double& s : out.spent) s /= n;
    for (double& t : out.tallies) t /= n;
    return out;
}

} // namespace picknext::bench
