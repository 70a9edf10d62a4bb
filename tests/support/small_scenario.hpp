// SPDX-License-Identifier: GPL-3.0-or-later
// Scenarios in a few words, for tests that check numbers.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "core/engine/scenario.hpp"

namespace picknext::test {

/// A machine of one package with this many cores that share one cache, no SMT.
[[nodiscard]] Machine flat_machine(int cores);

/// Runs without end, on CPU 0 alone.
[[nodiscard]] TaskSpec hog(const std::string& name, int nice);

/// Works and sleeps in turn without end, on any CPU.
[[nodiscard]] TaskSpec sleeper(const std::string& name, std::int64_t run_ns, std::int64_t sleep_ns);

/// Default settings of the kernel for the machine, no end.
[[nodiscard]] Scenario scenario_of(Kernel kernel, Machine machine, std::vector<TaskSpec> tasks);

[[nodiscard]] inline std::shared_ptr<const Scenario> shared(Scenario scenario) {
    return std::make_shared<const Scenario>(std::move(scenario));
}

} // namespace picknext::test
