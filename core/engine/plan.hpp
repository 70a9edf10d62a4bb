// SPDX-License-Identifier: GPL-3.0-or-later
// What a run needs to know about a scenario beyond the scenario. Computed from it, never changed while an event runs, no
// part of the state: two engines of one scenario may hold plans that cover more or fewer sets of online CPUs.
#pragma once

#include <memory>
#include <vector>

#include "core/engine/scenario.hpp"
#include "core/topology/domains.hpp"

namespace picknext::engine {

struct Plan {
    std::vector<std::vector<std::int32_t>> own_timers; // by task spec: its timers that are not shared
    std::vector<std::vector<const Op*>> own_lists;     // by task spec: its operations with a list of durations
    std::vector<GroupSpec> groups;                     // GroupId - 1: parents before children, those only implied too
    std::vector<GroupId> group_parents;                // of these
    std::vector<GroupId> group_of;                     // by task spec
    std::vector<std::shared_ptr<const Domains>> partitions; // by set of online CPUs: first that of the start, then those hotplug has led to
};
[[nodiscard]] Plan make_plan(const Scenario& scenario);

/// The CPUs that are online.
[[nodiscard]] CpuSet online_cpus(const State& st);
/// Whether this edit changes which CPUs are online, and those after it. The last CPU does not go offline.
[[nodiscard]] bool switches_cpu(const Edit& edit, const CpuSet& online);
[[nodiscard]] CpuSet online_after(const Edit& edit, CpuSet online);

/// Is that set among the partitions? add_partition builds it.
[[nodiscard]] bool has_partition(const Plan& plan, const CpuSet& online);
void add_partition(Plan& plan, const Scenario& scenario, const CpuSet& online);
/// The domains of the CPUs that are online; the plan must have them.
[[nodiscard]] const Domains& domains_of(const Plan& plan, const State& st);

/// For who looks at states of a run from outside: the domains of the CPUs that are online in one of them. Builds a set's
/// domains when it meets it; references stay good.
class DomainsInForce {
  public:
    DomainsInForce(const Machine& machine, Kernel kernel) : m_machine(machine), m_kernel(kernel) {}
    [[nodiscard]] const Domains& at(const State& st);

  private:
    const Machine& m_machine;
    Kernel m_kernel;
    std::vector<std::unique_ptr<const Domains>> m_met;
};

} // namespace picknext::engine
