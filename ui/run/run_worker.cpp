// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/run/run_worker.hpp"

#include <algorithm>

#include <QTimer>

#include "ui/run/run_controller.hpp"

namespace picknext::ui {

namespace {
constexpr int frame_ms = 16;
std::int64_t time_of(const State& st) { return st.now; }
std::int64_t decisions_of(const State& st) { return static_cast<std::int64_t>(st.decisions); }
} // namespace

Progress RunWorker::progressTo(std::int64_t target, std::int64_t (*measure)(const State&)) {
    struct Watch {
        std::int64_t begin = -1;
        std::uint64_t events = 0;
        qint64 last = 0;
        QElapsedTimer clock;
    };
    auto watch = std::make_shared<Watch>();
    watch->clock.start();
    return [controller = m_controller, watch, target, measure](const State& st) {
        const std::int64_t at = measure(st);
        if (watch->begin < 0 || at < watch->begin) {
            watch->begin = at;
            watch->events = st.event;
        }
        const qint64 elapsed = watch->clock.elapsed();
        if (elapsed - watch->last < 50) return;
        watch->last = elapsed;
        RunProgress p;
        const std::int64_t way = std::max<std::int64_t>(1, target - watch->begin);
        p.percent = static_cast<int>(std::clamp<std::int64_t>((at - watch->begin) * 100 / way, 0, 100));
        p.decision = st.decisions;
        p.eventsPerSecond =
            static_cast<double>(st.event - watch->events) * 1000.0 / static_cast<double>(elapsed);
        QMetaObject::invokeMethod(controller, [controller, p] { Q_EMIT controller->progressed(p); });
    };
}

void RunWorker::publish() {
    m_controller->offer(m_timeline->snapshot());
    if (m_mismatchTold || m_timeline->replay_mismatch().empty()) return;
    m_mismatchTold = true;
    QMetaObject::invokeMethod(m_controller,
                              [c = m_controller, s = QString::fromStdString(m_timeline->replay_mismatch())] {
                                  Q_EMIT c->replayDiffers(s);
                              });
}

void RunWorker::open(std::shared_ptr<const Scenario> scenario, const std::stop_token& stop) {
    const std::uint64_t cursor = scenario->cursor_decision.value_or(1);
    m_timeline.emplace(std::move(scenario));
    m_mismatchTold = false;
    publish(); // the start is there at once, the cursor may be far
    seekDecision(cursor, stop);
}

void RunWorker::step(StepUnit unit, Direction direction, quint64 n, const std::stop_token& stop) {
    if (!m_timeline || stop.stop_requested()) return;
    m_timeline->step(unit, direction, n, stop);
    publish();
}

void RunWorker::seekDecision(quint64 number, const std::stop_token& stop) {
    if (!m_timeline || stop.stop_requested()) return;
    m_timeline->seek_decision(number, stop, progressTo(static_cast<std::int64_t>(number), decisions_of));
    publish();
}

void RunWorker::seekTime(qint64 ns, const std::stop_token& stop) {
    if (!m_timeline || stop.stop_requested()) return;
    m_timeline->seek_time(ns, stop, progressTo(ns, time_of));
    publish();
}

void RunWorker::run(qint64 nsPerSecond, const std::stop_token& stop) {
    if (!m_timeline) return;
    m_speed = nsPerSecond;
    m_runBegan = m_timeline->state().now;
    m_runClock.start();
    slice(stop);
}

void RunWorker::slice(const std::stop_token& stop) {
    bool more = !stop.stop_requested();
    if (more) {
        const qint64 now = m_timeline->state().now;
        qint64 target = now + m_stride;
        if (m_speed > 0) {
            // Split so that hours at full speed do not overflow.
            const qint64 ms = m_runClock.elapsed();
            target = m_runBegan + ms / 1000 * m_speed + ms % 1000 * m_speed / 1000;
        }
        if (target > now) {
            QElapsedTimer took;
            took.start();
            more = m_timeline->seek_time(target, stop);
            if (m_timeline->state().now == now && more)
                more = m_timeline->step(StepUnit::decision, Direction::forward, 1, stop);
            if (took.elapsed() < frame_ms / 4) m_stride = std::min<qint64>(m_stride * 2, 1'000'000'000);
            if (took.elapsed() > frame_ms) m_stride = std::max<qint64>(m_stride / 2, 1'000);
            publish();
        }
    }
    if (more && !stop.stop_requested()) {
        QTimer::singleShot(m_speed > 0 ? frame_ms : 1, this, [this, stop] { slice(stop); });
        return;
    }
    QMetaObject::invokeMethod(m_controller, [c = m_controller, stop] {
        if (!stop.stop_requested()) c->setRunning(false); // else cancel() has said so already
        c->finished();
    });
}

} // namespace picknext::ui
