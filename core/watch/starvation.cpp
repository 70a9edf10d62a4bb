// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/watch/starvation.hpp"

namespace picknext::watch {

void Starvation::note(const State& before, const DecisionHeader& header) {
    if (header.kind != Kind::schedule || header.outcome < 0 || header.outcome == header.task) return;
    const TaskId next{header.outcome};
    end({next, CpuId{static_cast<std::size_t>(header.cpu)}, before.task(next).last_switched, header.at});
}

void Starvation::end(const Wait& wait) {
    if (wait.task.index() >= m_longest.size()) m_longest.resize(wait.task.index() + 1);
    Wait& longest = m_longest[wait.task.index()];
    if (wait.ns() > longest.ns()) longest = wait;
    if (wait.ns() <= m_limit) return;
    ++m_long_waits;
    m_long_ns += wait.ns();
    m_on_long_wait(wait);
}

void Starvation::finish(const State& st) {
    m_longest.resize(st.tasks.size());
    for (std::size_t t = 0; t < st.tasks.size(); ++t) {
        const Task& task = st.tasks[t];
        if (task.state == TaskState::runnable && st.rq(task.cpu).curr != TaskId{t}) end({TaskId{t}, task.cpu, task.last_switched, st.now});
    }
}

} // namespace picknext::watch
