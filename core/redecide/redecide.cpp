// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/redecide/redecide.hpp"

#include <algorithm>

#include "core/redecide/questions.hpp"

namespace picknext {

struct Redecision::Impl {
    const State* before; // only where deciding changes the state: kept
    State scratch;
    redecision::Asked asked;
    std::vector<redecision::Question> possible; // those that give back what was decided

    [[nodiscard]] const DecisionHeader& header() const { return asked.header; }
    [[nodiscard]] bool asked_check(Chk id, Verdict verdict) const {
        return std::ranges::any_of(asked.checks, [&](const Check& c) { return c.id == id && c.verdict == verdict; });
    }
    [[nodiscard]] bool decides_by_tree() const { return header().kind == Kind::pick || header().kind == Kind::preempt || header().kind == Kind::tick; }

    /// A preemption is asked of a state it changes: the CPU, and the entities and queues above both tasks. Puts them back; a whole
    /// copy for each answer would cost most of the time there is.
    void put_back() {
        if (header().kind != Kind::preempt) return;
        const CpuId cpu{header().cpu};
        scratch.settings = before->settings;
        scratch.decisions = before->decisions;
        scratch.rq(cpu) = before->rq(cpu);
        for (const TaskId task : {before->rq(cpu).curr, TaskId{header().task}}) {
            if (!task) continue;
            for (EntityId e = before->task(task).entity; e; e = before->entity(e).parent) {
                scratch.entity(e) = before->entity(e);
                if (const QueueId q = before->entity(e).queue) scratch.queue(q) = before->queue(q);
            }
        }
        PICKNEXT_DEBUG_ASSERT(scratch == *before, "a preemption changed more: {}", first_difference(scratch, *before));
    }
    /// The settings the state was made under must give back what was decided.
    [[nodiscard]] bool gives_back(const std::optional<Redecided>& again) const {
        return again && again->outcome == header().outcome && again->reason == header().reason && (header().kind != Kind::pick || again->path == header().path) &&
               again->deciding == header().deciding && std::ranges::equal(again->checks, asked.checks);
    }
    /// The state before the preemption was asked for would have been another one.
    [[nodiscard]] bool state_depends(const Settings& own, const Settings& other) const {
        if (decides_by_tree() && (own.tree_key() != other.tree_key() || own.augment() != other.augment() || own.eevdf() != other.eevdf())) return true;
        if (header().kind != Kind::preempt) return false;
        const auto differs = [&](Feature f) { return own.on(f) != other.on(f); };
        const bool nominated = own.on(Feature::next_buddy);
        const bool unprotected = asked_check(Chk::wakee_earlier_deadline, Verdict::yes) || (asked_check(Chk::short_slice, Verdict::yes) && asked_check(Chk::current_eligible, Verdict::no));
        return (nominated && (differs(Feature::next_buddy) || own.kernel != other.kernel)) || (unprotected && differs(Feature::preempt_short));
    }
};

Redecision::Redecision(const State& before, const DecisionHeader& header, std::span<const Check> checks, const Machine& machine, const Domains& domains) {
    std::vector<redecision::Question> questions = redecision::questions(header);
    if (questions.empty()) return;
    m_impl = std::make_unique<Impl>(Impl{&before, before, {header, checks, machine, domains}, {}});
    for (const redecision::Question& q : questions) {
        if (m_impl->gives_back(redecision::answer(m_impl->scratch, m_impl->asked, q))) m_impl->possible.push_back(q);
        m_impl->put_back();
    }
}
Redecision::~Redecision() = default;
Redecision::Redecision(Redecision&&) noexcept = default;
Redecision& Redecision::operator=(Redecision&&) noexcept = default;

bool Redecision::possible() const { return m_impl && !m_impl->possible.empty(); }

std::optional<Redecided> Redecision::under(const Settings& settings) {
    if (!possible() || m_impl->state_depends(m_impl->before->settings, settings)) return std::nullopt;
    std::optional<Redecided> out;
    for (std::size_t i = 0; i < m_impl->possible.size(); ++i) {
        m_impl->scratch.settings = settings;
        std::optional<Redecided> again = redecision::answer(m_impl->scratch, m_impl->asked, m_impl->possible[i]);
        m_impl->put_back();
        if (!again || (i > 0 && *again != *out)) return std::nullopt; // it may have been either question, and they differ now
        out = std::move(again);
    }
    return out;
}

std::optional<Redecided> redecide(const State& before, const DecisionHeader& header, std::span<const Check> checks, const Settings& settings, const Machine& machine,
                                  const Domains& domains) {
    return Redecision(before, header, checks, machine, domains).under(settings);
}

} // namespace picknext
