// SPDX-License-Identifier: GPL-3.0-or-later
// Charges what the kernel does to the CPU that does it: adds to Rq::kernel_until, which is when that CPU goes on with its
// task. What is decided, and by whom, never depends on a cost but through the time it takes. With costs that are all zero
// nothing here changes anything. Kernel functions charged for: see cost::cost_table().
//
// Simplified: state changes at the beginning of an operation whose cost then follows, but for the part of a system call before
// its effect; a CPU counts as idle from the moment its switch to idle begins.
#pragma once

#include <cstdint>
#include <vector>

#include "core/balance/pass.hpp"
#include "core/cost/costs.hpp"
#include "core/cost/lines.hpp"
#include "core/engine/scenario.hpp"
#include "core/placement/wake.hpp"
#include "core/state/state.hpp"

namespace picknext::engine {

/// Assumed: a task touches one byte a nanosecond, up to the working set of the profile; what it touched is refilled.
inline constexpr std::int64_t bytes_per_ns = 1;

class Charging {
  public:
    Charging(State& state, const Scenario& scenario, const Domains& doms);

    /// Any cost above zero? If not, searched() and notify() are not to be called, and all else charges nothing.
    [[nodiscard]] bool on() const { return m_on; }
    [[nodiscard]] std::int64_t cost(cost::Cost c) const { return m_costs[c]; }
    /// When the CPU is through with what it was charged for; now if it is.
    [[nodiscard]] std::int64_t clock(CpuId cpu) const {
        const std::int64_t until = st.rq(cpu).kernel_until;
        return until > st.now ? until : st.now;
    }
    void charge(CpuId cpu, Spend what, std::int64_t ns) {
        if (ns <= 0) return;
        st.accounts.spend(what, ns);
        st.rq(cpu).kernel_until = clock(cpu) + ns;
    }

    // ---- system calls
    /// Before the effect of the operation: the way in and what is copied. retrying: the task comes back from waiting in it.
    [[nodiscard]] std::int64_t entry(const Op& op, const Workload& workload, bool retrying) const;
    /// A message was written or read: who meets another at the mutex of the pipe spins, and half of the lines a message brings
    /// along come from the CPU that used the channel last; none when that is this one.
    void passed_message(CpuId cpu, const ResourceSpec& spec, Resource& channel);
    /// The way out of a read that did not wait.
    void read_returned(CpuId cpu, const ResourceSpec& channel);
    /// futex(FUTEX_WAKE) of one sleeper, the waker's side; contains the wakeup and the sending of an IPI.
    void futex_wake(CpuId cpu);

    // ---- wakeups
    void wakeup(CpuId waker);
    /// The search for a CPU; ns it took.
    std::int64_t searched(CpuId waker, const placement::Placement& placed, const placement::Looks& looks);
    /// A task joined or left the queue of `queue`, by the hand of `by`.
    void queue_changed(CpuId by, CpuId queue);
    /// `from` tells the other CPU to look at its queue, unless that is on its way already. sent: sending was charged for.
    void notify(CpuId from, CpuId target, bool sent);
    /// A timer expires on an idle CPU: when it has left its idle state; now if it is awake.
    [[nodiscard]] std::int64_t awake_at(CpuId cpu);

    // ---- switches and idleness
    void picked(CpuId cpu, PickPath path, std::uint32_t queued);
    void switched(CpuId cpu, TaskId prev, TaskId next);
    /// The CPU enters the idle state that suits how long it is expected to idle.
    void idles(CpuId cpu);
    /// How long the CPU, which goes idle now, is expected to: see cost::predict_idle. with_tick: its tick wakes it too.
    [[nodiscard]] std::int64_t predicted_idle(CpuId cpu, bool with_tick) const;

    // ---- ticks and balancing
    void tick(CpuId cpu) { charge(cpu, Spend::tick, m_costs[cost::Cost::tick]); }
    void stopper(CpuId cpu) { charge(cpu, Spend::stopper, m_costs[cost::Cost::stopper]); }
    /// ns the pass took.
    std::int64_t balanced(CpuId cpu, const balance::PassResult& pass);
    /// The CPU's tick stops. joins: nohz.idle_cpus_mask changes, and sd_llc_shared with it.
    void nohz_entered(CpuId cpu, bool joins);
    void nohz_left(CpuId cpu);
    void nohz_round(CpuId cpu, std::int64_t refreshed, std::int64_t skipped);
    /// The bit of `cpu` in the mask of idle CPUs was written.
    void mask_written(CpuId by, CpuId cpu);

  private:
    [[nodiscard]] std::int64_t read_part(ResourceKind channel, bool returning) const; // before a read can block, and after
    void bring_lines(CpuId from, CpuId cpu);
    void lock_pipe(CpuId cpu, const ResourceSpec& spec, Resource& channel);
    std::int64_t access(CpuId cpu, cost::LineKind kind, std::size_t at, cost::LineOp op);
    [[nodiscard]] std::int64_t path(CpuId cpu, std::int64_t ns) const; // dearer with cold caches
    [[nodiscard]] std::int32_t address_space(TaskId task) const;
    [[nodiscard]] std::int64_t refill(CpuId cpu, TaskId next) const;
    [[nodiscard]] std::size_t llc(CpuId cpu) const;

    State& st;
    const Scenario& m_scenario;
    const Domains& domains;
    const cost::Costs& m_costs;
    cost::LineLayout m_layout;
    bool m_on;
};

/// The state gets what only costs need.
void prepare_costs(State& st, const Scenario& scenario);

} // namespace picknext::engine
