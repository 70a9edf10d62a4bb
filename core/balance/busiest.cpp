// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/balance/busiest.hpp"

#include <algorithm>
#include <array>

#include "core/balance/loads.hpp"

namespace picknext::balance {
namespace {

bool old_kernel(const Settings& settings) { return settings.kernel < Kernel::cfs_6_1; }
bool is_core(const GroupStats& g) { return (g.flags & sd::share_cpucapacity) != 0; }
std::int64_t number(GroupType type) { return static_cast<std::int64_t>(type); }
std::int64_t number(std::uint64_t v) { return static_cast<std::int64_t>(v); }

std::int64_t saturated_difference(std::int64_t a, std::int64_t b) { return std::max<std::int64_t>(0, a - b); }

/// Fewer idle CPUs, or as many and more tasks.
bool has_less_spare(const GroupStats& g, const GroupStats& busiest) {
    if (g.idle_cpus != busiest.idle_cpus) return g.idle_cpus < busiest.idle_cpus;
    return g.nr_running > busiest.nr_running;
}

/// Candidates of the same type as the busiest so far.
bool busier_of_type(const GroupStats& g, const GroupStats* none_or_busiest, const Settings& settings) {
    GroupStats nothing;
    nothing.idle_cpus = UINT32_MAX;
    const GroupStats& busiest = none_or_busiest != nullptr ? *none_or_busiest : nothing;
    const bool cores_matter = settings.patch(Patch::smt_balance) == 1;
    const auto fully_busy = [&] {
        if (!cores_matter || g.avg_load != busiest.avg_load) return g.avg_load > busiest.avg_load;
        return !is_core(busiest);
    };
    switch (g.type) {
    case GroupType::overloaded:
        return g.avg_load > busiest.avg_load;
    case GroupType::imbalanced:
        return false;
    case GroupType::asym_packing:
        return settings.kernel >= Kernel::eevdf_6_12 ? g.preferred_priority < busiest.preferred_priority
                                                     : g.preferred_priority <= busiest.preferred_priority;
    case GroupType::misfit_task:
        return settings.kernel >= Kernel::eevdf_6_12 ? g.misfit_load > busiest.misfit_load : g.misfit_load >= busiest.misfit_load;
    case GroupType::smt_balance:
        return g.idle_cpus != 0 || busiest.idle_cpus != 0 ? has_less_spare(g, busiest) : fully_busy();
    case GroupType::fully_busy:
        return fully_busy();
    case GroupType::has_spare:
        // Pulling the only task off a core leaves the core idle and gains nothing.
        if (cores_matter && none_or_busiest != nullptr && is_core(g) != is_core(busiest)) return !is_core(g) || g.h_nr_running > 1;
        return has_less_spare(g, busiest);
    }
    return false;
}

bool replaces(const BalanceView& view, const GroupStats& g, const GroupStats& local, const GroupStats* busiest, const Settings& settings) {
    if (g.h_nr_running == 0) return false;
    const bool asymmetric = (view.domain_flags & sd::asym_cpucapacity) != 0;
    const bool misfit = g.type == GroupType::misfit_task;
    if (old_kernel(settings)) {
        if (misfit && (g.max_capacity * 1280 >= local.max_capacity * 1024 || local.type != GroupType::has_spare)) return false;
    } else if (asymmetric) {
        if (misfit && (!view.dst_core_idle || !capacity_greater(view.dst_capacity, g.max_capacity) || local.type != GroupType::has_spare))
            return false;
        if (g.type <= GroupType::fully_busy && capacity_greater(g.min_capacity, view.dst_capacity)) return false;
    }
    const GroupType type = busiest != nullptr ? busiest->type : GroupType::has_spare;
    if (g.type != type) return g.type > type;
    if (!busier_of_type(g, busiest, settings)) return false;
    // Before 5.13 the last word: one task per CPU and more capacity than here is no reason to pull.
    return !(old_kernel(settings) && asymmetric && g.type <= GroupType::fully_busy && local.min_capacity * 1280 < g.min_capacity * 1024);
}

/// By how many tasks the busiest group is ahead, weighed by cores (fn: sibling_imbalance).
std::int64_t sibling_imbalance(const BalanceView& view, const GroupStats& local, const GroupStats& busiest) {
    if (view.idle == IdleKind::not_idle || busiest.nr_running == 0) return 0;
    if (local.cores == busiest.cores) return saturated_difference(busiest.nr_running, local.nr_running);
    const std::int64_t cores = std::int64_t{local.cores} + busiest.cores;
    const std::int64_t ahead =
        saturated_difference(std::int64_t{local.cores} * busiest.nr_running, std::int64_t{busiest.cores} * local.nr_running);
    const std::int64_t rounded = (2 * ahead + cores) / cores;
    return rounded <= 1 && local.nr_running == 0 && busiest.nr_running > 1 ? 2 : rounded;
}
std::int64_t task_difference(const BalanceView& view, const GroupStats& local, const GroupStats& busiest, const Settings& settings) {
    return settings.patch(Patch::sibling_imbalance) == 1 ? sibling_imbalance(view, local, busiest)
                                                         : saturated_difference(busiest.nr_running, local.nr_running);
}

/// Balanced, or the reason to relieve the busiest group.
template <DecisionSink S>
Reason verdict(const BalanceView& view, const GroupStats& local, const GroupStats& busiest, const Busiest& found, const Settings& settings,
               Evidence<S>& why, bool& relieve) {
    const CpuId own = local.first_cpu;
    relieve = true;
    if (busiest.type == GroupType::misfit_task) return Reason::busiest_misfit;
    if (busiest.type == GroupType::asym_packing) return Reason::busiest_asym_packing;
    if (busiest.type == GroupType::imbalanced) return Reason::busiest_imbalanced;
    relieve = false;
    if (why.template check<Chk::local_type_higher>(own, number(local.type), number(busiest.type), local.type > busiest.type))
        return Reason::busiest_type;
    if (local.type == GroupType::overloaded) {
        if (why.template check<Chk::local_load_at_least>(own, number(local.avg_load), number(busiest.avg_load), local.avg_load >= busiest.avg_load))
            return Reason::busiest_own_load;
        const std::uint64_t average = found.load * 1024 / found.capacity;
        if (why.template check<Chk::local_above_average>(own, number(local.avg_load), number(average), local.avg_load >= average))
            return Reason::busiest_average;
        const std::uint64_t there = 100 * busiest.avg_load, here = static_cast<std::uint64_t>(view.imbalance_pct) * local.avg_load;
        if (why.template check<Chk::within_margin>(own, number(there), number(here), there <= here)) return Reason::busiest_margin;
    }
    if (found.prefer_sibling && local.type == GroupType::has_spare) {
        const std::int64_t difference = task_difference(view, local, busiest, settings);
        relieve = why.template check<Chk::sibling_difference>(own, difference, 1, difference > 1);
        if (relieve) return Reason::busiest_sibling;
    }
    if (busiest.type != GroupType::overloaded) {
        const bool busy = view.idle == IdleKind::not_idle;
        if (why.template check<Chk::balancer_busy>(view.dst_cpu, busy, true, busy)) return Reason::busiest_not_idle;
        if (busiest.type == GroupType::smt_balance && is_core(local) != is_core(busiest)) {
            relieve = true;
            return Reason::busiest_smt;
        }
        if (busiest.weight > 1 && why.template check<Chk::idle_counts_close>(own, local.idle_cpus, std::int64_t{busiest.idle_cpus} + 1,
                                                                             local.idle_cpus <= std::int64_t{busiest.idle_cpus} + 1))
            return Reason::busiest_idle_close;
        if (why.template check<Chk::busiest_one_task>(busiest.first_cpu, busiest.h_nr_running, 1, busiest.h_nr_running == 1))
            return Reason::busiest_one_task_only;
    }
    relieve = true;
    return Reason::busiest_load;
}

template <DecisionSink S>
void note_group(const GroupStats& g, Evidence<S>& why) {
    if constexpr (Evidence<S>::recording) {
        why.template note<Chk::group_load>(g.first_cpu, number(g.load), number(g.capacity));
        why.template note<Chk::group_util>(g.first_cpu, number(g.util), number(g.runnable));
        why.template note<Chk::group_tasks>(g.first_cpu, g.nr_running, g.weight);
        why.template note<Chk::group_spare>(g.first_cpu, g.idle_cpus, number(g.type));
    }
}

/// What nodes may differ by, as the three versions had it.
std::int64_t numa_allowance(const BalanceView& view, const GroupStats& local, const GroupStats& busiest, std::int64_t amount, const Settings& settings) {
    if ((view.domain_flags & sd::numa) == 0) return amount;
    const auto narrow = static_cast<std::int32_t>(amount); // the kernel passes an int
    if (settings.kernel == Kernel::cfs_5_10) return busiest.nr_running <= 2 ? 0 : narrow;
    if (settings.kernel == Kernel::cfs_5_12) return busiest.nr_running < busiest.weight / 4 && narrow <= 2 ? 0 : narrow;
    return adjust_numa_imbalance(narrow, std::int64_t{local.nr_running} + 1, view.imb_numa_nr);
}

/// The own group has room.
template <DecisionSink S>
Imbalance fill_spare(const BalanceView& view, const GroupStats& local, const GroupStats& busiest, const Busiest& found, const Settings& settings,
                     Evidence<S>& why) {
    const bool inside_cache = (view.domain_flags & sd::share_llc) != 0;
    const bool spread = settings.patch(Patch::spread_in_llc) != 0 && inside_cache; // thread 2
    if (busiest.type > GroupType::fully_busy && !spread) {
        const std::uint64_t room = std::max(local.capacity, local.util) - local.util;
        why.template note<Chk::spare_capacity>(local.first_cpu, number(local.capacity), number(local.util));
        if (room == 0 && view.idle != IdleKind::not_idle) return {Migration::task, 1, Reason::imbalance_one};
        return {Migration::util, number(room), Reason::imbalance_util};
    }
    Imbalance out{Migration::task, 0, Reason::imbalance_tasks};
    if (busiest.weight == 1 || found.prefer_sibling) {
        out.amount = task_difference(view, local, busiest, settings);
    } else {
        out.reason = Reason::imbalance_idle;
        // The kernels subtract two unsigned 32-bit counts: fewer idle CPUs here than there come out as a huge number.
        out.amount = settings.patch(Patch::signed_idle_difference) == 1
                         ? saturated_difference(local.idle_cpus, busiest.idle_cpus)
                         : std::int64_t{static_cast<std::uint32_t>(local.idle_cpus - busiest.idle_cpus)};
    }
    const std::int64_t difference = out.amount;
    if (old_kernel(settings)) out.amount = numa_allowance(view, local, busiest, out.amount >> 1, settings);
    else out.amount = numa_allowance(view, local, busiest, out.amount, settings) >> 1;
    why.template note<Chk::amount>(busiest.first_cpu, out.amount, difference);
    return out;
}

/// Both groups are full: load that brings both nearer to the average of the domain.
template <DecisionSink S>
Imbalance level_load(const GroupStats& local, const GroupStats& busiest, const Busiest& found, const Settings& settings, Evidence<S>& why) {
    const std::uint64_t average = found.load * 1024 / found.capacity;
    std::uint64_t own = local.avg_load;
    if (local.type < GroupType::overloaded) {
        own = local.load * 1024 / local.capacity;
        if (why.template check<Chk::local_load_at_least>(local.first_cpu, number(own), number(busiest.avg_load), own >= busiest.avg_load)) return {};
        if (!old_kernel(settings) &&
            why.template check<Chk::local_above_average>(local.first_cpu, number(own), number(average), own >= average))
            return {};
    }
    // Unsigned: a side that is past the average already wraps and loses the minimum.
    const std::uint64_t amount = std::min((busiest.avg_load - average) * busiest.capacity, (average - own) * local.capacity) / 1024;
    why.template note<Chk::amount>(busiest.first_cpu, number(amount), number(amount));
    return {Migration::load, number(amount), Reason::imbalance_load};
}

} // namespace

std::string_view name_of(Migration migration) {
    constexpr std::array<std::string_view, 4> names{"load", "util", "task", "misfit"};
    return names[static_cast<std::size_t>(migration)];
}

template <DecisionSink S>
bool replaces_busiest(const BalanceView& view, const GroupStats& candidate, const GroupStats& local, const GroupStats* busiest,
                      const Settings& settings, Evidence<S>& why) {
    return why.template check<Chk::group_busier>(candidate.first_cpu, number(candidate.type), busiest != nullptr ? number(busiest->type) : 0,
                                                 replaces(view, candidate, local, busiest, settings));
}

template <DecisionSink S>
Busiest find_busiest_group(const BalanceView& view, std::span<const GroupStats> groups, const Settings& settings, Evidence<S>& why) {
    Busiest found;
    for (const GroupStats& g : groups) {
        note_group(g, why);
        found.load += g.load;
        found.capacity += g.capacity;
    }
    const GroupStats* busiest = nullptr;
    for (std::size_t i = 1; i < groups.size(); ++i) {
        if (!replaces_busiest(view, groups[i], groups[0], busiest, settings, why)) continue;
        busiest = &groups[i];
        found.index = static_cast<int>(i);
    }
    if (busiest == nullptr) return found;
    found.prefer_sibling = settings.kernel >= Kernel::eevdf_6_6 ? (busiest->flags & sd::prefer_sibling) != 0 : view.child_prefers_siblings;
    found.reason = verdict(view, groups[0], *busiest, found, settings, why, found.relieve);
    why.mark_last();
    return found;
}

template <DecisionSink S>
Imbalance calculate_imbalance(const BalanceView& view, const GroupStats& local, const GroupStats& busiest, const Busiest& found,
                              const Settings& settings, Evidence<S>& why) {
    switch (busiest.type) {
    case GroupType::misfit_task:
        if (old_kernel(settings) || (view.domain_flags & sd::asym_cpucapacity) != 0) return {Migration::misfit, 1, Reason::imbalance_misfit};
        return {Migration::load, number(busiest.misfit_load), Reason::imbalance_misfit_load};
    case GroupType::asym_packing:
        return {Migration::task, busiest.h_nr_running, Reason::imbalance_asym};
    case GroupType::smt_balance:
    case GroupType::imbalanced:
        return {Migration::task, 1, Reason::imbalance_one};
    default:
        break;
    }
    Imbalance out = local.type == GroupType::has_spare ? fill_spare(view, local, busiest, found, settings, why)
                                                       : level_load(local, busiest, found, settings, why);
    if (out.amount == 0) out.reason = Reason::imbalance_none;
    why.mark_last();
    return out;
}

#define PICKNEXT_FOR_SINK(S)                                                                                                                \
    template bool replaces_busiest(const BalanceView&, const GroupStats&, const GroupStats&, const GroupStats*, const Settings&,            \
                                   Evidence<S>&);                                                                                           \
    template Busiest find_busiest_group(const BalanceView&, std::span<const GroupStats>, const Settings&, Evidence<S>&);                    \
    template Imbalance calculate_imbalance(const BalanceView&, const GroupStats&, const GroupStats&, const Busiest&, const Settings&, Evidence<S>&);
PICKNEXT_FOR_EACH_SINK(PICKNEXT_FOR_SINK)
#undef PICKNEXT_FOR_SINK

} // namespace picknext::balance
