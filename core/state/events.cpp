// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/state/events.hpp"

#include <algorithm>

#include "core/base/assert.hpp"

namespace picknext {

void push_event(State& st, std::int64_t at, EventKind kind, std::int32_t subject, std::uint64_t generation) {
    PICKNEXT_ASSERT(at >= st.now, "event at {} planned at {}", at, st.now);
    Event e;
    e.at = at;
    e.seq = st.next_seq++;
    e.generation = generation;
    e.subject = subject;
    e.kind = kind;
    st.events.push_back(e);
    std::push_heap(st.events.begin(), st.events.end(), [](const Event& a, const Event& b) { return comes_before(b, a); });
}

Event pop_event(State& st) {
    std::pop_heap(st.events.begin(), st.events.end(), [](const Event& a, const Event& b) { return comes_before(b, a); });
    const Event e = st.events.back();
    st.events.pop_back();
    return e;
}

} // namespace picknext
