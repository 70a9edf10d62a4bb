// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/run/run_controller.hpp"

#include "ui/run/run_worker.hpp"

namespace picknext::ui {

namespace {
constexpr int min_frame_ms = 16;     // at most 60 snapshots a second
constexpr int long_command_ms = 100; // from here on progress is shown
} // namespace

/// A step or a seek on its way to the worker. While it still waits, a like one melts into it: a held key and
/// a dragged scrubber ask faster than a slow run answers.
class RunController::Travel {
  public:
    enum class Kind : std::uint8_t { step, decision, time };
    Travel(Kind kind, StepUnit unit, Direction direction, qint64 amount)
        : m_kind(kind), m_unit(unit), m_direction(direction), m_amount(amount) {}

    bool absorb(const Travel& later) {
        const std::lock_guard lock(m_lock);
        if (m_taken || later.m_kind != m_kind || later.m_unit != m_unit || later.m_direction != m_direction)
            return false;
        m_amount = m_kind == Kind::step ? m_amount + later.m_amount : later.m_amount;
        return true;
    }
    void execute(RunWorker& worker, const std::stop_token& stop) {
        {
            const std::lock_guard lock(m_lock);
            m_taken = true;
        }
        switch (m_kind) {
        case Kind::step:
            worker.step(m_unit, m_direction, static_cast<quint64>(m_amount), stop);
            break;
        case Kind::decision:
            worker.seekDecision(static_cast<quint64>(m_amount), stop);
            break;
        case Kind::time:
            worker.seekTime(m_amount, stop);
            break;
        }
    }
    [[nodiscard]] bool isSeek() const { return m_kind != Kind::step; }

  private:
    std::mutex m_lock;
    bool m_taken = false;
    const Kind m_kind;
    const StepUnit m_unit;
    const Direction m_direction;
    qint64 m_amount;
};

RunController::RunController(QObject* parent) : QObject(parent), m_worker(new RunWorker(this)) {
    m_worker->moveToThread(&m_thread);
    connect(&m_thread, &QThread::finished, m_worker, &QObject::deleteLater);
    m_longTimer.setSingleShot(true);
    m_longTimer.setInterval(long_command_ms);
    connect(&m_longTimer, &QTimer::timeout, this, [this] {
        m_long = true;
        Q_EMIT longCommand(true);
    });
    m_deliverTimer.setSingleShot(true);
    connect(&m_deliverTimer, &QTimer::timeout, this, &RunController::deliver);
    m_thread.setObjectName(QStringLiteral("run"));
    m_thread.start();
}

RunController::~RunController() {
    m_stop.request_stop();
    m_thread.quit();
    m_thread.wait();
}

/// Hands a command to the worker with the stop token in force now.
template <class F>
void RunController::post(F&& command) {
    ++m_pending;
    if (!m_running && !m_long && !m_longTimer.isActive()) m_longTimer.start();
    QMetaObject::invokeMethod(m_worker,
                              [this, command = std::forward<F>(command), stop = m_stop.get_token()] {
                                  command(*m_worker, stop);
                                  QMetaObject::invokeMethod(this, [this] { finished(); });
                              });
}

void RunController::open(std::shared_ptr<const Scenario> scenario) {
    cancel();
    post([scenario = std::move(scenario)](RunWorker& w, const std::stop_token& stop) {
        w.open(scenario, stop);
    });
}

void RunController::step(StepUnit unit, Direction direction, quint64 n) {
    travel(std::make_shared<Travel>(Travel::Kind::step, unit, direction, static_cast<qint64>(n)));
}

void RunController::seekDecision(quint64 number) {
    travel(std::make_shared<Travel>(Travel::Kind::decision, StepUnit::decision, Direction::forward,
                                    static_cast<qint64>(number)));
}

void RunController::seekTime(qint64 ns) {
    travel(std::make_shared<Travel>(Travel::Kind::time, StepUnit::decision, Direction::forward, ns));
}

void RunController::travel(std::shared_ptr<Travel> wish) {
    if (m_running || (m_long && wish->isSeek())) cancel();
    if (m_lastTravel && m_lastTravel->absorb(*wish)) return;
    m_lastTravel = wish;
    post([wish](RunWorker& w, const std::stop_token& stop) { wish->execute(w, stop); });
}

void RunController::run() {
    if (m_running || !m_snapshot) return;
    m_lastTravel.reset();
    setRunning(true);
    ++m_pending; // until the worker says that the run is over
    QMetaObject::invokeMethod(
        m_worker, [this, speed = m_speed, stop = m_stop.get_token()] { m_worker->run(speed, stop); });
}

void RunController::setSpeed(qint64 nsPerSecond) {
    if (nsPerSecond == m_speed) return;
    m_speed = nsPerSecond;
    if (m_running) {
        cancel();
        run();
    }
}

void RunController::cancel() {
    m_stop.request_stop();
    m_stop = std::stop_source{};
    m_lastTravel.reset();
    setRunning(false);
}

void RunController::setRunning(bool running) {
    if (running == m_running) return;
    m_running = running;
    Q_EMIT runningChanged(running);
}

void RunController::finished() {
    --m_pending;
    settleIfIdle();
}

void RunController::settleIfIdle() {
    if (m_pending > 0) return;
    m_longTimer.stop();
    if (m_long) {
        m_long = false;
        Q_EMIT longCommand(false);
    }
    const std::lock_guard lock(m_offerLock);
    if (!m_offerAnnounced) QMetaObject::invokeMethod(this, &RunController::settled, Qt::QueuedConnection);
}

void RunController::offer(std::shared_ptr<const Snapshot> snapshot) {
    const std::lock_guard lock(m_offerLock);
    m_offered = std::move(snapshot);
    if (std::exchange(m_offerAnnounced, true)) return;
    QMetaObject::invokeMethod(this, &RunController::deliver, Qt::QueuedConnection);
}

void RunController::deliver() {
    if (m_sinceDelivery.isValid() && m_sinceDelivery.elapsed() < min_frame_ms) {
        m_deliverTimer.start(min_frame_ms - static_cast<int>(m_sinceDelivery.elapsed()));
        return;
    }
    m_sinceDelivery.start();
    {
        const std::lock_guard lock(m_offerLock);
        m_snapshot = std::move(m_offered);
        m_offerAnnounced = false;
    }
    Q_EMIT snapshotChanged(m_snapshot);
    settleIfIdle();
}

} // namespace picknext::ui
