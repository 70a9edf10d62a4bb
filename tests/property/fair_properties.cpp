// SPDX-License-Identifier: GPL-3.0-or-later
// What holds for every kernel whatever tasks do. Usage: picknext_property_fair [operations] [seed]
#include <algorithm>
#include <cstdlib>
#include <string>

#include <fmt/format.h>

#include "core/engine/invariants.hpp"
#include "core/fair/pick.hpp"
#include "core/fair/weights.hpp"
#include "tests/property/random_machine.hpp"
#include "tests/property/reference_pick.hpp"

namespace picknext::testing {
namespace {

/// How much was looked at: a test that checks nothing must show.
struct Tally {
    std::uint64_t picks = 0, delayed = 0, groups = 0, throttled = 0;
};

struct Failure {
    std::string what;
};

template <class... Args>
void require(bool holds, fmt::format_string<Args...> format, Args&&... args) {
    if (!holds) throw Failure{fmt::format(format, std::forward<Args>(args)...)};
}

/// A CFS pick without buddies has the smallest vruntime.
void check_cfs_pick(const State& st, const Queue& q, Tally& tally) {
    Evidence<NullSink> unseen;
    const fair::Pick pick = fair::pick_next(st, q, unseen);
    if (pick.path != PickPath::leftmost) return;
    ++tally.picks;
    for (std::size_t e = 0; e < st.entities.size(); ++e) {
        const Entity& other = st.entities[e];
        const bool here = other.on_rq != 0 && &st.queue(other.queue) == &q;
        require(!here || !before(other.vruntime, st.entity(pick.entity).vruntime),
                "picked {}, but {} is before it", pick.entity, e);
    }
}

/// The pick of one queue against a linear scan, against itself without the fast path, and recorded against
/// not.
void check_pick(State& st, const Queue& q, Tally& tally) {
    if (q.nr_queued == 0) return;
    if (!st.settings.eevdf()) {
        check_cfs_pick(st, q, tally);
        return;
    }
    ++tally.picks;
    tally.delayed += q.h_nr_delayed;
    if (q.owner) ++tally.groups;
    Evidence<NullSink> unseen;
    Evidence<FullSink> why;
    const fair::Pick pick = fair::pick_for_preemption(st, q, unseen);
    const ReferencePick wanted = reference_pick(st, q);
    const Entity& e = st.entity(pick.entity);
    require(e.deadline == wanted.deadline, "picked {} with deadline {}, the scan found {}", pick.entity,
            e.deadline, wanted.deadline);
    require(!wanted.entity || pick.entity == wanted.entity, "picked {}, the scan found {}", pick.entity,
            wanted.entity);
    require(fair::pick_for_preemption(st, q, why).entity == pick.entity, "recording changed the pick");
    require(!why.checks().empty() && why.deciding() < why.checks().size(), "no check decided");
    if (st.settings.patch(Patch::eevdf_fast_path) != 1) return;
    st.settings.set(Patch::eevdf_fast_path, 0);
    const fair::Pick slow = fair::pick_for_preemption(st, q, unseen);
    st.settings.set(Patch::eevdf_fast_path, 1);
    require(slow.entity == pick.entity, "picked {} by {}, without the fast path {}", pick.entity,
            name_of(pick.path), slow.entity);
    require(slow.path == (pick.path == PickPath::fast ? PickPath::slow : pick.path), "path {} became {}",
            name_of(pick.path), name_of(slow.path));
}

/// A sleeper's lag is limited by two slices or a tick, in its own virtual time.
void check_lag(const State& st, TaskId task) {
    const Entity& e = st.entity(task);
    const auto tick = static_cast<std::uint64_t>(st.settings.tick_ns());
    const auto limit = static_cast<std::int64_t>(fair::to_virtual(std::max(2 * e.slice, tick), e));
    require(std::abs(e.vlag) <= limit, "task {} sleeps with lag {}, the limit is {}", task, e.vlag, limit);
}

void check_settings(const Settings& settings, const Mix& mix, std::uint64_t operations, std::uint64_t seed,
                    Tally& tally) {
    NullSink sink;
    RandomMachine<NullSink> machine(settings, mix, seed, sink);
    State& st = machine.state();
    machine.before_schedule = [&](CpuId cpu) {
        for (std::size_t q = 0; q < st.queues.size(); ++q)
            if (st.queues[q].cpu == cpu) check_pick(st, st.queues[q], tally);
    };
    for (std::uint64_t i = 0; i < operations; ++i) {
        std::string done;
        try {
            done = machine.step();
            const std::string broken = broken_invariant(st);
            require(broken.empty(), "{}", broken);
            for (const Queue& q : st.queues) tally.throttled += q.throttled;
            if (settings.eevdf() && !mix.changes)
                for (std::size_t t = 0; t < st.tasks.size(); ++t)
                    if (st.tasks[t].state == TaskState::sleeping && st.tasks[t].on_rq == 0)
                        check_lag(st, TaskId{t});
        } catch (const Failure& f) {
            throw Failure{fmt::format("operation {} ({}): {}", i, done, f.what)};
        }
    }
}

/// The same seed gives the same state whatever listens.
void check_sinks(const Settings& settings, const Mix& mix, std::uint64_t operations, std::uint64_t seed) {
    struct Silent final : Observer {
        void on_decision(const State&, const DecisionHeader& h, std::span<const Check> checks) override {
            require(h.checks == checks.size(), "{} checks announced, {} given", h.checks, checks.size());
            require(checks.empty() || h.deciding < checks.size(), "check {} of {} decided", h.deciding,
                    checks.size());
        }
    } observer;
    NullSink none;
    FullSink full{&observer};
    RandomMachine<NullSink> a(settings, mix, seed, none);
    RandomMachine<FullSink> b(settings, mix, seed, full);
    for (std::uint64_t i = 0; i < operations; ++i) {
        a.step();
        b.step();
    }
    require(digest(a.state()) == digest(b.state()), "{}", first_difference(a.state(), b.state()));
}

/// Among tasks of like weight that are left alone everybody runs again before long.
void check_starvation(const Settings& settings, std::uint64_t operations, std::uint64_t seed) {
    constexpr std::int64_t patience = 3'000'000'000; // ns
    NullSink sink;
    RandomMachine<NullSink> machine(
        settings, {.cpus = 1, .most_tasks = 10, .groups = 0, .nice_range = 5, .changes = false}, seed, sink);
    State& st = machine.state();
    std::vector<std::int64_t> since;
    for (std::uint64_t i = 0; i < operations; ++i) {
        machine.step();
        since.resize(st.tasks.size(), st.now);
        for (std::size_t t = 0; t < st.tasks.size(); ++t) {
            const TaskId task{t};
            if (st.task(task).state != TaskState::runnable || st.rq(CpuId{0}).curr == task) since[t] = st.now;
            require(st.now - since[t] < patience, "operation {}: task {} has waited for {} ns", i, task,
                    st.now - since[t]);
        }
    }
}

Tally check_kernel(Kernel kernel, std::uint64_t operations, std::uint64_t seed) {
    Tally tally;
    Settings settings = default_settings(kernel, 2);
    const Mix mixed{}, plain{.cpus = 1, .groups = 0}, calm{.nice_range = 8, .changes = false};
    const Mix limited{.cpus = 3, .groups = 5, .limits = true};
    check_settings(settings, mixed, operations * 4 / 10, seed, tally);
    check_settings(settings, plain, operations / 10, seed + 1, tally);
    check_settings(settings, calm, operations / 10, seed + 2, tally);
    check_sinks(settings, mixed, operations / 10, seed + 3);
    check_starvation(settings, operations / 10, seed + 4);
    check_settings(settings, limited, operations / 10, seed + 6, tally);
    check_sinks(settings, limited, operations / 20, seed + 7);
    if (!settings.eevdf()) return tally;
    settings.set(Feature::run_to_parity, false);
    if (settings.patch(Patch::exact_min_slice) == 0) settings.set(Patch::exact_min_slice, 1);
    check_settings(settings, mixed, operations / 10, seed + 5, tally);
    return tally;
}

} // namespace
} // namespace picknext::testing

int main(int argc, char** argv) {
    using namespace picknext;
    const std::uint64_t operations = argc > 1 ? std::strtoull(argv[1], nullptr, 10) : 100'000;
    const std::uint64_t seed = argc > 2 ? std::strtoull(argv[2], nullptr, 10) : 1;
    fmt::print("{} operations, seed {}\n", operations, seed);
    int failed = 0;
    for (const KernelInfo& k : kernel_table()) {
        try {
            const testing::Tally n = testing::check_kernel(k.id, operations / kernel_count, seed);
            fmt::print("{}: holds; {} picks compared, {} on group queues, {} delayed tasks and {} throttled queues met\n", k.name,
                       n.picks, n.groups, n.delayed, n.throttled);
        } catch (const testing::Failure& f) {
            fmt::print("{}: {}\n", k.name, f.what);
            failed = 1;
        }
    }
    return failed;
}
