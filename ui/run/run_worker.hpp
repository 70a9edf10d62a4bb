// SPDX-License-Identifier: GPL-3.0-or-later
// What runs on the worker thread: owns the timeline and executes one command after the other.
#pragma once

#include <memory>
#include <optional>
#include <stop_token>

#include <QElapsedTimer>
#include <QObject>

#include "core/history/timeline.hpp"

namespace picknext::ui {

class RunController;

class RunWorker final : public QObject {
    Q_OBJECT
  public:
    explicit RunWorker(RunController* controller) : m_controller(controller) {}

    void open(std::shared_ptr<const Scenario> scenario, const std::stop_token& stop);
    void step(StepUnit unit, Direction direction, quint64 n, const std::stop_token& stop);
    void seekDecision(quint64 number, const std::stop_token& stop);
    void seekTime(qint64 ns, const std::stop_token& stop);
    /// Runs in slices until stopped or at the end; commands get their turn between slices.
    void run(qint64 nsPerSecond, const std::stop_token& stop);

  private:
    void slice(const std::stop_token& stop);
    void publish();
    /// Reports the share of the way from where the command began to the target, at most 20 times a second.
    [[nodiscard]] Progress progressTo(std::int64_t target, std::int64_t (*measure)(const State&));

    RunController* m_controller;
    std::optional<Timeline> m_timeline;
    bool m_mismatchTold = false;
    // the run under way
    qint64 m_speed = 0;
    qint64 m_runBegan = 0;     // ns, simulated
    qint64 m_stride = 100'000; // ns, simulated: of a slice at full speed
    QElapsedTimer m_runClock;
};

} // namespace picknext::ui
