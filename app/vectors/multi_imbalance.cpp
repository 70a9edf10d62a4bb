// SPDX-License-Identifier: GPL-3.0-or-later
// Vectors of one balance decision from given group statistics.
#include <algorithm>

#include "app/vectors/multi.hpp"
#include "core/balance/busiest.hpp"

namespace picknext::vectors {
namespace {

std::uint32_t read_flags(const std::string& text) {
    std::uint32_t flags = 0;
    std::size_t from = 0;
    while (from <= text.size()) {
        const std::size_t to = std::min(text.find('|', from), text.size());
        for (const sd::FlagInfo& f : sd::flag_table())
            if (f.name == text.substr(from, to - from)) flags |= f.flag;
        from = to + 1;
    }
    return flags;
}

balance::IdleKind read_idle(const std::string& text) {
    if (text == "not_idle") return balance::IdleKind::not_idle;
    return text == "idle" ? balance::IdleKind::idle : balance::IdleKind::newly_idle;
}

std::vector<balance::GroupStats> read_groups(const Table& columns, const Json& rows, int imbalance_pct) {
    std::vector<balance::GroupStats> groups;
    for (const Json& row : rows) {
        balance::GroupStats g;
        g.nr_running = columns.in(row, "nr_running");
        g.h_nr_running = columns.in(row, "h_nr_running");
        g.idle_cpus = columns.in(row, "idle_cpus");
        g.load = columns.in(row, "load");
        g.util = columns.in(row, "util");
        g.runnable = columns.in(row, "runnable");
        g.capacity = columns.in(row, "capacity");
        g.min_capacity = columns.in(row, "min_capacity");
        g.max_capacity = columns.in(row, "max_capacity");
        g.weight = columns.in(row, "weight");
        g.imbalanced = columns.in(row, "imbalanced") != 0;
        g.asym_packing = columns.in(row, "asym_packing") != 0;
        g.misfit_load = columns.in(row, "misfit_load");
        if (columns.has("smt_balance")) {
            g.smt_balance = columns.in(row, "smt_balance") != 0;
            g.cores = columns.in(row, "cores");
            g.flags = read_flags(columns.in(row, "flags"));
        }
        g.preferred_priority = -static_cast<int>(groups.size());
        g.first_cpu = CpuId{groups.size()};
        g.type = balance::classify(g, imbalance_pct);
        if (g.type == balance::GroupType::overloaded) g.avg_load = g.load * 1024 / g.capacity;
        groups.push_back(g);
    }
    return groups;
}

struct Decision {
    balance::Busiest found;
    balance::Imbalance imbalance;
    Json picked = Json::array();
};
Decision decide(const balance::BalanceView& view, const std::vector<balance::GroupStats>& groups, const Settings& settings) {
    Decision out;
    Evidence<FullSink> why;
    out.found = balance::find_busiest_group(view, groups, settings, why);
    for (const Check& c : why.checks())
        if (c.id == Chk::group_busier) out.picked.push_back(c.verdict == Verdict::yes ? 1 : 0);
    why.clear();
    if (out.found.relieve)
        out.imbalance =
            balance::calculate_imbalance(view, groups[0], groups[static_cast<std::size_t>(out.found.index)], out.found, settings, why);
    return out;
}

void describe(Json& got, const std::string& prefix, const balance::Imbalance& imbalance) {
    const bool moves = imbalance.amount != 0;
    got[prefix + "balance"] = moves ? 1 : 0;
    got[prefix + "migration_type"] = moves ? balance::name_of(imbalance.migration) : "";
    got[prefix + "imbalance"] = imbalance.amount;
}

} // namespace

void check_imbalance(const Json& file, Tally& tally) {
    const Table table(file.at("fields")), columns(file.at("group_fields"));
    Settings settings = default_settings(kernel_of(file), 8);
    std::size_t number = 0;
    for (const Json& row : file.at("cases")) {
        balance::BalanceView view;
        view.idle = read_idle(table.in(row, "idle"));
        view.domain_flags = read_flags(table.in(row, "sd_flags"));
        view.imbalance_pct = table.in(row, "imbalance_pct");
        const std::vector<balance::GroupStats> groups = read_groups(columns, table.in(row, "groups"), view.imbalance_pct);
        if (table.has("imb_numa_nr")) {
            view.imb_numa_nr = table.in(row, "imb_numa_nr");
            view.dst_core_idle = table.in(row, "dst_core_idle") != 0;
            view.dst_capacity = table.in(row, "dst_capacity");
            // The flag of the domain below is what all of its groups carry.
            view.child_prefers_siblings = std::any_of(groups.begin(), groups.end(), [](const auto& g) { return (g.flags & sd::prefer_sibling) != 0; });
        } else {
            view.child_prefers_siblings = table.in(row, "prefer_sibling") != 0;
        }
        settings.set(Patch::spread_in_llc, 1);
        const Decision after = decide(view, groups, settings);
        settings.set(Patch::spread_in_llc, 0);
        const Decision before = decide(view, groups, settings);
        Json types = Json::array();
        for (const balance::GroupStats& g : groups) types.push_back(balance::name_of(g.type));
        Json got{{"->types", types}, {"->picked", after.picked}, {"->busiest", after.found.index}};
        describe(got, "->", after.imbalance);
        describe(got, "->before.", before.imbalance);
        table.compare(tally, number++, row, got);
    }
}

} // namespace picknext::vectors
