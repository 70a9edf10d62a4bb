// SPDX-License-Identifier: GPL-3.0-or-later
// Kernel profiles as data: which kernels there are, their features, tunables and patches, and the defaults of each.
// Settings is the value a run is under: a profile with every difference from it resolved.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>

namespace picknext {

/// A kernel whose behaviour is modelled. 6.12y is the stable tree 6.12.117; 5.12 is 5.12.9; 6.1 is 6.1.192; 6.6 is 6.6.9.
enum class Kernel : std::uint8_t { cfs_5_10, cfs_5_12, cfs_6_1, eevdf_6_6, eevdf_6_8, eevdf_6_12, eevdf_6_12y };
inline constexpr std::size_t kernel_count = 7;

/// sched_feat bits, plus product toggles that only exist here (lower-case names in the table).
enum class Feature : std::uint8_t {
    gentle_fair_sleepers, start_debit, next_buddy, last_buddy, cache_hot_buddy, wakeup_preemption, alt_period,
    base_slice, place_lag, place_deadline_initial, run_to_parity, place_rel_deadline, preempt_short, delay_dequeue,
    delay_zero, pick_buddy, hrtick, double_tick, ttwu_queue, attach_age_load, util_est, util_est_fastup, sis_prop,
    sis_util, wa_idle, wa_weight, wa_bias, lb_min, ni_random, nontask_capacity, child_runs_first,
    count
};
inline constexpr std::size_t feature_count = static_cast<std::size_t>(Feature::count);

/// Numbers a user may change. Nanoseconds unless the table says otherwise.
enum class Tunable : std::uint8_t {
    hz, latency, min_granularity, wakeup_granularity, idle_min_granularity, nr_latency, base_slice, migration_cost,
    nr_migrate, bandwidth_slice, scaling, count
};
inline constexpr std::size_t tunable_count = static_cast<std::size_t>(Tunable::count);

/// Switches of the five mail threads and of later mends. A value above 1 is a variant (idle_mask).
enum class Patch : std::uint8_t {
    test_idle_cores,   // thread 1
    spread_in_llc,     // thread 2
    idle_mask,         // thread 3
    eevdf_fast_path,   // thread 4
    nohz_stats_decayed,// thread 5
    exact_min_slice,   // recompute min_slice in rotations too (mends a stale group slice)
    // differences between kernels that are worth switching one by one
    select_idle_smt,   // 5.12: the sibling search comes back, the failed core search clears the target's flag
    scan_past_target,  // the idle scan starts after the target, not at it
    cluster_wakeup,    // wakeups look at the cluster first
    util_detach_shift, // detaching by utilisation grows bolder with each failure
    signed_idle_difference, // mends the unsigned difference of idle counts
    sibling_imbalance, // compare groups by their cores
    smt_balance,       // group type smt_balance
    whole_core_balance,// who balances: prefer a CPU on an idle core
    newidle_gate,      // no newidle balance when the average idle time is below the migration cost
    nohz_tick,         // when an idle CPU stops its tick: a NohzTick
    draft_test,        // idle_mask=draft: which of its two tests refuse, see DraftTest
    count
};
inline constexpr std::size_t patch_count = static_cast<std::size_t>(Patch::count);

/// Values of Patch::idle_mask: which posting of the mail thread.
enum class IdleMask : std::int8_t { off, v1, draft, draft_fixed, v2, v3, v5, v6, v11 };
/// Values of Patch::nohz_stats_decayed.
enum class NohzStats : std::int8_t { never_stop, flag, cpumask };
/// Values of Patch::nohz_tick.
enum class NohzTick : std::int8_t { never, always, predicted };
/// Values of Patch::draft_test: refuse to set the bit unless idle and idle-policy-only (as mailed), or unless one of them.
enum class DraftTest : std::int8_t { both, either };

inline constexpr std::int8_t absent = -1; // the profile does not have it

struct KernelInfo {
    Kernel id;
    std::string_view name;    // "eevdf-6.12y"
    std::string_view title;   // what it stands for, one line
};
struct FeatureInfo {
    Feature id;
    std::string_view name;    // the kernel's, e.g. "RUN_TO_PARITY"
    std::string_view what;    // one sentence
    std::array<std::int8_t, kernel_count> by_kernel; // 0, 1 or absent
};
struct TunableInfo {
    Tunable id;
    std::string_view name;    // the kernel's sysctl or debugfs name without prefix
    std::string_view unit;    // "ns", "Hz", "tasks", ""
    std::string_view what;
    std::int64_t min, max;
    bool scales;              // multiplied by the CPU-count factor (fn: update_sysctl)
    std::array<std::int64_t, kernel_count> by_kernel; // unscaled default; -1 absent
};
struct PatchInfo {
    Patch id;
    std::string_view name;    // key in files
    std::string_view title;
    std::string_view origin;  // commit or mail thread, first release
    std::string_view governs; // what it changes
    std::array<std::int8_t, kernel_count> by_kernel; // default value, absent where it means nothing
    std::span<const std::string_view> variants = {}; // names of the values, empty for off and on
};

[[nodiscard]] std::span<const KernelInfo> kernel_table();
[[nodiscard]] std::span<const FeatureInfo> feature_table();
[[nodiscard]] std::span<const TunableInfo> tunable_table();
[[nodiscard]] std::span<const PatchInfo> patch_table();

[[nodiscard]] std::optional<Kernel> find_kernel(std::string_view name);
[[nodiscard]] std::optional<Feature> find_feature(std::string_view name); // kernel spelling, case-sensitive
[[nodiscard]] std::optional<Tunable> find_tunable(std::string_view name);
[[nodiscard]] std::optional<Patch> find_patch(std::string_view name);
[[nodiscard]] std::string_view name_of(Kernel kernel);
/// The name of a patch's value: that of a variant, else "off" or "on". The value must not be absent.
[[nodiscard]] std::string_view variant_name(const PatchInfo& patch, int value);
/// The value of that name; false and true are taken for off and on. Nothing if the patch has none of that name.
[[nodiscard]] std::optional<int> find_variant(const PatchInfo& patch, std::string_view name);
/// All names of its values: "off, on".
[[nodiscard]] std::string variant_names(const PatchInfo& patch);

/// The fixed behaviour of a profile that no user switch changes (fair-class.md 13.1).
enum class TreeKey : std::uint8_t { vruntime, deadline };
enum class Augment : std::uint8_t { none, min_deadline, min_vruntime, min_vruntime_min_slice };

/// The settings a run is under. Plain value, part of State, so that edits travel with the position.
struct Settings {
    Kernel kernel = Kernel::eevdf_6_12y;
    std::uint8_t pad[7] = {};
    std::uint64_t features = 0;                            // bit = Feature
    std::array<std::int64_t, tunable_count> tunables = {}; // effective (scaled) values, -1 absent
    std::array<std::int8_t, 24> patches = {};              // by Patch, absent = meaningless here

    [[nodiscard]] constexpr bool on(Feature f) const { return ((features >> static_cast<unsigned>(f)) & 1U) != 0; }
    constexpr void set(Feature f, bool value) {
        const std::uint64_t bit = std::uint64_t{1} << static_cast<unsigned>(f);
        features = value ? features | bit : features & ~bit;
    }
    [[nodiscard]] constexpr std::int64_t operator[](Tunable t) const { return tunables[static_cast<std::size_t>(t)]; }
    constexpr std::int64_t& operator[](Tunable t) { return tunables[static_cast<std::size_t>(t)]; }
    [[nodiscard]] constexpr int patch(Patch p) const { return patches[static_cast<std::size_t>(p)]; }
    [[nodiscard]] constexpr IdleMask idle_mask() const { return static_cast<IdleMask>(patch(Patch::idle_mask)); }
    constexpr void set(Patch p, int value) { patches[static_cast<std::size_t>(p)] = static_cast<std::int8_t>(value); }
    [[nodiscard]] constexpr bool eevdf() const { return kernel >= Kernel::eevdf_6_6; }
    [[nodiscard]] constexpr TreeKey tree_key() const {
        return kernel >= Kernel::eevdf_6_8 ? TreeKey::deadline : TreeKey::vruntime;
    }
    [[nodiscard]] constexpr Augment augment() const {
        return kernel >= Kernel::eevdf_6_12  ? Augment::min_vruntime_min_slice
               : kernel == Kernel::eevdf_6_8 ? Augment::min_vruntime
               : kernel == Kernel::eevdf_6_6 ? Augment::min_deadline
                                             : Augment::none;
    }
    /// TICK_NSEC: (10^9 + HZ/2) / HZ.
    [[nodiscard]] constexpr std::int64_t tick_ns() const {
        const std::int64_t hz = (*this)[Tunable::hz];
        return (1'000'000'000 + hz / 2) / hz;
    }
    friend bool operator==(const Settings&, const Settings&) = default;
};

/// 1 + floor(log2(min(cpus, 8))) for the default logarithmic scaling (fn: get_update_sysctl_factor).
/// scaling: 0 none, 1 log, 2 linear. online_cpus >= 1.
[[nodiscard]] int scaling_factor(int scaling, int online_cpus);

/// The defaults of a kernel on a machine with this many online CPUs (>= 1): every number already scaled.
[[nodiscard]] Settings default_settings(Kernel kernel, int online_cpus);

} // namespace picknext
