// SPDX-License-Identifier: GPL-3.0-or-later
// Thread 3: the idle CPU is taken from a mask of the LLC. The first draft's mask loses bits for good, and both ends of a pipe
// stay on one CPU.
#include "core/bench/threads.hpp"

#include <fmt/format.h>

namespace picknext::bench {
namespace {

/// The rest of a system that is up: as many tasks as CPUs, awake two fifths of the first 40 ms, and one that runs 30 us every 4 ms on
/// average for 8 s, about the pace of an RCU thread. Assumed; the thread does not say what else ran.
void add_system(Workload& workload, const Machine& machine) {
    constexpr std::int64_t us = 1000;
    const auto visitor = [](std::string name, std::int64_t rounds, std::int64_t work, std::int64_t shortest, std::int64_t longest) {
        Op runs, sleeps;
        runs.kind = OpKind::run;
        runs.amount.a = work;
        sleeps.kind = OpKind::sleep;
        sleeps.amount = {.kind = Dist::Kind::uniform, .a = shortest, .b = longest, .values = {}};
        TaskSpec task;
        task.name = std::move(name);
        task.loop = rounds;
        task.phases = {Phase{.name = "visit", .set = {}, .ops = {runs, sleeps}}};
        return task;
    };
    for (TaskSpec& task : workload.tasks) task.start = Nanos{30'000 * us}; // while the system is busy and the mask as it stays
    for (std::size_t i = 0; i < machine.cpu_count(); ++i) workload.tasks.push_back(visitor(fmt::format("system {}", i), 40, 400 * us, 600 * us, 600 * us));
    workload.tasks.push_back(visitor("system", 2000, 30 * us, 2000 * us, 6000 * us));
}

PanelSpec panel(std::string_view tool, std::string_view variant, std::string_view platform, std::string command, std::int64_t scale) {
    const bool board = platform == "hikey";
    return {.name = board ? fmt::format("{}, {}", tool, variant) : fmt::format("{}, {}, on {}", tool, variant, platform),
            .commands = {std::move(command)}, .sweep = "", .topology = std::string(platform), .costs = std::string(platform), .kernel = "cfs-5.10",
            .before = "patch.idle_mask=off", .after = fmt::format("patch.idle_mask={}", variant), .scale = scale, .repeats = board ? 5 : 2, .full_repeats = 20,
            .note = board ? "beside a few system tasks, which are assumed" : "not measured in the thread: another platform, for the sign", .shown = {"stale_mask_bits", "migrations"}, .around = &add_system};
}

} // namespace

Result<std::vector<Panel>> thread_3(const Platforms& platforms, bool full) {
    const std::string pipe = "perf bench sched pipe -T -l 1000000", uperf = "nthr=1 duration=10s uperf -m netperf.xml";
    std::vector<PanelSpec> specs;
    for (const std::string_view platform : {"hikey", "generic-x86"})
        for (const std::string_view variant : {"draft", "draft_fixed", "v2"}) {
            specs.push_back(panel("sched pipe", variant, platform, pipe, 50));
            specs.push_back(panel("uperf", variant, platform, uperf, 5));
        }
    return make_panels(specs, platforms, full);
}

} // namespace picknext::bench
