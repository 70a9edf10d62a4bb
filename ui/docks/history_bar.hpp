// SPDX-License-Identifier: GPL-3.0-or-later
// The bottom of the window: the scrubber over the whole run, and above it the bar of a long replay.
#pragma once

#include <QFrame>
#include <QToolBar>

#include "ui/painted/scrubber_view.hpp"
#include "ui/run/run_controller.hpp"

class QLabel;
class QProgressBar;
class QPushButton;

namespace picknext::ui {

class RankedLabel;

class ReplayBar final : public QFrame {
    Q_OBJECT
  public:
    explicit ReplayBar(QWidget* parent = nullptr);
    void setTarget(const QString& what);
    void setProgress(const RunProgress& progress);

  Q_SIGNALS:
    void cancelled();

  private:
    RankedLabel* m_what;
    QProgressBar* m_bar;
    RankedLabel* m_rate;
    QPushButton* m_cancel;
};

class HistoryBar final : public QToolBar {
    Q_OBJECT
  public:
    HistoryBar(Selection* selection, QWidget* parent);
    [[nodiscard]] ScrubberView* scrubber() const { return m_scrubber; }
    [[nodiscard]] ReplayBar* replay() const { return m_replay; }
    /// Height of the scrubber in pixels of the 100 % design.
    void setScrubberHeight(int height);

  private:
    ScrubberView* m_scrubber;
    ReplayBar* m_replay;
};

} // namespace picknext::ui
