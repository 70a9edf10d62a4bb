// SPDX-License-Identifier: GPL-3.0-or-later
// Thread 5, stopping NOHZ stats when decayed: without it a busy CPU asks for statistics of idle ones for ever; with it
// only until their load has decayed.
#include <algorithm>

#include "tests/property/arms.hpp"

namespace {

using namespace picknext;

constexpr std::int64_t ms = 1'000'000;
constexpr std::int64_t asleep = 100 * ms;   // the only sleeper works until then
constexpr std::int64_t first = 136 * ms;    // the first kick for statistics alone after it: the one at 104 ms found next_balance to renew

/// Times of the kicks for statistics alone, once the sleeper sleeps.
std::vector<std::int64_t> stats_kicks(const std::vector<DecisionHeader>& headers) {
    std::vector<std::int64_t> out;
    for (const DecisionHeader& h : headers)
        if (h.kind == Kind::nohz_kick && h.reason == Reason::kick_stats && h.at > asleep) out.push_back(h.at);
    return out;
}

/// The CPU that sleeps has nothing left to decay.
bool decayed(const State& st) {
    const LoadAvg& left = st.root_queue(CpuId{1}).avg;
    return left.load_avg == 0 && left.util_avg == 0;
}
State at(const Scenario& scenario, std::int64_t time) {
    NullSink sink;
    Engine engine(std::make_shared<const Scenario>(scenario));
    engine.run({.time = time}, sink);
    return engine.state();
}

} // namespace

int main() {
    test::Verdicts verdicts;
    const Scenario never = test::shipped_scenario("thread-5-nohz-stats");
    verdicts.expect(never.settings.patch(Patch::nohz_stats_decayed) == static_cast<int>(NohzStats::never_stop), "it ships without the patch");
    const std::vector<DecisionHeader> all = test::headers_of(never);
    const std::vector<std::int64_t> for_ever = stats_kicks(all);

    // next_blocked is 32 ms, 8 jiffies at 250 Hz, after a refresh, and a tick must be later than that: 9 jiffies.
    verdicts.expect(!for_ever.empty() && for_ever.front() == first, "the first one is at {}", for_ever.empty() ? -1 : for_ever.front());
    for (std::size_t i = 1; i < for_ever.size(); ++i)
        verdicts.expect(for_ever[i] - for_ever[i - 1] == 36 * ms, "{} ns between kicks at {}", for_ever[i] - for_ever[i - 1], for_ever[i]);
    verdicts.expect(for_ever.back() > *never.until_ns - 36 * ms, "the last one without the patch is at {}", for_ever.back());

    for (const NohzStats form : {NohzStats::flag, NohzStats::cpumask}) {
        const Scenario with = test::with_patch(never, Patch::nohz_stats_decayed, form);
        const std::vector<std::int64_t> kicks = stats_kicks(test::headers_of(with));
        const std::int64_t last = kicks.empty() ? -1 : kicks.back();
        fmt::print("{}: {} kicks for statistics, the last {} ms after the task slept; {} without the patch\n",
                   variant_name(patch_table()[static_cast<std::size_t>(Patch::nohz_stats_decayed)], static_cast<int>(form)), kicks.size(),
                   (last - asleep) / ms, for_ever.size());
        // Until then both ask alike. A load of 1024 is below 1 after ten half-lives of 32 ms; 0.3 to 0.4 s, says the kernel's halving.
        verdicts.expect(kicks.size() < for_ever.size() && std::equal(kicks.begin(), kicks.end(), for_ever.begin()), "they ask at other times");
        verdicts.expect(last - asleep >= 300 * ms && last - asleep <= 400 * ms, "the last one comes {} ns after the task slept", last - asleep);
        verdicts.expect(!decayed(at(with, last - 1)) && decayed(at(with, last)), "the last one is not the one that finds nothing left");
        verdicts.expect(form != NohzStats::flag || at(with, last).nohz.has_blocked == 0, "has_blocked stays");
    }
    return verdicts.exit_status();
}
