// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/explain/writes.hpp"

#include <fmt/format.h>

#include "core/fair/views.hpp"

namespace picknext {
namespace {

std::string arrow(std::string_view from, std::string_view to) { return fmt::format("{} \u2192 {}", from, to); }

VTime tree_key(const Settings& settings, const Entity& e) {
    return settings.tree_key() == TreeKey::deadline ? e.deadline : e.vruntime;
}

/// Between whom an entity comes when it goes (back) into the tree; equal keys stay before it.
std::string place_in_tree(const Moment& m, EntityId entity) {
    const VTime key = tree_key(m.settings(), m.st.entity(entity));
    EntityId left, right;
    for (EntityId e : fair::in_order(m.st, m.st.entity(entity).queue)) {
        if (before(key, tree_key(m.settings(), m.st.entity(e)))) {
            right = e;
            break;
        }
        left = e;
    }
    const auto name = [&](EntityId e) { return name_of(m.scenario, m.st, e); };
    if (left && right) return fmt::format("+ {} between {} and {}", name(entity), name(left), name(right));
    if (left) return fmt::format("+ {} after {}", name(entity), name(left));
    if (right) return fmt::format("+ {} before {}", name(entity), name(right));
    return fmt::format("+ {}", name(entity));
}

std::vector<Write> of_schedule(const Moment& m) {
    const Rq& rq = m.st.rq(m.cpu());
    const TaskId next{m.header.outcome};
    std::vector<Write> out;
    if (rq.need_resched != 0) out.push_back({"rq.need_resched", arrow("1", "0")});
    if (rq.curr == next) return out;
    if (rq.curr) {
        const EntityId prev = m.st.task(rq.curr).entity;
        if (m.st.entity(prev).on_rq != 0) out.push_back({"tasks_timeline", place_in_tree(m, prev)});
    }
    if (next) {
        const Entity& e = m.st.entity(next);
        const std::string name = name_of(m.scenario, m.st, next);
        if (e.link.in_tree != 0) out.push_back({"tasks_timeline", fmt::format("\u2212 {}", name)});
        if (m.settings().eevdf()) out.push_back({"se.vlag", fmt::format("{}: := deadline (slice protected)", name)});
        else out.push_back({"se.prev_sum_exec_runtime", fmt::format("{}: := {}", name, ms_length(static_cast<std::int64_t>(e.sum_exec), 6))});
    }
    out.push_back({"rq.curr", arrow(name_of(m.scenario, m.st, rq.curr), name_of(m.scenario, m.st, next))});
    out.push_back({"rq.nr_switches", arrow(grouped(rq.nr_switches), grouped(std::int64_t{rq.nr_switches} + 1))});
    return out;
}

std::vector<Write> of_pick(const Moment& m) {
    if (m.header.reason == Reason::pick_delayed_finish) {
        const std::string name = name_of(m.scenario, m.st, EntityId{m.header.outcome});
        return {{"se.sched_delayed", fmt::format("{}: {}", name, arrow("1", "0"))}, {"tasks_timeline", fmt::format("\u2212 {}", name)}};
    }
    return {}; // a pick only answers: whoever asked writes
}

std::vector<Write> of_place(const Moment& m) {
    const CpuId to{m.header.outcome};
    const CpuId from = m.st.task(m.task()).cpu;
    if (m.header.reason == Reason::place_in_place || from == to) return {};
    return {{"task_cpu", arrow(cpu_text(m.scenario, from), cpu_text(m.scenario, to))}};
}

std::vector<Write> of_resched(const Moment& m) {
    if (m.header.outcome != 1 || m.st.rq(m.cpu()).need_resched != 0) return {};
    return {{"rq.need_resched", arrow("0", "1")}};
}

std::vector<Write> of_enqueue(const Moment& m) {
    std::vector<Write> out;
    for (const Check& c : m.checks) {
        if (c.id != Chk::placed_vruntime && c.id != Chk::placed_deadline) continue;
        const std::string name = name_of(m.scenario, m.st, EntityId{c.subject});
        const VTime value{static_cast<std::uint64_t>(c.left)};
        out.push_back({c.id == Chk::placed_vruntime ? "se.vruntime" : "se.deadline", fmt::format("{}: := {}", name, ms_text(value - m.zero))});
    }
    const Queue& q = m.st.queue(m.queue);
    if (m.header.reason != Reason::enqueue_revived)
        out.push_back({"cfs_rq.nr_queued", arrow(grouped(q.nr_queued), grouped(std::int64_t{q.nr_queued} + 1))});
    else out.push_back({"se.sched_delayed", arrow("1", "0")});
    return out;
}

std::vector<Write> of_dequeue(const Moment& m) {
    if (m.header.outcome == 0) return {{"se.sched_delayed", arrow("0", "1")}};
    std::vector<Write> out;
    const Queue& q = m.st.queue(m.queue);
    if (m.task() && m.st.entity(m.task()).link.in_tree != 0)
        out.push_back({"tasks_timeline", fmt::format("\u2212 {}", name_of(m.scenario, m.st, m.task()))});
    out.push_back({"se.on_rq", arrow("1", "0")});
    if (q.nr_queued > 0) out.push_back({"cfs_rq.nr_queued", arrow(grouped(q.nr_queued), grouped(std::int64_t{q.nr_queued} - 1))});
    return out;
}

std::vector<Write> of_yield(const Moment& m) {
    const std::string name = name_of(m.scenario, m.st, m.task());
    switch (m.header.reason) {
    case Reason::yield_skip: return {{"cfs_rq.skip", fmt::format(":= {}", name)}};
    case Reason::yield_deadline: return {{"se.deadline", fmt::format("{}: + one slice", name)}};
    case Reason::yield_forfeit:
        return {{"se.vruntime", fmt::format("{}: := deadline", name)}, {"se.deadline", fmt::format("{}: + one slice", name)}};
    default: return {};
    }
}

std::vector<Write> of_detach(const Moment& m) {
    if (m.header.outcome != 1) return {};
    return {{"task_cpu", arrow(cpu_text(m.scenario, m.st.task(m.task()).cpu), cpu_text(m.scenario, m.cpu()))}};
}

/// What a group's pool and its queue on this CPU will hold is in the checks; here only what else changes.
std::vector<Write> of_bandwidth(const Moment& m) {
    const bool taken = m.header.outcome >= 0;
    switch (m.header.kind) {
    case Kind::throttle: return taken ? std::vector<Write>{{"cfs_rq.throttled", arrow("0", "1")}} : std::vector<Write>{};
    case Kind::unthrottle: return taken ? std::vector<Write>{{"cfs_rq.throttled", arrow("1", "0")}} : std::vector<Write>{};
    default: break;
    }
    std::vector<Write> out;
    for (const Check& c : m.checks)
        if (c.id == Chk::pool_filled && m.header.reason == Reason::refill_period)
            out.push_back({"cfs_b.runtime", arrow(ms_length(c.right, 6), ms_length(c.left, 6))});
    if (m.header.reason == Reason::refill_idle) out.push_back({"cfs_b.period_active", arrow("1", "0")});
    if (m.header.reason >= Reason::refill_slack) out.push_back({"cfs_b.slack_started", arrow("1", "0")});
    return out;
}

std::vector<Write> of_queue_wakeup(const Moment& m) {
    if (m.header.outcome < 0) return {};
    std::vector<Write> out{{"rq.wake_list", fmt::format("+ {}", name_of(m.scenario, m.st, m.task()))}};
    if (m.st.rq(CpuId{m.header.outcome}).ttwu_pending == 0) out.push_back({"rq.ttwu_pending", arrow("0", "1")});
    return out;
}

} // namespace

std::vector<Write> writes_of(const Moment& m) {
    switch (m.header.kind) {
    case Kind::pick: return of_pick(m);
    case Kind::schedule: return of_schedule(m);
    case Kind::place: return of_place(m);
    case Kind::preempt:
    case Kind::tick: return of_resched(m);
    case Kind::enqueue: return of_enqueue(m);
    case Kind::dequeue: return of_dequeue(m);
    case Kind::yield: return of_yield(m);
    case Kind::detach: return of_detach(m);
    case Kind::active: return m.header.outcome == 1 ? std::vector<Write>{{"rq.active_balance", arrow("0", "1")}} : std::vector<Write>{};
    case Kind::mask:
        return m.header.outcome < 0 ? std::vector<Write>{} : std::vector<Write>{{"idle mask", fmt::format("{}: := {}", cpu_text(m.scenario, m.cpu()), m.header.outcome)}};
    case Kind::idle_cores: return m.header.outcome == 1 ? std::vector<Write>{{"has_idle_cores", ":= 1"}} : std::vector<Write>{};
    case Kind::throttle:
    case Kind::unthrottle:
    case Kind::refill: return of_bandwidth(m);
    case Kind::queue_wakeup: return of_queue_wakeup(m);
    case Kind::hotplug:
        return m.st.rq(m.cpu()).online == m.header.outcome ? std::vector<Write>{} : std::vector<Write>{{"cpu_online_mask", fmt::format("{}: := {}", cpu_text(m.scenario, m.cpu()), m.header.outcome)}};
    case Kind::balance:
    case Kind::busiest:
    case Kind::imbalance:
    case Kind::queue:
    case Kind::newidle:
    case Kind::nohz_kick:
    case Kind::nohz_run: // they only answer: detaching writes
    case Kind::count: break;
    }
    return {};
}

} // namespace picknext
