// SPDX-License-Identifier: GPL-3.0-or-later
// What a benchmark came to, as plots.
#pragma once

#include <vector>

#include <QCoreApplication>

#include "ui/plots/chart.hpp"
#include "ui/run/bench_runner.hpp"

namespace picknext::ui {

struct BenchCharts {
    Q_DECLARE_TR_FUNCTIONS(BenchCharts)
  public:
    /// Those there is something to show for. cell: the point of the plots that are of one point.
    [[nodiscard]] static std::vector<Chart> of(const BenchWork& work, const bench::Outcome& outcome, std::size_t cell);
};

} // namespace picknext::ui
