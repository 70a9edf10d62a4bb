// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/compare/activations.hpp"

namespace picknext::compare {
namespace {

bool asked_by_a_wakeup(Kind kind) { return kind == Kind::place || kind == Kind::queue_wakeup || kind == Kind::preempt; }

std::int64_t length(std::int64_t ns) { return ns < 0 ? -ns : ns; }

} // namespace

void Activations::note(Side& side, const State& before, const DecisionHeader& header) {
    if (!asked_by_a_wakeup(header.kind) || header.task < 0) return;
    const std::uint64_t activation = before.task(TaskId{header.task}).activation;
    auto& [last, rank] = side.last[{header.task, header.kind}];
    rank = last == activation ? rank + 1 : 0;
    last = activation;
    side.open[{header.task, activation, header.kind, rank}] = {before.decisions, header.at, header.outcome, header.reason};
}

void Activations::count(const ActivationPair& p) {
    ++m_totals.pairs;
    if (p.a.at != p.b.at) ++m_totals.other_time;
    if (length(p.b.at - p.a.at) > length(m_totals.farthest)) m_totals.farthest = p.b.at - p.a.at;
    if (p.a.outcome == p.b.outcome) {
        if (p.a.reason != p.b.reason) ++m_totals.other_reason;
        return;
    }
    ++m_totals.other_outcome;
    if (!m_totals.first || p.a.number < m_totals.first->a.number) m_totals.first = p;
}

void Activations::pair_up() {
    for (auto a = m_a.open.begin(); a != m_a.open.end();) {
        const auto b = m_b.open.find(a->first);
        if (b == m_b.open.end()) {
            ++a;
            continue;
        }
        count({a->first, a->second, b->second});
        m_b.open.erase(b);
        a = m_a.open.erase(a);
    }
}

ActivationTotals Activations::finish() {
    pair_up();
    m_totals.only_a = m_a.open.size();
    m_totals.only_b = m_b.open.size();
    return m_totals;
}

} // namespace picknext::compare
