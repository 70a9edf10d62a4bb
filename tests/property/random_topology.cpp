// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/property/random_topology.hpp"

#include <algorithm>
#include <array>
#include <utility>

#include "core/base/rng.hpp"

namespace picknext::testing {
namespace {

class Dice {
  public:
    explicit Dice(std::uint64_t seed) : m_seed(seed) {}
    /// In 0..n-1.
    std::size_t below(std::size_t n) { return static_cast<std::size_t>(random_below(m_seed, 2, m_draws++, n)); }
    bool one_in(std::size_t n) { return below(n) == 0; }
    int between(int low, int high) { return low + static_cast<int>(below(static_cast<std::size_t>(high - low + 1))); }

  private:
    std::uint64_t m_seed, m_draws = 0;
};

/// Symmetric. A ring counts hops; any distances are legal, also such that a node has a nearer one than others have.
std::vector<std::vector<int>> distances(Dice& dice, std::size_t nodes) {
    const int kind = dice.between(0, 3);
    if (kind == 0) return {};
    constexpr std::array far{12, 16, 20, 22, 28, 31, 40};
    std::vector<std::vector<int>> out(nodes, std::vector<int>(nodes, 10));
    for (std::size_t a = 0; a < nodes; ++a)
        for (std::size_t b = a + 1; b < nodes; ++b) {
            const std::size_t hops = std::min(b - a, nodes - (b - a));
            const int flat = 20, ring = 10 + 6 * static_cast<int>(hops);
            out[a][b] = out[b][a] = kind == 1 ? flat : kind == 2 ? ring : far[dice.below(far.size())];
        }
    return out;
}

struct Shape {
    int threads, cores, clusters, llcs; // per core, cluster, LLC, node
    bool mixed_threads, llc_over_nodes, capacities, priorities;
};
Shape shape(Dice& dice) {
    Shape s{};
    s.threads = std::array{1, 1, 2, 2, 4}[dice.below(5)];
    s.cores = dice.between(1, 4);
    s.clusters = dice.between(1, 2);
    s.llcs = dice.between(1, 3);
    s.mixed_threads = dice.one_in(4);
    s.llc_over_nodes = dice.one_in(6);
    s.capacities = dice.one_in(4);
    s.priorities = dice.one_in(6);
    return s;
}

} // namespace

Machine random_topology(std::uint64_t seed) {
    Dice dice(seed);
    Machine m;
    const Shape s = shape(dice);
    const int nodes = dice.between(1, dice.one_in(2) ? 6 : 2);
    std::int32_t core = 0, cluster = 0, llc = 0;
    for (std::int32_t node = 0; node < nodes; ++node) {
        m.nodes.push_back(Node{node, 0});
        if (nodes > 1 && node > 0 && dice.one_in(8)) continue; // memory only
        for (int l = 0; l < s.llcs; ++l, llc += s.llc_over_nodes ? 0 : 1)
            for (int k = 0; k < s.clusters; ++k, ++cluster)
                for (int c = 0; c < s.cores; ++c, ++core) {
                    const int threads = s.mixed_threads && dice.one_in(2) ? 1 : s.threads;
                    const int capacity = s.capacities ? std::array{1024, 768, 446}[dice.below(3)] : full_capacity;
                    const int priority = s.priorities ? dice.between(0, 2) : 0;
                    for (int t = 0; t < threads && m.cpus.size() < 64; ++t) {
                        Cpu cpu;
                        cpu.core = CoreId{core};
                        cpu.cluster = ClusterId{cluster};
                        cpu.llc = LlcId{llc};
                        cpu.package = PackageId{0};
                        cpu.node = NodeId{node};
                        cpu.capacity = capacity;
                        cpu.priority = priority;
                        m.cpus.push_back(cpu);
                    }
                }
    }
    m.distances = distances(dice, m.nodes.size());
    if (dice.one_in(3)) // neighbours in number need not be neighbours in the machine
        for (std::size_t i = m.cpus.size(); i > 1; --i) std::swap(m.cpus[i - 1], m.cpus[dice.below(i)]);
    for (std::size_t c = 0; c < m.cpus.size(); ++c) m.cpus[c].number = static_cast<int>(c);
    if (dice.one_in(3)) {
        const std::size_t lucky = dice.below(m.cpus.size());
        const std::size_t every = 1 + dice.below(4);
        for (std::size_t c = 0; c < m.cpus.size(); ++c) m.cpus[c].online = c == lucky || !dice.one_in(every);
    }
    return finish(std::move(m)).value();
}

} // namespace picknext::testing
