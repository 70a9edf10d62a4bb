// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/engine/schedstat.hpp"

namespace picknext::engine {

void count_wakeup(State& st, const Domains& domains, TaskId task, CpuId waker, CpuId cpu, bool sync, bool migrated) {
    TaskSchedstat& own = st.task(task).stat;
    CpuSchedstat& there = st.rq(waker).stat;
    ++own.nr_wakeups;
    ++there.ttwu_count;
    if (sync) ++own.nr_wakeups_sync;
    if (migrated) ++own.nr_wakeups_migrate;
    if (cpu == waker) {
        ++own.nr_wakeups_local;
        ++there.ttwu_local;
        return;
    }
    ++own.nr_wakeups_remote;
    DomainId d = domains.cpu(waker).base;
    while (d && !domains.domain(d).span.has(cpu)) d = domains.domain(d).parent;
    if (d) ++st.domains[d.index()].stat.ttwu_wake_remote;
}

void end_wait(State& st, TaskId id) {
    Task& task = st.task(id);
    const auto waited = static_cast<std::uint64_t>(st.now - task.last_switched);
    st.rq(task.cpu).stat.run_delay += waited;
    task.waited_ns += waited;
    task.last_switched = st.now;
}

} // namespace picknext::engine
