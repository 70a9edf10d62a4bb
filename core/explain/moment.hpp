// SPDX-License-Identifier: GPL-3.0-or-later
// What every sentence about one decision starts from: the decision, the state it saw, its queue and the zero of its
// virtual time line.
#pragma once

#include <span>

#include "core/engine/scenario.hpp"
#include "core/state/state.hpp"
#include "core/trace/decision.hpp"

namespace picknext {

struct Moment {
    const Scenario& scenario;
    const State& st;
    const DecisionHeader& header;
    std::span<const Check> checks;
    QueueId queue; // the queue it is about
    VTime zero;    // V of that queue (CFS: min_vruntime): virtual times are shown relative to it

    Moment(const Scenario& a_scenario, const State& a_state, const DecisionHeader& a_header, std::span<const Check> a_checks);

    [[nodiscard]] CpuId cpu() const { return CpuId{static_cast<std::int32_t>(header.cpu)}; }
    [[nodiscard]] TaskId task() const { return TaskId{header.task}; }
    [[nodiscard]] const Settings& settings() const { return st.settings; }
    /// The check that decided, or nullptr when no checks were recorded.
    [[nodiscard]] const Check* deciding() const {
        return header.deciding < checks.size() ? &checks[header.deciding] : nullptr;
    }
};

/// "CPU 3": by the firmware's number.
[[nodiscard]] std::string cpu_text(const Scenario& scenario, CpuId cpu);

} // namespace picknext
