// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/models/sheet_model.hpp"

#include <algorithm>

#include "ui/models/number_text.hpp"
#include "ui/models/roles.hpp"

namespace picknext::ui {

int Sheet::column(const QString& name) const {
    const auto found = std::find_if(columns.begin(), columns.end(), [&](const SheetColumn& c) { return c.name == name; });
    return found == columns.end() ? -1 : static_cast<int>(found - columns.begin());
}

void SheetModel::setSheet(Sheet sheet) {
    const bool same = sheet.rows.size() == m_sheet.rows.size() &&
                      std::equal(sheet.columns.begin(), sheet.columns.end(), m_sheet.columns.begin(), m_sheet.columns.end(),
                                 [](const SheetColumn& a, const SheetColumn& b) { return a.name == b.name; });
    if (!same) {
        beginResetModel();
        m_sheet = std::move(sheet);
        endResetModel();
        return;
    }
    m_sheet = std::move(sheet);
    if (rowCount() > 0 && columnCount() > 0) Q_EMIT dataChanged(index(0, 0), index(rowCount() - 1, columnCount() - 1));
}

int SheetModel::rowCount(const QModelIndex& parent) const { return parent.isValid() ? 0 : static_cast<int>(m_sheet.rows.size()); }
int SheetModel::columnCount(const QModelIndex& parent) const { return parent.isValid() ? 0 : static_cast<int>(m_sheet.columns.size()); }

QVariant SheetModel::data(const QModelIndex& index, int role) const {
    const SheetRow& row = m_sheet.rows[static_cast<std::size_t>(index.row())];
    const SheetCell& cell = row.cells[static_cast<std::size_t>(index.column())];
    const bool right = m_sheet.columns[static_cast<std::size_t>(index.column())].right;
    switch (role) {
    case Qt::DisplayRole:
    case Qt::AccessibleTextRole: return cell.text;
    case Qt::ToolTipRole: return cell.tip.isEmpty() ? QVariant() : cell.tip;
    case Qt::TextAlignmentRole: return static_cast<int>(Qt::AlignVCenter) | static_cast<int>(right ? Qt::AlignRight : Qt::AlignLeft);
    case KernelNameRole: return cell.fixed || cell.number.has_value();
    case NowRole: return row.now;
    case SortRole: return cell.number ? QVariant(*cell.number) : QVariant(cell.text);
    case CopyRole: return cell.number ? QString::number(*cell.number, 'g', 12) : plain(cell.text);
    default: return {};
    }
}

QVariant SheetModel::headerData(int section, Qt::Orientation orientation, int role) const {
    if (orientation != Qt::Horizontal || section >= columnCount()) return {};
    const SheetColumn& column = m_sheet.columns[static_cast<std::size_t>(section)];
    if (role == Qt::DisplayRole) return column.name;
    if (role == Qt::ToolTipRole && !column.tip.isEmpty()) return column.tip;
    if (role == Qt::TextAlignmentRole) return static_cast<int>(Qt::AlignVCenter) | static_cast<int>(column.right ? Qt::AlignRight : Qt::AlignLeft);
    return {};
}

} // namespace picknext::ui
