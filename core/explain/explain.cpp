// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/explain/explain.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "core/explain/moment.hpp"
#include "core/explain/rows.hpp"
#include "core/explain/writes.hpp"
#include "core/fair/views.hpp"

namespace picknext {
namespace {

constexpr std::size_t most_closest_calls = 3;

std::string task_of(const Moment& m) { return name_of(m.scenario, m.st, m.task()); }
std::string current_of(const Moment& m) { return name_of(m.scenario, m.st, m.st.rq(m.cpu()).curr); }

std::string title_of_pick(const Moment& m, const std::string& cpu) {
    const std::string where = m.header.level == 0 || m.queue.index() >= m.st.queues.size()
                                  ? std::string()
                                  : fmt::format(" in {}", name_of(m.scenario, m.st, m.st.queue(m.queue).group));
    if (m.header.outcome < 0) return fmt::format("{} finds nobody to pick{}", cpu, where);
    return fmt::format("{} picks {}{}", cpu, name_of(m.scenario, m.st, EntityId{m.header.outcome}), where);
}

std::string title_of_schedule(const Moment& m, const std::string& cpu) {
    const TaskId next{m.header.outcome};
    const TaskId prev = m.st.rq(m.cpu()).curr;
    if (!next) return fmt::format("{} {} idle", cpu, prev ? "goes" : "stays");
    const std::string name = name_of(m.scenario, m.st, next);
    if (prev == next) return fmt::format("{} goes on with {}", cpu, name);
    if (!prev) return fmt::format("{} leaves idle for {}", cpu, name);
    return fmt::format("{} switches from {} to {}", cpu, name_of(m.scenario, m.st, prev), name);
}

/// A balance pass: what one CPU does on one level of its domains, step by step.
std::string title_of_balance(const Moment& m, const std::string& cpu) {
    const bool yes = m.header.outcome == 1;
    const bool none = m.header.outcome < 0;
    const std::string other = none ? std::string() : cpu_text(m.scenario, CpuId{m.header.outcome});
    switch (m.header.kind) {
    case Kind::balance: return fmt::format("{} {} level {}", cpu, yes ? "balances" : "does not balance", m.header.level);
    case Kind::busiest:
        return none ? fmt::format("{} finds level {} balanced", cpu, m.header.level)
                    : fmt::format("{} is to relieve the group of {} on level {}", cpu, other, m.header.level);
    case Kind::imbalance: return fmt::format("{} is to pull {} on level {}", cpu, grouped(m.header.outcome), m.header.level);
    case Kind::queue: return none ? fmt::format("{} finds no queue to pull from", cpu) : fmt::format("{} pulls from {}", cpu, other);
    case Kind::detach: return fmt::format("{} {} {}", task_of(m), yes ? "moves to" : "does not move to", cpu);
    case Kind::active: return fmt::format("The running task is {}pushed to {}", yes ? "" : "not ", cpu);
    default: return fmt::format("{} {} before it goes idle", cpu, yes ? "balances" : "does not balance"); // newidle
    }
}

/// What CPUs tell each other about being idle.
std::string title_of_idle(const Moment& m, const std::string& cpu) {
    switch (m.header.kind) {
    case Kind::nohz_kick:
        return m.header.outcome < 0 ? fmt::format("{} kicks nobody", cpu)
                                    : fmt::format("{} kicks {} to balance for the idle", cpu, cpu_text(m.scenario, CpuId{m.header.outcome}));
    case Kind::nohz_run: return fmt::format("{} balances for the CPUs without a tick", cpu);
    case Kind::mask:
        return fmt::format("The bit of {} in its cache's idle mask is {}", cpu, m.header.outcome < 0 ? "kept" : m.header.outcome == 0 ? "cleared" : "set");
    default: return fmt::format("{} {} an idle core", cpu, m.header.outcome == 1 ? "promises" : "does not promise"); // idle_cores
    }
}

/// A group that runs out of runtime, and gets some.
std::string title_of_bandwidth(const Moment& m, const std::string& cpu) {
    const EntityId subject{m.header.outcome >= 0 || m.checks.empty() ? m.header.outcome : m.checks.front().subject};
    const std::string group = subject ? name_of(m.scenario, m.st, subject) : std::string("A group");
    const bool taken = m.header.outcome >= 0;
    switch (m.header.kind) {
    case Kind::throttle: return fmt::format("{} {} on {}", group, taken ? "is throttled" : "is not throttled", cpu);
    case Kind::unthrottle: return fmt::format("{} {} {}", group, taken ? "comes back to" : "stays throttled on", cpu);
    default: return fmt::format("The {} timer of {}", m.header.reason < Reason::refill_slack ? "period" : "slack", group); // refill
    }
}

/// Who joins or leaves a queue: the task, or a group that is throttled or comes back.
std::string mover_of(const Moment& m) {
    if (m.task()) return task_of(m);
    for (const Check& c : m.checks)
        if (info(c.id).subject == SubjectType::entity) return name_of(m.scenario, m.st, EntityId{c.subject});
    return "A group";
}

std::string title_of(const Moment& m) {
    const std::string cpu = cpu_text(m.scenario, m.cpu());
    const bool yes = m.header.outcome == 1;
    switch (m.header.kind) {
    case Kind::pick: return title_of_pick(m, cpu);
    case Kind::schedule: return title_of_schedule(m, cpu);
    case Kind::place: return fmt::format("{} goes to {}", task_of(m), cpu_text(m.scenario, CpuId{m.header.outcome}));
    case Kind::preempt:
        if (m.header.reason == Reason::preempt_idle_cpu) return fmt::format("{} wakes {} from idle", task_of(m), cpu);
        return fmt::format("{} {} {} on {}", task_of(m), yes ? "preempts" : "does not preempt", current_of(m), cpu);
    case Kind::tick:
        return yes ? fmt::format("The tick on {} asks for a reschedule", cpu) : fmt::format("The tick on {} lets {} go on", cpu, task_of(m));
    case Kind::enqueue: return fmt::format("{} joins the queue of {}", mover_of(m), cpu);
    case Kind::dequeue: return fmt::format("{} {} {}", mover_of(m), yes ? "leaves the queue of" : "sleeps but stays queued on", cpu);
    case Kind::yield: return fmt::format("{} yields on {}", task_of(m), cpu);
    case Kind::balance:
    case Kind::busiest:
    case Kind::imbalance:
    case Kind::queue:
    case Kind::detach:
    case Kind::active:
    case Kind::newidle: return title_of_balance(m, cpu);
    case Kind::nohz_kick:
    case Kind::nohz_run:
    case Kind::mask:
    case Kind::idle_cores: return title_of_idle(m, cpu);
    case Kind::throttle:
    case Kind::unthrottle:
    case Kind::refill: return title_of_bandwidth(m, cpu);
    case Kind::queue_wakeup:
        return m.header.outcome < 0 ? fmt::format("{} is enqueued by its waker", task_of(m))
                                    : fmt::format("{} joins the wake list of {}", task_of(m), cpu_text(m.scenario, CpuId{m.header.outcome}));
    case Kind::hotplug: return fmt::format("{} {} {}", cpu, m.st.rq(m.cpu()).online == m.header.outcome ? "stays" : yes ? "comes" : "goes", yes ? "online" : "offline");
    case Kind::count: break;
    }
    return {};
}

/// Among whom a search chose, the running one included: "Earliest deadline among the 5 eligible tasks"; "entities" where
/// groups are queued.
std::string choice_text(const Moment& m) {
    std::size_t eligible = 0;
    bool groups = false;
    const auto look_at = [&](EntityId e) {
        eligible += fair::is_eligible(m.settings(), m.st, m.queue, e) ? 1 : 0;
        groups = groups || !m.st.entity(e).task;
    };
    for (EntityId e : fair::in_order(m.st, m.queue)) look_at(e);
    if (const EntityId curr = m.st.queue(m.queue).curr; curr && m.st.entity(curr).on_rq != 0) look_at(curr);
    if (eligible == 1) return fmt::format("The only eligible {}", groups ? "entity" : "task");
    return fmt::format("Earliest deadline among the {} eligible {}", eligible, groups ? "entities" : "tasks");
}

/// The reason with its numbers: the search says how far it went, others end in what the deciding check compared.
std::string sentence_of(const Moment& m) {
    std::string sentence(info(m.header.reason).sentence);
    if (m.checks.empty() || sentence.empty()) return sentence;
    if (m.header.reason == Reason::pick_search)
        return fmt::format("{}; found by heap search in {} node{}.", choice_text(m), visited_nodes(m), visited_nodes(m) == 1 ? "" : "s");
    const Check* c = m.deciding();
    if (c == nullptr || (c->verdict != Verdict::yes && c->verdict != Verdict::no)) return sentence;
    if (const Unit unit = info(c->id).unit; unit != Unit::vtime && unit != Unit::ns) return sentence;
    if (sentence.ends_with('.')) sentence.pop_back();
    return fmt::format("{}: {}.", sentence, values_text(m, *c));
}

/// Which way of pick_eevdf led to the choice, as its counters name it; CFS has one way and the buddies.
std::string path_of(const Moment& m) {
    if (m.header.kind != Kind::pick) return {};
    switch (m.header.reason) {
    case Reason::pick_only_entity: return "direct";
    case Reason::pick_parity: return "parity";
    case Reason::pick_leftmost_eligible: return "fast";
    case Reason::pick_search: return "slow";
    case Reason::pick_next_buddy:
    case Reason::pick_last_buddy: return "buddy";
    case Reason::pick_current_earlier: // the way is decided before the current task is compared
        return std::any_of(m.checks.begin(), m.checks.end(),
                           [](const Check& c) { return c.id == Chk::leftmost_eligible && c.verdict == Verdict::yes; })
                   ? "fast"
                   : "slow";
    default: return {};
    }
}

std::string function_of(const Moment& m, const std::string& path) {
    std::string_view name = info(m.header.kind).function;
    if (m.header.kind == Kind::pick && m.settings().eevdf() && !path.empty() && path != "buddy") name = "pick_eevdf";
    if (m.header.kind == Kind::preempt && m.settings().kernel <= Kernel::eevdf_6_6) name = "check_preempt_wakeup"; // renamed in 6.7
    return fmt::format("{}()", name);
}

std::vector<std::size_t> closest_of(const std::vector<ExplainedCheck>& rows) {
    std::vector<std::size_t> out;
    for (std::size_t i = 0; i < rows.size(); ++i)
        if (rows[i].has_margin) out.push_back(i);
    const auto size = [&](std::size_t i) {
        const std::int64_t v = rows[i].margin;
        return v < 0 ? 0 - static_cast<std::uint64_t>(v) : static_cast<std::uint64_t>(v);
    };
    std::stable_sort(out.begin(), out.end(), [&](std::size_t a, std::size_t b) { return size(a) < size(b); });
    if (out.size() > most_closest_calls) out.resize(most_closest_calls);
    return out;
}

/// Whom it is about; nobody runs is "idle", and a group moves without a task.
std::string task_column(const Scenario& scenario, const State& st, const DecisionHeader& header) {
    const bool of_group = header.task < 0 && (header.kind == Kind::enqueue || header.kind == Kind::dequeue || header.kind == Kind::refill);
    return of_group ? std::string() : name_of(scenario, st, TaskId{header.task});
}

std::string outcome_column(const Scenario& scenario, const State& st, const DecisionHeader& header) {
    switch (info(header.kind).outcome) {
    case OutcomeType::entity: return header.outcome < 0 ? "nobody" : name_of(scenario, st, EntityId{header.outcome});
    case OutcomeType::task: return name_of(scenario, st, TaskId{header.outcome});
    case OutcomeType::cpu: return cpu_text(scenario, CpuId{header.outcome});
    case OutcomeType::yes_no: return header.outcome == 1 ? "yes" : "no";
    case OutcomeType::none: return header.kind == Kind::imbalance ? fmt::format("{}", header.outcome) : std::string();
    }
    return {};
}

} // namespace

Explanation explain(const Scenario& scenario, const State& st, const DecisionHeader& header, std::span<const Check> checks) {
    Explanation out;
    if (header.kind == Kind::count) return out; // the start: nothing was decided yet
    const Moment m(scenario, st, header, checks);
    out.title = title_of(m);
    out.sentence = sentence_of(m);
    out.path = path_of(m);
    out.function = function_of(m, out.path);
    out.checks = check_rows(m);
    out.closest = closest_of(out.checks);
    out.writes = writes_of(m);
    return out;
}

std::string outcome_text(const Scenario& scenario, const State& st, const DecisionHeader& header) {
    if (header.kind == Kind::count) return {};
    return fmt::format("{:<12} {:<8} {:<16} {:<16} {}", info(header.kind).name, cpu_text(scenario, CpuId{static_cast<std::int32_t>(header.cpu)}),
                       task_column(scenario, st, header), outcome_column(scenario, st, header), info(header.reason).sentence);
}

} // namespace picknext
