// SPDX-License-Identifier: GPL-3.0-or-later
// Edits of a running machine: CPUs go offline and come online, tasks get another affinity.
#pragma once

#include "core/engine/driver.hpp"

namespace picknext::engine {

/// Carries one edit out, to the end of everything it causes at this instant. Announces one decision of kind hotplug if it
/// is about a CPU. The plan must have the domains of the CPUs that are online afterwards.
template <DecisionSink S>
void carry_out(State& st, const Scenario& scenario, const Plan& plan, Recorder<S>& recorder, const Edit& edit);

} // namespace picknext::engine
