// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/bench/run.hpp"

#include <algorithm>
#include <atomic>
#include <mutex>
#include <thread>

#include "core/engine/engine.hpp"

namespace picknext::bench {
namespace {

/// Where run number `index` stands in the plan.
struct Place {
    std::size_t cell, arm;
    int repeat;
};
Place place_of(const Plan& plan, std::size_t index) {
    const auto repeats = static_cast<std::size_t>(plan.repeats);
    return {index / repeats / plan.arms.size(), index / repeats % plan.arms.size(), static_cast<int>(index % repeats)};
}

LinesByKind lines_of(const State& st, const Machine& machine) {
    LinesByKind out = {};
    const cost::LineLayout layout = cost::layout(machine);
    for (std::size_t i = 0; i < st.cache_lines.lines.size(); ++i) {
        const CacheLine& line = st.cache_lines.lines[i];
        out[static_cast<std::size_t>(layout.name(LineId(i)).kind)] +=
            LineCounts{line.reads, line.writes, line.hits, line.transfers, line.waits, line.wait_ns, line.ns};
    }
    return out;
}

std::optional<Slowest> slowest_of(const State& st) {
    const auto longest = std::max_element(st.samples.begin(), st.samples.end(), [](const Sample& a, const Sample& b) { return a.ns < b.ns; });
    if (longest == st.samples.end()) return std::nullopt;
    return Slowest{static_cast<std::size_t>(longest - st.samples.begin()), longest->ns, longest->series};
}

Run result_of(const State& st, const Benchmark& benchmark, const Machine& machine) {
    Run out;
    out.end = End::done;
    out.figures = benchmark.figures(st);
    out.operations = benchmark.operations ? benchmark.operations(st) : 0;
    out.took = st.now;
    out.events = st.event;
    out.switches = st.switches;
    out.wakeups = st.wakeups;
    out.accounts = st.accounts;
    out.lines = lines_of(st, machine);
    out.slowest = slowest_of(st);
    if (benchmark.report) out.report = benchmark.report(st);
    return out;
}

/// How far all runs are, told one thread at a time.
class Board {
  public:
    Board(std::size_t runs, const std::function<void(const Done&)>& tell) : m_shares(runs, 0.0), m_tell(tell) {}
    void set(std::size_t run, double share) {
        if (!m_tell) return;
        const std::lock_guard lock(m_mutex);
        m_sum += share - m_shares[run];
        m_shares[run] = share;
        if (share >= 1) ++m_done;
        m_tell({m_done, m_shares.size(), m_sum / static_cast<double>(m_shares.size())});
    }

  private:
    std::mutex m_mutex;
    std::vector<double> m_shares;
    double m_sum = 0;
    std::size_t m_done = 0;
    const std::function<void(const Done&)>& m_tell;
};

/// Ticks of an idle machine may go on for ever, if its settings want that.
bool all_tasks_ended(const State& st) {
    return std::all_of(st.tasks.begin(), st.tasks.end(), [](const Task& t) { return t.state == TaskState::dead; });
}

double share_done(const Benchmark& benchmark, const State& st) {
    if (benchmark.of > 0 && benchmark.operations) return std::min(benchmark.operations(st) / benchmark.of, 0.999);
    return benchmark.duration && *benchmark.duration > 0 ? std::min(static_cast<double>(st.now) / static_cast<double>(*benchmark.duration), 0.999) : 0;
}

constexpr std::uint64_t events_between = 4096; // looks at the stop token and at whether all is done

Run run_one(const Plan& plan, std::size_t index, const std::stop_token& stop, Board& board) {
    const Place at = place_of(plan, index);
    const Benchmark& benchmark = plan.cells[at.cell].benchmark;
    Engine engine(std::make_shared<const Scenario>(scenario_of(plan, at.cell, at.arm, at.repeat)));
    NullSink sink;
    for (;;) {
        const RunLimit limit{.time = benchmark.duration.value_or(longest_run), .events = engine.state().event + events_between};
        const StopReason why = engine.run(limit, sink);
        if (why == StopReason::finished || (!benchmark.duration && all_tasks_ended(engine.state()))) break;
        if (engine.state().event < limit.events) { // the time is up
            if (benchmark.duration) break;
            board.set(index, 1);
            Run out;
            out.end = End::too_long;
            return out;
        }
        if (stop.stop_requested()) return {};
        board.set(index, share_done(benchmark, engine.state()));
    }
    Run out = result_of(engine.state(), benchmark, plan.machine);
    board.set(index, 1);
    return out;
}

} // namespace

LineCounts& LineCounts::operator+=(const LineCounts& more) {
    reads += more.reads;
    writes += more.writes;
    hits += more.hits;
    transfers += more.transfers;
    waits += more.waits;
    wait_ns += more.wait_ns;
    ns += more.ns;
    return *this;
}

bool Outcome::complete() const {
    return std::all_of(runs.begin(), runs.end(), [](const Run& r) { return r.end == End::done; });
}

Equal equal_pairs(const Outcome& outcome, std::size_t cells) {
    Equal out;
    for (std::size_t c = 0; c < cells && outcome.arms > 1; ++c)
        for (int r = 0; r < outcome.repeats; ++r) {
            const Run &a = outcome.run(c, 0, r), &b = outcome.run(c, 1, r);
            if (a.end != End::done || b.end != End::done) continue;
            ++out.pairs;
            if (a == b) ++out.equal;
        }
    return out;
}

Outcome run(const Plan& plan, const Running& how) {
    PICKNEXT_ASSERT(plan.repeats >= 1 && plan.repeats <= max_repeats && !plan.arms.empty() && how.jobs >= 1 && how.jobs <= max_jobs,
                    "{} repeats of {} arms on {} threads", plan.repeats, plan.arms.size(), how.jobs);
    Outcome out{std::vector<Run>(plan.runs()), plan.repeats, plan.arms.size()};
    Board board(out.runs.size(), how.progress);
    std::atomic<std::size_t> next = 0;
    std::mutex telling;
    const auto work = [&] { // each run writes its own slot, so the order they end in does not show
        for (std::size_t i = next++; i < out.runs.size() && !how.stop.stop_requested(); i = next++) {
            out.runs[i] = run_one(plan, i, how.stop, board);
            if (!how.ended || out.runs[i].end == End::stopped) continue;
            const std::lock_guard lock(telling);
            how.ended(i, out.runs[i]);
        }
    };
    std::vector<std::jthread> others;
    for (std::size_t i = 1; i < std::min(static_cast<std::size_t>(how.jobs), out.runs.size()); ++i) others.emplace_back(work);
    work();
    others.clear(); // joins
    return out;
}

std::optional<Moment> slowest_moment(const Scenario& scenario, const std::optional<Slowest>& slowest, std::stop_token stop) {
    Engine engine(std::make_shared<const Scenario>(scenario));
    NullSink sink;
    const std::int64_t until = scenario.until_ns.value_or(INT64_MAX);
    const auto taken = [&] { return slowest && engine.state().samples.size() > slowest->sample; };
    while (!taken() && engine.next_event_time() <= until && engine.step(sink))
        if (engine.state().event % 4096 == 0 && stop.stop_requested()) return std::nullopt;
    const State& st = engine.state();
    return Moment{st.event, st.decisions, st.now};
}

} // namespace picknext::bench
