// SPDX-License-Identifier: GPL-3.0-or-later
// A file that was not opened: what is wrong, where, how to mend it, the lines around it and the whole report.
#pragma once

#include <QAbstractTableModel>
#include <QDialog>

#include "core/base/result.hpp"
#include "core/io/document.hpp"

namespace picknext::ui {

class ReportModel final : public QAbstractTableModel {
    Q_OBJECT
  public:
    enum Column { SeverityColumn, Code, PlaceColumn, Message, Count, ColumnCount };
    explicit ReportModel(io::Report report, QObject* parent = nullptr)
        : QAbstractTableModel(parent), m_report(std::move(report)) {}
    [[nodiscard]] const io::Message& message(int row) const {
        return m_report[static_cast<std::size_t>(row)];
    }
    /// The report as it would be saved, one message a line.
    [[nodiscard]] QString asText() const;
    int rowCount(const QModelIndex& parent = {}) const override;
    int columnCount(const QModelIndex& parent = {}) const override;
    QVariant data(const QModelIndex& index, int role) const override;
    QVariant headerData(int section, Qt::Orientation orientation, int role) const override;

  private:
    io::Report m_report;
};

class RefusedDialog final : public QDialog {
    Q_OBJECT
  public:
    /// stillOpen: name of the scenario that stays open, empty for none.
    RefusedDialog(const QString& path, const Error& error, io::Report report, const QString& stillOpen,
                  QWidget* parent);

  private:
    [[nodiscard]] QWidget* excerpt(const QString& path, const Place& place);
    void saveReport();
    ReportModel* m_report;
};

} // namespace picknext::ui
