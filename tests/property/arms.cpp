// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/property/arms.hpp"

#include <fstream>
#include <iterator>

#include <cstdlib>

#include "core/engine/plan.hpp"

namespace picknext::test {
namespace {

class Twice final : public Observer {
  public:
    Twice(const Scenario& scenario, Patch patch, int other, const std::function<void(const TwiceDecided&)>& look)
        : m_machine(scenario.machine), m_domains(m_machine, scenario.settings.kernel), m_patch(patch), m_value(other), m_look(look) {}
    void on_decision(const State& before, const DecisionHeader& header, std::span<const Check> checks) override {
        Settings other = before.settings; // those in force: some follow the number of CPUs
        other.set(m_patch, m_value);
        const std::optional<Redecided> again = redecide(before, header, checks, other, m_machine, m_domains.at(before));
        m_look({before, header, checks, again});
    }

  private:
    const Machine& m_machine;
    engine::DomainsInForce m_domains;
    Patch m_patch;
    int m_value;
    const std::function<void(const TwiceDecided&)>& m_look;
};

class Headers final : public Observer {
  public:
    void on_decision(const State&, const DecisionHeader& header, std::span<const Check>) override { all.push_back(header); }
    std::vector<DecisionHeader> all;
};

} // namespace

namespace {
std::string text_of(std::string_view directory, const std::string& name) {
    const Result<std::string> path = io::shipped_file(directory, name);
    std::ifstream file(path ? *path : name);
    std::string text(std::istreambuf_iterator<char>(file), {});
    if (!text.empty()) return text;
    fmt::print(stderr, "no shipped file {} in {}\n", name, directory);
    std::exit(1);
}
} // namespace

Machine shipped_topology(const std::string& name) {
    io::Report report;
    return io::read_topology(text_of("topologies", name), name, report).value();
}

cost::CostProfile shipped_costs(const std::string& name) {
    io::Report report;
    return io::read_costs(text_of("costs", name), name, report).value();
}

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
    end.accounts.tallies[static_cast<std::size_t>(Tally::flag_reads)] = 0; // thread 1 is about these
    return end;
}

} // namespace picknext::test
