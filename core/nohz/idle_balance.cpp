// SPDX-License-Identifier: GPL-3.0-or-later
// The run of a kicked CPU over all CPUs without a tick.
#include <algorithm>

#include "core/nohz/nohz.hpp"
#include "core/state/idle.hpp"

namespace picknext::nohz {
namespace {

bool refreshes_all(const Settings& settings) {
    return settings.patch(Patch::nohz_stats_decayed) == static_cast<int>(NohzStats::never_stop);
}

/// May the CPU still carry blocked load after this (fn: update_nohz_stats)?
bool refresh(State& st, CpuId cpu, IdleHost& host, int& refreshed) {
    Rq& rq = st.rq(cpu);
    if (rq.has_blocked_load == 0 && !refreshes_all(st.settings)) return false;
    if (!contains(st.nohz_idle_cpus, cpu)) return false;
    if (st.jiffies() <= rq.last_blocked_update) return true; // already done in this jiffy
    rq.last_blocked_update = st.jiffies();
    ++refreshed;
    rq.has_blocked_load = host.refresh_blocked(cpu) ? 1 : 0;
    return rq.has_blocked_load != 0;
}

/// What is known of the CPUs at the start; the run itself asks again when it comes to each.
template <DecisionSink S>
void announce(State& st, CpuId cpu, std::uint8_t flags, Reason reason, Recorder<S>& recorder) {
    Evidence<S>& why = recorder.open();
    for_each_cpu_wrap(st.nohz_idle_cpus, cpu.index() + 1, [&](CpuId c) {
        const Rq& rq = st.rq(c);
        if (!why.template check<Chk::cpu_is_idle>(c, rq.nr_running, 0, idle_cpu(st, c))) return true;
        if ((flags & stats_kick) != 0) why.template check<Chk::carries_blocked>(c, rq.has_blocked_load, 1, rq.has_blocked_load != 0);
        why.template check<Chk::own_balance_due>(c, st.jiffies(), rq.next_balance, st.jiffies() >= rq.next_balance);
        return true;
    });
    DecisionHeader header;
    header.kind = Kind::nohz_run;
    header.reason = reason;
    header.cpu = static_cast<std::uint16_t>(cpu.value);
    header.outcome = 0;
    recorder.announce(st, header);
}

} // namespace

template <DecisionSink S>
Round idle_balance(State& st, const Domains&, CpuId cpu, std::uint8_t flags, Reason reason, IdleHost& host, Recorder<S>& recorder) {
    announce(st, cpu, flags, reason, recorder);
    const std::int64_t hz = st.settings[Tunable::hz];
    const std::int64_t now = st.jiffies();
    const bool stats = (flags & stats_kick) != 0;
    // Cleared before the mask is read: a CPU that enters meanwhile sets it again.
    if (stats) st.nohz.has_blocked = 0;
    if ((flags & next_kick) != 0) st.nohz.needs_update = 0;
    Round round;
    int visited = 0;
    bool blocked = false, aborted = false, collected = false;
    std::int64_t next = now + 60 * hz;
    for_each_cpu_wrap(CpuSetView(st.nohz_idle_cpus), cpu.index() + 1, [&](CpuId c) {
        if (!idle_cpu(st, c)) return true;
        if (!idle_cpu(st, cpu) && st.rq(cpu).need_resched != 0) { // work arrived here: leave the rest to the next one
            blocked = blocked || stats;
            if ((flags & next_kick) != 0) st.nohz.needs_update = 1;
            aborted = true;
            return false;
        }
        ++visited;
        if (stats && refresh(st, c, host, round.refreshed)) blocked = true;
        if (st.jiffies() >= st.rq(c).next_balance && (flags & balance_kick) != 0) host.rebalance(c);
        if (st.rq(c).next_balance < next) {
            next = st.rq(c).next_balance;
            collected = true;
        }
        return true;
    });
    if (!aborted) {
        if (collected) st.nohz.next_balance = next;
        if (stats) st.nohz.next_blocked = now + blocked_period(hz);
    }
    if (blocked) st.nohz.has_blocked = 1;
    const bool marked_only = st.settings.patch(Patch::nohz_stats_decayed) == static_cast<int>(NohzStats::cpumask) && (flags & balance_kick) == 0;
    if (!marked_only) round.skipped = visited - round.refreshed;
    return round;
}

#define PICKNEXT_FOR_SINK(S) \
    template Round idle_balance(State&, const Domains&, CpuId, std::uint8_t, Reason, IdleHost&, Recorder<S>&);
PICKNEXT_FOR_EACH_SINK(PICKNEXT_FOR_SINK)
#undef PICKNEXT_FOR_SINK

} // namespace picknext::nohz
