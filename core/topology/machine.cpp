// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/topology/machine.hpp"

#include <algorithm>
#include <map>
#include <tuple>
#include <utility>

namespace picknext {
namespace {

Error fault(std::string code, std::string message) { return Error{std::move(code), Place{}, std::move(message)}; }

/// Renumbers the ids of one level 0, 1, 2 ... in order of first CPU. A missing id falls back to one per `group`, an id
/// of a coarser or finer level that is dense already.
template <class LevelId, class GroupOf>
void densify(std::vector<Cpu>& cpus, LevelId Cpu::*level, GroupOf group) {
    std::map<std::pair<bool, std::int32_t>, std::int32_t> seen; // (given, id or group) -> dense id
    for (std::size_t c = 0; c < cpus.size(); ++c) {
        const LevelId given = cpus[c].*level;
        const std::pair<bool, std::int32_t> key{given.valid(), given.valid() ? given.value : group(c)};
        cpus[c].*level = LevelId{seen.try_emplace(key, static_cast<std::int32_t>(seen.size())).first->second};
    }
}

template <class LevelId>
std::vector<CpuSet> spans(const std::vector<Cpu>& cpus, LevelId Cpu::*level, std::size_t at_least = 0) {
    std::vector<CpuSet> out(at_least, CpuSet(cpus.size()));
    for (std::size_t c = 0; c < cpus.size(); ++c) {
        const std::size_t i = (cpus[c].*level).index();
        if (i >= out.size()) out.resize(i + 1, CpuSet(cpus.size()));
        out[i].add(CpuId{c});
    }
    return out;
}

/// Every CPU of an inner group has the same outer id; else the number of the first that has not, or -1.
template <class InnerId, class OuterId>
int first_split(const std::vector<Cpu>& cpus, InnerId Cpu::*inner, OuterId Cpu::*outer) {
    std::vector<OuterId> of_group(cpus.size());
    for (const Cpu& cpu : cpus) {
        OuterId& first = of_group[(cpu.*inner).index()];
        if (!first) first = cpu.*outer;
        if (first != cpu.*outer) return cpu.number;
    }
    return -1;
}

/// Nodes that the source did not list: one per node id the CPUs name, numbered by it.
void make_nodes(Machine& m) {
    std::vector<int> numbers;
    for (const Cpu& cpu : m.cpus) numbers.push_back(cpu.node ? cpu.node.value : 0);
    std::vector<int> distinct = numbers;
    std::sort(distinct.begin(), distinct.end());
    distinct.erase(std::unique(distinct.begin(), distinct.end()), distinct.end());
    for (int number : distinct) m.nodes.push_back(Node{number, 0});
    for (std::size_t c = 0; c < m.cpus.size(); ++c) {
        const auto at = std::lower_bound(distinct.begin(), distinct.end(), numbers[c]);
        m.cpus[c].node = NodeId{static_cast<std::size_t>(at - distinct.begin())};
    }
}

void make_levels(Machine& m) {
    auto& cpus = m.cpus;
    densify(cpus, &Cpu::core, [](std::size_t c) { return static_cast<std::int32_t>(c); });
    densify(cpus, &Cpu::package, [](std::size_t) { return 0; });
    densify(cpus, &Cpu::die, [&](std::size_t c) { return cpus[c].package.value; });
    densify(cpus, &Cpu::llc, [&](std::size_t c) { return cpus[c].die.value; });
    densify(cpus, &Cpu::cluster, [&](std::size_t c) { return cpus[c].core.value; });
}

/// A cluster level that nowhere differs from core and LLC is no level: each core becomes its own cluster.
void fold_clusters(Machine& m) {
    const std::vector<CpuSet> clusters = spans(m.cpus, &Cpu::cluster);
    m.has_clusters = std::any_of(m.cpus.begin(), m.cpus.end(), [&](const Cpu& cpu) {
        const CpuSet& span = clusters[cpu.cluster.index()];
        return span != m.core_span[cpu.core.index()] && span != m.llc_span[cpu.llc.index()];
    });
    if (!m.has_clusters)
        for (Cpu& cpu : m.cpus) cpu.cluster = ClusterId{cpu.core.value};
}

std::optional<Error> nesting_error(const Machine& m) {
    const auto split = [](int cpu, std::string_view inner, std::string_view outer) {
        return fault("E-NESTING", fmt::format("CPU {} shares its {} with a CPU of another {}; a {} lies within one {}",
                                              cpu, inner, outer, inner, outer));
    };
    if (int c = first_split(m.cpus, &Cpu::core, &Cpu::cluster); c >= 0) return split(c, "core", "cluster");
    if (int c = first_split(m.cpus, &Cpu::core, &Cpu::llc); c >= 0) return split(c, "core", "LLC");
    if (int c = first_split(m.cpus, &Cpu::core, &Cpu::package); c >= 0) return split(c, "core", "package");
    if (int c = first_split(m.cpus, &Cpu::core, &Cpu::node); c >= 0) return split(c, "core", "node");
    if (int c = first_split(m.cpus, &Cpu::cluster, &Cpu::llc); c >= 0) return split(c, "cluster", "LLC");
    return std::nullopt;
}

} // namespace

CpuId Machine::by_number(int number) const {
    const auto at = std::lower_bound(cpus.begin(), cpus.end(), number,
                                     [](const Cpu& cpu, int n) { return cpu.number < n; });
    if (at == cpus.end() || at->number != number) return CpuId::none();
    return CpuId{static_cast<std::size_t>(at - cpus.begin())};
}

int Machine::distance(NodeId a, NodeId b) const {
    if (distances.empty()) return a == b ? 10 : 20;
    return distances[a.index()][b.index()];
}

bool Machine::has_smt() const {
    return std::any_of(core_span.begin(), core_span.end(), [](const CpuSet& core) { return core.size() > 1; });
}

CpuSet Machine::online() const {
    CpuSet set(cpus.size());
    for (std::size_t c = 0; c < cpus.size(); ++c)
        if (cpus[c].online) set.add(CpuId{c});
    return set;
}

Result<Machine> build_machine(const MachineCounts& n) {
    std::int64_t total = 1;
    std::int64_t all_nodes = 1;
    for (const auto& [name, value] : std::initializer_list<std::pair<const char*, int>>{
             {"packages", n.packages}, {"nodes", n.nodes}, {"llcs", n.llcs},
             {"clusters", n.clusters}, {"cores", n.cores}, {"threads", n.threads}}) {
        if (value < 1) return fault("E-RANGE", fmt::format("{} is {}, but at least 1 is needed", name, value));
        total *= value;
        if (total > static_cast<std::int64_t>(max_cpus))
            return fault("E-LIMIT", fmt::format("the machine would have more than {} CPUs", max_cpus));
    }
    all_nodes = std::int64_t{n.packages} * n.nodes;
    if (all_nodes > static_cast<std::int64_t>(max_nodes))
        return fault("E-LIMIT", fmt::format("the machine would have {} nodes, at most {} are possible", all_nodes, max_nodes));
    const int cores = static_cast<int>(total) / n.threads;
    const int clusters = cores / n.cores;
    if (!n.cluster_capacity.empty() && n.cluster_capacity.size() != static_cast<std::size_t>(clusters))
        return fault("E-RANGE", fmt::format("{} capacities for {} clusters", n.cluster_capacity.size(), clusters));

    Machine m;
    m.cpus.resize(static_cast<std::size_t>(total));
    for (int core = 0; core < cores; ++core) {
        const int cluster = core / n.cores;
        const int llc = cluster / n.clusters;
        const int node = llc / n.llcs;
        for (int thread = 0; thread < n.threads; ++thread) {
            const int number = n.threads_last ? thread * cores + core : core * n.threads + thread;
            Cpu& cpu = m.cpus[static_cast<std::size_t>(number)];
            cpu.number = number;
            cpu.core = CoreId{core};
            cpu.cluster = ClusterId{cluster};
            cpu.llc = LlcId{llc};
            cpu.node = NodeId{node};
            cpu.package = PackageId{node / n.nodes};
            if (!n.cluster_capacity.empty()) cpu.capacity = n.cluster_capacity[static_cast<std::size_t>(cluster)];
        }
    }
    return finish(std::move(m));
}

Result<Machine> finish(Machine m) {
    if (m.cpus.size() > max_cpus)
        return fault("E-LIMIT", fmt::format("{} CPUs, at most {} are possible", m.cpus.size(), max_cpus));
    if (std::none_of(m.cpus.begin(), m.cpus.end(), [](const Cpu& cpu) { return cpu.online; }))
        return fault("E-NOCPU", m.cpus.empty() ? "the machine has no CPU; one at least is needed"
                                               : "every CPU is offline; one at least must be online");
    PICKNEXT_ASSERT(std::adjacent_find(m.cpus.begin(), m.cpus.end(),
                                       [](const Cpu& a, const Cpu& b) { return a.number >= b.number; }) == m.cpus.end(),
                    "CPUs not ascending by number");
    if (m.nodes.empty()) make_nodes(m);
    if (m.nodes.size() > max_nodes)
        return fault("E-LIMIT", fmt::format("{} nodes, at most {} are possible", m.nodes.size(), max_nodes));
    for (Cpu& cpu : m.cpus)
        if (!cpu.node) cpu.node = NodeId{0};
    make_levels(m);
    if (std::optional<Error> e = nesting_error(m)) return *e;
    m.core_span = spans(m.cpus, &Cpu::core);
    m.llc_span = spans(m.cpus, &Cpu::llc);
    fold_clusters(m);
    m.cluster_span = spans(m.cpus, &Cpu::cluster);
    m.package_span = spans(m.cpus, &Cpu::package);
    m.node_span = spans(m.cpus, &Cpu::node, m.nodes.size());
    return m;
}

std::string summary(const Machine& m) {
    const auto counted = [](std::size_t n, std::string_view one, std::string_view many) {
        return fmt::format("{} {}", n, n == 1 ? one : many);
    };
    const CpuSet online = m.online();
    const auto in_use = [&](const std::vector<CpuSet>& spans) { // levels with a CPU that is online
        return static_cast<std::size_t>(std::count_if(spans.begin(), spans.end(), [&](const CpuSet& span) {
            bool any = false;
            for_each_cpu(span, [&](CpuId c) { any = any || online.has(c); });
            return any;
        }));
    };
    std::string out = counted(m.nodes.size(), "node", "nodes") + " · " + counted(in_use(m.llc_span), "LLC", "LLC");
    if (m.has_clusters) out += " · " + counted(in_use(m.cluster_span), "cluster", "clusters");
    out += " · " + counted(in_use(m.core_span), "core", "cores");
    int threads = 1;
    for (const CpuSet& core : m.core_span) threads = std::max(threads, core.size());
    if (threads > 1) out += fmt::format(" · SMT{}", threads);
    return out;
}

std::string cpu_list(const Machine& m, CpuSetView set) {
    std::string out;
    int first = -1;
    int last = -1;
    const auto flush = [&] {
        if (first < 0) return;
        if (!out.empty()) out += ',';
        out += first == last ? fmt::format("{}", first) : fmt::format("{}-{}", first, last);
    };
    for_each_cpu(set, [&](CpuId c) {
        const int number = m.cpu(c).number;
        if (first >= 0 && number == last + 1) {
            last = number;
            return;
        }
        flush();
        first = last = number;
    });
    flush();
    return out;
}

} // namespace picknext
