// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/commands/hackbench.hpp"

#include <algorithm>
#include <array>
#include <bit>

#include <fmt/format.h>

#include "core/commands/programs.hpp"

namespace picknext::commands {
namespace {

constexpr std::int64_t wmem_default = 212'992; // bytes
constexpr std::int64_t sk_buff_size = 256;
constexpr std::int64_t shared_info_size = 320;

constexpr std::array hackbench_options{
    Option{'p', "pipe"}, Option{'i', "inet"}, Option{'T', "threads"}, Option{'P', "process"}, Option{'\1', "processes"},
    Option{'g', "groups", true}, Option{'f', "fds", true}, Option{'l', "loops", true}, Option{'s', "datasize", true},
    Option{'F', "fifo", false, Honour::no, "only the fair class is; leave it out"}};
constexpr std::array messaging_options{Option{'p', "pipe"}, Option{'t', "thread"}, Option{'g', "group", true}, Option{'l', "nr_loops", true}};

std::int64_t all_tasks(const Hackbench& tool) { return tool.groups * tool.fds * 2; }

/// What the original took before it had options: groups, "process" or "thread", loops.
void old_form(Arguments& args, Hackbench& tool, const Argument& word, int& place) {
    if (place == 1 && (word.value.text == "process" || word.value.text == "thread")) {
        tool.threads = word.value.text == "thread";
        place = 2;
    } else if (place == 0) {
        tool.groups = args.integer(word.value, 1, static_cast<std::int64_t>(max_tasks));
        place = 1;
    } else if (place == 1 || place == 2) {
        tool.loops = args.integer(word.value, 1, INT32_MAX);
        place = 3;
    } else {
        args.unexpected(word);
    }
}

} // namespace

std::int64_t unix_capacity(std::int64_t bytes) {
    const auto data = static_cast<std::int64_t>(std::bit_ceil(static_cast<std::uint64_t>(bytes + shared_info_size)));
    return std::max<std::int64_t>((wmem_default + sk_buff_size + data - 1) / (sk_buff_size + data), 1) * bytes;
}

Hackbench read_hackbench(Arguments& args, bool perf, std::int64_t scale) {
    Hackbench tool;
    tool.from_perf = perf;
    int place = 0;
    Word last{{}, 1};
    const std::span<const Option> options = perf ? std::span<const Option>{messaging_options} : std::span<const Option>{hackbench_options};
    if (!perf && !args.rest().empty() && args.rest().front().text == "-pipe") { // of the old form; else -p -i -p -e
        tool.channel = ResourceKind::pipe;
        args.skip();
    }
    while (const auto a = args.next(options)) {
        last = a->value.text.empty() ? a->at : a->value;
        switch (a->letter) {
        case 0: perf ? args.unexpected(*a) : old_form(args, tool, *a, place); break;
        case 'p': tool.channel = ResourceKind::pipe; break;
        case 'i': tool.channel = ResourceKind::tcp_socket; break;
        case 'T':
        case 't': tool.threads = true; break;
        case 'g': tool.groups = args.integer(a->value, 1, static_cast<std::int64_t>(max_tasks)); break;
        case 'f': tool.fds = args.integer(a->value, 1, static_cast<std::int64_t>(max_ops_per_phase)); break;
        case 'l': tool.loops = args.integer(a->value, 1, INT32_MAX); break;
        case 's': tool.bytes = args.integer(a->value, 1, tool.channel == ResourceKind::pipe ? default_pipe_capacity : default_tcp_capacity); break;
        default: tool.threads = false;
        }
    }
    if (tool.channel == ResourceKind::pipe && tool.bytes > default_pipe_capacity)
        args.fail("E-RANGE", last, fmt::format("a message of {} bytes is longer than a pipe; -s goes up to {} with -p", tool.bytes, default_pipe_capacity));
    if (all_tasks(tool) >= static_cast<std::int64_t>(max_tasks))
        args.fail("E-LIMIT", last, fmt::format("{} groups of {} senders and receivers are {} tasks; fewer than {} are possible", tool.groups, tool.fds, all_tasks(tool), max_tasks));
    tool.run_loops = std::max<std::int64_t>(tool.loops / scale, 1);
    return tool;
}

Workload workload_of(const Hackbench& tool) {
    Workload w;
    w.name = tool.from_perf ? "perf bench sched messaging" : "hackbench";
    const std::int64_t tasks = all_tasks(tool);
    const std::int64_t room = tool.channel == ResourceKind::unix_socket ? unix_capacity(tool.bytes) : 0;
    const std::int32_t ready = add_resource(w, "ready", tool.channel);
    const std::int32_t go = add_resource(w, "go", ResourceKind::barrier, tasks + 1);
    const std::int32_t ended = add_resource(w, "ended", ResourceKind::sem);
    const std::int32_t time = add_series(w, "time");
    const auto begin = [&] { return phase("begin", {write(ready, 1), on(OpKind::barrier, go)}); };
    const auto end = [&] { return phase("end", {on(OpKind::sem_post, ended)}); };
    w.tasks.push_back(task("main", {phase("wait until all are ready", {read(ready, 1)}, tasks), phase("go", {stamp(), on(OpKind::barrier, go)}),
                                    phase("wait for all", {on(OpKind::sem_wait, ended)}, tasks), phase("time", {sample(time)})}));
    w.tasks.back().process = !tool.threads;
    for (std::int64_t g = 0; g < tool.groups; ++g) {
        std::vector<Op> spray;
        for (std::int64_t i = 0; i < tool.fds; ++i) {
            const std::int32_t channel = add_resource(w, fmt::format("{}.{}", g, i), tool.channel, room);
            spray.push_back(write(channel, tool.bytes));
            w.tasks.push_back(task(fmt::format("receiver {}.{}", g, i),
                                   {begin(), phase("receive", {read(channel, tool.bytes)}, tool.fds * tool.run_loops), end()}));
            w.tasks.back().process = !tool.threads;
        }
        w.tasks.push_back(task(fmt::format("sender {}", g), {begin(), phase("send", std::move(spray), tool.run_loops), end()}));
        w.tasks.back().count = static_cast<int>(tool.fds);
        w.tasks.back().process = !tool.threads;
    }
    return w;
}

std::int64_t messages(const Hackbench& tool) { return tool.groups * tool.fds * tool.fds * tool.run_loops; }

std::vector<Figure> figures(const Hackbench& tool, const State& state) {
    const std::vector<std::int64_t> times = samples_of(state, 0);
    if (times.empty()) return {};
    return {{"time", "s", Better::lower, static_cast<double>(times[0]) / 1e9 * (static_cast<double>(tool.loops) / static_cast<double>(tool.run_loops))}};
}

std::string report(const Hackbench& tool, const State& state) {
    const std::vector<Figure> found = figures(tool, state);
    const std::int64_t ms = found.empty() ? 0 : static_cast<std::int64_t>(found[0].value * 1e3); // the tools cut, they do not round
    const std::string time = fmt::format("{}.{:03}", ms / 1000, ms % 1000);
    if (!tool.from_perf)
        return fmt::format("Running in {} mode with {} groups using {} file descriptors each (== {} tasks)\n"
                           "Each sender will pass {} messages of {} bytes\nTime: {}\n",
                           tool.threads ? "threaded" : "process", tool.groups, 2 * tool.fds, all_tasks(tool), tool.loops, tool.bytes, time);
    if (tool.simple_format) return time + "\n";
    const std::string_view who = tool.threads ? "threads" : "processes";
    return fmt::format("# Running 'sched/messaging' benchmark:\n# {} sender and receiver {} per group\n# {} groups == {} {} run\n\n {:>14}: {} [sec]\n", tool.fds,
                       who, tool.groups, all_tasks(tool), who, "Total time", time);
}

} // namespace picknext::commands
