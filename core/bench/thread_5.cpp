// SPDX-License-Identifier: GPL-3.0-or-later
// Thread 5: CPUs whose blocked load has decayed are no longer kicked for it.
#include "core/bench/threads.hpp"

namespace picknext::bench {

Result<std::vector<Panel>> thread_5(const Platforms& platforms, bool full) {
    const std::vector<std::string> shown{"nohz_run", "nohz_enter", "kicks", "stats_kicks"};
    const PanelSpec cpumask{.name = "kick_ilb", .commands = {"kick_ilb -t 60s"}, .sweep = "", .topology = "hikey", .costs = "hikey", .kernel = "cfs-5.10",
                            .before = "patch.nohz_stats=flag", .after = "patch.nohz_stats=cpumask", .scale = 10, .repeats = 3, .full_repeats = 20,
                            .note = "the flag that was merged, and the cpumask that lost", .shown = shown};
    PanelSpec flag = cpumask;
    flag.name = "kick_ilb, before the thread";
    flag.before = "patch.nohz_stats=never_stop";
    flag.after = "patch.nohz_stats=flag";
    flag.note = "statistics that never stop, and the flag; not measured in the thread";
    PanelSpec storm = cpumask;
    storm.name = "storm";
    storm.commands = {"storm -w 5ms -t 2s"}; // across a tick: else no CPU leaves the mask
    storm.sweep = "n=8,32,128,255";
    storm.topology = "epyc-256";
    storm.costs = "generic-x86";
    storm.repeats = 2;
    storm.full_repeats = 5;
    storm.note = "not measured in the thread";
    return make_panels({cpumask, flag, storm}, platforms, full);
}

} // namespace picknext::bench
