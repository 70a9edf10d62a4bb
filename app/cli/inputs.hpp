// SPDX-License-Identifier: GPL-3.0-or-later
// From arguments to a scenario: files, shipped names, and parts of a scenario replaced by others.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "app/cli/command.hpp"
#include "core/engine/scenario.hpp"

namespace picknext::cli {

/// What a person asks to simulate. Empty texts were not given. Names are files, shipped files, or "-".
struct ScenarioChoice {
    std::string scenario;
    std::string topology;
    std::string workload;
    std::string kernel;
    std::string costs;
    std::string until;
    std::vector<std::string> patches; // "id=value" each
    std::vector<std::string> sets;    // comma lists each, see core/profile/changes.hpp
    std::optional<std::uint64_t> seed;
    bool strict = false;
};

/// Adds SCENARIO (optional or required), --topology, --workload, --kernel, --cost, --patch, --set, --seed, --until and --strict.
void add_scenario_options(CLI::App& command, ScenarioChoice& choice, bool required);

/// The scenario chosen; messages go to the report.
[[nodiscard]] Result<Scenario> compose(const ScenarioChoice& choice, io::Report& report);

/// compose, with everything said on standard error; absent when refused.
[[nodiscard]] std::optional<Scenario> compose_or_complain(const ScenarioChoice& choice);

/// The error, placed at the option it is about.
[[nodiscard]] Error option_error(std::string_view option, Error error);

/// The path of a file: as it is, or that of the shipped file of this name. kind as in io::shipped_file.
[[nodiscard]] Result<std::string> find_input(std::string_view kind, const std::string& name);

} // namespace picknext::cli
