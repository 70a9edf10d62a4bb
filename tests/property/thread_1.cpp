// SPDX-License-Identifier: GPL-3.0-or-later
// Thread 1, test_idle_cores() without SMT: the patch takes away reads of a flag and changes no placement; with SMT it
// changes nothing at all.
#include <algorithm>

#include "tests/property/arms.hpp"

namespace {

using namespace picknext;
using test::TwiceDecided;

constexpr Patch guard = Patch::test_idle_cores;

bool reads_flag(const Check& check) { return check.id == Chk::idle_cores_flag; }

std::int64_t flag_reads(std::span<const Check> checks) { return std::count_if(checks.begin(), checks.end(), reads_flag); }

std::vector<Check> without_flag(std::span<const Check> checks) {
    std::vector<Check> out(checks.begin(), checks.end());
    std::erase_if(out, reads_flag);
    return out;
}

struct Counts {
    std::int64_t placed = 0, otherwise = 0, scans = 0, reads = 0, reads_again = 0;
};

/// Takes each placement of one arm again in the other.
Counts count(const Scenario& scenario, int other, test::Verdicts& verdicts) {
    Counts n;
    test::decide_twice(scenario, guard, other, [&](const TwiceDecided& d) {
        if (d.header.kind != Kind::place) return;
        verdicts.expect(d.again.has_value(), "placement at {} cannot be taken again", d.header.at);
        if (!d.again) return;
        ++n.placed;
        if (d.again->outcome != d.header.outcome || d.again->reason != d.header.reason ||
            without_flag(d.again->checks) != without_flag(d.checks))
            ++n.otherwise;
        n.scans += std::count_if(d.checks.begin(), d.checks.end(), [](const Check& c) { return c.id == Chk::scan_set; });
        n.reads += flag_reads(d.checks);
        n.reads_again += flag_reads(d.again->checks);
    });
    fmt::print("{}: {} of {} placements otherwise; {} scans; flag reads {} against {}\n", scenario.machine.cpu_count(), n.otherwise, n.placed, n.scans,
               n.reads, n.reads_again);
    return n;
}

/// 24 CPUs without SMT under 5.12, where the patch belongs.
void without_smt(test::Verdicts& verdicts) {
    Scenario off = test::shipped_scenario("node-of-24", Kernel::cfs_5_12);
    off.until_ns = 200'000'000;
    off = test::with_patch(std::move(off), guard, 0);
    const Scenario on = test::with_patch(off, guard, 1);

    const Counts before = count(off, 1, verdicts), after = count(on, 0, verdicts);
    for (const Counts& n : {before, after}) {
        verdicts.expect(n.placed > 5000, "only {} placements", n.placed);
        verdicts.expect(n.otherwise == 0, "{} of {} placements differ", n.otherwise, n.placed);
    }
    // One read for each search of the LLC, which the patch saves.
    verdicts.expect(before.scans > 500 && before.reads == before.scans && before.reads_again == 0, "before: {} scans, {} reads, with the patch {}",
                    before.scans, before.reads, before.reads_again);
    verdicts.expect(after.reads == 0 && after.reads_again == after.scans, "after: {} scans, {} reads, without the patch {}", after.scans, after.reads,
                    after.reads_again);
    verdicts.expect(test::headers_of(off) == test::headers_of(on), "the runs decide differently");
    const std::string difference = first_difference(test::end_without_patch(off, guard), test::end_without_patch(on, guard));
    verdicts.expect(difference.empty(), "the runs end differently: {}", difference);
}

/// 256 CPUs in cores of two: both read alike.
void with_smt(test::Verdicts& verdicts) {
    const Scenario off = test::with_patch(test::shipped_scenario("many-cpus", Kernel::cfs_5_12), guard, 0);
    const Counts n = count(off, 1, verdicts);
    verdicts.expect(n.placed > 2000 && n.reads > 0, "only {} placements, {} reads", n.placed, n.reads);
    verdicts.expect(n.otherwise == 0 && n.reads == n.reads_again, "{} placements differ, {} reads against {}", n.otherwise, n.reads, n.reads_again);
}

} // namespace

int main() {
    test::Verdicts verdicts;
    without_smt(verdicts);
    with_smt(verdicts);
    return verdicts.exit_status();
}
