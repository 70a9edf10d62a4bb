// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/run/bench_runner.hpp"

#include <algorithm>
#include <tuple>

#include "core/io/results_json.hpp"

namespace picknext::ui {

namespace {
/// A panel in the words of the fields. The points of a sweep share their option: "g=2", "g=4".
bench::Request worded(const bench::Panel& panel) {
    bench::Request out;
    out.command = panel.command;
    out.topology = panel.topology;
    out.costs = panel.costs;
    out.kernel = panel.kernel;
    out.a = panel.plan.arms[0].changes;
    if (panel.plan.arms.size() > 1) out.b = panel.plan.arms[1].changes;
    out.repeats = panel.plan.repeats;
    out.seed = panel.plan.seed;
    out.scale = panel.scale;
    for (const bench::Cell& cell : panel.plan.cells) {
        const std::size_t equals = cell.label.find('=');
        if (equals == std::string::npos || cell.label == cell.benchmark.command) continue;
        out.sweep += out.sweep.empty() ? cell.label : ',' + cell.label.substr(equals + 1);
    }
    return out;
}

Result<BenchWork> work_of(const BenchChoice& choice) {
    const bench::Platforms platforms = io::shipped_platforms();
    BenchWork work;
    for (const bench::Thread& thread : bench::threads()) {
        if (thread.number != choice.thread) continue;
        Result<std::vector<bench::Panel>> panels = thread.panels(platforms, choice.full);
        if (!panels) return panels.error();
        PICKNEXT_ASSERT(choice.panel < panels->size(), "panel {} of thread {}, which has {}", choice.panel, choice.thread, panels->size());
        work.thread = thread.number;
        work.panel = std::move((*panels)[choice.panel]);
        work.panel.plan.repeats = choice.request.repeats;
        work.panel.plan.seed = choice.request.seed;
        work.origin = &thread;
        return work;
    }
    Result<bench::Plan> plan = bench::plan_of(choice.request, platforms);
    if (!plan) return plan.error();
    work.panel.command = choice.request.command;
    work.panel.topology = choice.request.topology;
    work.panel.costs = choice.request.costs;
    work.panel.kernel = choice.request.kernel;
    work.panel.plan = std::move(*plan);
    return work;
}
} // namespace

BenchRunner::BenchRunner(QObject* parent) : QObject(parent), m_worker(new QObject) {
    m_worker->moveToThread(&m_thread);
    connect(&m_thread, &QThread::finished, m_worker, &QObject::deleteLater);
    m_thread.setObjectName(QStringLiteral("bench"));
    m_thread.start(QThread::LowPriority); // stepping goes before
}

BenchRunner::~BenchRunner() {
    m_stop.request_stop();
    m_thread.quit();
    m_thread.wait();
}

void BenchRunner::post(std::function<void(std::stop_token)> job) {
    QMetaObject::invokeMethod(m_worker, [job = std::move(job), stop = m_stop.get_token()] { job(stop); });
}

void BenchRunner::list() {
    post([this](const std::stop_token&) {
        std::vector<BenchEntry> out;
        for (const bench::Thread& thread : bench::threads()) {
            const Result<std::vector<bench::Panel>> panels = thread.panels(io::shipped_platforms(), false);
            if (!panels) {
                QMetaObject::invokeMethod(this, [this, error = panels.error()] { Q_EMIT refused(error); });
                return;
            }
            for (std::size_t i = 0; i < panels->size(); ++i) {
                const bench::Panel& panel = (*panels)[i];
                out.push_back({thread.number, i, panel.name, panel.note, std::string(thread.title), worded(panel)});
            }
        }
        QMetaObject::invokeMethod(this, [this, out = std::move(out)] { Q_EMIT listed(out); });
    });
}

void BenchRunner::start(const BenchChoice& choice) {
    cancel();
    m_stop = std::stop_source{};
    const std::uint64_t round = ++m_round;
    m_running = true;
    m_clock.start();
    post([this, choice, round](const std::stop_token& stop) {
        Result<BenchWork> made = work_of(choice);
        if (!made) {
            QMetaObject::invokeMethod(this, [this, round, error = made.error()] {
                if (round != m_round) return;
                m_running = false;
                m_took = m_clock.elapsed();
                Q_EMIT refused(error);
            });
            return;
        }
        const auto work = std::make_shared<const BenchWork>(std::move(*made));
        QMetaObject::invokeMethod(this, [this, round, work] {
            if (round != m_round) return;
            m_work = work;
            const bench::Plan& plan = work->panel.plan;
            m_outcome = {std::vector<bench::Run>(plan.runs()), plan.repeats, plan.arms.size()};
            m_done = {0, plan.runs(), 0};
            Q_EMIT started();
        });
        bench::Running how;
        how.jobs = std::clamp(QThread::idealThreadCount(), 1, bench::max_jobs);
        how.stop = stop;
        how.progress = [this, round](const bench::Done& done) { tell([&](News& n) { n.done = done; }, round); };
        how.ended = [this, round](std::size_t i, const bench::Run& run) { tell([&](News& n) { n.runs.emplace_back(i, run); }, round); };
        std::ignore = bench::run(work->panel.plan, how); // told run by run already
        QMetaObject::invokeMethod(this, [this, round, cancelled = stop.stop_requested()] { end(round, cancelled); });
    });
}

void BenchRunner::tell(const std::function<void(News&)>& change, std::uint64_t round) {
    const std::lock_guard lock(m_lock);
    if (m_news.round != round) {
        m_news = {};
        m_news.round = round;
    }
    change(m_news);
    if (!std::exchange(m_news.announced, true)) QMetaObject::invokeMethod(this, &BenchRunner::deliver, Qt::QueuedConnection);
}

void BenchRunner::deliver() {
    News news;
    {
        const std::lock_guard lock(m_lock);
        news = std::exchange(m_news, {});
    }
    if (!news.announced || news.round != m_round || !m_work) return;
    for (auto& [index, run] : news.runs) m_outcome.runs[index] = std::move(run);
    m_done = news.done.of != 0 ? news.done : m_done;
    Q_EMIT advanced(!news.runs.empty());
}

void BenchRunner::end(std::uint64_t round, bool cancelled) {
    if (round != m_round) return;
    m_running = false;
    m_took = m_clock.elapsed();
    Q_EMIT finished(cancelled);
}

void BenchRunner::cancel() { m_stop.request_stop(); }

void BenchRunner::findSlowest(std::size_t cell) {
    if (!m_work || m_running) return;
    struct Found {
        std::int64_t length = -1;
        std::size_t arm = 0;
        int repeat = 0;
    } found;
    for (std::size_t arm = 0; arm < m_outcome.arms; ++arm)
        for (int r = 0; r < m_outcome.repeats; ++r) {
            const bench::Run& run = m_outcome.run(cell, arm, r);
            if (run.end != bench::End::done) continue;
            const std::int64_t length = run.slowest ? run.slowest->ns : run.took;
            if (length > found.length) found = {length, arm, r};
        }
    if (found.length < 0) return;
    m_stop = std::stop_source{};
    m_running = true;
    m_clock.start();
    post([this, round = ++m_round, work = m_work, cell, found, slowest = m_outcome.run(cell, found.arm, found.repeat).slowest](const std::stop_token& stop) {
        auto scenario = std::make_shared<Scenario>(bench::scenario_of(work->panel.plan, cell, found.arm, found.repeat));
        const std::optional<bench::Moment> moment = bench::slowest_moment(*scenario, slowest, stop);
        if (moment) scenario->cursor_decision = moment->decision;
        QMetaObject::invokeMethod(this, [this, round, scenario, ok = moment.has_value()] {
            if (ok && round == m_round) Q_EMIT momentFound(scenario);
            end(round, !ok);
        });
    });
}

} // namespace picknext::ui
