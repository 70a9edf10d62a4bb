// SPDX-License-Identifier: GPL-3.0-or-later
// The heap of future events. Timers are part of the state: whoever arms one puts an event here, the engine takes it.
#pragma once

#include "core/state/state.hpp"

namespace picknext {

/// Plans an event; at (ns) is not before State::now. generation: see EventKind.
void push_event(State& st, std::int64_t at, EventKind kind, std::int32_t subject, std::uint64_t generation);

/// Takes the earliest event. There must be one.
Event pop_event(State& st);

} // namespace picknext
