// SPDX-License-Identifier: GPL-3.0-or-later
// The two tables at the bottom: the decision log, and the tasks of the run queues.
#pragma once

#include <memory>

#include <QTableView>

#include "core/history/timeline.hpp"
#include "ui/run/selection.hpp"

class QSortFilterProxyModel;
class QToolButton;

namespace picknext::ui {
class ElidedLabel;

class DecisionModel;
class RunQueueModel;

/// A table that copies its selected rows as tab-separated plain text, headers first.
class TsvTable final : public QTableView {
    Q_OBJECT
  public:
    /// selection: whose tasks wear full colours; null = all.
    explicit TsvTable(const Selection* selection = nullptr, QWidget* parent = nullptr);
    [[nodiscard]] QString selectedAsTsv() const;
    /// Selected rows, or all when none is, to the clipboard.
    void copyAsTsv() const;

  protected:
    void keyPressEvent(QKeyEvent* event) override;
};

class DecisionsPanel final : public QWidget {
    Q_OBJECT
  public:
    explicit DecisionsPanel(Selection* selection, QWidget* parent = nullptr);
    void setSnapshot(std::shared_ptr<const Snapshot> snapshot);
    [[nodiscard]] TsvTable* table() const { return m_table; }

  Q_SIGNALS:
    void decisionAsked(quint64 number);

  protected:
    void changeEvent(QEvent* event) override;

  private:
    void sizeColumns();
    Selection* m_selection;
    DecisionModel* m_model;
    TsvTable* m_table;
    bool m_sized = false;
};

class RunQueuesPanel final : public QWidget {
    Q_OBJECT
  public:
    explicit RunQueuesPanel(Selection* selection, QWidget* parent = nullptr);
    void setSnapshot(std::shared_ptr<const Snapshot> snapshot);
    [[nodiscard]] TsvTable* table() const { return m_table; }

  protected:
    void changeEvent(QEvent* event) override;

  private:
    void followSelection();
    void sizeColumns();
    Selection* m_selection;
    std::shared_ptr<const Snapshot> m_snapshot;
    RunQueueModel* m_model;
    QSortFilterProxyModel* m_sorted;
    TsvTable* m_table;
    QToolButton* m_selectedCpu;
    QToolButton* m_allCpus;
    ElidedLabel* m_summary;
    bool m_sized = false;
};

} // namespace picknext::ui
