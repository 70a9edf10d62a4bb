// SPDX-License-Identifier: GPL-3.0-or-later
// Each of the five mail threads, without and with its patch: where both runs part first, what differs first between the two
// lists of checks is the check that the patch governs; before it everything is the same.
#include <algorithm>

#include "core/compare/align.hpp"
#include "core/compare/divergence.hpp"
#include "tests/property/arms.hpp"

namespace {

using namespace picknext;
using compare::Depth;
using compare::Likeness;

struct Thread {
    std::string_view scenario;
    std::optional<Kernel> kernel;
    Patch patch;
    int off, on;
    Depth depth;                       // where they part
    std::size_t differing;             // rows that are not the same
};

void check(const Thread& t, test::Verdicts& verdicts) {
    const std::string_view patch = patch_table()[static_cast<std::size_t>(t.patch)].name;
    const Scenario base = test::shipped_scenario(t.scenario, t.kernel);
    const auto a = test::shared_with(base, t.patch, t.off), b = test::shared_with(base, t.patch, t.on);
    const compare::Divergences d = compare::find_divergences(a, b, {.limit = {.time = *base.until_ns}});
    Depth depth = Depth::outcome;
    while (depth != Depth::count && !d.differs(depth)) depth = static_cast<Depth>(static_cast<int>(depth) + 1);
    verdicts.expect(depth == t.depth, "{}: they part at depth {}", patch, static_cast<int>(depth));
    if (depth != t.depth) return;
    const compare::Divergence& first = *d.at(depth);
    verdicts.expect(first.a->header.kind == first.b->header.kind, "{}: other questions", patch);
    const std::vector<compare::CheckPair> rows = compare::align(first.a->checks, first.b->checks);
    const auto differs = [](const compare::CheckPair& row) { return row.likeness != Likeness::same; };
    const auto at = std::ranges::find_if(rows, differs);
    verdicts.expect(at != rows.end(), "{}: the checks are all the same", patch);
    if (at == rows.end()) return;
    const Check& governed = at->a ? first.a->checks[*at->a] : first.b->checks[*at->b];
    verdicts.expect(info(governed.id).governed == patch, "{}: the first row that differs is {}, governed by \"{}\"", patch, info(governed.id).name, info(governed.id).governed);
    const auto differing = static_cast<std::size_t>(std::ranges::count_if(rows, differs));
    verdicts.expect(differing == t.differing, "{}: {} rows differ", patch, differing);
    fmt::print("{}: part at decision {}, {} ({}), {} of {} rows differ\n", patch, first.a->before.decisions, info(first.a->header.kind).name, info(governed.id).name, differing, rows.size());
}

} // namespace

int main() {
    test::Verdicts verdicts;
    const auto form = [](auto value) { return static_cast<int>(value); };
    // 1: a read is saved, and nothing else. 2: another branch notes another amount. 3: the draft's test. 4: the leftmost is taken
    // instead of a search of two nodes. 5: what is asked before a kick, and then nobody is looked for: CPU and pending flags.
    for (const Thread& t : {Thread{"node-of-24", Kernel::cfs_5_12, Patch::test_idle_cores, 0, 1, Depth::checks, 1},
                            Thread{"thread-2-spread-in-llc", {}, Patch::spread_in_llc, 0, 1, Depth::outcome, 2},
                            Thread{"thread-3-idle-mask", {}, Patch::idle_mask, form(IdleMask::draft), form(IdleMask::draft_fixed), Depth::outcome, 1},
                            Thread{"thread-3-idle-mask", {}, Patch::idle_mask, form(IdleMask::off), form(IdleMask::draft), Depth::outcome, 11},
                            Thread{"short-and-long-slice", {}, Patch::eevdf_fast_path, 0, 1, Depth::reason, 3},
                            Thread{"thread-5-nohz-stats", {}, Patch::nohz_stats_decayed, form(NohzStats::never_stop), form(NohzStats::flag), Depth::outcome, 4}})
        check(t, verdicts);
    return verdicts.exit_status();
}
