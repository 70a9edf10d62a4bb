// SPDX-License-Identifier: GPL-3.0-or-later
// What a large machine costs to simulate: 256 CPUs (2 nodes of 8 LLCs, SMT2) and 10,000 tasks that work and sleep, about
// 200 CPUs busy. A whole run of 10 simulated seconds unobserved, then a shorter one with each sink and with a watch. CPU time of the thread.
// Usage: picknext_bench_machine [--quick | --profile] [kernel]; --profile: the whole run alone.
#include <ctime>
#include <memory>
#include <string_view>
#include <vector>

#include <fmt/format.h>

#include "core/engine/engine.hpp"
#include "core/watch/watch.hpp"

namespace picknext::bench {
namespace {

constexpr std::int64_t ms = 1'000'000, second = 1'000'000'000;

std::int64_t thread_ns() {
    timespec t{};
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
    return t.tv_sec * second + t.tv_nsec;
}

Op timed(OpKind kind, std::int64_t least, std::int64_t most) {
    Op op;
    op.kind = kind;
    op.amount.kind = Dist::Kind::uniform;
    op.amount.a = least;
    op.amount.b = most;
    return op;
}

/// Tasks that work 1 ms and sleep 50 ms on average; a tenth is pinned to one LLC, a tenth of lower or higher weight.
TaskSpec workers(const char* name, int count, int nice, CpuSet affinity) {
    TaskSpec spec;
    spec.name = name;
    spec.count = count;
    spec.nice = nice;
    spec.affinity = std::move(affinity);
    Phase phase;
    phase.loop = forever;
    phase.ops = {timed(OpKind::sleep, 25 * ms, 75 * ms), timed(OpKind::run, ms / 2, 3 * ms / 2)};
    spec.phases.push_back(std::move(phase));
    return spec;
}

std::shared_ptr<const Scenario> large_machine(Kernel kernel) {
    Scenario s;
    s.name = "large machine";
    MachineCounts counts;
    counts.packages = 2;
    counts.llcs = 8;
    counts.cores = 8;
    counts.threads = 2;
    s.machine = build_machine(counts).value();
    s.settings = default_settings(kernel, static_cast<int>(s.machine.cpu_count()));
    s.workload.tasks = {workers("plain", 8'000, 0, {}), workers("light", 500, 5, {}), workers("heavy", 500, -5, {}),
                        workers("pinned", 1'000, 0, s.machine.llc_span.front())};
    return std::make_shared<const Scenario>(std::move(s));
}

class Deaf final : public Observer {
  public:
    void on_decision(const State&, const DecisionHeader&, std::span<const Check>) override {}
};

struct Measured {
    double ns = 0; // of CPU time
    std::uint64_t digest = 0;
};

void print_heading() {
    fmt::print("{:<10}{:>10}{:>12}{:>12}{:>10}{:>12}{:>14}{:>10}  {}\n", "sink", "simulated", "events", "events/s", "ns/event", "decisions",
               "ms per sim. s", "slowdown", "digest");
}

/// run: does it with an engine and a limit. base: CPU time of the same run unobserved, 0 = this is it.
template <class Run>
Measured measure(const char* name, const std::shared_ptr<const Scenario>& scenario, std::int64_t until, double base, Run run) {
    Engine engine(scenario);
    const std::int64_t from = thread_ns();
    run(engine, RunLimit{.time = until});
    const auto ns = static_cast<double>(thread_ns() - from);
    const State& st = engine.state();
    const auto events = static_cast<double>(st.event);
    const Measured measured{ns, digest(st)};
    fmt::print("{:<10}{:>8.2f} s{:>12}{:>12.0f}{:>10.0f}{:>12}{:>14.0f}{:>9.2f}x  {:016x}\n", name, static_cast<double>(until) / second, st.event,
               events * second / ns, ns / events, st.decisions, ns / ms * second / static_cast<double>(until), base > 0 ? ns / base : 1.0,
               measured.digest);
    return measured;
}

template <DecisionSink S>
auto into(S sink) {
    return [sink](Engine& engine, const RunLimit& limit) mutable { engine.run(limit, sink); };
}

int run(Kernel kernel, bool quick, bool profile) {
    const auto scenario = large_machine(kernel);
    const State start = initial_state(*scenario);
    fmt::print("{}, {}, {} tasks; a state is {} bytes\n", name_of(kernel), summary(scenario->machine), start.tasks.size(), size_in_bytes(start));
    print_heading();
    measure("none", scenario, quick ? second / 10 : 10 * second, 0, into(NullSink{}));
    if (profile) return 0;
    const std::int64_t until = quick ? second / 10 : second;
    Deaf deaf;
    const Measured none = measure("none", scenario, until, 0, into(NullSink{}));
    const std::vector<Measured> others{measure("count", scenario, until, none.ns, into(CountSink{})),
                                       measure("header", scenario, until, none.ns, into(HeaderSink{&deaf})),
                                       measure("full", scenario, until, none.ns, into(FullSink{&deaf})),
                                       measure("watch", scenario, until, none.ns, [&](Engine& engine, const RunLimit& limit) {
                                           watch::Watch watch(*scenario, {});
                                           watch::run(engine, limit, watch);
                                       })};
    for (const Measured& other : others)
        if (other.digest != none.digest) return fmt::print(stderr, "Looking on changed the run.\n"), 1;
    return 0;
}

} // namespace
} // namespace picknext::bench

int main(int argc, char** argv) {
    using namespace picknext;
    std::vector<std::string_view> args(argv + 1, argv + argc);
    const bool quick = std::erase(args, "--quick") > 0;
    const bool profile = std::erase(args, "--profile") > 0;
    const auto kernel = find_kernel(args.empty() ? "eevdf-6.12y" : args[0]);
    if (!kernel) {
        fmt::print(stderr, "No kernel is called {}.\n", args[0]);
        return 2;
    }
    return bench::run(*kernel, quick, profile);
}
