// SPDX-License-Identifier: GPL-3.0-or-later
// The machine as nested boxes: node > LLC > cluster > core > CPU. All boxes of a level have one size, so that the eye
// can compare them; an irregular machine leaves some places empty.
#pragma once

#include <vector>

#include <QPointF>
#include <QRectF>
#include <QSizeF>

#include "core/topology/machine.hpp"

namespace picknext::ui {

/// What fits into one CPU's box.
enum class CpuDetail {
    full,      // id, task, count, bar, glyph
    reduced,   // id, glyph, bar
    cell,      // utilisation as a fill
    aggregate  // only the LLC is drawn, with its busy share
};

enum class MachineLevel { node, llc, cluster, core };

struct MachineMetrics {
    QSizeF viewport;
    double header = 18; // height of a node's and an LLC's title line, px
    double line = 16;   // height of a text line inside a CPU box, px
    double number = 20; // width of the widest CPU number, px
    double title = 40;  // width below which an LLC's name is cut, px
    double unit = 1;    // one pixel of the 100 % design
};

/// How many boxes stand beside each other at each level, and the size of one CPU at zoom 1.
struct MachineArrangement {
    int node_columns = 1, llc_columns = 1, cluster_columns = 1, core_columns = 1, cpu_columns = 1;
    QSizeF cpu;
};

struct MachineBox {
    MachineLevel level = MachineLevel::node;
    int id = 0;          // of its level
    QRectF rect, header; // header is empty below the LLC
};

struct MachineScene {
    std::vector<MachineBox> boxes; // outer before inner
    std::vector<QRectF> cpus;      // by CpuId
    CpuDetail detail = CpuDetail::full;
    QSizeF size;

    [[nodiscard]] CpuId cpu_at(const QPointF& p) const;
    /// The nearest CPU in the direction (dx, dy are -1, 0 or 1), or the same one at the edge.
    [[nodiscard]] CpuId neighbour(CpuId from, int dx, int dy) const;
};

/// The arrangement that gives CPUs the largest readable boxes in the viewport.
[[nodiscard]] MachineArrangement arrange_machine(const Machine& machine, const MachineMetrics& metrics);

/// The boxes under an arrangement with its CPU size scaled by zoom.
[[nodiscard]] MachineScene place_machine(const Machine& machine, const MachineArrangement& arrangement,
                                         const MachineMetrics& metrics, double zoom);

} // namespace picknext::ui
