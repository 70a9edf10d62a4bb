// SPDX-License-Identifier: GPL-3.0-or-later
// Vectors of domain construction: every field of every domain and group of every CPU.
#include <fmt/format.h>

#include "app/vectors/multi.hpp"

namespace picknext::vectors {
namespace {

std::string flag_names(std::uint32_t flags) {
    std::string out;
    for (const sd::FlagInfo& f : sd::flag_table())
        if ((flags & f.flag) != 0) out += (out.empty() ? "" : "|") + std::string(f.name);
    return out;
}

std::string_view type_name(NumaType type) {
    switch (type) {
    case NumaType::direct: return "DIRECT";
    case NumaType::glueless_mesh: return "GLUELESS_MESH";
    case NumaType::backplane: return "BACKPLANE";
    }
    return "";
}

Json describe(const Domains& all, const Domain& d, Kernel kernel) {
    Json out{{"name", name_of(d.level, kernel)}, {"span", write_cpus(d.span)}, {"flags", flag_names(d.flags)}, {"pct", d.imbalance_pct},
             {"nice", d.cache_nice_tries}, {"imb_numa_nr", d.imb_numa_nr}, {"min_interval", d.min_interval}, {"max_interval", d.max_interval}};
    for (std::size_t k = 0; k < all.group_count(d); ++k) {
        const SchedGroup& g = all.group_at(d, k);
        int capacity = 0;
        for_each_cpu(g.span, [&](CpuId c) { capacity += all.capacity[c.index()]; });
        out["groups"].push_back({write_cpus(g.span), g.balance_cpu.value, capacity, flag_names(g.flags),
                                 kernel == Kernel::cfs_6_1 ? Json() : Json(g.cores), write_cpus(g.balance_mask)});
    }
    return out;
}

/// The level `index` of the file as CPU sees it whose own group is at `first`.
Json expected_domain(const Json& c, std::size_t index, std::size_t first) {
    Json out = c.at("levels").at(index);
    const Json& sets = c.at("flagsets");
    out["flags"] = sets.at(out.at("flags").get<std::size_t>());
    Json groups = Json::array();
    for (std::size_t k = 0; k < out["groups"].size(); ++k) {
        Json g = out["groups"].at((first + k) % out["groups"].size());
        g[3] = sets.at(g[3].get<std::size_t>());
        if (g[5] == 0) g[5] = g[0];
        groups.push_back(g);
    }
    out["groups"] = groups;
    return out;
}

} // namespace

void check_domains(const Json& file, Tally& tally) {
    const Kernel kernel = kernel_of(file);
    const bool named_clusters = kernel >= Kernel::eevdf_6_8;
    for (const Json& c : file.at("cases")) {
        const Machine machine = read_topology(c.at("topology"));
        const Domains all = build_domains(machine, CpuSet::all(machine.cpu_count()), kernel);
        compare(tally, machine.name, "machine", {c.at("smt_present"), c.at("cluster_active"), c.at("numa_type")},
                    {all.smt_present ? 1 : 0, named_clusters ? Json(all.cluster_active ? 1 : 0) : Json(), type_name(all.numa_type)});
        for (std::size_t cpu = 0; cpu < machine.cpu_count(); ++cpu) {
            const CpuDomains& own = all.cpus[cpu];
            const Json& row = c.at("cpus").at(cpu);
            Json expected{row.at(0), row.at(1), row.at(2)};
            Json got{own.llc_id.value, own.llc_size, named_clusters ? Json(own.share_id.value) : Json()};
            for (const Json& level : row.at(3)) expected.push_back(expected_domain(c, level.at(0), level.at(1)));
            for (DomainId d = own.base; d; d = all.domain(d).parent) got.push_back(describe(all, all.domain(d), kernel));
            compare(tally, fmt::format("{} CPU {}", machine.name, cpu), "domains", expected, got);
        }
    }
}

} // namespace picknext::vectors
