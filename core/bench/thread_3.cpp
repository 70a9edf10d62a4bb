// SPDX-License-Identifier: GPL-3.0-or-later
// Thread 3: the idle CPU is taken from a mask of the LLC. The first draft's mask loses bits for good, and both ends of a pipe
// stay on one CPU.
#include "core/bench/threads.hpp"

#include <fmt/format.h>

namespace picknext::bench {
namespace {

PanelSpec panel(std::string_view tool, std::string_view variant, std::string_view platform, std::string command, std::int64_t scale) {
    const bool board = platform == "hikey";
    return {.name = board ? fmt::format("{}, {}", tool, variant) : fmt::format("{}, {}, on {}", tool, variant, platform),
            .commands = {std::move(command)}, .sweep = "", .topology = std::string(platform), .costs = std::string(platform), .kernel = "cfs-5.10",
            .before = "patch.idle_mask=off", .after = fmt::format("patch.idle_mask={}", variant), .scale = scale, .repeats = 3, .full_repeats = 3,
            .note = board ? "" : "not measured in the thread: another platform, for the sign", .shown = {"stale_mask_bits", "migrations"}};
}

} // namespace

Result<std::vector<Panel>> thread_3(const Platforms& platforms, bool full) {
    const std::string pipe = "perf bench sched pipe -T -l 1000000", uperf = "nthr=8 duration=10s uperf -m netperf.xml";
    std::vector<PanelSpec> specs;
    for (const std::string_view platform : {"hikey", "generic-x86"})
        for (const std::string_view variant : {"draft", "draft_fixed", "v2"}) {
            specs.push_back(panel("sched pipe", variant, platform, pipe, 100));
            specs.push_back(panel("uperf", variant, platform, uperf, 100));
        }
    return make_panels(specs, platforms, full);
}

} // namespace picknext::bench
