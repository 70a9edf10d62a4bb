// SPDX-License-Identifier: GPL-3.0-or-later
// What can be asked: one row a field, with its reader. Text, completion and evaluation derive from this table.
#pragma once

#include <cstdint>
#include <span>
#include <string_view>

#include "core/expr/type.hpp"
#include "core/state/state.hpp"
#include "core/trace/decision.hpp"

namespace picknext::expr {

/// What an expression is asked about: a decision and the state it saw.
struct Seen {
    const State& st;
    const DecisionHeader& header;
    std::span<const Check> checks;          // empty when they were not recorded
    std::span<const std::int32_t> llc_of;   // by CPU: its LLC
    std::span<const std::int32_t> llc_row;  // by LLC: its row of State::llc_shared, -1 none
};

/// Whose field it is. A decision's fields are bare words, the others stand behind a point.
enum class Owner : std::uint8_t { decision, task, cpu, llc, group };

struct Field {
    Owner owner;
    std::string_view name;
    Type type;
    std::string_view unit;    // "ns", "virtual ns", "1024 = nice 0", "" for a count or a name
    std::string_view meaning; // one line
    std::string_view kernel;  // what the kernel calls it, "" = nothing there
    Value (*read)(const Seen&, std::int64_t subject); // subject: id of the owner, valid and in range; 0 for a decision
};

[[nodiscard]] std::span<const Field> field_table();
/// The field of this name, or null.
[[nodiscard]] const Field* find_field(Owner owner, std::string_view name);

struct Function {
    std::string_view call;    // "rq(cpu)"
    std::string_view meaning;
};
[[nodiscard]] std::span<const Function> function_table();

/// Whether a CPU is in the set a mask value stands for (type.hpp); none when the state holds no such set.
[[nodiscard]] Value mask_contains(const Seen& seen, std::int64_t mask, CpuId cpu);

} // namespace picknext::expr
