// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/scene/tree_scene.hpp"

#include <algorithm>

namespace picknext::ui {
namespace {

/// Appends the subtree in order and returns the index of its root.
int append(const State& st, EntityId root, int depth, TreeShape& shape) { // depth is at most 2 log2(n): recursion is safe
    if (!root.valid()) return -1;
    const TreeLink& link = st.entity(root).link;
    const int left = append(st, link.left, depth + 1, shape);
    const int self = static_cast<int>(shape.nodes.size());
    shape.nodes.push_back({root, depth, -1, left, -1, link.red != 0});
    shape.height = std::max(shape.height, depth + 1);
    const int right = append(st, link.right, depth + 1, shape);
    shape.nodes[static_cast<std::size_t>(self)].right = right;
    if (left >= 0) shape.nodes[static_cast<std::size_t>(left)].parent = self;
    if (right >= 0) shape.nodes[static_cast<std::size_t>(right)].parent = self;
    return self;
}

bool belongs_to_search(Chk id) {
    return id == Chk::left_subtree_eligible || id == Chk::node_eligible || id == Chk::node_earlier_deadline || id == Chk::left_min_deadline;
}

struct NodeSize {
    NodeDetail detail;
    double width, height;
};

/// The largest form whose width fits twice the spacing (two nodes of a level are two ranks apart or more) and whose
/// height, with its badge, fits the room a level has.
NodeSize choose_size(double width, double room, const TreeMetrics& m) {
    const double u = m.unit, badge = m.has_badge ? m.badge - 3 * u : 0, gap = 7 * u;
    const auto lines = [&](int n) { return n * m.line + (n > 1 ? 7 : 5) * u; };
    const auto fits = [&](double wanted, int n, bool with_badge) {
        return width >= wanted * u && room >= lines(n) + (with_badge ? badge : 0) + gap;
    };
    if (fits(104, 3, true)) return {NodeDetail::full, std::min(width, 118 * u), lines(3)};
    if (fits(76, 2, true)) return {NodeDetail::key, std::min(width, 88 * u), lines(2)};
    if (fits(40, 1, false)) return {NodeDetail::name, std::min(width, 84 * u), lines(1)};
    if (width >= 8 * u) return {NodeDetail::cell, std::min(width, 28 * u), std::clamp(room - gap, 6 * u, 14 * u)};
    return {NodeDetail::aggregate, width, 0};
}

} // namespace

int TreeShape::find(EntityId entity) const {
    for (std::size_t i = 0; i < nodes.size(); ++i)
        if (nodes[i].entity == entity) return static_cast<int>(i);
    return -1;
}

TreeShape shape_of(const State& st, QueueId queue) {
    TreeShape shape;
    if (queue.valid() && queue.index() < st.queues.size()) append(st, st.queue(queue).root, 0, shape);
    return shape;
}

TreeScene layout_tree(const TreeShape& shape, const TreeMetrics& m, bool with_current) {
    TreeScene s;
    const double u = m.unit, margin = 6 * u, head = 20 * u; // head: room for numbers and the "next" label above the root
    const int count = static_cast<int>(shape.nodes.size());
    const double width = std::max(1.0, m.viewport.width() * m.zoom - 2 * margin);
    const double room = (m.viewport.height() - head - margin) / std::max(1, shape.height);
    const double fitting = width / (count + 1.0);
    const NodeSize size = choose_size(std::min(2 * fitting, width / std::max(1, std::min(count, 2))) - 8 * u, room, m);
    s.spacing = count > 1 ? std::min((width - size.width) / (count - 1.0), 140 * u) : 0;
    s.detail = size.detail;
    s.pitch = std::min(room, size.height + m.badge + 34 * u);
    s.top = head;
    const double used = s.spacing * std::max(0, count - 1) + size.width, shift = margin + std::max(0.0, (width - used) / 2) + size.width / 2;
    s.nodes.reserve(shape.nodes.size());
    for (int rank = 0; rank < count; ++rank) {
        const double centre = shift + s.spacing * rank;
        s.nodes.emplace_back(centre - size.width / 2, s.top + s.pitch * shape.nodes[static_cast<std::size_t>(rank)].depth, size.width, size.height);
    }
    s.size = {width + 2 * margin, s.top + s.pitch * shape.height + margin};
    if (with_current && size.detail <= NodeDetail::name) {
        const double w = size.width, y = s.top, below = size.detail < NodeDetail::name ? m.badge : 3 * u;
        const QRectF right(margin + width - w, y, w, size.height), left(margin, y, w, size.height);
        const auto is_free = [&](const QRectF& r) {
            const QRectF around = r.adjusted(-10 * u, -m.line, 10 * u, below);
            return std::none_of(s.nodes.begin(), s.nodes.end(), [&](const QRectF& n) { return n.intersects(around); });
        };
        s.current = is_free(right) ? right : is_free(left) ? left : QRectF();
    }
    return s;
}

int TreeScene::node_at(const QPointF& p) const {
    for (std::size_t i = 0; i < nodes.size(); ++i)
        if (nodes[i].adjusted(0, 0, 0, 6).contains(p)) return static_cast<int>(i);
    return -1;
}

std::vector<VisitedNode> visited_path(std::span<const Check> checks) {
    std::vector<VisitedNode> path;
    for (std::size_t i = 0; i < checks.size(); ++i) {
        if (!belongs_to_search(checks[i].id)) continue;
        const EntityId entity{checks[i].subject};
        if (path.empty() || path.back().entity != entity) path.push_back({entity, {}});
        path.back().checks.push_back(i);
    }
    return path;
}

} // namespace picknext::ui
