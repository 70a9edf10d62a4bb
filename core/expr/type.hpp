// SPDX-License-Identifier: GPL-3.0-or-later
// What the values of an expression are. Each is 64 bits at most, so that evaluating allocates nothing.
#pragma once

#include <cstdint>
#include <string_view>

namespace picknext::expr {

enum class Type : std::uint8_t {
    condition, // 0 or 1; also the kernel's flags
    number,    // a count, load, weight or jiffies
    time,      // ns: a moment of the run, a length, or a distance in virtual time
    vtime,     // a moment of virtual time: the u64 as a signed pattern; order is the sign of the wrapped difference
    cpu,       // CpuId, -1 none
    llc,       // LlcId
    task,      // TaskId, -1 none (a CPU's idle task)
    group,     // GroupId
    kind,      // of a decision
    reason,
    path,      // PickPath
    site,      // PickSite
    policy,
    state,     // TaskState
    check,     // Chk
    checks,    // the checks of the decision
    mask,      // a set of CPUs in the state, see mask_value below
    outcome,   // of the decision: what it is compared with says which of the types above it is
    name,      // a bare word that is no field: a name once it is compared with something that has names
    text       // in quotes: a pattern of names, likewise
};

/// "a task", "a time": with the article, for sentences.
[[nodiscard]] std::string_view with_article(Type type);

/// A value, or none: a field of what is not there (a task not yet forked, a deadline under CFS), a division by zero, a
/// number too large. A comparison with no value is false, also `!=`; a condition without a value is false.
struct Value {
    std::int64_t v = 0;
    bool has = false;
    [[nodiscard]] static constexpr Value of(std::int64_t value) { return {value, true}; }
    [[nodiscard]] static constexpr Value none() { return {}; }
    friend bool operator==(const Value&, const Value&) = default;
};

// Which set of CPUs a value of type mask is.
inline constexpr std::int64_t nohz_mask = 0;           // nohz.idle_cpus_mask
inline constexpr std::int64_t first_llc_mask = 1;      // + LlcId: its mask of idle CPUs; no value without the idle_mask patch
inline constexpr std::int64_t first_affinity = 1LL << 32; // + MaskId: a row of State::masks

} // namespace picknext::expr
