// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/compare/measure.hpp"

#include <algorithm>
#include <vector>

#include "core/metrics/summary.hpp"
#include "core/watch/watch.hpp"

namespace picknext::compare {
namespace {

using M = Measure;
constexpr std::array measures{
    MeasureInfo{M::makespan, "makespan", "makespan", true, Better::lower, "When the last task ended; nothing while one lives."},
    MeasureInfo{M::latency_p50, "wakeup latency p50", "latency_p50", true, Better::lower, "From a wakeup to running, by nearest rank."},
    MeasureInfo{M::latency_p90, "wakeup latency p90", "latency_p90", true, Better::lower, "The same."},
    MeasureInfo{M::latency_p99, "wakeup latency p99", "latency_p99", true, Better::lower, "The same."},
    MeasureInfo{M::latency_p999, "wakeup latency p99.9", "latency_p999", true, Better::lower, "The same."},
    MeasureInfo{M::latency_max, "wakeup latency max", "latency_max", true, Better::lower, "The longest."},
    MeasureInfo{M::waited, "waited", "waited", true, Better::lower, "Time of all tasks between being runnable and running, waits that ended."},
    MeasureInfo{M::longest_wait, "longest wait", "longest_wait", true, Better::lower, "The longest, however often the task was moved meanwhile; those at the end included."},
    MeasureInfo{M::ran, "ran", "ran", true, Better::neither, "Time of all CPUs with a task, up to the last switch of each."},
    MeasureInfo{M::idle_while_queued, "idle while queued", "idle_while_queued", true, Better::lower, "CPU time lost while a task waited elsewhere that might have run there."},
    MeasureInfo{M::idle_intervals, "such intervals", "idle_intervals", false, Better::lower, "Of a CPU and a task."},
    MeasureInfo{M::switches, "switches", "switches", false, Better::neither, "Context switches."},
    MeasureInfo{M::wakeups, "wakeups", "wakeups", false, Better::neither, "Forks included."},
    MeasureInfo{M::migrations, "migrations", "migrations", false, Better::neither, "Of tasks, woken elsewhere or moved."},
    MeasureInfo{M::ticks, "ticks", "ticks", false, Better::neither, "Handled."},
    MeasureInfo{M::decisions, "decisions", "decisions", false, Better::neither, "Of every kind."},
    MeasureInfo{M::picks_direct, "picks direct", "picks_direct", false, Better::neither, "Picks of a task to run, one entity queued."},
    MeasureInfo{M::picks_parity, "picks parity", "picks_parity", false, Better::neither, "The current task kept its slice."},
    MeasureInfo{M::picks_fast, "picks fast", "picks_fast", false, Better::neither, "The leftmost was eligible."},
    MeasureInfo{M::picks_slow, "picks slow", "picks_slow", false, Better::neither, "By heap search."},
    MeasureInfo{M::picks_buddy, "picks buddy", "picks_buddy", false, Better::neither, "The next buddy."},
    MeasureInfo{M::picks_leftmost, "picks leftmost", "picks_leftmost", false, Better::neither, "CFS: the leftmost, or the current task left of it."},
    MeasureInfo{M::picks_skip, "picks skip", "picks_skip", false, Better::neither, "CFS: the second, the first was to be skipped."},
    MeasureInfo{M::picks_last, "picks last", "picks_last", false, Better::neither, "CFS: the last buddy."},
    MeasureInfo{M::placed_idle, "placed on idle", "placed_idle", false, Better::higher, "Wakeups that went to a CPU with nothing queued."},
    MeasureInfo{M::placed_busy, "placed on busy", "placed_busy", false, Better::lower, "Wakeups that went to another CPU."},
    MeasureInfo{M::pulled, "tasks detached", "pulled", false, Better::neither, "Moved by a balance pass."},
};
static_assert(measures.size() == measure_count);
constexpr bool in_order() {
    for (std::size_t i = 0; i < measures.size(); ++i)
        if (static_cast<std::size_t>(measures[i].id) != i) return false;
    return true;
}
static_assert(in_order());

class Gauge final : public Observer {
  public:
    explicit Gauge(const Scenario& scenario) : m_watch(scenario, {}) {}

    void on_decision(const State& before, const DecisionHeader& h, std::span<const Check> checks) override {
        m_watch.on_decision(before, h, checks);
        m_outcomes.word(std::uint64_t{static_cast<std::uint32_t>(h.task)} << 32 | static_cast<std::uint32_t>(h.outcome));
        m_outcomes.word(std::uint64_t{h.cpu} << 16 | std::uint64_t{static_cast<std::uint8_t>(h.kind)} << 8 | h.level);
        if (h.kind == Kind::place) placed(before, h);
        if (h.kind == Kind::schedule) switched(before, h);
        if (h.kind == Kind::pick && h.site == Site::schedule) ++m_paths[static_cast<std::size_t>(h.path)];
        if (h.kind == Kind::detach && h.outcome == 1) ++m_pulled;
    }
    void after_event(const State& st) { m_watch.after_event(st); }

    Measured finish(const State& st) {
        m_watch.finish(st);
        Measured out;
        out.outcomes = m_outcomes.digest();
        const auto set = [&](Measure m, auto value) { out.values[static_cast<std::size_t>(m)] = static_cast<std::int64_t>(value); };
        if (const std::optional<std::int64_t> end = ended(st)) set(M::makespan, *end);
        std::ranges::sort(m_latencies);
        if (!m_latencies.empty()) {
            for (const auto& [m, permille] : {std::pair{M::latency_p50, 500}, {M::latency_p90, 900}, {M::latency_p99, 990}, {M::latency_p999, 999}, {M::latency_max, 1000}})
                set(m, metrics::percentile(m_latencies, permille));
        }
        std::uint64_t waited = 0, migrations = 0, ran = 0;
        for (const Task& t : st.tasks) {
            waited += t.waited_ns;
            migrations += t.migrations;
        }
        for (const Rq& rq : st.rqs) ran += rq.busy_ns;
        set(M::waited, waited);
        for (const Waiting& w : m_waiting)
            if (w.since >= 0) m_longest = std::max(m_longest, st.now - w.since);
        set(M::longest_wait, m_longest);
        set(M::ran, ran);
        set(M::idle_while_queued, m_watch.conservation().lost_ns());
        set(M::idle_intervals, m_watch.conservation().intervals());
        set(M::switches, st.switches);
        set(M::wakeups, st.wakeups);
        set(M::migrations, migrations);
        set(M::ticks, st.ticks);
        set(M::decisions, st.decisions);
        for (std::size_t p = static_cast<std::size_t>(PickPath::direct); p < pick_path_count; ++p)
            set(static_cast<Measure>(static_cast<std::size_t>(M::picks_direct) + p - 1), m_paths[p]);
        set(M::placed_idle, m_placed_idle);
        set(M::placed_busy, m_placed_busy);
        set(M::pulled, m_pulled);
        return out;
    }

  private:
    void placed(const State& before, const DecisionHeader& h) {
        ++(before.rq(CpuId{h.outcome}).nr_running == 0 ? m_placed_idle : m_placed_busy);
        if (h.reason != Reason::place_affinity && h.reason != Reason::place_widened) waiting(h.task) = {h.at, true};
    }
    void switched(const State& before, const DecisionHeader& h) {
        if (h.outcome >= 0) {
            Waiting& next = waiting(h.outcome);
            if (next.since >= 0) m_longest = std::max(m_longest, h.at - next.since);
            if (next.woken) m_latencies.push_back(h.at - next.since);
            next = {};
        }
        if (h.task >= 0 && h.task != h.outcome && before.task(TaskId{h.task}).state == TaskState::runnable) waiting(h.task) = {h.at, false};
    }
    /// When the last task ended; a task that ends ceases to run then.
    static std::optional<std::int64_t> ended(const State& st) {
        std::int64_t end = 0;
        for (const Task& t : st.tasks) {
            if (t.program < 0) continue;
            if (t.state != TaskState::dead) return std::nullopt;
            end = std::max(end, t.last_switched);
        }
        return end;
    }

    /// A task that is runnable and does not run.
    struct Waiting {
        std::int64_t since = -1; // ns, -1 = it does not wait
        bool woken = false;      // it has not run since its wakeup
    };
    Waiting& waiting(std::int32_t task) {
        const auto index = static_cast<std::size_t>(task);
        if (index >= m_waiting.size()) m_waiting.resize(index + 1);
        return m_waiting[index];
    }

    watch::Watch m_watch;
    Hasher m_outcomes;
    std::vector<Waiting> m_waiting; // by task
    std::int64_t m_longest = 0;
    std::vector<std::int64_t> m_latencies;
    std::array<std::uint64_t, pick_path_count> m_paths = {};
    std::uint64_t m_placed_idle = 0, m_placed_busy = 0, m_pulled = 0;
};

} // namespace

std::span<const MeasureInfo> measure_table() { return measures; }

Measured measure(std::shared_ptr<const Scenario> scenario, const RunLimit& limit, std::stop_token stop, const Progress& progress) {
    Engine engine(std::move(scenario));
    Gauge gauge(engine.scenario());
    HeaderSink sink{&gauge};
    bool whole = true;
    const auto go_on = [&] { return engine.next_event_time() <= limit.time && engine.state().event < limit.events && engine.state().decisions < limit.decisions; };
    for (std::uint64_t n = 1; go_on() && engine.step(sink); ++n) {
        gauge.after_event(engine.state());
        if (n % 4096 != 0) continue;
        if (stop.stop_requested()) {
            whole = false;
            break;
        }
        if (progress) progress(engine.state());
    }
    if (whole) engine.run(limit, sink); // nothing is left of it but its end
    Measured out = gauge.finish(engine.state());
    out.whole = whole;
    return out;
}

} // namespace picknext::compare
