// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/profile/profile.hpp"

#include <algorithm>
#include <bit>
#include <cstddef>

#include "core/base/assert.hpp"

namespace picknext {
namespace {

constexpr std::array kernels{
    KernelInfo{Kernel::cfs_5_10, "cfs-5.10", "CFS as of 5.10"},
    KernelInfo{Kernel::cfs_5_12, "cfs-5.12", "CFS as of 5.12.9"},
    KernelInfo{Kernel::cfs_6_1, "cfs-6.1", "CFS as of stable 6.1.192"},
    KernelInfo{Kernel::eevdf_6_6, "eevdf-6.6", "EEVDF as of stable 6.6.9: tree by vruntime"},
    KernelInfo{Kernel::eevdf_6_8, "eevdf-6.8", "EEVDF as of 6.8: tree by deadline, fast path"},
    KernelInfo{Kernel::eevdf_6_12, "eevdf-6.12", "EEVDF as of mainline 6.12: delayed dequeue"},
    KernelInfo{Kernel::eevdf_6_12y, "eevdf-6.12y", "EEVDF as of stable 6.12.117"},
};

constexpr std::int8_t x = absent;
//                                                                       5.10 5.12 6.1 6.6 6.8 6.12 6.12y
constexpr std::array features{
    FeatureInfo{Feature::gentle_fair_sleepers, "GENTLE_FAIR_SLEEPERS", "A sleeper is credited half the latency, not all of it.", {1, 1, 1, x, x, x, x}},
    FeatureInfo{Feature::start_debit, "START_DEBIT", "A new task starts one virtual slice behind.", {1, 1, 1, x, x, x, x}},
    FeatureInfo{Feature::next_buddy, "NEXT_BUDDY", "A woken task is marked as the next to pick.", {0, 0, 0, 0, 0, 0, 0}},
    FeatureInfo{Feature::last_buddy, "LAST_BUDDY", "A preempted task is preferred when its preempter leaves.", {1, 1, 1, x, x, x, x}},
    FeatureInfo{Feature::cache_hot_buddy, "CACHE_HOT_BUDDY", "The balancer treats buddies as cache hot.", {1, 1, 1, 1, 1, 1, 1}},
    FeatureInfo{Feature::wakeup_preemption, "WAKEUP_PREEMPTION", "A woken task may preempt the current one.", {1, 1, 1, 1, 1, 1, 1}},
    FeatureInfo{Feature::alt_period, "ALT_PERIOD", "The period counts the tasks of the whole hierarchy.", {x, x, 1, x, x, x, x}},
    FeatureInfo{Feature::base_slice, "BASE_SLICE", "A slice is at least the minimum granularity.", {x, x, 1, x, x, x, x}},
    FeatureInfo{Feature::place_lag, "PLACE_LAG", "A task keeps its lag over sleep and migration.", {x, x, x, 1, 1, 1, 1}},
    FeatureInfo{Feature::place_deadline_initial, "PLACE_DEADLINE_INITIAL", "A new task gets half a slice (without effect before 6.12).", {x, x, x, 1, 1, 1, 1}},
    FeatureInfo{Feature::run_to_parity, "RUN_TO_PARITY", "The current task keeps the CPU until its lag is zero or its slice ends.", {x, x, x, 1, 1, 1, 1}},
    FeatureInfo{Feature::place_rel_deadline, "PLACE_REL_DEADLINE", "A moved task keeps the rest of its virtual deadline.", {x, x, x, x, x, 1, 1}},
    FeatureInfo{Feature::preempt_short, "PREEMPT_SHORT", "A woken task with a shorter slice may end the current one's protection.", {x, x, x, x, x, 1, 1}},
    FeatureInfo{Feature::delay_dequeue, "DELAY_DEQUEUE", "A sleeper that is not eligible stays queued until its lag is paid.", {x, x, x, x, x, 1, 1}},
    FeatureInfo{Feature::delay_zero, "DELAY_ZERO", "A delayed task leaves with no positive lag.", {x, x, x, x, x, 1, 1}},
    FeatureInfo{Feature::pick_buddy, "PICK_BUDDY", "An eligible next buddy is picked before anybody else.", {x, x, x, x, x, x, 1}},
    FeatureInfo{Feature::hrtick, "HRTICK", "A high-resolution timer ends slices between ticks.", {0, 0, 0, 0, 0, 0, 0}},
    FeatureInfo{Feature::double_tick, "DOUBLE_TICK", "The normal tick checks too while the high-resolution one is armed.", {0, 0, 0, 0, 0, 0, 0}},
    FeatureInfo{Feature::ttwu_queue, "TTWU_QUEUE", "Remote wakeups are queued to the target CPU.", {1, 1, 1, 1, 1, 1, 1}},
    FeatureInfo{Feature::attach_age_load, "ATTACH_AGE_LOAD", "Load is aged when a task is attached.", {1, 1, 1, 1, 1, 1, 1}},
    FeatureInfo{Feature::util_est, "UTIL_EST", "Utilisation is estimated at dequeue.", {1, 1, 1, 1, 1, 1, 1}},
    FeatureInfo{Feature::util_est_fastup, "UTIL_EST_FASTUP", "The estimate rises at once.", {1, 1, 1, 1, x, x, x}},
    FeatureInfo{Feature::sis_prop, "SIS_PROP", "The idle scan is limited by the average idle time.", {1, 1, 0, 0, x, x, x}},
    FeatureInfo{Feature::sis_util, "SIS_UTIL", "The idle scan is limited by the utilisation of the LLC.", {x, x, 1, 1, 1, 1, 1}},
    FeatureInfo{Feature::wa_idle, "WA_IDLE", "Wake affine prefers an idle CPU.", {1, 1, 1, 1, 1, 1, 1}},
    FeatureInfo{Feature::wa_weight, "WA_WEIGHT", "Wake affine compares loads.", {1, 1, 1, 1, 1, 1, 1}},
    FeatureInfo{Feature::wa_bias, "WA_BIAS", "The comparison of loads is biased to the waker's CPU.", {1, 1, 1, 1, 1, 1, 1}},
    FeatureInfo{Feature::lb_min, "LB_MIN", "The balancer leaves small loads alone.", {0, 0, 0, 0, 0, 0, 0}},
    FeatureInfo{Feature::ni_random, "NI_RANDOM", "Newidle balancing is tried at random by its success rate.", {x, x, 1, x, x, x, 1}},
    FeatureInfo{Feature::nontask_capacity, "NONTASK_CAPACITY", "Interrupt time lowers a CPU's capacity (not modelled).", {1, 1, 1, 1, 1, 1, 1}},
    FeatureInfo{Feature::child_runs_first, "child_runs_first", "A forked child runs before its parent (a sysctl, kept with the features).", {0, 0, 0, x, x, x, x}},
};
static_assert(features.size() == feature_count);

constexpr std::int64_t n = absent;
constexpr std::array tunables{
    TunableInfo{Tunable::hz, "HZ", "Hz", "Ticks per second of each busy CPU.", 100, 1000, false, {250, 250, 250, 250, 250, 250, 250}},
    TunableInfo{Tunable::latency, "latency_ns", "ns", "Period in which every task runs once.", 100'000, 1'000'000'000, true, {6'000'000, 6'000'000, 6'000'000, n, n, n, n}},
    TunableInfo{Tunable::min_granularity, "min_granularity_ns", "ns", "Shortest time before the tick may preempt.", 100'000, 1'000'000'000, true, {750'000, 750'000, 750'000, n, n, n, n}},
    TunableInfo{Tunable::wakeup_granularity, "wakeup_granularity_ns", "ns", "Virtual distance a woken task must be ahead to preempt.", 0, 1'000'000'000, true, {1'000'000, 1'000'000, 1'000'000, n, n, n, n}},
    TunableInfo{Tunable::idle_min_granularity, "idle_min_granularity_ns", "ns", "Minimum granularity of idle-policy tasks.", 0, 1'000'000'000, false, {n, n, 750'000, n, n, n, n}},
    TunableInfo{Tunable::nr_latency, "nr_latency", "tasks", "Tasks before the period stretches.", 1, 1'000'000, false, {8, 8, 8, n, n, n, n}},
    TunableInfo{Tunable::base_slice, "base_slice_ns", "ns", "Slice of a task without its own.", 100'000, 1'000'000'000, true, {n, n, n, 750'000, 750'000, 750'000, 700'000}},
    TunableInfo{Tunable::migration_cost, "migration_cost_ns", "ns", "How long a task counts as cache hot.", 0, 1'000'000'000, false, {500'000, 500'000, 500'000, 500'000, 500'000, 500'000, 500'000}},
    TunableInfo{Tunable::nr_migrate, "nr_migrate", "tasks", "Most tasks one balance pass looks at.", 1, 1024, false, {32, 32, 32, 32, 32, 32, 32}},
    TunableInfo{Tunable::bandwidth_slice, "cfs_bandwidth_slice_us", "us", "Runtime a queue takes from its group's pool at a time.", 1, 1'000'000, false, {5000, 5000, 5000, 5000, 5000, 5000, 5000}},
    TunableInfo{Tunable::scaling, "tunable_scaling", "", "How the times grow with CPUs: 0 not, 1 logarithmic, 2 linear.", 0, 2, false, {1, 1, 1, 1, 1, 1, 1}},
};
static_assert(tunables.size() == tunable_count);

constexpr std::array<std::string_view, 2> off_and_on_names{"off", "on"};
constexpr std::span<const std::string_view> off_and_on{off_and_on_names};
constexpr std::array<std::string_view, 9> idle_mask_variants{"off", "v1", "draft", "draft_fixed", "v2", "v3", "v5", "v6", "v11"};
constexpr std::array<std::string_view, 3> nohz_stats_variants{"never_stop", "flag", "cpumask"};
constexpr std::array<std::string_view, 3> nohz_tick_variants{"never", "always", "predicted"};
constexpr std::array<std::string_view, 2> draft_test_variants{"both", "either"};
constexpr std::array patches{
    PatchInfo{Patch::test_idle_cores, "test_idle_cores_smt_guard", "Skip test_idle_cores() without SMT", "c8987ae5af79, 2021-03 (v5.13)",
              "The idle-cores flag is not read where no core has siblings: only cost changes.", {1, 0, 1, 1, 1, 1, 1}},
    PatchInfo{Patch::spread_in_llc, "lb_llc_spread", "Spread tasks inside the LLC", "16b0a7a1a0af, 2020-11 (v5.10)",
              "calculate_imbalance() moves a task to an idle CPU of the same LLC.", {0, 1, 1, 1, 1, 1, 1}},
    PatchInfo{Patch::idle_mask, "idle_mask", "Idle cpumask per LLC (RFC)", "mail thread 2020-09 to 2021-07, never merged",
              "The idle scan looks only at CPUs whose bit is set.", {0, 0, 0, 0, 0, 0, 0}, idle_mask_variants},
    PatchInfo{Patch::eevdf_fast_path, "eevdf_fastpath", "O(1) fast path of the EEVDF pick", "ee4373dc902c, 2023-11 (v6.8)",
              "The leftmost entity is taken without a search when it is eligible: only the path changes.", {x, x, x, x, 1, 1, 1}},
    PatchInfo{Patch::nohz_stats_decayed, "nohz_stats", "Stop NOHZ stats when decayed", "f643ea220701, 2018-02 (v4.17)",
              "Idle statistics are no longer updated once all blocked load is gone.", {1, 1, 1, 1, 1, 1, 1}, nohz_stats_variants},
    PatchInfo{Patch::exact_min_slice, "exact_min_slice", "Recompute min_slice in rotations", "picknext: mends a stale value",
              "Off: a rotation leaves the stored minimum slice behind, as 6.12 does.", {x, x, x, x, x, 0, 0}},
    PatchInfo{Patch::select_idle_smt, "select_idle_smt", "Bring select_idle_smt() back", "c722f35b513f, 2021-03 (v5.13, stable 5.12)",
              "Siblings of the previous CPU are tried first, and a failed core search clears the flag of the target's LLC.", {x, 0, x, x, x, x, x}},
    PatchInfo{Patch::scan_past_target, "scan_past_target", "Start the idle scan after the target", "2021-08 (v5.16)",
              "The target, tested already, comes last in the scan.", {0, 0, 1, 1, 1, 1, 1}},
    PatchInfo{Patch::cluster_wakeup, "cluster_wakeup", "Scan the cluster before the LLC", "2023-10 (v6.7)",
              "A wakeup looks at the CPUs of the target's cluster first.", {x, x, x, x, 1, 1, 1}},
    PatchInfo{Patch::util_detach_shift, "util_detach_shift", "Detach bolder by utilisation after failures", "late 2023, in stable trees",
              "A task's utilisation is halved per failed pass when compared with the imbalance.", {0, 0, 1, 1, 1, 1, 1}},
    PatchInfo{Patch::signed_idle_difference, "signed_idle_difference", "Subtract idle counts with sign", "mail thread, not in the kernels modelled",
              "Mends a difference of idle CPUs that wraps to a huge imbalance when it is negative.", {0, 0, 0, 0, 0, 0, 0}},
    PatchInfo{Patch::sibling_imbalance, "sibling_imbalance", "Compare sibling groups by cores", "2023-07 (v6.6)",
              "The imbalance between groups with unlike numbers of cores is weighed by them.", {0, 0, 0, 1, 1, 1, 1}},
    PatchInfo{Patch::smt_balance, "smt_balance", "Pull from a core with two busy threads", "2023-07 (v6.6)",
              "A core with several running tasks is a group type of its own.", {0, 0, 0, 1, 1, 1, 1}},
    PatchInfo{Patch::whole_core_balance, "whole_core_balance", "Prefer a wholly idle core to balance", "2023-07 (v6.6)",
              "Above the core level a CPU of an idle core balances for the group.", {0, 0, 0, 1, 1, 1, 1}},
    PatchInfo{Patch::newidle_gate, "newidle_gate", "No newidle balance for short idle times", "until v5.15",
              "Newidle balancing is skipped when the average idle time is below the migration cost.", {1, 1, 0, 0, 0, 0, 0}},
    PatchInfo{Patch::nohz_tick, "nohz_tick", "When an idle CPU stops its tick", "model: nohz=off, always, or by predicted idle time",
              "A CPU without a tick is balanced for by others.", {1, 1, 1, 1, 1, 1, 1}, nohz_tick_variants},
    PatchInfo{Patch::draft_test, "draft_test", "Test of the idle_mask draft", "mail of 2020-09-17",
              "The draft sets a bit only if the CPU is idle and/or runs idle-policy tasks only.", {0, 0, 0, 0, 0, 0, 0}, draft_test_variants},
};
static_assert(patches.size() == patch_count);

template <class Table>
constexpr bool in_order(const Table& table) {
    for (std::size_t i = 0; i < table.size(); ++i)
        if (static_cast<std::size_t>(table[i].id) != i) return false;
    return true;
}
static_assert(in_order(kernels) && in_order(features) && in_order(tunables) && in_order(patches));

template <class Table>
auto find(const Table& table, std::string_view name) -> std::optional<decltype(table[0].id)> {
    for (const auto& row : table)
        if (row.name == name) return row.id;
    return std::nullopt;
}

} // namespace

std::span<const KernelInfo> kernel_table() { return kernels; }
std::span<const FeatureInfo> feature_table() { return features; }
std::span<const TunableInfo> tunable_table() { return tunables; }
std::span<const PatchInfo> patch_table() { return patches; }

std::optional<Kernel> find_kernel(std::string_view name) { return find(kernels, name); }
std::optional<Feature> find_feature(std::string_view name) { return find(features, name); }
std::optional<Tunable> find_tunable(std::string_view name) { return find(tunables, name); }
std::optional<Patch> find_patch(std::string_view name) { return find(patches, name); }
namespace {
std::span<const std::string_view> names_of(const PatchInfo& patch) { return patch.variants.empty() ? off_and_on : patch.variants; }
} // namespace
std::string_view variant_name(const PatchInfo& patch, int value) {
    const auto names = names_of(patch);
    PICKNEXT_ASSERT(value >= 0 && static_cast<std::size_t>(value) < names.size(), "value {} of patch {}", value, patch.name);
    return names[static_cast<std::size_t>(value)];
}
std::optional<int> find_variant(const PatchInfo& patch, std::string_view name) {
    if (name == "false") name = "off";
    if (name == "true") name = "on";
    const auto names = names_of(patch);
    const auto at = std::ranges::find(names, name);
    return at == names.end() ? std::nullopt : std::optional(static_cast<int>(at - names.begin()));
}
std::string variant_names(const PatchInfo& patch) {
    std::string out;
    for (const std::string_view name : names_of(patch)) {
        if (!out.empty()) out += ", ";
        out += name;
    }
    return out;
}
std::string_view name_of(Kernel kernel) { return kernels[static_cast<std::size_t>(kernel)].name; }

int scaling_factor(int scaling, int online_cpus) {
    PICKNEXT_ASSERT(online_cpus >= 1, "{} online CPUs", online_cpus);
    const int cpus = online_cpus < 8 ? online_cpus : 8;
    if (scaling == 0) return 1;
    if (scaling == 2) return cpus;
    return static_cast<int>(std::bit_width(static_cast<unsigned>(cpus)));
}

Settings default_settings(Kernel kernel, int online_cpus) {
    const auto k = static_cast<std::size_t>(kernel);
    Settings s;
    s.kernel = kernel;
    for (const FeatureInfo& f : features) s.set(f.id, f.by_kernel[k] == 1);
    const int factor = scaling_factor(static_cast<int>(tunables[static_cast<std::size_t>(Tunable::scaling)].by_kernel[k]), online_cpus);
    for (const TunableInfo& t : tunables) {
        const std::int64_t value = t.by_kernel[k];
        s[t.id] = value != absent && t.scales ? value * factor : value;
    }
    s.patches.fill(absent);
    for (const PatchInfo& p : patches) s.patches[static_cast<std::size_t>(p.id)] = p.by_kernel[k];
    return s;
}

} // namespace picknext
