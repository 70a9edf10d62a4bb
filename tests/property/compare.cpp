// SPDX-License-Identifier: GPL-3.0-or-later
// A run compared with itself never diverges, in no decision, reason, check or time; nor do its measures.
#include "core/compare/comparison.hpp"
#include "tests/property/property.hpp"
#include "tests/property/random_topology.hpp"

int main(int argc, char** argv) {
    using namespace picknext;
    std::uint64_t decisions = 0, pairs = 0;
    const int status = test::for_each_seed(argc, argv, 250, [&](std::uint64_t seed, Scenario random) -> std::string {
        if (seed % 2 == 0) test::put_on_machine(random, testing::random_topology(seed), seed);
        const auto scenario = std::make_shared<const Scenario>(random);
        const RunLimit limit{.time = *random.until_ns};
        const compare::Divergences d = compare::find_divergences(scenario, std::make_shared<const Scenario>(random), {.limit = limit, .chunk = 256});
        decisions += d.compared;
        pairs += d.activations.pairs;
        for (std::size_t depth = 0; depth < compare::depth_count; ++depth)
            if (const auto& first = d.first[depth]) return fmt::format("depth {}: decision {}", depth, first->a ? first->a->before.decisions : 0);
        if (d.compared != d.decisions_a || d.decisions_a != d.decisions_b || d.chunks_equal != d.chunks)
            return fmt::format("{} of {} and {} decisions compared, {} of {} chunks equal", d.compared, d.decisions_a, d.decisions_b, d.chunks_equal, d.chunks);
        const compare::ActivationTotals& a = d.activations;
        if (a.other_outcome + a.other_reason + a.other_time + a.only_a + a.only_b != 0) return "a wakeup differs";
        if (compare::measure(scenario, limit) != compare::measure(scenario, limit)) return "a measure differs";
        return {};
    });
    fmt::print("{} decisions, {} of wakeups, each compared with itself\n", decisions, pairs);
    return status;
}
