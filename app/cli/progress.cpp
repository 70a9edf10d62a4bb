// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/progress.hpp"

#include <csignal>
#include <cstdio>

#include <unistd.h>

#include <fmt/format.h>

#include "core/explain/explain.hpp"

namespace picknext::cli {
namespace {

volatile std::sig_atomic_t was_interrupted = 0;
extern "C" void on_interrupt(int /*signal*/) { was_interrupted = 1; }

} // namespace

RunLimit limit_of(const Scenario& scenario) {
    RunLimit limit;
    limit.time = scenario.until_ns ? *scenario.until_ns : scenario.until_events ? INT64_MAX : default_until_ns;
    limit.events = scenario.until_events.value_or(UINT64_MAX);
    return limit;
}

void heed_interrupts() { std::signal(SIGINT, on_interrupt); }
bool interrupted() { return was_interrupted != 0; }

ProgressLine::ProgressLine(std::int64_t until) : m_until(until), m_on(isatty(STDERR_FILENO) != 0 && isatty(STDOUT_FILENO) == 0) {}

void ProgressLine::show(const State& st) {
    const auto now = std::chrono::steady_clock::now();
    if (!m_on || now - m_last < std::chrono::milliseconds(200)) return;
    m_last = now;
    m_shown = true;
    const std::int64_t percent = m_until > 0 && m_until < INT64_MAX / 100 ? st.now * 100 / m_until : 0;
    fmt::print(stderr, "\r{} ms, {} events, {} % ", plain(ms_length(st.now)), st.event, percent);
}

void ProgressLine::clear() {
    if (m_shown) fmt::print(stderr, "\r\x1b[K");
    m_shown = false;
}

bench::Outcome run_watched(const bench::Plan& plan, int jobs) {
    using Clock = std::chrono::steady_clock;
    heed_interrupts();
    std::stop_source stop;
    const bool on = isatty(STDERR_FILENO) != 0;
    const Clock::time_point began = Clock::now();
    Clock::time_point last = began;
    bool shown = false;
    const auto progress = [&](const bench::Done& d) { // one thread at a time
        if (interrupted()) stop.request_stop();
        const Clock::time_point now = Clock::now();
        if (!on || now - last < std::chrono::milliseconds(200)) return;
        last = now;
        shown = true;
        const double passed = std::chrono::duration<double>(now - began).count();
        const double left = d.fraction > 0 ? passed * (1 - d.fraction) / d.fraction : 0;
        fmt::print(stderr, "\r\x1b[K{} of {} runs, {:.0f} %, {:.0f} s to go ", d.runs, d.of, 100 * d.fraction, left);
    };
    bench::Outcome outcome = bench::run(plan, {.jobs = jobs, .stop = stop.get_token(), .progress = progress});
    if (shown) fmt::print(stderr, "\r\x1b[K");
    return outcome;
}

} // namespace picknext::cli
