// SPDX-License-Identifier: GPL-3.0-or-later
// Commands from the window to the run, and the newest moment back. The run lives on its own thread; a command
// never waits for it, and a view never sees it move: it gets immutable snapshots, at most 60 a second.
#pragma once

#include <memory>
#include <mutex>
#include <stop_token>

#include <QElapsedTimer>
#include <QObject>
#include <QThread>
#include <QTimer>

#include "core/history/timeline.hpp"

namespace picknext::ui {

class RunWorker;

/// How far a long command has come.
struct RunProgress {
    int percent = 0;            // 0..100
    quint64 decision = 0;       // decisions replayed so far
    double eventsPerSecond = 0; // 0 = not known yet
};

class RunController final : public QObject {
    Q_OBJECT
  public:
    explicit RunController(QObject* parent = nullptr);
    ~RunController() override;

    /// Starts over with this scenario and goes to its cursor, or to the first decision.
    void open(std::shared_ptr<const Scenario> scenario);
    void step(StepUnit unit, Direction direction, quint64 n = 1);
    /// 0 = the start. A seek replaces the one still waiting, and breaks off one that has become long.
    void seekDecision(quint64 number);
    void seekTime(qint64 ns);
    void run();
    void pause() { cancel(); }
    /// Stops the run and gives up every command not finished; what was computed stays.
    void cancel();
    /// Simulated nanoseconds per second of wall time; 0 = as fast as possible.
    void setSpeed(qint64 nsPerSecond);
    [[nodiscard]] qint64 speed() const { return m_speed; }

    [[nodiscard]] bool isRunning() const { return m_running; }
    /// A command is under way or waiting.
    [[nodiscard]] bool isBusy() const { return m_pending > 0; }
    /// A command has taken longer than 100 ms and is still under way.
    [[nodiscard]] bool isLong() const { return m_long; }
    /// The newest moment handed to the views; null before the first scenario.
    [[nodiscard]] std::shared_ptr<const Snapshot> snapshot() const { return m_snapshot; }

  Q_SIGNALS:
    void snapshotChanged(std::shared_ptr<const Snapshot> snapshot);
    void runningChanged(bool running);
    /// True once a command has taken longer than 100 ms, false when nothing is under way any more.
    void longCommand(bool active);
    void progressed(picknext::ui::RunProgress progress);
    /// Nothing under way and the newest snapshot delivered.
    void settled();
    /// Replay met a state that differs from the one it had computed: our mistake, told at once.
    void replayDiffers(QString sentence);

  private:
    friend class RunWorker;
    class Travel;
    void travel(std::shared_ptr<Travel> wish);
    template <class F>
    void post(F&& command);
    void finished();
    void offer(std::shared_ptr<const Snapshot> snapshot); // any thread
    void deliver();
    void settleIfIdle();
    void setRunning(bool running);

    QThread m_thread;
    RunWorker* m_worker = nullptr;
    std::stop_source m_stop;
    std::shared_ptr<Travel> m_lastTravel;
    qint64 m_speed = 10'000'000; // 10 ms a second
    int m_pending = 0;
    bool m_running = false;
    bool m_long = false;
    QTimer m_longTimer;

    std::mutex m_offerLock; // guards the two below
    std::shared_ptr<const Snapshot> m_offered;
    bool m_offerAnnounced = false;
    std::shared_ptr<const Snapshot> m_snapshot;
    QElapsedTimer m_sinceDelivery;
    QTimer m_deliverTimer;
};

} // namespace picknext::ui
