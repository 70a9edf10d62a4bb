// SPDX-License-Identifier: GPL-3.0-or-later
// What a benchmark run consists of: points of a sweep, arms that are compared at each, repeats that share their seeds.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/result.hpp"
#include "core/bench/benchmark.hpp"
#include "core/cost/costs.hpp"
#include "core/engine/scenario.hpp"
#include "core/profile/profile.hpp"
#include "core/topology/machine.hpp"

namespace picknext::bench {

inline constexpr int max_repeats = 10'000;
inline constexpr std::size_t max_points = 1'000; // of a sweep

/// What is compared: the same benchmark on the same machine under other settings.
struct Arm {
    std::string name;     // "A", "before"
    std::string changes;  // what it differs by, as core/profile/changes.hpp reads it; empty: nothing
    Settings settings;
    friend bool operator==(const Arm&, const Arm&) = default;
};

/// One point of the sweep.
struct Cell {
    std::string label;    // "g=2"; empty when there is one point
    Benchmark benchmark;
};

struct Plan {
    std::string command;  // as typed
    Machine machine;
    cost::CostProfile costs;
    std::vector<Arm> arms;   // one, or two: A and B
    std::vector<Cell> cells;
    int repeats = 1;         // 1..max_repeats
    std::uint64_t seed = 1;  // of the first repeat; the others follow one by one, in both arms alike
    [[nodiscard]] std::size_t runs() const { return cells.size() * arms.size() * static_cast<std::size_t>(repeats); }
};

/// The scenario of one run: what opens in the stepper. Indices into the plan; repeat from 0.
[[nodiscard]] Scenario scenario_of(const Plan& plan, std::size_t cell, std::size_t arm, int repeat);

/// An option of the command and the values it takes.
struct Sweep {
    std::string option;              // without dashes
    std::vector<std::string> values;
    friend bool operator==(const Sweep&, const Sweep&) = default;
};
/// "g=2..14:2" (whole numbers from, to, step; the step may be left out) or "l=100,1000" (anything). Errors: E-USAGE,
/// E-RANGE, with the column.
[[nodiscard]] Result<Sweep> read_sweep(std::string_view text);

/// Reads a command as a person types it, for a machine.
using Reader = std::function<Result<Benchmark>(const std::string& command, const Machine& machine)>;

/// commands::read_benchmark with these options.
[[nodiscard]] Reader reader_of(commands::BenchmarkOptions options);

/// The cells of a sweep, or the one of the plain command (sweep: null). Errors: those of the reader, and of
/// commands::with_option.
[[nodiscard]] Result<std::vector<Cell>> cells_of(const std::string& command, const Sweep* sweep, const Machine& machine, const Reader& read);

} // namespace picknext::bench
