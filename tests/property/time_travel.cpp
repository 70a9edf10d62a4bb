// SPDX-License-Identifier: GPL-3.0-or-later
// Going back is exact: k steps back and k forward, and a jump to anywhere, give the very state of the straight run.
#include <algorithm>
#include <memory>
#include <vector>

#include "core/base/rng.hpp"
#include "core/history/timeline.hpp"
#include "tests/property/property.hpp"

namespace {

using namespace picknext;

constexpr std::uint64_t scenarios = 20;
constexpr std::uint64_t positions = 50; // in each: 1,000 in all

/// The digest of the state each decision saw.
class Digests final : public Observer {
  public:
    void on_decision(const State& before, const DecisionHeader&, std::span<const Check>) override { at.push_back(digest(before)); }
    std::vector<std::uint64_t> at;
};

std::vector<std::uint64_t> straight_run(const std::shared_ptr<const Scenario>& scenario) {
    Engine engine(scenario);
    Digests digests;
    HeaderSink sink{&digests};
    while (engine.next_event_time() <= *scenario->until_ns && engine.step(sink)) {}
    return digests.at;
}

std::string compare(const Timeline& timeline, std::uint64_t number, const std::vector<std::uint64_t>& expected, const char* how) {
    if (!timeline.replay_mismatch().empty()) return timeline.replay_mismatch();
    if (timeline.position().decision != number) return fmt::format("{}: at decision {}, wanted {}", how, timeline.position().decision, number);
    if (timeline.snapshot()->digest == expected[number - 1]) return {};
    return fmt::format("{}: the state at decision {} differs from the straight run", how, number);
}

std::string travel(std::uint64_t seed, const std::shared_ptr<const Scenario>& scenario, HistoryBudget budget) {
    const std::vector<std::uint64_t> expected = straight_run(scenario);
    Timeline timeline(scenario, budget);
    if (timeline.seek_decision(UINT64_MAX)) return "a run with an end has a last decision";
    if (timeline.position().decision != expected.size())
        return fmt::format("{} decisions, {} in the straight run", timeline.position().decision, expected.size());
    if (expected.empty()) return {};
    std::uint64_t counter = 0;
    const auto below = [&](std::uint64_t n) { return random_below(seed, 11, counter++, n); };
    for (std::uint64_t i = 0; i < positions; ++i) {
        const std::uint64_t number = 1 + below(expected.size());
        timeline.seek_decision(number);
        if (std::string wrong = compare(timeline, number, expected, "jump"); !wrong.empty()) return wrong;
        const std::uint64_t k = 1 + below(std::min<std::uint64_t>(number, 30));
        timeline.step(StepUnit::decision, Direction::back, k);
        if (number > k)
            if (std::string wrong = compare(timeline, number - k, expected, "back"); !wrong.empty()) return wrong;
        timeline.step(StepUnit::decision, Direction::forward, k);
        if (std::string wrong = compare(timeline, number, expected, "back and forward"); !wrong.empty()) return wrong;
        const Position before = timeline.position();
        const std::uint64_t checks = 1 + below(5);
        if (timeline.step(StepUnit::check, Direction::back, checks)) {
            timeline.step(StepUnit::check, Direction::forward, checks);
            if (timeline.position() != before) return fmt::format("{} checks back and forward end elsewhere than decision {}", checks, number);
        }
    }
    if (timeline.checkpoint_count() > 1 && timeline.checkpoint_bytes() > budget.bytes)
        return fmt::format("checkpoints take {} of {} bytes", timeline.checkpoint_bytes(), budget.bytes);
    return {};
}

} // namespace

int main(int argc, char** argv) {
    return test::for_each_seed(argc, argv, scenarios, [](std::uint64_t seed, const Scenario& random) -> std::string {
        const auto scenario = std::make_shared<const Scenario>(random);
        if (std::string wrong = travel(seed, scenario, {}); !wrong.empty()) return wrong;
        return travel(seed, scenario, {.bytes = std::size_t{1} << 18, .near = 4}); // few checkpoints: longer replays
    });
}
