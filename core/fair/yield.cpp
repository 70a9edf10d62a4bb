// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/fair/yield.hpp"

#include "core/fair/average.hpp"
#include "core/fair/buddies.hpp"
#include "core/fair/charge.hpp"
#include "core/fair/entity.hpp"
#include "core/fair/weights.hpp"

namespace picknext::fair {
namespace {

template <DecisionSink S>
Reason decide_yield(const State& st, const Queue& q, EntityId entity, Evidence<S>& why) {
    if (!st.settings.eevdf()) return Reason::yield_skip;
    if (st.settings.kernel != Kernel::eevdf_6_12y) return Reason::yield_deadline;
    const VTime vruntime = st.entity(entity).vruntime;
    VTime average;
    if constexpr (Evidence<S>::recording) average = average_vruntime(st, q);
    const bool owed = eligible(sums_of(st, q), vruntime);
    return why.template decide<Chk::yielder_eligible>(entity, vruntime, average, owed)
               ? Reason::yield_forfeit
               : Reason::yield_not_eligible;
}

void apply_yield(State& st, Queue& q, EntityId entity, Reason reason) {
    Entity& e = st.entity(entity);
    if (reason == Reason::yield_skip) {
        set_skip_buddy(st, entity);
    } else if (reason == Reason::yield_deadline) {
        e.deadline.ns += to_virtual(e.slice, e);
    } else if (reason == Reason::yield_forfeit) {
        e.vruntime = e.deadline;
        renew_deadline(st, q, e);
    }
}

template <DecisionSink S>
void record(State& st, Recorder<S>& rec, CpuId cpu, TaskId task, Reason reason) {
    const bool gives = reason != Reason::yield_alone && reason != Reason::yield_not_eligible;
    rec.announce(st, make_header(Kind::yield, reason, cpu, task, gives ? 1 : 0));
}

} // namespace

template <DecisionSink S>
bool yield_task(State& st, Recorder<S>& rec, TaskId task) {
    const Task& t = st.task(task);
    Entity& e = st.entity(t.entity);
    Queue& q = st.queue(e.queue);
    const std::uint32_t running = st.rq(t.cpu).nr_running;
    Evidence<S>& why = rec.open();
    if (why.template decide<Chk::alone>(t.cpu, running, 1, running == 1)) {
        record(st, rec, t.cpu, task, Reason::yield_alone);
        return false;
    }
    clear_buddies(st, q, t.entity);
    if (st.settings.eevdf() || t.policy != Policy::batch) update_curr(st, q);
    const Reason reason = decide_yield(st, q, t.entity, why);
    record(st, rec, t.cpu, task, reason);
    apply_yield(st, q, t.entity, reason);
    return true;
}

#define X(S) template bool yield_task<S>(State&, Recorder<S>&, TaskId);
PICKNEXT_FOR_EACH_SINK(X)
#undef X

} // namespace picknext::fair
