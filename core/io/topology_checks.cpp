// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/io/topology_checks.hpp"

#include <fmt/format.h>

namespace picknext::io {
namespace {

/// Two sets share CPUs, and neither holds the other.
bool cross(const CpuSet& a, const CpuSet& b) {
    bool shared = false, only_a = false, only_b = false;
    for_each_cpu(a, [&](CpuId c) { (b.has(c) ? shared : only_a) = true; });
    for_each_cpu(b, [&](CpuId c) { only_b = only_b || !a.has(c); });
    return shared && only_a && only_b;
}

} // namespace

std::vector<std::pair<std::string, std::string>> oddities(const Machine& m) {
    std::vector<std::pair<std::string, std::string>> out;
    for (const CpuSet& llc : m.llc_span) {
        const NodeId node = m.cpu(llc.first()).node;
        if (cross(llc, m.node_span[node.index()])) {
            out.emplace_back("W-CROSSING", fmt::format("the LLC of CPU {} and node {} overlap, but neither holds the other",
                                                       m.cpu(llc.first()).number, m.nodes[node.index()].number));
            break;
        }
    }
    for (const CpuSet& core : m.core_span) {
        bool equal = true;
        for_each_cpu(core, [&](CpuId c) { equal = equal && m.cpu(c).capacity == m.cpu(core.first()).capacity; });
        if (equal) continue;
        out.emplace_back("W-CAPACITY", fmt::format("the threads of the core of CPU {} have different capacities", m.cpu(core.first()).number));
        break;
    }
    for (std::size_t a = 0; a < m.distances.size(); ++a)
        for (std::size_t b = 0; b < a; ++b)
            if (m.distances[a][b] != m.distances[b][a]) {
                out.emplace_back("W-DISTANCE", fmt::format("the distance from node {} to {} is {}, the way back {}", m.nodes[b].number,
                                                           m.nodes[a].number, m.distances[b][a], m.distances[a][b]));
                return out;
            }
    return out;
}

CpuSet cpus_numbered(const Machine& machine, const std::vector<int>& numbers, std::vector<int>& missing) {
    CpuSet set(machine.cpu_count());
    for (const int number : numbers) {
        const CpuId c = machine.by_number(number);
        if (c) set.add(c);
        else missing.push_back(number);
    }
    return set;
}

} // namespace picknext::io
