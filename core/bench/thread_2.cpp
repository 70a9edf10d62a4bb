// SPDX-License-Identifier: GPL-3.0-or-later
// Thread 2: a balance pass evens out idle CPUs inside an LLC too.
#include "core/bench/threads.hpp"

namespace picknext::bench {

Result<std::vector<Panel>> thread_2(const Platforms& platforms, bool full) {
    return make_panels({{.name = "schbench", .commands = {"schbench -m 2 -t 4 -s 10000 -c 1000000 -r 10"}, .sweep = "", .topology = "hikey", .costs = "hikey",
                         .kernel = "cfs-5.10", .before = "patch.lb_llc_spread=off", .after = "patch.lb_llc_spread=on", .scale = 1, .repeats = 20, .full_repeats = 20,
                         .shown = {"migrations"}}},
                       platforms, full);
}

} // namespace picknext::bench
