// SPDX-License-Identifier: GPL-3.0-or-later
// The run queue of the selected CPU: its tree above its eligibility line, on one divider.
#pragma once

#include <memory>

#include <QSplitter>

#include "core/history/timeline.hpp"
#include "ui/painted/eligibility_line.hpp"
#include "ui/painted/tree_view.hpp"
#include "ui/run/selection.hpp"

namespace picknext::ui {

class QueuePanel final : public QSplitter {
    Q_OBJECT
  public:
    explicit QueuePanel(Selection* selection, QWidget* parent = nullptr) : QSplitter(Qt::Vertical, parent) {
        m_tree = new TreeView(selection, this);
        m_line = new EligibilityLine(selection, this);
        addWidget(m_tree);
        addWidget(m_line);
        setChildrenCollapsible(false);
        setHandleWidth(3);
        setStretchFactor(0, 1);
        setObjectName(QStringLiteral("queuePanel"));
    }
    void setSnapshot(const std::shared_ptr<const Snapshot>& snapshot) {
        m_tree->setSnapshot(snapshot);
        m_line->setSnapshot(snapshot);
    }
    [[nodiscard]] TreeView* tree() const { return m_tree; }
    [[nodiscard]] EligibilityLine* line() const { return m_line; }

  private:
    TreeView* m_tree;
    EligibilityLine* m_line;
};

} // namespace picknext::ui
