// SPDX-License-Identifier: GPL-3.0-or-later
// The bar at the top: move, run, say where one stands and under which kernel, find an action.
#pragma once

#include <memory>

#include <QComboBox>
#include <QLineEdit>
#include <QToolBar>
#include <QToolButton>

#include "core/history/timeline.hpp"

namespace picknext::ui {

class ActionRegistry;

/// A button for an action of the registry under a short word of its own.
class ActionButton final : public QToolButton {
    Q_OBJECT
  public:
    ActionButton(QAction* action, const QString& word, const QString& iconName, bool iconRight,
                 QWidget* parent = nullptr);

  private:
    void follow(const QAction* action);
};

/// A line edit with a quiet sign before and a unit behind its text, in the fixed font.
class MarkedEdit final : public QLineEdit {
    Q_OBJECT
  public:
    MarkedEdit(const QString& sign, const QString& unit, const QString& widest, QWidget* parent = nullptr);
    QSize sizeHint() const override;
    QSize minimumSizeHint() const override { return sizeHint(); }

  protected:
    void paintEvent(QPaintEvent* event) override;
    void changeEvent(QEvent* event) override;

  private:
    void fit();
    [[nodiscard]] int width(const QString& text) const { return fontMetrics().horizontalAdvance(text); }
    QString m_sign, m_unit, m_widest;
    bool m_fitting = false;
};

/// A flat combo box: border, text, arrow.
class FlatCombo final : public QComboBox {
    Q_OBJECT
  public:
    using QComboBox::QComboBox;
    /// Said before the chosen word, "by decision"; left out in a narrow window.
    void setLead(const QString& lead);
    QSize sizeHint() const override;
    QSize minimumSizeHint() const override { return sizeHint(); }

  protected:
    void paintEvent(QPaintEvent* event) override;

  private:
    QString m_lead;
};

class TransportBar final : public QToolBar {
    Q_OBJECT
  public:
    explicit TransportBar(ActionRegistry& actions, QWidget* parent = nullptr);

    void setSnapshot(const Snapshot* snapshot);
    void setRunning(bool running);
    /// Time to be shown while a seek is under way: where it goes.
    void setTarget(const QString& time);
    /// Icons instead of words.
    void setNarrow(bool narrow);
    void setStepUnit(StepUnit unit);
    [[nodiscard]] StepUnit stepUnit() const;
    [[nodiscard]] QLineEdit* timeField() const { return m_time; }
    [[nodiscard]] QLineEdit* decisionField() const { return m_decision; }

  Q_SIGNALS:
    void stepUnitChosen(picknext::StepUnit unit);
    void timeAsked(qint64 ns);
    void decisionAsked(quint64 number);
    void kernelAsked();
    void patchesAsked();

  private:
    void readTime();
    void readDecision();
    void updateNames();

    ActionButton* m_start;
    ActionButton* m_back;
    ActionButton* m_step;
    ActionButton* m_run;
    ActionButton* m_pause;
    QAction* m_runSlot = nullptr;
    QAction* m_pauseSlot = nullptr;
    FlatCombo* m_unit;
    MarkedEdit* m_time;
    MarkedEdit* m_decision;
    QToolButton* m_kernel;
    QToolButton* m_patches;
    QAction* m_patchesSlot = nullptr;
    ActionButton* m_find;
    bool m_narrow = false;
    QString m_kernelName;
    int m_changedPatches = 0;
};

/// Names of the step units, in the order of Ctrl+1 ...
[[nodiscard]] QString stepUnitName(StepUnit unit);

} // namespace picknext::ui

Q_DECLARE_METATYPE(picknext::StepUnit)
