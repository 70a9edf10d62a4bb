// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/expr/fields.hpp"

#include <array>

#include "core/fair/views.hpp"
#include "core/state/idle.hpp"

namespace picknext::expr {
namespace {

using T = Type;
using O = Owner;

constexpr Value number(std::uint64_t v) { return v <= static_cast<std::uint64_t>(INT64_MAX) ? Value::of(static_cast<std::int64_t>(v)) : Value::none(); }
constexpr Value number(std::int64_t v) { return Value::of(v); }
constexpr Value flag(bool v) { return Value::of(v ? 1 : 0); }
constexpr Value vtime(VTime v) { return Value::of(static_cast<std::int64_t>(v.ns)); }
template <class Tag>
constexpr Value id(Id<Tag> v) { return Value::of(v.value); }

const Task& task(const Seen& s, std::int64_t i) { return s.st.tasks[static_cast<std::size_t>(i)]; }
const Entity& entity(const Seen& s, std::int64_t i) { return s.st.entity(TaskId{static_cast<std::int32_t>(i)}); }
const Rq& rq(const Seen& s, std::int64_t i) { return s.st.rqs[static_cast<std::size_t>(i)]; }
const Queue& cfs(const Seen& s, std::int64_t i) { return s.st.queues[static_cast<std::size_t>(i)]; }
const Group& group(const Seen& s, std::int64_t i) { return s.st.groups[static_cast<std::size_t>(i)]; }

/// At the start of a run nothing was decided yet.
Value if_decided(const Seen& s, std::int64_t v) { return s.header.kind == Kind::count ? Value::none() : Value::of(v); }

/// Null for a group without a quota.
const Bandwidth* pool(const Seen& s, std::int64_t i) {
    const bool limited = static_cast<std::size_t>(i) < s.st.bandwidth.size() && s.st.bandwidth[static_cast<std::size_t>(i)].quota != 0;
    return limited ? &s.st.bandwidth[static_cast<std::size_t>(i)] : nullptr;
}

bool runs(const Seen& s, std::int64_t i) {
    const Task& t = task(s, i);
    return t.cpu && s.st.rq(t.cpu).curr == TaskId{static_cast<std::int32_t>(i)};
}
/// The running entity of a queue keeps the mark of its slice protection where others keep their lag.
bool current_of_queue(const Seen& s, std::int64_t i) {
    const Entity& e = entity(s, i);
    return e.queue && s.st.queue(e.queue).curr == task(s, i).entity;
}
bool has_lag(const Seen& s, std::int64_t i) { return s.st.settings.eevdf() && entity(s, i).on_rq != 0 && entity(s, i).queue; }

const LlcShared* shared(const Seen& s, std::int64_t llc) {
    const std::int32_t row = s.llc_row[static_cast<std::size_t>(llc)];
    return row >= 0 && static_cast<std::size_t>(row) < s.st.llc_shared.size() ? &s.st.llc_shared[static_cast<std::size_t>(row)] : nullptr;
}

constexpr std::array fields{
    // the decision
    Field{O::decision, "kind", T::kind, "", "what was decided: pick, place, tick ...", "", [](const Seen& s, std::int64_t) { return if_decided(s, static_cast<std::int64_t>(s.header.kind)); }},
    Field{O::decision, "reason", T::reason, "", "why it came out so: place.scan_idle; in quotes a pattern: \"place.*\"", "", [](const Seen& s, std::int64_t) { return if_decided(s, static_cast<std::int64_t>(s.header.reason)); }},
    Field{O::decision, "cpu", T::cpu, "", "the CPU that decides, or that it is about", "", [](const Seen& s, std::int64_t) { return if_decided(s, s.header.cpu); }},
    Field{O::decision, "task", T::task, "", "whom it is about: the current task of a pick or tick, else the woken or leaving one", "", [](const Seen& s, std::int64_t) { return if_decided(s, s.header.task); }},
    Field{O::decision, "outcome", T::outcome, "", "the answer: a CPU, a task, yes or no, none", "", [](const Seen& s, std::int64_t) { return Value::of(s.header.outcome); }},
    Field{O::decision, "path", T::path, "", "how a pick came to its answer: direct, parity, fast, slow, buddy ...", "", [](const Seen& s, std::int64_t) { return s.header.kind == Kind::pick ? Value::of(static_cast<std::int64_t>(s.header.path)) : Value::none(); }},
    Field{O::decision, "site", T::site, "", "who asked for a pick: schedule or preempt", "", [](const Seen& s, std::int64_t) { return s.header.kind == Kind::pick ? Value::of(static_cast<std::int64_t>(s.header.site)) : Value::none(); }},
    Field{O::decision, "amount", T::number, "", "how much an imbalance decision wants moved", "env->imbalance", [](const Seen& s, std::int64_t) { return s.header.kind == Kind::imbalance ? Value::of(s.header.outcome) : Value::none(); }},
    Field{O::decision, "level", T::number, "", "depth of the queue of a pick (0 root), domain level of balancing", "", [](const Seen& s, std::int64_t) { return if_decided(s, s.header.level); }},
    Field{O::decision, "cost", T::time, "ns", "what it costs by the cost model, 0 without one", "", [](const Seen& s, std::int64_t) { return if_decided(s, s.header.cost); }},
    Field{O::decision, "now", T::time, "ns", "when, since the start of the run", "", [](const Seen& s, std::int64_t) { return Value::of(s.header.at); }},
    Field{O::decision, "decision", T::number, "", "its number in the run, from 1", "", [](const Seen& s, std::int64_t) { return number(s.st.decisions); }},
    Field{O::decision, "event", T::number, "", "number of the event it belongs to", "", [](const Seen& s, std::int64_t) { return number(s.header.event); }},
    Field{O::decision, "checks", T::checks, "", "the checks that were made: checks contains left_subtree_eligible", "", [](const Seen&, std::int64_t) { return Value::none(); }},
    Field{O::decision, "deciding", T::check, "", "the check that decided", "", [](const Seen& s, std::int64_t) { return s.header.deciding < s.checks.size() ? Value::of(static_cast<std::int64_t>(s.checks[s.header.deciding].id)) : Value::none(); }},
    Field{O::decision, "switches", T::number, "", "context switches so far", "", [](const Seen& s, std::int64_t) { return number(s.st.switches); }},
    Field{O::decision, "wakeups", T::number, "", "wakeups so far", "", [](const Seen& s, std::int64_t) { return number(s.st.wakeups); }},
    Field{O::decision, "ticks", T::number, "", "ticks handled so far", "", [](const Seen& s, std::int64_t) { return number(s.st.ticks); }},
    // tasks
    Field{O::task, "vruntime", T::vtime, "virtual ns", "its place on the virtual time line", "se.vruntime", [](const Seen& s, std::int64_t i) { return vtime(entity(s, i).vruntime); }},
    Field{O::task, "deadline", T::vtime, "virtual ns", "virtual deadline; EEVDF only", "se.deadline", [](const Seen& s, std::int64_t i) { return s.st.settings.eevdf() ? vtime(entity(s, i).deadline) : Value::none(); }},
    Field{O::task, "vlag", T::time, "virtual ns", "lag stored when it left the queue; no value while it runs; EEVDF only", "se.vlag", [](const Seen& s, std::int64_t i) { return s.st.settings.eevdf() && !current_of_queue(s, i) ? Value::of(entity(s, i).vlag) : Value::none(); }},
    Field{O::task, "lag", T::time, "virtual ns", "V - vruntime now, while queued; EEVDF only", "avg_vruntime() - se.vruntime", [](const Seen& s, std::int64_t i) { return has_lag(s, i) ? Value::of(fair::lag(s.st.settings, s.st, entity(s, i).queue, task(s, i).entity)) : Value::none(); }},
    Field{O::task, "eligible", T::condition, "", "vruntime not after V, while queued; EEVDF only", "entity_eligible()", [](const Seen& s, std::int64_t i) { return has_lag(s, i) ? flag(fair::is_eligible(s.st.settings, s.st, entity(s, i).queue, task(s, i).entity)) : Value::none(); }},
    Field{O::task, "slice", T::time, "ns", "slice it asks for", "se.slice", [](const Seen& s, std::int64_t i) { return number(entity(s, i).slice); }},
    Field{O::task, "weight", T::number, "1024 = nice 0", "load weight, scaled down", "se.load.weight", [](const Seen& s, std::int64_t i) { return number(entity(s, i).weight.coarse()); }},
    Field{O::task, "nice", T::number, "", "-20 to 19", "task_nice()", [](const Seen& s, std::int64_t i) { return Value::of(task(s, i).nice); }},
    Field{O::task, "policy", T::policy, "", "normal, batch or idle", "policy", [](const Seen& s, std::int64_t i) { return Value::of(static_cast<std::int64_t>(task(s, i).policy)); }},
    Field{O::task, "state", T::state, "", "waiting_to_start, runnable, sleeping or dead", "__state", [](const Seen& s, std::int64_t i) { return Value::of(static_cast<std::int64_t>(task(s, i).state)); }},
    Field{O::task, "on_rq", T::condition, "", "queued, delayed dequeue included", "on_rq", [](const Seen& s, std::int64_t i) { return flag(task(s, i).on_rq != 0); }},
    Field{O::task, "running", T::condition, "", "it is the current task of its CPU", "task_current()", [](const Seen& s, std::int64_t i) { return flag(runs(s, i)); }},
    Field{O::task, "sched_delayed", T::condition, "", "it sleeps, but its dequeue is delayed (6.12)", "se.sched_delayed", [](const Seen& s, std::int64_t i) { return flag(entity(s, i).sched_delayed != 0); }},
    Field{O::task, "sum_exec_runtime", T::time, "ns", "time it has run, as charged last", "se.sum_exec_runtime", [](const Seen& s, std::int64_t i) { return number(entity(s, i).sum_exec); }},
    Field{O::task, "prev_sum_exec_runtime", T::time, "ns", "the same when it was last picked", "se.prev_sum_exec_runtime", [](const Seen& s, std::int64_t i) { return number(entity(s, i).prev_sum_exec); }},
    Field{O::task, "exec_start", T::time, "ns", "clock of its CPU when it was charged last", "se.exec_start", [](const Seen& s, std::int64_t i) { return Value::of(entity(s, i).exec_start); }},
    Field{O::task, "wait_sum", T::time, "ns", "time it waited on queues, without a wait that lasts still", "stats.wait_sum", [](const Seen& s, std::int64_t i) { return number(task(s, i).waited_ns); }},
    Field{O::task, "load_avg", T::number, "", "load average", "se.avg.load_avg", [](const Seen& s, std::int64_t i) { return number(entity(s, i).avg.load_avg); }},
    Field{O::task, "runnable_avg", T::number, "1024 = always", "runnable average", "se.avg.runnable_avg", [](const Seen& s, std::int64_t i) { return number(entity(s, i).avg.runnable_avg); }},
    Field{O::task, "util_avg", T::number, "1024 = always", "utilisation average", "se.avg.util_avg", [](const Seen& s, std::int64_t i) { return number(entity(s, i).avg.util_avg); }},
    Field{O::task, "cpu", T::cpu, "", "where it is, or was last", "task_cpu()", [](const Seen& s, std::int64_t i) { return id(task(s, i).cpu); }},
    Field{O::task, "recent_used_cpu", T::cpu, "", "the CPU it used before the previous one", "recent_used_cpu", [](const Seen& s, std::int64_t i) { return id(task(s, i).recent_used_cpu); }},
    Field{O::task, "cpus_ptr", T::mask, "", "its affinity: task.cpus_ptr contains cpu 3", "cpus_ptr", [](const Seen& s, std::int64_t i) { return task(s, i).affinity ? Value::of(first_affinity + task(s, i).affinity.value) : Value::none(); }},
    Field{O::task, "group", T::group, "", "its task group", "sched_task_group", [](const Seen& s, std::int64_t i) { return id(task(s, i).group); }},
    Field{O::task, "last_wakee", T::task, "", "whom it woke last", "last_wakee", [](const Seen& s, std::int64_t i) { return id(task(s, i).last_wakee); }},
    Field{O::task, "wakee_flips", T::number, "", "how often that changed, halved each second", "wakee_flips", [](const Seen& s, std::int64_t i) { return Value::of(task(s, i).wakee_flips); }},
    Field{O::task, "nr_migrations", T::number, "", "how often it changed its CPU", "se.nr_migrations", [](const Seen& s, std::int64_t i) { return number(task(s, i).migrations); }},
    Field{O::task, "nr_wakeups", T::number, "", "how often it was woken", "stats.nr_wakeups", [](const Seen& s, std::int64_t i) { return number(task(s, i).activation); }},
    // CPUs
    Field{O::cpu, "nr_running", T::number, "", "fair tasks queued, running and delayed ones included", "rq.nr_running", [](const Seen& s, std::int64_t i) { return Value::of(rq(s, i).nr_running); }},
    Field{O::cpu, "curr", T::task, "", "the running task, none when idle", "rq.curr", [](const Seen& s, std::int64_t i) { return id(rq(s, i).curr); }},
    Field{O::cpu, "idle", T::condition, "", "runs the idle task, nothing queued or pending", "idle_cpu()", [](const Seen& s, std::int64_t i) { return flag(idle_cpu(s.st, CpuId{static_cast<std::int32_t>(i)})); }},
    Field{O::cpu, "sched_idle", T::condition, "", "has tasks, all of idle policy", "sched_idle_cpu()", [](const Seen& s, std::int64_t i) { return flag(sched_idle_cpu(s.st, CpuId{static_cast<std::int32_t>(i)})); }},
    Field{O::cpu, "online", T::condition, "", "takes part in scheduling", "rq.online", [](const Seen& s, std::int64_t i) { return flag(rq(s, i).online != 0); }},
    Field{O::cpu, "need_resched", T::condition, "", "a reschedule is requested", "TIF_NEED_RESCHED", [](const Seen& s, std::int64_t i) { return flag(rq(s, i).need_resched != 0); }},
    Field{O::cpu, "nr_switches", T::number, "", "context switches so far", "rq.nr_switches", [](const Seen& s, std::int64_t i) { return Value::of(rq(s, i).nr_switches); }},
    Field{O::cpu, "clock", T::time, "ns", "its clock, as read last", "rq.clock", [](const Seen& s, std::int64_t i) { return Value::of(rq(s, i).clock); }},
    Field{O::cpu, "idle_stamp", T::time, "ns", "when it went idle, 0 while busy", "rq.idle_stamp", [](const Seen& s, std::int64_t i) { return Value::of(rq(s, i).idle_stamp); }},
    Field{O::cpu, "avg_idle", T::time, "ns", "average length of its idle times", "rq.avg_idle", [](const Seen& s, std::int64_t i) { return number(rq(s, i).avg_idle); }},
    Field{O::cpu, "nr_queued", T::number, "", "entities of the root queue, the running one included", "cfs.nr_queued", [](const Seen& s, std::int64_t i) { return Value::of(cfs(s, i).nr_queued); }},
    Field{O::cpu, "h_nr_queued", T::number, "", "tasks below the root queue", "cfs.h_nr_queued", [](const Seen& s, std::int64_t i) { return Value::of(cfs(s, i).h_nr_queued); }},
    Field{O::cpu, "h_nr_delayed", T::number, "", "tasks whose dequeue is delayed", "cfs.h_nr_delayed", [](const Seen& s, std::int64_t i) { return Value::of(cfs(s, i).h_nr_delayed); }},
    Field{O::cpu, "h_nr_idle", T::number, "", "tasks of idle policy", "cfs.h_nr_idle", [](const Seen& s, std::int64_t i) { return Value::of(cfs(s, i).h_nr_idle); }},
    Field{O::cpu, "weight", T::number, "1024 = nice 0", "weights of all that is queued, scaled down", "cfs.load.weight", [](const Seen& s, std::int64_t i) { return number(cfs(s, i).weight.coarse()); }},
    Field{O::cpu, "avg_vruntime", T::vtime, "virtual ns", "V of the root queue (CFS: min_vruntime)", "avg_vruntime()", [](const Seen& s, std::int64_t i) { return vtime(fair::average_vruntime(s.st.settings, s.st, QueueId{static_cast<std::int32_t>(i)})); }},
    Field{O::cpu, "min_vruntime", T::vtime, "virtual ns", "reference of the root queue (6.12y: zero_vruntime)", "cfs.min_vruntime", [](const Seen& s, std::int64_t i) { return vtime(cfs(s, i).ref); }},
    Field{O::cpu, "load_avg", T::number, "", "load average of the root queue", "cfs.avg.load_avg", [](const Seen& s, std::int64_t i) { return number(cfs(s, i).avg.load_avg); }},
    Field{O::cpu, "runnable_avg", T::number, "1024 = always", "runnable average of the root queue", "cfs.avg.runnable_avg", [](const Seen& s, std::int64_t i) { return number(cfs(s, i).avg.runnable_avg); }},
    Field{O::cpu, "util_avg", T::number, "1024 = always", "utilisation average of the root queue", "cfs.avg.util_avg", [](const Seen& s, std::int64_t i) { return number(cfs(s, i).avg.util_avg); }},
    Field{O::cpu, "cpu_capacity", T::number, "1024 = full", "what interrupts and other classes leave of its capacity", "rq.cpu_capacity", [](const Seen& s, std::int64_t i) { return Value::of(rq(s, i).cpu_capacity); }},
    Field{O::cpu, "misfit_task_load", T::number, "", "load of the running task if it does not fit here", "rq.misfit_task_load", [](const Seen& s, std::int64_t i) { return number(rq(s, i).misfit_task_load); }},
    Field{O::cpu, "next_balance", T::number, "jiffies", "when its next periodic balance is due", "rq.next_balance", [](const Seen& s, std::int64_t i) { return Value::of(rq(s, i).next_balance); }},
    Field{O::cpu, "max_idle_balance_cost", T::time, "ns", "longest newidle balance lately", "rq.max_idle_balance_cost", [](const Seen& s, std::int64_t i) { return number(rq(s, i).max_idle_balance_cost); }},
    Field{O::cpu, "tick_stopped", T::condition, "", "its tick is off", "tick_nohz_tick_stopped()", [](const Seen& s, std::int64_t i) { return flag(rq(s, i).tick_stopped != 0); }},
    Field{O::cpu, "nohz_tick_stopped", T::condition, "", "it is in nohz.idle_cpus_mask", "rq.nohz_tick_stopped", [](const Seen& s, std::int64_t i) { return flag(rq(s, i).nohz_tick_stopped != 0); }},
    Field{O::cpu, "has_blocked_load", T::condition, "", "load of sleepers still decays there", "rq.has_blocked_load", [](const Seen& s, std::int64_t i) { return flag(rq(s, i).has_blocked_load != 0); }},
    Field{O::cpu, "llc", T::llc, "", "its last-level cache", "per_cpu(sd_llc_id)", [](const Seen& s, std::int64_t i) { return Value::of(s.llc_of[static_cast<std::size_t>(i)]); }},
    // last-level caches
    Field{O::llc, "nr_busy_cpus", T::number, "", "CPUs counted as busy", "sd_llc_shared->nr_busy_cpus", [](const Seen& s, std::int64_t i) { const LlcShared* l = shared(s, i); return l != nullptr ? Value::of(l->nr_busy_cpus) : Value::none(); }},
    Field{O::llc, "has_idle_cores", T::condition, "", "an idle core is promised: a hint, may be stale", "sd_llc_shared->has_idle_cores", [](const Seen& s, std::int64_t i) { const LlcShared* l = shared(s, i); return l != nullptr ? flag(l->has_idle_cores != 0) : Value::none(); }},
    Field{O::llc, "nr_idle_scan", T::number, "", "CPUs SIS_UTIL lets a wakeup look at", "sd_llc_shared->nr_idle_scan", [](const Seen& s, std::int64_t i) { const LlcShared* l = shared(s, i); return l != nullptr ? Value::of(l->nr_idle_scan) : Value::none(); }},
    // task groups
    Field{O::group, "weight", T::number, "100 = default", "cpu.weight of the cgroup", "sched_weight_to_cgroup()", [](const Seen& s, std::int64_t i) { return number(std::uint64_t{(group(s, i).shares.coarse() * 100 + 512) / 1024}); }},
    Field{O::group, "shares", T::number, "1024 = default", "shares, scaled down", "tg->shares", [](const Seen& s, std::int64_t i) { return number(group(s, i).shares.coarse()); }},
    Field{O::group, "idle", T::condition, "", "cpu.idle of the cgroup", "tg->idle", [](const Seen& s, std::int64_t i) { return flag(group(s, i).idle != 0); }},
    Field{O::group, "quota", T::time, "ns", "runtime it may use per period; no value without a quota", "cfs_b->quota", [](const Seen& s, std::int64_t i) { const Bandwidth* b = pool(s, i); return b != nullptr ? Value::of(b->quota) : Value::none(); }},
    Field{O::group, "runtime", T::time, "ns", "runtime left in its pool", "cfs_b->runtime", [](const Seen& s, std::int64_t i) { const Bandwidth* b = pool(s, i); return b != nullptr ? Value::of(b->runtime) : Value::none(); }},
    Field{O::group, "nr_periods", T::number, "", "periods it was active in", "cfs_b->nr_periods", [](const Seen& s, std::int64_t i) { const Bandwidth* b = pool(s, i); return b != nullptr ? number(b->nr_periods) : Value::none(); }},
    Field{O::group, "nr_throttled", T::number, "", "of them, those at whose end it was throttled", "cfs_b->nr_throttled", [](const Seen& s, std::int64_t i) { const Bandwidth* b = pool(s, i); return b != nullptr ? number(b->nr_throttled) : Value::none(); }},
    Field{O::group, "load_avg", T::number, "", "load of its queues on all CPUs", "tg->load_avg", [](const Seen& s, std::int64_t i) { return number(group(s, i).load_avg); }},
};

constexpr std::array functions{
    Function{"rq(cpu)", "the queue of a CPU: rq(3).nr_running, rq(task.cpu).curr"},
    Function{"task(\"NAME\")", "a task; a pattern (\"web*\") means some task of those: the comparison holds if it does for one"},
    Function{"group(\"/PATH\")", "a task group: group(\"/web\").weight"},
    Function{"cpu N", "a CPU by its number: outcome == cpu 4"},
    Function{"llc N", "a last-level cache by its rank: (llc 0).has_idle_cores"},
    Function{"mask(llc N)", "the LLC's mask of idle CPUs (idle_mask patch): mask(llc 0) contains cpu 5"},
    Function{"mask(nohz)", "nohz.idle_cpus_mask: the CPUs without a tick"},
    Function{"check(NAME)", "the first check of that name: .left .right .margin .passed .subject"},
    Function{"any(cpu, CONDITION)", "for some online CPU, called cpu in the condition; any(cpu in 0-3, ...) of these"},
    Function{"all(cpu, CONDITION)", "for every online CPU"},
    Function{"any(task, CONDITION)", "for some task that has not ended, called task in the condition; any(task in \"a*\", ...)"},
    Function{"all(task, CONDITION)", "for every task that has not ended"},
};

} // namespace

std::span<const Field> field_table() { return fields; }
std::span<const Function> function_table() { return functions; }

const Field* find_field(Owner owner, std::string_view name) {
    for (const Field& f : fields)
        if (f.owner == owner && f.name == name) return &f;
    return nullptr;
}

Value mask_contains(const Seen& s, std::int64_t mask, CpuId cpu) {
    if (mask >= first_affinity) return flag(contains(s.st.mask(MaskId{static_cast<std::int32_t>(mask - first_affinity)}), cpu));
    if (mask == nohz_mask) return s.st.nohz_idle_cpus.empty() ? Value::none() : flag(contains(s.st.nohz_idle_cpus, cpu));
    if (s.st.llc_idle_cpus.empty() || s.st.settings.idle_mask() <= IdleMask::off) return Value::none(); // nobody writes it
    return flag(s.llc_of[cpu.index()] == mask - first_llc_mask && contains(s.st.llc_idle_cpus, cpu));
}

} // namespace picknext::expr
