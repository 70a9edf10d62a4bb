// SPDX-License-Identifier: GPL-3.0-or-later
// A queue's red-black tree, laid out in order: x is the rank, y the depth.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include <QPointF>
#include <QRectF>
#include <QSizeF>

#include "core/state/state.hpp"
#include "core/trace/decision.hpp"

namespace picknext::ui {

struct TreeNode {
    EntityId entity;
    int depth = 0;               // 0 = the root
    int parent = -1;             // index in TreeShape::nodes, as are left and right
    int left = -1, right = -1;
    bool red = false;
};

/// The nodes in order: the index is the rank.
struct TreeShape {
    std::vector<TreeNode> nodes;
    int height = 0;              // levels, 0 = empty
    [[nodiscard]] int find(EntityId entity) const; // -1 = not in the tree
};
[[nodiscard]] TreeShape shape_of(const State& st, QueueId queue);

/// What fits into one node.
enum class NodeDetail {
    full,     // name, vruntime, deadline, minimum
    key,      // name, the key, minimum
    name,     // name
    cell,     // colour bar, hatch, ring
    aggregate // count per pixel and depth
};

struct TreeMetrics {
    QSizeF viewport;
    double line = 14;      // height of a text line, px
    double badge = 12;     // height of the minimum's badge, px
    double unit = 1;
    bool has_badge = true; // the profile augments its tree
    double zoom = 1;       // of the width
};

struct TreeScene {
    NodeDetail detail = NodeDetail::full;
    std::vector<QRectF> nodes;   // by rank; without the badge
    QRectF current;              // the dashed box beside the tree, empty when there is no room
    double pitch = 0;            // px from level to level
    double spacing = 0;          // px from rank to rank
    double top = 0;              // y of the root's top
    QSizeF size;
    [[nodiscard]] int node_at(const QPointF& p) const; // -1 = none
};
[[nodiscard]] TreeScene layout_tree(const TreeShape& shape, const TreeMetrics& metrics, bool with_current);

/// One node the search visited, with the tests made there: indices into the checks.
struct VisitedNode {
    EntityId entity;
    std::vector<std::size_t> checks;
};
/// The path of a pick in order, from the checks seen so far.
[[nodiscard]] std::vector<VisitedNode> visited_path(std::span<const Check> checks);

} // namespace picknext::ui
