// SPDX-License-Identifier: GPL-3.0-or-later
// Thread 2, spreading tasks inside the LLC: one branch of calculate_imbalance() changes and nothing else. Before, a task
// waits for milliseconds while a CPU of its LLC idles; after, it is moved at once.
#include <algorithm>

#include "core/balance/group_stats.hpp"
#include "core/state/idle.hpp"
#include "tests/property/arms.hpp"

namespace {

using namespace picknext;
using test::TwiceDecided;

constexpr Patch spread = Patch::spread_in_llc;

bool wants_util(Reason reason) { return reason == Reason::imbalance_util || reason == Reason::imbalance_one; }
bool wants_tasks(Reason reason) { return reason == Reason::imbalance_tasks || reason == Reason::imbalance_idle || reason == Reason::imbalance_none; }

/// Every decision but those on imbalances, and on the queues that follow from them, is the same in the other arm; an
/// imbalance differs only inside the cache, and there it was utilisation.
void one_branch_differs(const Scenario& off, test::Verdicts& verdicts) {
    const Domains domains = build_domains(off.machine, off.machine.online(), off.settings.kernel);
    std::int64_t compared = 0, imbalances = 0, branches = 0;
    test::decide_twice(off, spread, 1, [&](const TwiceDecided& d) {
        if (!d.again || d.header.kind == Kind::queue) return;
        ++compared;
        const bool same = d.again->outcome == d.header.outcome && d.again->reason == d.header.reason;
        if (d.header.kind != Kind::imbalance) {
            verdicts.expect(same, "{} at {} differs", info(d.header.kind).name, d.header.at);
            return;
        }
        ++imbalances;
        DomainId domain = domains.cpu(CpuId{d.header.cpu}).base;
        while (domains.domain(domain).depth != d.header.level) domain = domains.domain(domain).parent;
        const bool inside = domains.domain(domain).has(sd::share_llc);
        const bool governed = inside && wants_util(d.header.reason);
        branches += governed;
        verdicts.expect(same != governed, "imbalance at {}: {} against {}, inside the LLC {}", d.header.at, info(d.header.reason).name,
                        info(d.again->reason).name, inside);
        if (governed) verdicts.expect(wants_tasks(d.again->reason), "imbalance at {}: {}", d.header.at, info(d.again->reason).name);
    });
    fmt::print("{} decisions taken again: {} imbalances, {} of them by utilisation inside the LLC\n", compared, imbalances, branches);
    verdicts.expect(compared > 1000 && branches > 0, "only {} decisions, {} in the branch", compared, branches);
}

void first_divergence(const Scenario& off, const Scenario& on, test::Verdicts& verdicts) {
    const std::vector<DecisionHeader> a = test::headers_of(off), b = test::headers_of(on);
    const auto [left, right] = std::mismatch(a.begin(), a.end(), b.begin(), b.end());
    verdicts.expect(left != a.end() && right != b.end(), "the runs do not part");
    if (left == a.end() || right == b.end()) return;
    fmt::print("the runs part at decision {}, {} ns: {} against {}\n", left - a.begin() + 1, left->at, info(left->reason).name, info(right->reason).name);
    verdicts.expect(left->kind == Kind::imbalance && right->kind == Kind::imbalance && left->at == right->at && left->cpu == right->cpu,
                    "they part at a decision of kind {} and one of kind {}", info(left->kind).name, info(right->kind).name);
    verdicts.expect(wants_util(left->reason) && wants_tasks(right->reason), "they part by {} and {}", info(left->reason).name, info(right->reason).name);
}

/// How long a task waited beside an idle CPU of its LLC: the longest time, and all of it.
struct Beside {
    std::int64_t longest = 0, all = 0;
};
Beside waits_beside_idle(const Scenario& scenario) {
    const Domains domains = build_domains(scenario.machine, scenario.machine.online(), scenario.settings.kernel);
    Engine engine(std::make_shared<const Scenario>(scenario));
    NullSink sink;
    std::vector<std::int64_t> since(domains.llcs.size(), -1); // by LLC, -1: nobody waits beside an idle CPU
    Beside out;
    do {
        const State& st = engine.state();
        for (std::size_t l = 0; l < since.size(); ++l) {
            bool idle = false, waits = false;
            for_each_cpu(domains.llcs[l], [&](CpuId c) {
                idle = idle || idle_cpu(st, c);
                waits = waits || st.rq(c).nr_running > 1;
            });
            if (idle && waits) {
                if (since[l] < 0) since[l] = st.now;
            } else if (since[l] >= 0) {
                out.longest = std::max(out.longest, st.now - since[l]);
                out.all += st.now - since[l];
                since[l] = -1;
            }
        }
    } while (engine.next_event_time() <= *scenario.until_ns && engine.step(sink));
    return out;
}

} // namespace

int main() {
    test::Verdicts verdicts;
    const Scenario off = test::shipped_scenario("thread-2-spread-in-llc");
    verdicts.expect(off.settings.patch(spread) == 0, "it ships with the patch off");
    const Scenario on = test::with_patch(off, spread, 1);
    one_branch_differs(off, verdicts);
    first_divergence(off, on, verdicts);
    const Beside before = waits_beside_idle(off), after = waits_beside_idle(on);
    fmt::print("a task waits beside an idle CPU: before {} ns at most, {} ns in all; after {} and {}\n", before.longest, before.all, after.longest, after.all);
    verdicts.expect(before.longest >= 2'000'000, "before: {} ns at most", before.longest);
    verdicts.expect(after.longest == 0, "after: {} ns at most", after.longest);
    return verdicts.exit_status();
}
