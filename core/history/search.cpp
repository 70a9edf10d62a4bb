// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/history/search.hpp"

#include <algorithm>
#include <optional>

namespace picknext {
namespace {

// Decisions looked at together: few at first, for the nearest hit is often near; more as the search goes on.
constexpr std::uint64_t first_portion = 1024;
constexpr std::uint64_t largest_portion = 65536;

/// One search: what counts as a hit, and whether that takes the decision before too.
class Search {
  public:
    Search(Timeline& timeline, const expr::Expression& expression, bool changes, std::stop_token stop, const Progress& progress)
        : m_timeline(timeline), m_expression(expression), m_changes(changes), m_stop(std::move(stop)), m_progress(progress) {}

    SearchResult forward(Fence fence) {
        std::uint64_t portion = first_portion;
        for (std::uint64_t from = std::max(m_timeline.position().decision + 1, fence.first); from <= fence.last;) {
            const std::uint64_t to = fence.last - from < portion ? fence.last : from + portion - 1;
            const std::uint64_t shown = look_at(from, to, true);
            if (m_hit != 0) return arrive();
            if (m_stop.stop_requested()) return {SearchEnd::cancelled};
            if (shown < to) return {SearchEnd::run};
            if (to == fence.last) break;
            from = to + 1;
            portion = std::min(2 * portion, largest_portion);
        }
        return {SearchEnd::fence};
    }

    SearchResult back(Fence fence) {
        const std::uint64_t cursor = m_timeline.position().decision;
        const std::uint64_t first = std::max<std::uint64_t>(1, fence.first);
        std::uint64_t portion = first_portion;
        for (std::uint64_t to = std::min(cursor == 0 ? 0 : cursor - 1, fence.last); to >= first;) {
            const std::uint64_t from = to - first < portion ? first : to - portion + 1;
            look_at(from, to, false);
            if (m_stop.stop_requested()) return {SearchEnd::cancelled};
            if (m_hit != 0) return arrive();
            to = from - 1;
            portion = std::min(2 * portion, largest_portion);
        }
        return {first > 1 ? SearchEnd::fence : SearchEnd::run};
    }

  private:
    /// Notes the first or the last hit among from..to; returns the last decision looked at.
    std::uint64_t look_at(std::uint64_t from, std::uint64_t to, bool first_hit) {
        std::optional<expr::Value> before;
        if (m_changes && from == 1) before = m_expression.value(initial_state(m_timeline.scenario()), DecisionHeader{}, {});
        const std::uint64_t begin = m_changes && from > 1 ? from - 1 : from;
        const Detail detail = m_expression.needs_checks() ? Detail::checks : Detail::header;
        return m_timeline.visit(begin, to, detail, [&](const State& st, const DecisionHeader& header, std::span<const Check> checks) {
            bool hit = false;
            if (m_changes) {
                const expr::Value now = m_expression.value(st, header, checks);
                hit = before && *before != now;
                before = now;
            } else {
                hit = m_expression.holds(st, header, checks);
            }
            if (hit) m_hit = st.decisions;
            return !(hit && first_hit);
        }, m_stop, m_progress);
    }
    SearchResult arrive() {
        if (!m_timeline.seek_decision(m_hit, m_stop, m_progress)) return {SearchEnd::cancelled};
        return {SearchEnd::hit, m_hit};
    }

    Timeline& m_timeline;
    const expr::Expression& m_expression;
    bool m_changes;
    std::stop_token m_stop;
    const Progress& m_progress;
    std::uint64_t m_hit = 0;
};

} // namespace

SearchResult find_hit(Timeline& timeline, const expr::Expression& condition, Direction direction, Fence fence, std::stop_token stop,
                      const Progress& progress) {
    Search search(timeline, condition, false, std::move(stop), progress);
    return direction == Direction::forward ? search.forward(fence) : search.back(fence);
}

SearchResult find_change(Timeline& timeline, const expr::Expression& watched, Direction direction, Fence fence, std::stop_token stop,
                         const Progress& progress) {
    Search search(timeline, watched, true, std::move(stop), progress);
    return direction == Direction::forward ? search.forward(fence) : search.back(fence);
}

} // namespace picknext
