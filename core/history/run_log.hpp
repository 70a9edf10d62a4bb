// SPDX-License-Identifier: GPL-3.0-or-later
// What was computed so far: every decision header, and who ran where, recorded when an event is first computed and
// kept when the cursor goes back.
#pragma once

#include "core/history/timeline.hpp"
#include "core/trace/recorder.hpp"

namespace picknext {

class RunLog final : public Observer {
  public:
    explicit RunLog(std::size_t cpus) : m_lanes(cpus), m_waits(cpus) {}

    void on_decision(const State& before, const DecisionHeader& header, std::span<const Check> checks) override;

    [[nodiscard]] std::uint64_t rows() const { return m_chunks.size() * RunIndex::chunk_rows + m_tail.size(); }
    [[nodiscard]] const DecisionHeader& row(std::uint64_t index) const {
        const std::uint64_t chunk = index / RunIndex::chunk_rows;
        return chunk < m_chunks.size() ? (*m_chunks[chunk])[index % RunIndex::chunk_rows] : m_tail[index % RunIndex::chunk_rows];
    }
    /// Number of the first decision at or after `ns`, rows() + 1 = none yet.
    [[nodiscard]] std::uint64_t first_at(std::int64_t ns) const;
    /// The part of the index that is the log's; shares what did not change since the last call.
    void share(RunIndex& index);

  private:
    struct Lane {
        std::vector<LaneSlice> slices;
        std::shared_ptr<const std::vector<LaneSlice>> shared;
    };
    struct Waits {
        std::vector<WaitStep> steps;
        std::shared_ptr<const std::vector<WaitStep>> shared;
    };
    void note_waiting(Waits& waits, std::int64_t at, std::uint32_t tasks);
    void switch_to(Lane& lane, std::int64_t at, TaskId next);

    std::vector<std::shared_ptr<const std::vector<DecisionHeader>>> m_chunks; // full ones
    std::vector<DecisionHeader> m_tail;
    std::shared_ptr<const std::vector<DecisionHeader>> m_shared_tail;
    std::vector<Lane> m_lanes;   // by CPU
    std::vector<Waits> m_waits;  // by CPU
};

} // namespace picknext
