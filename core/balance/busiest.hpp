// SPDX-License-Identifier: GPL-3.0-or-later
// From the statistics of a domain's groups to a decision: which group is relieved, and by how much.
#pragma once

#include <span>

#include "core/balance/group.hpp"
#include "core/trace/recorder.hpp"

namespace picknext::balance {

/// State of the CPU a balance pass works for (cpu_idle_type).
enum class IdleKind : std::uint8_t { idle, not_idle, newly_idle };
/// What the imbalance is counted in.
enum class Migration : std::uint8_t { load, util, task, misfit };
[[nodiscard]] std::string_view name_of(Migration migration);

/// The domain and the CPU a decision is about.
struct BalanceView {
    IdleKind idle = IdleKind::idle;
    std::uint32_t domain_flags = 0;
    int imbalance_pct = 117;
    int imb_numa_nr = 0;
    bool child_prefers_siblings = false; // flag of the domain below (kernels before 6.6 look there)
    bool dst_core_idle = true;           // all siblings of the destination CPU
    std::int64_t dst_capacity = full_capacity;
    CpuId dst_cpu;
};

/// Does the candidate replace the busiest group so far (null: none yet)? fn: update_sd_pick_busiest.
template <DecisionSink S>
[[nodiscard]] bool replaces_busiest(const BalanceView& view, const GroupStats& candidate, const GroupStats& local,
                                    const GroupStats* busiest, const Settings& settings, Evidence<S>& why);

struct Busiest {
    int index = -1;             // into the groups, -1: no candidate
    bool relieve = false;       // it is to be relieved
    Reason reason = Reason::busiest_none;
    bool prefer_sibling = false;
    std::uint64_t load = 0, capacity = 0; // of all groups together
};
/// groups[0] is the local group; the others are candidates in the order walked. Types and avg_load are set already.
template <DecisionSink S>
[[nodiscard]] Busiest find_busiest_group(const BalanceView& view, std::span<const GroupStats> groups, const Settings& settings,
                                         Evidence<S>& why);

struct Imbalance {
    Migration migration = Migration::load;
    std::int64_t amount = 0;    // 0: nothing to move
    Reason reason = Reason::imbalance_none;
};
/// How much to move from the busiest group to the local one.
template <DecisionSink S>
[[nodiscard]] Imbalance calculate_imbalance(const BalanceView& view, const GroupStats& local, const GroupStats& busiest, const Busiest& found,
                                            const Settings& settings, Evidence<S>& why);

} // namespace picknext::balance
