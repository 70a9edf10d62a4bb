// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/history/timeline.hpp"

#include <algorithm>
#include <utility>

#include <fmt/format.h>

#include "core/history/checkpoints.hpp"
#include "core/history/run_log.hpp"

namespace picknext {
namespace {

constexpr std::uint64_t poll_events = 4096;

/// Copies the state that decision `number` sees, while its event is run again.
class Capture final : public Observer {
  public:
    Capture(std::uint64_t number, State& state, DecisionHeader& header, std::vector<Check>& checks)
        : m_number(number), m_state(state), m_header(header), m_checks(checks) {}
    void on_decision(const State& before, const DecisionHeader& header, std::span<const Check> checks) override {
        if (before.decisions != m_number) return;
        m_state = before;
        m_header = header;
        m_checks.assign(checks.begin(), checks.end());
        m_seen = true;
    }
    [[nodiscard]] bool seen() const { return m_seen; }

  private:
    std::uint64_t m_number;
    State& m_state;
    DecisionHeader& m_header;
    std::vector<Check>& m_checks;
    bool m_seen = false;
};

/// Passes decisions first..last on to a visitor.
class Visit final : public Observer {
  public:
    Visit(std::uint64_t first, std::uint64_t last, const Visitor& visitor) : m_next(first), m_last(last), m_visitor(visitor) {}
    void on_decision(const State& before, const DecisionHeader& header, std::span<const Check> checks) override {
        if (m_enough || before.decisions != m_next || m_next > m_last) return;
        ++m_next;
        m_enough = !m_visitor(before, header, checks);
    }
    [[nodiscard]] bool enough() const { return m_enough || m_next > m_last; }
    [[nodiscard]] std::uint64_t shown() const { return m_next - 1; }

  private:
    std::uint64_t m_next, m_last;
    const Visitor& m_visitor;
    bool m_enough = false;
};

/// The log holds headers of a run without checks: those fields say nothing.
DecisionHeader without_checks(DecisionHeader header) {
    header.checks = 0;
    header.deciding = 0;
    return header;
}

bool is_unit(const DecisionHeader& h, StepUnit unit) {
    switch (unit) {
    case StepUnit::decision: return true;
    case StepUnit::context_switch: return h.kind == Kind::schedule && h.reason != Reason::schedule_same;
    case StepUnit::wakeup: return h.kind == Kind::place;
    case StepUnit::tick: return h.kind == Kind::tick;
    case StepUnit::check:
    case StepUnit::millisecond: break; // no rows of the log
    }
    return false;
}

} // namespace

struct Timeline::Impl {
    Impl(std::shared_ptr<const Scenario> a_scenario, HistoryBudget budget)
        : scenario(std::move(a_scenario)), front(scenario), back(scenario), log(scenario->machine.cpu_count()),
          checkpoints(front.state(), budget), before_front(front.state()), event_start(front.state()), shown(front.state()) {}

    std::shared_ptr<const Scenario> scenario;
    Engine front; // the frontier: everything before it is in the log
    Engine back;  // replays what the cursor shows
    RunLog log;
    Checkpoints checkpoints;
    State before_front; // between events, shortly before the frontier
    std::string mismatch;
    // the cursor
    Position position;
    State event_start;  // before the event that is shown
    State shown;        // at the decision
    DecisionHeader header;
    std::vector<Check> checks;
    mutable std::shared_ptr<const Snapshot> snapshot;

    [[nodiscard]] bool computed_all() const;
    bool compute_event();
    template <class Enough>
    bool compute_until(const Enough& enough, const std::stop_token& stop, const Progress& progress);
    [[nodiscard]] bool replay_to(std::uint64_t event, bool lay_near, const std::stop_token& stop, const Progress& progress);
    bool show(std::uint64_t number, const std::stop_token& stop, const Progress& progress);
    void show_start();
    bool show_last(const Progress& progress) { return show(log.rows(), {}, progress); }

    bool forward(StepUnit unit, std::uint64_t n, const std::stop_token& stop, const Progress& progress);
    bool backward(StepUnit unit, std::uint64_t n, const std::stop_token& stop, const Progress& progress);
    bool one_check(Direction direction, const std::stop_token& stop, const Progress& progress);
    bool to_decision(std::uint64_t number, const std::stop_token& stop, const Progress& progress);
    bool to_time(std::int64_t ns, const std::stop_token& stop, const Progress& progress);
    bool by_milliseconds(Direction direction, std::uint64_t n, const std::stop_token& stop, const Progress& progress);
    std::uint64_t visit(std::uint64_t first, std::uint64_t last, Detail detail, const Visitor& visitor, const std::stop_token& stop,
                        const Progress& progress);
};

/// Nothing is left to compute within the limits of the scenario.
bool Timeline::Impl::computed_all() const {
    if (scenario->until_events && front.state().event >= *scenario->until_events) return true;
    const std::int64_t next = front.next_event_time();
    return front.state().events.empty() || (scenario->until_ns && next > *scenario->until_ns);
}

bool Timeline::Impl::compute_event() {
    if (computed_all()) return false;
    checkpoints.lay_coarse(front.state());
    HeaderSink sink{&log};
    return front.step(sink);
}

/// Moves the frontier on until enough() holds. False when the run ends first or stop was requested.
template <class Enough>
bool Timeline::Impl::compute_until(const Enough& enough, const std::stop_token& stop, const Progress& progress) {
    const std::uint64_t gap = events_per_copy(front.state());
    for (std::uint64_t n = 0; !enough(); ++n) {
        if (front.state().event - before_front.event >= gap) before_front = front.state();
        if (!compute_event()) return false;
        snapshot.reset();
        if ((n + 1) % poll_events != 0) continue;
        if (stop.stop_requested()) return false;
        if (progress) progress(front.state());
    }
    return true;
}

/// Brings `back` to an event boundary from wherever that is cheapest. Coarse checkpoints on the way are compared; near
/// ones are left at halving distances before the target, so that going on backwards replays little.
bool Timeline::Impl::replay_to(std::uint64_t event, bool lay_near, const std::stop_token& stop, const Progress& progress) {
    const State* base = &checkpoints.last_before(event);
    for (const State* other : {&std::as_const(before_front), &std::as_const(event_start)})
        if (other->event <= event && other->event > base->event) base = other;
    const std::uint64_t gap = events_per_copy(*base);
    const bool stay = back.state().event <= event && event - back.state().event <= event - base->event + gap;
    if (!stay) back.restore(*base);

    NullSink sink;
    while (back.state().event < event) {
        const std::uint64_t here = back.state().event;
        std::uint64_t next = event;
        if (lay_near && event - here > 2 * gap) next = event - (event - here) / 2;
        const Checkpoint* expected = checkpoints.next_coarse(here, next);
        if (expected != nullptr) next = expected->state.event;
        if (back.run(RunLimit{.events = next}, sink, stop, progress) == StopReason::cancelled) return false;
        PICKNEXT_ASSERT(back.state().event == next, "replay stopped at event {}, wanted {}", back.state().event, next);
        if (expected != nullptr && digest(back.state()) != expected->digest && mismatch.empty())
            mismatch = fmt::format("Replay differs from the first run at event {}: {}", next,
                                   first_difference(back.state(), expected->state));
        if (lay_near && next != event) checkpoints.lay_near(back.state(), event);
    }
    return true;
}

void Timeline::Impl::show_start() {
    shown = checkpoints.start();
    header = {};
    checks.clear();
    position = {};
    snapshot.reset();
}

/// Puts the cursor on a computed decision, all its checks seen. False when cancelled: the cursor stays.
bool Timeline::Impl::show(std::uint64_t number, const std::stop_token& stop, const Progress& progress) {
    if (number == 0) {
        show_start();
        return true;
    }
    const DecisionHeader& row = log.row(number - 1);
    PICKNEXT_ASSERT(row.event > 0, "decision {} belongs to no event", number);
    if (!replay_to(row.event - 1, number < position.decision, stop, progress)) return false;
    event_start = back.state();
    Capture capture(number, shown, header, checks);
    FullSink sink{&capture};
    back.step(sink);
    PICKNEXT_ASSERT(capture.seen(), "decision {} did not occur again in event {}", number, row.event);
    if (without_checks(header) != row && mismatch.empty())
        mismatch = fmt::format("Replay differs from the first run at decision {}: {} instead of {}", number,
                               info(header.reason).name, info(row.reason).name);
    position = {header.event, number, header.checks};
    snapshot.reset();
    return true;
}

bool Timeline::Impl::forward(StepUnit unit, std::uint64_t n, const std::stop_token& stop, const Progress& progress) {
    std::uint64_t number = position.decision;
    while (n > 0) {
        if (number == log.rows() && !compute_until([&] { return log.rows() > number; }, stop, progress)) {
            show_last(progress); // the end, or where a cancelled search got to
            return false;
        }
        ++number;
        if (is_unit(log.row(number - 1), unit)) --n;
        if (number % poll_events == 0 && stop.stop_requested()) {
            show(number, {}, progress);
            return false;
        }
    }
    return show(number, stop, progress);
}

bool Timeline::Impl::backward(StepUnit unit, std::uint64_t n, const std::stop_token& stop, const Progress& progress) {
    std::uint64_t number = position.decision;
    while (n > 0 && number > 0) {
        --number;
        if (number == 0 ? unit == StepUnit::decision : is_unit(log.row(number - 1), unit)) --n;
    }
    return show(number, stop, progress) && n == 0;
}

bool Timeline::Impl::one_check(Direction direction, const std::stop_token& stop, const Progress& progress) {
    snapshot.reset();
    if (direction == Direction::forward) {
        if (position.check < header.checks) {
            ++position.check;
            return true;
        }
        if (!forward(StepUnit::decision, 1, stop, progress)) return false;
        position.check = std::min<std::uint16_t>(1, header.checks);
        return true;
    }
    if (position.check > 1) {
        --position.check;
        return true;
    }
    return backward(StepUnit::decision, 1, stop, progress);
}

bool Timeline::Impl::to_decision(std::uint64_t number, const std::stop_token& stop, const Progress& progress) {
    if (number > log.rows() && !compute_until([&] { return log.rows() >= number; }, stop, progress)) {
        show_last(progress);
        return false;
    }
    return show(number, stop, progress);
}

bool Timeline::Impl::to_time(std::int64_t ns, const std::stop_token& stop, const Progress& progress) {
    const auto reached = [&] { return log.rows() > 0 && log.row(log.rows() - 1).at >= ns; };
    if (!reached() && !compute_until(reached, stop, progress)) {
        show_last(progress);
        return false;
    }
    return show(log.first_at(ns), stop, progress);
}

bool Timeline::Impl::by_milliseconds(Direction direction, std::uint64_t n, const std::stop_token& stop, const Progress& progress) {
    constexpr std::int64_t ms = 1'000'000;
    const std::int64_t count = static_cast<std::int64_t>(std::min<std::uint64_t>(n, INT64_MAX / (2 * ms)));
    if (direction == Direction::forward) return to_time(shown.now + count * ms, stop, progress);
    if (position.decision == 0) return false;
    const std::int64_t target = shown.now - count * ms;
    if (target < 0) return show(0, stop, progress);
    // Where decisions are sparse the first one after the target is the one shown already: then the one before.
    return show(std::min(log.first_at(target), position.decision - 1), stop, progress);
}

std::uint64_t Timeline::Impl::visit(std::uint64_t first, std::uint64_t last, Detail detail, const Visitor& visitor,
                                    const std::stop_token& stop, const Progress& progress) {
    if (last > log.rows()) compute_until([&] { return log.rows() >= last; }, stop, progress);
    last = std::min(last, log.rows());
    if (first > last || stop.stop_requested()) return first - 1;
    if (!replay_to(log.row(first - 1).event - 1, first < position.decision, stop, progress)) return first - 1;
    Visit observer(first, last, visitor);
    HeaderSink headers{&observer};
    FullSink full{&observer};
    for (std::uint64_t n = 1; !observer.enough(); ++n) {
        const bool stepped = detail == Detail::checks ? back.step(full) : back.step(headers);
        PICKNEXT_ASSERT(stepped, "decision {} did not occur again, wanted up to {}", observer.shown() + 1, last);
        if (n % poll_events != 0) continue;
        if (stop.stop_requested()) break;
        if (progress) progress(back.state());
    }
    return observer.shown();
}

Timeline::Timeline(std::shared_ptr<const Scenario> scenario, HistoryBudget budget)
    : m_impl(std::make_unique<Impl>(std::move(scenario), budget)) {}
Timeline::~Timeline() = default;
Timeline::Timeline(Timeline&&) noexcept = default;
Timeline& Timeline::operator=(Timeline&&) noexcept = default;

Position Timeline::position() const { return m_impl->position; }
const State& Timeline::state() const { return m_impl->shown; }
const Scenario& Timeline::scenario() const { return *m_impl->scenario; }

std::shared_ptr<const Snapshot> Timeline::snapshot() const {
    Impl& d = *m_impl;
    if (d.snapshot) return d.snapshot;
    auto out = std::make_shared<Snapshot>();
    out->scenario = d.scenario;
    out->state = d.shown;
    out->position = d.position;
    out->header = d.header;
    out->checks = d.checks;
    d.log.share(out->index);
    out->index.frontier = d.front.state().now;
    out->at_end = d.computed_all() && d.position.decision == d.log.rows();
    out->digest = digest(d.shown);
    out->has_previous = d.position.decision > 0;
    d.snapshot = std::move(out);
    return d.snapshot;
}

bool Timeline::step(StepUnit unit, Direction direction, std::uint64_t n, std::stop_token stop, const Progress& progress) {
    if (n == 0) return true;
    if (unit == StepUnit::millisecond) return m_impl->by_milliseconds(direction, n, stop, progress);
    if (unit == StepUnit::check) {
        for (std::uint64_t i = 0; i < n; ++i)
            if (!m_impl->one_check(direction, stop, progress)) return false;
        return true;
    }
    return direction == Direction::forward ? m_impl->forward(unit, n, stop, progress) : m_impl->backward(unit, n, stop, progress);
}

bool Timeline::seek_decision(std::uint64_t number, std::stop_token stop, const Progress& progress) {
    return m_impl->to_decision(number, stop, progress);
}

bool Timeline::seek_time(std::int64_t ns, std::stop_token stop, const Progress& progress) {
    return m_impl->to_time(ns, stop, progress);
}

std::uint64_t Timeline::visit(std::uint64_t first, std::uint64_t last, Detail detail, const Visitor& visitor, std::stop_token stop,
                              const Progress& progress) {
    return m_impl->visit(first, last, detail, visitor, stop, progress);
}

const std::string& Timeline::replay_mismatch() const { return m_impl->mismatch; }
std::size_t Timeline::checkpoint_bytes() const { return m_impl->checkpoints.bytes(); }
std::size_t Timeline::checkpoint_count() const { return m_impl->checkpoints.count(); }

} // namespace picknext
