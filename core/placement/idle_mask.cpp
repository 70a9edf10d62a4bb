// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/placement/idle_mask.hpp"

#include "core/state/idle.hpp"

namespace picknext::placement {
namespace {

template <DecisionSink S>
struct Rule {
    const State& st;
    const Settings& settings;
    CpuId cpu;
    Evidence<S>& why;

    /// A write that happens whatever the bit was.
    [[nodiscard]] static MaskWrite write(bool set) {
        return {static_cast<std::int8_t>(set ? 1 : 0), -1, set ? Reason::mask_set : Reason::mask_cleared, true};
    }
    /// A write that is skipped when the CPU's last state was the same (v3 and later).
    [[nodiscard]] MaskWrite filtered(bool idle) const {
        const std::uint8_t last = st.rq(cpu).idle_mask_state;
        const std::int8_t state = idle ? 1 : 0;
        if (!why.template check<Chk::mask_state>(cpu, state, last, state != last)) return {-1, -1, Reason::mask_kept, true};
        return {state, state, idle ? Reason::mask_set : Reason::mask_cleared, true};
    }
    /// The draft's test: meant to let idle CPUs pass, it lets none.
    [[nodiscard]] MaskWrite draft() const {
        const bool idle = idle_cpu(st, cpu), policy = sched_idle_cpu(st, cpu);
        const bool both = settings.patch(Patch::draft_test) == static_cast<int>(DraftTest::both);
        const bool passes = both ? idle && policy : idle || policy;
        if (!why.template check<Chk::mask_test>(cpu, idle ? 1 : 0, policy ? 1 : 0, passes)) return {-1, -1, Reason::mask_refused, true};
        return write(true);
    }
    [[nodiscard]] bool in_nohz() const { return st.rq(cpu).nohz_tick_stopped != 0; }
    [[nodiscard]] bool busy() const { return st.rq(cpu).idle_balance == 0; }

    [[nodiscard]] MaskWrite decide(MaskHook hook, IdlePass pass) const {
        switch (settings.idle_mask()) {
        case IdleMask::off:
            break;
        case IdleMask::v1:
        case IdleMask::v2:
            if (hook == MaskHook::idle_loop && pass.enters_nohz) return write(true);
            if (hook == MaskHook::tick && busy() && in_nohz()) return write(false);
            break;
        case IdleMask::draft:
            if (hook == MaskHook::switching_to_idle || hook == MaskHook::attributes) return draft();
            if (hook == MaskHook::wakeup) return write(false);
            break;
        case IdleMask::draft_fixed:
            if (hook == MaskHook::switching_to_idle || hook == MaskHook::attributes) return write(true);
            if (hook == MaskHook::wakeup) return write(false);
            break;
        case IdleMask::v3:
            if (hook == MaskHook::switching_to_idle) return filtered(true);
            if (hook == MaskHook::tick && busy()) return filtered(sched_idle_cpu(st, cpu));
            break;
        case IdleMask::v5:
            if (hook == MaskHook::idle_loop && pass.tick_stops) return filtered(true);
            if (hook == MaskHook::tick && busy()) return filtered(sched_idle_cpu(st, cpu));
            break;
        case IdleMask::v6:
            if (hook == MaskHook::idle_loop && !pass.polls) return filtered(true);
            if (hook == MaskHook::tick && busy()) return filtered(sched_idle_cpu(st, cpu));
            break;
        case IdleMask::v11:
            if (hook == MaskHook::idle_loop) return filtered(true);
            if (hook == MaskHook::tick) return filtered(!busy() || sched_idle_cpu(st, cpu));
            break;
        }
        return {};
    }
};

} // namespace

template <DecisionSink S>
MaskWrite decide_mask(const State& st, const Settings& settings, const Domains& domains, CpuId cpu, MaskHook hook, IdlePass pass, Evidence<S>& why) {
    if (!domains.cpu(cpu).shared) return {};
    const MaskWrite out = Rule<S>{st, settings, cpu, why}.decide(hook, pass);
    why.mark_last();
    return out;
}

void apply(State& st, CpuId cpu, const MaskWrite& write) {
    if (write.state >= 0) st.rq(cpu).idle_mask_state = static_cast<std::uint8_t>(write.state);
    if (write.bit == 1) set_bit(st.llc_idle_cpus, cpu);
    if (write.bit == 0) clear_bit(st.llc_idle_cpus, cpu);
}

#define PICKNEXT_FOR_SINK(S) \
    template MaskWrite decide_mask(const State&, const Settings&, const Domains&, CpuId, MaskHook, IdlePass, Evidence<S>&);
PICKNEXT_FOR_EACH_SINK(PICKNEXT_FOR_SINK)
#undef PICKNEXT_FOR_SINK

} // namespace picknext::placement
