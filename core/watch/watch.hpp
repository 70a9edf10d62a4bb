// SPDX-License-Identifier: GPL-3.0-or-later
// A watch over a run: CPUs idle while others have tasks to give, tasks that wait long, and the sum of lags. It looks on
// and decides nothing; a run without one pays nothing.
#pragma once

#include <cstdint>
#include <functional>

#include "core/engine/engine.hpp"
#include "core/watch/conservation.hpp"
#include "core/watch/starvation.hpp"

namespace picknext::watch {

/// The sum of weighted lags of a root queue. By the definition of V it is 0; V is rounded down to whole ns, so it lies
/// within -(weight - 1)..0.
struct LagSum {
    std::int64_t sum = 0;      // of coarse weight * (V - vruntime), vruntime in ns
    std::uint64_t weight = 0;  // coarse, of all queued
    CpuId cpu;
    std::int64_t at = 0;       // ns
};
/// EEVDF only.
[[nodiscard]] LagSum lag_sum(const State& st, CpuId cpu);

struct Options {
    std::int64_t wait_limit = 100'000'000; // ns
    std::function<void(const Interval&)> on_interval = [](const Interval&) {};
    std::function<void(const Wait&)> on_long_wait = [](const Wait&) {};
};

/// Attach as the observer of a header or full sink, and call after_event between events (fn run does both).
class Watch final : public Observer {
  public:
    Watch(const Scenario& scenario, Options options);
    Watch(const Watch&) = delete;
    Watch& operator=(const Watch&) = delete;

    void on_decision(const State& before, const DecisionHeader& header, std::span<const Check> checks) override;
    void after_event(const State& st);
    void finish(const State& st);

    [[nodiscard]] const Conservation& conservation() const { return m_conservation; }
    [[nodiscard]] const Starvation& starvation() const { return m_starvation; }
    /// The one farthest from 0 in units of its weight; cpu none: there was none (CFS).
    [[nodiscard]] const LagSum& worst_lag_sum() const { return m_lag; }

  private:
    Domains m_domains;
    Conservation m_conservation;
    Starvation m_starvation;
    LagSum m_lag;
    CpuSet m_touched;
    std::vector<std::int64_t> m_edits; // times of those still to come, the next one last
};

/// Engine::run with the watch attached; finish() stays the caller's.
StopReason run(Engine& engine, const RunLimit& limit, Watch& watch, std::stop_token stop = {}, const Progress& progress = {});

} // namespace picknext::watch
