// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/balance/newidle.hpp"

namespace picknext::balance {

template <DecisionSink S>
Reason newidle_verdict(const State& st, const Settings& settings, const Domains& domains, CpuId cpu, Evidence<S>& why) {
    const Rq& rq = st.rq(cpu);
    const auto idle = static_cast<std::int64_t>(rq.avg_idle);
    const auto enough = [&](std::int64_t cost) { return why.template check<Chk::idle_long_enough>(cpu, Nanos{idle}, Nanos{cost}, idle >= cost); };
    if (rq.ttwu_pending != 0) return Reason::newidle_pending;
    if (settings.patch(Patch::newidle_gate) == 1 && !enough(settings[Tunable::migration_cost])) return Reason::newidle_too_short;
    const bool overloaded = st.nohz.overloaded != 0;
    if (!why.template check<Chk::root_overloaded>(cpu, st.nohz.overloaded, 1, overloaded)) return Reason::newidle_not_overloaded;
    if (!enough(static_cast<std::int64_t>(st.domains[domains.cpu(cpu).base.index()].max_newidle_lb_cost))) return Reason::newidle_too_short;
    return Reason::newidle_go;
}

#define PICKNEXT_FOR_SINK(S) template Reason newidle_verdict(const State&, const Settings&, const Domains&, CpuId, Evidence<S>&);
PICKNEXT_FOR_EACH_SINK(PICKNEXT_FOR_SINK)
#undef PICKNEXT_FOR_SINK

} // namespace picknext::balance
