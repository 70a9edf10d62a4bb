// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/vectors/multi_fixture.hpp"

#include <fmt/format.h>

namespace picknext::vectors {

Fixture::Fixture(const Json& topology, Kernel kernel) : machine(read_topology(topology)) {
    const std::size_t n = machine.cpu_count();
    domains = build_domains(machine, CpuSet::all(n), kernel);
    st.settings = default_settings(kernel, static_cast<int>(n));
    st.rqs.resize(n);
    st.queues.resize(n);
    st.tasks.resize(n + 1);
    st.entities.resize(n + 1);
    st.mask_words = cpu_set_words(n);
    const CpuSet all = CpuSet::all(n);
    const CpuSetView words = all;
    st.masks.assign(words.begin(), words.end());
    for (std::size_t t = 0; t <= n; ++t) {
        st.tasks[t].entity = EntityId{t};
        st.tasks[t].affinity = MaskId{0};
        st.entities[t].task = TaskId{t};
        if (t == 0) continue;
        st.tasks[t].cpu = CpuId{t - 1};
        st.entities[t].queue = QueueId{t - 1};
    }
    for (std::size_t c = 0; c < n; ++c) {
        st.rqs[c].capacity = machine.cpus[c].capacity;
        st.rqs[c].cpu_capacity = machine.cpus[c].capacity;
    }
    balance::attach_domains(st, domains);
}

void Fixture::set_cpu(CpuId c, int state, std::uint32_t running) {
    Rq& rq = st.rq(c);
    Queue& queue = st.root_queue(c);
    rq.nr_running = state == 0 ? 0 : state == 3 ? 2 : running;
    queue.h_nr_queued = rq.nr_running;
    queue.h_nr_idle = state >= 2 ? 1 : 0;
    rq.curr = state == 0 ? TaskId::none() : runs_on(c);
}

void Fixture::set_affinity(TaskId t, const CpuSet& set) {
    const CpuSetView words = set;
    st.task(t).affinity = MaskId{st.masks.size() / st.mask_words};
    st.masks.insert(st.masks.end(), words.begin(), words.end());
}

std::vector<std::int32_t> subjects(std::span<const Check> checks, Chk a, Chk b) {
    std::vector<std::int32_t> out;
    for (const Check& c : checks)
        if (c.id == a || c.id == b) out.push_back(c.subject);
    return out;
}

std::string spaced(const std::vector<std::int32_t>& numbers) {
    std::string out;
    for (std::int32_t n : numbers) out += (out.empty() ? "" : " ") + std::to_string(n);
    return out;
}

} // namespace picknext::vectors
