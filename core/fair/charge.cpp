// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/fair/charge.hpp"

namespace picknext::fair {

void renew_slice(const State& st, Entity& e) {
    if (e.custom_slice == 0) e.slice = static_cast<std::uint64_t>(st.settings[Tunable::base_slice]);
}

void renew_deadline(State& st, Queue& q, Entity& e) {
    renew_slice(st, e);
    e.deadline = VTime{e.vruntime.ns + to_virtual(e.slice, e)};
    if (st.settings.kernel == Kernel::eevdf_6_12y) follow_average(st, q);
}

} // namespace picknext::fair
