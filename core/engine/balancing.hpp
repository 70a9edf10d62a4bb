// SPDX-License-Identifier: GPL-3.0-or-later
// When CPUs balance: at the tick, before idling, on behalf of CPUs without a tick. Drives the decisions of core/balance
// and core/nohz and carries them out.
#pragma once

#include <utility>
#include <vector>

#include "core/balance/pass.hpp"
#include "core/engine/charging.hpp"
#include "core/engine/sched_core.hpp"
#include "core/nohz/nohz.hpp"
#include "core/placement/idle_mask.hpp"

namespace picknext::engine {

template <DecisionSink S>
class Balancer final : public balance::Mover, public nohz::IdleHost, public IdlePath {
  public:
    Balancer(State& state, const Domains& doms, Charging& charging, Recorder<S>& recorder)
        : st(state), domains(doms), m_charging(charging), m_context{state, recorder, nullptr, &charging}, m_rec(recorder) {}

    /// After the fair class's part of the tick (fn: scheduler_tick, run_rebalance_domains).
    void tick(CpuId cpu);
    /// The current task of the CPU was picked, or ticked: does it fit there?
    void runs(CpuId cpu);
    /// The CPU was told to look after those without a tick: does so if it still idles (fn: nohz_csd_func).
    void kicked(CpuId cpu);
    /// Entry of the idle loop: blocked load that newidle balancing left to do.
    void enter_idle_loop(CpuId cpu);
    /// Would this idle CPU stop its tick? A model: never, always, or when it idles longer than a tick on average.
    [[nodiscard]] bool stops_tick(CpuId cpu) const;
    /// One pass of the idle loop, with the tick stopped or not.
    void idle_pass(CpuId cpu, bool tick_stops);
    /// The idle_mask patch's hook, where it has one.
    /// by: CPU that executes it, none: the CPU itself.
    void write_mask(CpuId cpu, placement::MaskHook hook, placement::IdlePass pass = {}, CpuId by = {});
    /// The stopper's part of an active balance; the running task waits already.
    void push(CpuId cpu);

    /// CPUs whose queues changed, and CPUs whose running task is to be pushed, since the last call.
    [[nodiscard]] std::vector<CpuId> take_touched() { return std::exchange(m_touched, {}); }
    [[nodiscard]] std::vector<CpuId> take_pushes() { return std::exchange(m_pushes, {}); }

    // IdlePath
    bool pull_before_idle(CpuId cpu) override;
    void going_idle(CpuId cpu) override;
    // Mover
    void detach(TaskId task, CpuId from) override;
    void attach(TaskId task, CpuId to) override;
    void start_active_balance(CpuId source) override;
    // IdleHost
    bool refresh_blocked(CpuId cpu) override;
    void rebalance(CpuId cpu) override;

  private:
    [[nodiscard]] std::int64_t interval(DomainId domain, bool busy) const;
    [[nodiscard]] bool decay_cost(DomainId domain);
    void rebalance_domains(CpuId cpu, balance::IdleKind idle);
    struct Searched {
        int moved = 0;
        std::int64_t ns = 0;
    };
    Searched pass(DomainId domain, CpuId cpu, balance::IdleKind idle, bool& go_on);
    Searched newidle_pass(DomainId domain, CpuId cpu, bool& go_on);
    void look_after(CpuId cpu, std::uint8_t flags, Reason reason);
    int search_domains(CpuId cpu);
    void pull_forward(CpuId cpu, DomainId domain);

    State& st;
    const Domains& domains;
    Charging& m_charging;
    CpuId m_payer; // who runs the passes in hand; none: the CPU they are for
    Context<S> m_context;
    Recorder<S>& m_rec;
    std::vector<CpuId> m_touched, m_pushes;
};

} // namespace picknext::engine
