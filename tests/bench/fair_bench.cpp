// SPDX-License-Identifier: GPL-3.0-or-later
// What the operations of one run queue cost, beside what the kernel's own routines cost in user space, as
// recorded with the reference vectors on another machine. CPU time of the thread, median of several runs. A
// calibration loop tells how fast this machine is: "x" is the cost in units of 100 steps of it. Usage:
// picknext_bench_fair [--quick] [part of a row's name [tasks]]
#include <algorithm>
#include <array>
#include <cstdlib>
#include <ctime>
#include <string_view>
#include <vector>

#include <fmt/format.h>

#include "core/base/rng.hpp"
#include "core/engine/sched_core.hpp"
#include "core/fair/hierarchy.hpp"
#include "core/fair/pick.hpp"

namespace picknext::bench {
namespace {

constexpr CpuId cpu{0};
constexpr std::array sizes{2, 10, 100, 1000, 10000};

std::int64_t thread_ns() {
    timespec t{};
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
    return t.tv_sec * 1'000'000'000 + t.tv_nsec;
}

double calibration_ns() {
    constexpr int steps = 2'000'000;
    std::uint64_t x = 88172645463325252ULL;
    const std::int64_t from = thread_ns();
    for (int i = 0; i < steps; ++i) { // each step waits for the one before
        x ^= x << 13;
        x ^= x >> 7;
        x ^= x << 17;
        asm volatile("" : "+r"(x));
    }
    return static_cast<double>(thread_ns() - from) * 100 / steps;
}

/// One CPU with n runnable tasks of nice -5..5.
struct Bench {
    State st;
    NullSink sink;
    Recorder<NullSink> rec{sink};
    Context<NullSink> cx{st, rec};
    std::uint64_t draws = 0;
    std::array<std::int64_t, 1 << 12> passes; // ns, drawn beforehand: the draw is no part of an operation
    std::size_t passed = 0;

    Bench(Kernel kernel, int n, bool parity) {
        st.settings = default_settings(kernel, 8);
        st.settings.set(Feature::run_to_parity, parity && st.settings.eevdf());
        st.pelt_epoch = pelt_clock_start;
        st.masks = {1};
        st.rqs.resize(1);
        st.queues.resize(1);
        st.queues[0].ref = VTime{queue_start_vtime};
        st.queues[0].cpu = cpu;
        st.queues[0].group = GroupId{0};
        st.groups.resize(1);
        for (std::int64_t& ns : passes)
            ns = static_cast<std::int64_t>(5'000 + below(30'000));
        for (int i = 0; i < n; ++i) {
            st.now += 10'000;
            const TaskId t =
                add_task(st, Policy::normal, static_cast<int>(below(11)) - 5, 0, GroupId{0}, MaskId{0});
            wake_up_new_task(cx, t, cpu, cpu);
        }
        for (int i = 0; i < 4 * n; ++i)
            run_a_while();
    }
    Bench(const Bench&) = delete;
    Bench& operator=(const Bench&) = delete;

    std::uint64_t below(std::uint64_t n) { return random_below(1, 1, draws++, n); }
    void pass() { st.now += passes[passed++ % passes.size()]; }
    void run_a_while() {
        pass();
        schedule(cx, cpu);
    }
    void tick() { tick_after(20'000); }
    void long_tick() { tick_after(1'000'000); }
    void tick_after(std::int64_t ns) {
        st.now += ns;
        sched_tick(cx, cpu);
    }
    void sleep_and_wake() {
        pass();
        const TaskId t = st.rq(cpu).curr;
        block_current(cx, cpu, false);
        schedule(cx, cpu);
        pass();
        if (st.task(t).on_rq != 0)
            revive_task(cx, t, {});
        else
            activate_task(cx, t, cpu, {});
        if (st.rq(cpu).need_resched != 0) schedule(cx, cpu);
    }
    void leave_and_join() {
        pass();
        update_rq_clock(st, cpu, st.now);
        const TaskId t = st.entity(st.queues[0].leftmost).task;
        fair::dequeue_task(st, rec, t, {.save = true, .move = true});
        fair::enqueue_task(st, rec, t, {.restore = true});
    }
    void pick() {
        Evidence<NullSink> unseen;
        const fair::Pick p = fair::pick_next(st, st.queues[0], unseen);
        asm volatile("" : : "r"(p.entity.value) : "memory");
    }
};

template <class F>
double median_ns(int operations, int runs, F&& f) {
    std::vector<double> ns;
    for (int r = 0; r < runs; ++r) {
        const std::int64_t from = thread_ns();
        for (int i = 0; i < operations; ++i)
            f();
        ns.push_back(static_cast<double>(thread_ns() - from) / operations);
    }
    std::sort(ns.begin(), ns.end());
    return ns[ns.size() / 2];
}

struct Row {
    std::string_view name;
    Kernel kernel;
    void (Bench::*operation)();
    bool parity = true;
    std::array<double, sizes.size()> recorded = {}; // ns of the kernel's routines, 0 = not recorded
};

constexpr std::array rows{
    Row{"6.12 tick", Kernel::eevdf_6_12y, &Bench::tick, true, {15.9, 15.9, 16.0, 16.0, 0}},
    Row{"6.12 tick, 1 ms apart", Kernel::eevdf_6_12y, &Bench::long_tick, true, {}},
    Row{"6.12 schedule", Kernel::eevdf_6_12y, &Bench::run_a_while, true, {48, 100, 134, 159, 0}},
    Row{"6.12 dequeue + enqueue", Kernel::eevdf_6_12y, &Bench::leave_and_join, true, {59, 91, 134, 174, 0}},
    Row{"6.12 sleep + wake", Kernel::eevdf_6_12y, &Bench::sleep_and_wake, true, {128, 168, 260, 325, 0}},
    Row{"6.12 pick", Kernel::eevdf_6_12y, &Bench::pick, true, {10.9, 10.6, 10.9, 13.2, 0}},
    Row{"6.12 pick, no parity", Kernel::eevdf_6_12y, &Bench::pick, false, {11.5, 12.0, 14.5, 22.3, 0}},
    Row{"6.8 sleep + wake", Kernel::eevdf_6_8, &Bench::sleep_and_wake, true, {}},
    Row{"6.6 sleep + wake", Kernel::eevdf_6_6, &Bench::sleep_and_wake, true, {}},
    Row{"6.1 tick", Kernel::cfs_6_1, &Bench::tick, true, {20.6, 21.0, 20.9, 21.0, 0}},
    Row{"6.1 schedule", Kernel::cfs_6_1, &Bench::run_a_while, true, {34, 65, 98, 124, 0}},
    Row{"6.1 dequeue + enqueue", Kernel::cfs_6_1, &Bench::leave_and_join, true, {45, 60, 84, 119, 0}},
    Row{"6.1 sleep + wake", Kernel::cfs_6_1, &Bench::sleep_and_wake, true, {103, 95, 127, 156, 0}},
    Row{"6.1 pick", Kernel::cfs_6_1, &Bench::pick, true, {8.3, 8.2, 8.1, 8.2, 0}},
};

void measure(const Row& row, double unit, int tasks, int operations, int runs) {
    fmt::print("{:<24}", row.name);
    for (std::size_t i = 0; i < sizes.size(); ++i) {
        if (tasks != 0 && sizes[i] != tasks) continue;
        Bench bench(row.kernel, sizes[i], row.parity);
        const double ns = median_ns(operations, runs, [&] { (bench.*row.operation)(); });
        fmt::print("{:>8.1f}{:>6.2f}x", ns, ns / unit);
        if (row.recorded[i] > 0)
            fmt::print(" ({:>5.1f})", row.recorded[i]);
        else
            fmt::print("{:>8}", "");
    }
    fmt::print("\n");
}

} // namespace
} // namespace picknext::bench

int main(int argc, char** argv) {
    using namespace picknext::bench;
    std::vector<std::string_view> args(argv + 1, argv + argc);
    const bool quick = std::erase(args, "--quick") > 0;
    const std::string_view wanted = !args.empty() ? args[0] : "";
    const int tasks = args.size() > 1 ? std::atoi(args[1].data()) : 0;
    const double unit = calibration_ns();
    fmt::print("100 steps of the calibration loop: {:.1f} ns\n", unit);
    fmt::print("ns per operation, the same in calibration units, (the kernel's routines, recorded "
               "elsewhere)\n{:<24}",
               "runnable tasks");
    for (int n : sizes)
        if (tasks == 0 || n == tasks) fmt::print("{:>15}{:>8}", n, "");
    fmt::print("\n");
    for (const Row& row : rows)
        if (row.name.find(wanted) != std::string_view::npos)
            measure(row, unit, tasks, quick ? 2'000 : 50'000, quick ? 3 : 15);
    return 0;
}
