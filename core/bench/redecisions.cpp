// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/bench/redecisions.hpp"

#include <memory>
#include <utility>

#include "core/engine/engine.hpp"
#include "core/engine/plan.hpp"
#include "core/redecide/redecide.hpp"

namespace picknext::bench {
namespace {

class Again final : public Observer {
  public:
    Again(const Scenario& scenario, const Settings& other, Kind kind, std::uint64_t most)
        : m_machine(scenario.machine), m_domains(m_machine, scenario.settings.kernel), m_other(other), m_kind(kind), m_most(most) {}
    [[nodiscard]] const Redecisions& counts() const { return m_counts; }
    void on_decision(const State& before, const DecisionHeader& header, std::span<const Check> checks) override {
        if (header.kind != m_kind) return;
        ++m_counts.of;
        if (m_counts.again == m_most) return;
        const std::optional<Redecided> again = redecide(before, header, checks, m_other, m_machine, m_domains.at(before));
        if (!again) return;
        ++m_counts.again;
        if (again->outcome != header.outcome) ++m_counts.differ;
    }

  private:
    const Machine& m_machine;
    engine::DomainsInForce m_domains;
    const Settings& m_other;
    Kind m_kind;
    std::uint64_t m_most;
    Redecisions m_counts;
};

} // namespace

Redecisions take_again(const Plan& plan, std::size_t cell, std::size_t arm, std::size_t other, Kind kind, std::uint64_t most, std::stop_token stop) {
    const auto scenario = std::make_shared<const Scenario>(scenario_of(plan, cell, arm, 0));
    Again again(*scenario, plan.arms[other].settings, kind, most);
    Engine engine(scenario);
    FullSink sink{&again};
    (void)engine.run({.time = *scenario->until_ns}, sink, std::move(stop));
    return again.counts();
}

} // namespace picknext::bench
