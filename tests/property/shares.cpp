// SPDX-License-Identifier: GPL-3.0-or-later
// Hogs on one CPU share it as their weights: nice 0, 5 and -5 weigh 1024, 335 and 3121.
#include <array>
#include <cstdio>

#include <fmt/format.h>

#include "core/engine/engine.hpp"
#include "tests/support/small_scenario.hpp"

namespace {

using namespace picknext;

constexpr std::int64_t run_ns = 10'000'000'000;
constexpr std::array<std::int64_t, 3> weights{1024, 335, 3121};
constexpr std::int64_t all = weights[0] + weights[1] + weights[2];

/// Within half a percent of the CPU's time.
bool shares_hold(Kernel kernel) {
    Engine engine(test::shared(test::scenario_of(kernel, test::flat_machine(8), {test::hog("zero", 0), test::hog("five", 5), test::hog("minus five", -5)})));
    NullSink sink;
    engine.run({.time = run_ns}, sink);
    bool good = true;
    std::int64_t sum = 0;
    for (std::size_t i = 0; i < weights.size(); ++i) {
        const auto ran = static_cast<std::int64_t>(engine.state().entity(TaskId{i}).sum_exec);
        const std::int64_t fair = run_ns / all * weights[i];
        sum += ran;
        fmt::print("{}: weight {} ran {} ns, fair {} ns\n", name_of(kernel), weights[i], ran, fair);
        if (ran < fair - run_ns / 200 || ran > fair + run_ns / 200) good = false;
    }
    return good && sum > run_ns - run_ns / 200 && sum <= run_ns;
}

} // namespace

int main() {
    bool good = true;
    for (std::size_t k = 0; k < kernel_count; ++k) good = shares_hold(static_cast<Kernel>(k)) && good;
    return good ? 0 : 1;
}
