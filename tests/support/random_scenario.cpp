// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/support/random_scenario.hpp"

#include <array>

#include <fmt/format.h>

#include "core/base/rng.hpp"

namespace picknext::test {
namespace {

class Dice {
  public:
    explicit Dice(std::uint64_t seed) : m_seed(seed) {}
    std::int64_t between(std::int64_t low, std::int64_t high) { // both inclusive
        return low + static_cast<std::int64_t>(random_below(m_seed, 7, m_next++, static_cast<std::uint64_t>(high - low + 1)));
    }
    bool one_in(std::int64_t n) { return between(1, n) == 1; }
    template <class T, std::size_t N>
    T of(const std::array<T, N>& values) {
        return values[static_cast<std::size_t>(between(0, static_cast<std::int64_t>(N) - 1))];
    }

  private:
    std::uint64_t m_seed;
    std::uint64_t m_next = 0;
};

enum : std::int32_t { the_mutex, the_cond, the_sem, the_barrier, the_pipe, shared_timer, own_timer, first_suspend };

Machine machine(Dice& dice) {
    MachineCounts counts;
    counts.packages = static_cast<int>(dice.between(1, 2));
    counts.llcs = static_cast<int>(dice.between(1, 2));
    counts.cores = static_cast<int>(dice.between(1, 2));
    counts.threads = static_cast<int>(dice.between(1, 2));
    counts.threads_last = dice.one_in(2);
    return build_machine(counts).value();
}

Dist length(Dice& dice) {
    Dist d;
    d.a = dice.of(std::array<std::int64_t, 6>{700, 40'000, 250'000, 1'000'000, 3'000'000, 7'300'001});
    if (dice.one_in(3)) {
        d.kind = Dist::Kind::uniform;
        d.b = d.a + dice.between(1, 2'000'000);
    } else if (dice.one_in(4)) {
        d.kind = Dist::Kind::exponential;
    }
    return d;
}

CpuSet some_cpus(Dice& dice, std::size_t cpus) {
    CpuSet set(cpus);
    for (std::size_t c = 0; c < cpus; ++c)
        if (dice.one_in(2)) set.add(CpuId{c});
    return set; // empty means all
}

Op plain(OpKind kind, std::int32_t resource = -1) {
    Op op;
    op.kind = kind;
    op.resource = resource;
    return op;
}

Op timed(OpKind kind, Dice& dice) {
    Op op = plain(kind);
    op.amount = length(dice);
    return op;
}

Op change(Dice& dice, std::size_t cpus) {
    Op op = plain(OpKind::set);
    switch (dice.between(0, 3)) {
    case 0: op.attributes.nice = static_cast<int>(dice.between(-20, 19)); break;
    case 1: op.attributes.policy = dice.of(std::array{Policy::normal, Policy::batch, Policy::idle}); break;
    case 2: op.attributes.slice = dice.of(std::array<std::int64_t, 3>{0, 100'000, 5'000'000}); break;
    default: op.attributes.affinity = some_cpus(dice, cpus); break;
    }
    return op;
}

/// One to three operations that belong together. Those that may wait for ever are rare, or every run would soon stand still.
void add_ops(std::vector<Op>& ops, Dice& dice, std::size_t cpus, std::int32_t forked) {
    const std::int64_t choice = dice.between(0, 30);
    if (choice > 22) return ops.push_back(timed(OpKind::run, dice));
    if (choice > 13) return ops.push_back(timed(OpKind::sleep, dice));
    switch (choice) {
    case 0:
    case 1: ops.push_back(timed(OpKind::run, dice)); break;
    case 2: ops.push_back(timed(OpKind::sleep, dice)); break;
    case 3: ops.push_back(timed(OpKind::spin, dice)); break;
    case 4: ops.push_back(plain(OpKind::yield)); break;
    case 5:
        ops.push_back(plain(OpKind::lock, the_mutex));
        ops.push_back(timed(OpKind::run, dice));
        ops.push_back(plain(OpKind::unlock, the_mutex));
        break;
    case 6: ops.push_back(plain(dice.one_in(3) ? OpKind::sem_wait : OpKind::sem_post, the_sem)); break;
    case 7: {
        Op op = plain(dice.one_in(2) ? OpKind::read : OpKind::write, the_pipe);
        op.bytes = dice.between(1, 3000);
        ops.push_back(op);
        break;
    }
    case 8: {
        Op op = plain(OpKind::timer, dice.one_in(2) ? shared_timer : own_timer);
        op.period = dice.between(1, 8) * 500'000;
        op.absolute = dice.one_in(2);
        ops.push_back(op);
        break;
    }
    case 9: ops.push_back(change(dice, cpus)); break;
    case 10:
        if (!dice.one_in(4)) break;
        ops.push_back(plain(OpKind::fork));
        ops.back().target = forked;
        break;
    case 11: {
        if (!dice.one_in(3)) break;
        ops.push_back(plain(OpKind::lock, the_mutex));
        Op wait = plain(OpKind::wait, the_cond);
        wait.second = the_mutex;
        ops.push_back(wait);
        ops.push_back(plain(OpKind::unlock, the_mutex));
        break;
    }
    case 12: ops.push_back(plain(dice.one_in(2) ? OpKind::signal : OpKind::broadcast, the_cond)); break;
    default: ops.push_back(plain(dice.one_in(6) ? OpKind::suspend : OpKind::resume, first_suspend)); break;
    }
}

std::vector<Phase> phases(Dice& dice, std::size_t cpus, std::int32_t forked) {
    std::vector<Phase> out(static_cast<std::size_t>(dice.between(1, 2)));
    for (Phase& phase : out) {
        phase.loop = dice.between(1, 3);
        if (dice.one_in(4)) phase.set.nice = static_cast<int>(dice.between(-5, 5));
        phase.ops.push_back(timed(OpKind::run, dice));
        for (std::int64_t n = dice.between(0, 4); n > 0; --n) add_ops(phase.ops, dice, cpus, forked);
    }
    return out;
}

TaskSpec task(Dice& dice, std::size_t index, std::size_t cpus, const std::vector<GroupSpec>& groups, std::int32_t forked) {
    TaskSpec t;
    t.name = fmt::format("t{}", index);
    t.count = static_cast<int>(dice.between(1, 3));
    t.nice = dice.one_in(2) ? 0 : static_cast<int>(dice.between(-20, 19));
    t.policy = dice.one_in(5) ? dice.of(std::array{Policy::batch, Policy::idle}) : Policy::normal;
    t.slice = dice.one_in(4) ? dice.between(1, 50) * 100'000 : 0;
    if (!groups.empty() && dice.one_in(2)) t.group = groups[static_cast<std::size_t>(dice.between(0, static_cast<std::int64_t>(groups.size()) - 1))].path;
    if (dice.one_in(3)) t.affinity = some_cpus(dice, cpus);
    t.start = Nanos{dice.one_in(2) ? 0 : dice.between(0, 5'000'000)};
    t.loop = dice.one_in(4) ? dice.between(1, 5) : forever;
    t.phases = phases(dice, cpus, forked);
    return t;
}

/// Limits some groups. Its own draws: the rest of the scenario stays what it is without.
void limit_groups(Workload& w, std::uint64_t seed) {
    Dice dice(seed ^ 0x62616e647769ULL);
    for (GroupSpec& group : w.groups) {
        if (dice.one_in(3)) continue;
        group.period = dice.between(5, 40) * 1'000'000;
        group.quota = dice.between(1'000'000, group.period);
        if (dice.one_in(3)) group.burst = dice.between(0, group.quota);
    }
}

} // namespace

namespace {
/// CPUs come and go, and tasks are confined, while the run lasts; also what the engine is to refuse.
std::vector<Edit> random_edits(Dice& dice, std::size_t cpus, std::size_t specs, std::int64_t until) {
    std::vector<Edit> edits(static_cast<std::size_t>(dice.between(1, 12)));
    for (Edit& edit : edits) {
        edit.at = dice.between(0, until);
        edit.kind = dice.of(std::array{EditKind::offline, EditKind::offline, EditKind::online, EditKind::affinity});
        edit.cpu = CpuId{static_cast<std::int32_t>(dice.between(0, static_cast<std::int64_t>(cpus) - 1))};
        edit.task = static_cast<std::int32_t>(dice.between(0, static_cast<std::int64_t>(specs) - 1));
        edit.instance = static_cast<std::int32_t>(dice.between(0, 2));
        edit.cpus = some_cpus(dice, cpus);
    }
    return edits;
}
/// What the tables assume where a file is silent, and two idle states.
cost::CostProfile charging_profile() {
    cost::CostProfile profile = cost::default_profile();
    profile.costs.idle_states[0] = {.exit_latency = 2'000, .residency = 0, .charged_exit = 500};
    profile.costs.idle_states[1] = {.exit_latency = 133'000, .residency = 600'000, .charged_exit = 80'000};
    profile.costs.idle_state_count = 2;
    return profile;
}

} // namespace

Scenario random_scenario(std::uint64_t seed) {
    Dice dice(seed);
    Scenario s;
    s.name = fmt::format("random {}", seed);
    s.machine = machine(dice);
    s.seed = seed;
    const std::size_t cpus = s.machine.cpu_count();
    s.settings = default_settings(static_cast<Kernel>(dice.between(0, static_cast<std::int64_t>(kernel_count) - 1)), static_cast<int>(cpus));
    s.settings[Tunable::hz] = dice.of(std::array<std::int64_t, 3>{100, 250, 1000});
    s.until_ns = dice.between(40, 150) * 1'000'000;

    Workload& w = s.workload;
    for (const char* path : {"/a", "/b", "/b/c"}) {
        if (!dice.one_in(3)) continue;
        GroupSpec group;
        group.path = path;
        group.shares = dice.between(2, 4096);
        group.idle = dice.one_in(6);
        w.groups.push_back(group);
    }
    limit_groups(w, seed);
    if (seed % 3 == 0) s.costs = charging_profile();
    w.resources = {{"m", ResourceKind::mutex, 0, true},  {"c", ResourceKind::cond, 0, true},   {"s", ResourceKind::sem, dice.between(0, 2), true},
                   {"b", ResourceKind::barrier, 2, true}, {"p", ResourceKind::pipe, 4096, true}, {"st", ResourceKind::timer, 0, true},
                   {"ot", ResourceKind::timer, 0, false}, {"sp", ResourceKind::suspend, 0, true}};
    const auto specs = static_cast<std::size_t>(dice.between(1, 10));
    const auto forked = static_cast<std::int32_t>(specs);
    for (std::size_t i = 0; i < specs; ++i) w.tasks.push_back(task(dice, i, cpus, w.groups, forked));
    TaskSpec child; // only by fork; forks nobody itself
    child.name = "child";
    child.count = 0;
    child.loop = 1;
    child.phases.resize(1);
    child.phases[0].ops.push_back(timed(OpKind::run, dice));
    w.tasks.push_back(child);
    if (dice.one_in(2)) s.edits = random_edits(dice, cpus, w.tasks.size(), *s.until_ns);
    return s;
}

void put_on_machine(Scenario& scenario, Machine machine, std::uint64_t seed) {
    Dice dice(~seed);
    const std::int64_t hz = scenario.settings[Tunable::hz];
    scenario.settings = default_settings(scenario.settings.kernel, machine.online().size());
    scenario.settings[Tunable::hz] = hz;
    const auto kernel = static_cast<std::size_t>(scenario.settings.kernel);
    for (const PatchInfo& patch : patch_table()) {
        if (patch.by_kernel[kernel] == absent || !dice.one_in(3)) continue;
        const auto values = static_cast<std::int64_t>(patch.variants.empty() ? 2 : patch.variants.size());
        scenario.settings.set(patch.id, static_cast<int>(dice.between(0, values - 1)));
    }
    for (const FeatureInfo& feature : feature_table())
        if (feature.by_kernel[kernel] != absent && dice.one_in(8)) scenario.settings.set(feature.id, dice.one_in(2));
    // Enough tasks that some CPU has several.
    for (TaskSpec& task : scenario.workload.tasks)
        if (task.count != 0) task.count += static_cast<int>(dice.between(0, static_cast<std::int64_t>(machine.cpu_count()) / 4));
    for (Edit& edit : scenario.edits)
        if (edit.cpu) edit.cpu = CpuId{edit.cpu.index() % machine.cpu_count()};
    scenario.machine = std::move(machine);
}

std::string describe(std::uint64_t seed, const Scenario& scenario) {
    return fmt::format("seed {}: {} CPUs, {}, {} task specs, {} groups", seed, scenario.machine.cpu_count(), name_of(scenario.settings.kernel),
                       scenario.workload.tasks.size(), scenario.workload.groups.size());
}

} // namespace picknext::test
