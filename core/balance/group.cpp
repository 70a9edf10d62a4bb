// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/balance/group.hpp"

#include <array>

namespace picknext::balance {
namespace {

bool is_overloaded(const GroupStats& g, std::uint64_t pct) {
    if (g.nr_running <= g.weight) return false;
    return g.capacity * 100 < g.util * pct || g.capacity * pct < g.runnable * 100;
}
bool has_capacity(const GroupStats& g, std::uint64_t pct) {
    if (g.nr_running < g.weight) return true;
    if (g.capacity * pct < g.runnable * 100) return false;
    return g.capacity * 100 > g.util * pct;
}

} // namespace

std::string_view name_of(GroupType type) {
    constexpr std::array<std::string_view, 7> names{"has_spare",    "fully_busy", "misfit_task", "smt_balance",
                                                    "asym_packing", "imbalanced", "overloaded"};
    return names[static_cast<std::size_t>(type)];
}

GroupType classify(const GroupStats& g, int imbalance_pct) {
    const auto pct = static_cast<std::uint64_t>(imbalance_pct);
    if (is_overloaded(g, pct)) return GroupType::overloaded;
    if (g.imbalanced) return GroupType::imbalanced;
    if (g.asym_packing) return GroupType::asym_packing;
    if (g.smt_balance) return GroupType::smt_balance;
    if (g.misfit_load != 0) return GroupType::misfit_task;
    if (!has_capacity(g, pct)) return GroupType::fully_busy;
    return GroupType::has_spare;
}

} // namespace picknext::balance
