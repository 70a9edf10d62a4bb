// SPDX-License-Identifier: GPL-3.0-or-later
// What a task pays for leaving its caches, and a CPU for leaving an idle state. Model: no kernel function computes these;
// the prediction is a shortened form of the menu governor (get_typical_interval and menu_select, 6.12).
#pragma once

#include <array>
#include <cstdint>
#include <span>

#include "core/cost/costs.hpp"
#include "core/profile/profile.hpp"
#include "core/state/accounts.hpp"

namespace picknext::cost {

inline constexpr std::int64_t line_bytes = 64;

/// The first run after a move between two CPUs of this relation: every line of min(working set, footprint) bytes comes from
/// there, refill_mlp at a time. `footprint` is what the task touched since it was last cold (bytes, >= 0). Threads of a
/// core share their caches: 0. ns.
[[nodiscard]] std::int64_t refill_ns(const Costs& costs, Sharing from, std::int64_t working_set, std::int64_t footprint);

/// The same when the task comes back to its own CPU after others ran there: refill_preempted of a refill inside the LLC
/// (assumed). ns.
[[nodiscard]] std::int64_t refill_preempted_ns(const Costs& costs, std::int64_t working_set, std::int64_t footprint);

/// How long an idle CPU is expected to sleep: until its next timer (ns from now, >= 0), or once eight lengths are known the
/// median of these if their spread is small (standard deviation at most 20 us or a sixth of the mean), else the longest of
/// them, if that is sooner. The longest stands for the governor's correction factors, which learn that timers are far: without
/// it a CPU that sleeps 10 and 60 us by turns would be sent to the deepest state each time.
[[nodiscard]] std::int64_t predict_idle(std::int64_t next_timer, const IdleHistory& history);

/// Whether a CPU that goes idle stops its tick: it is stopped already, or at least one tick of idle time is predicted;
/// the switch of the run may say always or never (nohz=off).
[[nodiscard]] bool stops_tick(NohzTick mode, std::int64_t predicted, std::int64_t tick_ns, bool stopped);

/// Index of the deepest state whose residency is at most `predicted`; the lightest when none is. At least one state.
[[nodiscard]] std::size_t deepest_state(const Costs& costs, std::int64_t predicted);

/// Leaving the idle state a CPU chose for `predicted` ns. 0 for a profile without idle states.
[[nodiscard]] std::int64_t idle_exit_ns(const Costs& costs, std::int64_t predicted);

} // namespace picknext::cost
