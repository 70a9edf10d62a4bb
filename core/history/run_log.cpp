// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/history/run_log.hpp"

#include <utility>

#include "core/state/state.hpp"

namespace picknext {

void RunLog::on_decision(const State& before, const DecisionHeader& header, std::span<const Check> /*checks*/) {
    m_tail.push_back(header);
    m_shared_tail.reset();
    PICKNEXT_DEBUG_ASSERT(rows() == before.decisions, "row {} for decision {}", rows(), before.decisions);
    if (m_tail.size() == RunIndex::chunk_rows) {
        m_chunks.push_back(std::make_shared<const std::vector<DecisionHeader>>(std::exchange(m_tail, {})));
        m_tail.reserve(RunIndex::chunk_rows);
    }
    const Rq& rq = before.rq(CpuId{std::size_t{header.cpu}});
    note_waiting(m_waits[header.cpu], header.at, rq.nr_running - (rq.curr.valid() && rq.nr_running > 0 ? 1 : 0));
    if (header.kind == Kind::schedule) switch_to(m_lanes[header.cpu], header.at, TaskId{header.outcome});
}

void RunLog::note_waiting(Waits& waits, std::int64_t at, std::uint32_t tasks) {
    if (!waits.steps.empty() && waits.steps.back().tasks == tasks) return;
    if (!waits.steps.empty() && waits.steps.back().at == at) waits.steps.back().tasks = tasks; // the last word of a moment
    else waits.steps.push_back({at, tasks});
    waits.shared.reset();
}

void RunLog::switch_to(Lane& lane, std::int64_t at, TaskId next) {
    const bool open = !lane.slices.empty() && lane.slices.back().end == INT64_MAX;
    if (open && lane.slices.back().task == next) return;
    if (open) {
        lane.slices.back().end = at;
        if (lane.slices.back().begin == at) lane.slices.pop_back(); // it never ran
    }
    if (next) lane.slices.push_back({at, INT64_MAX, next});
    lane.shared.reset();
}

std::uint64_t RunLog::first_at(std::int64_t ns) const {
    std::uint64_t low = 0, high = rows(); // the log is in order of time
    while (low < high) {
        const std::uint64_t middle = low + (high - low) / 2;
        if (row(middle).at < ns) low = middle + 1;
        else high = middle;
    }
    return low + 1;
}

void RunLog::share(RunIndex& index) {
    index.rows = rows();
    index.log = m_chunks;
    if (!m_tail.empty()) {
        if (!m_shared_tail) m_shared_tail = std::make_shared<const std::vector<DecisionHeader>>(m_tail);
        index.log.push_back(m_shared_tail);
    }
    index.lanes.clear();
    index.lanes.reserve(m_lanes.size());
    for (Lane& lane : m_lanes) {
        if (!lane.shared) lane.shared = std::make_shared<const std::vector<LaneSlice>>(lane.slices);
        index.lanes.push_back(lane.shared);
    }
    index.waiting.clear();
    index.waiting.reserve(m_waits.size());
    for (Waits& waits : m_waits) {
        if (!waits.shared) waits.shared = std::make_shared<const std::vector<WaitStep>>(waits.steps);
        index.waiting.push_back(waits.shared);
    }
}

} // namespace picknext
