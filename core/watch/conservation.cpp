// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/watch/conservation.hpp"

#include <algorithm>

#include "core/state/idle.hpp"
#include "core/state/throttled.hpp"

namespace picknext::watch {
namespace {

/// Queued, allowed to run, and not running. Delayed ones sleep.
bool waits(const State& st, TaskId id) {
    const Task& task = st.task(id);
    return task.on_rq != 0 && task.state == TaskState::runnable && st.rq(task.cpu).curr != id && !throttled_pair(st, id, task.cpu, task.cpu);
}

/// Its group may be throttled on one CPU and not on another.
bool may_run_on(const State& st, TaskId id, CpuId cpu) {
    return contains(st.mask(st.task(id).affinity), cpu) && !throttled_pair(st, id, cpu, cpu);
}

} // namespace

Conservation::Conservation(const Domains& domains, std::function<void(const Interval&)> on_interval)
    : m_domains(domains), m_on_interval(std::move(on_interval)), m_causes(domains),
      m_elsewhere(domains.cpus.size(), CpuSet(domains.cpus.size())), m_idle_since(domains.cpus.size(), 0), m_pairs(domains.cpus.size()) {
    for (CpuSet* set : {&m_searched, &m_free, &m_paired, &m_crowded, &m_try}) *set = CpuSet(domains.cpus.size());
    doubt(); // nothing is known yet
}

void Conservation::note(const DecisionHeader& header) {
    const CpuId cpu{static_cast<std::size_t>(header.cpu)};
    switch (header.kind) {
    case Kind::schedule: case Kind::enqueue: case Kind::dequeue: case Kind::throttle: case Kind::unthrottle: case Kind::hotplug: m_touched.add(cpu); break;
    case Kind::queue_wakeup: // a CPU with somebody on its wake list is not idle
        if (header.outcome >= 0) m_touched.add(CpuId{header.outcome});
        [[fallthrough]];
    default:
        if (m_causes.note(header)) m_searched.add(cpu);
    }
}

/// Idle or crowded? A queue whose every waiting task is bound to it never takes part.
void Conservation::look_at(const State& st, CpuId cpu) {
    const Rq& rq = st.rq(cpu);
    const bool idle = rq.online != 0 && idle_cpu(st, cpu);
    if (!idle) {
        m_free.remove(cpu);
    } else if (!m_free.has(cpu) && !m_paired.has(cpu)) {
        m_free.add(cpu);
        m_idle_since[cpu.index()] = st.event;
    }
    CpuSet& elsewhere = m_elsewhere[cpu.index()];
    std::ranges::fill(elsewhere.words(), 0);
    if (rq.nr_running > (rq.curr ? 1U : 0U))
        for (TaskId t = rq.list_first; t; t = st.task(t).list_next) {
            if (!waits(st, t)) continue;
            const MaskId affinity = st.task(t).affinity;
            for (std::size_t w = 0; w < elsewhere.words().size(); ++w) elsewhere.words()[w] |= st.mask(affinity)[w];
            if (affinity == MaskId{0}) break; // all CPUs
        }
    elsewhere.remove(cpu);
    if (elsewhere.empty()) m_crowded.remove(cpu);
    else m_crowded.add(cpu);
    m_try.add(cpu);
}

void Conservation::open_pair(const State& st, CpuId idle, TaskId task, CpuId queue) {
    m_free.remove(idle);
    m_paired.add(idle);
    m_partner[task.index()] = idle;
    Pair& pair = m_pairs[idle.index()];
    pair = {};
    pair.interval = {idle, task, queue, st.now, st.now, {}};
    pair.level = shared_level(m_domains, idle, queue);
    pair.now = m_causes.newest(st, idle, pair.level, queue, m_idle_since[idle.index()]);
    pair.since = st.now;
}

void Conservation::end_stretch(Pair& pair, std::int64_t at) {
    const std::int64_t held = at - pair.since;
    if (held <= 0) return;
    CauseTotal& total = m_totals[pair.now];
    total.ns += held;
    total.longest = std::max(total.longest, held);
    ++total.stretches;
    if (held > pair.longest_held) {
        pair.longest_held = held;
        pair.interval.cause = pair.now;
    }
}

void Conservation::close_pair(CpuId idle, std::int64_t at) {
    Pair& pair = m_pairs[idle.index()];
    m_partner[pair.interval.task.index()] = CpuId::none();
    m_paired.remove(idle);
    if (at == pair.interval.begin) return;
    end_stretch(pair, at);
    pair.interval.end = at;
    m_lost += at - pair.interval.begin;
    ++m_count;
    m_on_interval(pair.interval);
}

/// Ends pairs whose CPU works or whose task does not wait there any more; the one that is left needs another partner.
void Conservation::drop_ended(const State& st) {
    for_each_cpu(CpuSet(m_paired), [&](CpuId idle) {
        const Interval& i = m_pairs[idle.index()].interval;
        if (!m_touched.has(idle) && !m_touched.has(i.queue)) return;
        const CpuId queue = i.queue;
        const bool still_idle = st.rq(idle).online != 0 && idle_cpu(st, idle);
        const bool still_waits = st.task(i.task).cpu == queue && waits(st, i.task) && may_run_on(st, i.task, idle);
        if (still_idle && still_waits) return;
        close_pair(idle, st.now);
        if (still_idle) m_free.add(idle);
        m_try.add(idle);
        m_try.add(queue);
    });
}

bool Conservation::may_be_paired(const State& st, TaskId task) const { return !m_partner[task.index()] && waits(st, task); }

/// Near ones first: a CPU of the same LLC, else the first of all.
CpuId Conservation::free_cpu_for(const State& st, TaskId task, CpuId queue) const {
    const CpuSetView free = m_free, affinity = st.mask(st.task(task).affinity);
    CpuId first;
    for (std::size_t w = 0; w < free.size(); ++w)
        for (std::uint64_t bits = free[w] & affinity[w]; bits != 0; bits &= bits - 1) {
            const CpuId cpu{w * 64 + static_cast<std::size_t>(std::countr_zero(bits))};
            if (!may_run_on(st, task, cpu)) continue;
            if (m_domains.share_cache(cpu, queue)) return cpu;
            if (!first) first = cpu;
        }
    return first;
}

/// Those that ran least recently first, as balancing looks at them.
void Conservation::pair_queue(const State& st, CpuId queue) {
    if (intersection(m_elsewhere[queue.index()], m_free).empty()) return;
    for (TaskId t = st.rq(queue).list_last; t && !m_free.empty(); t = st.task(t).list_previous)
        if (may_be_paired(st, t))
            if (const CpuId idle = free_cpu_for(st, t, queue)) open_pair(st, idle, t, queue);
}

void Conservation::pair_cpu(const State& st, CpuId idle) {
    for_each_cpu(CpuSetView(m_crowded), [&](CpuId queue) {
        if (!m_elsewhere[queue.index()].has(idle)) return true;
        for (TaskId t = st.rq(queue).list_last; t; t = st.task(t).list_previous)
            if (may_be_paired(st, t) && may_run_on(st, t, idle)) {
                open_pair(st, idle, t, queue);
                return false;
            }
        return true;
    });
}

void Conservation::doubt() { m_touched = CpuSet::all(m_pairs.size()); }

void Conservation::after_event(const State& st) {
    m_partner.resize(st.tasks.size());
    for_each_cpu(CpuSetView(m_touched), [&](CpuId cpu) { look_at(st, cpu); });
    if (!m_paired.empty()) drop_ended(st);
    for_each_cpu(CpuSetView(m_searched), [&](CpuId idle) {
        if (!m_paired.has(idle)) return;
        Pair& pair = m_pairs[idle.index()];
        const Cause cause = m_causes.newest(st, idle, pair.level, pair.interval.queue, m_idle_since[idle.index()]);
        if (cause == pair.now) return;
        end_stretch(pair, st.now);
        pair.now = cause;
        pair.since = st.now;
    });
    if (!m_free.empty() && !m_crowded.empty())
        for_each_cpu(CpuSetView(m_try), [&](CpuId cpu) {
            if (m_crowded.has(cpu)) pair_queue(st, cpu);
            else if (m_free.has(cpu)) pair_cpu(st, cpu);
        });
    for (CpuSet* set : {&m_touched, &m_searched, &m_try}) std::ranges::fill(set->words(), 0);
}

void Conservation::finish(const State& st) {
    for_each_cpu(CpuSet(m_paired), [&](CpuId idle) { close_pair(idle, st.now); });
}

} // namespace picknext::watch
