// SPDX-License-Identifier: GPL-3.0-or-later
// One balance pass of one domain (fn: load_balance, 6.12: sched_balance_rq): decides and moves by turns. And the
// decisions it makes on the way.
#pragma once

#include <vector>

#include "core/balance/group_stats.hpp"

namespace picknext::balance {

/// What a pass does to tasks; the engine's enqueue and dequeue stand behind it.
class Mover {
  public:
    virtual ~Mover() = default;
    /// Takes a queued task off its CPU. The list of the CPU's tasks is kept by this call too.
    virtual void detach(TaskId task, CpuId from) = 0;
    virtual void attach(TaskId task, CpuId to) = 0;
    /// The running task of `source` is to be pushed to Rq::push_cpu.
    virtual void start_active_balance(CpuId source) = 0;
};

struct PassResult {
    int moved = 0;
    int examined = 0;               // CPUs whose statistics were gathered, each time
    int tested = 0;                 // tasks looked at
    bool continue_balancing = true; // false: this CPU is not the one to balance here, nor further up
};

/// What the steps of a pass share (struct lb_env).
struct Env {
    DomainId domain;
    CpuId this_cpu;             // who balances
    CpuId dst_cpu;              // who receives: this_cpu, or another of its group for pinned tasks
    CpuId src_cpu = {};
    IdleKind idle = IdleKind::idle;
    CpuSet cpus;                // considered
    Imbalance imbalance = {};
    bool all_pinned = false, some_pinned = false, dst_pinned = false, need_break = false;
    CpuId new_dst_cpu = {};
    std::uint32_t loop = 0, loop_break = 32, loop_max = 0;
    bool active = false;        // the stopper pushes: hotness does not matter
};

struct YesNo {
    bool yes = false;
    Reason reason = Reason::none;
};
/// May this CPU balance the domain for its group (fn: should_we_balance)?
template <DecisionSink S>
[[nodiscard]] YesNo should_we_balance(const State& st, const Settings& settings, const Domains& domains, const Env& env, Evidence<S>& why);

struct Source {
    CpuId cpu;
    Reason reason = Reason::queue_none;
};
/// The CPU of the group to pull from (fn: find_busiest_queue).
template <DecisionSink S>
[[nodiscard]] Source find_busiest_queue(const State& st, const Settings& settings, const Domains& domains, const Env& env, const SchedGroup& group,
                                        Evidence<S>& why);

/// Looks at one queued task of env.src_cpu.
struct DetachVerdict {
    bool moves = false;
    Reason reason = Reason::none;
    std::int64_t amount = 0;         // taken off the imbalance
    bool allowed = false;            // on the destination: not all tasks are pinned
    bool forced = false;             // cache hot, but too many passes failed to heed that
    CpuId other_dst = {};            // a CPU of the own group that could take it instead
};
template <DecisionSink S>
[[nodiscard]] DetachVerdict may_detach(const State& st, const Settings& settings, const Domains& domains, const Env& env, TaskId task, Evidence<S>& why);

/// Is the running task of env.src_cpu to be pushed here (fn: need_active_balance)?
template <DecisionSink S>
[[nodiscard]] YesNo need_active_balance(const State& st, const Settings& settings, const Domains& domains, const Env& env, Evidence<S>& why);

/// The pass. active: CPUs that take part in balancing (online).
template <DecisionSink S>
PassResult balance_pass(State& st, const Domains& domains, DomainId domain, CpuId this_cpu, IdleKind idle, CpuSetView active, Mover& mover,
                        Recorder<S>& recorder);

/// What the stopper does on env.src_cpu: moves one task, hot or not, to dst (fn: active_load_balance_cpu_stop).
/// False: none could move.
template <DecisionSink S>
bool push_running(State& st, const Domains& domains, CpuId source, Mover& mover, Recorder<S>& recorder);

} // namespace picknext::balance
