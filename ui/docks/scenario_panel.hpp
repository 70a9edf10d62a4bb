// SPDX-License-Identifier: GPL-3.0-or-later
// The scenario as a tree, and the rail of upright buttons it folds to in a narrow window.
#pragma once

#include <QAbstractButton>
#include <QFrame>
#include <QTreeView>

#include "ui/models/scenario_model.hpp"
#include "ui/run/selection.hpp"

class QLabel;

namespace picknext::ui {

class ScenarioTree final : public QTreeView {
    Q_OBJECT
  public:
    ScenarioTree(ScenarioModel* model, Selection* selection, QWidget* parent = nullptr);
    /// Opens and shows this part.
    void reveal(ScenarioModel::Section section);
    QSize sizeHint() const override;

  Q_SIGNALS:
    void bookmarkActivated(int bookmark);

  private:
    void openSections();
    ScenarioModel* m_model;
    Selection* m_selection;
};

/// A button with its text running upwards.
class RailButton final : public QAbstractButton {
    Q_OBJECT
  public:
    explicit RailButton(const QString& text, QWidget* parent = nullptr);
    QSize sizeHint() const override;

  protected:
    void paintEvent(QPaintEvent* event) override;
};

class ScenarioRail final : public QWidget {
    Q_OBJECT
  public:
    explicit ScenarioRail(QWidget* parent = nullptr);

  Q_SIGNALS:
    void sectionAsked(int section);
};

/// One section of the scenario laid over the view beside the rail; Esc or a click elsewhere closes it.
class ScenarioOverlay final : public QFrame {
    Q_OBJECT
  public:
    ScenarioOverlay(ScenarioModel* model, Selection* selection, QWidget* window);
    /// Opens at this section, or closes when it is open there already.
    void toggle(int section, const QRect& beside);
    [[nodiscard]] ScenarioTree* tree() const { return m_tree; }

  protected:
    void keyPressEvent(QKeyEvent* event) override;
    bool eventFilter(QObject* watched, QEvent* event) override;

  private:
    ScenarioTree* m_tree;
    int m_section = -1;
};

} // namespace picknext::ui
