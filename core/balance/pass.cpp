// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/balance/pass.hpp"

#include <algorithm>

#include "core/balance/attach.hpp"
#include "core/balance/intervals.hpp"
#include "core/balance/scan_limit.hpp"
#include "core/state/task_list.hpp"

namespace picknext::balance {
namespace {

constexpr std::uint32_t break_after = 32;        // SCHED_NR_MIGRATE_BREAK: tasks looked at under one lock
constexpr std::uint32_t max_pinned_interval = 512; // ms

template <DecisionSink S>
class Pass {
  public:
    Pass(State& state, const Domains& doms, DomainId d, CpuId cpu, IdleKind idle, CpuSetView active, Mover& m, Recorder<S>& recorder)
        : st(state), domains(doms), domain(doms.domain(d)), mover(m), rec(recorder) {
        env.domain = d;
        env.this_cpu = env.dst_cpu = cpu;
        env.idle = idle;
        env.cpus = intersection(domain.span, active);
    }

    PassResult run() {
        ++counts().lb_count;
        while (true) {
            if (!decide_to_balance()) {
                result.continue_balancing = false;
                return balanced();
            }
            const SchedGroup* group = find_group();
            if (group == nullptr) {
                ++counts().lb_nobusyg;
                return balanced();
            }
            if (!find_queue(*group)) {
                ++counts().lb_nobusyq;
                return balanced();
            }
            counts().lb_imbalance += static_cast<std::uint32_t>(env.imbalance.amount);
            moved = 0;
            const bool several = st.rq(env.src_cpu).nr_running > 1;
            // Only what is looked at can turn out to be pinned; 5.10 assumed it of queues with several tasks alone.
            env.all_pinned = env.all_pinned || several || settings().kernel >= Kernel::cfs_5_12;
            if (several) {
                pull();
                if (env.all_pinned) {
                    env.cpus.remove(env.src_cpu);
                    if (!others_left()) return all_pinned();
                    around_pinned = true;
                    env.loop = 0;
                    env.loop_break = break_after;
                    continue;
                }
            }
            return after_pull();
        }
    }

    /// The stopper's part: one task, hot or not.
    bool push(CpuId source) {
        env.src_cpu = source;
        env.active = true;
        ++dynamic().stat.alb_count;
        for (TaskId task = st.rq(source).list_last; task; task = st.task(task).list_previous) {
            const DetachVerdict verdict = look_at(task);
            if (!verdict.moves) continue;
            mover.detach(task, source);
            mover.attach(task, env.dst_cpu);
            dynamic().nr_balance_failed = 0;
            ++dynamic().stat.alb_pushed;
            ++counts().lb_gained;
            return true;
        }
        ++dynamic().stat.alb_failed;
        return false;
    }

  private:
    const Settings& settings() const { return st.settings; }
    DomainState& dynamic() { return st.domains[env.domain.index()]; }
    BalanceSchedstat& counts() { return dynamic().stat.by_idle[static_cast<std::size_t>(env.idle)]; }
    [[nodiscard]] bool periodic() const { return env.idle != IdleKind::newly_idle; }

    [[nodiscard]] Site site() const {
        if (around_pinned) return Site::around_pinned;
        return env.idle == IdleKind::idle ? Site::idle : env.idle == IdleKind::not_idle ? Site::not_idle : Site::newly_idle;
    }
    void announce(Kind kind, Reason reason, std::int64_t outcome, TaskId task = TaskId::none()) {
        DecisionHeader header;
        header.kind = kind;
        header.reason = reason;
        header.cpu = static_cast<std::uint16_t>(env.this_cpu.value);
        header.task = task.value;
        header.outcome = static_cast<std::int32_t>(std::clamp<std::int64_t>(outcome, INT32_MIN, INT32_MAX));
        header.level = static_cast<std::uint8_t>(domain.depth);
        header.site = site();
        rec.announce(st, header);
    }

    // ---- who and from where
    bool decide_to_balance() {
        const YesNo verdict = should_we_balance(st, settings(), domains, env, rec.open());
        announce(Kind::balance, verdict.reason, verdict.yes);
        return verdict.yes;
    }

    const SchedGroup* find_group() {
        const SchedGroup& local = domains.group_at(domain, 0);
        GroupCapacity& capacity = st.group_capacities[local.capacity.index()];
        if (periodic() || st.jiffies() >= capacity.next_update) {
            update_group_capacity(st, domains, local);
            const std::int64_t hz = settings()[Tunable::hz];
            capacity.next_update = st.jiffies() + std::clamp<std::int64_t>(ms_to_jiffies(dynamic().balance_interval, hz), 1,
                                                                           longest_interval(hz, static_cast<std::int64_t>(st.cpu_count())));
        }
        result.examined += env.cpus.size();
        const DomainStats stats = gather_stats(st, settings(), domains, domain, env.dst_cpu, env.idle, env.cpus);
        remember(stats);
        const Busiest found = find_busiest_group(stats.view, stats.groups, settings(), rec.open());
        const auto index = static_cast<std::size_t>(found.index);
        announce(Kind::busiest, found.reason, found.relieve ? stats.groups[index].first_cpu.value : -1);
        if (!found.relieve) return nullptr;
        env.imbalance = calculate_imbalance(stats.view, stats.groups[0], stats.groups[index], found, settings(), rec.open());
        announce(Kind::imbalance, env.imbalance.reason, env.imbalance.amount);
        return env.imbalance.amount != 0 ? stats.of[index] : nullptr;
    }

    /// What looking at the statistics teaches others: is anybody overloaded, how far may wakeups scan.
    void remember(const DomainStats& stats) {
        if (!domain.parent) st.nohz.overloaded = stats.overloaded ? 1 : 0;
        const CpuDomains& own = domains.cpu(env.dst_cpu);
        if (!settings().on(Feature::sis_util) || !periodic() || domain.weight != own.llc_size || !own.shared) return;
        st.llc_shared[own.shared.index()].nr_idle_scan = idle_scan_limit(stats.util, static_cast<std::uint64_t>(own.llc_size),
                                                                         static_cast<std::uint64_t>(domain.imbalance_pct));
    }

    bool find_queue(const SchedGroup& group) {
        const Source source = find_busiest_queue(st, settings(), domains, env, group, rec.open());
        announce(Kind::queue, source.reason, source.cpu.value);
        env.src_cpu = source.cpu;
        return source.cpu.valid();
    }

    // ---- moving
    void pull() {
        env.loop_max = static_cast<std::uint32_t>(std::min<std::int64_t>(settings()[Tunable::nr_migrate], st.rq(env.src_cpu).nr_running));
        while (true) {
            moved += detach_and_attach();
            if (env.need_break) {
                env.need_break = false;
                continue;
            }
            if (!env.dst_pinned || env.imbalance.amount <= 0) break;
            env.cpus.remove(env.dst_cpu); // not to be chosen again
            env.dst_cpu = env.new_dst_cpu;
            around_pinned = true;
            env.dst_pinned = false;
            env.loop = 0;
            env.loop_break = break_after;
        }
        if (domain.parent && env.some_pinned && env.imbalance.amount > 0) parent_capacity().imbalance = 1;
    }

    int detach_and_attach() {
        const CpuId source = env.src_cpu;
        if (st.rq(source).nr_running <= 1) {
            env.all_pinned = false;
            return 0;
        }
        std::vector<TaskId> detached;
        while (env.imbalance.amount > 0 && st.rq(source).list_last) {
            if (env.idle != IdleKind::not_idle && st.rq(source).nr_running <= 1) break; // not to make it idle instead
            ++env.loop;
            if (env.loop > env.loop_max) break;
            if (env.loop > env.loop_break) {
                env.loop_break += break_after;
                env.need_break = true;
                break;
            }
            const TaskId task = st.rq(source).list_last;
            const DetachVerdict verdict = look_at(task);
            if (!verdict.moves) {
                list_to_first(st, source, task);
                continue;
            }
            env.imbalance.amount -= verdict.amount;
            mover.detach(task, source);
            detached.push_back(task);
            if (!periodic()) break; // preemptible kernels pull one task into a CPU that goes idle
        }
        // The last one taken is the first one queued.
        for (auto task = detached.rbegin(); task != detached.rend(); ++task) mover.attach(*task, env.dst_cpu);
        counts().lb_gained += static_cast<std::uint32_t>(detached.size());
        return static_cast<int>(detached.size());
    }

    DetachVerdict look_at(TaskId task) {
        ++result.tested;
        const DetachVerdict verdict = may_detach(st, settings(), domains, env, task, rec.open());
        announce(Kind::detach, verdict.reason, verdict.moves, task);
        if (verdict.reason == Reason::detach_throttled) return verdict; // that says nothing about where it may run
        count_look(task, verdict);
        if (verdict.allowed) {
            env.all_pinned = false;
        } else {
            env.some_pinned = true;
            if (verdict.other_dst) {
                env.dst_pinned = true;
                env.new_dst_cpu = verdict.other_dst;
            }
        }
        return verdict;
    }

    void count_look(TaskId task, const DetachVerdict& verdict) {
        TaskSchedstat& stat = st.task(task).stat;
        if (verdict.reason == Reason::detach_affinity) ++stat.nr_failed_migrations_affine;
        if (verdict.reason == Reason::detach_running) ++stat.nr_failed_migrations_running;
        if (verdict.reason == Reason::detach_hot) ++stat.nr_failed_migrations_hot;
        if (!verdict.forced) return;
        ++stat.nr_forced_migrations;
        ++counts().lb_hot_gained;
    }

    /// Are there CPUs outside the own group that may still be pulled from?
    [[nodiscard]] bool others_left() const {
        const CpuSet& own = domains.group_at(domain, 0).balance_mask;
        bool left = false;
        for_each_cpu(env.cpus, [&](CpuId c) { return !(left = !own.has(c)); });
        return left;
    }

    // ---- ends
    PassResult after_pull() {
        bool started = false;
        if (moved == 0) {
            ++counts().lb_failed;
            const bool counted = periodic() && !(settings().kernel >= Kernel::eevdf_6_12 && env.imbalance.migration == Migration::misfit);
            if (counted) ++dynamic().nr_balance_failed;
            if (decide_to_push()) {
                const TaskId running = st.rq(env.src_cpu).curr;
                if (!running || !contains(st.mask(st.task(running).affinity), env.this_cpu)) {
                    env.all_pinned = env.all_pinned || settings().kernel == Kernel::cfs_5_10;
                    return one_pinned();
                }
                env.all_pinned = false;
                Rq& source = st.rq(env.src_cpu);
                if (source.active_balance == 0) {
                    source.active_balance = 1;
                    source.push_cpu = env.this_cpu;
                    started = true;
                    mover.start_active_balance(env.src_cpu);
                }
                if (settings().kernel == Kernel::cfs_5_10) dynamic().nr_balance_failed = static_cast<std::uint32_t>(domain.cache_nice_tries) + 1;
            }
        } else {
            dynamic().nr_balance_failed = 0;
        }
        set_interval(started);
        result.moved = moved;
        return result;
    }

    bool decide_to_push() {
        const YesNo verdict = need_active_balance(st, settings(), domains, env, rec.open());
        announce(Kind::active, verdict.reason, verdict.yes);
        return verdict.yes;
    }

    /// Unbalanced: look again soon, unless an active balance is on its way.
    void set_interval(bool started) {
        const bool again = !started || [&] {
            Evidence<NullSink> unseen;
            const YesNo verdict = need_active_balance(st, settings(), domains, env, unseen);
            return verdict.yes && (settings().kernel != Kernel::cfs_5_10 || verdict.reason != Reason::active_failed);
        }();
        DomainState& d = dynamic();
        if (again) d.balance_interval = static_cast<std::uint32_t>(domain.min_interval);
        else if (settings().kernel == Kernel::cfs_5_10 && d.balance_interval < static_cast<std::uint32_t>(domain.max_interval)) d.balance_interval *= 2;
    }

    PassResult balanced() {
        if (domain.parent && !env.all_pinned) parent_capacity().imbalance = 0;
        return all_pinned();
    }
    PassResult all_pinned() {
        ++counts().lb_balanced;
        dynamic().nr_balance_failed = 0;
        return one_pinned();
    }
    PassResult one_pinned() {
        result.moved = 0;
        if (!periodic() || (settings().kernel >= Kernel::eevdf_6_12 && env.imbalance.migration == Migration::misfit)) return result;
        DomainState& d = dynamic();
        if ((env.all_pinned && d.balance_interval < max_pinned_interval) || d.balance_interval < static_cast<std::uint32_t>(domain.max_interval))
            d.balance_interval *= 2;
        return result;
    }

    GroupCapacity& parent_capacity() {
        return st.group_capacities[domains.group_at(domains.domain(domain.parent), 0).capacity.index()];
    }

    State& st;
    const Domains& domains;
    const Domain& domain;
    Mover& mover;
    Recorder<S>& rec;
    Env env;
    int moved = 0;
    bool around_pinned = false;
    PassResult result;
};

} // namespace

template <DecisionSink S>
PassResult balance_pass(State& st, const Domains& domains, DomainId domain, CpuId this_cpu, IdleKind idle, CpuSetView active, Mover& mover,
                        Recorder<S>& recorder) {
    return Pass<S>(st, domains, domain, this_cpu, idle, active, mover, recorder).run();
}

template <DecisionSink S>
bool push_running(State& st, const Domains& domains, CpuId source, Mover& mover, Recorder<S>& recorder) {
    Rq& rq = st.rq(source);
    const CpuId target = rq.push_cpu;
    rq.active_balance = 0;
    if (rq.nr_running == 0) return false;
    for (DomainId d = domains.cpu(target).base; d; d = domains.domain(d).parent) {
        if (!domains.domain(d).span.has(source)) continue;
        return Pass<S>(st, domains, d, target, IdleKind::idle, domains.domain(d).span, mover, recorder).push(source);
    }
    return false;
}

#define PICKNEXT_FOR_SINK(S)                                                                                                     \
    template PassResult balance_pass(State&, const Domains&, DomainId, CpuId, IdleKind, CpuSetView, Mover&, Recorder<S>&);       \
    template bool push_running(State&, const Domains&, CpuId, Mover&, Recorder<S>&);
PICKNEXT_FOR_EACH_SINK(PICKNEXT_FOR_SINK)
#undef PICKNEXT_FOR_SINK

} // namespace picknext::balance
