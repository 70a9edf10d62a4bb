// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/models/decision_model.hpp"

#include <algorithm>
#include <limits>

#include "core/explain/explain.hpp"
#include "core/trace/decision.hpp"
#include "ui/models/number_text.hpp"
#include "ui/models/roles.hpp"

namespace picknext::ui {

namespace {
QString from(std::string_view text) {
    return QString::fromUtf8(text.data(), static_cast<qsizetype>(text.size()));
}
int rows_of(const Snapshot* s) {
    return s ? static_cast<int>(std::min<std::uint64_t>(s->index.rows, std::numeric_limits<int>::max())) : 0;
}
} // namespace

void DecisionModel::setSnapshot(std::shared_ptr<const Snapshot> snapshot) {
    const int rows = rows_of(snapshot.get());
    const bool same_run = m_snapshot && snapshot && m_snapshot->scenario == snapshot->scenario;
    if (!same_run || rows < m_rows) {
        beginResetModel();
        m_snapshot = std::move(snapshot);
        m_rows = rows;
        endResetModel();
        return;
    }
    const int before = currentRow();
    if (rows > m_rows) beginInsertRows({}, m_rows, rows - 1);
    m_snapshot = std::move(snapshot);
    if (rows > m_rows) {
        m_rows = rows;
        endInsertRows();
    }
    for (const int row : {before, currentRow()})
        if (row >= 0 && before != currentRow())
            Q_EMIT dataChanged(index(row, 0), index(row, ColumnCount - 1), {NowRole});
}

int DecisionModel::currentRow() const {
    if (!m_snapshot || m_snapshot->position.decision == 0) return -1;
    const int row = static_cast<int>(m_snapshot->position.decision - 1);
    return row < m_rows ? row : -1;
}

int DecisionModel::rowCount(const QModelIndex& parent) const { return parent.isValid() ? 0 : m_rows; }
int DecisionModel::columnCount(const QModelIndex& parent) const { return parent.isValid() ? 0 : ColumnCount; }

QString DecisionModel::taskName(int task) const {
    if (task < 0) return tr("idle");
    if (static_cast<std::size_t>(task) >= m_snapshot->state.tasks.size()) return tr("task %1").arg(task);
    return QString::fromStdString(name_of(*m_snapshot->scenario, m_snapshot->state, TaskId{task}));
}

QString DecisionModel::outcome(const DecisionHeader& row) const {
    switch (info(row.kind).outcome) {
    case OutcomeType::task:
        return taskName(row.outcome);
    case OutcomeType::cpu:
        if (row.outcome < 0 ||
            static_cast<std::size_t>(row.outcome) >= m_snapshot->scenario->machine.cpu_count())
            return tr("none");
        return tr("CPU %1").arg(m_snapshot->scenario->machine.cpu(CpuId{row.outcome}).number);
    case OutcomeType::entity:
        if (row.outcome < 0) return tr("none");
        if (static_cast<std::size_t>(row.outcome) >= m_snapshot->state.entities.size())
            return tr("entity %1").arg(row.outcome);
        return QString::fromStdString(
            name_of(*m_snapshot->scenario, m_snapshot->state, EntityId{row.outcome}));
    case OutcomeType::yes_no:
        switch (row.kind) {
        case picknext::Kind::preempt:
        case picknext::Kind::tick:
            return row.outcome == 1 ? tr("reschedule") : tr("goes on");
        case picknext::Kind::dequeue:
            return row.outcome == 1 ? tr("leaves") : tr("delayed");
        default:
            return row.outcome == 1 ? tr("yes") : tr("no");
        }
    case OutcomeType::none:
        break;
    }
    return QStringLiteral("–");
}

QString DecisionModel::text(const DecisionHeader& row, int line, int column) const {
    switch (column) {
    case Number:
        return QString::number(numberOf(line));
    case Time:
        return msColumn(row.at);
    case Cpu:
        return QString::number(
            m_snapshot->scenario->machine.cpu(CpuId{static_cast<std::int32_t>(row.cpu)}).number);
    case Kind:
        return from(info(row.kind).name);
    case Task:
        return taskName(row.task);
    case Outcome:
        return outcome(row);
    case Reason:
        return from(info(row.reason).sentence);
    default:
        return {};
    }
}

QVariant DecisionModel::data(const QModelIndex& index, int role) const {
    if (!index.isValid() || !m_snapshot || index.row() >= m_rows) return {};
    const DecisionHeader& row = m_snapshot->index.row(static_cast<std::uint64_t>(index.row()));
    switch (role) {
    case Qt::DisplayRole:
    case Qt::ToolTipRole:
        return text(row, index.row(), index.column());
    case CopyRole:
        return plain(text(row, index.row(), index.column()));
    case Qt::TextAlignmentRole:
        return QVariant(index.column() <= Cpu ? Qt::AlignRight | Qt::AlignVCenter
                                              : Qt::AlignLeft | Qt::AlignVCenter);
    case KernelNameRole:
        return index.column() <= Cpu;
    case TaskRole: {
        if (index.column() == Task && row.task >= 0) return row.task;
        if (index.column() != Outcome || row.outcome < 0) return {};
        const OutcomeType type = info(row.kind).outcome;
        if (type == OutcomeType::task) return row.outcome;
        if (type == OutcomeType::entity &&
            static_cast<std::size_t>(row.outcome) < m_snapshot->state.entities.size()) {
            const TaskId t = m_snapshot->state.entity(EntityId{row.outcome}).task;
            if (t) return t.value;
        }
        return {};
    }
    case QueuedOnRole: {
        const QVariant task = data(index, TaskRole);
        if (!task.isValid() || static_cast<std::size_t>(task.toInt()) >= m_snapshot->state.tasks.size())
            return -1;
        const picknext::Task& t = m_snapshot->state.task(TaskId{task.toInt()});
        return t.on_rq != 0 ? t.cpu.value : -1;
    }
    case CpuRole:
        return static_cast<int>(row.cpu);
    case NowRole:
        return index.row() == currentRow();
    default:
        return {};
    }
}

QVariant DecisionModel::headerData(int section, Qt::Orientation orientation, int role) const {
    if (orientation != Qt::Horizontal) return {};
    if (role == Qt::TextAlignmentRole)
        return QVariant(section <= Cpu ? Qt::AlignRight | Qt::AlignVCenter
                                       : Qt::AlignLeft | Qt::AlignVCenter);
    if (role != Qt::DisplayRole) return {};
    switch (section) {
    case Number:
        return tr("#");
    case Time:
        return tr("time ms");
    case Cpu:
        return tr("CPU");
    case Kind:
        return tr("kind");
    case Task:
        return tr("task");
    case Outcome:
        return tr("outcome");
    case Reason:
        return tr("reason");
    default:
        return {};
    }
}

} // namespace picknext::ui
