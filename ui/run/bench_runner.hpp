// SPDX-License-Identifier: GPL-3.0-or-later
// Runs benchmarks on a thread of its own. What comes of them arrives by queued signals, run by run; nothing here blocks.
#pragma once

#include <memory>
#include <mutex>
#include <stop_token>
#include <utility>
#include <vector>

#include <QElapsedTimer>
#include <QObject>
#include <QThread>

#include "core/bench/request.hpp"
#include "core/bench/run.hpp"
#include "core/bench/threads.hpp"

namespace picknext::ui {

/// A panel of a mail thread as a list shows it, and as the fields word it.
struct BenchEntry {
    int thread = 0;
    std::size_t panel = 0;
    std::string name, note, title; // of the panel; of the thread
    bench::Request request;        // the sweep by its points
};

/// What is to be run: a panel of a mail thread, or what was typed.
struct BenchChoice {
    int thread = 0;           // 0: typed
    std::size_t panel = 0;
    bool full = false;        // the published size
    bench::Request request;   // of a thread's panel only the repeats are taken
};

/// What runs or has run; never changed.
struct BenchWork {
    int thread = 0;           // 0: typed
    bench::Panel panel;       // of a typed one the plan alone
    const bench::Thread* origin = nullptr; // of bench::threads(); null: typed
};

class BenchRunner final : public QObject {
    Q_OBJECT
  public:
    explicit BenchRunner(QObject* parent = nullptr);
    ~BenchRunner() override;

    /// Reads what the five threads measured; ends in listed().
    void list();
    /// Gives up what is under way. Ends in refused() or finished().
    void start(const BenchChoice& choice);
    /// Gives up the runs under way; those done stay.
    void cancel();
    /// Looks for the slowest moment of the point among all runs done; ends in momentFound() or, cancelled, in finished().
    void findSlowest(std::size_t cell);

    [[nodiscard]] bool isRunning() const { return m_running; }
    [[nodiscard]] const std::shared_ptr<const BenchWork>& work() const { return m_work; }
    [[nodiscard]] const bench::Outcome& outcome() const { return m_outcome; }
    [[nodiscard]] const bench::Done& done() const { return m_done; }
    /// Wall time since the start, ms; it stands when the last run has ended.
    [[nodiscard]] qint64 elapsed() const { return m_running ? m_clock.elapsed() : m_took; }

  Q_SIGNALS:
    void listed(std::vector<picknext::ui::BenchEntry> entries);
    void refused(picknext::Error error);
    /// The plan is made, its runs begin.
    void started();
    /// Further runs have ended, or gone on.
    void advanced(bool newRuns);
    void finished(bool cancelled);
    /// A scenario whose cursor is at the slowest moment.
    void momentFound(std::shared_ptr<const picknext::Scenario> scenario);

  private:
    struct News {
        std::uint64_t round = 0;
        std::vector<std::pair<std::size_t, bench::Run>> runs;
        bench::Done done;
        bool announced = false;
    };
    void post(std::function<void(std::stop_token)> job);
    void tell(const std::function<void(News&)>& change, std::uint64_t round); // worker's threads
    void deliver();
    void end(std::uint64_t round, bool cancelled);

    QThread m_thread;
    QObject* m_worker;         // lives on the thread
    std::stop_source m_stop;
    std::uint64_t m_round = 0; // of starts: news of an earlier one are dropped
    bool m_running = false;
    QElapsedTimer m_clock;
    qint64 m_took = 0;
    std::shared_ptr<const BenchWork> m_work;
    bench::Outcome m_outcome;
    bench::Done m_done;

    std::mutex m_lock; // guards the one below
    News m_news;
};

} // namespace picknext::ui
