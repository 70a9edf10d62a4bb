// SPDX-License-Identifier: GPL-3.0-or-later
// picknext-cli run: simulates a scenario to its end and prints a log, or a summary.
#include <algorithm>
#include <memory>
#include <optional>
#include <vector>

#include <fmt/format.h>

#include "app/cli/condition.hpp"
#include "app/cli/inputs.hpp"
#include "app/cli/progress.hpp"
#include "app/cli/watch_report.hpp"
#include "core/engine/engine.hpp"
#include "core/engine/plan.hpp"
#include "core/explain/explain.hpp"
#include "core/expr/expression.hpp"
#include "core/history/search.hpp"
#include "core/io/decision_json.hpp"
#include "core/io/schedstat_text.hpp"

namespace picknext::cli {
namespace {

constexpr std::uint64_t slice_events = 4096;             // between looks at the clock and at Ctrl-C

struct Options {
    ScenarioChoice choice;
    std::string log = "none";
    std::string format = "text";
    bool checks = false;
    bool digest = false;
    std::optional<std::string> break_at, filter;
    std::string schedstat; // version to print, "kernel": its own; empty: none
    bool watch = false;
    std::string watch_limit = "100ms";
    [[nodiscard]] bool json() const { return format == "jsonl"; }
};

/// Prints decisions as they fall.
class Printer final : public Observer {
  public:
    /// filter: null = every decision.
    Printer(const Scenario& scenario, const Options& options, const expr::Expression* filter)
        : m_scenario(scenario), m_filter(filter), m_json(options.json()), m_switches_only(options.log == "switches"), m_checks(options.checks) {
        if (!m_json)
            fmt::print("{:>8} {:>14} {:<12} {:<8} {:<16} {:<16} {}\n", "#", "time ms", "kind", "cpu", "task", "outcome", "reason");
    }
    void on_decision(const State& before, const DecisionHeader& header, std::span<const Check> checks) override {
        if (m_switches_only && (header.kind != Kind::schedule || header.reason == Reason::schedule_same)) return;
        if (m_filter != nullptr && !m_filter->holds(before, header, checks)) return;
        if (m_json)
            fmt::print("{}\n", io::decision_json(m_scenario, before, header, m_checks ? checks : std::span<const Check>{}));
        else
            fmt::print("{:>8} {:>14} {}\n", before.decisions, plain(ms_length(header.at, 6)), outcome_text(m_scenario, before, header));
    }

  private:
    const Scenario& m_scenario;
    const expr::Expression* m_filter;
    bool m_json, m_switches_only, m_checks;
};

/// Runs to the end of the scenario. False when interrupted. run_until: Engine::run or the like with a limit.
template <class Run>
bool simulate(Engine& engine, const Run& run_until) {
    RunLimit limit = limit_of(engine.scenario());
    const std::uint64_t last_event = limit.events;
    ProgressLine progress(limit.time);
    for (;;) {
        limit.events = std::min(last_event, engine.state().event + slice_events);
        const StopReason stop = run_until(limit);
        if (stop == StopReason::finished || engine.state().event < limit.events || limit.events == last_event) return true;
        if (interrupted()) return false;
        progress.show(engine.state());
    }
}

template <DecisionSink S>
bool simulate_into(Engine& engine, S sink) {
    return simulate(engine, [&](const RunLimit& limit) { return engine.run(limit, sink); });
}

bool simulate(Engine& engine, const Options& options, const expr::Expression* filter) {
    if (options.log == "none") return simulate_into(engine, NullSink{});
    Printer printer(engine.scenario(), options, filter);
    if (options.checks || (filter != nullptr && filter->needs_checks())) return simulate_into(engine, FullSink{&printer});
    return simulate_into(engine, HeaderSink{&printer});
}

bool simulate_watched(Engine& engine, const Options& options, std::int64_t wait_limit) {
    WatchReport report(engine, wait_limit, options.json());
    const bool whole = simulate(engine, [&](const RunLimit& limit) { return watch::run(engine, limit, report.watch()); });
    report.watch().finish(engine.state());
    report.print();
    return whole;
}

struct Row {
    std::int64_t instances = 0;
    std::uint64_t ran = 0, waited = 0, activations = 0, migrations = 0;
};

/// What each task of the workload got, its instances together.
void print_summary(const Scenario& scenario, const State& st) {
    fmt::print("{}, {}, {}\n", scenario.name, name_of(st.settings.kernel), summary(scenario.machine));
    fmt::print("{} ms simulated: {} events, {} decisions, {} switches, {} wakeups, {} ticks\n\n", plain(ms_length(st.now)), st.event,
               st.decisions, st.switches, st.wakeups, st.ticks);
    std::vector<Row> rows(scenario.workload.tasks.size());
    std::uint64_t total = 0;
    for (std::size_t i = 0; i < st.tasks.size(); ++i) {
        const Task& task = st.tasks[i];
        if (task.program < 0) continue;
        // The state holds what was accounted last; the time since then is added here.
        const bool running = task.cpu && st.rq(task.cpu).curr == TaskId{i};
        const bool waiting = !running && task.state == TaskState::runnable;
        const std::int64_t since_charge = running ? st.now - st.entity(task.entity).exec_start : 0;
        const std::uint64_t ran = st.entity(task.entity).sum_exec + static_cast<std::uint64_t>(std::max<std::int64_t>(0, since_charge));
        Row& row = rows[static_cast<std::size_t>(task.program)];
        ++row.instances;
        row.ran += ran;
        row.waited += task.waited_ns + (waiting ? static_cast<std::uint64_t>(st.now - task.last_switched) : 0);
        row.activations += task.activation;
        row.migrations += task.migrations;
        total += ran;
    }
    fmt::print("{:<20} {:>9} {:>14} {:>8} {:>14} {:>11} {:>10}\n", "task", "instances", "ran ms", "share %", "waited ms", "activations", "migrations");
    for (std::size_t i = 0; i < rows.size(); ++i) {
        const Row& r = rows[i];
        const double share = total == 0 ? 0.0 : 100.0 * static_cast<double>(r.ran) / static_cast<double>(total);
        fmt::print("{:<20} {:>9} {:>14} {:>8.2f} {:>14} {:>11} {:>10}\n", scenario.workload.tasks[i].name, r.instances,
                   plain(ms_length(static_cast<std::int64_t>(r.ran))), share, plain(ms_length(static_cast<std::int64_t>(r.waited))), r.activations,
                   r.migrations);
    }
}

/// Goes to the first decision where the condition holds and prints it as why does.
Exit run_to(const expr::Expression& condition, Scenario scenario, const Options& options) {
    if (!scenario.until_ns && !scenario.until_events) scenario.until_ns = default_until_ns;
    const std::int64_t until = scenario.until_ns.value_or(INT64_MAX);
    Timeline timeline(std::make_shared<const Scenario>(std::move(scenario)));
    std::stop_source stop;
    SearchResult found;
    std::int64_t reached = 0;
    {
        ProgressLine line(until);
        found = find_hit(timeline, condition, Direction::forward, {}, stop.get_token(), [&](const State& st) {
            reached = st.now;
            if (interrupted()) stop.request_stop();
            line.show(st);
        });
    }
    if (found.end == SearchEnd::cancelled) {
        fmt::print(stderr, "Interrupted at {} ms: the condition did not hold until then.\n", plain(ms_length(reached, 6)));
        return Exit::interrupted;
    }
    if (found.end != SearchEnd::hit) {
        timeline.seek_decision(UINT64_MAX);
        fmt::print(stderr, "The condition holds at no decision: the run ends with decision {} at {} ms.\n", timeline.position().decision,
                   plain(ms_length(timeline.state().now, 6)));
        return Exit::no;
    }
    print_explained(*timeline.snapshot(), options.json());
    return Exit::done;
}

void print_schedstat(const Scenario& scenario, const State& st, const std::string& version) {
    engine::DomainsInForce domains(scenario.machine, st.settings.kernel);
    fmt::print("{}", io::schedstat_text(st, domains.at(st), version == "15" ? 15 : version == "16" ? 16 : io::schedstat_version(st.settings.kernel)));
}

Exit run(const Options& options) {
    if (options.filter && options.log == "none") {
        complain({"E-USAGE", Place{"--filter", 0, 0, {}}, "a summary has no rows; add --log decisions or --log switches"});
        return Exit::refused;
    }
    const Result<std::int64_t> wait_limit = parse_duration(options.watch_limit);
    if (!wait_limit) {
        complain(option_error("--watch-limit", wait_limit.error()));
        return Exit::refused;
    }
    std::optional<Scenario> scenario = compose_or_complain(options.choice);
    if (!scenario) return Exit::refused;
    std::optional<expr::Expression> condition;
    if (options.break_at || options.filter) {
        condition = options.filter ? compile_or_complain("--filter", *options.filter, *scenario) : compile_or_complain("--break", *options.break_at, *scenario);
        if (!condition) return Exit::refused;
    }
    heed_interrupts();
    if (options.break_at) return run_to(*condition, std::move(*scenario), options);
    Engine engine(std::make_shared<const Scenario>(std::move(*scenario)));
    const bool whole = options.watch ? simulate_watched(engine, options, *wait_limit) : simulate(engine, options, condition ? &*condition : nullptr);
    const State& st = engine.state();
    if (options.log == "none" && !options.json() && !options.watch && options.schedstat.empty()) print_summary(engine.scenario(), st);
    if (!options.schedstat.empty()) print_schedstat(engine.scenario(), st, options.schedstat);
    if (options.digest && options.json()) fmt::print("{{\"digest\":\"{:016x}\"}}\n", digest(st));
    if (options.digest && !options.json()) fmt::print("digest {:016x}\n", digest(st));
    if (whole) return Exit::done;
    fmt::print(stderr, "Interrupted at {} ms: {} events, {} decisions done.\n", plain(ms_length(st.now, 6)), st.event, st.decisions);
    return Exit::interrupted;
}

} // namespace

void add_run(CLI::App& app, Exit& exit) {
    auto options = std::make_shared<Options>();
    CLI::App* command = app.add_subcommand("run", "Simulate a scenario and print its decisions, its switches, or a summary");
    add_scenario_options(*command, options->choice, false);
    CLI::Option* log = command->add_option("--log", options->log, "what to print; none prints a summary")->check(CLI::IsMember({"decisions", "switches", "none"}))->capture_default_str();
    command->add_option("--format", options->format, "format of the log")->check(CLI::IsMember({"text", "jsonl"}))->capture_default_str();
    command->add_flag("--checks", options->checks, "with --format jsonl: every check of each decision");
    command->add_option("--schedstat", options->schedstat, "print the counters of the run as /proc/schedstat does instead of a summary; 15 or 16: in that version, else in the kernel's")
        ->expected(0, 1)->default_str("kernel")->check(CLI::IsMember({"15", "16", "kernel"}));
    CLI::Option* digest = command->add_flag("--digest", options->digest, "print the digest of the final state last");
    CLI::Option* filter = command->add_option("--filter", options->filter, "with --log: only decisions for which this condition holds, as \"kind == pick && path == slow\"");
    command->add_option("--break", options->break_at, "run to the first decision at which this condition holds and explain it, as why does")
        ->excludes(filter)->excludes(digest)->excludes(log);
    command->add_flag("--watch", options->watch, "print when CPUs idled while tasks waited elsewhere and why, and who waited long")->excludes(log);
    command->add_option("--watch-limit", options->watch_limit, "with --watch: waits longer than this count as long")->capture_default_str();
    command->footer("Without SCENARIO the shipped scenario \"default\" runs. A scenario without an end stops after 1 s of simulated time.\n"
                    "Examples:\n"
                    "  picknext-cli run three-nice-levels --log switches --until 50ms\n"
                    "  picknext-cli run --workload rt-app.json --kernel cfs-6.1 --digest\n"
                    "  picknext-cli run two-llcs --watch\n"
                    "  picknext-cli run two-llcs --break \"cpu == 3 && kind == pick && path == slow\"\n"
                    "  picknext-cli run two-llcs --log decisions --filter \"kind == place && outcome != task.cpu\"");
    command->callback([options, &exit] { exit = run(*options); });
}

} // namespace picknext::cli
