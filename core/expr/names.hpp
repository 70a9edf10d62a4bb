// SPDX-License-Identifier: GPL-3.0-or-later
// What words and names in quotes stand for.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "core/engine/driver.hpp"
#include "core/expr/program.hpp"

namespace picknext::expr {

struct Name {
    std::string_view name;
    std::int64_t value = 0;
    std::string_view meaning;
};

/// The names the values of a type have: kinds, reasons, yes and no ...; empty for numbers, tasks and CPUs but for "none".
[[nodiscard]] std::vector<Name> names_of(Type type);

/// "*" any text, "?" one byte, all else itself. Linear in the text for each "*".
[[nodiscard]] bool matches(std::string_view pattern, std::string_view text);
[[nodiscard]] constexpr bool is_pattern(std::string_view text) { return text.find_first_of("*?") != text.npos; }

/// The instances a name or pattern means: "worker" all of a spec with several, "worker#3", "w*", "worker#1*". Instances
/// to be forked later are meant too. Empty when no task can ever have such a name.
[[nodiscard]] std::vector<Match> find_tasks(const Workload& workload, std::string_view pattern);
/// Whether an instance of the match's spec, by its rank, is meant.
[[nodiscard]] bool is_meant(const Match& match, std::int32_t instance);
/// Every name a person may write for tasks: of each spec, and of the first instances where it has several.
[[nodiscard]] std::vector<std::string> task_names(const Workload& workload);

/// Paths of the task groups of a scenario by GroupId; the root is "/".
[[nodiscard]] std::vector<std::string> group_paths(const engine::Plan& plan);

} // namespace picknext::expr
