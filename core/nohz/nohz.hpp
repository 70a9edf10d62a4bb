// SPDX-License-Identifier: GPL-3.0-or-later
// CPUs that idle without a tick: who enters and leaves their mask, who asks one of them to balance for all, and that run.
#pragma once

#include "core/state/state.hpp"
#include "core/topology/domains.hpp"
#include "core/trace/recorder.hpp"

namespace picknext::nohz {

/// What a CPU is asked to do (bits of Rq::nohz_flags).
inline constexpr std::uint8_t balance_kick = 1; // balance for every CPU without a tick
inline constexpr std::uint8_t stats_kick = 2;   // bring their blocked load up to date
inline constexpr std::uint8_t newidle_kick = 4; // as stats, set by the CPU on itself before it idles
inline constexpr std::uint8_t next_kick = 8;    // find out anew when the next balance is due
inline constexpr std::uint8_t kick_mask = balance_kick | stats_kick | next_kick;

/// Blocked load is refreshed at most this often.
[[nodiscard]] constexpr std::int64_t blocked_period(std::int64_t hz) { return (32 * hz + 999) / 1000; }

/// The idle CPU stopped its tick (fn: nohz_balance_enter_idle).
void enter_idle(State& st, const Domains& domains, CpuId cpu);
/// A tick found the CPU busy (fn: nohz_balance_exit_idle). Not at the end of idleness: until the tick the bit is stale.
void exit_idle(State& st, const Domains& domains, CpuId cpu);

struct Kick {
    std::uint8_t flags = 0;         // what is due, also when nobody is found to do it
    CpuId ilb = {};                 // whose flags change, none: nobody's
    bool ipi = false;               // it is to be told: nobody else has asked yet
    Reason reason = Reason::kick_not_needed;
};
/// At the tick of a CPU, after rq.idle_balance was set (fns: nohz_balancer_kick, kick_ilb). Pure; the tick of a busy CPU
/// also takes it out of the mask, which this takes into account.
template <DecisionSink S>
[[nodiscard]] Kick decide_kick(const State& st, const Settings& settings, const Domains& domains, CpuId cpu, Evidence<S>& why);
/// Takes the CPU out of the mask if its tick found it busy, and writes what the decision writes. Sending the IPI is the
/// caller's.
void apply_kick(State& st, const Domains& domains, CpuId cpu, const Kick& kick);

/// What an idle balance does to other CPUs.
class IdleHost {
  public:
    virtual ~IdleHost() = default;
    /// Decays what sleepers left on the CPU; true while anything is left (fn: update_blocked_averages).
    virtual bool refresh_blocked(CpuId cpu) = 0;
    /// Balances the domains of an idle CPU on its behalf; renews its next_balance (fn: rebalance_domains).
    virtual void rebalance(CpuId cpu) = 0;
};
/// What such a run came to: CPUs whose blocked load it refreshed, and others it visited. The cpumask variant of thread 5
/// visits no others.
struct Round {
    int refreshed = 0, skipped = 0;
};
/// Looks after the CPUs without a tick on behalf of `cpu`, itself last (fn: _nohz_idle_balance).
template <DecisionSink S>
Round idle_balance(State& st, const Domains& domains, CpuId cpu, std::uint8_t flags, Reason reason, IdleHost& host, Recorder<S>& recorder);

/// The IPI arrived: takes the flags; what is to be run now, 0 if the CPU is busy (fn: nohz_csd_func).
[[nodiscard]] std::uint8_t take_flags(State& st, CpuId cpu);
/// Nothing was pulled before idling: is blocked load to be refreshed from the idle loop (fn: nohz_newidle_balance)?
void newidle_step(State& st, CpuId cpu);
/// Entry of the idle loop: true if the CPU is to run idle_balance with stats_kick (fn: nohz_run_idle_balance).
[[nodiscard]] bool idle_loop_entry(State& st, CpuId cpu);

} // namespace picknext::nohz
