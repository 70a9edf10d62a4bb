// SPDX-License-Identifier: GPL-3.0-or-later
// What the run follows from, as a tree: topology, tasks, kernel, patches, bookmarks.
#pragma once

#include <QStandardItemModel>

#include "core/history/timeline.hpp"

namespace picknext::ui {

class ScenarioModel final : public QStandardItemModel {
    Q_OBJECT
  public:
    enum Section { Topology, Tasks, Kernel, Patches, Bookmarks, SectionCount };

    using QStandardItemModel::QStandardItemModel;
    /// Builds the tree once per scenario; null clears it.
    void setSnapshot(const Snapshot* snapshot);
    [[nodiscard]] static QString sectionName(Section section);
    [[nodiscard]] QModelIndex sectionIndex(Section section) const { return index(section, 0); }
    /// The row of a task, or an invalid index.
    [[nodiscard]] QModelIndex taskIndex(TaskId task) const;
    /// Which bookmark a row is, -1 = none.
    [[nodiscard]] int bookmarkOf(const QModelIndex& index) const;
    /// How many switches differ from the profile's defaults.
    [[nodiscard]] static int changedPatches(const Scenario& scenario);

  private:
    void addTopology(const Scenario& scenario);
    void addTasks(const Snapshot& snapshot);
    void addKernel(const Scenario& scenario);
    void addPatches(const Scenario& scenario);
    void addBookmarks(const Scenario& scenario);
    QStandardItem* addSection(Section section, const QString& detail);
    std::shared_ptr<const Scenario> m_scenario;
};

} // namespace picknext::ui
