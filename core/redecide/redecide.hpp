// SPDX-License-Identifier: GPL-3.0-or-later
// A recorded decision taken again from the very state it was taken from, under other settings: what would have been
// decided, and why. One decision only: what would have come of it is another run.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "core/state/state.hpp"
#include "core/topology/domains.hpp"
#include "core/topology/machine.hpp"

namespace picknext {

struct Redecided {
    std::int32_t outcome = -1;  // by KindInfo::outcome, as in DecisionHeader; of a mask write that the settings do not ask for: -1
    Reason reason = Reason::none;
    PickPath path = PickPath::none; // of a pick
    std::uint16_t deciding = 0; // index of the deciding check
    std::vector<Check> checks;  // every check made on the way, in order
    friend bool operator==(const Redecided&, const Redecided&) = default;
};

/// One decision, to be taken again under as many settings as wanted. Costs a copy of the state.
/// Kinds that can be taken again: pick, place, preempt, tick, balance, busiest, imbalance, queue, detach, active, newidle,
/// nohz_kick, mask, queue_wakeup. The others apply what they decide while they decide it (enqueue, dequeue, yield, throttle,
/// unthrottle, refill), follow from decisions before them (schedule) or are governed by no setting (nohz_run, idle_cores, hotplug).
class Redecision {
  public:
    /// before: the state as a sink is shown it; header, checks: the decision's, checks recorded; domains: those in force
    /// then. All of them must live as long.
    Redecision(const State& before, const DecisionHeader& header, std::span<const Check> checks, const Machine& machine, const Domains& domains);
    ~Redecision();
    Redecision(Redecision&&) noexcept;
    Redecision& operator=(Redecision&&) noexcept;

    /// Under its own settings the decision gave its own answer: outcome, reason, path and checks.
    [[nodiscard]] bool possible() const;
    /// Nothing where that is not possible: for other kinds; for a pick, tick or preemption when the kernels keep differently
    /// sorted or augmented trees; for a preemption when what the state went through while it was decided depends on a feature that
    /// differs (a buddy nominated, a protection ended); and where the record does not hold the whole question: a CPU taken for its
    /// affinity alone, a balance pass that looks again around pinned tasks, how much is left to be moved where that was not asked.
    [[nodiscard]] std::optional<Redecided> under(const Settings& settings);

  private:
    struct Impl;
    std::unique_ptr<Impl> m_impl;
};

/// Redecision::under, once.
[[nodiscard]] std::optional<Redecided> redecide(const State& before, const DecisionHeader& header, std::span<const Check> checks, const Settings& settings,
                                                const Machine& machine, const Domains& domains);

} // namespace picknext
