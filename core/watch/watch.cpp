// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/watch/watch.hpp"

#include <algorithm>
#include <functional>

#include "core/base/rng.hpp"
#include "core/fair/average.hpp"

namespace picknext::watch {
namespace {

/// |a.sum| / a.weight > |b.sum| / b.weight; a weight of 0 goes with a sum of 0.
bool farther(const LagSum& a, const LagSum& b) {
    const auto size = [](const LagSum& s) { return static_cast<WideProduct>(s.sum < 0 ? -s.sum : s.sum); };
    return size(a) * static_cast<WideProduct>(std::max<std::uint64_t>(b.weight, 1)) > size(b) * static_cast<WideProduct>(std::max<std::uint64_t>(a.weight, 1));
}

} // namespace

LagSum lag_sum(const State& st, CpuId cpu) {
    const Queue& q = st.root_queue(cpu);
    const fair::Sums s = fair::sums_of(st, q);
    const std::int64_t around_v = fair::weighted(fair::average_vruntime(st, q) - s.ref, s.weight) - s.weighted;
    return {around_v, s.weight, cpu, st.now};
}

Watch::Watch(const Scenario& scenario, Options options)
    : m_domains(build_domains(scenario.machine, CpuSet::all(scenario.machine.cpu_count()), scenario.settings.kernel)), // whoever comes online
      m_conservation(m_domains, std::move(options.on_interval)), m_starvation(options.wait_limit, std::move(options.on_long_wait)),
      m_touched(scenario.machine.cpu_count()) {
    for (const Edit& edit : scenario.edits) m_edits.push_back(edit.at);
    std::ranges::sort(m_edits, std::greater<>());
}

void Watch::on_decision(const State& before, const DecisionHeader& header, std::span<const Check>) {
    m_conservation.note(header);
    m_starvation.note(before, header);
    if (header.kind == Kind::enqueue || header.kind == Kind::dequeue) m_touched.add(CpuId{static_cast<std::size_t>(header.cpu)});
}

void Watch::after_event(const State& st) {
    for (; !m_edits.empty() && m_edits.back() <= st.now; m_edits.pop_back()) m_conservation.doubt(); // an affinity edit is no decision
    m_conservation.after_event(st);
    if (st.settings.eevdf())
        for_each_cpu(CpuSetView(m_touched), [&](CpuId cpu) {
            const LagSum sum = lag_sum(st, cpu);
            if (!m_lag.cpu || farther(sum, m_lag)) m_lag = sum;
        });
    std::ranges::fill(m_touched.words(), 0);
}

void Watch::finish(const State& st) {
    m_conservation.finish(st);
    m_starvation.finish(st);
}

StopReason run(Engine& engine, const RunLimit& limit, Watch& watch, std::stop_token stop, const Progress& progress) {
    HeaderSink sink{&watch};
    const auto go_on = [&] { return engine.state().event < limit.events && engine.state().decisions < limit.decisions; };
    for (std::uint64_t n = 1; engine.next_event_time() <= limit.time && go_on(); ++n) {
        if (!engine.step(sink)) break;
        watch.after_event(engine.state());
        if (n % 4096 != 0) continue;
        if (stop.stop_requested()) return StopReason::cancelled;
        if (progress) progress(engine.state());
    }
    return engine.run(limit, sink); // nothing is left of it but its end
}

} // namespace picknext::watch
