// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/commands/schbench.hpp"

#include <algorithm>
#include <array>

#include <fmt/format.h>

#include "core/commands/programs.hpp"

namespace picknext::commands {
namespace {

constexpr std::int64_t second = 1'000'000'000;
constexpr std::int64_t timer_slack = 50'000; // ns: a sleeper's timer expires that late when nothing else wakes the CPU
constexpr std::int32_t latency = 0, clock = 1; // series
constexpr std::array shown_permille{500, 750, 900, 950, 990, 995, 999};
constexpr std::size_t starred = 4;

constexpr std::string_view no_rate = "requests at a fixed rate are not; leave it out";
constexpr std::array options{
    Option{'m', "message-threads", true}, Option{'t', "threads", true}, Option{'r', "runtime", true}, Option{'s', "sleeptime", true},
    Option{'c', "cputime", true}, Option{'w', "warmuptime", true}, Option{'i', "intervaltime", true, Honour::harmless, "the result is printed once, at the end"},
    Option{'z', "zerotime", true, Honour::no, "latencies are kept from the start; leave it out"}, Option{'R', "rps", true, Honour::no, no_rate},
    Option{'A', "auto-rps", true, Honour::no, no_rate}, Option{'a', "auto", false, Honour::no, "give the number of threads with -t, and use a sweep"},
    Option{'j', "jitter", false, Honour::no, "leave it out"}, Option{'p', "pipe", true, Honour::no, "\"perf bench sched pipe\" is"},
    Option{'C', "message_cputime", true, Honour::no, "message threads do not compute; leave it out"},
    Option{'n', "operations", true, Honour::no, "it belongs to schbench of 2023; say schbench-2023"},
    Option{'F', "cache_footprint", true, Honour::no, "it belongs to schbench of 2023; say schbench-2023"}};

Latencies latencies(const Schbench& tool, const State& state) {
    std::vector<std::int64_t> us;
    std::int64_t seconds = 0; // on the main task's clock
    for (const Sample& s : state.samples) {
        if (s.series == clock && ++seconds * second == tool.warmup) us.clear();
        if (s.series == latency) us.push_back(s.ns / 1000);
    }
    return sum_up(us, shown_permille);
}

} // namespace

Schbench read_schbench(Arguments& args, std::int64_t scale) {
    Schbench tool;
    constexpr std::int64_t most_us = 1'000'000'000;
    while (const auto a = args.next(options)) {
        switch (a->letter) {
        case 0: args.unexpected(*a); break;
        case 'm': tool.message_threads = args.integer(a->value, 1, 10'000); break;
        case 't': tool.workers = args.integer(a->value, 1, 10'000); break;
        case 'r': tool.runtime = std::max(args.seconds(a->value) / scale, second); break;
        case 's': tool.reply = args.integer(a->value, 0, most_us) * 1000; break;
        case 'c': tool.spin = args.integer(a->value, 1, most_us) * 1000; break;
        case 'w': tool.warmup = args.integer(a->value, 0, longest_run_s) * second; break;
        default: break;
        }
    }
    if (tool.message_threads * (tool.workers + 1) >= static_cast<std::int64_t>(max_tasks))
        args.fail("E-LIMIT", {{}, 1}, fmt::format("{} message threads with {} workers each are too many; fewer than {} tasks are possible",
                                                 tool.message_threads, tool.workers, max_tasks));
    if (tool.warmup >= tool.runtime) tool.warmup = 0; // the original then never comes to it
    return tool;
}

Workload workload_of(const Schbench& tool) {
    Workload w;
    w.name = "schbench";
    add_series(w, "latency");
    add_series(w, "clock");
    if (tool.warmup > 0) w.tasks.push_back(task("main", {phase("look at the clock", {sleep(second), sample(clock)}, forever)}));
    for (std::int64_t m = 0; m < tool.message_threads; ++m) {
        const std::int32_t mailbox = add_resource(w, fmt::format("posts {}", m), ResourceKind::mailbox);
        w.tasks.push_back(task(fmt::format("message {}", m),
                               {phase("serve", {on(OpKind::serve, mailbox), on(OpKind::collect, mailbox),
                                                sleep_between(tool.reply + timer_slack, tool.reply + tool.reply / 4 + timer_slack)}, forever)}));
    }
    for (std::int64_t m = 0; m < tool.message_threads; ++m) {
        w.tasks.push_back(task(fmt::format("worker {}", m), {phase("think and ask", {spin(tool.spin), post(static_cast<std::int32_t>(m), latency)}, forever)}));
        w.tasks.back().count = static_cast<int>(tool.workers);
    }
    return w;
}

std::vector<Figure> figures(const Schbench& tool, const State& state) {
    const Latencies found = latencies(tool, state);
    std::vector<Figure> out;
    for (std::size_t i = 0; i < found.percentiles.size(); ++i)
        out.push_back({fmt::format("p{}.{}", shown_permille[i] / 10, shown_permille[i] % 10), "us", Better::lower, static_cast<double>(found.percentiles[i].us)});
    if (out.empty()) return out;
    out.push_back({"min", "us", Better::lower, static_cast<double>(found.min)});
    out.push_back({"max", "us", Better::lower, static_cast<double>(found.max)});
    return out;
}

std::string report(const Schbench& tool, const State& state) {
    const Latencies found = latencies(tool, state);
    std::string out = fmt::format("Latency percentiles (usec) runtime {} (s) ({} total samples)\n", tool.runtime / second, found.samples);
    for (std::size_t i = 0; i < found.percentiles.size(); ++i)
        out += fmt::format("\t{}{}.{}th: {} ({} samples)\n", i == starred ? "*" : "", shown_permille[i] / 10, shown_permille[i] % 10, found.percentiles[i].us,
                           found.percentiles[i].samples);
    return out + fmt::format("\tmin={}, max={}\n", found.min, found.max);
}

} // namespace picknext::commands
