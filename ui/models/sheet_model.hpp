// SPDX-License-Identifier: GPL-3.0-or-later
// A table that is made anew as a whole: cells as text, with what to sort by and what to copy.
#pragma once

#include <optional>
#include <vector>

#include <QAbstractTableModel>

namespace picknext::ui {

struct SheetCell {
    QString text;
    std::optional<double> number = {}; // right-aligned in the fixed font; sorted and copied by it
    bool fixed = false;                // a name or numbers as text: in the fixed font
    QString tip = {};
};
struct SheetRow {
    std::vector<SheetCell> cells;
    int key = -1;                      // what the row stands for, as the maker says
    bool now = false;                  // the row in use
};
struct SheetColumn {
    QString name;
    QString tip = {};
    bool right = false;                // its cells are numbers
};
struct Sheet {
    std::vector<SheetColumn> columns;
    std::vector<SheetRow> rows;
    /// A column by its name, -1: there is none.
    [[nodiscard]] int column(const QString& name) const;
};

class SheetModel final : public QAbstractTableModel {
    Q_OBJECT
  public:
    using QAbstractTableModel::QAbstractTableModel;
    /// Keeps the view's place where shape and columns stay the same.
    void setSheet(Sheet sheet);
    [[nodiscard]] const Sheet& sheet() const { return m_sheet; }

    int rowCount(const QModelIndex& parent = {}) const override;
    int columnCount(const QModelIndex& parent = {}) const override;
    QVariant data(const QModelIndex& index, int role) const override;
    QVariant headerData(int section, Qt::Orientation orientation, int role) const override;

  private:
    Sheet m_sheet;
};

} // namespace picknext::ui
