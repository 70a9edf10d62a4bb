// SPDX-License-Identifier: GPL-3.0-or-later
// How decisions are recorded: four sinks, and the Evidence a deciding function fills. With a sink that wants no checks
// every call here compiles to nothing but the predicate.
#pragma once

#include <array>
#include <concepts>
#include <cstdint>
#include <span>
#include <type_traits>
#include <vector>

#include "core/base/assert.hpp"
#include "core/base/weight.hpp"
#include "core/trace/decision.hpp"

namespace picknext {

struct State;

enum class Detail : std::uint8_t { none, header, checks };

template <class S>
concept DecisionSink = requires(S& s, const State& st, const DecisionHeader& h, std::span<const Check> c) {
    { S::detail } -> std::convertible_to<Detail>;
    s.on_decision(st, h, c); // st: the state before the outcome is applied
};

/// Records nothing.
struct NullSink {
    static constexpr Detail detail = Detail::none;
    void on_decision(const State&, const DecisionHeader&, std::span<const Check>) {}
};

/// Counts decisions by reason, and picks by path. Trivially copyable, so counts can travel with a checkpoint.
struct CountSink {
    static constexpr Detail detail = Detail::none;
    std::array<std::uint64_t, reason_count> by_reason = {};
    std::array<std::array<std::uint64_t, pick_path_count>, 2> by_path = {}; // of picks: [Site][PickPath]
    void on_decision(const State&, const DecisionHeader& h, std::span<const Check>) {
        ++by_reason[static_cast<std::size_t>(h.reason)];
        if (h.kind == Kind::pick) ++by_path[static_cast<std::size_t>(h.site)][static_cast<std::size_t>(h.path)];
    }
};

/// What listens to recorded decisions; lives where it is used (history, query, command line).
class Observer {
  public:
    virtual ~Observer() = default;
    /// Called once per decision, before its outcome is applied. The references are valid during the call only.
    virtual void on_decision(const State& before, const DecisionHeader& header, std::span<const Check> checks) = 0;
};

/// Headers without checks, forwarded.
struct HeaderSink {
    static constexpr Detail detail = Detail::header;
    Observer* observer = nullptr;
    void on_decision(const State& st, const DecisionHeader& h, std::span<const Check> c) { observer->on_decision(st, h, c); }
};

/// Headers with every check, forwarded.
struct FullSink {
    static constexpr Detail detail = Detail::checks;
    Observer* observer = nullptr;
    void on_decision(const State& st, const DecisionHeader& h, std::span<const Check> c) { observer->on_decision(st, h, c); }
};

namespace detail {
template <Unit U>
struct UnitType { using type = std::int64_t; };
template <> struct UnitType<Unit::ns> { using type = Nanos; };
template <> struct UnitType<Unit::vtime> { using type = VTime; };
template <> struct UnitType<Unit::weight> { using type = Weight; };
template <> struct UnitType<Unit::flag> { using type = bool; };
template <> struct UnitType<Unit::cpu> { using type = CpuId; };
template <> struct UnitType<Unit::task> { using type = TaskId; };
template <> struct UnitType<Unit::entity> { using type = EntityId; };

constexpr std::int64_t raw(std::int64_t v) { return v; }
constexpr std::int64_t raw(Nanos v) { return v.ns; }
constexpr std::int64_t raw(VTime v) { return static_cast<std::int64_t>(v.ns); }
constexpr std::int64_t raw(Weight v) { return static_cast<std::int64_t>(v.fine); }
constexpr std::int64_t raw(bool v) { return v ? 1 : 0; }
template <class Tag>
constexpr std::int64_t raw(Id<Tag> v) { return v.value; }
} // namespace detail

/// The type both values of check C must have.
template <Chk C>
using ValueOf = typename detail::UnitType<unit_of(C)>::type;

/// The checks of one decision in the order made. Reuses one buffer; empty for sinks that want none.
template <DecisionSink S>
class Evidence {
  public:
    static constexpr bool recording = S::detail == Detail::checks;

    /// Records a check and returns its answer: wrap the very condition that decides.
    template <Chk C, class Tag>
    bool check(Id<Tag> subject, ValueOf<C> left, ValueOf<C> right, bool passed) {
        if constexpr (recording) push(C, subject.value, detail::raw(left), detail::raw(right), passed ? Verdict::yes : Verdict::no);
        return passed;
    }
    /// As check, marked as the one that decided; the last mark wins.
    template <Chk C, class Tag>
    bool decide(Id<Tag> subject, ValueOf<C> left, ValueOf<C> right, bool passed) {
        mark();
        return check<C>(subject, left, right, passed);
    }
    /// Marks the next recorded check as the deciding one.
    void mark() { if constexpr (recording) m_deciding = m_checks.size(); }
    /// Marks the check recorded last as the deciding one.
    void mark_last() { if constexpr (recording) m_deciding = m_checks.empty() ? 0 : m_checks.size() - 1; }
    /// A check that does not arise here (its row says n/a).
    template <Chk C, class Tag>
    void skip(Id<Tag> subject) {
        if constexpr (recording) push(C, subject.value, 0, 0, Verdict::not_asked);
    }
    /// An input that is only observed.
    template <Chk C, class Tag>
    void note(Id<Tag> subject, ValueOf<C> left, ValueOf<C> right) {
        if constexpr (recording) push(C, subject.value, detail::raw(left), detail::raw(right), Verdict::noted);
    }
    [[nodiscard]] std::span<const Check> checks() const {
        if constexpr (recording) return m_checks; else return {};
    }
    [[nodiscard]] std::uint16_t deciding() const {
        if constexpr (recording) return static_cast<std::uint16_t>(m_deciding); else return 0;
    }
    void clear() { if constexpr (recording) { m_checks.clear(); m_deciding = 0; } }

  private:
    void push(Chk id, std::int32_t subject, std::int64_t left, std::int64_t right, Verdict v) {
        m_checks.push_back(Check{id, v, 0, subject, left, right});
    }
    struct Nothing { };
    [[no_unique_address]] std::conditional_t<recording, std::vector<Check>, Nothing> m_checks = {};
    [[no_unique_address]] std::conditional_t<recording, std::size_t, Nothing> m_deciding = {};
};

/// Hands out Evidence and announces finished decisions to the sink. Decisions may nest (a preemption check asks for a
/// pick): the innermost opened is announced first. One per engine run.
template <DecisionSink S>
class Recorder {
  public:
    explicit Recorder(S& sink) : m_sink(&sink) {}
    /// Starts a decision; every open() is matched by one announce().
    Evidence<S>& open() {
        if constexpr (!Evidence<S>::recording) return m_evidence[0]; // it keeps nothing: all decisions may share it
        PICKNEXT_DEBUG_ASSERT(m_depth < m_evidence.size(), "decisions nested {} deep", m_depth);
        Evidence<S>& e = m_evidence[m_depth++];
        e.clear();
        return e;
    }
    /// Announces the decision opened last; then it is the caller's to apply. Stamps event and time, fills checks and
    /// deciding, counts State::decisions. Everything else in the header is the caller's. (Defined in state/state.hpp.)
    void announce(State& st, DecisionHeader header);
    /// Gives up the decision opened last: it did not arise.
    void drop() { close(); }

  private:
    Evidence<S>& close() {
        if constexpr (Evidence<S>::recording) --m_depth;
        return m_evidence[m_depth];
    }

    S* m_sink;
    std::size_t m_depth = 0;
    std::array<Evidence<S>, 4> m_evidence;
};

/// Explicit instantiation: PICKNEXT_FOR_EACH_SINK(X) expands X(sink type) for the four sinks.
#define PICKNEXT_FOR_EACH_SINK(X) X(NullSink) X(CountSink) X(HeaderSink) X(FullSink)

} // namespace picknext
