// SPDX-License-Identifier: GPL-3.0-or-later
// Thread 3: the proposed mask of idle CPUs per LLC, in every posted form. The mask is a hint the idle scan starts from;
// each form says when a CPU's bit is written. All hooks decide purely; apply() writes.
#pragma once

#include "core/state/state.hpp"
#include "core/topology/domains.hpp"
#include "core/trace/recorder.hpp"

namespace picknext::placement {

/// Where the scheduler asks whether to write the bit of a CPU.
enum class MaskHook : std::uint8_t {
    switching_to_idle, // the last task left the queue, the CPU still counts as running it (set_next_task_idle)
    idle_loop,         // one pass of the idle loop; see IdlePass
    tick,              // a tick, after rq.idle_balance was set
    wakeup,            // the CPU was chosen by the fast path of a wakeup
    attributes         // attributes of a running idle-policy task changed
};
/// What the idle loop does in a pass.
struct IdlePass {
    bool tick_stops = false;   // it stops now or is stopped already
    bool enters_nohz = false;  // and the CPU was not in the nohz state
    bool polls = false;        // it polls instead of entering an idle state
};

struct MaskWrite {
    std::int8_t bit = -1;      // 1 set, 0 clear, -1 no write
    std::int8_t state = -1;    // the state remembered as last written, -1 unchanged
    Reason reason = Reason::mask_kept;
    bool asked = false;        // the form in force has a rule for this hook
};
template <DecisionSink S>
[[nodiscard]] MaskWrite decide_mask(const State& st, const Settings& settings, const Domains& domains, CpuId cpu, MaskHook hook, IdlePass pass,
                                    Evidence<S>& why);
void apply(State& st, CpuId cpu, const MaskWrite& write);

} // namespace picknext::placement
