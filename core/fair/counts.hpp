// SPDX-License-Identifier: GPL-3.0-or-later
// The task counts each level of a hierarchy keeps of everything below it.
#pragma once

#include <cstdint>

#include "core/state/state.hpp"

namespace picknext::fair {

/// What joins or leaves the task counts of each level.
struct Counts {
    std::uint32_t queued = 0, runnable = 0, idle = 0;
};

inline void add(Queue& q, const Counts& n) {
    q.h_nr_queued += n.queued;
    q.h_nr_runnable += n.runnable;
    q.h_nr_delayed += n.queued - n.runnable;
    q.h_nr_idle += n.idle;
}
inline void subtract(Queue& q, const Counts& n) {
    q.h_nr_queued -= n.queued;
    q.h_nr_runnable -= n.runnable;
    q.h_nr_delayed -= n.queued - n.runnable;
    q.h_nr_idle -= n.idle;
}
/// Everything below an idle group is idle to the levels above it.
inline void pass_idle_group(const State& st, const Queue& q, Counts& n) {
    if (st.groups[q.group.index()].idle != 0) n.idle = n.queued;
}

/// Tasks the CPU may pick join or leave its count (fns: add_nr_running, sub_nr_running).
inline void add_running(State& st, CpuId cpu, std::uint32_t tasks) {
    Rq& rq = st.rq(cpu);
    if (rq.nr_running < 2 && rq.nr_running + tasks >= 2) st.nohz.overloaded = 1; // there is something to pull
    rq.nr_running += tasks;
}
inline void subtract_running(State& st, CpuId cpu, std::uint32_t tasks) { st.rq(cpu).nr_running -= tasks; }

/// A group entity's weight in PELT's runnable sums (fn: se_update_runnable).
inline void renew_runnable(const State& st, Entity& e) {
    if (e.my_queue) e.runnable_weight = st.queue(e.my_queue).h_nr_runnable;
}

} // namespace picknext::fair
