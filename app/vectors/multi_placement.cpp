// SPDX-License-Identifier: GPL-3.0-or-later
// Vectors of wakeup placement: the search for an idle CPU, its shared state, wake affinity, whole wakeups, fork and exec.
#include <algorithm>

#include "app/vectors/multi_fixture.hpp"
#include "core/balance/scan_limit.hpp"
#include "core/placement/idle_sibling.hpp"
#include "core/placement/select_task.hpp"
#include "core/placement/wake_affine.hpp"

namespace picknext::vectors {
namespace {

std::int64_t made(std::span<const Check> checks, Chk id) {
    return std::count_if(checks.begin(), checks.end(), [&](const Check& c) { return c.id == id; });
}

/// has_idle_cores of the LLC of this CPU, -1 without one.
int idle_cores(const Fixture& f, CpuId cpu) {
    const LlcSharedId row = f.domains.cpu(cpu).shared;
    return row ? static_cast<int>(f.st.llc_shared[row.index()].has_idle_cores) : -1;
}

struct IdleCase {
    Fixture f;
    placement::Wake wake;
    CpuId target;
};

IdleCase read_idle_case(const Fixture& base, const Table& table, const Json& row) {
    IdleCase c{base, {}, {}};
    Fixture& f = c.f;
    const auto number = [&](const char* name) { return table.in(row, name).get<std::int32_t>(); };
    const auto states = table.in(row, "states").get<std::string>();
    for (std::size_t cpu = 0; cpu < states.size(); ++cpu) f.set_cpu(CpuId{cpu}, states[cpu] - '0');
    f.set_affinity(Fixture::wakee, read_cpus(table.in(row, "affinity").get<std::string>(), states.size(), true));
    f.st.task(Fixture::wakee).recent_used_cpu = CpuId{number("recent")};
    c.wake = {.task = Fixture::wakee, .prev = CpuId{number("prev")}, .waker_cpu = CpuId{number("waker")}};
    c.wake.waker_is_kthread = number("waker_is_percpu_kthread") != 0;
    c.target = CpuId{number("target")};
    const auto set_flag = [&](CpuId cpu, const char* name) {
        if (const LlcSharedId llc = f.domains.cpu(cpu).shared) f.st.llc_shared[llc.index()].has_idle_cores = table.in(row, name);
    };
    if (table.has("waker_has_idle_cores")) set_flag(c.wake.waker_cpu, "waker_has_idle_cores");
    set_flag(c.target, "has_idle_cores");
    if (table.has("sis_util")) {
        f.st.settings.set(Feature::sis_util, number("sis_util") != 0);
        if (const LlcSharedId llc = f.domains.cpu(c.target).shared) f.st.llc_shared[llc.index()].nr_idle_scan = table.in(row, "nr_idle_scan");
    }
    if (table.has("sis_prop")) f.st.settings.set(Feature::sis_prop, number("sis_prop") != 0);
    Rq& waker = f.st.rq(c.wake.waker_cpu);
    if (table.has("wake_avg_idle")) {
        f.st.settings.set(Feature::sis_prop, true);
        f.st.now = 1'000'000 * f.st.settings.tick_ns();
        waker.wake_avg_idle = table.in(row, "wake_avg_idle");
        waker.wake_stamp = 1'000'000 - number("wake_stamp_age");
    }
    if (table.has("avg_idle")) {
        waker.avg_idle = table.in(row, "avg_idle");
        c.wake.scan_ns = table.in(row, "scan_ns");
    }
    if (table.has("avg_scan_cost"))
        if (const DomainId llc = f.domains.cpu(c.wake.waker_cpu).sd_llc) f.st.domains[llc.index()].avg_scan_cost = table.in(row, "avg_scan_cost");
    return c;
}

Json idle_outputs(IdleCase& c, const Table& table, const placement::Placement& p, std::span<const Check> checks) {
    Json got{{"->cpu", p.cpu.value}, {"->idle_checks", made(checks, Chk::cpu_is_idle)},
             {"->scan", spaced(subjects(checks, Chk::scan_cpu, Chk::scan_core))}};
    placement::apply(c.f.st, c.f.domains, c.wake, p);
    got["->has_idle_cores"] = idle_cores(c.f, c.target);
    got["->recent"] = c.f.st.task(Fixture::wakee).recent_used_cpu.value;
    if (table.has("->wake_avg_idle")) got["->wake_avg_idle"] = c.f.st.rq(c.wake.waker_cpu).wake_avg_idle;
    if (table.has("->waker_has_idle_cores")) got["->waker_has_idle_cores"] = idle_cores(c.f, c.wake.waker_cpu);
    if (table.has("->flag_reads")) got["->flag_reads"] = made(checks, Chk::idle_cores_flag);
    return got;
}

} // namespace

void check_select_idle(const Json& file, Tally& tally) {
    const Fixture base(file.at("topology"), kernel_of(file));
    const Table table(file.at("fields"));
    const bool repaired = file.at("doc").at("kernel").get<std::string>().find("5.12.9") != std::string::npos;
    std::size_t number = 0;
    for (const Json& row : file.at("cases")) {
        IdleCase c = read_idle_case(base, table, row);
        Settings& settings = c.f.st.settings;
        if (settings.kernel == Kernel::cfs_5_12) settings.set(Patch::select_idle_smt, repaired ? 1 : 0);
        const auto search = [&](IdleCase on, int patch) {
            if (patch >= 0) on.f.st.settings.set(Patch::test_idle_cores, patch);
            Evidence<FullSink> why;
            const placement::Placement p =
                placement::select_idle_sibling(on.f.st, on.f.st.settings, on.f.domains, on.wake, on.target, why);
            Json got = idle_outputs(on, table, p, why.checks());
            if (!table.has("->avg_scan_cost")) return got;
            const DomainId llc = on.f.domains.cpu(on.wake.waker_cpu).sd_llc;
            got["->avg_scan_cost"] = llc ? Json(on.f.st.domains[llc.index()].avg_scan_cost) : table.in(row, "avg_scan_cost");
            return got;
        };
        Json got = search(c, table.has("->before.flag_reads") ? 1 : -1);
        if (table.has("->before.flag_reads")) {
            Json before = search(c, 0);
            Json after = got;
            got["->before.flag_reads"] = before["->flag_reads"];
            before.erase("->flag_reads");
            after.erase("->flag_reads");
            got["->same_except_reads"] = before == after ? 1 : 0;
        }
        table.compare(tally, number++, row, got);
    }
}

void check_select_idle_state(const Json& file, Tally& tally) {
    const Table table(file.at("fields"));
    std::size_t number = 0;
    Fixture f(file.at("topology"), kernel_of(file));
    for (const Json& row : file.at("cases")) {
        const auto states = table.in(row, "states").get<std::string>();
        for (std::size_t cpu = 0; cpu < states.size(); ++cpu) f.set_cpu(CpuId{cpu}, states[cpu] - '0');
        const CpuId cpu{table.in(row, "cpu going idle").get<std::int32_t>()};
        LlcShared& llc = f.st.llc_shared[f.domains.cpu(cpu).shared.index()];
        llc.has_idle_cores = table.in(row, "has_idle_cores before");
        if (const LlcSharedId set = placement::core_becomes_idle(f.st, f.domains, cpu)) f.st.llc_shared[set.index()].has_idle_cores = 1;
        table.compare(tally, number++, row, {{"->has_idle_cores after", llc.has_idle_cores}});
    }
    const Table scan(file.at("scan_fields"));
    const auto size = file.at("llc_size_cpu0").get<std::uint64_t>();
    for (const Json& row : file.at("scan"))
        scan.compare(tally, number++, row, {{"->nr_idle_scan", balance::idle_scan_limit(scan.in(row, "sum_util"), size, scan.in(row, "imbalance_pct"))}});
}

void check_wake_affine(const Json& file, Tally& tally) {
    const Table table(file.at("fields"));
    const Fixture f(file.at("topology"), kernel_of(file));
    std::size_t number = 0;
    for (const Json& row : file.at("cases")) {
        Settings settings = f.st.settings;
        settings.set(Feature::wa_bias, table.in(row, "WA_BIAS") != 0);
        placement::AffineInput in;
        in.this_cpu = CpuId{table.in(row, "this_cpu").get<std::int32_t>()};
        in.prev_cpu = CpuId{table.in(row, "prev_cpu").get<std::int32_t>()};
        in.sync = table.in(row, "sync") != 0;
        in.share_cache = f.domains.share_cache(in.this_cpu, in.prev_cpu);
        in.nr_running_this = table.in(row, "nr_running_this");
        in.nr_delayed_this = table.in(row, "nr_delayed_this");
        in.this_idle = table.in(row, "this_curr_is_idle") != 0 && in.nr_running_this == 0;
        in.nr_running_prev = table.in(row, "nr_running_prev");
        in.prev_idle = in.nr_running_prev == 0;
        in.load_this = table.in(row, "load_this");
        in.load_prev = table.in(row, "load_prev");
        in.task_load = table.in(row, "task_load");
        in.curr_load = table.in(row, "curr_load");
        in.capacity_this = table.in(row, "cap_this");
        in.capacity_prev = table.in(row, "cap_prev");
        in.imbalance_pct = table.in(row, "imbalance_pct");
        if (in.this_cpu == in.prev_cpu) {
            in.prev_idle = in.this_idle;
            in.load_prev = in.load_this;
            in.capacity_prev = in.capacity_this;
        }
        Evidence<FullSink> why;
        table.compare(tally, number++, row, {{"->idle_pick", placement::affine_idle(in, settings, why).value},
                                           {"->weight_pick", placement::affine_weight(in, settings, why).value},
                                           {"->wake_affine", placement::wake_affine(in, settings, why).value}});
    }
}

void check_wake_wide(const Json& file, Tally& tally) {
    const Table table(file.at("fields"));
    std::size_t number = 0;
    Evidence<NullSink> why;
    for (const Json& row : file.at("cases"))
        table.compare(tally, number++, row, {{"->wide", placement::wake_wide(Fixture::wakee, table.in(row, "waker_flips"), table.in(row, "wakee_flips"),
                                                                           table.in(row, "llc_size"), why) ? 1 : 0}});
    for (const Json& row : file.at("record_wakee")) {
        std::int64_t now = 1000, decay = 1000;
        std::uint32_t flips = 0;
        TaskId last;
        Json got = Json::array();
        for (const Json& wake : row.at(0)) {
            now += wake.at(0).get<std::int64_t>();
            const TaskId wakee{wake.at(1).get<std::int32_t>()};
            const placement::WakeeRecord r = placement::record_wakee(now, file.at("doc").at("hz"), last, flips, decay, wakee);
            last = wakee;
            flips = r.flips;
            decay = r.decay;
            got.push_back(flips);
        }
        compare(tally, "record_wakee", "flips", row.at(1), got);
    }
}

void check_wakeup(const Json& file, Tally& tally) {
    const Fixture base(file.at("topology"), kernel_of(file));
    const Table table(file.at("fields"));
    std::size_t number = 0;
    for (const Json& row : file.at("cases")) {
        Fixture f = base;
        const auto integer = [&](const char* name) { return table.in(row, name).get<std::int32_t>(); };
        const Json& cpus = table.in(row, "cpus");
        for (std::size_t c = 0; c < cpus.size(); ++c) {
            f.set_cpu(CpuId{c}, cpus[c].at(0), cpus[c].at(1));
            f.st.queues[c].avg.load_avg = cpus[c].at(2);
        }
        const auto flags = table.in(row, "wake_flags").get<std::string>();
        const placement::Wake wake{.task = Fixture::wakee, .prev = CpuId{integer("prev_cpu")}, .waker_cpu = CpuId{integer("waker_cpu")},
                                   .sync = flags.find("SYNC") != std::string::npos,
                                   .current_cpu = flags.find("CURRENT_CPU") != std::string::npos};
        f.set_affinity(Fixture::wakee, read_cpus(table.in(row, "affinity").get<std::string>(), cpus.size(), true));
        Task& wakee = f.st.task(Fixture::wakee);
        wakee.recent_used_cpu = CpuId{integer("recent")};
        wakee.wakee_flips = table.in(row, "wakee_flips");
        f.st.entity(Fixture::wakee).avg.load_avg = table.in(row, "task_load");
        // The waker's record lives with its task, or with the idle task of its CPU.
        const TaskId last = integer("last_wakee_is_this") != 0 ? Fixture::wakee : TaskId::none();
        Rq& rq = f.st.rq(wake.waker_cpu);
        Task& waker = f.st.task(Fixture::runs_on(wake.waker_cpu));
        rq.idle_last_wakee = waker.last_wakee = last;
        rq.idle_wakee_flips = waker.wakee_flips = table.in(row, "waker_flips");
        f.st.entity(Fixture::runs_on(wake.waker_cpu)).avg.load_avg = table.in(row, "waker_load");
        const Json& heads = file.at("llc_heads");
        const auto shared = [&](std::size_t i) -> LlcShared& {
            return f.st.llc_shared[f.domains.cpu(CpuId{heads.at(i).get<std::int32_t>()}).shared.index()];
        };
        for (std::size_t i = 0; i < heads.size(); ++i) {
            shared(i).has_idle_cores = table.in(row, "has_idle_cores per llc head").at(i);
            shared(i).nr_idle_scan = table.in(row, "nr_idle_scan per llc head").at(i);
        }
        Evidence<FullSink> why;
        const placement::Placement p = placement::select_task_rq(f.st, f.st.settings, f.domains, wake, why);
        placement::apply(f.st, f.domains, wake, p);
        Json flags_after = Json::array();
        for (std::size_t i = 0; i < heads.size(); ++i) flags_after.push_back(shared(i).has_idle_cores);
        table.compare(tally, number++, row, {{"->cpu", p.cpu.value}, {"->target", p.target.value}, {"->recent", wakee.recent_used_cpu.value},
                                           {"->waker_flips", rq.curr ? waker.wakee_flips : rq.idle_wakee_flips},
                                           {"->scan", spaced(subjects(why.checks(), Chk::scan_cpu, Chk::scan_core))},
                                           {"->has_idle_cores per llc head", flags_after}});
    }
}

void check_slow_path(const Json& file, Tally& tally) {
    const Fixture base(file.at("topology"), kernel_of(file));
    const Table table(file.at("fields"));
    std::size_t number = 0;
    for (const Json& row : file.at("cases")) {
        Fixture f = base;
        const Json& cpus = table.in(row, "cpus");
        for (std::size_t c = 0; c < cpus.size(); ++c) {
            f.set_cpu(CpuId{c}, cpus[c].at(0), cpus[c].at(1));
            LoadAvg& avg = f.st.queues[c].avg;
            avg.load_avg = cpus[c].at(2);
            avg.util_avg = cpus[c].at(3);
            avg.runnable_avg = cpus[c].at(4);
            f.st.rqs[c].idle_stamp = cpus[c].at(5);
        }
        placement::Wake wake{.task = Fixture::wakee, .prev = CpuId{table.in(row, "prev").get<std::int32_t>()},
                             .waker_cpu = CpuId{table.in(row, "cpu").get<std::int32_t>()}};
        wake.exec = table.in(row, "flag") == "EXEC";
        wake.fork = !wake.exec;
        f.set_affinity(Fixture::wakee, read_cpus(table.in(row, "affinity").get<std::string>(), cpus.size(), true));
        f.st.task(Fixture::wakee).cpu = wake.prev;
        LoadAvg& avg = f.st.entity(Fixture::wakee).avg;
        avg.load_avg = table.in(row, "task_load");
        avg.util_avg = table.in(row, "task_util");
        avg.runnable_avg = table.in(row, "task_runnable");
        avg.last_update = table.in(row, "task_last_update_nonzero");
        if (wake.exec) {
            f.st.task(Fixture::wakee).on_rq = 1;
            f.st.rq(wake.prev).curr = Fixture::wakee;
        }
        Evidence<FullSink> why;
        const placement::Placement p = placement::select_task_rq(f.st, f.st.settings, f.domains, wake, why);
        const bool no_domain = p.reason == Reason::place_previous; // the file says -1 there
        table.compare(tally, number++, row, {{"->cpu", no_domain ? -1 : p.cpu.value}});
    }
}

} // namespace picknext::vectors
