// SPDX-License-Identifier: GPL-3.0-or-later
// The event loop: takes the earliest event, lets the drivers decide and apply, and stops between events.
// Deterministic: the same scenario gives the same states and decisions, whatever the sink.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <stop_token>

#include "core/engine/scenario.hpp"
#include "core/state/state.hpp"
#include "core/trace/recorder.hpp"

namespace picknext {

namespace engine {
struct Plan;
}

/// Where a run ends. Whatever comes first; nothing set = when no event is left.
struct RunLimit {
    std::int64_t time = INT64_MAX;     // ns: events at or before it are processed, and now becomes it
    std::uint64_t events = UINT64_MAX; // stop once State::event reaches it
    std::uint64_t decisions = UINT64_MAX; // stop after the event in which State::decisions reaches it
};

enum class StopReason : std::uint8_t { limit, finished, cancelled };

/// Polled each 4,096 events.
using Progress = std::function<void(const State&)>;

/// Runs one scenario. Copying the State out and back in is the whole of save and restore.
class Engine {
  public:
    /// The scenario must be valid (io checks what users write); it is shared, never changed.
    explicit Engine(std::shared_ptr<const Scenario> scenario);

    [[nodiscard]] const State& state() const { return m_state; }
    [[nodiscard]] const Scenario& scenario() const { return *m_scenario; }
    [[nodiscard]] std::shared_ptr<const Scenario> shared_scenario() const { return m_scenario; }

    /// Replaces the state; it must stem from this scenario.
    void restore(const State& state);

    /// Carries out an edit now, between two events (Edit::at does not matter): what a user does to a running machine. The
    /// last online CPU stays online, and a CPU in the wanted state is left alone; the decision of kind hotplug says so.
    template <DecisionSink S>
    void edit(const Edit& edit, S& sink);

    /// Processes the next event. False when none is left (then nothing changed).
    template <DecisionSink S>
    bool step(S& sink);

    /// Steps until the limit. With a time limit reached, State::now is that time.
    template <DecisionSink S>
    StopReason run(const RunLimit& limit, S& sink, std::stop_token stop = {}, const Progress& progress = {});

    /// Time of the next event, or INT64_MAX.
    [[nodiscard]] std::int64_t next_event_time() const;

  private:
    void cover(const CpuSet& online); // the plan has the domains of these CPUs from now on
    void cover_next();                // of those that are online after the next event

    std::shared_ptr<const Scenario> m_scenario;
    std::shared_ptr<const engine::Plan> m_plan;
    State m_state;
};

/// The state a scenario starts from: tasks waiting to start, every CPU idle at time 0.
[[nodiscard]] State initial_state(const Scenario& scenario);

} // namespace picknext
