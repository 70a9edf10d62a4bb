// SPDX-License-Identifier: GPL-3.0-or-later
// Vectors of one whole balance pass on a snapshot of tasks.
#include "app/vectors/multi_fixture.hpp"
#include "core/balance/pass.hpp"
#include "core/state/task_list.hpp"

namespace picknext::vectors {
namespace {

/// The tasks of a row on their queues, and a mover that adds and subtracts plainly.
class Snapshot : public balance::Mover {
  public:
    Snapshot(const Fixture& base, const Json& tasks, std::uint64_t blocked) : f(base) {
        State& st = f.st;
        st.tasks.clear();
        st.entities.clear();
        for (std::size_t c = 0; c < st.cpu_count(); ++c) {
            st.rqs[c].clock = now;
            st.queues[c].avg = {};
            st.queues[c].avg.load_avg = st.queues[c].avg.util_avg = st.queues[c].avg.runnable_avg = blocked;
        }
        for (const Json& row : tasks) add(row);
    }

    void detach(TaskId task, CpuId from) override {
        count(task, from, false);
        list_remove(f.st, from, task);
    }
    void attach(TaskId task, CpuId to) override {
        count(task, to, true);
        list_add_first(f.st, to, task);
        f.st.task(task).cpu = to;
        attached.push_back({task.value, to.value});
    }
    void start_active_balance(CpuId cpu) override { source = cpu; }

    Fixture f;
    CpuId source;
    Json attached = Json::array();

  private:
    static constexpr std::int64_t now = 1'000'000'000;

    void add(const Json& row) {
        State& st = f.st;
        const TaskId id{st.tasks.size()};
        const CpuId cpu{row.at(0).get<std::int32_t>()};
        Task task;
        task.entity = EntityId{id.index()};
        task.cpu = cpu;
        task.affinity = MaskId{0};
        task.on_rq = 1;
        Entity entity;
        entity.task = id;
        entity.queue = QueueId{cpu.index()};
        entity.avg.load_avg = row.at(1);
        entity.avg.util_avg = row.at(2);
        entity.avg.runnable_avg = row.at(3);
        entity.exec_start = now - row.at(4).get<std::int64_t>();
        st.tasks.push_back(task);
        st.entities.push_back(entity);
        if (row.at(5) != 0) st.rq(cpu).curr = id;
        if (row.size() > 6) f.set_affinity(id, read_cpus(row.at(6).get<std::string>(), st.cpu_count(), true));
        count(id, cpu, true);
        list_add_first(st, cpu, id);
    }
    void count(TaskId task, CpuId cpu, bool joins) {
        const LoadAvg& own = f.st.entity(task).avg;
        Queue& queue = f.st.root_queue(cpu);
        const auto change = [&](auto& sum, auto part) { sum = joins ? sum + part : sum - part; };
        change(f.st.rq(cpu).nr_running, 1U);
        change(queue.h_nr_queued, 1U);
        change(queue.avg.load_avg, own.load_avg);
        change(queue.avg.util_avg, own.util_avg);
        change(queue.avg.runnable_avg, own.runnable_avg);
    }
};

balance::IdleKind idle_kind(const std::string& text) {
    if (text == "not_idle") return balance::IdleKind::not_idle;
    return text == "idle" ? balance::IdleKind::idle : balance::IdleKind::newly_idle;
}

struct Ran {
    int moved = 0;
    bool go_on = false;
    std::int32_t active = -1;
    std::uint32_t failed = 0, interval = 0, flag = 0;
    Json attached;
};

Ran run(const Fixture& base, const Table& table, const Json& row, int spread) {
    const Json& blocked = table.in(row, "blocked (0 = none)");
    Snapshot snapshot(base, table.in(row, "tasks"), 0);
    State& st = snapshot.f.st;
    const Domains& domains = snapshot.f.domains;
    st.settings.set(Patch::spread_in_llc, spread);
    for (std::size_t c = 0; c < st.cpu_count(); ++c) {
        const Json& capacity = table.in(row, "cpu_capacity (0 = all 1024)");
        if (capacity.is_array()) st.rqs[c].cpu_capacity = capacity.at(c);
        if (!blocked.is_array()) continue;
        LoadAvg& avg = st.queues[c].avg;
        for (std::uint64_t* sum : {&avg.load_avg, &avg.util_avg, &avg.runnable_avg}) *sum += blocked.at(c).get<std::uint64_t>();
    }
    balance::attach_domains(st, domains);
    const CpuId cpu{table.in(row, "dst_cpu").get<std::int32_t>()};
    for (DomainId d = domains.cpu(cpu).base; d; d = domains.domain(d).parent) {
        DomainState& own = st.domains[d.index()];
        own.nr_balance_failed = table.in(row, "nr_balance_failed");
        const std::array<int, 4> steps{domains.domain(d).min_interval, domains.domain(d).max_interval, 256, 512};
        own.balance_interval = static_cast<std::uint32_t>(steps.at(table.in(row, "interval_step").get<std::size_t>()));
    }
    DomainId domain = domains.cpu(cpu).base;
    for (int level = table.in(row, "level"); level > 0; --level) domain = domains.domain(domain).parent;
    FullSink sink;
    struct Deaf : Observer {
        void on_decision(const State&, const DecisionHeader&, std::span<const Check>) override {}
    } deaf;
    sink.observer = &deaf;
    Recorder<FullSink> recorder(sink);
    const balance::PassResult result = balance::balance_pass(st, domains, domain, cpu, idle_kind(table.in(row, "idle")),
                                                             CpuSet::all(st.cpu_count()), snapshot, recorder);
    const DomainState& after = st.domains[domain.index()];
    const DomainId parent = domains.domain(domain).parent;
    const std::uint32_t flag =
        parent ? st.group_capacities[domains.group_at(domains.domain(parent), 0).capacity.index()].imbalance : 0;
    return {result.moved, result.continue_balancing, snapshot.source.value, after.nr_balance_failed, after.balance_interval, flag,
            snapshot.attached};
}

} // namespace

void check_balance_pass(const Json& file, Tally& tally) {
    const Table table(file.at("fields"));
    const Fixture base(file.at("topology"), kernel_of(file));
    std::size_t number = 0;
    for (const Json& row : file.at("cases")) {
        const Ran after = run(base, table, row, 1), before = run(base, table, row, 0);
        const auto everything = [](const Ran& r) { return Json{r.moved, r.go_on, r.active, r.failed, r.interval, r.flag, r.attached}; };
        const bool same = everything(after) == everything(before);
        table.compare(tally, number++, row,
                      {{"->moved", after.moved}, {"->continue_balancing", after.go_on ? 1 : 0}, {"->active_balance_src", after.active},
                       {"->nr_balance_failed", after.failed}, {"->balance_interval", after.interval}, {"->parent_group_imbalance", after.flag},
                       {"->attached [[task,cpu]...]", after.attached},
                       {"->before: 0 if same, else [moved, active_balance_src, attached]",
                        same ? Json(0) : Json{before.moved, before.active, before.attached}}});
    }
}

} // namespace picknext::vectors
