// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/commands/benchmark.hpp"

#include <algorithm>
#include <array>

#include <fmt/ranges.h>

#include "core/base/duration.hpp"
#include "core/base/nearest.hpp"
#include "core/commands/programs.hpp"

namespace picknext::commands {
namespace {

constexpr std::array<std::string_view, 10> tool_names{"hackbench", "perf", "schbench", "schbench-2020", "schbench-2023",
                                                      "netperf", "uperf", "tbench", "storm", "kick_ilb"};
constexpr std::array<std::string_view, 2> perf_benchmarks{"messaging", "pipe"};

std::string_view base_name(std::string_view path) { return path.substr(path.find_last_of('/') + 1); }

/// The CPUs tasks may use, ascending.
std::vector<CpuId> usable(const Machine& machine, const Confinement& where) {
    std::vector<CpuId> out;
    for_each_cpu(machine.online(), [&](CpuId cpu) {
        if (where.affinity.empty() || where.affinity.has(cpu)) out.push_back(cpu);
    });
    return out;
}

struct Line {
    std::span<const Word> words; // behind the tool's name
    Word tool;
    const Machine& machine;
    const BenchmarkOptions& options;
};

/// perf bench [-f FORMAT] sched messaging|pipe
std::optional<Tool> read_perf(Arguments& args, const Line& line) {
    constexpr std::array bench_options{Option{'f', "format", true}, Option{'r', "repeat", true, Honour::harmless, "repeats are chosen where the benchmark is run"}};
    const auto word = [&](std::string_view wanted, std::string_view mend) {
        const std::optional<Argument> a = args.failed() ? std::nullopt : args.next({});
        if (a && a->value.text == wanted) return true;
        args.fail("E-TOOL", a ? a->value : line.tool, fmt::format("of perf, \"perf bench sched messaging\" and \"perf bench sched pipe\" are simulated; {}", mend));
        return false;
    };
    if (!word("bench", "\"bench\" comes first")) return std::nullopt;
    bool simple = false;
    while (const auto a = args.next_option(bench_options)) {
        if (a->value.text != "simple" && a->value.text != "default")
            args.fail("E-VALUE", a->value, fmt::format("\"{}\" is no format of perf bench; default and simple are", a->value.text));
        simple = a->value.text == "simple";
    }
    if (!word("sched", "\"sched\" is missing")) return std::nullopt;
    const std::optional<Argument> which = args.next({});
    if (which && which->value.text == "messaging") {
        Hackbench tool = read_hackbench(args, true, line.options.scale);
        tool.simple_format = simple;
        return tool;
    }
    if (which && which->value.text == "pipe") {
        SchedPipe tool = read_sched_pipe(args, line.options.scale);
        tool.simple_format = simple;
        return tool;
    }
    if (!args.failed())
        args.fail("E-TOOL", which ? which->value : line.tool,
                  fmt::format("which benchmark of perf bench sched?{} There are messaging and pipe", which ? did_you_mean(which->value.text, perf_benchmarks) : ""));
    return std::nullopt;
}

std::optional<Tool> read_tool(std::string_view name, Arguments& args, const Line& line, const Confinement& where) {
    const auto cpus = static_cast<std::int64_t>(usable(line.machine, where).size());
    const std::int64_t scale = line.options.scale;
    if (name == "hackbench") return read_hackbench(args, false, scale);
    if (name == "perf") return read_perf(args, line);
    if (name == "netperf") return read_netperf(args, line.machine, scale);
    if (name == "uperf") return read_uperf(args, where, scale);
    if (name == "tbench") return read_tbench(args, scale);
    if (name == "storm") return read_storm(args, cpus, scale);
    if (name == "kick_ilb") return read_kick_ilb(args, cpus, scale);
    const bool rewrite = name == "schbench-2023" ||
                         (name == "schbench" && (line.options.schbench == SchbenchVersion::of_2023 ||
                                                 (line.options.schbench == SchbenchVersion::by_options && schbench_age(line.words) > 0)));
    if (rewrite) return read_schbench_2023(args, cpus, scale);
    return read_schbench(args, scale);
}

template <class... F>
struct Cases : F... {
    using F::operator()...;
};
template <class... F>
Cases(F...) -> Cases<F...>;

std::optional<std::int64_t> duration_of(const Tool& tool) {
    constexpr std::int64_t main_is_late = 1'000'000; // ns: schbench's main task ends the run, when it next looks at the clock
    return std::visit(Cases{[](const Hackbench&) -> std::optional<std::int64_t> { return std::nullopt; },
                            [](const SchedPipe&) -> std::optional<std::int64_t> { return std::nullopt; },
                            [](const Schbench2023& t) -> std::optional<std::int64_t> { return t.runtime + main_is_late; },
                            [](const auto& t) -> std::optional<std::int64_t> { return t.runtime; }},
                      tool);
}

/// How a scaled run differs from what was typed.
std::string scaling(const Tool& tool, std::int64_t scale) {
    if (scale <= 1) return {};
    const auto loops = [](std::int64_t run, std::int64_t typed) {
        return fmt::format("ran {} of {} loops; times are {:.4g} times what it took", run, typed, static_cast<double>(typed) / static_cast<double>(run));
    };
    return std::visit(Cases{[&](const Hackbench& t) { return t.run_loops == t.loops ? std::string{} : loops(t.run_loops, t.loops); },
                            [&](const SchedPipe& t) { return t.run_loops == t.loops ? std::string{} : loops(t.run_loops, t.loops); },
                            [&](const auto& t) { return fmt::format("ran {}, a {}th of what was asked for", write_duration(t.runtime), scale); }},
                      tool);
}

/// The line as a generator: it says by itself which schbench is meant.
std::string generator_command(std::string_view line, const Word& tool, const Tool& read) {
    std::string out{line};
    if (!tool.text.ends_with("schbench")) return out;
    std::size_t begin = 0; // of the word: columns count code points
    for (int column = 0; begin < line.size(); ++begin)
        if (((static_cast<unsigned char>(line[begin]) & 0xc0U) != 0x80U || column == 0) && ++column == tool.column) break;
    const std::size_t at = out.find(tool.text, begin);
    return at == std::string::npos ? out : out.insert(at + tool.text.size(), std::holds_alternative<Schbench2023>(read) ? "-2023" : "-2020");
}

bool is_environment(const Tool& tool) { return std::holds_alternative<Uperf>(tool); }

} // namespace

Result<Benchmark> read_benchmark(std::string_view line, const Machine& machine, const BenchmarkOptions& options) {
    PICKNEXT_ASSERT(options.scale >= 1, "scale {}", options.scale);
    const Result<std::vector<Word>> all = split_command(line);
    if (!all) return all.error();
    Benchmark out;
    out.command = std::string{line};
    std::span<const Word> words = *all;
    Result<Confinement> where = take_confinement(words, machine, out.notes);
    if (!where) return where.error();
    out.where = std::move(where).value();
    const Word end{{}, all->back().column};
    const Word& tool = words.empty() ? end : words.front();
    const std::string_view name = base_name(tool.text);
    if (std::find(tool_names.begin(), tool_names.end(), name) == tool_names.end())
        return command_error("E-TOOL", tool.column,
                             fmt::format("\"{}\" is no benchmark that is simulated{}; there are hackbench, perf bench sched messaging, perf bench sched pipe, schbench, "
                                         "netperf, uperf, tbench, storm and kick_ilb",
                                         tool.text, did_you_mean(name, tool_names)));
    const Line rest{words.subspan(1), tool, machine, options};
    Arguments args(name, rest.words, out.notes);
    std::optional<Tool> read = read_tool(name, args, rest, out.where);
    if (args.failed()) {
        Error error = args.error();
        if (error.place.column == 1) error.place.column = tool.column; // about the tool as a whole
        return error;
    }
    if (!args.rest().empty()) return command_error("E-OPTION", args.rest().front().column, fmt::format("{} takes no word \"{}\" here", name, args.rest().front().text));
    out.tool = std::move(*read);
    if (!is_environment(out.tool))
        for (const auto& [variable, value] : out.where.environment) out.notes.push_back(fmt::format("{}={} is ignored: {} does not read it here", variable, value, name));
    const std::vector<CpuId> cpus = usable(machine, out.where);
    out.workload = std::visit(Cases{[&](const Storm& t) { return workload_of(t, cpus); }, [&](const KickIlb& t) { return workload_of(t, cpus); },
                                    [](const auto& t) { return workload_of(t); }},
                              out.tool);
    const std::string generator = generator_command(line, tool, out.tool);
    out.workload.description = generator;
    confine(out.workload, out.where);
    if (options.scale == 1)
        out.workload.generated = {{{generator, {}}}, out.workload.groups.size(), out.workload.resources.size(), out.workload.tasks.size(),
                                  out.workload.series.size()};
    out.duration = duration_of(out.tool);
    out.scaled = scaling(out.tool, options.scale);
    return out;
}

std::int64_t time_limit(const Benchmark& benchmark) { return benchmark.duration.value_or(INT64_MAX); }

std::vector<Figure> figures(const Benchmark& benchmark, const State& state) {
    return std::visit(Cases{[&](const Storm&) { return nohz_figures(state); }, [&](const KickIlb&) { return nohz_figures(state); },
                            [&](const auto& t) { return figures(t, state); }},
                      benchmark.tool);
}

std::string report(const Benchmark& benchmark, const State& state) {
    return std::visit(Cases{[&](const Storm&) { return nohz_report(state); }, [&](const KickIlb&) { return nohz_report(state); },
                            [&](const auto& t) { return report(t, state); }},
                      benchmark.tool);
}

} // namespace picknext::commands
