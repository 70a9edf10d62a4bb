// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/models/run_queue_model.hpp"

#include "core/explain/explain.hpp"
#include "core/fair/views.hpp"
#include "ui/models/number_text.hpp"
#include "ui/models/roles.hpp"

namespace picknext::ui {

namespace {
/// The tasks shown, by id: those queued on a CPU, or all that live.
std::vector<TaskId> tasks_of(const picknext::State& st, CpuId cpu) {
    std::vector<TaskId> out;
    for (std::size_t i = 0; i < st.tasks.size(); ++i) {
        const Task& t = st.tasks[i];
        if (cpu ? (t.cpu == cpu && t.on_rq != 0) : t.state != TaskState::dead) out.emplace_back(i);
    }
    return out;
}

bool is_text(int column) {
    return column == RunQueueModel::Name || column == RunQueueModel::State ||
           column == RunQueueModel::PolicyName || column == RunQueueModel::Affinity;
}
} // namespace

void RunQueueModel::setSnapshot(std::shared_ptr<const Snapshot> snapshot) {
    update(std::move(snapshot), m_cpu);
}

void RunQueueModel::setCpu(CpuId cpu) {
    if (cpu != m_cpu) update(m_snapshot, cpu);
}

void RunQueueModel::update(std::shared_ptr<const Snapshot> snapshot, CpuId cpu) {
    std::vector<TaskId> next = snapshot ? tasks_of(snapshot->state, cpu) : std::vector<TaskId>{};
    const bool same_run =
        m_snapshot && snapshot && m_snapshot->scenario == snapshot->scenario && cpu == m_cpu;
    m_cpu = cpu;
    if (!same_run) {
        beginResetModel();
        m_snapshot = std::move(snapshot);
        m_tasks = std::move(next);
        endResetModel();
        return;
    }
    m_snapshot = std::move(snapshot);
    // Both lists ascend: walk them together, removing and inserting single rows.
    std::size_t row = 0;
    for (std::size_t i = 0; i <= next.size(); ++i) {
        while (row < m_tasks.size() && (i == next.size() || m_tasks[row] < next[i])) {
            beginRemoveRows({}, static_cast<int>(row), static_cast<int>(row));
            m_tasks.erase(m_tasks.begin() + static_cast<std::ptrdiff_t>(row));
            endRemoveRows();
        }
        if (i == next.size()) break;
        if (row == m_tasks.size() || m_tasks[row] != next[i]) {
            beginInsertRows({}, static_cast<int>(row), static_cast<int>(row));
            m_tasks.insert(m_tasks.begin() + static_cast<std::ptrdiff_t>(row), next[i]);
            endInsertRows();
        }
        ++row;
    }
    if (!m_tasks.empty())
        Q_EMIT dataChanged(index(0, 0), index(static_cast<int>(m_tasks.size()) - 1, ColumnCount - 1));
}

int RunQueueModel::rowCount(const QModelIndex& parent) const {
    return parent.isValid() ? 0 : static_cast<int>(m_tasks.size());
}
int RunQueueModel::columnCount(const QModelIndex& parent) const { return parent.isValid() ? 0 : ColumnCount; }

QString RunQueueModel::stateName(const picknext::Task& task, TaskId id) const {
    const picknext::State& st = m_snapshot->state;
    switch (task.state) {
    case TaskState::waiting_to_start:
        return tr("not started");
    case TaskState::dead:
        return tr("exited");
    case TaskState::sleeping:
        return st.entity(task.entity).sched_delayed != 0 ? tr("sleeping, delayed") : tr("sleeping");
    case TaskState::runnable:
        return st.rq(task.cpu).curr == id ? tr("running") : tr("waiting");
    }
    return {};
}

qint64 RunQueueModel::number(TaskId id, int column) const {
    const picknext::State& st = m_snapshot->state;
    const Task& t = st.task(id);
    const Entity& e = st.entity(id);
    switch (column) {
    case Cpu:
        return t.cpu ? m_snapshot->scenario->machine.cpu(t.cpu).number : -1;
    case Nice:
        return t.nice;
    case WeightCoarse:
        return static_cast<qint64>(e.weight.coarse());
    case Vruntime:
        return static_cast<qint64>(e.vruntime.ns);
    case Lag:
        return e.on_rq != 0 && e.queue ? fair::lag(st.settings, st, e.queue, t.entity) : e.vlag;
    case Deadline:
        return static_cast<qint64>(e.deadline.ns);
    case Slice:
        return static_cast<qint64>(e.slice);
    case ExecTime:
        return static_cast<qint64>(e.sum_exec);
    case Util:
        return static_cast<qint64>(e.avg.util_avg);
    case Load:
        return static_cast<qint64>(e.avg.load_avg);
    case Migrations:
        return static_cast<qint64>(t.migrations);
    default:
        return 0;
    }
}

QString RunQueueModel::text(TaskId id, int column) const {
    const picknext::State& st = m_snapshot->state;
    const Task& t = st.task(id);
    switch (column) {
    case Name:
        return QString::fromStdString(name_of(*m_snapshot->scenario, st, id));
    case State:
        return stateName(t, id);
    case PolicyName:
        return t.policy == Policy::normal  ? QStringLiteral("NORMAL")
               : t.policy == Policy::batch ? QStringLiteral("BATCH")
                                           : QStringLiteral("IDLE");
    case Affinity: {
        const CpuSetView allowed = st.mask(t.affinity);
        if (count(allowed) == static_cast<int>(st.cpu_count())) return tr("all");
        return QString::fromStdString(cpu_list(m_snapshot->scenario->machine, allowed));
    }
    case Cpu:
        return t.cpu ? QString::number(number(id, column)) : QStringLiteral("–");
    case Deadline:
    case Slice:
        if (!st.settings.eevdf()) return QStringLiteral("–"); // CFS has neither
        break;
    default:
        break;
    }
    return groupedNumber(number(id, column));
}

QVariant RunQueueModel::data(const QModelIndex& index, int role) const {
    if (!index.isValid() || !m_snapshot || static_cast<std::size_t>(index.row()) >= m_tasks.size()) return {};
    const TaskId id = m_tasks[static_cast<std::size_t>(index.row())];
    const bool words = is_text(index.column());
    switch (role) {
    case Qt::DisplayRole:
    case Qt::ToolTipRole:
        return text(id, index.column());
    case CopyRole:
        return plain(text(id, index.column()));
    case Qt::TextAlignmentRole:
        return QVariant(words ? Qt::AlignLeft | Qt::AlignVCenter : Qt::AlignRight | Qt::AlignVCenter);
    case KernelNameRole:
        return !words || index.column() == PolicyName;
    case TaskRole:
        return index.column() == Name ? QVariant(id.value) : QVariant();
    case QueuedOnRole:
        return m_snapshot->state.task(id).on_rq != 0 ? m_snapshot->state.task(id).cpu.value : -1;
    case NowRole:
        return m_snapshot->state.task(id).cpu &&
               m_snapshot->state.rq(m_snapshot->state.task(id).cpu).curr == id;
    case SortRole:
        return words ? QVariant(text(id, index.column())) : QVariant(number(id, index.column()));
    default:
        return {};
    }
}

QVariant RunQueueModel::headerData(int section, Qt::Orientation orientation, int role) const {
    if (orientation != Qt::Horizontal) return {};
    if (role == Qt::TextAlignmentRole)
        return QVariant(is_text(section) ? Qt::AlignLeft | Qt::AlignVCenter
                                         : Qt::AlignRight | Qt::AlignVCenter);
    if (role == Qt::ToolTipRole) {
        switch (section) {
        case Vruntime:
            return tr("Virtual runtime, ns");
        case Lag:
            return tr("V − vruntime in virtual ns; of a task off the queue the lag it keeps");
        case Deadline:
            return tr("Virtual deadline, ns");
        case WeightCoarse:
            return tr("Load weight, nice 0 = 1024");
        case Util:
            return tr("util_avg of the task, 0 to 1024");
        case Load:
            return tr("load_avg of the task");
        case ExecTime:
            return tr("Time on a CPU so far, ns");
        default:
            break;
        }
    }
    if (role != Qt::DisplayRole && role != Qt::ToolTipRole) return {};
    switch (section) {
    case Name:
        return tr("task");
    case Cpu:
        return tr("last CPU");
    case State:
        return tr("state");
    case PolicyName:
        return tr("policy");
    case Nice:
        return tr("nice");
    case WeightCoarse:
        return tr("weight");
    case Vruntime:
        return tr("vruntime ns");
    case Lag:
        return tr("lag ns");
    case Deadline:
        return tr("deadline ns");
    case Slice:
        return tr("slice ns");
    case ExecTime:
        return tr("exec ns");
    case Util:
        return tr("util");
    case Load:
        return tr("load");
    case Affinity:
        return tr("affinity");
    case Migrations:
        return tr("migrations");
    default:
        return {};
    }
}

} // namespace picknext::ui
