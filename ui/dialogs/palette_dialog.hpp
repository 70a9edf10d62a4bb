// SPDX-License-Identifier: GPL-3.0-or-later
// Every action by typing a part of its name. Also takes a decision number (#4711) or a time (:84.0015).
#pragma once

#include <QAbstractListModel>
#include <QDialog>
#include <QStyledItemDelegate>

#include "ui/docks/cell_delegate.hpp"

class QAction;
class QLabel;
class QLineEdit;
class QListView;

namespace picknext::ui {

class ActionRegistry;

/// The actions whose title or group holds every word typed, best match first.
class PaletteModel final : public QAbstractListModel {
    Q_OBJECT
  public:
    explicit PaletteModel(const ActionRegistry* registry, QObject* parent = nullptr);
    void setFilter(const QString& filter);
    [[nodiscard]] QString filter() const { return m_filter; }
    [[nodiscard]] QAction* action(const QModelIndex& index) const;
    int rowCount(const QModelIndex& parent = {}) const override;
    QVariant data(const QModelIndex& index, int role) const override;

  private:
    const ActionRegistry* m_registry;
    QString m_filter;
    QList<QAction*> m_shown;
};

class PaletteDialog final : public QDialog {
    Q_OBJECT
  public:
    PaletteDialog(ActionRegistry* registry, QWidget* window);
    void open() override;

  Q_SIGNALS:
    void decisionAsked(quint64 number);
    void timeAsked(qint64 ns);

  protected:
    bool eventFilter(QObject* watched, QEvent* event) override;

  private:
    void filter(const QString& text);
    void take();
    ActionRegistry* m_registry;
    PaletteModel* m_model;
    QLineEdit* m_edit;
    QListView* m_list;
    QLabel* m_count;
    QLabel* m_empty;
};

} // namespace picknext::ui
