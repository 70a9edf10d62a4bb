// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/models/check_model.hpp"

#include "ui/models/roles.hpp"

namespace picknext::ui {

void CheckModel::setChecks(std::shared_ptr<const Snapshot> snapshot, std::vector<ExplainedCheck> checks) {
    const bool same = m_snapshot && snapshot && m_snapshot->scenario == snapshot->scenario &&
                      m_snapshot->position.decision == snapshot->position.decision &&
                      checks.size() == m_checks.size();
    if (!same) beginResetModel();
    m_snapshot = std::move(snapshot);
    m_checks = std::move(checks);
    if (!same)
        endResetModel();
    else if (!m_checks.empty())
        Q_EMIT dataChanged(index(0), index(rowCount() - 1)); // only how far one has stepped
}

int CheckModel::decidingRow() const {
    for (std::size_t i = 0; i < m_checks.size(); ++i)
        if (m_checks[i].deciding) return static_cast<int>(i);
    return -1;
}

bool CheckModel::covered(int row) const { return row >= static_cast<int>(m_snapshot->position.check); }

int CheckModel::rowCount(const QModelIndex& parent) const {
    return parent.isValid() ? 0 : static_cast<int>(m_checks.size());
}

QVariant CheckModel::data(const QModelIndex& index, int role) const {
    if (!index.isValid() || static_cast<std::size_t>(index.row()) >= m_checks.size()) return {};
    const ExplainedCheck& c = m_checks[static_cast<std::size_t>(index.row())];
    const bool hidden = covered(index.row());
    switch (role) {
    case Qt::DisplayRole:
        return QString::fromStdString(c.question);
    case StepRole:
        return QString::fromStdString(c.step);
    case InputsRole:
        return hidden ? tr("not asked yet") : QString::fromStdString(c.inputs);
    case VerdictRole:
        return hidden ? QStringLiteral("…") : QString::fromStdString(c.verdict);
    case VerdictKindRole:
        return static_cast<int>(hidden ? Verdict::not_asked : c.check.verdict);
    case DecidingRole:
        return c.deciding && !hidden;
    case CoveredRole:
        return hidden;
    case Qt::AccessibleTextRole:
        return tr("%1 %2: %3")
            .arg(QString::fromStdString(c.step), QString::fromStdString(c.question),
                 hidden ? tr("not asked yet") : QString::fromStdString(c.verdict));
    case Qt::ToolTipRole: {
        QString tip = QString::fromStdString(c.question);
        if (!hidden) tip += QLatin1Char('\n') + QString::fromStdString(c.inputs);
        if (!c.function.empty())
            tip += QLatin1Char('\n') + tr("Kernel: %1").arg(QString::fromStdString(c.function));
        if (!c.governed.empty())
            tip += QLatin1Char('\n') + tr("Governed by %1").arg(QString::fromStdString(c.governed));
        return tip;
    }
    default:
        return {};
    }
}

} // namespace picknext::ui
