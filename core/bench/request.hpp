// SPDX-License-Identifier: GPL-3.0-or-later
// A plan as a person words it: a command line, names of platforms, changes of settings.
#pragma once

#include <optional>
#include <string>

#include "core/bench/plan.hpp"
#include "core/bench/threads.hpp"

namespace picknext::bench {

struct Request {
    std::string command;              // as typed
    std::string topology, costs;      // as Platforms knows them
    std::string kernel;               // name of a profile
    std::string set = {};             // what both arms change of it, as core/profile/changes.hpp reads it
    std::string a = {};               // what arm A changes besides
    std::optional<std::string> b = {}; // what arm B changes besides; without it there is one arm
    std::string sweep = {};           // as read_sweep; empty: none
    int repeats = 1;                  // 1..max_repeats
    std::uint64_t seed = 1;
    std::int64_t scale = 1;           // >= 1
    friend bool operator==(const Request&, const Request&) = default;
};

/// Errors: those of the platforms, of changed(), read_sweep() and the command. Place::file tells which part is wrong: "command"
/// (commands::command_file), "kernel", "set", "a", "b", "sweep", else a platform's name.
[[nodiscard]] Result<Plan> plan_of(const Request& request, const Platforms& platforms);

} // namespace picknext::bench
