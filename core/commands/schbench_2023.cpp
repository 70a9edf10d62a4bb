// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/commands/schbench_2023.hpp"

#include <algorithm>
#include <array>

#include <fmt/format.h>

#include "core/commands/latency_histogram.hpp"
#include "core/commands/programs.hpp"

namespace picknext::commands {
namespace {

constexpr std::int64_t second = 1'000'000'000;
constexpr std::int64_t timer_slack = 50'000;  // ns, of usleep
constexpr std::int64_t step_ps = 830;         // of a matrix product
constexpr std::int32_t wakeup = 0, request = 1, clock = 2; // series
constexpr std::array all_permille{200, 500, 900, 990, 999};
constexpr std::size_t first_latency = 1, end_rate = 3;      // 50 to 99.9 are shown of latencies, 20 to 90 of rates

constexpr std::string_view no_rate = "requests at a fixed rate are not; leave it out";
constexpr std::string_view no_pinning = "confine the whole benchmark with \"taskset -c LIST\"";
constexpr std::array options{
    Option{'m', "message-threads", true}, Option{'t', "threads", true}, Option{'r', "runtime", true}, Option{'s', "sleep_usec", true},
    Option{'n', "operations", true}, Option{'F', "cache_footprint", true}, Option{'w', "warmuptime", true}, Option{'L', "no-locking"},
    Option{'i', "intervaltime", true, Honour::harmless, "the result is printed once, at the end"},
    Option{'j', "json", true, Honour::harmless, "choose the format where the result is printed"}, Option{'J', "jobname", true, Honour::harmless, "it names a file"},
    Option{'z', "zerotime", true, Honour::no, "latencies are kept from the start; leave it out"}, Option{'R', "rps", true, Honour::no, no_rate},
    Option{'A', "auto-rps", true, Honour::no, no_rate}, Option{'C', "calibrate", false, Honour::no, "it measures the real CPU"},
    Option{'p', "pipe", true, Honour::no, "\"perf bench sched pipe\" is"}, Option{'M', "message-cpus", true, Honour::no, no_pinning},
    Option{'W', "worker-cpus", true, Honour::no, no_pinning}, Option{'P', "pin", true, Honour::no, no_pinning},
    Option{'c', "cputime", true, Honour::no, "it belongs to schbench of 2020; say schbench-2020"}};

std::int64_t root(std::int64_t n) {
    std::int64_t r = 0;
    while ((r + 1) * (r + 1) <= n) ++r;
    return r;
}
std::int64_t work(const Schbench2023& tool) {
    const std::int64_t size = root(tool.footprint * 1024 / 3 / 8);
    return tool.operations * size * size * size * step_ps / 1000;
}

struct Results {
    Latencies wakeups, requests, rates;
    std::uint64_t completed = 0; // requests after the warm-up
    std::int64_t span = 0;       // ns they took
};
Results results(const Schbench2023& tool, const State& state) {
    std::vector<std::int64_t> wakeups, requests;
    std::vector<std::int64_t> rates{0}; // the tool's first look, before anything is done, counts too
    std::int64_t seconds = 0, in_second = 0;
    for (const Sample& s : state.samples) {
        if (s.series == wakeup) wakeups.push_back(s.ns / 1000);
        if (s.series == request) {
            requests.push_back(s.ns / 1000);
            ++in_second;
        }
        if (s.series != clock) continue;
        rates.push_back(in_second);
        in_second = 0;
        if (++seconds * second != tool.warmup) continue;
        wakeups.clear();
        requests.clear();
        rates.clear();
    }
    Results out{sum_up(wakeups, all_permille), sum_up(requests, all_permille), sum_up(rates, all_permille, true)};
    out.completed = requests.size();
    out.span = state.now - (seconds * second >= tool.warmup ? tool.warmup : 0);
    return out;
}

void add_figures(std::vector<Figure>& out, std::string_view what, std::string_view unit, Better better, const Latencies& l, std::size_t first, std::size_t end) {
    if (l.samples == 0) return;
    for (std::size_t i = first; i < end; ++i)
        out.push_back({fmt::format("{} p{}.{}", what, all_permille[i] / 10, all_permille[i] % 10), std::string{unit}, better, static_cast<double>(l.percentiles[i].us)});
    out.push_back({fmt::format("{} min", what), std::string{unit}, better, static_cast<double>(l.min)});
    out.push_back({fmt::format("{} max", what), std::string{unit}, better, static_cast<double>(l.max)});
}
double average(const Results& r) { return r.span > 0 ? static_cast<double>(r.completed) * 1e9 / static_cast<double>(r.span) : 0; }

std::string block(std::string_view what, std::string_view unit, std::int64_t runtime, const Latencies& l, std::size_t first, std::size_t end, std::size_t star) {
    std::string out = fmt::format("{} percentiles ({}) runtime {} (s) ({} total samples)\n", what, unit, runtime / second, l.samples);
    for (std::size_t i = first; i < end && i < l.percentiles.size(); ++i)
        out += fmt::format("\t{} {}.{}th: {:<10} ({} samples)\n", i == star ? "*" : " ", all_permille[i] / 10, all_permille[i] % 10, l.percentiles[i].us,
                           l.percentiles[i].samples);
    return out + fmt::format("\t  min={}, max={}\n", l.min, l.max);
}

} // namespace

int schbench_age(std::span<const Word> words) {
    int age = 0;
    for (const Word& word : words) {
        const std::string& t = word.text;
        const auto is = [&](char letter, std::string_view name) { return t.starts_with(std::string{'-', letter}) || t.starts_with(std::string{"--"} + std::string{name}); };
        if (is('c', "cputime") || is('a', "auto")) age = t.starts_with("--auto-rps") ? age : -1;
        if (is('n', "operations") || is('F', "cache_footprint") || is('L', "no-locking") || is('M', "message-cpus") || is('W', "worker-cpus")) age = 1;
    }
    return age;
}

Schbench2023 read_schbench_2023(Arguments& args, std::int64_t cpus, std::int64_t scale) {
    Schbench2023 tool;
    bool locked = true;
    while (const auto a = args.next(options)) {
        switch (a->letter) {
        case 0: args.unexpected(*a); break;
        case 'm': tool.message_threads = args.integer(a->value, 1, 10'000); break;
        case 't': tool.workers = args.integer(a->value, 1, 10'000); break;
        case 'r': tool.runtime = std::max(args.seconds(a->value) / scale, second); break;
        case 's': tool.pause = args.integer(a->value, 0, 1'000'000'000) * 1000; break;
        case 'n': tool.operations = args.integer(a->value, 0, 1'000'000); break;
        case 'F': tool.footprint = args.integer(a->value, 1, 1 << 20); break;
        case 'w': tool.warmup = args.integer(a->value, 0, longest_run_s) * second; break;
        case 'L': locked = false; break;
        default: break;
        }
    }
    if (locked) args.note("the spinning per-CPU lock of schbench is not simulated; requests go as with -L");
    if (tool.workers == 0) tool.workers = std::max<std::int64_t>((cpus + tool.message_threads - 1) / tool.message_threads, 1);
    if (tool.message_threads * (tool.workers + 1) >= static_cast<std::int64_t>(max_tasks))
        args.fail("E-LIMIT", {{}, 1}, fmt::format("{} message threads with {} workers each are too many; fewer than {} tasks are possible",
                                                 tool.message_threads, tool.workers, max_tasks));
    if (tool.warmup >= tool.runtime) tool.warmup = 0;
    return tool;
}

Workload workload_of(const Schbench2023& tool) {
    Workload w;
    w.name = "schbench of 2023";
    add_series(w, "wakeup");
    add_series(w, "request");
    add_series(w, "clock");
    w.tasks.push_back(task("main", {phase("look at the clock", {sleep(second), sample(clock)}, forever)}));
    for (std::int64_t m = 0; m < tool.message_threads; ++m) {
        const std::int32_t mailbox = add_resource(w, fmt::format("posts {}", m), ResourceKind::mailbox);
        w.tasks.push_back(task(fmt::format("message {}", m), {phase("serve", {on(OpKind::serve, mailbox), on(OpKind::collect, mailbox)}, forever)}));
    }
    for (std::int64_t m = 0; m < tool.message_threads; ++m) {
        w.tasks.push_back(task(fmt::format("worker {}", m), {phase("request", {post(static_cast<std::int32_t>(m), wakeup), stamp(), sleep(tool.pause + timer_slack),
                                                                              run(work(tool)), sample(request)}, forever)}));
        w.tasks.back().count = static_cast<int>(tool.workers);
    }
    return w;
}

std::vector<Figure> figures(const Schbench2023& tool, const State& state) {
    const Results r = results(tool, state);
    std::vector<Figure> out;
    add_figures(out, "wakeup", "us", Better::lower, r.wakeups, first_latency, all_permille.size());
    add_figures(out, "request", "us", Better::lower, r.requests, first_latency, all_permille.size());
    add_figures(out, "rps", "requests/s", Better::higher, r.rates, 0, end_rate);
    if (!out.empty()) out.push_back({"average rps", "requests/s", Better::higher, average(r)});
    return out;
}

std::string report(const Schbench2023& tool, const State& state) {
    const Results r = results(tool, state);
    return block("Wakeup Latencies", "usec", tool.runtime, r.wakeups, first_latency, all_permille.size(), 3) +
           block("Request Latencies", "usec", tool.runtime, r.requests, first_latency, all_permille.size(), 3) +
           block("RPS", "requests", tool.runtime, r.rates, 0, end_rate, 1) + fmt::format("average rps: {:.2f}\n", average(r));
}

} // namespace picknext::commands
