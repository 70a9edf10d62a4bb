// SPDX-License-Identifier: GPL-3.0-or-later
// Thread 1: without SMT nobody ever sets has_idle_cores, so asking for it can be saved. Time changes, no placement does.
#include "core/bench/threads.hpp"

namespace picknext::bench {

Result<std::vector<Panel>> thread_1(const Platforms& platforms, bool full) {
    PanelSpec fitted{.name = "hackbench", .commands = {"numactl -N 0 hackbench -p -T -l 20000 -g 10"}, .sweep = "g=2..14:2", .topology = "kunpeng920-node",
                     .costs = "kunpeng920-node", .kernel = "cfs-5.12", .before = "patch.test_idle_cores_smt_guard=off,patch.nohz_tick=predicted", .after = "patch.test_idle_cores_smt_guard=on,patch.nohz_tick=predicted",
                     .scale = 25, .repeats = 2, .full_repeats = 10};
    fitted.same = Kind::place;
    fitted.shown = {"select_idle", "flag_reads"};
    fitted.costs_changed = [](cost::Costs& c) { c[cost::Cost::llc_shared_extra_on] = 1; };
    fitted.note = "with llc_shared_extra, which was fitted to this table";
    PanelSpec known = fitted;
    known.note = "known distances alone, without llc_shared_extra";
    known.same.reset();
    known.repeats = 1;
    if (!full) known.sweep = "g=10..14:4";
    known.costs_changed = [](cost::Costs& c) { c[cost::Cost::llc_shared_extra_on] = 0; };
    PanelSpec smt = fitted;
    smt.name = "hackbench on an SMT machine";
    smt.commands = {"hackbench -p -T -l 20000 -g 2"};
    smt.sweep.clear();
    smt.scale = 200;
    smt.topology = smt.costs = "xeon-8260-2s";
    smt.note = "with SMT the patch must change nothing at all";
    return make_panels({fitted, known, smt}, platforms, full);
}

} // namespace picknext::bench
