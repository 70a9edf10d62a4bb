// SPDX-License-Identifier: GPL-3.0-or-later
// The statistics of a domain's groups as a balance pass gathers them (fn: update_sd_lb_stats).
#pragma once

#include <vector>

#include "core/balance/busiest.hpp"
#include "core/state/state.hpp"

namespace picknext::balance {

struct DomainStats {
    BalanceView view;
    std::vector<GroupStats> groups;   // [0] is the local group, the others in the order walked
    std::vector<const SchedGroup*> of; // the group each row describes
    std::uint64_t util = 0;           // of all groups together
    bool overloaded = false;          // some CPU has two tasks or one that does not fit
};
/// Looks at the CPUs of `considered` only. domain: one of the balancing CPU's own; dst_cpu may be another of its group.
[[nodiscard]] DomainStats gather_stats(const State& st, const Settings& settings, const Domains& domains, const Domain& domain, CpuId dst_cpu,
                                       IdleKind idle, CpuSetView considered);

} // namespace picknext::balance
