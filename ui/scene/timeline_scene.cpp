// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/scene/timeline_scene.hpp"

#include <algorithm>
#include <cmath>
#include <tuple>

namespace picknext::ui {
namespace {

/// Index of the first slice that ends after `ns`.
std::size_t first_ending_after(std::span<const LaneSlice> slices, double ns) {
    const auto it = std::partition_point(slices.begin(), slices.end(), [ns](const LaneSlice& s) { return static_cast<double>(s.end) <= ns; });
    return static_cast<std::size_t>(it - slices.begin());
}

bool is_open(const std::vector<bool>& open, int llc) { return static_cast<std::size_t>(llc) < open.size() && open[static_cast<std::size_t>(llc)]; }

/// Every CPU a lane; the selected one at least twice as tall.
void lay_plain(const Machine& machine, CpuId selected, const TimelineMetrics& m, TimelineRows& out) {
    const std::vector<CpuId> order = topology_order(machine);
    const double u = m.unit, room = m.viewport.height() - m.axis - 4 * u, count = static_cast<double>(order.size());
    const double tall = std::min(std::max(m.line + 6 * u, 2 * room / (count + 1)), 40 * u);
    const double gap = room / count > 12 * u ? 4 * u : 2 * u;
    double cores = 0;
    for (std::size_t i = 0; i < order.size(); ++i)
        if (i == 0 || machine.cpu(order[i]).core != machine.cpu(order[i - 1]).core) ++cores;
    const double fair = count > 1 ? (room - tall - gap * cores) / (count - 1) : tall;
    const double height = std::clamp(fair, 3 * u, tall / 2);
    double y = m.axis;
    for (std::size_t i = 0; i < order.size(); ++i) {
        const bool first = i == 0 || machine.cpu(order[i]).core != machine.cpu(order[i - 1]).core;
        if (first && i > 0) y += gap;
        const double h = order[i] == selected ? std::max(tall, 2 * height) : height;
        out.rows.push_back({TimelineRow::Kind::cpu, order[i].value, y, h, false});
        y += h;
    }
    out.height = y + 4 * u;
}

void lay_gathered(const Machine& machine, CpuId selected, const std::vector<bool>& open, const TimelineMetrics& m, TimelineRows& out) {
    const std::vector<CpuId> order = topology_order(machine);
    const double u = m.unit, llc_height = m.line + 7 * u, cpu_height = m.line + 5 * u, gap = 3 * u;
    double y = m.axis;
    int llc = -1;
    for (const CpuId cpu : order) {
        if (machine.cpu(cpu).llc.value != llc) {
            llc = machine.cpu(cpu).llc.value;
            out.rows.push_back({TimelineRow::Kind::llc, llc, y, is_open(open, llc) ? m.line + 2 * u : llc_height, is_open(open, llc)});
            y += out.rows.back().height + gap;
        }
        if (!is_open(open, llc)) continue;
        const double h = cpu == selected ? 2 * cpu_height : cpu_height;
        out.rows.push_back({TimelineRow::Kind::cpu, cpu.value, y, h, false});
        y += h + 1;
    }
    out.height = y + 4 * u;
}

/// Adds the time a slice covers to the bins it touches.
void add_busy(std::vector<float>& busy, const Axis& axis, double bin_ns, double begin, double end) {
    const double a = std::max(0.0, (begin - axis.from) / bin_ns), b = std::min(static_cast<double>(busy.size()), (end - axis.from) / bin_ns);
    for (auto bin = static_cast<std::size_t>(a); static_cast<double>(bin) < b; ++bin) {
        const double lo = std::max(a, static_cast<double>(bin)), hi = std::min(b, static_cast<double>(bin + 1));
        busy[bin] += static_cast<float>(hi - lo);
    }
}

} // namespace

std::vector<CpuId> topology_order(const Machine& machine) {
    std::vector<CpuId> order;
    for (std::size_t c = 0; c < machine.cpu_count(); ++c) order.emplace_back(c);
    std::stable_sort(order.begin(), order.end(), [&](CpuId a, CpuId b) {
        const auto key = [&](CpuId c) { const Cpu& x = machine.cpu(c); return std::tuple(x.node, x.llc, x.cluster, x.core, c); };
        return key(a) < key(b);
    });
    return order;
}

TimelineRows layout_rows(const Machine& machine, CpuId selected, const std::vector<bool>& open_llcs, const TimelineMetrics& metrics) {
    TimelineRows out;
    if (machine.cpu_count() == 0) return out;
    if (machine.cpu_count() <= most_plain_lanes) lay_plain(machine, selected, metrics, out);
    else lay_gathered(machine, selected, open_llcs, metrics, out);
    return out;
}

int TimelineRows::row_at(double y) const {
    for (std::size_t i = 0; i < rows.size(); ++i)
        if (y >= rows[i].top && y < rows[i].top + rows[i].height) return static_cast<int>(i);
    return -1;
}

int TimelineRows::row_of(CpuId cpu, const Machine& machine) const {
    if (!cpu.valid() || cpu.index() >= machine.cpu_count()) return -1;
    int llc_row = -1;
    for (std::size_t i = 0; i < rows.size(); ++i) {
        if (rows[i].kind == TimelineRow::Kind::cpu && rows[i].id == cpu.value) return static_cast<int>(i);
        if (rows[i].kind == TimelineRow::Kind::llc && rows[i].id == machine.cpu(cpu).llc.value) llc_row = static_cast<int>(i);
    }
    return llc_row;
}

std::vector<LanePiece> lay_lane(std::span<const LaneSlice> slices, const Axis& axis, std::int64_t frontier) {
    std::vector<LanePiece> pieces;
    const double scale = (axis.right - axis.left) / axis.span(); // this loop may run a million times
    for (std::size_t i = first_ending_after(slices, axis.from); i < slices.size(); ++i) {
        const double begin = static_cast<double>(slices[i].begin), end = static_cast<double>(std::min(slices[i].end, frontier));
        if (begin >= axis.to) break;
        const double left = std::max(axis.left, axis.left + (begin - axis.from) * scale);
        const double right = std::min(axis.right, axis.left + (end - axis.from) * scale);
        if (right <= left) continue;
        if (right - left >= 1) {
            pieces.push_back({left, right, slices[i].task, 1});
            continue;
        }
        const auto pixel = static_cast<double>(static_cast<std::int64_t>(left)); // left >= 0
        if (!pieces.empty() && !pieces.back().task.valid() && pieces.back().left == pixel) pieces.back().share += right - left;
        else pieces.push_back({pixel, pixel + 1, TaskId::none(), right - left});
    }
    for (LanePiece& p : pieces) p.share = std::min(1.0, p.share);
    return pieces;
}

std::vector<LanePiece> lay_waiting(std::span<const WaitStep> steps, const Axis& axis, std::int64_t frontier) {
    std::vector<LanePiece> pieces;
    const auto after = std::partition_point(steps.begin(), steps.end(), [&](const WaitStep& s) { return static_cast<double>(s.at) <= axis.from; });
    for (auto i = static_cast<std::size_t>(after == steps.begin() ? 0 : after - steps.begin() - 1); i < steps.size(); ++i) {
        if (steps[i].tasks == 0) continue;
        const std::int64_t end = i + 1 < steps.size() ? steps[i + 1].at : frontier;
        const double left = std::max(axis.left, axis.x(static_cast<double>(steps[i].at)));
        const double right = std::min(axis.right, std::max(axis.x(static_cast<double>(end)), left + 1));
        if (left >= axis.right) break;
        if (!pieces.empty() && left <= pieces.back().right) pieces.back().right = std::max(pieces.back().right, right);
        else pieces.push_back({left, right, TaskId::none(), 1});
    }
    return pieces;
}

std::vector<float> busy_shares(std::span<const std::span<const LaneSlice>> lanes, const Axis& axis, double bin_px, std::int64_t frontier) {
    const double bin_ns = axis.per_pixel() * bin_px, last = std::min(axis.to, static_cast<double>(frontier));
    if (last <= axis.from || lanes.empty()) return {};
    std::vector<float> busy(static_cast<std::size_t>(std::ceil((last - axis.from) / bin_ns)), 0.F);
    for (const auto& slices : lanes)
        for (std::size_t i = first_ending_after(slices, axis.from); i < slices.size() && static_cast<double>(slices[i].begin) < last; ++i)
            add_busy(busy, axis, bin_ns, static_cast<double>(slices[i].begin), std::min(static_cast<double>(slices[i].end), last));
    for (float& b : busy) b = std::min(1.F, b / static_cast<float>(lanes.size()));
    return busy;
}

std::pair<std::uint64_t, std::uint64_t> log_range(const RunIndex& index, std::int64_t from, std::int64_t to) {
    const auto first_where = [&](auto&& beyond) {
        std::uint64_t low = 0, high = index.rows;
        while (low < high) {
            const std::uint64_t middle = low + (high - low) / 2;
            if (beyond(index.row(middle).at)) high = middle;
            else low = middle + 1;
        }
        return low;
    };
    return {first_where([from](std::int64_t at) { return at >= from; }), first_where([to](std::int64_t at) { return at > to; })};
}

std::vector<std::uint64_t> decision_density(const RunIndex& index, const Axis& axis, double bin_px) {
    const double bin_ns = axis.per_pixel() * bin_px;
    std::vector<std::uint64_t> counts(static_cast<std::size_t>(std::ceil((axis.right - axis.left) / bin_px)), 0);
    for (std::size_t i = 0; i < counts.size(); ++i) {
        const auto from = static_cast<std::int64_t>(axis.from + bin_ns * static_cast<double>(i));
        const auto to = static_cast<std::int64_t>(axis.from + bin_ns * static_cast<double>(i + 1)) - 1;
        const auto [first, last] = log_range(index, from, to);
        counts[i] = last - first;
    }
    return counts;
}

} // namespace picknext::ui
