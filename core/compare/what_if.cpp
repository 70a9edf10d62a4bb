// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/compare/what_if.hpp"

#include <algorithm>

#include "core/engine/plan.hpp"
#include "core/redecide/questions.hpp"

namespace picknext::compare {
namespace {

/// The settings of an alternative where those in force are not those the run began with: times that follow the number of online CPUs.
Settings in_force(const Alternative& alternative, const Settings& began, const Settings& now) {
    Settings out = alternative.settings;
    for (std::size_t t = 0; t < tunable_count; ++t)
        if (out.tunables[t] == began.tunables[t]) out.tunables[t] = now.tunables[t];
    return out;
}

class Again final : public Observer {
  public:
    Again(const Scenario& scenario, const std::vector<Alternative>& alternatives) : m_scenario(scenario), m_domains(scenario.machine, scenario.settings.kernel) {
        for (const Alternative& a : alternatives) out.all.push_back({a, {}, {}});
    }
    void on_decision(const State& before, const DecisionHeader& header, std::span<const Check> checks) override {
        ++out.asked[static_cast<std::size_t>(header.kind)];
        Redecision decision(before, header, checks, m_scenario.machine, m_domains.at(before));
        if (!decision.possible()) return;
        ++out.taken_again;
        ++out.again[static_cast<std::size_t>(header.kind)];
        for (Tally& t : out.all) {
            const auto effect = static_cast<std::size_t>(effect_of(header, checks, decision.under(in_force(t.alternative, m_scenario.settings, before.settings))));
            if (t.count[effect]++ == 0) t.first[effect] = before.decisions;
        }
    }
    Tallies out;

  private:
    const Scenario& m_scenario;
    engine::DomainsInForce m_domains;
};

} // namespace

Effect effect_of(const DecisionHeader& header, std::span<const Check> checks, const std::optional<Redecided>& again) {
    if (!again) return Effect::unknown;
    if (again->reason == Reason::none && header.reason != Reason::none) return Effect::not_asked;
    if (again->outcome != header.outcome) return Effect::outcome;
    if (again->reason != header.reason || again->path != header.path) return Effect::reason;
    return std::ranges::equal(again->checks, checks) ? Effect::none : Effect::checks;
}

bool taken_again(Kind kind) {
    DecisionHeader header;
    header.kind = kind;
    return !redecision::questions(header).empty();
}

Record decided(const Record& record, const Redecided& again, const Settings& settings) {
    Record out{record.before, record.header, again.checks};
    out.before.settings = settings;
    out.header.outcome = again.outcome;
    out.header.reason = again.reason;
    out.header.path = again.path;
    out.header.checks = static_cast<std::uint16_t>(again.checks.size());
    out.header.deciding = again.deciding;
    return out;
}

WhatIfs what_if(const Record& record, const std::vector<Alternative>& alternatives, const Machine& machine, const Domains& domains) {
    Redecision decision(record.before, record.header, record.checks, machine, domains);
    WhatIfs out;
    out.possible = decision.possible();
    for (const Alternative& a : alternatives) {
        WhatIf row{a, decision.under(a.settings), Effect::unknown};
        row.effect = effect_of(record.header, record.checks, row.again);
        out.all.push_back(std::move(row));
    }
    return out;
}

Tallies tally(std::shared_ptr<const Scenario> scenario, const std::vector<Alternative>& alternatives, const RunLimit& limit, std::stop_token stop, const Progress& progress) {
    Again again(*scenario, alternatives);
    FullSink sink{&again};
    Engine engine(std::move(scenario));
    again.out.cancelled = engine.run(limit, sink, stop, progress) == StopReason::cancelled;
    again.out.decisions = engine.state().decisions;
    return std::move(again.out);
}

} // namespace picknext::compare
