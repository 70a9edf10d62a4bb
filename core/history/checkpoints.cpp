// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/history/checkpoints.hpp"

#include <algorithm>
#include <utility>

namespace picknext {
namespace {

bool event_less(std::uint64_t event, const Checkpoint& c) { return event < c.state.event; }

/// The last element at or before the event, or end().
template <class It>
It last_at_or_before(It begin, It end, std::uint64_t event) {
    const It after = std::upper_bound(begin, end, event, event_less);
    return after == begin ? end : std::prev(after);
}

} // namespace

std::uint64_t events_per_copy(const State& st) { return std::max<std::uint64_t>(1, size_in_bytes(st) / 4096); }

Checkpoints::Checkpoints(const State& start, HistoryBudget budget) : m_budget(budget) {
    m_coarse.push_back({start, digest(start)});
    m_coarse_bytes = size_in_bytes(start);
}

State Checkpoints::take_spare(const State& st) {
    if (m_spare.empty()) return st;
    State copy = std::move(m_spare.back());
    m_spare.pop_back();
    copy = st;
    return copy;
}

void Checkpoints::lay_coarse(const State& st) {
    if (st.event % m_spacing != 0 || st.event <= m_coarse.back().state.event) return;
    const std::size_t size = size_in_bytes(st);
    const std::size_t share = m_budget.bytes - m_budget.bytes / 4; // a quarter is for near ones
    while (m_coarse_bytes + size > share && m_coarse.size() > 1) thin_out();
    if (m_coarse_bytes + size > share || st.event % m_spacing != 0) return;
    m_coarse.push_back({take_spare(st), digest(st)});
    m_coarse_bytes += size;
}

void Checkpoints::thin_out() {
    m_spacing *= 2;
    std::vector<Checkpoint> kept;
    m_coarse_bytes = 0;
    for (Checkpoint& c : m_coarse) {
        if (c.state.event % m_spacing == 0) {
            m_coarse_bytes += size_in_bytes(c.state);
            kept.push_back(std::move(c));
        } else if (m_spare.size() < 4) {
            m_spare.push_back(std::move(c.state));
        }
    }
    m_coarse = std::move(kept);
}

void Checkpoints::drop_near(std::size_t index) {
    m_near_bytes -= size_in_bytes(m_near[index].state);
    if (m_spare.size() < 4) m_spare.push_back(std::move(m_near[index].state));
    m_near.erase(m_near.begin() + static_cast<std::ptrdiff_t>(index));
}

void Checkpoints::lay_near(const State& st, std::uint64_t cursor_event) {
    if (last_before(st.event).event == st.event) return;
    const std::size_t size = size_in_bytes(st);
    while (!m_near.empty() && (m_near.size() >= m_budget.near || m_near_bytes + size > m_budget.bytes / 4))
        drop_near(m_near.back().state.event > cursor_event ? m_near.size() - 1 : 0);
    if (m_budget.near == 0 || m_near_bytes + size > m_budget.bytes / 4) return;
    const auto at = std::upper_bound(m_near.begin(), m_near.end(), st.event, event_less);
    m_near.insert(at, {take_spare(st), 0});
    m_near_bytes += size;
}

const State& Checkpoints::last_before(std::uint64_t event) const {
    const auto coarse = last_at_or_before(m_coarse.begin(), m_coarse.end(), event);
    const auto near = last_at_or_before(m_near.begin(), m_near.end(), event);
    PICKNEXT_ASSERT(coarse != m_coarse.end(), "the start lies after event {}", event);
    if (near == m_near.end() || near->state.event < coarse->state.event) return coarse->state;
    return near->state;
}

const Checkpoint* Checkpoints::next_coarse(std::uint64_t from, std::uint64_t to) const {
    const auto after = std::upper_bound(m_coarse.begin(), m_coarse.end(), from, event_less);
    return after != m_coarse.end() && after->state.event <= to ? &*after : nullptr;
}

} // namespace picknext
