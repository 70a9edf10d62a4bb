// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/fair/preempt.hpp"

#include "core/fair/average.hpp"
#include "core/fair/buddies.hpp"
#include "core/fair/charge.hpp"
#include "core/fair/entity.hpp"
#include "core/fair/pick.hpp"
#include "core/fair/slice.hpp"
#include "core/state/throttled.hpp"

namespace picknext::fair {
namespace {

struct Answer {
    bool decided = false;
    bool preempt = false;
    Reason reason = Reason::none;
};
constexpr Answer open_question{};
constexpr Answer no(Reason r) { return {true, false, r}; }
constexpr Answer yes(Reason r) { return {true, true, r}; }

/// The two tasks, and the entities of theirs that share a queue.
struct Pair {
    TaskId curr, wakee;
    EntityId curr_entity, wakee_entity;
};

template <DecisionSink S>
Answer ask_wakeup_preemption(const State& st, Evidence<S>& why) {
    const bool on = st.settings.on(Feature::wakeup_preemption);
    if (why.template decide<Chk::wakeup_preemption_on>(TaskId::none(), on, true, on)) return open_question;
    return no(Reason::preempt_feature_off);
}

/// Before the siblings are looked for: does the policy of the tasks themselves decide (up to 6.8)?
template <DecisionSink S>
Answer ask_task_policies(const State& st, const Pair& p, Evidence<S>& why) {
    const Policy curr = st.task(p.curr).policy, wakee = st.task(p.wakee).policy;
    const bool curr_idle = curr == Policy::idle, wakee_idle = wakee == Policy::idle;
    why.template decide<Chk::current_idle_policy>(p.curr, curr_idle, true, curr_idle);
    if (curr_idle && !wakee_idle) return yes(Reason::preempt_current_idle_policy);
    if (why.template decide<Chk::wakee_idle_policy>(p.wakee, wakee_idle, true, wakee_idle))
        return no(Reason::preempt_policy);
    const bool batch = wakee == Policy::batch;
    if (why.template decide<Chk::wakee_batch>(p.wakee, batch, true, batch)) return no(Reason::preempt_policy);
    return ask_wakeup_preemption(st, why);
}

/// Exactly one of the two siblings idle (from 6.1 on).
template <DecisionSink S>
Answer ask_siblings_idle(const State& st, const Pair& p, Evidence<S>& why) {
    if (st.settings.kernel < Kernel::cfs_6_1) return open_question;
    const bool curr = is_idle(st, st.entity(p.curr_entity)), wakee = is_idle(st, st.entity(p.wakee_entity));
    const bool tasks = is_task(st.entity(p.curr_entity)) && is_task(st.entity(p.wakee_entity));
    why.template check<Chk::current_group_idle>(p.curr_entity, curr, true, curr);
    why.template check<Chk::wakee_group_idle>(p.wakee_entity, wakee, true, wakee);
    if (curr == wakee) return open_question;
    why.mark_last();
    if (curr) return yes(tasks ? Reason::preempt_current_idle_policy : Reason::preempt_group_idle);
    return no(tasks ? Reason::preempt_policy : Reason::preempt_group_idle);
}

/// fn: do_preempt_short.
template <DecisionSink S>
bool ends_protection(const State& st, const Queue& q, const Pair& p, Evidence<S>& why) {
    if (!st.settings.on(Feature::preempt_short)) return false;
    const Entity& curr = st.entity(p.curr_entity);
    const Entity& wakee = st.entity(p.wakee_entity);
    const Nanos own{static_cast<std::int64_t>(wakee.slice)}, other{static_cast<std::int64_t>(curr.slice)};
    if (!why.template check<Chk::short_slice>(p.wakee, own, other, own < other)) return false;
    const Sums sums = sums_of(st, q);
    VTime average;
    if constexpr (Evidence<S>::recording) average = average_vruntime(st, q);
    if (!why.template check<Chk::wakee_eligible>(p.wakee, wakee.vruntime, average,
                                                 eligible(sums, wakee.vruntime)))
        return false;
    if (why.template check<Chk::wakee_earlier_deadline>(p.wakee, wakee.deadline, curr.deadline,
                                                        before(wakee.deadline, curr.deadline)))
        return true;
    return !why.template check<Chk::current_eligible>(p.curr_entity, curr.vruntime, average,
                                                      eligible(sums, curr.vruntime));
}

template <DecisionSink S>
EntityId picked(State& st, Recorder<S>& rec, Queue& q, const Pair& p) {
    const Pick pick = pick_for_preemption(st, q, rec.open());
    count_pick(st.accounts, pick.path);
    const std::int32_t depth = st.entity(p.curr_entity).depth;
    DecisionHeader h = make_header(Kind::pick, pick.reason, q.cpu, p.curr, pick.entity.value, depth);
    h.path = pick.path;
    h.site = Site::preempt;
    rec.announce(st, h);
    return pick.entity;
}

/// The shared queue decides.
template <DecisionSink S>
Answer ask_queue(State& st, Recorder<S>& rec, const Pair& p, Evidence<S>& why) {
    Queue& q = st.queue(st.entity(p.curr_entity).queue);
    update_curr(st, q);
    if (!st.settings.eevdf()) {
        const Entity& curr = st.entity(p.curr_entity);
        const Entity& wakee = st.entity(p.wakee_entity);
        const bool beyond = behind(st, curr, wakee) == 1;
        Nanos granularity;
        if constexpr (Evidence<S>::recording) granularity = Nanos{wakeup_granularity(st, wakee)};
        if (why.template decide<Chk::beyond_granularity>(p.wakee, Nanos{curr.vruntime - wakee.vruntime},
                                                         granularity, beyond))
            return yes(Reason::preempt_granularity);
        return no(Reason::preempt_within_granularity);
    }
    if (ends_protection(st, q, p, why)) cancel_protection(st.entity(p.curr_entity));
    const EntityId winner = picked(st, rec, q, p);
    if (why.template decide<Chk::pick_is_wakee>(p.wakee, winner, p.wakee_entity, winner == p.wakee_entity))
        return yes(Reason::preempt_picked);
    return no(Reason::preempt_not_picked);
}

/// Everything before the shared queue is asked; climbs `p` to the siblings on the way.
template <DecisionSink S>
Answer ask_before_queue(State& st, Pair& p, Evidence<S>& why) {
    const Kernel kernel = st.settings.kernel;
    if (kernel < Kernel::eevdf_6_12) {
        if (const Answer v = ask_task_policies(st, p, why); v.decided) return v;
        climb_to_shared_queue(st, p.curr_entity, p.wakee_entity);
        return ask_siblings_idle(st, p, why);
    }
    if (const Answer v = ask_wakeup_preemption(st, why); v.decided) return v;
    climb_to_shared_queue(st, p.curr_entity, p.wakee_entity);
    if (const Answer v = ask_siblings_idle(st, p, why); v.decided) return v;
    const bool other = st.task(p.wakee).policy != Policy::normal;
    if (why.template decide<Chk::wakee_not_normal>(p.wakee, other, true, other))
        return no(Reason::preempt_policy);
    return open_question;
}

bool nominates_next(const State& st, const Pair& p, bool fork) {
    if (fork || !st.settings.on(Feature::next_buddy)) return false;
    if (!st.settings.eevdf()) return many_queued(st, st.queue(st.entity(p.curr).queue));
    return st.settings.kernel != Kernel::eevdf_6_12y || st.entity(p.wakee).sched_delayed == 0;
}

/// What a decided preemption leaves behind besides the request.
void apply_preemption(State& st, const Queue& q, const Pair& p, const Answer& verdict, bool nominated) {
    const Settings& settings = st.settings;
    if (settings.kernel == Kernel::eevdf_6_12y && verdict.reason != Reason::preempt_picked)
        cancel_protection(st.entity(p.curr_entity));
    if (verdict.reason == Reason::preempt_granularity && !nominated) set_next_buddy(st, p.wakee_entity);
    request_resched(st, q);
    const Entity& curr = st.entity(p.curr_entity);
    const bool may_be_last =
        settings.on(Feature::last_buddy) && !settings.eevdf() && curr.on_rq != 0 && is_task(curr);
    if (may_be_last && many_queued(st, st.queue(st.entity(p.curr).queue))) set_last_buddy(st, p.curr_entity);
}

template <DecisionSink S>
Answer ask(State& st, Recorder<S>& rec, CpuId cpu, Pair& p, bool fork, bool& nominated, Evidence<S>& why) {
    const Rq& rq = st.rq(cpu);
    const bool idle = !rq.curr;
    if (why.template decide<Chk::runs_idle_thread>(cpu, idle, true, idle))
        return yes(Reason::preempt_idle_cpu);
    const bool self = p.curr == p.wakee;
    if (why.template decide<Chk::wakee_is_current>(p.wakee, self, true, self))
        return no(Reason::preempt_self);
    if (st.bandwidth_used()) { // the enqueue may have found its group without runtime
        const bool throttled = throttled_hierarchy(st.queue(st.entity(p.wakee).queue));
        if (why.template decide<Chk::group_throttled>(p.wakee, throttled, true, throttled))
            return no(Reason::preempt_throttled);
    }
    nominated = nominates_next(st, p, fork);
    if (nominated) set_next_buddy(st, p.wakee_entity);
    const bool already = rq.need_resched != 0;
    if (why.template decide<Chk::resched_already>(cpu, already, true, already))
        return no(Reason::preempt_already);
    if (const Answer v = ask_before_queue(st, p, why); v.decided) return v;
    return ask_queue(st, rec, p, why);
}

} // namespace

// Flat: its steps have names to be found by, but as calls they cost 5 % of a sleep and a wake.
template <DecisionSink S>
[[gnu::flatten]] void check_preempt(State& st, Recorder<S>& rec, CpuId cpu, TaskId wakee, bool fork) {
    Rq& rq = st.rq(cpu);
    Pair p{rq.curr, wakee, rq.curr ? st.task(rq.curr).entity : EntityId::none(), st.task(wakee).entity};
    bool nominated = false;
    const Answer verdict = ask(st, rec, cpu, p, fork, nominated, rec.open());
    rec.announce(st, make_header(Kind::preempt, verdict.reason, cpu, wakee, verdict.preempt ? 1 : 0));
    if (!verdict.preempt) return;
    if (rq.curr)
        apply_preemption(st, st.root_queue(cpu), p, verdict, nominated);
    else
        rq.need_resched = 1;
}

#define X(S) template void check_preempt<S>(State&, Recorder<S>&, CpuId, TaskId, bool);
PICKNEXT_FOR_EACH_SINK(X)
#undef X

} // namespace picknext::fair
