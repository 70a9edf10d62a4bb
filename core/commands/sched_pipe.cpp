// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/commands/sched_pipe.hpp"

#include <algorithm>
#include <array>

#include <fmt/format.h>

#include "core/commands/programs.hpp"

namespace picknext::commands {
namespace {

constexpr std::int64_t message = 4; // bytes
constexpr std::array options{Option{'l', "loop", true}, Option{'T', "threaded"},
                             Option{'n', "nonblocking", false, Honour::no, "tasks wait in read(); leave it out"},
                             Option{'G', "cgroups", true, Honour::no, "put the whole benchmark in a group with \"cgexec -g cpu:NAME\""}};

} // namespace

SchedPipe read_sched_pipe(Arguments& args, std::int64_t scale) {
    SchedPipe tool;
    while (const auto a = args.next(options)) {
        if (a->letter == 0) args.unexpected(*a);
        if (a->letter == 'T') tool.threads = true;
        if (a->letter == 'l') tool.loops = args.integer(a->value, 1, INT32_MAX);
    }
    tool.run_loops = std::max<std::int64_t>(tool.loops / scale, 1);
    return tool;
}

Workload workload_of(const SchedPipe& tool) {
    Workload w;
    w.name = "perf bench sched pipe";
    const std::int32_t there = add_resource(w, "there", ResourceKind::pipe);
    const std::int32_t back = add_resource(w, "back", ResourceKind::pipe);
    const std::int32_t ended = add_resource(w, "ended", ResourceKind::sem);
    const std::int32_t time = add_series(w, "time");
    const auto end = [&] { return phase("end", {on(OpKind::sem_post, ended)}); };
    TaskSpec first = task("task 0", {phase("answer", {read(there, message), write(back, message)}, tool.run_loops), end()});
    const Phase ask = phase("ask", {write(there, message), read(back, message)}, tool.run_loops);
    if (tool.threads) {
        w.tasks.push_back(task("main", {phase("begin", {stamp()}), phase("wait for both", {on(OpKind::sem_wait, ended)}, 2), phase("time", {sample(time)})}));
        w.tasks.push_back(std::move(first));
        w.tasks.push_back(task("task 1", {ask, end()}));
    } else {
        first.process = true;
        w.tasks.push_back(std::move(first));
        w.tasks.push_back(task("task 1", {phase("begin", {stamp()}), ask, phase("wait for the child", {on(OpKind::sem_wait, ended)}), phase("time", {sample(time)})}));
        w.tasks.back().process = true;
    }
    return w;
}

std::vector<Figure> figures(const SchedPipe& tool, const State& state) {
    const std::vector<std::int64_t> times = samples_of(state, 0);
    if (times.empty()) return {};
    const double us = static_cast<double>(times[0]) / 1e3 / static_cast<double>(tool.run_loops);
    return {{"usecs/op", "us/op", Better::lower, us},
            {"time", "s", Better::lower, us * static_cast<double>(tool.loops) / 1e6},
            {"ops/sec", "1/s", Better::higher, us > 0 ? 1e6 / us : 0}};
}

std::string report(const SchedPipe& tool, const State& state) {
    const std::vector<Figure> found = figures(tool, state);
    const double us = found.empty() ? 0 : found[0].value;
    const auto all_us = static_cast<std::int64_t>(us * static_cast<double>(tool.loops));
    const std::string time = fmt::format("{}.{:03}", all_us / 1'000'000, all_us / 1000 % 1000);
    if (tool.simple_format) return time + "\n";
    return fmt::format("# Running 'sched/pipe' benchmark:\n# Executed {} pipe operations between two {}\n\n {:>14}: {} [sec]\n\n {:14.6f} usecs/op\n {:14} ops/sec\n",
                       tool.loops, tool.threads ? "threads" : "processes", "Total time", time, us, us > 0 ? static_cast<std::int64_t>(1e6 / us) : 0);
}

} // namespace picknext::commands
