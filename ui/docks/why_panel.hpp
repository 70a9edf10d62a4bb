// SPDX-License-Identifier: GPL-3.0-or-later
// The answer: what was decided, why, by which checks, how close it was, and what the next step will write.
#pragma once

#include <memory>

#include <QScrollArea>

#include "core/explain/explain.hpp"
#include "core/history/timeline.hpp"
#include "ui/run/selection.hpp"

class QListView;

namespace picknext::ui {

class CheckDelegate;
class CheckModel;
class RankedLabel;
class SectionHeader;

class WhyPanel final : public QScrollArea {
    Q_OBJECT
  public:
    explicit WhyPanel(Selection* selection, QWidget* parent = nullptr);
    void setSnapshot(std::shared_ptr<const Snapshot> snapshot);
    /// Short rows for a narrow window.
    void setCompact(bool compact);
    /// The decision as plain text of 72 columns; empty when there is none.
    [[nodiscard]] QString asText() const;
    void copyAsText() const;
    /// "#4711 · pick · CPU 3".
    [[nodiscard]] QString detail() const { return m_detail; }

  protected:
    void resizeEvent(QResizeEvent* event) override;
    void changeEvent(QEvent* event) override;

  private:
    [[nodiscard]] bool hasDecision() const;
    void showDecision();
    void showNothing();
    void updateChecksHeader();
    void layOutChecks();
    void revealChecks();
    void selectSubject(int row);
    [[nodiscard]] QString titleHtml() const;
    [[nodiscard]] QString closestHtml() const;
    [[nodiscard]] QString writesHtml() const;

    Selection* m_selection;
    std::shared_ptr<const Snapshot> m_snapshot;
    Explanation m_explanation;
    QString m_detail;
    RankedLabel* m_title;
    RankedLabel* m_sentence;
    RankedLabel* m_function;
    SectionHeader* m_checksHeader;
    QListView* m_checks;
    CheckModel* m_model;
    CheckDelegate* m_delegate;
    SectionHeader* m_closestHeader;
    RankedLabel* m_closest;
    SectionHeader* m_writesHeader;
    RankedLabel* m_writes;
};

} // namespace picknext::ui
