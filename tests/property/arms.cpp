// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/property/arms.hpp"

#include <cstdlib>

namespace picknext::test {
namespace {

class Twice final : public Observer {
  public:
    Twice(const Scenario& scenario, Patch patch, int other, const std::function<void(const TwiceDecided&)>& look)
        : m_machine(scenario.machine), m_domains(build_domains(m_machine, m_machine.online(), scenario.settings.kernel)), m_other(scenario.settings),
          m_look(look) {
        m_other.set(patch, other);
    }
    void on_decision(const State& before, const DecisionHeader& header, std::span<const Check> checks) override {
        const std::optional<Redecided> again = redecide(before, header, m_other, m_machine, m_domains);
        m_look({before, header, checks, again});
    }

  private:
    const Machine& m_machine;
    Domains m_domains;
    Settings m_other;
    const std::function<void(const TwiceDecided&)>& m_look;
};

class Headers final : public Observer {
  public:
    void on_decision(const State&, const DecisionHeader& header, std::span<const Check>) override { all.push_back(header); }
    std::vector<DecisionHeader> all;
};

} // namespace

Scenario shipped_scenario(std::string_view name, std::optional<Kernel> kernel) {
    io::Report report;
    const Result<std::string> path = io::shipped_file("scenarios", name);
    Result<Scenario> scenario = path ? io::open_any(*path, report) : Result<Scenario>(path.error());
    if (!scenario) {
        fmt::print(stderr, "{}\n", scenario.error().text());
        std::exit(1);
    }
    if (kernel) scenario->settings = default_settings(*kernel, scenario->machine.online().size());
    return std::move(*scenario);
}

void decide_twice(const Scenario& scenario, Patch patch, int other, const std::function<void(const TwiceDecided&)>& look) {
    Twice twice(scenario, patch, other, look);
    FullSink sink{&twice};
    Engine engine(std::make_shared<const Scenario>(scenario));
    engine.run({.time = *scenario.until_ns}, sink);
}

std::vector<DecisionHeader> headers_of(const Scenario& scenario) {
    Headers headers;
    HeaderSink sink{&headers};
    Engine engine(std::make_shared<const Scenario>(scenario));
    engine.run({.time = *scenario.until_ns}, sink);
    return std::move(headers.all);
}

State end_without_patch(const Scenario& scenario, Patch patch) {
    NullSink sink;
    Engine engine(std::make_shared<const Scenario>(scenario));
    engine.run({.time = *scenario.until_ns}, sink);
    State end = engine.state();
    end.settings.set(patch, absent);
    return end;
}

} // namespace picknext::test
