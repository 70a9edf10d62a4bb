// SPDX-License-Identifier: GPL-3.0-or-later
// topology/1.
#include <algorithm>
#include <map>

#include "core/io/extra_keys.hpp"
#include "core/io/native.hpp"
#include "core/io/native_keys.hpp"
#include "core/io/topology_checks.hpp"

namespace picknext::io {
namespace {

constexpr int max_level_id = 1'000'000'000; // firmware ids are any numbers; finish() makes them dense
constexpr std::array<std::string_view, 2> numberings{"threads-last", "threads-first"};

int count_of(const JsonNode& build, std::string_view key) {
    const std::optional<JsonNode> n = build.find(key);
    return n ? n->small(1, static_cast<int>(max_cpus)) : 1;
}

Machine built(const JsonNode& build) {
    build.keys(keys::build);
    MachineCounts counts;
    counts.packages = count_of(build, "packages");
    counts.nodes = count_of(build, "nodes");
    counts.llcs = count_of(build, "llcs");
    counts.clusters = count_of(build, "clusters");
    counts.cores = count_of(build, "cores");
    counts.threads = count_of(build, "threads");
    if (const auto n = build.find("numbering")) counts.threads_last = n->word(numberings) == 0;
    if (const auto n = build.find("capacity"))
        for (const JsonNode& item : n->items()) counts.cluster_capacity.push_back(item.small(1, full_capacity));
    if (build.reading().failed()) return {};
    Result<Machine> machine = build_machine(counts);
    if (!machine) {
        build.fail(machine.error().code, machine.error().message);
        return {};
    }
    return std::move(machine).value();
}

template <class LevelId>
void read_level(const JsonNode& cpu, std::string_view key, LevelId& id) {
    if (const auto n = cpu.find(key)) id = LevelId{n->small(0, max_level_id)};
}

std::vector<Cpu> listed_cpus(const JsonNode& list) {
    std::vector<Cpu> out;
    if (!list.expect_array()) return out;
    if (list.value().items.size() > max_cpus) {
        list.fail("E-LIMIT", fmt::format("{} CPUs, at most {} are possible", list.value().items.size(), max_cpus));
        return out;
    }
    std::map<int, std::size_t> seen;
    for (const JsonNode& item : list.items()) {
        if (!item.keys(keys::cpu)) return out;
        Cpu cpu;
        cpu.number = item.required("id").small(0, max_cpu_number);
        read_level(item, "core", cpu.core);
        read_level(item, "cluster", cpu.cluster);
        read_level(item, "llc", cpu.llc);
        read_level(item, "die", cpu.die);
        read_level(item, "package", cpu.package);
        read_level(item, "node", cpu.node);
        if (const auto n = item.find("capacity")) cpu.capacity = n->small(1, full_capacity);
        if (const auto n = item.find("kind")) cpu.kind = n->small(0, 255);
        if (const auto n = item.find("online")) cpu.online = n->boolean();
        if (const auto n = item.find("priority")) cpu.priority = n->small(-1'000'000, 1'000'000);
        if (!seen.emplace(cpu.number, out.size()).second) item.fail("E-DUPLICATE", fmt::format("two CPUs have the id {}", cpu.number));
        out.push_back(cpu);
    }
    std::sort(out.begin(), out.end(), [](const Cpu& a, const Cpu& b) { return a.number < b.number; });
    return out;
}

/// Nodes by their list; CPUs belong to a node by its cpulist or by their own "node" key, which must agree.
void read_nodes(const JsonNode& list, Machine& m, bool from_build) {
    std::map<int, std::size_t> by_number;
    const std::vector<JsonNode> items = list.items();
    if (items.size() > max_nodes) return list.fail("E-LIMIT", fmt::format("{} nodes, at most {} are possible", items.size(), max_nodes));
    std::vector<NodeId> claimed(m.cpus.size());
    std::vector<picknext::Node> nodes;
    for (const JsonNode& item : items) {
        if (!item.keys(keys::node)) return;
        const int number = item.required("id").small(0, max_level_id);
        if (!by_number.emplace(number, nodes.size()).second) item.fail("E-DUPLICATE", fmt::format("two nodes have the id {}", number));
        if (const auto cpus = item.find("cpus")) {
            for (const int cpu : cpus->cpulist()) {
                const CpuId c = m.by_number(cpu);
                if (!c) cpus->fail("E-CPU", fmt::format("this machine has no CPU {}", cpu));
                else if (claimed[c.index()]) cpus->fail("E-DUPLICATE", fmt::format("CPU {} is in node {} already", cpu, nodes[claimed[c.index()].index()].number));
                else claimed[c.index()] = NodeId{nodes.size()};
                if (list.reading().failed()) return;
            }
        }
        picknext::Node node{number, 0};
        if (const auto memory = item.find("memory")) node.memory = memory->u64();
        nodes.push_back(node);
    }
    for (std::size_t c = 0; c < m.cpus.size() && !list.reading().failed(); ++c) {
        Cpu& cpu = m.cpus[c];
        const int number = from_build ? m.nodes[cpu.node.index()].number : cpu.node.value;
        const auto own = by_number.find(number);
        if (claimed[c] && (!cpu.node || from_build || (own != by_number.end() && NodeId{own->second} == claimed[c]))) cpu.node = claimed[c];
        else if (claimed[c]) list.fail("E-NODE", fmt::format("CPU {} names node {}, but the list of node {} holds it", cpu.number, number, nodes[claimed[c].index()].number));
        else if (own != by_number.end()) cpu.node = NodeId{own->second};
        else if (cpu.node) list.fail("E-NODE", fmt::format("CPU {} is in node {}, which is not listed", cpu.number, number));
        else list.fail("E-NODE", fmt::format("CPU {} is in none of the listed nodes", cpu.number));
    }
    m.nodes = std::move(nodes);
}

void read_distances(const JsonNode& list, Machine& m) {
    const std::vector<JsonNode> rows = list.items();
    if (rows.size() != m.nodes.size())
        return list.fail("E-DISTANCE", fmt::format("{} rows of distances for {} nodes", rows.size(), m.nodes.size()));
    for (std::size_t a = 0; a < rows.size(); ++a) {
        const std::vector<JsonNode> cells = rows[a].items();
        if (cells.size() != rows.size()) return rows[a].fail("E-DISTANCE", fmt::format("{} distances in a row for {} nodes", cells.size(), rows.size()));
        std::vector<int> row;
        for (const JsonNode& cell : cells) row.push_back(cell.small(10, 255));
        if (row[a] != 10) cells[a].fail("E-DISTANCE", fmt::format("the distance of a node to itself is 10, not {}", row[a]));
        m.distances.push_back(std::move(row));
    }
}

void read_caches(const JsonNode& list, Machine& m) {
    for (const JsonNode& item : list.items()) {
        if (!item.keys(keys::cache)) return;
        Cache cache;
        cache.level = item.required("level").small(1, 5);
        if (const auto n = item.find("type")) cache.type = n->text();
        if (const auto n = item.find("size")) cache.size = n->u64();
        const JsonNode cpus = item.required("cpus");
        std::vector<int> missing;
        cache.cpus = cpus_numbered(m, cpus.cpulist(), missing);
        if (!missing.empty()) cpus.fail("E-CPU", fmt::format("this machine has no CPU {}", missing.front()));
        m.caches.push_back(std::move(cache));
    }
}

JsonValue list_of_cpus(const Machine& m) {
    JsonValue list = JsonValue::array();
    for (const Cpu& cpu : m.cpus) {
        JsonValue v = JsonValue::object();
        v.add("id", JsonValue::of(cpu.number)).add("core", JsonValue::of(cpu.core.value));
        if (m.has_clusters) v.add("cluster", JsonValue::of(cpu.cluster.value));
        v.add("llc", JsonValue::of(cpu.llc.value));
        if (cpu.die.value != cpu.package.value) v.add("die", JsonValue::of(cpu.die.value));
        v.add("package", JsonValue::of(cpu.package.value));
        v.add("node", JsonValue::of(m.nodes[cpu.node.index()].number));
        if (cpu.capacity != full_capacity) v.add("capacity", JsonValue::of(cpu.capacity));
        if (cpu.kind != 0) v.add("kind", JsonValue::of(cpu.kind));
        if (!cpu.online) v.add("online", JsonValue::of(false));
        if (cpu.priority != 0) v.add("priority", JsonValue::of(cpu.priority));
        list.items.push_back(std::move(v));
    }
    return list;
}

} // namespace

Machine topology_of(const JsonNode& root, bool inside) {
    Machine m;
    if (!check_envelope(root, "topology", inside) || !root.keys(keys::topology)) return m;
    const auto build = root.find("build");
    const auto cpus = root.find("cpus");
    if (build && cpus) root.fail("E-BOTH", "\"build\" and \"cpus\" both describe the CPUs; give one of them");
    else if (build) m = built(*build);
    else if (cpus) m.cpus = listed_cpus(*cpus);
    else root.fail("E-MISSING", "neither \"build\" nor \"cpus\" is given; a machine needs one of them");
    if (root.reading().failed()) return {};

    if (const auto n = root.find("name")) m.name = n->text();
    if (const auto n = root.find("description")) m.description = n->text();
    if (const auto n = root.find("nodes")) read_nodes(*n, m, build.has_value());
    if (const auto n = root.find("source"); n && n->keys(keys::source)) n->note("N-SOURCE", "the source is not kept");
    if (root.reading().failed()) return {};
    Result<Machine> done = finish(std::move(m));
    if (!done) {
        (cpus ? *cpus : root).fail(done.error().code, done.error().message);
        return {};
    }
    m = std::move(done).value();
    if (const auto n = root.find("distances")) read_distances(*n, m);
    if (const auto n = root.find("caches")) read_caches(*n, m);
    m.extras = extra_keys(root.value());
    if (!root.reading().failed())
        for (const auto& [code, sentence] : oddities(m)) root.warn(code, sentence);
    return m;
}

JsonValue tree_of(const Machine& m) {
    JsonValue v = JsonValue::object();
    v.add("format", JsonValue::of("picknext-topology/1"));
    if (!m.name.empty()) v.add("name", JsonValue::of(std::string_view{m.name}));
    if (!m.description.empty()) v.add("description", JsonValue::of(std::string_view{m.description}));
    v.add("cpus", list_of_cpus(m));
    JsonValue nodes = JsonValue::array();
    for (std::size_t i = 0; i < m.nodes.size(); ++i) {
        JsonValue node = JsonValue::object();
        node.add("id", JsonValue::of(m.nodes[i].number)).add("cpus", JsonValue::of(std::string_view{cpu_list(m, m.node_span[i])}));
        if (m.nodes[i].memory != 0) node.add("memory", JsonValue::of(m.nodes[i].memory));
        nodes.items.push_back(std::move(node));
    }
    v.add("nodes", std::move(nodes));
    if (!m.distances.empty()) {
        JsonValue rows = JsonValue::array();
        for (const std::vector<int>& distances : m.distances) {
            JsonValue row = JsonValue::array();
            for (const int d : distances) row.items.push_back(JsonValue::of(d));
            rows.items.push_back(std::move(row));
        }
        v.add("distances", std::move(rows));
    }
    if (!m.caches.empty()) {
        JsonValue caches = JsonValue::array();
        for (const Cache& cache : m.caches) {
            JsonValue c = JsonValue::object();
            c.add("level", JsonValue::of(cache.level));
            if (!cache.type.empty()) c.add("type", JsonValue::of(std::string_view{cache.type}));
            if (cache.size != 0) c.add("size", JsonValue::of(cache.size));
            c.add("cpus", JsonValue::of(std::string_view{cpu_list(m, cache.cpus)}));
            caches.items.push_back(std::move(c));
        }
        v.add("caches", std::move(caches));
    }
    put_back(v, m.extras);
    return v;
}

} // namespace picknext::io
