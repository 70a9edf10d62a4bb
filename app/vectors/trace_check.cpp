// SPDX-License-Identifier: GPL-3.0-or-later
#include <fmt/format.h>

#include "app/vectors/columns.hpp"
#include "app/vectors/format.hpp"
#include "app/vectors/trace_expected.hpp"
#include "app/vectors/trace_session.hpp"
#include "core/fair/slice.hpp"

namespace picknext::vectors {

namespace {

/// "queue" in plain traces, "queue 2" in group files.
std::string queue_name(bool groups, std::size_t group) { return groups ? fmt::format("queue {}", group) : "the queue"; }

class StateComparer {
  public:
    StateComparer(const Columns& columns, const Expected& expected, const TraceSession& session, bool groups)
        : m_columns(columns), m_expected(expected), m_session(session), m_scene(session.scene()), m_groups(groups) {}

    Comparison compare(bool with_trees) {
        const Rq& rq = m_scene.st.rq(the_cpu);
        m_result.expect(m_expected.current, m_scene.name_of(rq.curr), [] { return std::string("the running task"); });
        m_result.expect(text(m_expected.picks), text(m_session.picks()), [] { return std::string("the picks"); });
        compare_queues();
        compare_entities();
        if (with_trees) compare_trees();
        m_result.expect(m_expected.resched ? 1 : 0, rq.need_resched, [] { return std::string("the request to reschedule"); });
        compare_slice();
        compare_loads();
        return m_result;
    }

  private:
    void compare_queues() {
        m_result.expect(static_cast<std::int64_t>(m_expected.queues.size()), static_cast<std::int64_t>(m_scene.st.groups.size()),
                        [] { return std::string("the number of queues"); });
        for (std::size_t g = 0; g < m_expected.queues.size() && m_result.equal(); ++g)
            for (std::size_t i = 0; i < m_expected.queues[g].size(); ++i)
                m_result.expect(m_expected.queues[g][i], m_columns.queue[i].value(m_scene, m_scene.queue(g)),
                                [&] { return fmt::format("{} of {}", m_columns.queue[i].name, queue_name(m_groups, g)); });
    }

    void compare_entities() {
        for (const auto& [id, row] : m_expected.entities) {
            const Entity& e = m_scene.st.entity(m_scene.entity(id));
            for (std::size_t i = 0; i < row.size(); ++i)
                m_result.expect(row[i], m_columns.entity[i].value(e),
                                [&, id = id] { // a binding: clang 14 does not capture it by itself
                                    return fmt::format("{} of entity {}", m_columns.entity[i].name, id);
                                });
        }
    }

    void compare_trees() {
        for (std::size_t g = 0; g < m_expected.trees.size() && m_result.equal(); ++g)
            m_result.expect(m_expected.trees[g], tree_text(m_scene, m_scene.queue(g)),
                            [&] { return fmt::format("the tree of {}", queue_name(m_groups, g)); });
    }

    void compare_slice() {
        const TaskId running = m_scene.st.rq(the_cpu).curr;
        if (!m_expected.slice || !running) return;
        const EntityId entity = m_scene.st.task(running).entity;
        const Queue& q = m_scene.st.queue(m_scene.st.entity(entity).queue);
        m_result.expect(*m_expected.slice, fair::sched_slice(m_scene.st, q, entity), [] { return std::string("the slice of the running task"); });
    }

    void compare_load(const Row& row, const LoadAvg& avg, const std::string& whose) {
        for (std::size_t i = 0; i < row.size(); ++i)
            m_result.expect(row[i], m_columns.load[i].value(avg), [&] { return fmt::format("{} of {}", m_columns.load[i].name, whose); });
    }

    void compare_loads() {
        if (!m_result.equal()) return;
        for (const auto& [id, row] : m_expected.loads)
            compare_load(row, m_scene.st.entity(m_scene.entity(id)).avg, fmt::format("the load of entity {}", id));
        for (std::size_t g = 0; g < m_expected.queue_loads.size(); ++g)
            compare_load(m_expected.queue_loads[g], m_scene.st.queue(m_scene.queue(g)).avg, "the load of " + queue_name(m_groups, g));
        for (std::size_t g = 1; g <= m_expected.group_loads.size(); ++g) {
            const Row& row = m_expected.group_loads[g - 1];
            if (row.empty()) continue;
            m_result.expect(row[0], static_cast<std::int64_t>(m_scene.st.groups[g].load_avg), [&] { return fmt::format("the load sum of group {}", g); });
            m_result.expect(row[1], static_cast<std::int64_t>(m_scene.st.queue(m_scene.queue(g)).tg_load_contrib),
                            [&] { return fmt::format("the contribution of {}", queue_name(true, g)); });
        }
    }

    const Columns& m_columns;
    const Expected& m_expected;
    const TraceSession& m_session;
    const Scene& m_scene;
    bool m_groups;
    Comparison m_result;
};

void check_trace(const Value& trace, const Columns& columns, const Settings& file_settings, Tally& tally) {
    Settings settings = file_settings;
    const Value& params = trace["params"];
    set_parameters(settings, params);
    const VTime reference{static_cast<std::uint64_t>(params.number_or("v0", static_cast<std::int64_t>(queue_start_vtime)))};
    const bool groups = trace.number_or("groups", 0) > 0;
    const auto tree_every = static_cast<std::size_t>(std::max<std::int64_t>(1, trace.number_or("tree_every", 1)));

    TraceSession session(settings, reference);
    Expected expected(columns, groups);
    const Value::List& ops = trace["ops"].list();
    for (std::size_t i = 0; i < ops.size(); ++i) {
        const Value& record = ops[i];
        const auto where = [&] {
            const Value* a = record.find("a");
            const std::string arguments = a != nullptr ? fmt::format(" {}", fmt::join(a->numbers(), " ")) : "";
            return fmt::format("trace {}, operation {} ({}{}, t {})", trace["name"].text(), i, record["o"].text(), arguments, record["t"].number());
        };
        const FileId leaving = record["o"].text() == "exit" ? session.scene().name_of(session.scene().st.rq(the_cpu).curr) : nobody;
        session.perform(record);
        expected.take(record);
        if (leaving != nobody) expected.forget(leaving);
        const Comparison c = StateComparer(columns, expected, session, groups).compare(i % tree_every == 0);
        tally.add(c, where);
        if (!c.equal()) return; // from here on everything would differ
    }
}

} // namespace

void check_traces(const Value& file, Tally& tally) {
    Settings settings = default_settings(kernel_of(file["kernel"].text()), 1);
    set_features(settings, file["feature_defaults"]);
    const Columns columns = read_columns(file["cols"]);
    for (const Value& trace : file["traces"].list()) check_trace(trace, columns, settings, tally);
}

} // namespace picknext::vectors
