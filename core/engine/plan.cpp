// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/engine/plan.hpp"

#include <algorithm>
#include <string>

#include "core/base/assert.hpp"

namespace picknext::engine {
namespace {

std::vector<std::int32_t> own_timers(const TaskSpec& spec, const Workload& workload) {
    std::vector<std::int32_t> own;
    for (const Phase& phase : spec.phases)
        for (const Op& op : phase.ops) {
            if (op.kind != OpKind::timer || workload.resources[static_cast<std::size_t>(op.resource)].shared) continue;
            if (std::find(own.begin(), own.end(), op.resource) == own.end()) own.push_back(op.resource);
        }
    return own;
}

std::vector<const Op*> own_lists(const TaskSpec& spec) {
    std::vector<const Op*> own;
    for (const Phase& phase : spec.phases)
        for (const Op& op : phase.ops)
            if (op.amount.kind == Dist::Kind::list) own.push_back(&op);
    return own;
}

std::string parent_path(const std::string& path) { return path.substr(0, path.rfind('/')); }

GroupId find_group(const Plan& plan, const std::string& path) {
    for (std::size_t g = 0; g < plan.groups.size(); ++g)
        if (plan.groups[g].path == path) return GroupId{g + 1};
    return GroupId{0};
}

/// Adds the group of a path after its parents; one the workload does not describe has the defaults.
void add_path(Plan& plan, const Workload& workload, const std::string& path) {
    if (path.empty() || path == "/" || find_group(plan, path) != GroupId{0}) return;
    add_path(plan, workload, parent_path(path));
    const auto described = std::find_if(workload.groups.begin(), workload.groups.end(),
                                        [&](const GroupSpec& g) { return g.path == path; });
    plan.group_parents.push_back(find_group(plan, parent_path(path)));
    plan.groups.push_back(described != workload.groups.end() ? *described : GroupSpec{.path = path});
}

} // namespace

Plan make_plan(const Scenario& scenario) {
    Plan plan;
    const Workload& workload = scenario.workload;
    for (const GroupSpec& group : workload.groups) add_path(plan, workload, group.path);
    for (const TaskSpec& task : workload.tasks) {
        add_path(plan, workload, task.group);
        plan.group_of.push_back(find_group(plan, task.group));
        plan.own_timers.push_back(own_timers(task, workload));
        plan.own_lists.push_back(own_lists(task));
    }
    add_partition(plan, scenario, scenario.machine.online());
    return plan;
}

CpuSet online_cpus(const State& st) {
    CpuSet set(st.cpu_count());
    for (std::size_t c = 0; c < st.cpu_count(); ++c)
        if (st.rqs[c].online != 0) set.add(CpuId{c});
    return set;
}

bool switches_cpu(const Edit& edit, const CpuSet& online) {
    if (edit.kind == EditKind::online) return !online.has(edit.cpu);
    return edit.kind == EditKind::offline && online.has(edit.cpu) && online.size() > 1;
}

CpuSet online_after(const Edit& edit, CpuSet online) {
    if (!switches_cpu(edit, online)) return online;
    if (edit.kind == EditKind::online) online.add(edit.cpu);
    else online.remove(edit.cpu);
    return online;
}

namespace {
const Domains* find_partition(const Plan& plan, const CpuSet& online) {
    const auto at = std::find_if(plan.partitions.begin(), plan.partitions.end(), [&](const auto& d) { return d->online == online; });
    return at == plan.partitions.end() ? nullptr : at->get();
}
} // namespace

bool has_partition(const Plan& plan, const CpuSet& online) { return find_partition(plan, online) != nullptr; }

void add_partition(Plan& plan, const Scenario& scenario, const CpuSet& online) {
    plan.partitions.push_back(std::make_shared<const Domains>(build_domains(scenario.machine, online, scenario.settings.kernel)));
}

const Domains& domains_of(const Plan& plan, const State& st) {
    if (plan.partitions.size() == 1) return *plan.partitions.front(); // no hotplug: asked at each event
    const Domains* domains = find_partition(plan, online_cpus(st));
    PICKNEXT_ASSERT(domains != nullptr, "no domains for {} online CPUs", online_cpus(st).size());
    return *domains;
}

const Domains& DomainsInForce::at(const State& st) {
    const CpuSet online = online_cpus(st);
    const auto met = std::find_if(m_met.begin(), m_met.end(), [&](const auto& d) { return d->online == online; });
    if (met != m_met.end()) return **met;
    return *m_met.emplace_back(std::make_unique<const Domains>(build_domains(m_machine, online, m_kernel)));
}

} // namespace picknext::engine
