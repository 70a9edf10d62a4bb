// SPDX-License-Identifier: GPL-3.0-or-later
// picknext-cli bench: a benchmark's command line, simulated over seeds, points and settings.
#include <memory>
#include <string>

#include <fmt/format.h>

#include "app/cli/bench_report.hpp"
#include "app/cli/inputs.hpp"
#include "app/cli/progress.hpp"
#include "core/bench/request.hpp"
#include "core/io/results_json.hpp"
#include "core/io/tool_output.hpp"

namespace picknext::cli {
namespace {

struct Options {
    std::string command;
    std::string topology{io::default_topology};
    std::string costs;               // empty: those of the topology's name
    std::string kernel{"eevdf-6.12y"};
    std::string set, a;
    std::optional<std::string> b;
    std::string sweep;
    int repeats = 1;
    int jobs = 1;
    std::uint64_t seed = 1;
    std::int64_t scale = 1;
    std::string measured;
    std::string format = "text";
};

template <class T, class Read>
Result<T> read_shipped(std::string_view kind, const std::string& name, const Read& read) {
    Result<std::string> path = find_input(kind, name);
    if (!path) return path.error();
    Result<std::string> text = io::read_file(*path);
    if (!text) return text.error();
    io::Report report;
    Result<T> out = read(*text, *path, report);
    if (out && !accept_report(report, false)) return Error{"E-INPUT", Place{*path, 0, 0, {}}, "this file was refused"};
    return out;
}

Result<bench::Plan> plan_of(const Options& options) {
    const bench::Platforms files{[](const std::string& name) { return read_shipped<Machine>("topologies", name, io::read_topology); },
                                 [](const std::string& name) { return read_shipped<cost::CostProfile>("costs", name, io::read_costs); }};
    std::string costs = options.costs;
    if (costs.empty()) costs = io::shipped_file("costs", options.topology) ? options.topology : "generic-x86";
    Result<bench::Plan> plan = bench::plan_of({.command = options.command, .topology = options.topology, .costs = costs, .kernel = options.kernel, .set = options.set, .a = options.a,
                                               .b = options.b, .sweep = options.sweep, .repeats = options.repeats, .seed = options.seed, .scale = options.scale},
                                              files);
    if (plan) return plan;
    for (const std::string_view part : {"kernel", "set", "a", "b", "sweep"})
        if (plan.error().place.file == part) return option_error(fmt::format("--{}", part), plan.error());
    return plan;
}

Result<std::vector<bench::Measured>> measured_of(const Options& options) {
    if (options.measured.empty()) return std::vector<bench::Measured>{};
    Result<std::string> text = io::read_file(options.measured);
    if (!text) return text.error();
    io::Report report;
    Result<std::vector<bench::Measured>> out = io::read_tool_output(*text, options.measured, report);
    (void)accept_report(report, false);
    return out;
}

/// As the tool prints it, run after run.
void print_reports(const bench::Outcome& outcome) {
    for (const bench::Run& run : outcome.runs)
        if (run.end == bench::End::done) fmt::print("{}{}", run.report, run.report.ends_with('\n') ? "" : "\n");
}

Exit run_bench(const Options& options) {
    const Result<bench::Plan> plan = plan_of(options);
    if (!plan) {
        complain(plan.error());
        return Exit::refused;
    }
    const Result<std::vector<bench::Measured>> measured = measured_of(options);
    if (!measured) {
        complain(measured.error());
        return Exit::refused;
    }
    const bench::Outcome outcome = run_watched(*plan, options.jobs);
    if (options.format == "json") fmt::print("{}", io::write_results(*plan, outcome, *measured, PICKNEXT_VERSION));
    else if (options.format == "csv") fmt::print("{}", io::results_csv(*plan, outcome));
    else if (options.format == "tool") print_reports(outcome);
    else print_bench(*plan, outcome, *measured);
    if (interrupted()) {
        fmt::print(stderr, "Interrupted: what was done by then is printed.\n");
        return Exit::interrupted;
    }
    return outcome.complete() ? Exit::done : Exit::no;
}

} // namespace

void add_bench(CLI::App& app, Exit& exit) {
    auto options = std::make_shared<Options>();
    CLI::App* command = app.add_subcommand("bench", "Simulate a benchmark's command line: how long it takes, and where the time goes");
    command->add_option("COMMAND", options->command, "as it is typed, in quotes: 'hackbench -p -T -l 1000 -g 4'; also perf bench sched messaging and pipe, schbench, netperf, uperf, tbench, storm, kick_ilb")->required();
    command->add_option("--topology", options->topology, "the machine: a file or the name of a shipped topology")->capture_default_str();
    command->add_option("--cost", options->costs, "what operations cost: a file or the name of a shipped cost profile; by default the one named like the topology, else generic-x86");
    command->add_option("--kernel", options->kernel, "kernel profile")->capture_default_str();
    command->add_option("--set", options->set, "changes of settings for both arms: patch.ID=, feature.NAME=, tunable.NAME= or kernel= with a value, commas between");
    command->add_option("--a", options->a, "what arm A changes besides");
    command->add_option("--b", options->b, "what arm B changes; without it there is one arm");
    command->add_option("--sweep", options->sweep, "values of an option of the command: g=2..14:2, l=100,1000");
    command->add_option("--repeat", options->repeats, "seeds per point and arm")->check(CLI::Range(1, bench::max_repeats))->capture_default_str();
    command->add_option("--jobs", options->jobs, "runs at a time; results do not depend on it")->check(CLI::Range(1, bench::max_jobs))->capture_default_str();
    command->add_option("--seed", options->seed, "seed of the first repeat")->capture_default_str();
    command->add_option("--scale", options->scale, "divide loops or seconds by this; figures are reckoned up to the full size, as if the first part were like the rest (short runs of hackbench are not)")->check(CLI::Range(std::int64_t{1}, std::int64_t{1'000'000'000}))->capture_default_str();
    command->add_option("--measured", options->measured, "what hackbench, perf bench or schbench printed on a real machine, or a table name,unit,better,value: printed beside the simulated figures");
    command->add_option("--format", options->format, "text, json (results/1), csv, or tool: as the tool prints it")->check(CLI::IsMember({"text", "json", "csv", "tool"}))->capture_default_str();
    command->footer("Exit status: 0 done, 1 some run did not end by itself within an hour of simulated time, 2 refused, 3 failed, 130 interrupted.\n"
                    "Examples:\n"
                    "  picknext-cli bench 'hackbench -p -T -l 200 -g 4'\n"
                    "  picknext-cli bench 'hackbench -p -T -l 20000' --scale 200 --sweep g=2..14:2 --topology kunpeng920-node --kernel cfs-5.12 \\\n"
                    "      --a patch.test_idle_cores_smt_guard=off --b patch.test_idle_cores_smt_guard=on --repeat 5 --jobs 2\n"
                    "  picknext-cli bench 'perf bench sched pipe -l 10000' --format tool");
    command->callback([options, &exit] { exit = run_bench(*options); });
}

} // namespace picknext::cli
