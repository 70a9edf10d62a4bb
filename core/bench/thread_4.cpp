// SPDX-License-Identifier: GPL-3.0-or-later
// Thread 4: the leftmost task is tried before the tree is searched. Picks are counted by how they ended.
#include "core/bench/threads.hpp"

namespace picknext::bench {
namespace {

PanelSpec panel(std::string name, std::vector<std::string> commands, std::string sweep, std::int64_t scale) {
    for (std::string& command : commands) command = "cgexec -g cpu:bench " + command;
    return {.name = std::move(name), .commands = std::move(commands), .sweep = std::move(sweep), .topology = "xeon-8260-2s", .costs = "xeon-8260-2s",
            .kernel = "eevdf-6.8", .before = "patch.eevdf_fastpath=off", .after = "patch.eevdf_fastpath=on", .scale = scale, .same = Kind::pick};
}

} // namespace

Result<std::vector<Panel>> thread_4(const Platforms& platforms, bool full) {
    return make_panels({panel("hackbench", {"hackbench -p -T -l 1000", "hackbench -p -l 1000", "hackbench -T -l 1000", "hackbench -l 1000"}, "g=1,2,4,8", 10),
                        panel("netperf", {"netperf -t TCP_RR -l 10 x24", "netperf -t UDP_RR -l 10 x24", "netperf -t TCP_STREAM -l 10 x24", "netperf -t UDP_STREAM -l 10 x24"},
                              "n=24,48,72,96,192", 500),
                        panel("tbench", {"tbench 24 -t 10"}, "n=24,48,72,96,192", 500),
                        panel("schbench", {"schbench -t 16 -r 30"}, "m=1,2,4,8", 15)},
                       platforms, full);
}

} // namespace picknext::bench
