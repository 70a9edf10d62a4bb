// SPDX-License-Identifier: GPL-3.0-or-later
// One CPU with tasks set up by hand, and its recorded decisions.
#pragma once

#include <vector>

#include "core/engine/sched_core.hpp"
#include "core/fair/average.hpp"

namespace picknext {

struct Recorded final : Observer {
    struct One {
        DecisionHeader header;
        std::vector<Check> checks;
    };
    std::vector<One> all;
    void on_decision(const State&, const DecisionHeader& h, std::span<const Check> c) override {
        all.push_back({h, {c.begin(), c.end()}});
    }
    [[nodiscard]] const One* last(Kind kind) const {
        for (std::size_t i = all.size(); i-- > 0;)
            if (all[i].header.kind == kind) return &all[i];
        return nullptr;
    }
};

struct OneCpu {
    static constexpr CpuId cpu{0};
    static constexpr std::int64_t ms = 1'000'000;

    State st;
    Recorded recorded;
    FullSink sink{&recorded};
    Recorder<FullSink> recorder{sink};
    Context<FullSink> cx{st, recorder};

    explicit OneCpu(Kernel kernel, int tunable_cpus = 1, std::int64_t hz = 1000) {
        st.settings = default_settings(kernel, tunable_cpus);
        st.settings[Tunable::hz] = hz;
        st.pelt_epoch = pelt_clock_start;
        st.masks = {1};
        st.rqs.resize(1);
        st.queues.resize(1);
        st.queues[0].ref = VTime{0};
        st.queues[0].cpu = cpu;
        st.queues[0].group = GroupId{0};
        st.groups.resize(1);
    }
    OneCpu(const OneCpu&) = delete;
    OneCpu& operator=(const OneCpu&) = delete;

    [[nodiscard]] Queue& q() { return st.queues[0]; }
    [[nodiscard]] Entity& se(TaskId t) { return st.entity(t); }

    /// A sleeping task that was never queued.
    TaskId task(int nice = 0, Policy policy = Policy::normal) {
        return add_task(st, policy, nice, 0, GroupId{0}, MaskId{0});
    }
    TaskId fork(int nice = 0) {
        const TaskId t = task(nice);
        wake_up_new_task(cx, t, cpu, cpu);
        return t;
    }
    /// Queued at a vruntime and deadline, no charge, no placement.
    TaskId waiting(std::int64_t vruntime, std::int64_t deadline, int nice = 0) {
        const TaskId t = queued(vruntime, deadline, nice);
        fair::tree_insert(st, q(), st.task(t).entity);
        return t;
    }
    /// Running at a vruntime and deadline; protected as after a switch.
    TaskId running(std::int64_t vruntime, std::int64_t deadline, int nice = 0) {
        const TaskId t = queued(vruntime, deadline, nice);
        se(t).vlag = deadline;
        q().curr = st.task(t).entity;
        st.rq(cpu).curr = t;
        se(t).exec_start = st.rq(cpu).clock;
        return t;
    }
    void at(std::int64_t ns) { st.now = st.rq(cpu).clock = ns; }

  private:
    TaskId queued(std::int64_t vruntime, std::int64_t deadline, int nice) {
        const TaskId t = task(nice);
        Entity& e = se(t);
        e.vruntime = VTime{static_cast<std::uint64_t>(vruntime)};
        e.deadline = VTime{static_cast<std::uint64_t>(deadline)};
        e.on_rq = 1;
        e.avg.last_update = 1;
        st.task(t).on_rq = 1;
        st.task(t).cpu = cpu;
        st.task(t).state = TaskState::runnable;
        Queue& queue = q();
        queue.weight = queue.weight + e.weight;
        ++queue.nr_queued;
        ++queue.h_nr_queued;
        ++queue.h_nr_runnable;
        ++st.rq(cpu).nr_running;
        return t;
    }
};

} // namespace picknext
