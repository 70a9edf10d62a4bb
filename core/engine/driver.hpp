// SPDX-License-Identifier: GPL-3.0-or-later
// Inside of the event loop: carries one event through until no CPU has anything left to do at this instant.
// Everything that happens at one instant happens CPU by CPU, lowest number first.
#pragma once

#include <vector>

#include "core/engine/balancing.hpp"
#include "core/engine/plan.hpp"
#include "core/engine/sched_core.hpp"
#include "core/placement/wake.hpp"
#include "core/state/events.hpp"

namespace picknext::engine {

/// A task round or phase round that took no time at all is followed by this much work, so that time goes on.
/// Assumed: real programs cannot loop in zero time.
inline constexpr std::int64_t zero_time_round_ns = 1000;
/// A task that forks before it passed any time works first: else children that fork at once would stop the clock.
/// Assumed: no program forks in zero time.
inline constexpr std::int64_t fork_at_birth_ns = 1000;

/// The row of State::masks that equals `set`; an empty set means all CPUs (row 0).
MaskId mask_row(State& st, const CpuSet& set);

/// Adds one instance of a task spec, waiting to start. instance: its rank among those of the spec.
TaskId add_instance(State& st, const Scenario& scenario, const Plan& plan, std::int32_t spec, std::int32_t instance);

template <DecisionSink S>
class Driver {
  public:
    Driver(State& state, const Scenario& sc, const Plan& pl, Recorder<S>& recorder)
        : st(state), scenario(sc), plan(pl), m_domains(domains_of(pl, state)), charging(state, sc, m_domains),
          m_balancer(state, m_domains, charging, recorder), m_context{state, recorder, &m_balancer, &charging}, m_rec(recorder) {}
    Driver(const Driver&) = delete;

    /// Everything one event causes; not for edits.
    void handle(const Event& event);
    /// Everything an edit causes; where it changes which CPUs are online, that is done already (switch_cpu).
    void handle(const Edit& edit);

    // For the interpreter (program.cpp).
    State& st;
    const Scenario& scenario;
    const Plan& plan;

  private:
    const Domains& m_domains; // those of the CPUs that are online; they change only between drivers

  public:
    Charging charging;

    /// A sleeping task wakes; nothing if it does not sleep. waker: CPU that executes the wakeup. By futex: its cost then
    /// contains the wakeup.
    enum class By : std::uint8_t { kernel, futex };
    void wake(TaskId task, CpuId waker, bool sync, By by = By::kernel);
    /// The current task of the CPU blocks (state and doing are set already); the CPU schedules.
    void block(CpuId cpu);
    /// The current task ends.
    void exit_current(CpuId cpu);
    void yield(CpuId cpu);
    /// A waiting instance starts: its first placement and wakeup. forked: the parent's CPU executes that.
    void start(TaskId task, CpuId parent_cpu, bool forked);
    /// The current task enters the kernel for this operation: true if that takes time, and the operation goes on after it.
    [[nodiscard]] bool enters(CpuId cpu, const Op& op);
    /// The current task works from now on (doing, work_left or until are set): plans the end of it.
    void work(CpuId cpu);
    void change_attributes(TaskId task, const Attributes& attributes);
    /// The CPU is looked at before the event ends.
    void touch(CpuId cpu);

  private:
    void settle();
    void touch_asked();
    void reschedule(CpuId cpu);
    void pause(CpuId cpu);
    void tick(CpuId cpu);
    void arm_tick(CpuId cpu);
    void switched(CpuId cpu, TaskId prev, TaskId next);
    void leave_forbidden_cpu(TaskId task);
    void enforce_affinity(TaskId task);
    [[nodiscard]] bool joins_wake_list(TaskId task, CpuId waker, CpuId target);
    void run_wake_list(CpuId cpu);
    [[nodiscard]] CpuId place(placement::Wake wake);
    void alert(CpuId target, CpuId from, By by);
    void interrupt(CpuId cpu);
    void arrive(CpuId cpu);
    void plan_interrupted();
    void count_missing_bits(const placement::Wake& wake);
    [[nodiscard]] CpuId starting_cpu(TaskId task);
    void drain(CpuId cpu);
    void come_up(CpuId cpu);
    void change_affinity(TaskId task, const CpuSet& cpus);

    void push_running_away(CpuId cpu);
    void idle_loop(CpuId cpu);
    void retick(CpuId cpu);
    void settle_balance();

    Balancer<S> m_balancer;
    Context<S> m_context;
    Recorder<S>& m_rec;
    std::vector<CpuId> m_touched;
    std::vector<CpuId> m_interrupted; // their tasks' work is to be planned anew before the event ends
    CpuId m_here;                     // CPU that executes now
    placement::Looks m_looks;
};

/// Runs the program of the CPU's current task until an operation takes time, blocks, or the task is to be preempted.
template <DecisionSink S>
void advance_program(Driver<S>& driver, CpuId cpu);

} // namespace picknext::engine
