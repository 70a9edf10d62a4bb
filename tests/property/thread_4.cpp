// SPDX-License-Identifier: GPL-3.0-or-later
// Thread 4, the fast path of the EEVDF pick: each pick is the same entity without it, only the path there differs.
#include <array>

#include "tests/property/arms.hpp"
#include "tests/support/random_scenario.hpp"

namespace {

using namespace picknext;
using test::TwiceDecided;

constexpr Patch fast_path = Patch::eevdf_fast_path;
constexpr std::array kernels{Kernel::eevdf_6_8, Kernel::eevdf_6_12, Kernel::eevdf_6_12y};

struct Counts {
    std::int64_t picks = 0, otherwise = 0, fast = 0, fast_again = 0, slow = 0, slow_again = 0, by_other_path = 0;
};

void count(const Scenario& scenario, int other, Counts& n, test::Verdicts& verdicts) {
    test::decide_twice(scenario, fast_path, other, [&](const TwiceDecided& d) {
        if (d.header.kind != Kind::pick) return;
        verdicts.expect(d.again.has_value(), "pick at {} cannot be taken again", d.header.at);
        if (!d.again) return;
        ++n.picks;
        if (d.again->outcome != d.header.outcome) ++n.otherwise;
        n.fast += d.header.path == PickPath::fast;
        n.slow += d.header.path == PickPath::slow;
        n.fast_again += d.again->path == PickPath::fast;
        n.slow_again += d.again->path == PickPath::slow;
        if (d.again->path == d.header.path) return;
        ++n.by_other_path;
        const PickPath with = other == 1 ? d.again->path : d.header.path, without = other == 1 ? d.header.path : d.again->path;
        verdicts.expect(with == PickPath::fast && without == PickPath::slow, "pick at {}: {} with the patch, {} without", d.header.at, name_of(with),
                        name_of(without));
    });
}

} // namespace

int main() {
    test::Verdicts verdicts;
    for (const Kernel kernel : kernels) {
        for (const int on : {0, 1}) {
            Counts n;
            for (std::uint64_t seed = 1; seed <= 60; ++seed) {
                Scenario scenario = test::random_scenario(seed);
                scenario.settings = default_settings(kernel, scenario.machine.online().size());
                count(test::with_patch(std::move(scenario), fast_path, on), 1 - on, n, verdicts);
            }
            fmt::print("{}, patch {}: {} of {} picks otherwise; fast {} slow {}, again fast {} slow {}\n", name_of(kernel), on, n.otherwise, n.picks,
                       n.fast, n.slow, n.fast_again, n.slow_again);
            verdicts.expect(n.picks >= 10'000, "only {} picks", n.picks);
            verdicts.expect(n.otherwise == 0, "{} of {} picks differ", n.otherwise, n.picks);
            verdicts.expect(n.by_other_path > 0, "no pick took another path");
            verdicts.expect((on == 1 ? n.fast_again : n.fast) == 0, "a fast pick without the patch");
        }
    }
    return verdicts.exit_status();
}
