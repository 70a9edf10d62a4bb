// SPDX-License-Identifier: GPL-3.0-or-later
// What holds for the domains of every machine, whatever it looks like: spans and groups, the values of a level, what each
// CPU keeps at hand. Expectations are worked out from the machine anew, not with the builder's means.
#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <map>
#include <string>

#include <fmt/format.h>

#include "core/topology/domains.hpp"
#include "tests/property/random_topology.hpp"

namespace picknext::testing {
namespace {

struct Failure {
    std::string what;
};
#define REQUIRE(condition)                                                                                             \
    do {                                                                                                               \
        if (!(condition)) throw Failure{fmt::format("{} (line {}): {}", m_at, __LINE__, #condition)};                  \
    } while (false)

bool subset(const CpuSet& a, const CpuSet& b) {
    bool all = true;
    for_each_cpu(a, [&](CpuId c) { all = all && b.has(c); });
    return all;
}

class Checker {
  public:
    Checker(const Machine& machine, Kernel kernel)
        : m_machine(machine), m_kernel(kernel), m_online(machine.online()), m_domains(build_domains(machine, m_online, kernel)) {
        for_each_cpu(m_online, [&](CpuId a) {
            m_capacities.push_back(machine.cpu(a).capacity);
            for_each_cpu(m_online, [&](CpuId b) { m_distances.push_back(distance(a, b)); });
        });
        for (std::vector<int>* v : {&m_capacities, &m_distances}) {
            std::sort(v->begin(), v->end());
            v->erase(std::unique(v->begin(), v->end()), v->end());
        }
    }

    /// Throws Failure. Returns how many domains were looked at.
    std::size_t check() {
        for (std::size_t c = 0; c < m_machine.cpu_count(); ++c) {
            m_at = fmt::format("CPU {}", c);
            if (!m_online.has(CpuId{c})) check_offline(CpuId{c});
            else check_chain(CpuId{c});
        }
        m_at = "machine";
        check_machine();
        return m_domains.domains.size();
    }

  private:
    [[nodiscard]] int distance(CpuId a, CpuId b) const { return m_machine.distance(m_machine.cpu(a).node, m_machine.cpu(b).node); }
    template <class Belongs>
    [[nodiscard]] CpuSet those(Belongs&& belongs) const {
        CpuSet out(m_machine.cpu_count());
        for_each_cpu(m_online, [&](CpuId c) { if (belongs(c)) out.add(c); });
        return out;
    }
    [[nodiscard]] CpuSet node_of(CpuId c) const { return those([&](CpuId o) { return m_machine.cpu(o).node == m_machine.cpu(c).node; }); }
    [[nodiscard]] CpuSet core_of(CpuId c) const { return those([&](CpuId o) { return m_machine.cpu(o).core == m_machine.cpu(c).core; }); }
    /// The last-level cache is cut at the border of the node.
    [[nodiscard]] CpuSet cache_of(CpuId c) const {
        return those([&](CpuId o) { return m_machine.cpu(o).llc == m_machine.cpu(c).llc && m_machine.cpu(o).node == m_machine.cpu(c).node; });
    }
    [[nodiscard]] CpuSet within(CpuId c, int far) const { return those([&](CpuId o) { return distance(c, o) <= far; }); }
    [[nodiscard]] std::vector<const Domain*> chain(CpuId c) const {
        std::vector<const Domain*> out;
        for (DomainId d = m_domains.cpu(c).base; d; d = m_domains.domain(d).parent) out.push_back(&m_domains.domain(d));
        return out;
    }

    void check_offline(CpuId c) {
        const CpuDomains& own = m_domains.cpu(c);
        REQUIRE(!own.base && !own.sd_llc && !own.sd_numa && !own.shared);
        REQUIRE(own.llc_id == c && own.llc_size == 1);
    }

    void check_chain(CpuId c) {
        const std::vector<const Domain*> all = chain(c);
        REQUIRE(all.empty() == (m_online.size() == 1));
        if (!all.empty()) REQUIRE(all.back()->span == m_online);
        for (std::size_t k = 0; k < all.size(); ++k) {
            const Domain& d = *all[k];
            m_at = fmt::format("CPU {}, domain {} {}", c, k, name_of(d.level, m_kernel));
            const Domain* child = k > 0 ? all[k - 1] : nullptr;
            REQUIRE(d.owner == c && d.depth == static_cast<int>(k) && d.span.has(c) && subset(d.span, m_online));
            REQUIRE(d.child.valid() == (child != nullptr) && (!child || &m_domains.domain(d.child) == child));
            // A level that spans no more than the one below decides nothing and is gone.
            REQUIRE(d.weight == d.span.size() && d.weight > 1);
            if (child) REQUIRE(child->weight < d.weight && subset(child->span, d.span) && (child->level < d.level || child->has(sd::numa)));
            check_values(c, d);
            check_groups(c, d, child);
            if (!d.has(sd::numa)) check_siblings(d);
        }
        m_at = fmt::format("CPU {}", c);
        check_shortcuts(c, all);
    }

    void check_values(CpuId c, const Domain& d) {
        REQUIRE(d.min_interval == d.weight && d.max_interval == 2 * d.weight && d.busy_factor == 16);
        const bool smt = d.level == SdLevel::smt, numa = d.level == SdLevel::numa;
        REQUIRE(d.imbalance_pct == (smt ? 110 : 117) && d.cache_nice_tries == (smt ? 0 : numa ? 2 : 1));
        REQUIRE(d.has(sd::share_cpucapacity) == smt && d.has(sd::numa) == numa && d.has(sd::serialize) == numa && d.has(sd::overlap) == numa);
        REQUIRE(d.has(sd::share_llc) == (d.level <= SdLevel::mc) && d.has(sd::balance_newidle) && !d.has(sd::balance_wake));
        REQUIRE(d.has(sd::cluster) == (d.level == SdLevel::cls && m_kernel >= Kernel::eevdf_6_8));
        REQUIRE(d.level != SdLevel::cls || m_kernel >= Kernel::cfs_6_1);
        bool spread = true;
        if (numa) {
            const auto far = std::find_if(m_distances.begin() + 1, m_distances.end(), [&](int x) { return within(c, x) == d.span; });
            REQUIRE(far != m_distances.end());
            spread = *far <= 30;
        }
        for (std::uint32_t f : {sd::balance_exec, sd::balance_fork, sd::wake_affine}) REQUIRE(d.has(f) == spread);
        const CpuSet expected = smt ? core_of(c) : d.level == SdLevel::mc ? cache_of(c) : d.level == SdLevel::pkg || d.level == SdLevel::node ? node_of(c) : d.span;
        REQUIRE(d.span == expected);
        std::vector<int> capacities;
        for_each_cpu(d.span, [&](CpuId o) { capacities.push_back(m_machine.cpu(o).capacity); });
        std::sort(capacities.begin(), capacities.end());
        capacities.erase(std::unique(capacities.begin(), capacities.end()), capacities.end());
        REQUIRE(d.has(sd::asym_cpucapacity) == (capacities.size() > 1));
        REQUIRE(d.has(sd::asym_cpucapacity_full) == (capacities.size() > 1 && capacities == m_capacities));
        REQUIRE(numa ? !d.has(sd::prefer_sibling) : d.has(sd::prefer_sibling) || m_capacities.size() > 1);
        REQUIRE(d.imb_numa_nr == allowed_imbalance(c, d));
    }

    /// From the levels as they are before any is removed: the node over its caches, then as often as a NUMA level is
    /// wider than the lowest one.
    [[nodiscard]] int allowed_imbalance(CpuId c, const Domain& d) const {
        if (d.has(sd::share_llc)) return 0;
        const int node = node_of(c).size(), caches = node / cache_of(c).size();
        const int base = std::max(1, caches == 1 ? node / 8 : caches);
        const int width = m_distances.size() > 1 ? within(c, m_distances[1]).size() : node;
        return d.level <= SdLevel::node ? base : base * std::max(1, d.weight / width);
    }

    void check_groups(CpuId c, const Domain& d, const Domain* child) {
        const std::size_t n = m_domains.group_count(d);
        REQUIRE(n > 1);
        const SchedGroup& own = m_domains.group_at(d, 0);
        CpuSet alone(m_machine.cpu_count());
        alone.add(c);
        REQUIRE(own.span == (child ? child->span : alone));
        if (m_kernel >= Kernel::eevdf_6_6) REQUIRE(own.flags == (child ? child->flags : 0));
        CpuSet covered(m_machine.cpu_count());
        int together = 0;
        for (std::size_t k = 0; k < n; ++k) {
            const SchedGroup& g = m_domains.group_at(d, k);
            REQUIRE(subset(g.span, d.span) && g.weight == g.span.size() && g.weight > 0);
            REQUIRE(!g.balance_mask.empty() && subset(g.balance_mask, g.span) && g.balance_cpu == g.balance_mask.first());
            REQUIRE(d.has(sd::overlap) || g.balance_mask == g.span);
            // Who balances for an overlapping group sees it from within: one of its own spans is the group's.
            if (d.has(sd::overlap))
                for_each_cpu(g.balance_mask, [&](CpuId o) {
                    const std::vector<const Domain*> spans = chain(o);
                    REQUIRE(g.weight == 1 || std::any_of(spans.begin(), spans.end(), [&](const Domain* x) { return x->span == g.span; }));
                });
            std::vector<std::int32_t> cores;
            for_each_cpu(g.span, [&](CpuId o) { cores.push_back(m_machine.cpu(o).core.value); });
            std::sort(cores.begin(), cores.end());
            REQUIRE(g.cores == std::unique(cores.begin(), cores.end()) - cores.begin());
            const auto [row, fresh] = m_capacity_spans.try_emplace(g.capacity, g.span);
            REQUIRE(fresh || row->second == g.span); // who shares a capacity sums up the same CPUs
            for_each_cpu(g.span, [&](CpuId o) { covered.add(o); });
            together += g.weight;
        }
        REQUIRE(covered == d.span);
        check_order(c, d);
        if (!d.has(sd::overlap)) REQUIRE(together == d.weight); // a partition
    }

    /// Each next group holds the first CPU that no earlier one holds, going round from the CPU itself. A ring that CPUs
    /// share was linked last by its highest CPU.
    void check_order(CpuId c, const Domain& d) {
        CpuId from = c;
        if (!d.has(sd::overlap)) for_each_cpu(d.span, [&](CpuId o) { from = o; });
        const std::size_t n = m_domains.group_count(d);
        std::size_t at = 0;
        while (at < n && !m_domains.group_at(d, at).span.has(from)) ++at;
        CpuSet seen(m_machine.cpu_count());
        for_each_cpu_wrap(d.span, from.index(), [&](CpuId o) {
            if (seen.has(o)) return true;
            const SchedGroup& g = m_domains.group_at(d, at++);
            REQUIRE(g.span.has(o));
            for_each_cpu(g.span, [&](CpuId x) { seen.add(x); });
            return true;
        });
    }

    /// Every CPU of the span sees the same domain, and the same groups from its own one on.
    void check_siblings(const Domain& d) {
        for_each_cpu(d.span, [&](CpuId o) {
            const std::vector<const Domain*> others = chain(o);
            const auto at = std::find_if(others.begin(), others.end(), [&](const Domain* x) { return x->span == d.span; });
            REQUIRE(at != others.end());
            const Domain& x = **at;
            REQUIRE(x.level == d.level && x.flags == d.flags); // imb_numa_nr is each CPU's own: LLCs may differ in size
            const std::size_t n = m_domains.group_count(d);
            REQUIRE(m_domains.group_count(x) == n && m_domains.group_at(x, 0).span.has(o));
            std::size_t from = 0;
            while (from < n && m_domains.group_at(d, from).span != m_domains.group_at(x, 0).span) ++from;
            for (std::size_t k = 0; k < n; ++k) {
                const SchedGroup &mine = m_domains.group_at(d, (from + k) % n), &its = m_domains.group_at(x, k);
                REQUIRE(mine.span == its.span && mine.flags == its.flags && mine.capacity == its.capacity);
            }
        });
    }

    void check_shortcuts(CpuId c, const std::vector<const Domain*>& all) {
        const CpuDomains& own = m_domains.cpu(c);
        const CpuSet cache = cache_of(c);
        REQUIRE(own.sd_llc.valid() == (cache.size() > 1) && own.llc_size == cache.size() && own.llc_id == cache.first());
        if (own.sd_llc) {
            const Domain& llc = m_domains.domain(own.sd_llc);
            REQUIRE(llc.span == cache && m_domains.llcs[own.shared.index()] == cache);
            for (const Domain* d : all) REQUIRE(d->has(sd::share_llc) == (d->depth <= llc.depth));
        }
        DomainId numa, packing, full;
        const Domain* cluster = nullptr;
        for (const Domain* d : all) {
            const DomainId id{static_cast<std::size_t>(d - m_domains.domains.data())};
            if (!numa && d->has(sd::numa)) numa = id;
            if (d->has(sd::asym_packing)) packing = id;
            if (!full && d->has(sd::asym_cpucapacity_full)) full = id;
            if (!cluster && d->has(sd::cluster)) cluster = d;
        }
        REQUIRE(own.sd_numa == numa && own.sd_asym_packing == packing && own.sd_asym_cpucapacity == full);
        REQUIRE(own.share_id == (cluster ? cluster->span.first() : own.llc_id));
        const CpuSet core = core_of(c);
        const CpuSetView words = core;
        REQUIRE(std::equal(words.begin(), words.end(), m_domains.siblings(c).begin()));
        for_each_cpu(m_online, [&](CpuId o) { REQUIRE(m_domains.share_cache(c, o) == cache.has(o)); });
    }

    void check_machine() {
        bool smt = false, cluster = false;
        for_each_cpu(m_online, [&](CpuId c) { smt = smt || core_of(c).size() > 1; });
        for (const Domain& d : m_domains.domains) cluster = cluster || d.has(sd::cluster);
        REQUIRE(m_domains.smt_present == smt && m_domains.cluster_active == cluster);
        for (std::size_t i = 0; i < m_domains.llcs.size(); ++i)
            for (std::size_t j = 0; j < i; ++j)
                for_each_cpu(m_domains.llcs[i], [&](CpuId c) { REQUIRE(!m_domains.llcs[j].has(c)); });
    }

    const Machine& m_machine;
    Kernel m_kernel;
    CpuSet m_online;
    Domains m_domains;
    std::vector<int> m_capacities, m_distances; // distinct, among the online CPUs
    std::map<GroupCapacityId, CpuSet> m_capacity_spans;
    std::string m_at;
};

} // namespace
} // namespace picknext::testing

/// Arguments: how many seeds, and one seed to try alone.
int main(int argc, char** argv) {
    using namespace picknext;
    const std::uint64_t seeds = argc > 1 ? std::strtoull(argv[1], nullptr, 10) : 1000;
    const std::uint64_t only = argc > 2 ? std::strtoull(argv[2], nullptr, 10) : 0;
    std::size_t domains = 0;
    for (std::uint64_t seed = only ? only : 1; seed <= (only ? only : seeds); ++seed) {
        const Machine machine = testing::random_topology(seed);
        for (const KernelInfo& k : kernel_table()) {
            try {
                domains += testing::Checker(machine, k.id).check();
            } catch (const testing::Failure& f) {
                fmt::print(stderr, "seed {}, {}, {} CPUs, {}: {}\n", seed, k.name, machine.cpu_count(), summary(machine), f.what);
                return 1;
            }
        }
    }
    fmt::print("{} domains hold\n", domains);
    return 0;
}
