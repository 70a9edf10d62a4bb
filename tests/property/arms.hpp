// SPDX-License-Identifier: GPL-3.0-or-later
// Two arms of a comparison: the same scenario with one patch at two values, and decisions of one arm taken again with the
// value of the other.
#pragma once

#include <cstdio>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include <fmt/format.h>

#include "core/engine/engine.hpp"
#include "core/io/document.hpp"
#include "core/redecide/redecide.hpp"

namespace picknext::test {

/// A shipped scenario, under another kernel's own settings if one is given. Ends the test if it does not load.
[[nodiscard]] Scenario shipped_scenario(std::string_view name, std::optional<Kernel> kernel = {});

/// A shipped topology, a shipped cost profile.
[[nodiscard]] Machine shipped_topology(const std::string& name);
[[nodiscard]] cost::CostProfile shipped_costs(const std::string& name);

[[nodiscard]] inline Scenario with_patch(Scenario scenario, Patch patch, int value) {
    scenario.settings.set(patch, value);
    return scenario;
}
template <class Value>
[[nodiscard]] Scenario with_patch(Scenario scenario, Patch patch, Value value) {
    return with_patch(std::move(scenario), patch, static_cast<int>(value));
}

template <class Value>
[[nodiscard]] std::shared_ptr<const Scenario> shared_with(const Scenario& scenario, Patch patch, Value value) {
    return std::make_shared<const Scenario>(with_patch(scenario, patch, static_cast<int>(value)));
}

/// One decision of a run, and what it is under the other arm's settings; again is empty where it cannot be taken again.
struct TwiceDecided {
    const State& before;
    const DecisionHeader& header;
    std::span<const Check> checks;
    const std::optional<Redecided>& again;
};

/// Runs the scenario to its end and takes each decision again with the patch at `other`.
void decide_twice(const Scenario& scenario, Patch patch, int other, const std::function<void(const TwiceDecided&)>& look);

/// Every header of the run, in order.
[[nodiscard]] std::vector<DecisionHeader> headers_of(const Scenario& scenario);

/// The state at the end of the run, under settings that do not tell which arm it was.
[[nodiscard]] State end_without_patch(const Scenario& scenario, Patch patch);

/// Says what does not hold; the sum of what is wrong.
class Verdicts {
  public:
    template <class... Args>
    void expect(bool holds, fmt::format_string<Args...> text, Args&&... args) {
        if (holds) return;
        ++m_wrong;
        if (m_wrong <= 10) fmt::print(stderr, "wrong: {}\n", fmt::format(text, std::forward<Args>(args)...));
    }
    [[nodiscard]] int exit_status() const { return m_wrong == 0 ? 0 : 1; }

  private:
    int m_wrong = 0;
};

} // namespace picknext::test
