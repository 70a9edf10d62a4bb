// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/placement/wake_affine.hpp"

#include <algorithm>

#include "core/balance/loads.hpp"
#include "core/state/idle.hpp"

namespace picknext::placement {

WakeeRecord record_wakee(std::int64_t jiffies, std::int64_t hz, TaskId last_wakee, std::uint32_t flips, std::int64_t decay,
                         TaskId wakee) {
    WakeeRecord out{flips, decay};
    if (jiffies > decay + hz) out = {flips >> 1, jiffies};
    if (last_wakee != wakee) ++out.flips;
    return out;
}

template <DecisionSink S>
bool wake_wide(TaskId wakee, std::uint32_t waker_flips, std::uint32_t wakee_flips, std::uint32_t llc_size, Evidence<S>& why) {
    const std::uint32_t more = std::max(waker_flips, wakee_flips);
    const std::uint32_t fewer = std::min(waker_flips, wakee_flips);
    const std::uint32_t product = fewer * llc_size; // wraps at 32 bits, as the kernel's does
    if (!why.template check<Chk::many_partners>(wakee, fewer, llc_size, fewer >= llc_size)) return false;
    return why.template check<Chk::many_more_partners>(wakee, more, product, more >= product);
}

AffineInput gather_affine(const State& st, const Domains& domains, const Wake& wake, const Domain& domain) {
    const auto load = [](std::uint64_t v) { return static_cast<std::int64_t>(v); };
    const Rq& here = st.rq(wake.waker_cpu);
    const Rq& there = st.rq(wake.prev);
    AffineInput in;
    in.this_cpu = wake.waker_cpu;
    in.prev_cpu = wake.prev;
    in.sync = wake.sync;
    in.share_cache = domains.share_cache(wake.waker_cpu, wake.prev);
    in.this_idle = idle_cpu(st, wake.waker_cpu);
    in.prev_idle = idle_cpu(st, wake.prev);
    in.nr_running_this = here.nr_running;
    in.nr_delayed_this = st.root_queue(wake.waker_cpu).h_nr_delayed;
    in.nr_running_prev = there.nr_running;
    in.load_this = load(balance::cpu_load(st, wake.waker_cpu));
    in.load_prev = load(balance::cpu_load(st, wake.prev));
    in.task_load = load(balance::task_h_load(st, wake.task));
    in.curr_load = here.curr ? load(balance::task_h_load(st, here.curr)) : 0;
    in.capacity_this = here.cpu_capacity;
    in.capacity_prev = there.cpu_capacity;
    in.imbalance_pct = domain.imbalance_pct;
    return in;
}

template <DecisionSink S>
CpuId affine_idle(const AffineInput& in, const Settings& settings, Evidence<S>& why) {
    const auto prev_idle = [&] { return why.template check<Chk::cpu_is_idle>(in.prev_cpu, in.nr_running_prev, 0, in.prev_idle); };
    // An idle waker's CPU means an interrupt: where it came in says little, so the previous CPU is preferred.
    if (why.template check<Chk::cpu_is_idle>(in.this_cpu, in.nr_running_this, 0, in.this_idle) &&
        why.template check<Chk::shares_cache>(in.this_cpu, in.share_cache ? 1 : 0, 1, in.share_cache))
        return prev_idle() ? in.prev_cpu : in.this_cpu;
    const std::int64_t running = in.nr_running_this - in.nr_delayed_this;
    if (in.sync && why.template check<Chk::sync_waker_alone>(in.this_cpu, running, 1, running == 1)) return in.this_cpu;
    if (settings.kernel >= Kernel::cfs_5_12 && prev_idle()) return in.prev_cpu;
    return CpuId::none();
}

template <DecisionSink S>
CpuId affine_weight(const AffineInput& in, const Settings& settings, Evidence<S>& why) {
    const bool bias = settings.on(Feature::wa_bias);
    std::int64_t here = in.load_this;
    if (in.sync) {
        if (why.template check<Chk::waker_is_the_load>(in.this_cpu, in.curr_load, here, in.curr_load > here)) return in.this_cpu;
        here -= in.curr_load;
    }
    here += in.task_load;
    if (bias) here *= 100;
    here *= in.capacity_prev;
    std::int64_t there = in.load_prev - in.task_load;
    if (bias) there *= 100 + (in.imbalance_pct - 100) / 2;
    there *= in.capacity_this;
    if (in.sync) there += 1; // a tie goes to the waker
    return why.template check<Chk::waker_cpu_lighter>(in.this_cpu, here, there, here < there) ? in.this_cpu : CpuId::none();
}

template <DecisionSink S>
CpuId wake_affine(const AffineInput& in, const Settings& settings, Evidence<S>& why) {
    CpuId target;
    if (settings.on(Feature::wa_idle)) target = affine_idle(in, settings, why);
    if (!target && settings.on(Feature::wa_weight)) target = affine_weight(in, settings, why);
    return target == in.this_cpu ? in.this_cpu : in.prev_cpu;
}

#define PICKNEXT_FOR_SINK(S)                                                                                  \
    template bool wake_wide(TaskId, std::uint32_t, std::uint32_t, std::uint32_t, Evidence<S>&);               \
    template CpuId affine_idle(const AffineInput&, const Settings&, Evidence<S>&);                            \
    template CpuId affine_weight(const AffineInput&, const Settings&, Evidence<S>&);                          \
    template CpuId wake_affine(const AffineInput&, const Settings&, Evidence<S>&);
PICKNEXT_FOR_EACH_SINK(PICKNEXT_FOR_SINK)
#undef PICKNEXT_FOR_SINK

} // namespace picknext::placement
