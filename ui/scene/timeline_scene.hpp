// SPDX-License-Identifier: GPL-3.0-or-later
// Lanes over time: which rows there are, and what of a lane is to be drawn. Cost follows what is visible, not the run.
#pragma once

#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include <QSizeF>

#include "core/history/timeline.hpp"
#include "core/topology/machine.hpp"
#include "ui/scene/axis.hpp"

namespace picknext::ui {

/// CPUs by node, LLC, cluster, core, number.
[[nodiscard]] std::vector<CpuId> topology_order(const Machine& machine);

inline constexpr std::size_t most_plain_lanes = 32; // above, lanes gather in rows per LLC

struct TimelineRow {
    enum class Kind { cpu, llc } kind = Kind::cpu;
    int id = 0;               // CpuId or LlcId
    double top = 0, height = 0;
    bool open = false;        // of an LLC: its CPUs follow
};

struct TimelineMetrics {
    QSizeF viewport;
    double axis = 18;         // height of the time labels, px
    double line = 14;         // height of a text line, px
    double unit = 1;
};

struct TimelineRows {
    std::vector<TimelineRow> rows;
    double height = 0;        // of all rows with the axis; more than the viewport when they scroll
    [[nodiscard]] int row_at(double y) const; // -1 = none
    [[nodiscard]] int row_of(CpuId cpu, const Machine& machine) const; // its own row, or its LLC's; -1 = none
};

/// open_llcs: by LlcId, may be shorter than the machine has LLCs.
[[nodiscard]] TimelineRows layout_rows(const Machine& machine, CpuId selected, const std::vector<bool>& open_llcs,
                                       const TimelineMetrics& metrics);

/// Part of a lane: a slice of one task, or several of less than a pixel merged into the share they were busy.
struct LanePiece {
    double left = 0, right = 0; // px
    TaskId task;                // none = merged
    double share = 1;           // busy share, 0..1
};
/// The slices of [axis.from, axis.to]; open ends reach `frontier`.
[[nodiscard]] std::vector<LanePiece> lay_lane(std::span<const LaneSlice> slices, const Axis& axis, std::int64_t frontier);

/// Spans of the axis in which tasks wait, at least a pixel long each.
[[nodiscard]] std::vector<LanePiece> lay_waiting(std::span<const WaitStep> steps, const Axis& axis, std::int64_t frontier);

/// Busy share of the lanes together per bin of the axis, up to `frontier`; later bins are left out.
[[nodiscard]] std::vector<float> busy_shares(std::span<const std::span<const LaneSlice>> lanes, const Axis& axis, double bin_px,
                                             std::int64_t frontier);

/// Rows [first, last) of the log whose time lies in [from, to]; the log ascends in time.
[[nodiscard]] std::pair<std::uint64_t, std::uint64_t> log_range(const RunIndex& index, std::int64_t from, std::int64_t to);

/// Decisions per bin of the axis.
[[nodiscard]] std::vector<std::uint64_t> decision_density(const RunIndex& index, const Axis& axis, double bin_px);

} // namespace picknext::ui
