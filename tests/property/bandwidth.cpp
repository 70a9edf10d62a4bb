// SPDX-License-Identifier: GPL-3.0-or-later
// Quotas hold, and nothing is lost by them: a group never uses more than it was given, but for what a CPU may overrun
// until its next tick, and nobody is throttled for longer than it takes to pay that back.
#include <vector>

#include "core/engine/engine.hpp"
#include "core/engine/invariants.hpp"
#include "tests/property/property.hpp"

namespace {

using namespace picknext;

constexpr std::uint64_t scenarios = 150;

class Watch {
  public:
    explicit Watch(const State& st) : m_st(st), m_since(st.queues.size(), -1), m_used(st.groups.size()) {}

    std::string look() {
        if (std::string broken = broken_invariant(m_st); !broken.empty()) return broken;
        count();
        for (std::size_t g = 1; g < m_st.groups.size(); ++g)
            if (std::string wrong = over_quota(GroupId{g}); !wrong.empty()) return wrong;
        for (std::size_t q = 0; q < m_st.queues.size(); ++q)
            if (std::string wrong = held_back(QueueId{q}); !wrong.empty()) return wrong;
        return {};
    }
    [[nodiscard]] bool throttled_any() const { return m_throttled; }

  private:
    /// What the tasks of each group and those below it ran, ns.
    void count() {
        m_used.assign(m_st.groups.size(), 0);
        for (const Task& t : m_st.tasks) m_used[t.group.index()] += static_cast<std::int64_t>(m_st.entity(t.entity).sum_exec);
        for (std::size_t g = m_used.size(); g-- > 1;) m_used[m_st.groups[g].parent.index()] += m_used[g]; // children come later
    }

    /// Runs between two ticks are not charged before they end.
    [[nodiscard]] std::int64_t most_overrun() const { return static_cast<std::int64_t>(m_st.cpu_count()) * m_st.settings.tick_ns(); }

    [[nodiscard]] std::string over_quota(GroupId group) const {
        const Bandwidth& pool = m_st.pool(group);
        if (pool.quota == 0) return {};
        const std::int64_t used = m_used[group.index()];
        const std::int64_t given = (m_st.now / pool.period + 1) * pool.quota + pool.burst;
        if (used <= given + most_overrun()) return {};
        return fmt::format("group {} used {} ns by {}, {} were given", group, used, m_st.now, given);
    }

    std::string held_back(QueueId queue) {
        const Queue& q = m_st.queue(queue);
        std::int64_t& since = m_since[queue.index()];
        if (q.throttled == 0) {
            since = -1;
            return {};
        }
        m_throttled = true;
        if (since < 0) since = m_st.now;
        const Bandwidth& pool = m_st.pool(q.group);
        const std::int64_t periods = 2 + most_overrun() / pool.quota;
        if (m_st.now - since <= periods * pool.period) return {};
        return fmt::format("queue {} has been throttled since {}, at {} still", queue, since, m_st.now);
    }

    const State& m_st;
    std::vector<std::int64_t> m_since; // by queue: throttled since, -1 = it is not
    std::vector<std::int64_t> m_used;  // by group
    bool m_throttled = false;
};

} // namespace

int main(int argc, char** argv) {
    std::uint64_t limited = 0, throttled = 0;
    const int failed = test::for_each_seed(argc, argv, scenarios, [&](std::uint64_t, const Scenario& random) -> std::string {
        const auto scenario = std::make_shared<const Scenario>(random);
        Engine engine(scenario);
        if (!engine.state().bandwidth_used()) return {};
        ++limited;
        Watch watch(engine.state());
        NullSink sink;
        while (engine.next_event_time() <= *scenario->until_ns && engine.step(sink))
            if (std::string wrong = watch.look(); !wrong.empty()) return wrong;
        throttled += watch.throttled_any() ? 1 : 0;
        return {};
    });
    fmt::print("{} scenarios with quotas, {} throttled somebody\n", limited, throttled);
    return failed != 0 || (argc < 2 && throttled < 20) ? 1 : 0;
}
