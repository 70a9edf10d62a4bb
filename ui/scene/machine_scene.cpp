// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/scene/machine_scene.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace picknext::ui {
namespace {

int rows_for(int items, int columns) { return (items + columns - 1) / columns; }

/// Members of each level in order of first CPU, and the largest counts per parent.
struct Nesting {
    std::vector<std::vector<int>> llcs_of_node, clusters_of_llc, cores_of_cluster, cpus_of_core;
    int nodes = 1, llcs = 1, clusters = 1, cores = 1, cpus = 1; // most per parent
    bool has_clusters = false;
};

void note(std::vector<std::vector<int>>& children, int parent, int child) {
    if (static_cast<std::size_t>(parent) >= children.size()) children.resize(static_cast<std::size_t>(parent) + 1);
    auto& list = children[static_cast<std::size_t>(parent)];
    if (std::find(list.begin(), list.end(), child) == list.end()) list.push_back(child);
}

int most(const std::vector<std::vector<int>>& children) {
    std::size_t n = 1;
    for (const auto& c : children) n = std::max(n, c.size());
    return static_cast<int>(n);
}

Nesting nesting_of(const Machine& m) {
    Nesting n;
    n.has_clusters = m.has_clusters;
    for (std::size_t c = 0; c < m.cpus.size(); ++c) {
        const Cpu& cpu = m.cpus[c];
        const int cluster = m.has_clusters ? cpu.cluster.value : cpu.llc.value; // without clusters, one per LLC
        note(n.llcs_of_node, cpu.node.value, cpu.llc.value);
        note(n.clusters_of_llc, cpu.llc.value, cluster);
        note(n.cores_of_cluster, cluster, cpu.core.value);
        note(n.cpus_of_core, cpu.core.value, static_cast<int>(c));
    }
    n.nodes = static_cast<int>(std::count_if(n.llcs_of_node.begin(), n.llcs_of_node.end(), [](const auto& l) { return !l.empty(); }));
    n.llcs = most(n.llcs_of_node);
    n.clusters = most(n.clusters_of_llc);
    n.cores = most(n.cores_of_cluster);
    n.cpus = most(n.cpus_of_core);
    return n;
}

/// Free space around and between the boxes of each level, px.
struct Gaps {
    double outer, node, llc, cluster, core, cpu, between_nodes, between_llcs, between_clusters, between_cores;
};

Gaps gaps_for(const Machine& m, double unit) {
    const double u = unit * (m.cpu_count() <= 32 ? 1.0 : m.cpu_count() <= 256 ? 0.6 : 0.3);
    const double cluster = m.has_clusters ? 3 * u : 0;
    return {8 * u, 8 * u, 4 * u, cluster, 3 * u, 1 * u, 8 * u, 6 * u, m.has_clusters ? 4 * u : 0, 4 * u};
}

/// Size of each level's box for a CPU size.
struct Sizes {
    QSizeF cpu, core, cluster, llc, node, all;
};

QSizeF grid(const QSizeF& item, int items, int columns, double gap, double pad, double top) {
    const int c = std::min(items, columns), r = rows_for(items, columns);
    return {c * item.width() + (c - 1) * gap + 2 * pad, r * item.height() + (r - 1) * gap + 2 * pad + top};
}

Sizes sizes_for(const Nesting& n, const MachineArrangement& a, const Gaps& g, const MachineMetrics& m, const QSizeF& cpu) {
    Sizes s;
    s.cpu = cpu;
    s.core = grid(s.cpu, n.cpus, a.cpu_columns, g.cpu, g.core, 0);
    s.cluster = grid(s.core, n.cores, a.core_columns, g.between_cores, g.cluster, 0);
    s.llc = grid(s.cluster, n.clusters, a.cluster_columns, g.between_clusters, g.llc, m.header);
    s.node = grid(s.llc, n.llcs, a.llc_columns, g.between_llcs, g.node, 0);
    s.node.rheight() += m.header; // the node's title stands above its frame
    s.all = grid(s.node, n.nodes, a.node_columns, g.between_nodes, g.outer, 0);
    return s;
}

/// The CPU size that fills the viewport under these columns; linear, so two probes tell it.
QSizeF fill(const Nesting& n, const MachineArrangement& a, const Gaps& g, const MachineMetrics& m) {
    const QSizeF zero = sizes_for(n, a, g, m, {0, 0}).all, one = sizes_for(n, a, g, m, {1, 1}).all;
    return {(m.viewport.width() - zero.width()) / (one.width() - zero.width()),
            (m.viewport.height() - zero.height()) / (one.height() - zero.height())};
}

/// Larger is better: the smaller side counts, a box about as wide as two thirds of its height more is ideal.
double score(const QSizeF& cpu, const QSizeF& largest) {
    const double w = std::min(cpu.width(), largest.width()), h = std::min(cpu.height(), largest.height());
    const double side = std::min(w, h * 1.25);
    return side + 0.02 * std::min(w * h / 100, 50.0);
}

void place_grid(const QPointF& origin, const QSizeF& item, int index, int columns, double gap, double pad, double top, QRectF& out) {
    const int c = index % columns, r = index / columns;
    out = QRectF(origin.x() + pad + c * (item.width() + gap), origin.y() + pad + top + r * (item.height() + gap), item.width(), item.height());
}

CpuDetail detail_for(const QSizeF& cpu, const MachineMetrics& m) {
    const double w = cpu.width() / m.unit, h = cpu.height() / m.unit;
    if (w >= 56 && cpu.height() >= 2 * m.line + 12 * m.unit) return CpuDetail::full;
    if (w >= 28 && cpu.width() >= m.number + 18 * m.unit && cpu.height() >= m.line + 8 * m.unit) return CpuDetail::reduced;
    return w >= 5 && h >= 5 ? CpuDetail::cell : CpuDetail::aggregate;
}

} // namespace

MachineArrangement arrange_machine(const Machine& machine, const MachineMetrics& metrics) {
    const Nesting n = nesting_of(machine);
    const Gaps g = gaps_for(machine, metrics.unit);
    const QSizeF largest(92 * metrics.unit, 72 * metrics.unit);
    MachineArrangement best;
    double best_score = -std::numeric_limits<double>::infinity();
    MachineArrangement a;
    a.cpu_columns = std::min(n.cpus, 2);
    // Of equal arrangements the first wins: nodes and LLCs side by side, cores one below the other.
    for (a.node_columns = n.nodes; a.node_columns >= 1; --a.node_columns)
        for (a.llc_columns = n.llcs; a.llc_columns >= 1; --a.llc_columns)
            for (a.cluster_columns = 1; a.cluster_columns <= n.clusters; ++a.cluster_columns)
                for (a.core_columns = 1; a.core_columns <= n.cores; ++a.core_columns) {
                    a.cpu = fill(n, a, g, metrics);
                    const bool cut = sizes_for(n, a, g, metrics, a.cpu.boundedTo(largest)).llc.width() < metrics.title;
                    const double s = score(a.cpu, largest) * (cut ? 0.6 : 1);
                    if (s > best_score + 1e-6) {
                        best_score = s;
                        best = a;
                    }
                }
    best.cpu = best.cpu.boundedTo(largest).expandedTo(QSizeF(0.5, 0.5));
    best.cpu.setHeight(std::min(best.cpu.height(), 4.5 * best.cpu.width()));
    return best;
}

MachineScene place_machine(const Machine& machine, const MachineArrangement& a, const MachineMetrics& m, double zoom) {
    const Nesting n = nesting_of(machine);
    const Gaps g = gaps_for(machine, m.unit);
    const Sizes s = sizes_for(n, a, g, m, a.cpu * zoom);
    MachineScene scene;
    scene.size = s.all;
    scene.detail = detail_for(s.cpu, m);
    scene.cpus.resize(machine.cpu_count());
    int node_place = 0;
    for (std::size_t node = 0; node < n.llcs_of_node.size(); ++node) {
        if (n.llcs_of_node[node].empty()) continue;
        QRectF nr;
        place_grid({0, 0}, s.node, node_place++, a.node_columns, g.between_nodes, g.outer, 0, nr);
        const QRectF node_header(nr.left(), nr.top(), nr.width(), m.header);
        nr.setTop(nr.top() + m.header);
        scene.boxes.push_back({MachineLevel::node, static_cast<int>(node), nr, node_header});
        int llc_place = 0;
        for (const int llc : n.llcs_of_node[node]) {
            QRectF lr;
            place_grid(nr.topLeft(), s.llc, llc_place++, a.llc_columns, g.between_llcs, g.node, 0, lr);
            scene.boxes.push_back({MachineLevel::llc, llc, lr, QRectF(lr.left(), lr.top(), lr.width(), m.header)});
            int cluster_place = 0;
            for (const int cluster : n.clusters_of_llc[static_cast<std::size_t>(llc)]) {
                QRectF cr;
                place_grid(lr.topLeft(), s.cluster, cluster_place++, a.cluster_columns, g.between_clusters, g.llc, m.header, cr);
                if (n.has_clusters) scene.boxes.push_back({MachineLevel::cluster, cluster, cr, {}});
                int core_place = 0;
                for (const int core : n.cores_of_cluster[static_cast<std::size_t>(cluster)]) {
                    QRectF kr;
                    place_grid(cr.topLeft(), s.core, core_place++, a.core_columns, g.between_cores, g.cluster, 0, kr);
                    scene.boxes.push_back({MachineLevel::core, core, kr, {}});
                    int cpu_place = 0;
                    for (const int cpu : n.cpus_of_core[static_cast<std::size_t>(core)])
                        place_grid(kr.topLeft(), s.cpu, cpu_place++, a.cpu_columns, g.cpu, g.core, 0, scene.cpus[static_cast<std::size_t>(cpu)]);
                }
            }
        }
    }
    return scene;
}

CpuId MachineScene::cpu_at(const QPointF& p) const {
    for (std::size_t c = 0; c < cpus.size(); ++c)
        if (cpus[c].contains(p)) return CpuId{c};
    return CpuId::none();
}

CpuId MachineScene::neighbour(CpuId from, int dx, int dy) const {
    if (!from.valid() || from.index() >= cpus.size()) return from;
    const QPointF here = cpus[from.index()].center();
    CpuId best = from;
    double best_distance = std::numeric_limits<double>::infinity();
    for (std::size_t c = 0; c < cpus.size(); ++c) {
        const QPointF d = cpus[c].center() - here;
        const double along = d.x() * dx + d.y() * dy, across = std::abs(d.x() * dy) + std::abs(d.y() * dx);
        if (along < 0.5 || across > along) continue;
        const double distance = along + 2 * across;
        if (distance < best_distance) {
            best_distance = distance;
            best = CpuId{c};
        }
    }
    return best;
}

} // namespace picknext::ui
