// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/watch_report.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "core/explain/explain.hpp"
#include "core/io/watch_json.hpp"

namespace picknext::cli {
namespace {

constexpr std::size_t shown = 10; // of the longest intervals, and of the tasks that waited longest

std::string ms(std::int64_t ns) { return plain(ms_length(ns)); }

} // namespace

WatchReport::WatchReport(const Engine& engine, std::int64_t wait_limit, bool json)
    : m_engine(engine), m_json(json), m_watch(engine.scenario(), options(wait_limit)) {}

watch::Options WatchReport::options(std::int64_t wait_limit) {
    watch::Options options;
    options.wait_limit = wait_limit;
    options.on_interval = [this](const watch::Interval& interval) {
        if (m_json) return fmt::print("{}\n", io::interval_json(m_engine.scenario(), m_engine.state(), interval));
        const auto length = [](const watch::Interval& i) { return i.end - i.begin; };
        const auto longer = [&](const watch::Interval& a, const watch::Interval& b) { return length(a) > length(b); };
        m_longest.insert(std::upper_bound(m_longest.begin(), m_longest.end(), interval, longer), interval);
        if (m_longest.size() > shown) m_longest.pop_back();
    };
    options.on_long_wait = [this](const watch::Wait& wait) {
        if (m_json) fmt::print("{}\n", io::wait_json(m_engine.scenario(), m_engine.state(), wait));
    };
    return options;
}

void WatchReport::print() const {
    if (m_json) return fmt::print("{}\n", io::watch_summary_json(m_engine.scenario(), m_engine.state(), m_watch));
    print_idle();
    print_waits();
    if (const watch::LagSum& lag = m_watch.worst_lag_sum(); lag.cpu)
        fmt::print("\nSum of weighted lags: farthest from 0 is {} ns at weight {}, CPU {}, {} ms\n", lag.sum, lag.weight,
                   m_engine.scenario().machine.cpu(lag.cpu).number, ms(lag.at));
}

void WatchReport::print_idle() const {
    const watch::Conservation& found = m_watch.conservation();
    fmt::print("CPU time lost, idle while a task waited elsewhere: {} ms in {} intervals\n", ms(found.lost_ns()), found.intervals());
    if (found.intervals() == 0) return;
    std::vector<std::pair<watch::Cause, watch::CauseTotal>> causes(found.by_cause().begin(), found.by_cause().end());
    std::stable_sort(causes.begin(), causes.end(), [](const auto& a, const auto& b) { return a.second.ns > b.second.ns; });
    fmt::print("\n{:<24} {:>12} {:>10} {:>12}  {}\n", "cause", "ms", "stretches", "longest ms", "what");
    for (const auto& [cause, total] : causes)
        fmt::print("{:<24} {:>12} {:>10} {:>12}  {}\n", name_of(cause), ms(total.ns), total.stretches, ms(total.longest), sentence(cause));
    fmt::print("\nThe longest intervals\n{:>12} {:>12} {:>8}  {:<20} {:>8}  {}\n", "from ms", "ms", "idle CPU", "task", "on CPU", "cause");
    for (const watch::Interval& i : m_longest)
        fmt::print("{:>12} {:>12} {:>8}  {:<20} {:>8}  {}\n", ms(i.begin), ms(i.end - i.begin), m_engine.scenario().machine.cpu(i.idle).number,
                   name_of(m_engine.scenario(), m_engine.state(), i.task), m_engine.scenario().machine.cpu(i.queue).number, name_of(i.cause));
}

void WatchReport::print_waits() const {
    const watch::Starvation& found = m_watch.starvation();
    fmt::print("\nWaits over {} ms: {}, together {} ms\n", ms(found.limit()), found.long_waits(), ms(found.long_ns()));
    std::vector<watch::Wait> waits;
    for (const watch::Wait& w : found.longest())
        if (w.task) waits.push_back(w);
    if (waits.empty()) return;
    std::stable_sort(waits.begin(), waits.end(), [](const watch::Wait& a, const watch::Wait& b) { return a.ns() > b.ns(); });
    waits.resize(std::min(waits.size(), shown));
    fmt::print("{:<20} {:>15} {:>12} {:>8}\n", "task", "longest wait ms", "from ms", "on CPU");
    for (const watch::Wait& w : waits)
        fmt::print("{:<20} {:>15} {:>12} {:>8}\n", name_of(m_engine.scenario(), m_engine.state(), w.task), ms(w.ns()), ms(w.begin),
                   m_engine.scenario().machine.cpu(w.cpu).number);
}

} // namespace picknext::cli
