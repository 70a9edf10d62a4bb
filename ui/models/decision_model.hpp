// SPDX-License-Identifier: GPL-3.0-or-later
// The decision log as a table. Rows are read from the run's index when they are shown; nothing is copied.
#pragma once

#include <memory>

#include <QAbstractTableModel>

#include "core/history/timeline.hpp"

namespace picknext::ui {

class DecisionModel final : public QAbstractTableModel {
    Q_OBJECT
  public:
    enum Column { Number, Time, Cpu, Kind, Task, Outcome, Reason, ColumnCount };

    using QAbstractTableModel::QAbstractTableModel;
    void setSnapshot(std::shared_ptr<const Snapshot> snapshot);
    /// The row of the decision shown, -1 at the start.
    [[nodiscard]] int currentRow() const;
    [[nodiscard]] static quint64 numberOf(int row) { return static_cast<quint64>(row) + 1; }

    int rowCount(const QModelIndex& parent = {}) const override;
    int columnCount(const QModelIndex& parent = {}) const override;
    QVariant data(const QModelIndex& index, int role) const override;
    QVariant headerData(int section, Qt::Orientation orientation, int role) const override;

  private:
    [[nodiscard]] QString text(const DecisionHeader& row, int line, int column) const;
    [[nodiscard]] QString taskName(int task) const;
    [[nodiscard]] QString outcome(const DecisionHeader& row) const;
    std::shared_ptr<const Snapshot> m_snapshot;
    int m_rows = 0;
};

} // namespace picknext::ui
