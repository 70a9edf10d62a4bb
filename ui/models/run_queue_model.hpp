// SPDX-License-Identifier: GPL-3.0-or-later
// Tasks and what the fair class knows about them: of one CPU's queue, or of the whole machine.
#pragma once

#include <memory>
#include <vector>

#include <QAbstractTableModel>

#include "core/history/timeline.hpp"

namespace picknext::ui {

class RunQueueModel final : public QAbstractTableModel {
    Q_OBJECT
  public:
    enum Column {
        Name,
        Cpu,
        State,
        PolicyName,
        Nice,
        WeightCoarse,
        Vruntime,
        Lag,
        Deadline,
        Slice,
        ExecTime,
        Util,
        Load,
        Affinity,
        Migrations,
        ColumnCount
    };

    using QAbstractTableModel::QAbstractTableModel;
    void setSnapshot(std::shared_ptr<const Snapshot> snapshot);
    /// Which CPU's tasks; none = every task that is not dead.
    void setCpu(CpuId cpu);
    [[nodiscard]] CpuId cpu() const { return m_cpu; }

    int rowCount(const QModelIndex& parent = {}) const override;
    int columnCount(const QModelIndex& parent = {}) const override;
    QVariant data(const QModelIndex& index, int role) const override;
    QVariant headerData(int section, Qt::Orientation orientation, int role) const override;

  private:
    void update(std::shared_ptr<const Snapshot> snapshot, CpuId cpu);
    [[nodiscard]] QString stateName(const picknext::Task& task, TaskId id) const;
    /// The number a column shows; text columns give 0.
    [[nodiscard]] qint64 number(TaskId id, int column) const;
    [[nodiscard]] QString text(TaskId id, int column) const;

    std::shared_ptr<const Snapshot> m_snapshot;
    CpuId m_cpu;
    std::vector<TaskId> m_tasks;
};

} // namespace picknext::ui
