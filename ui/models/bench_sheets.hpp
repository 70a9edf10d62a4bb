// SPDX-License-Identifier: GPL-3.0-or-later
// What a benchmark came to, as tables: figures with their verdicts, what was counted, and what the time rests on. Every number is the
// core's.
#pragma once

#include <QCoreApplication>

#include "core/bench/assumptions.hpp"
#include "ui/models/sheet_model.hpp"
#include "ui/run/bench_runner.hpp"

namespace picknext::ui {

struct BenchSheets {
    Q_DECLARE_TR_FUNCTIONS(BenchSheets)
  public:
    /// A row per figure and point; keys are cells. selected: the cell that is marked.
    [[nodiscard]] static Sheet results(const BenchWork& work, const bench::Outcome& outcome, std::size_t selected);
    /// What follows from the counters at a point.
    [[nodiscard]] static Sheet counted(const BenchWork& work, const bench::Outcome& outcome, std::size_t cell);
    /// The constants that were charged at a point, each with its basis.
    [[nodiscard]] static Sheet constants(const BenchWork& work, const bench::Outcome& outcome, std::size_t cell);
    /// "B against A: time −6.7 % [−7.5, −5.9] at g=14"; empty before there is any figure.
    [[nodiscard]] static QString headline(const BenchWork& work, const bench::Outcome& outcome, std::size_t cell);
    /// How much of the kernel's time rests on what: "assumed 41 %, fitted 30 %"; empty where no time was charged.
    [[nodiscard]] static QString basis(const BenchWork& work, const bench::Outcome& outcome, std::size_t cell);
    /// The same in letters, for cells: "A 41 F 30 P 29".
    [[nodiscard]] static QString basisLetters(const BenchWork& work, const bench::Outcome& outcome, std::size_t cell);

    [[nodiscard]] static QString armName(const bench::Plan& plan, std::size_t arm);
    [[nodiscard]] static QString pointName(const bench::Plan& plan, std::size_t cell);
    [[nodiscard]] static QString verdict(bench::Verdict verdict);
    [[nodiscard]] static QString basisName(cost::Basis basis);
    /// "P", "M", "F", "A"
    [[nodiscard]] static QString basisLetter(cost::Basis basis);
    /// The least sure basis of leaving an idle state: those have rows of their own in a profile.
    [[nodiscard]] static cost::Basis idleBasis(const cost::CostProfile& profile);
    [[nodiscard]] static QString spendName(Spend kind);
    /// A ratio as change: "−6.7 %".
    [[nodiscard]] static QString change(double ratio);
    /// The constants charged at a point by either arm; of each the larger share.
    [[nodiscard]] static std::vector<bench::Assumption> assumptionsAt(const BenchWork& work, const bench::Outcome& outcome, std::size_t cell);
};

} // namespace picknext::ui
