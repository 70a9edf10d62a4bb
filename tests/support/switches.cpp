// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/support/switches.hpp"

#include <fmt/format.h>

#include "core/engine/engine.hpp"
#include "core/engine/invariants.hpp"
#include "tests/support/small_scenario.hpp"

namespace picknext::test {
namespace {

class Switches final : public Observer {
  public:
    Switches(const Scenario& scenario, Run& run) : m_scenario(scenario), m_run(run) {}
    void on_decision(const State& st, const DecisionHeader& h, std::span<const Check>) override {
        if (h.kind != Kind::schedule || h.reason == Reason::schedule_same) return;
        const TaskId next{h.outcome};
        if (!next && !st.rq(CpuId{static_cast<std::int32_t>(h.cpu)}).curr && h.reason == Reason::schedule_idle) return; // stays idle
        m_run.last = h.at;
        const std::string who = next ? task_name(m_scenario.workload, st.task(next)) : "idle";
        m_run.switches += fmt::format("{}{}@{}:{}", m_run.switches.empty() ? "" : " ", who, h.cpu, h.at / 1000);
    }

  private:
    const Scenario& m_scenario;
    Run& m_run;
};

} // namespace

Run run_switches(Scenario scenario, std::int64_t until) {
    const auto scenario_shared = shared(std::move(scenario));
    Engine engine(scenario_shared);
    Run run;
    Switches seen(*scenario_shared, run);
    HeaderSink sink{&seen};
    while (engine.next_event_time() <= until && run.broken.empty() && engine.step(sink)) run.broken = broken_invariant(engine.state());
    run.state = engine.state();
    return run;
}

} // namespace picknext::test
