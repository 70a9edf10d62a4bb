// SPDX-License-Identifier: GPL-3.0-or-later
// How fast hackbench runs: events per second, ns per event and messages per second, with each way of recording. The real node of 24
// CPUs took 9.03 s for the 80 million messages of `hackbench -p -T -l 20000 -g 10`; --full runs all of them.
#include <chrono>
#include <memory>
#include <string_view>

#include <fmt/format.h>

#include "core/bench/plan.hpp"
#include "core/engine/engine.hpp"
#include "core/io/results_json.hpp"

using namespace picknext;

namespace {

class Nobody final : public Observer {
  public:
    void on_decision(const State& /*before*/, const DecisionHeader& /*header*/, std::span<const Check> /*checks*/) override { ++m_seen; }

  private:
    std::uint64_t m_seen = 0;
};

template <DecisionSink S>
void measure(std::string_view name, const std::shared_ptr<const Scenario>& scenario, double messages, S sink) {
    Engine engine(scenario);
    const auto began = std::chrono::steady_clock::now();
    (void)engine.run({}, sink);
    const double s = std::chrono::duration<double>(std::chrono::steady_clock::now() - began).count();
    const auto events = static_cast<double>(engine.state().event);
    fmt::print("{:<8} {:>7.3f} s, {:>7.3f} million events/s, {:>7.0f} ns per event, {:>7.3f} million messages/s\n", name, s, events / s / 1e6, s * 1e9 / events, messages / s / 1e6);
}

} // namespace

int main(int argc, char** argv) {
    const std::string_view size = argc > 1 ? std::string_view(argv[1]) : std::string_view{};
    const std::int64_t scale = size == "--full" ? 1 : size == "--quick" ? 1000 : 100;
    const bench::Platforms shipped = io::shipped_platforms();
    const Result<Machine> machine = shipped.machine("kunpeng920-node");
    const Result<cost::CostProfile> costs = shipped.costs("kunpeng920-node");
    if (!machine || !costs) return 1;
    const Result<bench::Benchmark> benchmark = bench::reader_of({.scale = scale})("hackbench -p -T -l 20000 -g 10", *machine);
    if (!benchmark) return 1;
    const bench::Plan plan{"", *machine, *costs, {{"A", "", default_settings(Kernel::cfs_5_12, machine->online().size())}}, {{"", *benchmark}}};
    const auto scenario = std::make_shared<const Scenario>(bench::scenario_of(plan, 0, 0, 0));
    fmt::print("hackbench -p -T -l 20000 -g 10 on {}; {:.2f} million messages\n", machine->name, benchmark->of / 1e6);
    Nobody nobody;
    measure("none", scenario, benchmark->of, NullSink{});
    measure("count", scenario, benchmark->of, CountSink{});
    measure("header", scenario, benchmark->of, HeaderSink{&nobody});
    measure("full", scenario, benchmark->of, FullSink{&nobody});
    return 0;
}
