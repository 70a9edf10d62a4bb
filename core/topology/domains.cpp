// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/topology/domains.hpp"

#include <algorithm>
#include <map>
#include <utility>

#include "core/base/assert.hpp"

namespace picknext {
namespace {

constexpr int reclaim_distance = 30; // node_reclaim_distance: beyond it tasks are not spread at fork and exec

constexpr std::array flags{
    sd::FlagInfo{sd::balance_newidle, "BALANCE_NEWIDLE"},
    sd::FlagInfo{sd::balance_exec, "BALANCE_EXEC"},
    sd::FlagInfo{sd::balance_fork, "BALANCE_FORK"},
    sd::FlagInfo{sd::balance_wake, "BALANCE_WAKE"},
    sd::FlagInfo{sd::wake_affine, "WAKE_AFFINE"},
    sd::FlagInfo{sd::asym_cpucapacity, "ASYM_CPUCAPACITY"},
    sd::FlagInfo{sd::asym_cpucapacity_full, "ASYM_CPUCAPACITY_FULL"},
    sd::FlagInfo{sd::share_cpucapacity, "SHARE_CPUCAPACITY"},
    sd::FlagInfo{sd::cluster, "CLUSTER"},
    sd::FlagInfo{sd::share_llc, "SHARE_LLC"},
    sd::FlagInfo{sd::serialize, "SERIALIZE"},
    sd::FlagInfo{sd::asym_packing, "ASYM_PACKING"},
    sd::FlagInfo{sd::prefer_sibling, "PREFER_SIBLING"},
    sd::FlagInfo{sd::overlap, "OVERLAP"},
    sd::FlagInfo{sd::numa, "NUMA"},
};

[[nodiscard]] bool subset(CpuSetView a, CpuSetView b) {
    for (std::size_t w = 0; w < a.size(); ++w)
        if ((a[w] & ~b[w]) != 0) return false;
    return true;
}
[[nodiscard]] bool equal(CpuSetView a, CpuSetView b) { return std::equal(a.begin(), a.end(), b.begin(), b.end()); }

/// One level of the table: which set of CPUs each CPU belongs to.
struct Level {
    SdLevel level;
    std::uint32_t flags = 0;
    int distance = 0;                  // numa: nodes at most this far
    std::vector<std::int32_t> set_of;  // by CPU, -1 offline
    std::vector<CpuSet> sets;
};

class Builder {
  public:
    Builder(const Machine& machine, CpuSetView online, Kernel kernel)
        : m_machine(machine), m_kernel(kernel), m_n(machine.cpu_count()), m_online(m_n) {
        for_each_cpu(online, [&](CpuId c) { m_online.add(c); });
        m_out.online = m_online;
    }

    Domains build() {
        describe_cpus();
        make_levels();
        make_domains();
        make_groups();
        allow_numa_imbalance();
        for_each_cpu(m_online, [&](CpuId c) { remove_useless(c); });
        keep_survivors();
        find_shortcuts();
        m_out.numa_type = numa_type();
        return std::move(m_out);
    }

  private:
    // ---- levels
    void describe_cpus() {
        std::size_t cores = 0;
        for (const Cpu& c : m_machine.cpus) cores = std::max(cores, c.core.index() + 1);
        m_out.cores.assign(cores, CpuSet(m_n));
        for (std::size_t c = 0; c < m_n; ++c) {
            const Cpu& cpu = m_machine.cpus[c];
            m_out.core_of.push_back(cpu.core);
            m_out.capacity.push_back(cpu.capacity);
            m_out.priority.push_back(cpu.priority);
            if (m_online.has(CpuId{c})) m_out.cores[cpu.core.index()].add(CpuId{c});
        }
        m_out.max_capacity = *std::max_element(m_out.capacity.begin(), m_out.capacity.end());
        for (const CpuSet& core : m_out.cores) m_out.smt_present |= core.size() > 1;
        for (int p : m_out.priority) m_packing |= p != m_out.priority.front();
    }

    template <class Key>
    Level& add_level(SdLevel level, std::uint32_t level_flags, Key&& key) {
        Level l{level, level_flags, 0, std::vector<std::int32_t>(m_n, -1), {}};
        std::map<decltype(key(CpuId{})), std::int32_t> ids;
        for_each_cpu(m_online, [&](CpuId c) {
            const auto [at, fresh] = ids.try_emplace(key(c), static_cast<std::int32_t>(l.sets.size()));
            if (fresh) l.sets.emplace_back(m_n);
            l.sets[static_cast<std::size_t>(at->second)].add(c);
            l.set_of[c.index()] = at->second;
        });
        m_levels.push_back(std::move(l));
        return m_levels.back();
    }

    void make_levels() {
        const auto cpu = [&](CpuId c) -> const Cpu& { return m_machine.cpu(c); };
        const std::uint32_t packing = m_packing ? sd::asym_packing : 0;
        const std::uint32_t smt_packing = m_kernel < Kernel::eevdf_6_6 ? packing : 0;
        add_level(SdLevel::smt, sd::share_cpucapacity | sd::share_llc | smt_packing, [&](CpuId c) { return cpu(c).core; });
        // A last-level cache is cut at node borders; a cluster as wide as it says nothing and gives way to the core.
        const Level llc = [&] {
            Level l = add_level(SdLevel::mc, sd::share_llc | packing, [&](CpuId c) { return std::pair(cpu(c).llc, cpu(c).node); });
            m_levels.pop_back();
            return l;
        }();
        if (m_kernel >= Kernel::cfs_6_1) {
            const std::uint32_t named = m_kernel >= Kernel::eevdf_6_8 ? sd::cluster : 0;
            const Level cls = add_level(SdLevel::cls, 0, [&](CpuId c) { return std::pair(cpu(c).cluster, cpu(c).node); });
            m_levels.pop_back();
            const auto narrow = [&](CpuId c) {
                return cls.sets[set(cls, c)].size() < llc.sets[set(llc, c)].size();
            };
            add_level(SdLevel::cls, sd::share_llc | named | packing, [&](CpuId c) {
                return narrow(c) ? std::tuple(1, cpu(c).cluster.value, cpu(c).node) : std::tuple(0, cpu(c).core.value, cpu(c).node);
            });
        }
        m_levels.push_back(llc);
        add_level(SdLevel::pkg, packing, [&](CpuId c) { return cpu(c).node; });
        add_level(SdLevel::node, 0, [&](CpuId c) { return cpu(c).node; });
        make_numa_levels();
    }

    void make_numa_levels() {
        std::vector<int> distances = distinct_distances();
        for (std::size_t i = 1; i < distances.size(); ++i) {
            Level& l = add_level(SdLevel::numa, sd::numa | sd::overlap, [&](CpuId c) { return m_machine.cpu(c).node; });
            l.distance = distances[i];
            std::vector<NodeId> node_of(l.sets.size());
            for_each_cpu(m_online, [&](CpuId c) { node_of[set(l, c)] = m_machine.cpu(c).node; });
            for (std::size_t s = 0; s < l.sets.size(); ++s)
                for_each_cpu(m_online, [&](CpuId c) {
                    if (distance(node_of[s], m_machine.cpu(c).node) <= l.distance) l.sets[s].add(c);
                });
        }
    }

    [[nodiscard]] int distance(NodeId a, NodeId b) const {
        if (m_machine.distances.empty()) return a == b ? 10 : 20;
        return m_machine.distances[a.index()][b.index()];
    }
    [[nodiscard]] std::vector<NodeId> used_nodes() const {
        std::vector<NodeId> nodes;
        for_each_cpu(m_online, [&](CpuId c) { nodes.push_back(m_machine.cpu(c).node); });
        std::sort(nodes.begin(), nodes.end());
        nodes.erase(std::unique(nodes.begin(), nodes.end()), nodes.end());
        return nodes;
    }
    [[nodiscard]] std::vector<int> distinct_distances() const {
        const std::vector<NodeId> nodes = used_nodes();
        std::vector<int> out;
        for (NodeId a : nodes)
            for (NodeId b : nodes) out.push_back(distance(a, b));
        std::sort(out.begin(), out.end());
        out.erase(std::unique(out.begin(), out.end()), out.end());
        return out;
    }
    [[nodiscard]] NumaType numa_type() const {
        const std::vector<int> distances = distinct_distances();
        if (distances.size() <= 2) return NumaType::direct;
        const std::vector<NodeId> nodes = used_nodes();
        for (NodeId a : nodes)
            for (NodeId b : nodes) {
                if (distance(a, b) < distances.back()) continue;
                for (NodeId c : nodes)
                    if (distance(a, c) < distances.back() && distance(b, c) < distances.back()) return NumaType::glueless_mesh;
                return NumaType::backplane;
            }
        return NumaType::direct;
    }

    [[nodiscard]] static std::size_t set(const Level& l, CpuId c) { return static_cast<std::size_t>(l.set_of[c.index()]); }

    // ---- domains before any is removed; level L of CPU c is m_work[L * n + c]
    [[nodiscard]] DomainId id(std::size_t level, CpuId c) const { return DomainId{level * m_n + c.index()}; }
    [[nodiscard]] Domain& at(DomainId d) { return m_work[d.index()]; }
    [[nodiscard]] std::size_t level_of(DomainId d) const { return d.index() / m_n; }

    void make_domains() {
        m_work.resize(m_levels.size() * m_n);
        for_each_cpu(m_online, [&](CpuId c) {
            DomainId below;
            for (std::size_t level = 0; level < m_levels.size(); ++level) {
                const DomainId d = id(level, c);
                at(d) = first_values(m_levels[level], c);
                at(d).child = below;
                if (below) at(below).parent = d;
                if (at(d).has(sd::asym_cpucapacity) && below) at(below).flags &= ~sd::prefer_sibling;
                below = d;
                if (equal(at(d).span, m_online)) break;
            }
        });
    }

    [[nodiscard]] Domain first_values(const Level& level, CpuId c) const {
        Domain d;
        d.owner = c;
        d.level = level.level;
        d.span = level.sets[set(level, c)];
        d.weight = d.span.size();
        d.min_interval = d.weight;
        d.max_interval = 2 * d.weight;
        d.flags = sd::balance_newidle | sd::balance_exec | sd::balance_fork | sd::wake_affine | sd::prefer_sibling |
                  level.flags | asymmetry(d.span);
        if (d.has(sd::share_cpucapacity)) {
            d.imbalance_pct = 110;
            d.cache_nice_tries = 0;
        } else if (d.has(sd::numa)) {
            d.cache_nice_tries = 2;
            d.flags = (d.flags & ~sd::prefer_sibling) | sd::serialize;
            if (level.distance > reclaim_distance) d.flags &= ~(sd::balance_exec | sd::balance_fork | sd::wake_affine);
        }
        return d;
    }

    [[nodiscard]] std::uint32_t asymmetry(CpuSetView span) const {
        const auto capacities = [&](CpuSetView cpus) {
            std::vector<int> out;
            for_each_cpu(cpus, [&](CpuId c) { out.push_back(m_out.capacity[c.index()]); });
            std::sort(out.begin(), out.end());
            return std::unique(out.begin(), out.end()) - out.begin();
        };
        if (m_capacities < 0) m_capacities = capacities(m_online);
        if (m_capacities < 2) return 0;
        const auto here = capacities(span);
        if (here < 2) return 0;
        return here == m_capacities ? sd::asym_cpucapacity | sd::asym_cpucapacity_full : sd::asym_cpucapacity;
    }

    // ---- groups
    [[nodiscard]] GroupCapacityId capacity_row(std::size_t level, CpuId balance_cpu) {
        const auto next = static_cast<std::int32_t>(m_capacity_rows.size());
        return GroupCapacityId{m_capacity_rows.try_emplace(std::pair(level, balance_cpu), next).first->second};
    }

    SchedGroupId add_group(const CpuSet& span, CpuSet mask, std::uint32_t group_flags, std::size_t level) {
        SchedGroup g;
        g.span = span;
        g.weight = span.size();
        g.balance_cpu = mask.empty() ? span.first() : mask.first();
        g.balance_mask = std::move(mask);
        g.flags = group_flags;
        g.capacity = capacity_row(level, g.balance_cpu);
        for_each_cpu(span, [&](CpuId c) { g.cores += first_cpu(m_out.siblings(c)) == c || !span.has(first_cpu(m_out.siblings(c))); });
        m_out.groups.push_back(std::move(g));
        return SchedGroupId{m_out.groups.size() - 1};
    }

    void make_groups() {
        for (std::size_t level = 0; level < m_levels.size(); ++level) {
            if ((m_levels[level].flags & sd::overlap) != 0) make_overlapping_groups(level);
            else make_plain_groups(level);
        }
        m_out.group_capacity_count = m_capacity_rows.size();
    }

    /// One ring per set of the level; all CPUs of the set share the groups. The ring is linked anew by each CPU in
    /// turn, so the order seen from the highest one stays.
    void make_plain_groups(std::size_t level) {
        std::vector<std::int32_t> ring_of(m_levels[level].sets.size(), -1);
        for_each_cpu(m_online, [&](CpuId c) {
            Domain& d = at(id(level, c));
            if (!d.owner) return;
            std::int32_t& ring = ring_of[set(m_levels[level], c)];
            if (ring < 0) ring = make_ring(level, d.span);
            d.ring = ring;
            const auto& groups = m_out.rings[static_cast<std::size_t>(ring)];
            d.first = static_cast<std::int32_t>(
                std::find_if(groups.begin(), groups.end(), [&](SchedGroupId g) { return m_out.group(g).span.has(c); }) -
                groups.begin());
        });
    }

    std::int32_t make_ring(std::size_t level, const CpuSet& span) {
        std::size_t highest = 0;
        for_each_cpu(span, [&](CpuId c) { highest = c.index(); });
        std::vector<SchedGroupId> ring;
        CpuSet covered(m_n);
        for_each_cpu_wrap(span, highest, [&](CpuId c) {
            if (covered.has(c)) return true;
            const DomainId child = at(id(level, c)).child;
            CpuSet group_span(m_n);
            if (child) group_span = at(child).span;
            else group_span.add(c);
            for_each_cpu(group_span, [&](CpuId g) { covered.add(g); });
            ring.push_back(add_group(group_span, group_span, child ? at(child).flags : 0, level));
            return true;
        });
        m_out.rings.push_back(std::move(ring));
        return static_cast<std::int32_t>(m_out.rings.size()) - 1;
    }

    /// Groups that may overlap are private to each CPU.
    void make_overlapping_groups(std::size_t level) {
        for_each_cpu(m_online, [&](CpuId owner) {
            Domain& d = at(id(level, owner));
            if (!d.owner) return;
            std::vector<SchedGroupId> ring;
            CpuSet covered(m_n);
            for_each_cpu_wrap(d.span, owner.index(), [&](CpuId c) {
                if (covered.has(c) || !at(id(level, c)).owner) return true;
                const DomainId from = descend(d, id(level, c));
                const Domain& source = at(at(from).child ? at(from).child : from);
                for_each_cpu(source.span, [&](CpuId g) { covered.add(g); });
                ring.push_back(add_group(source.span, balance_mask(source.span, level_of(from)), source.flags, level_of(from)));
                return true;
            });
            m_out.rings.push_back(std::move(ring));
            d.ring = static_cast<std::int32_t>(m_out.rings.size()) - 1;
            d.first = 0;
        });
    }

    /// The domain whose child becomes the group: lower down where the child would reach outside `whole`. (The kernel then
    /// also steps over equal spans; there are none, since the domain reaches outside `whole` and its child does not.)
    [[nodiscard]] DomainId descend(const Domain& whole, DomainId d) {
        while (at(d).child && !subset(at(at(d).child).span, whole.span)) d = at(d).child;
        return d;
    }

    [[nodiscard]] CpuSet balance_mask(const CpuSet& span, std::size_t level) {
        CpuSet mask(m_n);
        for_each_cpu(span, [&](CpuId c) {
            const Domain& own = at(id(level, c));
            if (own.owner && own.child && equal(at(own.child).span, span)) mask.add(c);
        });
        return mask;
    }

    // ---- allowed imbalance between nodes, on the levels as built
    void allow_numa_imbalance() {
        for_each_cpu(m_online, [&](CpuId c) {
            int imb = 0;
            int width = 1;
            for (DomainId i = id(0, c); i; i = at(i).parent) {
                Domain& d = at(i);
                if (!d.has(sd::share_llc) && d.child && at(d.child).has(sd::share_llc)) {
                    const int llcs = d.weight / at(d.child).weight;
                    imb = std::max(1, llcs == 1 ? d.weight >> 3 : llcs);
                    d.imb_numa_nr = imb;
                    DomainId top = d.parent;
                    while (top && !at(top).has(sd::numa)) top = at(top).parent;
                    width = top ? at(top).weight : d.weight;
                } else {
                    d.imb_numa_nr = imb * std::max(1, d.weight / width);
                }
            }
        });
    }

    // ---- removal of levels that decide nothing (fn: cpu_attach_domain)
    [[nodiscard]] bool useless(const Domain& d) const {
        if (d.weight == 1) return true;
        if ((d.flags & sd::needs_groups) != 0 && m_out.group_count(d) > 1) return false;
        return !d.has(sd::wake_affine);
    }
    [[nodiscard]] bool useless_above(const Domain& child, const Domain& parent) const {
        if (useless(parent)) return true;
        if (!equal(child.span, parent.span)) return false;
        const std::uint32_t counted = m_out.group_count(parent) > 1 ? parent.flags : parent.flags & ~sd::needs_groups;
        return (counted & ~child.flags) == 0;
    }
    [[nodiscard]] SchedGroup& own_group(const Domain& d) {
        return m_out.groups[m_out.rings[static_cast<std::size_t>(d.ring)][static_cast<std::size_t>(d.first)].index()];
    }

    void remove_useless(CpuId c) {
        DomainId i = id(0, c);
        while (at(i).parent) {
            Domain& d = at(i);
            Domain& parent = at(d.parent);
            if (!useless_above(d, parent)) {
                i = d.parent;
                continue;
            }
            d.parent = parent.parent;
            parent.owner = CpuId::none();
            if (d.parent) {
                at(d.parent).child = i;
                if (m_kernel >= Kernel::eevdf_6_6) own_group(at(d.parent)).flags = d.flags;
            }
            d.flags |= parent.flags & sd::prefer_sibling;
        }
        Domain& base = at(id(0, c));
        if (!useless(base)) return;
        base.owner = CpuId::none();
        if (!base.parent) return;
        at(base.parent).child = DomainId::none();
        own_group(at(base.parent)).flags = 0; // of this CPU's own group only: the groups of other CPUs are theirs to clear
    }

    // ---- the result
    void keep_survivors() {
        m_out.cpus.resize(m_n);
        std::vector<DomainId> renamed(m_work.size());
        for (std::size_t c = 0; c < m_n; ++c) {
            int depth = 0;
            for (std::size_t level = 0; level < m_levels.size(); ++level) {
                Domain& d = at(id(level, CpuId{c}));
                if (!d.owner) continue;
                renamed[id(level, CpuId{c}).index()] = DomainId{m_out.domains.size()};
                d.depth = depth++;
                m_out.domains.push_back(d);
                if (d.depth == 0) m_out.cpus[c].base = DomainId{m_out.domains.size() - 1};
            }
        }
        for (Domain& d : m_out.domains) {
            if (d.parent) d.parent = renamed[d.parent.index()];
            if (d.child) d.child = renamed[d.child.index()];
        }
    }

    void find_shortcuts() {
        std::map<CpuId, LlcSharedId> shared;
        for (std::size_t c = 0; c < m_n; ++c) {
            CpuDomains& own = m_out.cpus[c];
            own.llc_id = CpuId{c};
            bool cached = true;
            for (DomainId i = own.base; i; i = m_out.domain(i).parent) {
                const Domain& d = m_out.domain(i);
                cached = cached && d.has(sd::share_llc);
                if (cached) own.sd_llc = i;
                if (d.has(sd::numa) && !own.sd_numa) own.sd_numa = i;
                if (d.has(sd::asym_packing)) own.sd_asym_packing = i;
                if (d.has(sd::asym_cpucapacity_full) && !own.sd_asym_cpucapacity) own.sd_asym_cpucapacity = i;
            }
            if (own.sd_llc) {
                const Domain& llc = m_out.domain(own.sd_llc);
                own.llc_id = llc.span.first();
                own.llc_size = llc.weight;
                const auto [at_llc, fresh] = shared.try_emplace(own.llc_id, LlcSharedId{m_out.llcs.size()});
                if (fresh) m_out.llcs.push_back(llc.span);
                own.shared = at_llc->second;
            }
            own.share_id = own.llc_id;
            for (DomainId i = own.base; i; i = m_out.domain(i).parent) {
                if (!m_out.domain(i).has(sd::cluster)) continue;
                own.share_id = m_out.domain(i).span.first();
                m_out.cluster_active = true;
                break;
            }
        }
    }

    const Machine& m_machine;
    Kernel m_kernel;
    std::size_t m_n;
    CpuSet m_online;
    bool m_packing = false;
    mutable std::ptrdiff_t m_capacities = -1; // distinct ones among the online CPUs, counted once
    std::vector<Level> m_levels;
    std::vector<Domain> m_work;
    std::map<std::pair<std::size_t, CpuId>, std::int32_t> m_capacity_rows;
    Domains m_out;
};

} // namespace

std::span<const sd::FlagInfo> sd::flag_table() { return flags; }

std::string_view name_of(SdLevel level, Kernel kernel) {
    switch (level) {
    case SdLevel::smt: return "SMT";
    case SdLevel::cls: return "CLS";
    case SdLevel::mc: return "MC";
    case SdLevel::pkg: return kernel >= Kernel::eevdf_6_8 ? "PKG" : "DIE";
    case SdLevel::node: return "NODE";
    case SdLevel::numa: return "NUMA";
    }
    return "";
}

Domains build_domains(const Machine& machine, CpuSetView online, Kernel kernel) {
    PICKNEXT_ASSERT(count(online) > 0, "domains of no online CPU");
    return Builder(machine, online, kernel).build();
}

} // namespace picknext
