// SPDX-License-Identifier: GPL-3.0-or-later
// CPUs come and go at random: every invariant holds after each event, and no task is lost.
#include <memory>

#include "core/base/rng.hpp"
#include "core/engine/engine.hpp"
#include "core/engine/invariants.hpp"
#include "tests/property/property.hpp"

namespace {

using namespace picknext;

/// Every task that is born and alive waits, sleeps or is queued on a CPU that is online; queued ones are counted there.
std::string lost(const State& st) {
    std::uint32_t queued = 0, running = 0;
    for (std::size_t t = 0; t < st.tasks.size(); ++t) {
        const Task& task = st.tasks[t];
        if (task.on_rq == 0) continue;
        ++queued;
        if (st.rq(task.cpu).online == 0) return fmt::format("task {} is queued on CPU {}, which is offline", t, task.cpu);
    }
    for (const Rq& rq : st.rqs) running += rq.nr_running;
    const bool some_held_back = st.bandwidth_used(); // a throttled group's tasks are queued, but no CPU counts them
    if (some_held_back ? queued < running : queued != running) return fmt::format("{} tasks are queued, the CPUs count {}", queued, running);
    return {};
}

std::string check(const State& st) {
    if (std::string broken = broken_invariant(st); !broken.empty()) return fmt::format("event {}: {}", st.event, broken);
    if (std::string wrong = lost(st); !wrong.empty()) return fmt::format("event {}: {}", st.event, wrong);
    return {};
}

} // namespace

int main(int argc, char** argv) {
    return test::for_each_seed(argc, argv, 60, [](std::uint64_t seed, const Scenario& random) -> std::string {
        const auto scenario = std::make_shared<const Scenario>(random);
        const std::size_t cpus = scenario->machine.cpu_count();
        Engine engine(scenario);
        NullSink sink;
        std::uint64_t counter = 0;
        const auto below = [&](std::uint64_t n) { return random_below(seed, 13, counter++, n); };
        while (engine.next_event_time() <= *scenario->until_ns && engine.step(sink)) {
            if (std::string wrong = check(engine.state()); !wrong.empty()) return wrong;
            if (below(50) != 0) continue;
            Edit edit; // by call, beside those of the scenario
            edit.kind = below(2) == 0 ? EditKind::offline : EditKind::online;
            edit.cpu = CpuId{static_cast<std::size_t>(below(cpus))};
            engine.edit(edit, sink);
            if (std::string wrong = check(engine.state()); !wrong.empty()) return "edit: " + wrong;
        }
        return {};
    });
}
