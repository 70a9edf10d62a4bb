// SPDX-License-Identifier: GPL-3.0-or-later
// The same scenario always runs the same: whatever listens, and beside a twin.
#include <memory>

#include "core/engine/engine.hpp"
#include "tests/property/property.hpp"

namespace {

using namespace picknext;

class Deaf final : public Observer {
  public:
    void on_decision(const State&, const DecisionHeader&, std::span<const Check>) override { ++decisions; }
    std::uint64_t decisions = 0;
};

template <DecisionSink S>
std::uint64_t digest_after(const std::shared_ptr<const Scenario>& scenario, S sink) {
    Engine engine(scenario);
    engine.run({.time = *scenario->until_ns}, sink);
    return digest(engine.state());
}

std::string sinks_change_nothing(const std::shared_ptr<const Scenario>& scenario) {
    Deaf deaf;
    const std::uint64_t unobserved = digest_after(scenario, NullSink{});
    if (digest_after(scenario, CountSink{}) != unobserved) return "counting changes the run";
    if (digest_after(scenario, HeaderSink{&deaf}) != unobserved) return "recording headers changes the run";
    const std::uint64_t decisions = deaf.decisions;
    if (digest_after(scenario, FullSink{&deaf}) != unobserved) return "recording checks changes the run";
    if (deaf.decisions != 2 * decisions) return "checks change how many decisions there are";
    return {};
}

std::string twins_agree(const std::shared_ptr<const Scenario>& scenario) {
    Engine a(scenario), b(scenario);
    NullSink sink;
    while (a.next_event_time() <= *scenario->until_ns && a.step(sink)) {
        b.step(sink);
        if (a.state().event % 64 == 0) b.restore(State(b.state())); // a copy is the whole of it
        if (digest(a.state()) != digest(b.state()))
            return fmt::format("twins differ after event {}: {}", a.state().event, first_difference(a.state(), b.state()));
    }
    return {};
}

} // namespace

int main(int argc, char** argv) {
    return test::for_each_seed(argc, argv, 60, [](std::uint64_t, const Scenario& random) -> std::string {
        const auto scenario = std::make_shared<const Scenario>(random);
        if (std::string wrong = sinks_change_nothing(scenario); !wrong.empty()) return wrong;
        return twins_agree(scenario);
    });
}
