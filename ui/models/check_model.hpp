// SPDX-License-Identifier: GPL-3.0-or-later
// The checks of the decision shown, in the order made; one row each, words from core/explain.
#pragma once

#include <memory>
#include <vector>

#include <QAbstractListModel>

#include "core/explain/explain.hpp"
#include "core/history/timeline.hpp"

namespace picknext::ui {

class CheckModel final : public QAbstractListModel {
    Q_OBJECT
  public:
    using QAbstractListModel::QAbstractListModel;
    /// Rows not yet seen when stepping by check are covered.
    void setChecks(std::shared_ptr<const Snapshot> snapshot, std::vector<ExplainedCheck> checks);
    [[nodiscard]] int decidingRow() const;
    [[nodiscard]] const ExplainedCheck& check(int row) const {
        return m_checks[static_cast<std::size_t>(row)];
    }

    int rowCount(const QModelIndex& parent = {}) const override;
    QVariant data(const QModelIndex& index, int role) const override;

  private:
    [[nodiscard]] bool covered(int row) const;
    std::shared_ptr<const Snapshot> m_snapshot;
    std::vector<ExplainedCheck> m_checks;
};

} // namespace picknext::ui
