// SPDX-License-Identifier: GPL-3.0-or-later
// Counterfactuals against runs. Under its own settings each decision is itself again. And where a run under other settings
// parts from a run, from one and the same state, what was said of the decision is what the other run decided there.
#include <algorithm>

#include "core/compare/divergence.hpp"
#include "core/compare/what_if.hpp"
#include "core/engine/plan.hpp"
#include "tests/property/property.hpp"
#include "tests/property/random_topology.hpp"

namespace {

using namespace picknext;
using compare::Depth;
using compare::Divergence;
using compare::Divergences;
using compare::Effect;

/// The first place at which anything but the time differs.
const Divergence* first_of(const Divergences& d) {
    const Divergence* first = nullptr;
    for (const Depth depth : {Depth::outcome, Depth::reason, Depth::checks}) {
        const auto& at = d.at(depth);
        if (at && at->a && at->b && (first == nullptr || at->a->before.decisions < first->a->before.decisions)) first = &*at;
    }
    return first;
}

struct Counts {
    std::array<std::int64_t, kind_count> agree = {}, unknown = {};
    std::int64_t own = 0, other_state = 0;
};

std::string parts_as_told(const Scenario& scenario, const Alternative& alternative, Counts& n) {
    Scenario other = scenario;
    other.settings = alternative.settings;
    const Divergences d = compare::find_divergences(std::make_shared<const Scenario>(scenario), std::make_shared<const Scenario>(other),
                                                    {.limit = {.time = *scenario.until_ns}, .activations = false, .chunk = 256});
    const Divergence* first = first_of(d);
    if (first == nullptr) return {};
    State same = first->a->before;
    same.settings = first->b->before.settings;
    if (!(same == first->b->before) || first->a->header.kind != first->b->header.kind) {
        ++n.other_state; // what they wrote before is not in any decision
        return {};
    }
    engine::DomainsInForce domains(scenario.machine, scenario.settings.kernel);
    const auto told = redecide(first->a->before, first->a->header, first->a->checks, same.settings, scenario.machine, domains.at(first->a->before));
    const auto kind = static_cast<std::size_t>(first->a->header.kind);
    if (!told) {
        ++n.unknown[kind];
        return {};
    }
    ++n.agree[kind];
    const compare::Record& b = *first->b;
    if (compare::effect_of(b.header, b.checks, told) == Effect::none && told->deciding == b.header.deciding) return {};
    return fmt::format("{}: {} #{} is said to be {} ({}), and is {} ({})", alternative.change, info(b.header.kind).name, b.before.decisions, told->outcome, info(told->reason).name,
                       b.header.outcome, info(b.header.reason).name);
}

} // namespace

int main(int argc, char** argv) {
    Counts n;
    const int status = test::for_each_seed(argc, argv, 40, [&](std::uint64_t seed, Scenario scenario) -> std::string {
        if (seed % 2 == 0) test::put_on_machine(scenario, testing::random_topology(seed), seed);
        scenario.settings.set(Patch::idle_mask, static_cast<int>(seed % 9));
        const int cpus = scenario.machine.online().size();
        std::vector<Alternative> all = alternatives(scenario.settings, cpus);
        std::erase_if(all, [&](const Alternative& a) { return a.settings.kernel != scenario.settings.kernel; }); // they begin in other states
        all.push_back({"its own settings", scenario.settings});
        const compare::Tallies t = compare::tally(std::make_shared<const Scenario>(scenario), all, {.time = *scenario.until_ns});
        const compare::Tally& own = t.all.back();
        if (own.count[static_cast<std::size_t>(Effect::none)] != t.taken_again) return fmt::format("{} of {} are themselves", own.count[static_cast<std::size_t>(Effect::none)], t.taken_again);
        n.own += static_cast<std::int64_t>(t.taken_again);
        all.pop_back();
        for (const Alternative& alternative : all)
            if (std::string wrong = parts_as_told(scenario, alternative, n); !wrong.empty()) return wrong;
        return {};
    });
    fmt::print("{} decisions are themselves; runs that part, as told and not known, by kind:\n", n.own);
    for (std::size_t k = 0; k < kind_count; ++k)
        if (n.agree[k] + n.unknown[k] != 0) fmt::print("  {}: {}, {}\n", kind_table()[k].name, n.agree[k], n.unknown[k]);
    fmt::print("  from other states or at other questions: {}\n", n.other_state);
    return status;
}
