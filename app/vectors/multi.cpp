// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/vectors/multi.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "app/vectors/value.hpp"
#include "core/base/assert.hpp"

namespace picknext::vectors {

void compare(Tally& tally, const std::string& where, const std::string& field, const Json& expected, const Json& got) {
    Comparison c;
    if (expected != got) c.expect(expected.dump(), got.dump(), [&] { return field; });
    tally.add(c, [&] { return where; });
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

void Table::compare(Tally& tally, std::size_t row_number, const Json& row, const Json& got) const {
    Json expected = Json::object();
    for (std::size_t i = 0; i < m_names.size(); ++i)
        if (m_names[i].starts_with("->")) expected[m_names[i]] = row.at(i);
    std::string field;
    for (const auto& [name, value] : expected.items())
        if (!got.contains(name) || got[name] != value) field += (field.empty() ? "" : " ") + name;
    vectors::compare(tally, fmt::format("row {}", row_number), field, expected, got);
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
/// Does the table called `list` of the file have this column?
bool column(const Json& f, const char* list, const char* name) {
    if (!f.contains(list)) return false;
    for (const Json& c : f[list])
        if (c == name) return true;
    return false;
}

bool section_is(const Json& f, std::string_view name) { return f["doc"].value("readme", "").ends_with(name); }

constexpr std::array formats{
    MultiFormat{"domains", [](const Json& f) { return section_is(f, "domains"); }, check_domains},
    MultiFormat{"select_idle", [](const Json& f) { return column(f, "fields", "->idle_checks"); }, check_select_idle},
    MultiFormat{"select_idle_state", [](const Json& f) { return column(f, "fields", "cpu going idle"); }, check_select_idle_state},
    MultiFormat{"wake_affine", [](const Json& f) { return column(f, "fields", "->wake_affine"); }, check_wake_affine},
    MultiFormat{"wake_affine_wide", [](const Json& f) { return f.contains("record_wakee"); }, check_wake_wide},
    MultiFormat{"select_idle_wakeup", [](const Json& f) { return column(f, "fields", "wake_flags"); }, check_wakeup},
    MultiFormat{"select_idle_slow", [](const Json& f) { return column(f, "fields", "task_last_update_nonzero"); }, check_slow_path},
    MultiFormat{"imbalance", [](const Json& f) { return f.contains("group_fields"); }, check_imbalance},
    MultiFormat{"imbalance_lb", [](const Json& f) { return column(f, "fields", "->continue_balancing"); }, check_balance_pass},
    MultiFormat{"nohz_kick", [](const Json& f) { return column(f, "fields", "rq_idle_balance"); }, check_nohz_kick},
    MultiFormat{"nohz_kick_seq", [](const Json& f) { return f.contains("event_fields"); }, check_nohz_sequences},
    MultiFormat{"idle_mask_seq", [](const Json& f) { return f.contains("sequences") && f["doc"].contains("events"); }, check_idle_mask},
};
} // namespace

std::span<const MultiFormat> multi_formats() { return formats; }

std::optional<Tally> check_multi(const std::string& text) {
    try {
        const Json file = Json::parse(text);
        if (!file.is_object() || !file.contains("doc") || !file["doc"].is_object()) return std::nullopt;
        const auto format = std::find_if(formats.begin(), formats.end(), [&](const MultiFormat& f) { return f.recognises(file); });
        if (format == formats.end()) return std::nullopt;
        Tally tally;
        format->check(file, tally);
        return tally;
    } catch (const Json::exception& e) {
        throw Malformed(e.what());
    }
}

} // namespace picknext::vectors
