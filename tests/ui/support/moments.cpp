// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/ui/support/moments.hpp"

#include <algorithm>
#include <array>
#include <string>

#include "core/base/rng.hpp"

namespace picknext::test {
namespace {

struct Wanted {
    const char* name;
    std::int64_t vruntime, deadline; // ns relative to V
    std::uint64_t weight;            // coarse
};

constexpr std::uint64_t ref = 8'412'907;
constexpr std::uint64_t average = 9'825'907; // V, of which every vruntime below is a distance

// In order of the scenario. ref is the vruntime of rsync.
constexpr std::array<Wanted, 10> queued{{{"audio", 292'448, 792'448, 1024},
                                         {"xorg", 346'000, 1'330'000, 3121},
                                         {"kwin", 76'000, 1'619'000, 1991},
                                         {"cc1#0", 858'000, 3'858'000, 1024},
                                         {"cc1#1", -615'000, 2'385'000, 1024},
                                         {"cc1#2", -345'000, 2'655'000, 1024},
                                         {"cc1#3", -955'000, 2'045'000, 1024},
                                         {"ld", 195'000, 3'195'000, 1024},
                                         {"tar", -171'000, 2'829'000, 1024},
                                         {"rsync", -1'413'000, 7'757'000, 335}}};

void add_task(Scenario& scenario, State& st, const std::string& name, CpuId cpu, const Wanted* wanted) {
    TaskSpec spec;
    spec.name = name;
    scenario.workload.tasks.push_back(spec);
    const EntityId entity{st.entities.size()};
    Task task;
    task.entity = entity;
    task.cpu = cpu;
    task.program = static_cast<std::int32_t>(scenario.workload.tasks.size()) - 1;
    task.state = TaskState::runnable;
    Entity e;
    e.task = TaskId{st.tasks.size()};
    e.queue = QueueId{cpu.index()};
    e.weight = Weight{1024 << 10};
    e.slice = 3'000'000;
    if (wanted != nullptr) {
        e.vruntime = VTime{average} + wanted->vruntime;
        e.deadline = VTime{average} + wanted->deadline;
        e.weight = Weight{wanted->weight << 10};
    }
    st.tasks.push_back(task);
    st.entities.push_back(e);
}

void run_on(State& st, CpuId cpu, TaskId task) {
    st.rq(cpu).curr = task;
    st.rq(cpu).nr_running = 1;
    st.rq(cpu).tick_stopped = 0;
    st.task(task).on_rq = 1;
    st.entity(task).on_rq = 1;
    st.root_queue(cpu).curr = st.task(task).entity;
    st.root_queue(cpu).nr_queued = st.root_queue(cpu).h_nr_queued = st.root_queue(cpu).h_nr_runnable = 1;
    st.root_queue(cpu).weight = st.entity(task).weight;
}

/// Hangs entities under each other; the minimum of each subtree is filled in on the way.
VTime link(State& st, EntityId self, EntityId parent, EntityId left, EntityId right, bool red) {
    Entity& e = st.entity(self);
    e.link = {parent, left, right, static_cast<std::uint8_t>(red ? 1 : 0), 1, {}};
    e.on_rq = 1;
    st.task(e.task).on_rq = 1;
    e.subtree_min = e.vruntime;
    for (const EntityId child : {left, right})
        if (child.valid()) e.subtree_min = earlier(e.subtree_min, st.entity(child).subtree_min);
    return e.subtree_min;
}

void enqueue_sums(State& st, CpuId cpu, EntityId entity) {
    Queue& q = st.root_queue(cpu);
    const Entity& e = st.entity(entity);
    q.sum_weight += e.weight.coarse();
    q.sum_w_vruntime += static_cast<std::int64_t>(e.weight.coarse()) * (e.vruntime - q.ref);
    q.weight = q.weight + e.weight;
    ++q.nr_queued;
    ++q.h_nr_queued;
    ++q.h_nr_runnable;
    ++st.rq(cpu).nr_running;
}

Settings settings_612(int cpus) { return default_settings(Kernel::eevdf_6_12, cpus); }

std::shared_ptr<Scenario> scenario_on(int nodes, int llcs, int cores, int threads) {
    MachineCounts counts;
    counts.nodes = nodes;
    counts.llcs = llcs;
    counts.cores = cores;
    counts.threads = threads;
    auto scenario = std::make_shared<Scenario>();
    scenario->machine = build_machine(counts).value();
    scenario->settings = settings_612(static_cast<int>(scenario->machine.cpu_count()));
    return scenario;
}

void empty_state(const Scenario& scenario, State& st) {
    const std::size_t cpus = scenario.machine.cpu_count();
    st.settings = scenario.settings;
    st.rqs.resize(cpus);
    st.queues.resize(cpus);
    st.groups.resize(1);
    for (std::size_t c = 0; c < cpus; ++c) {
        st.queues[c].cpu = CpuId{c};
        st.queues[c].group = GroupId{0};
        st.queues[c].ref = VTime{ref};
    }
}

using Lanes = std::vector<std::vector<LaneSlice>>;

/// Slices of pseudo-random lengths until `end`, leaving gaps; the running task keeps the last one open.
std::vector<LaneSlice> random_lane(std::uint64_t stream, std::int64_t end, std::int64_t usual, std::size_t tasks, std::size_t first_task, TaskId runs) {
    std::vector<LaneSlice> lane;
    std::int64_t at = 0;
    std::uint64_t draw = 0;
    const auto below = [&](std::int64_t n) { return static_cast<std::int64_t>(random_below(7, stream, draw++, static_cast<std::uint64_t>(n))); };
    while (true) {
        at += below(usual) * (below(3) == 0 ? 2 : 0);
        const std::int64_t length = usual / 4 + below(usual * 2);
        if (at + length >= end) break;
        lane.push_back({at, at + length, TaskId{first_task + static_cast<std::size_t>(below(static_cast<std::int64_t>(tasks)))}});
        at += length;
    }
    if (runs.valid()) lane.push_back({at, INT64_MAX, runs});
    return lane;
}

void add_log(Snapshot& s, std::uint64_t rows, std::int64_t end) {
    auto chunk = std::make_shared<std::vector<DecisionHeader>>();
    const auto cpus = s.state.cpu_count();
    const auto flush = [&] {
        if (!chunk->empty()) s.index.log.push_back(chunk);
        chunk = std::make_shared<std::vector<DecisionHeader>>();
    };
    for (std::uint64_t i = 0; i < rows; ++i) {
        DecisionHeader h;
        h.at = static_cast<std::int64_t>(static_cast<double>(end) * static_cast<double>(i + 1) / static_cast<double>(rows));
        h.kind = static_cast<Kind>(random_below(3, 1, i, kind_count));
        h.cpu = static_cast<std::uint16_t>(random_below(3, 2, i, cpus));
        h.task = 0;
        h.outcome = h.kind == Kind::place ? static_cast<std::int32_t>(random_below(3, 3, i, 8) == 0 ? random_below(3, 4, i, cpus) : h.cpu) : 0;
        chunk->push_back(h);
        if (chunk->size() == RunIndex::chunk_rows) flush();
    }
    flush();
    s.index.rows = rows;
}

void share_lanes(Snapshot& s, Lanes lanes, std::int64_t frontier) {
    for (auto& lane : lanes) s.index.lanes.push_back(std::make_shared<const std::vector<LaneSlice>>(std::move(lane)));
    s.index.frontier = frontier;
}

Check tested(Chk id, EntityId subject, VTime left, VTime right, bool passed) {
    return {id, passed ? Verdict::yes : Verdict::no, 0, subject.value, static_cast<std::int64_t>(left.ns), static_cast<std::int64_t>(right.ns)};
}

} // namespace

std::shared_ptr<Snapshot> crowded_queue() {
    auto snapshot = std::make_shared<Snapshot>();
    auto scenario = scenario_on(1, 2, 4, 2);
    State& st = snapshot->state;
    empty_state(*scenario, st);
    const CpuId here{3};
    for (const Wanted& w : queued) add_task(*scenario, st, w.name, here, &w);
    const auto e = [&](std::size_t task) { return st.tasks[task].entity; };
    const EntityId none;
    // children before parents, so that minima are known
    link(st, e(2), e(6), none, none, true);
    link(st, e(0), e(1), none, none, false);
    link(st, e(6), e(1), e(2), none, false);
    link(st, e(1), e(4), e(0), e(6), true);
    link(st, e(9), e(7), none, none, true);
    link(st, e(5), e(8), none, none, false);
    link(st, e(7), e(8), none, e(9), false);
    link(st, e(8), e(4), e(5), e(7), true);
    link(st, e(4), none, e(1), e(8), false);
    run_on(st, here, TaskId{3});
    for (const std::size_t task : {0, 1, 2, 4, 5, 6, 7, 8, 9}) enqueue_sums(st, here, e(task));
    Queue& q = st.root_queue(here);
    q.root = e(4);
    q.leftmost = e(0);
    // the other CPUs: W0..W17
    struct Other { std::size_t cpu, w; };
    constexpr std::array<Other, 11> others{{{0, 2}, {8, 15}, {9, 8}, {2, 10}, {10, 1}, {11, 9}, {4, 3}, {6, 5}, {14, 13}, {15, 14}, {12, 17}}};
    for (int w = 0; w < 18; ++w) add_task(*scenario, st, "W" + std::to_string(w), CpuId{0}, nullptr);
    for (const Other& o : others)
        if (o.cpu != 12) run_on(st, CpuId{o.cpu}, TaskId{10 + o.w});
    for (const std::size_t cpu : {1, 12, 5}) st.rqs[cpu].tick_stopped = 0;
    for (std::size_t c = 0; c < 16; ++c) st.queues[c].avg.util_avg = 100 + random_below(5, 1, c, 800);
    st.queues[3].avg.util_avg = 1004;
    st.queues[5].avg.util_avg = 40;
    st.queues[13].avg.util_avg = 20;
    st.now = 84'001'500;

    Lanes lanes(16);
    for (std::size_t c = 0; c < 16; ++c) lanes[c] = random_lane(c, st.now, 700'000, 18, 10, st.rqs[c].curr);
    lanes[3] = {{70'000'000, 76'600'000, TaskId{1}}, {76'600'000, 77'000'000, TaskId{0}}, {77'000'000, 80'000'000, TaskId{1}},
                {80'000'000, 81'000'000, TaskId{0}}, {81'000'000, INT64_MAX, TaskId{3}}};
    share_lanes(*snapshot, std::move(lanes), st.now);

    const VTime v{average};
    const auto at = [&](std::size_t task) { return st.entity(e(task)); };
    snapshot->checks = {
        {Chk::only_entity, Verdict::no, 0, -1, 10, 1},
        tested(Chk::current_eligible, e(3), at(3).vruntime, v, false),
        tested(Chk::leftmost_eligible, e(0), at(0).vruntime, v, false),
        tested(Chk::left_subtree_eligible, e(4), at(1).subtree_min, v, true),
        tested(Chk::left_subtree_eligible, e(1), at(0).subtree_min, v, false),
        tested(Chk::node_eligible, e(1), at(1).vruntime, v, false),
        tested(Chk::left_subtree_eligible, e(6), at(2).subtree_min, v, false),
        tested(Chk::node_eligible, e(6), at(6).vruntime, v, true),
    };
    add_log(*snapshot, 4711, st.now);
    DecisionHeader& h = snapshot->header;
    h.kind = Kind::pick;
    h.reason = Reason::pick_search;
    h.at = st.now;
    h.cpu = 3;
    h.task = 3;
    h.outcome = e(6).value;
    h.checks = static_cast<std::uint16_t>(snapshot->checks.size());
    h.deciding = 7;
    st.decisions = 4711;
    snapshot->position = {4711, 4711, h.checks};
    snapshot->has_previous = true;
    scenario->until_ns = 120'000'000;
    scenario->bookmarks = {{"first steal", 0, 9'700'000}, {"why CPU 6?", 0, 50'400'000}};
    snapshot->scenario = scenario;
    return snapshot;
}

std::shared_ptr<Snapshot> busy_machine(int nodes, int llcs_per_node, int cores_per_llc, int threads, std::size_t slices_per_lane) {
    auto snapshot = std::make_shared<Snapshot>();
    auto scenario = scenario_on(nodes, llcs_per_node, cores_per_llc, threads);
    State& st = snapshot->state;
    empty_state(*scenario, st);
    const std::size_t cpus = st.cpu_count();
    st.now = 241'734'400;
    Lanes lanes(cpus);
    for (std::size_t c = 0; c < cpus; ++c) {
        const auto draw = [&](std::uint64_t stream, std::uint64_t n) { return random_below(11, stream, c, n); };
        st.queues[c].avg.util_avg = draw(1, 1000);
        st.rqs[c].tick_stopped = draw(2, 2) == 0;
        const std::size_t llc = scenario->machine.cpu(CpuId{c}).llc.index();
        if (draw(3, 10) < 3 + llc % 6) {
            add_task(*scenario, st, "w" + std::to_string(c), CpuId{c}, nullptr);
            run_on(st, CpuId{c}, TaskId{st.tasks.size() - 1});
            if (draw(4, 4) == 0) st.rqs[c].nr_running = 3;
        }
    }
    add_task(*scenario, st, "spare", CpuId{0}, nullptr);
    const std::int64_t usual = std::max<std::int64_t>(50, st.now / static_cast<std::int64_t>(std::max<std::size_t>(1, slices_per_lane)) * 2 / 3);
    for (std::size_t c = 0; c < cpus; ++c) lanes[c] = random_lane(c, st.now, usual, st.tasks.size(), 0, st.rqs[c].curr);
    share_lanes(*snapshot, std::move(lanes), st.now);
    add_log(*snapshot, 100'000, st.now);
    snapshot->header.kind = Kind::count;
    snapshot->position = {100'000, 100'000, 0};
    scenario->until_ns = 300'000'000;
    snapshot->scenario = scenario;
    return snapshot;
}

std::shared_ptr<Snapshot> long_queue(int tasks) {
    auto snapshot = std::make_shared<Snapshot>();
    auto scenario = scenario_on(1, 1, 1, 1);
    State& st = snapshot->state;
    empty_state(*scenario, st);
    for (int i = 0; i < tasks; ++i) {
        const auto jitter = static_cast<std::int64_t>(random_below(9, 1, static_cast<std::uint64_t>(i), 4'000'000)) - 2'000'000;
        const std::int64_t deadline = -tasks * 1'000 + 2'000 * i;
        const std::string name = "t" + std::to_string(i);
        const Wanted w{name.c_str(), deadline - 3'000'000 + jitter, deadline, 1024};
        add_task(*scenario, st, name, CpuId{0}, &w);
    }
    // A perfectly balanced tree over the tasks, which ascend by deadline.
    const auto build = [&](const auto& self, int low, int high, EntityId parent, int depth) -> EntityId {
        if (low >= high) return EntityId::none();
        const int middle = (low + high) / 2;
        const EntityId me = st.tasks[static_cast<std::size_t>(middle)].entity;
        const EntityId left = self(self, low, middle, me, depth + 1), right = self(self, middle + 1, high, me, depth + 1);
        link(st, me, parent, left, right, depth % 2 == 1);
        enqueue_sums(st, CpuId{0}, me);
        return me;
    };
    Queue& q = st.root_queue(CpuId{0});
    q.root = build(build, 0, tasks, EntityId::none(), 0);
    q.leftmost = st.tasks[0].entity;
    share_lanes(*snapshot, Lanes(1), 0);
    snapshot->header.kind = Kind::count;
    snapshot->scenario = scenario;
    return snapshot;
}

} // namespace picknext::test

namespace picknext::test {

std::shared_ptr<const Scenario> small_scenario(Kernel kernel) {
    auto scenario = std::make_shared<Scenario>();
    MachineCounts counts;
    counts.llcs = 2;
    counts.cores = 2;
    counts.threads = 2;
    scenario->name = "small";
    scenario->machine = build_machine(counts).value();
    scenario->settings = default_settings(kernel, static_cast<int>(scenario->machine.cpu_count()));
    scenario->workload.groups.push_back({"/web", 2048, false, 0, 100'000'000});
    const auto add = [&](const char* name, int count, int nice, std::int64_t run, std::int64_t sleep, const char* group) {
        TaskSpec spec;
        spec.name = name;
        spec.count = count;
        spec.nice = nice;
        spec.group = group;
        Phase phase;
        phase.loop = forever;
        Op work;
        work.amount.kind = Dist::Kind::uniform;
        work.amount.a = run / 2;
        work.amount.b = run * 3 / 2;
        phase.ops.push_back(work);
        if (sleep > 0) {
            Op rest = work;
            rest.kind = OpKind::sleep;
            rest.amount.a = sleep / 2;
            rest.amount.b = sleep * 3 / 2;
            phase.ops.push_back(rest);
        }
        spec.phases.push_back(phase);
        scenario->workload.tasks.push_back(spec);
    };
    add("audio", 2, -5, 300'000, 2'000'000, "");
    add("make", 14, 0, 20'000'000, 0, "");
    add("web", 6, 0, 1'500'000, 1'000'000, "/web");
    add("idle", 1, 19, 50'000'000, 0, "");
    scenario->until_ns = 100'000'000;
    return scenario;
}

} // namespace picknext::test
