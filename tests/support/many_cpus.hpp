// SPDX-License-Identifier: GPL-3.0-or-later
// Several CPUs with tasks set up by hand, for decisions about CPUs: averages are given, not tracked, and a move adds and
// subtracts them plainly.
#pragma once

#include <vector>

#include "core/balance/attach.hpp"
#include "core/balance/pass.hpp"
#include "core/state/task_list.hpp"

namespace picknext::test {

struct ManyCpus : balance::Mover, Observer {
    struct Decision {
        DecisionHeader header;
        std::vector<Check> checks;
    };

    Machine machine;
    Domains domains;
    State st;
    std::vector<Decision> decisions;
    CpuId pushed; // an active balance was asked for there
    FullSink sink{this};
    Recorder<FullSink> recorder{sink};

    /// All CPUs idle at 1 s; HZ 250 and the kernel's own features.
    ManyCpus(Kernel kernel, const MachineCounts& counts) : machine(*build_machine(counts)) {
        const std::size_t n = machine.cpu_count();
        const CpuSet all = CpuSet::all(n);
        domains = build_domains(machine, all, kernel);
        st.settings = default_settings(kernel, static_cast<int>(n));
        st.now = 1'000'000'000;
        st.rqs.resize(n);
        st.queues.resize(n);
        st.mask_words = cpu_set_words(n);
        const CpuSetView words = all;
        st.masks.assign(words.begin(), words.end());
        for (std::size_t c = 0; c < n; ++c) {
            st.rqs[c].clock = st.now;
            st.queues[c].cpu = CpuId{c};
        }
        balance::attach_domains(st, domains);
    }
    ManyCpus(const ManyCpus&) = delete;
    ManyCpus& operator=(const ManyCpus&) = delete;

    /// A task that sleeps.
    TaskId task(std::uint64_t load = 1024, std::uint64_t util = 0, std::uint64_t runnable = 0) {
        const TaskId id{st.tasks.size()};
        Task t;
        t.entity = EntityId{id.index()};
        t.affinity = MaskId{0};
        t.state = TaskState::sleeping;
        Entity e;
        e.task = id;
        e.avg.load_avg = load;
        e.avg.util_avg = util;
        e.avg.runnable_avg = runnable;
        st.tasks.push_back(t);
        st.entities.push_back(e);
        return id;
    }
    /// A task on a CPU; it runs there if nobody does. Long not run, so that it is cold.
    TaskId on(CpuId cpu, std::uint64_t load = 1024, std::uint64_t util = 0, std::uint64_t runnable = 0) {
        const TaskId id = task(load, util, runnable);
        st.task(id).on_rq = 1;
        st.task(id).state = TaskState::runnable;
        attach(id, cpu);
        if (!st.rq(cpu).curr) st.rq(cpu).curr = id;
        return id;
    }
    int pass(CpuId cpu, std::size_t level, balance::IdleKind idle) {
        DomainId domain = domains.cpu(cpu).base;
        for (; level > 0; --level) domain = domains.domain(domain).parent;
        return balance::balance_pass(st, domains, domain, cpu, idle, CpuSet::all(st.cpu_count()), *this, recorder).moved;
    }
    [[nodiscard]] const Decision* last(Kind kind) const {
        for (std::size_t i = decisions.size(); i-- > 0;)
            if (decisions[i].header.kind == kind) return &decisions[i];
        return nullptr;
    }

    void detach(TaskId task, CpuId from) override {
        list_remove(st, from, task);
        count(task, from, false);
    }
    void attach(TaskId task, CpuId to) override {
        st.task(task).cpu = to;
        st.entity(task).queue = QueueId{to.index()};
        list_add_first(st, to, task);
        count(task, to, true);
    }
    void start_active_balance(CpuId source) override { pushed = source; }
    void on_decision(const State&, const DecisionHeader& h, std::span<const Check> c) override { decisions.push_back({h, {c.begin(), c.end()}}); }

  private:
    void count(TaskId task, CpuId cpu, bool joins) {
        const LoadAvg& own = st.entity(task).avg;
        Queue& queue = st.root_queue(cpu);
        const auto change = [&](auto& sum, auto part) { sum = joins ? sum + part : sum - part; };
        change(st.rq(cpu).nr_running, 1U);
        change(queue.h_nr_queued, 1U);
        change(queue.h_nr_runnable, 1U);
        change(queue.avg.load_avg, own.load_avg);
        change(queue.avg.util_avg, own.util_avg);
        change(queue.avg.runnable_avg, own.runnable_avg);
        change(queue.avg.util_est, own.util_est);
    }
};

} // namespace picknext::test
