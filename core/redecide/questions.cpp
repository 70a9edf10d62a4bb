// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/redecide/questions.hpp"

#include <algorithm>

#include "core/balance/newidle.hpp"
#include "core/fair/charge.hpp"
#include "core/fair/pick.hpp"
#include "core/fair/preempt.hpp"
#include "core/fair/tick.hpp"
#include "core/nohz/nohz.hpp"
#include "core/placement/queue_wakeup.hpp"
#include "core/placement/select_cpu.hpp"

namespace picknext::redecision {
namespace {

using Why = Evidence<FullSink>;
using Answer = std::optional<Redecided>;

Redecided answered(std::int64_t outcome, Reason reason, std::uint16_t deciding, std::span<const Check> checks) {
    Redecided out;
    out.outcome = static_cast<std::int32_t>(std::clamp<std::int64_t>(outcome, INT32_MIN, INT32_MAX));
    out.reason = reason;
    out.deciding = deciding;
    out.checks.assign(checks.begin(), checks.end());
    return out;
}
Redecided answered(std::int64_t outcome, Reason reason, const Why& why) { return answered(outcome, reason, why.deciding(), why.checks()); }

/// Keeps the last decision of a kind.
class Last final : public Observer {
  public:
    explicit Last(Kind kind) : m_kind(kind) {}
    void on_decision(const State&, const DecisionHeader& header, std::span<const Check> checks) override {
        if (header.kind == m_kind) answer = answered(header.outcome, header.reason, header.deciding, checks);
    }
    Answer answer;

  private:
    Kind m_kind;
};

/// Sees the settings of the state.
struct Deciding {
    State& st;
    const Asked& asked;
    const Question& question;

    [[nodiscard]] const DecisionHeader& header() const { return asked.header; }
    [[nodiscard]] CpuId cpu() const { return CpuId{header().cpu}; }
    [[nodiscard]] TaskId task() const { return TaskId{header().task}; }

    [[nodiscard]] Answer run() const {
        switch (header().kind) {
        case Kind::pick: return pick();
        case Kind::place: return place();
        case Kind::preempt: return preempt();
        case Kind::tick: return tick();
        case Kind::balance:
        case Kind::busiest:
        case Kind::imbalance:
        case Kind::queue: return pass_step();
        case Kind::detach: return detach();
        case Kind::active: return active();
        case Kind::newidle: return newidle();
        case Kind::nohz_kick: return kick();
        case Kind::mask: return mask();
        case Kind::queue_wakeup: return queue_wakeup();
        default: return std::nullopt;
        }
    }

    // ---- the fair class

    /// The queue is the root one, or, further down, the one its winner is on.
    [[nodiscard]] Answer pick() const {
        const EntityId winner{header().outcome};
        if (!winner && header().level != 0) return std::nullopt;
        const Queue& queue = header().level == 0 ? st.root_queue(cpu()) : st.queue(st.entity(winner).queue);
        Why why;
        const fair::Pick pick = header().site == Site::preempt ? fair::pick_for_preemption(st, queue, why) : fair::pick_next(st, queue, why);
        const bool delayed = header().site == Site::schedule && pick.entity && st.entity(pick.entity).sched_delayed != 0;
        if (delayed) why.decide<Chk::delayed_picked>(pick.entity, true, true, true);
        Redecided out = answered(pick.entity.value, delayed ? Reason::pick_delayed_finish : pick.reason, why);
        out.path = pick.path;
        return out;
    }

    /// Charging at the same instant once more changes nothing; what it had asked for after the question was put is taken back.
    [[nodiscard]] Answer preempt() const {
        const auto already = std::ranges::find(asked.checks, Chk::resched_already, &Check::id);
        if (already != asked.checks.end()) st.rq(cpu()).need_resched = already->verdict == Verdict::yes ? 1 : 0;
        Last last(Kind::preempt);
        FullSink sink{&last};
        Recorder<FullSink> recorder(sink);
        fair::check_preempt(st, recorder, cpu(), task(), question.fork);
        return last.answer;
    }

    [[nodiscard]] Answer tick() const {
        EntityId id = st.task(task()).entity;
        while (id && st.entity(id).depth != header().level) id = st.entity(id).parent;
        if (!id) return std::nullopt;
        const Level at = level_of(st, id);
        Why why;
        if (!st.settings.eevdf()) {
            const Reason reason = fair::decide_cfs_tick(st, at, why);
            return answered(fair::cfs_tick_reschedules(reason) ? 1 : 0, reason, why);
        }
        // Charged already at this instant: it was not asked anything, whatever the settings.
        if (asked.checks.empty()) return answered(0, fair::ChargeOutcome{}.reason, why);
        const fair::ChargeOutcome outcome = fair::decide_charge(st, at.q, at.e, why);
        return answered(outcome.resched ? 1 : 0, outcome.reason, why);
    }

    // ---- wakeups

    [[nodiscard]] Answer place() const {
        const CpuId prev = st.task(task()).cpu;
        Why why;
        if (st.task(task()).on_rq != 0) {
            why.decide<Chk::delayed_in_place>(task(), true, true, true);
            return answered(prev.value, Reason::place_in_place, why);
        }
        placement::Wake wake{.task = task(), .prev = prev, .waker_cpu = cpu()};
        wake.sync = header().site == Site::sync_wakeup;
        wake.fork = header().site == Site::fork;
        const placement::Placement placed = placement::select_cpu(st, st.settings, asked.domains, asked.machine, wake, why);
        return answered(placed.cpu.value, placed.reason, why);
    }

    [[nodiscard]] Answer queue_wakeup() const {
        const CpuId target = subject();
        if (!target) return std::nullopt; // the feature is off: where it went is not recorded here
        Why why;
        const placement::QueueWakeup out = placement::queue_wakeup(st, st.settings, asked.domains, task(), cpu(), target, why);
        return answered(out.remote ? target.value : -1, out.reason, why);
    }
    /// The first CPU a check is about.
    [[nodiscard]] CpuId subject() const {
        const auto at = std::ranges::find_if(asked.checks, [](const Check& c) { return info(c.id).subject == SubjectType::cpu; });
        return at == asked.checks.end() ? CpuId::none() : CpuId{at->subject};
    }

    [[nodiscard]] Answer mask() const {
        Why why;
        const placement::MaskWrite write = placement::decide_mask(st, st.settings, asked.domains, cpu(), question.hook, question.pass, why);
        if (!write.asked) return answered(-1, Reason::none, Why{});
        return answered(write.bit, write.reason, why);
    }

    // ---- balancing

    /// Without the CPUs taken out around pinned tasks: those the record does not name.
    [[nodiscard]] std::optional<balance::Env> env() const {
        if (header().site == Site::around_pinned) return std::nullopt;
        balance::Env out;
        out.domain = asked.domains.cpu(cpu()).base;
        while (out.domain && asked.domains.domain(out.domain).depth != header().level) out.domain = asked.domains.domain(out.domain).parent;
        if (!out.domain) return std::nullopt;
        out.this_cpu = out.dst_cpu = cpu();
        out.idle = header().site == Site::idle       ? balance::IdleKind::idle
                   : header().site == Site::not_idle ? balance::IdleKind::not_idle
                                                     : balance::IdleKind::newly_idle;
        out.cpus = CpuSet(st.cpu_count());
        for_each_cpu(asked.domains.domain(out.domain).span, [&](CpuId c) {
            if (st.rq(c).online != 0) out.cpus.add(c);
        });
        out.imbalance.migration = question.migration;
        return out;
    }

    /// A step of a balance pass follows from the steps before it: which group, how much, which queue.
    [[nodiscard]] Answer pass_step() const {
        std::optional<balance::Env> e = env();
        if (!e) return std::nullopt;
        const Domain& domain = asked.domains.domain(e->domain);
        const Kind kind = header().kind;
        Why why;
        if (kind == Kind::balance) {
            const balance::YesNo verdict = balance::should_we_balance(st, st.settings, asked.domains, *e, why);
            return answered(verdict.yes, verdict.reason, why);
        }
        const balance::DomainStats stats = balance::gather_stats(st, st.settings, asked.domains, domain, e->dst_cpu, e->idle, e->cpus);
        const balance::Busiest found = balance::find_busiest_group(stats.view, stats.groups, st.settings, why);
        const auto index = static_cast<std::size_t>(found.index);
        if (kind == Kind::busiest) return answered(found.relieve ? stats.groups[index].first_cpu.value : -1, found.reason, why);
        if (!found.relieve) return answered(kind == Kind::queue ? -1 : 0, kind == Kind::queue ? Reason::queue_none : Reason::imbalance_none, why);
        why.clear();
        e->imbalance = balance::calculate_imbalance(stats.view, stats.groups[0], stats.groups[index], found, st.settings, why);
        if (kind == Kind::imbalance) return answered(e->imbalance.amount, e->imbalance.reason, why);
        if (e->imbalance.amount == 0) return answered(-1, Reason::queue_none, why);
        why.clear();
        const balance::Source source = balance::find_busiest_queue(st, st.settings, asked.domains, *e, *stats.of[index], why);
        return answered(source.cpu.value, source.reason, why);
    }

    /// How much is still to be moved stands in the check that compares with it.
    [[nodiscard]] Answer detach() const {
        std::optional<balance::Env> e = env();
        if (!e) return std::nullopt;
        e->src_cpu = st.task(task()).cpu;
        e->active = question.pushed;
        const auto compares = [](std::span<const Check> checks) { return std::ranges::find(checks, Chk::amount_too_large, &Check::id); };
        const auto amount = compares(asked.checks);
        e->imbalance.amount = amount != asked.checks.end() ? amount->right : 1;
        Why why;
        const balance::DetachVerdict verdict = balance::may_detach(st, st.settings, asked.domains, *e, task(), why);
        if (amount == asked.checks.end() && compares(why.checks()) != why.checks().end()) return std::nullopt;
        return answered(verdict.moves ? 1 : 0, verdict.reason, why);
    }

    [[nodiscard]] Answer active() const {
        std::optional<balance::Env> e = env();
        if (!e) return std::nullopt;
        e->src_cpu = subject();
        if (!e->src_cpu) return answered(1, Reason::active_asym, Why{}); // asked before anything else, and of nothing that is set
        Why why;
        const balance::YesNo verdict = balance::need_active_balance(st, st.settings, asked.domains, *e, why);
        return answered(verdict.yes ? 1 : 0, verdict.reason, why);
    }

    [[nodiscard]] Answer newidle() const {
        if (!asked.domains.cpu(cpu()).base) return std::nullopt;
        Why why;
        const Reason reason = balance::newidle_verdict(st, st.settings, asked.domains, cpu(), why);
        return answered(reason == Reason::newidle_go ? 1 : 0, reason, why);
    }

    [[nodiscard]] Answer kick() const {
        Why why;
        const nohz::Kick kick = nohz::decide_kick(st, st.settings, asked.domains, cpu(), why);
        return answered(kick.ilb.value, kick.reason, why);
    }
};

} // namespace

std::vector<Question> questions(const DecisionHeader& header) {
    using balance::Migration;
    using placement::MaskHook;
    std::vector<Question> out;
    switch (header.kind) {
    case Kind::pick:
    case Kind::place:
    case Kind::tick:
    case Kind::balance:
    case Kind::busiest:
    case Kind::imbalance:
    case Kind::queue:
    case Kind::newidle:
    case Kind::nohz_kick:
    case Kind::queue_wakeup: return {Question{}};
    case Kind::preempt: return {Question{.fork = false}, Question{.fork = true}};
    case Kind::detach:
    case Kind::active:
        for (const Migration m : {Migration::load, Migration::util, Migration::task, Migration::misfit}) out.push_back({.migration = m});
        if (header.kind == Kind::detach) out.push_back({.pushed = true});
        return out;
    case Kind::mask:
        for (const MaskHook hook : {MaskHook::switching_to_idle, MaskHook::tick, MaskHook::wakeup}) out.push_back({.hook = hook});
        for (const auto& [stops, enters] : {std::pair{false, false}, {true, false}, {true, true}})
            out.push_back({.hook = MaskHook::idle_loop, .pass = {.tick_stops = stops, .enters_nohz = enters}});
        return out;
    default: return {};
    }
}

std::optional<Redecided> answer(State& st, const Asked& asked, const Question& question) { return Deciding{st, asked, question}.run(); }

} // namespace picknext::redecision
