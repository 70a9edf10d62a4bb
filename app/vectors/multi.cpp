// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/vectors/multi.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "core/base/assert.hpp"

namespace picknext::vectors {

void Outcome::compare(std::string_view where, const Json& expected, const Json& got) {
    ++checked;
    if (expected == got) return;
    if (wrong++ == 0) first = fmt::format("{}: expected {}, got {}", where, expected.dump(), got.dump());
}

Table::Table(const Json& fields) {
    for (const Json& f : fields) m_names.push_back(f.get<std::string>());
}

bool Table::has(std::string_view name) const { return std::find(m_names.begin(), m_names.end(), name) != m_names.end(); }

const Json& Table::in(const Json& row, std::string_view name) const {
    const auto at = std::find(m_names.begin(), m_names.end(), name);
    PICKNEXT_ASSERT(at != m_names.end(), "no column {}", name);
    return row.at(static_cast<std::size_t>(at - m_names.begin()));
}

void Table::compare(Outcome& out, std::size_t row_number, const Json& row, const Json& got) const {
    Json expected = Json::object();
    for (std::size_t i = 0; i < m_names.size(); ++i)
        if (m_names[i].starts_with("->")) expected[m_names[i]] = row.at(i);
    if (expected == got) {
        ++out.checked;
        return;
    }
    std::string where = fmt::format("row {}", row_number);
    for (const auto& [name, value] : expected.items())
        if (!got.contains(name) || got[name] != value) where += ' ' + name;
    out.compare(where, expected, got);
}

CpuSet read_cpus(std::string_view text, std::size_t cpus, bool empty_is_all) {
    if (text.empty() && empty_is_all) return CpuSet::all(cpus);
    CpuSet set(cpus);
    std::size_t at = 0;
    const auto number = [&] {
        std::size_t n = 0;
        while (at < text.size() && text[at] >= '0' && text[at] <= '9') n = n * 10 + static_cast<std::size_t>(text[at++] - '0');
        return n;
    };
    while (at < text.size()) {
        const std::size_t from = number();
        std::size_t to = from;
        if (at < text.size() && text[at] == '-') {
            ++at;
            to = number();
        }
        for (std::size_t c = from; c <= to; ++c) set.add(CpuId{c});
        if (at < text.size()) ++at; // the comma
    }
    return set;
}

std::string write_cpus(CpuSetView set) {
    std::string out;
    for (CpuId from = first_cpu(set); from;) {
        CpuId to = from;
        while (contains(set, CpuId{to.index() + 1})) to = CpuId{to.index() + 1};
        if (!out.empty()) out += ',';
        out += from == to ? fmt::format("{}", from.value) : fmt::format("{}-{}", from.value, to.value);
        from = next_cpu(set, to.index() + 1);
    }
    return out;
}

Machine read_topology(const Json& t) {
    Machine m;
    m.name = t.value("name", "");
    const auto n = t.at("n").get<std::size_t>();
    const auto number = [&](const char* key, const char* fallback, std::size_t c) {
        if (t.contains(key)) return t[key].at(c).get<std::int32_t>();
        return *fallback == '\0' ? 0 : t.at(fallback).at(c).get<std::int32_t>();
    };
    std::int32_t nodes = 1;
    for (std::size_t c = 0; c < n; ++c) {
        Cpu cpu;
        cpu.number = static_cast<int>(c);
        cpu.core = CoreId{number("core", "", c)};
        cpu.cluster = ClusterId{number("cluster", "core", c)};
        cpu.llc = LlcId{number("llc", "", c)};
        cpu.node = NodeId{number("node", "", c)};
        cpu.die = DieId{cpu.node.value};
        cpu.package = PackageId{cpu.node.value};
        if (t.contains("cap")) cpu.capacity = t["cap"].at(c).get<int>();
        nodes = std::max(nodes, cpu.node.value + 1);
        m.cpus.push_back(cpu);
    }
    m.nodes.resize(static_cast<std::size_t>(nodes));
    if (t.contains("dist")) m.distances = t["dist"].get<std::vector<std::vector<int>>>();
    return m;
}

Kernel kernel_of(const Json& file) {
    const auto text = file.at("doc").at("kernel").get<std::string>();
    const auto has = [&](const char* s) { return text.find(s) != std::string::npos; };
    if (has("6.12.")) return Kernel::eevdf_6_12y;
    if (has("6.1.")) return Kernel::cfs_6_1;
    if (has("5.10.")) return Kernel::cfs_5_10;
    return Kernel::cfs_5_12;
}

namespace {
constexpr std::array formats{
    MultiFormat{"domains", [](const Json& f) { return f.at("cases").at(0).is_object() && f["cases"][0].contains("flagsets"); }, check_domains},
};
} // namespace

std::span<const MultiFormat> multi_formats() { return formats; }

} // namespace picknext::vectors
