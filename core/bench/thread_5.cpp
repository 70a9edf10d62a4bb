// SPDX-License-Identifier: GPL-3.0-or-later
// Thread 5: CPUs whose blocked load has decayed are no longer kicked for it.
#include "core/bench/threads.hpp"

namespace picknext::bench {

Result<std::vector<Panel>> thread_5(const Platforms& platforms, bool full) {
    const std::vector<std::string> shown{"nohz_run", "nohz_enter", "kicks", "stats_kicks"};
    return make_panels({{.name = "kick_ilb", .commands = {"kick_ilb -t 60s"}, .sweep = "", .topology = "hikey", .costs = "hikey", .kernel = "cfs-5.10",
                         .before = "patch.nohz_stats=never_stop", .after = "patch.nohz_stats=flag", .scale = 10, .repeats = 3, .full_repeats = 20, .shown = shown},
                        {.name = "storm", .commands = {"storm -t 2s"}, .sweep = "n=8,32,128,255", .topology = "epyc-256", .costs = "generic-x86", .kernel = "cfs-5.10",
                         .before = "patch.nohz_stats=flag", .after = "patch.nohz_stats=cpumask", .scale = 10, .repeats = 2, .full_repeats = 5,
                         .note = "not measured in the thread", .shown = shown}},
                       platforms, full);
}

} // namespace picknext::bench
