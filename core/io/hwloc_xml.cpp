// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/io/hwloc_xml.hpp"

#include <algorithm>
#include <charconv>
#include <map>
#include <optional>

#include <fmt/ranges.h>
#include <pugixml.hpp>

#include "core/io/cpu_mask.hpp"
#include "core/io/topology_checks.hpp"

namespace picknext::io {
namespace {

constexpr int deepest = 64;               // levels of objects
constexpr std::string_view linux_cluster_kind = "222"; // of a Group, hwloc 2

/// A NUMA node and the CPUs it claims.
struct NumaNode {
    int number = 0;
    std::string gp_index;
    std::uint64_t memory = 0;
    MaskBits cpus;
};
struct CacheObject {
    int level = 0;
    std::string type;
    std::uint64_t size = 0;
    MaskBits cpus;
};
/// The levels an object lies in.
struct Levels {
    CoreId core;
    ClusterId cluster;
    LlcId llc;
    DieId die;
    PackageId package;
};

class HwlocReader {
  public:
    HwlocReader(const Source& source, Report& report) : m_source(source), m_report(report) {}

    Result<Machine> read() {
        pugi::xml_document document;
        const std::string_view text = m_source.text();
        const pugi::xml_parse_result parsed = document.load_buffer(text.data(), text.size(), pugi::parse_default, pugi::encoding_utf8);
        if (!parsed) return Error{"E-SYNTAX", m_source.place(static_cast<std::size_t>(parsed.offset)), fmt::format("this is no well-formed XML: {}", parsed.description())};
        const pugi::xml_node topology = document.child("topology");
        if (!topology) return Error{"E-FORMAT", m_source.place(0), "this XML is no hwloc topology: the element <topology> is missing"};
        version(topology);
        const pugi::xml_node machine = topology.child("object");
        if (!m_error) root(machine, topology);
        if (!m_error && m_machine.cpus.empty()) fail(topology, "E-NOCPU", "the topology has no object of type PU");
        if (m_error) return *m_error;
        kinds(topology);
        assemble();
        if (m_error) return *m_error;
        Result<Machine> done = picknext::finish(std::move(m_machine));
        if (!done) {
            Error e = done.error();
            e.place = m_source.place(offset(machine));
            return e;
        }
        m_machine = std::move(done).value();
        caches();
        distances(topology, machine);
        for (const auto& [code, sentence] : oddities(m_machine)) say(Severity::warning, topology, code, sentence);
        return std::move(m_machine);
    }

  private:
    // ---- messages
    static std::size_t offset(const pugi::xml_node& n) { return static_cast<std::size_t>(std::max<std::ptrdiff_t>(n.offset_debug(), 0)); }
    void fail(const pugi::xml_node& n, std::string code, std::string message) {
        if (!m_error) m_error = Error{std::move(code), m_source.place(offset(n)), std::move(message)};
    }
    void say(Severity severity, const pugi::xml_node& n, std::string code, std::string message) {
        m_report.push_back({severity, std::move(code), m_source.place(offset(n)), std::move(message), 1});
    }

    // ---- values
    int number(const pugi::xml_node& n, const char* name, int most) {
        const std::string_view text = n.attribute(name).value();
        int value = 0;
        const auto [end, problem] = std::from_chars(text.data(), text.data() + text.size(), value);
        if (problem == std::errc{} && end == text.data() + text.size() && value >= 0 && value <= most) return value;
        fail(n, "E-RANGE", text.empty() ? fmt::format("the attribute {} is missing here", name)
                                        : fmt::format("{}=\"{}\" is no number from 0 to {}", name, text, most));
        return 0;
    }
    static std::uint64_t bytes(const pugi::xml_node& n, const char* name) {
        const std::string_view text = n.attribute(name).value();
        std::uint64_t value = 0;
        const auto [end, problem] = std::from_chars(text.data(), text.data() + text.size(), value);
        return problem == std::errc{} && end == text.data() + text.size() ? value : 0; // for display only
    }
    MaskBits cpuset(const pugi::xml_node& n, const char* name) {
        const std::string_view text = n.attribute(name).value();
        if (std::optional<MaskBits> bits = parse_mask(text)) return *std::move(bits);
        fail(n, "E-CPUSET", text.empty() ? fmt::format("the attribute {} is missing here", name) : fmt::format("{}=\"{}\" is no set of CPUs", name, text.substr(0, 80)));
        return {};
    }

    void version(const pugi::xml_node& topology) {
        const std::string_view text = topology.attribute("version").value();
        m_version = text.empty() ? 1 : 0;
        std::from_chars(text.data(), text.data() + text.size(), m_version);
        if (m_version < 1 || m_version > 3) fail(topology, "E-VERSION", fmt::format("version \"{}\" of hwloc's XML is not known; 1, 2 and 3 are read", text));
    }

    // ---- the tree
    void root(const pugi::xml_node& machine, const pugi::xml_node& topology) {
        if (!machine) return fail(topology, "E-FORMAT", "the topology holds no object");
        const MaskBits whole = cpuset(machine, "cpuset");
        if (m_error) return;
        m_online = machine.attribute("online_cpuset") ? cpuset(machine, "online_cpuset") : whole;
        object(machine, Levels{}, 0);
        if (!m_error && machine.attribute("complete_cpuset")) offline(machine);
        if (!m_error && m_cores == 0) say(Severity::note, machine, "N-NO-CORES", "no cores are described; each CPU is taken as a core of its own");
        if (!m_error && m_llcs == 0) say(Severity::warning, machine, "W-NO-LLC", "no cache above level 1 is described; each package is taken as one LLC");
        if (!m_error && m_ignored_groups > 0) say(Severity::note, machine, "N-GROUP", fmt::format("{} groups without a meaning for the scheduler were ignored", m_ignored_groups));
    }

    void object(const pugi::xml_node& n, Levels in, int depth) {
        if (m_error) return;
        if (depth > deepest) return fail(n, "E-DEPTH", fmt::format("objects nested deeper than {} levels", deepest));
        const std::string_view type = n.attribute("type").value();
        if (type == "PU") return pu(n, in);
        if (type == "NUMANode" || type == "Node") numa(n, depth);
        else if (type == "Package" || type == "Socket") in.package = PackageId{m_packages++};
        else if (type == "Die") in.die = DieId{m_dies++};
        else if (type == "Core") in.core = CoreId{m_cores++};
        else if (type == "Group") group(n, in);
        else if (type != "MemCache" && type.ends_with("Cache")) cache(n, type, in);
        else if (type == "Bridge" || type == "PCIDev" || type == "OSDev") return;
        for (const pugi::xml_node& child : n.children("object")) object(child, in, depth + 1);
    }

    void pu(const pugi::xml_node& n, const Levels& in) {
        Cpu cpu;
        cpu.number = number(n, "os_index", max_cpu_number);
        if (m_machine.cpus.size() >= max_cpus) fail(n, "E-LIMIT", fmt::format("more than {} CPUs", max_cpus));
        cpu.core = in.core;
        cpu.cluster = in.cluster;
        cpu.llc = in.llc;
        cpu.die = in.die;
        cpu.package = in.package;
        cpu.online = m_online.has(cpu.number);
        m_machine.cpus.push_back(cpu);
    }

    void group(const pugi::xml_node& n, Levels& in) {
        const std::string_view subtype = n.attribute("subtype").value();
        const std::string_view kind = n.attribute("kind").value();
        if (subtype == "Cluster" || kind == "Cluster" || kind == linux_cluster_kind) in.cluster = ClusterId{m_clusters++};
        else ++m_ignored_groups;
    }

    /// The outermost cache above level 1 that holds data is the last-level one of what lies below.
    void cache(const pugi::xml_node& n, std::string_view type, Levels& in) {
        const std::string_view kind = n.attribute("cache_type").value();
        const bool instruction = kind == "2" || kind == "Instruction" || type.ends_with("iCache");
        CacheObject c;
        c.level = number(n, "depth", 9);
        c.type = instruction ? "Instruction" : kind == "1" || kind == "Data" ? "Data" : "Unified";
        c.size = bytes(n, "cache_size");
        c.cpus = cpuset(n, "cpuset");
        if (!instruction && c.level > 1 && !in.llc) in.llc = LlcId{m_llcs++};
        m_caches.push_back(std::move(c));
    }

    void numa(const pugi::xml_node& n, int depth) {
        NumaNode node;
        node.number = number(n, "os_index", 1'000'000);
        node.gp_index = n.attribute("gp_index").value();
        node.memory = bytes(n, "local_memory");
        node.cpus = cpuset(n, "cpuset");
        if (m_numa_depth < 0) m_numa_depth = depth;
        if (m_numa.size() >= max_nodes) fail(n, "E-LIMIT", fmt::format("more than {} nodes", max_nodes));
        if (std::any_of(m_numa.begin(), m_numa.end(), [&](const NumaNode& o) { return o.number == node.number; }))
            fail(n, "E-DUPLICATE", fmt::format("two nodes have the number {}", node.number));
        m_numa.push_back(std::move(node));
    }

    /// CPUs in complete_cpuset that no object stands for: offline or forbidden, their place unknown.
    void offline(const pugi::xml_node& machine) {
        std::vector<int> missing;
        for (const int cpu : cpuset(machine, "complete_cpuset").members())
            if (std::none_of(m_machine.cpus.begin(), m_machine.cpus.end(), [&](const Cpu& c) { return c.number == cpu; })) missing.push_back(cpu);
        if (missing.empty() || m_machine.cpus.empty()) return;
        if (m_machine.cpus.size() + missing.size() > max_cpus) return fail(machine, "E-LIMIT", fmt::format("more than {} CPUs", max_cpus));
        for (const int number : missing) {
            Cpu cpu = m_machine.cpus.front();
            cpu.number = number;
            cpu.core = CoreId::none();
            cpu.cluster = ClusterId::none();
            cpu.online = false;
            m_machine.cpus.push_back(cpu);
        }
        say(Severity::warning, machine, "W-OFFLINE",
            fmt::format("CPUs {} are offline or forbidden and their place is unknown; kept offline, each as a core beside CPU {}", fmt::join(missing, ","), m_machine.cpus.front().number));
    }

    // ---- what stands beside the tree
    void kinds(const pugi::xml_node& topology) {
        std::vector<std::pair<int, MaskBits>> found; // efficiency, CPUs
        for (const pugi::xml_node& n : topology.children("cpukind")) {
            if (!n.attribute("forced_efficiency")) continue;
            found.emplace_back(number(n, "forced_efficiency", INT32_MAX), cpuset(n, "cpuset"));
        }
        std::stable_sort(found.begin(), found.end(), [](const auto& a, const auto& b) { return a.first < b.first; });
        for (Cpu& cpu : m_machine.cpus)
            for (std::size_t k = 0; k < found.size() && k <= 255; ++k)
                if (found[k].second.has(cpu.number)) cpu.kind = static_cast<int>(k);
    }

    void assemble() {
        std::sort(m_machine.cpus.begin(), m_machine.cpus.end(), [](const Cpu& a, const Cpu& b) { return a.number < b.number; });
        const auto twin = std::adjacent_find(m_machine.cpus.begin(), m_machine.cpus.end(), [](const Cpu& a, const Cpu& b) { return a.number == b.number; });
        if (twin != m_machine.cpus.end()) {
            m_error = Error{"E-DUPLICATE", m_source.place(0), fmt::format("two objects of type PU have the number {}", twin->number)};
            return;
        }
        std::sort(m_numa.begin(), m_numa.end(), [](const NumaNode& a, const NumaNode& b) { return a.number < b.number; });
        for (const NumaNode& node : m_numa) m_machine.nodes.push_back(Node{node.number, node.memory});
        for (Cpu& cpu : m_machine.cpus)
            for (std::size_t i = 0; i < m_numa.size() && !cpu.node; ++i)
                if (m_numa[i].cpus.has(cpu.number)) cpu.node = NodeId{i};
    }

    void caches() {
        for (const CacheObject& c : m_caches) {
            Cache cache{c.level, c.type, c.size, CpuSet(m_machine.cpu_count())};
            for (std::size_t i = 0; i < m_machine.cpus.size(); ++i)
                if (c.cpus.has(m_machine.cpus[i].number)) cache.cpus.add(CpuId{i});
            if (!cache.cpus.empty()) m_machine.caches.push_back(std::move(cache));
        }
    }

    // ---- distances
    void distances(const pugi::xml_node& topology, const pugi::xml_node& machine) {
        if (m_numa.size() < 2) return;
        bool any = false;
        if (m_version == 1) {
            for (const pugi::xml_node& n : machine.children("distances")) any = any || matrix_of_v1(n);
            return;
        }
        for (const pugi::xml_node& n : topology.children("distances2")) {
            if (std::string_view{n.attribute("type").value()} != "NUMANode" || !means_latency(n.attribute("kind").value())) continue;
            any = any || matrix_of_v2(n);
        }
        if (!any && topology.child("distances2")) say(Severity::note, topology.child("distances2"), "N-DISTANCE", "no distances between nodes could be used; 10 and 20 are taken");
    }
    static bool means_latency(std::string_view kind) {
        unsigned bits = 0;
        const auto [end, problem] = std::from_chars(kind.data(), kind.data() + kind.size(), bits);
        if (problem == std::errc{} && end == kind.data() + kind.size()) return (bits & 4U) != 0;
        return kind.find("latency") != std::string_view::npos || kind.find("Latency") != std::string_view::npos || kind.find("LATENCY") != std::string_view::npos;
    }
    /// Takes the matrix if it is one of Linux's: 10 on the diagonal, 10 to 255 elsewhere.
    bool use(const std::vector<std::size_t>& order, const std::vector<std::int64_t>& values) {
        const std::size_t n = m_numa.size();
        if (order.size() != n || values.size() != n * n) return false;
        std::vector<std::vector<int>> out(n, std::vector<int>(n, 0));
        for (std::size_t a = 0; a < n; ++a)
            for (std::size_t b = 0; b < n; ++b) {
                const std::int64_t v = values[a * n + b];
                if (v < 10 || v > 255 || (a == b && v != 10)) return false;
                out[order[a]][order[b]] = static_cast<int>(v);
            }
        m_machine.distances = std::move(out);
        return true;
    }
    bool matrix_of_v2(const pugi::xml_node& n) {
        const bool by_os = std::string_view{n.attribute("indexing").value()} != "gp";
        std::vector<std::size_t> order;
        std::vector<std::int64_t> values;
        for (const pugi::xml_node& child : n.children("indexes"))
            for (const std::string& word : words(child.child_value())) {
                const auto at = std::find_if(m_numa.begin(), m_numa.end(), [&](const NumaNode& node) {
                    return by_os ? fmt::format("{}", node.number) == word : node.gp_index == word;
                });
                if (at == m_numa.end()) return false;
                order.push_back(static_cast<std::size_t>(at - m_numa.begin()));
            }
        for (const pugi::xml_node& child : n.children("u64values"))
            for (const std::string& word : words(child.child_value())) {
                std::int64_t v = 0;
                if (std::from_chars(word.data(), word.data() + word.size(), v).ec != std::errc{}) return false;
                values.push_back(v);
            }
        std::vector<std::size_t> distinct = order;
        std::sort(distinct.begin(), distinct.end());
        if (std::adjacent_find(distinct.begin(), distinct.end()) != distinct.end()) return false;
        return use(order, values);
    }
    /// Version 1: in order of the nodes, as multiples of a base, in decimals.
    bool matrix_of_v1(const pugi::xml_node& n) {
        if (number(n, "nbobjs", static_cast<int>(max_cpus)) != static_cast<int>(m_numa.size())) return false;
        if (number(n, "relative_depth", deepest) != m_numa_depth) return false;
        const std::optional<std::int64_t> base = millionths(n.attribute("latency_base").value());
        if (!base) return false;
        std::vector<std::size_t> order;
        for (std::size_t i = 0; i < m_numa.size(); ++i) order.push_back(i);
        std::vector<std::int64_t> values;
        for (const pugi::xml_node& latency : n.children("latency")) {
            const std::optional<std::int64_t> v = millionths(latency.attribute("value").value());
            if (!v) return false;
            values.push_back((*base / 1000) * (*v / 1000) / 1'000'000);
        }
        return use(order, values);
    }
    /// "1.5" as 1500000, up to a thousand.
    static std::optional<std::int64_t> millionths(std::string_view text) {
        std::int64_t whole = 0;
        const auto [end, problem] = std::from_chars(text.data(), text.data() + text.size(), whole);
        if (problem != std::errc{} || whole < 0 || whole > 1000) return std::nullopt;
        std::string fraction(end, static_cast<std::size_t>(text.data() + text.size() - end));
        if (fraction.empty()) return whole * 1'000'000;
        if (fraction.front() != '.' || fraction.find_first_not_of("0123456789", 1) != std::string::npos) return std::nullopt;
        fraction.erase(0, 1);
        fraction.resize(6, '0');
        std::int64_t part = 0;
        std::from_chars(fraction.data(), fraction.data() + fraction.size(), part);
        return whole * 1'000'000 + part;
    }
    static std::vector<std::string> words(std::string_view text) {
        std::vector<std::string> out;
        for (std::size_t at = text.find_first_not_of(" \t\r\n"); at != std::string_view::npos;) {
            const std::size_t end = std::min(text.find_first_of(" \t\r\n", at), text.size());
            out.emplace_back(text.substr(at, end - at));
            at = text.find_first_not_of(" \t\r\n", end);
        }
        return out;
    }

    const Source& m_source;
    Report& m_report;
    std::optional<Error> m_error;
    int m_version = 0;
    Machine m_machine;
    MaskBits m_online;
    std::vector<NumaNode> m_numa;
    std::vector<CacheObject> m_caches;
    int m_numa_depth = -1; // nesting of the nodes below the machine
    std::int32_t m_packages = 0, m_dies = 0, m_cores = 0, m_clusters = 0, m_llcs = 0;
    int m_ignored_groups = 0;
};

} // namespace

Result<Machine> read_hwloc(const Source& source, Report& report) {
    if (const Result<std::size_t> mark = check_encoding(source); !mark) return mark.error();
    return HwlocReader(source, report).read();
}

} // namespace picknext::io
