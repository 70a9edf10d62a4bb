// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/vectors/columns.hpp"

#include <algorithm>
#include <array>

#include <fmt/format.h>

#include "core/fair/views.hpp"

namespace picknext::vectors {

namespace {

std::int64_t pattern(VTime v) { return static_cast<std::int64_t>(v.ns); }
std::int64_t pattern(std::uint64_t v) { return static_cast<std::int64_t>(v); }
const Queue& at(const Scene& s, QueueId q) { return s.st.queue(q); }

std::int64_t reference(const Scene& s, QueueId q) { return pattern(at(s, q).ref); }
std::int64_t queued(const Scene& s, QueueId q) { return at(s, q).nr_queued; }
std::int64_t tasks_below(const Scene& s, QueueId q) { return at(s, q).h_nr_queued; }
std::int64_t next_buddy(const Scene& s, QueueId q) { return s.name_of(at(s, q).next); }

// Some numbers have another name in each kernel.
constexpr std::array queue_columns{
    QueueColumn{"zero_vruntime", reference},
    QueueColumn{"min_vruntime", reference},
    QueueColumn{"sum_w_vruntime", [](const Scene& s, QueueId q) { return at(s, q).sum_w_vruntime; }},
    QueueColumn{"avg_vruntime", [](const Scene& s, QueueId q) { return pattern(fair::average_vruntime(s.st.settings, s.st, q)); }},
    QueueColumn{"sum_weight", [](const Scene& s, QueueId q) { return pattern(at(s, q).sum_weight); }},
    QueueColumn{"load_weight", [](const Scene& s, QueueId q) { return pattern(at(s, q).weight.fine); }},
    QueueColumn{"nr_queued", queued},
    QueueColumn{"nr_running", queued},
    QueueColumn{"h_nr_delayed", [](const Scene& s, QueueId q) { return std::int64_t{at(s, q).h_nr_delayed}; }},
    QueueColumn{"idle_nr", [](const Scene& s, QueueId q) { return std::int64_t{at(s, q).idle_nr}; }},
    QueueColumn{"next_buddy", next_buddy},
    QueueColumn{"next", next_buddy},
    QueueColumn{"last", [](const Scene& s, QueueId q) { return s.name_of(at(s, q).last); }},
    QueueColumn{"skip", [](const Scene& s, QueueId q) { return s.name_of(at(s, q).skip); }},
    QueueColumn{"h_nr_queued", tasks_below},
    QueueColumn{"h_nr_running", tasks_below},
    QueueColumn{"h_nr_runnable", [](const Scene& s, QueueId q) { return std::int64_t{at(s, q).h_nr_runnable}; }},
};

/// 1 on queue, 2 dequeue delayed, 4 deadline stored relative to vruntime, 8 own slice.
std::int64_t flags(const Entity& e) {
    return (e.on_rq != 0 ? 1 : 0) | (e.sched_delayed != 0 ? 2 : 0) | (e.rel_deadline != 0 ? 4 : 0) | (e.custom_slice != 0 ? 8 : 0);
}

constexpr std::array entity_columns{
    EntityColumn{"vruntime", [](const Entity& e) { return pattern(e.vruntime); }},
    EntityColumn{"sum_exec", [](const Entity& e) { return pattern(e.sum_exec); }},
    EntityColumn{"prev_sum_exec", [](const Entity& e) { return pattern(e.prev_sum_exec); }},
    EntityColumn{"deadline", [](const Entity& e) { return pattern(e.deadline); }},
    EntityColumn{"vlag", [](const Entity& e) { return e.vlag; }},
    EntityColumn{"flags", flags},
    EntityColumn{"on_rq", [](const Entity& e) { return std::int64_t{e.on_rq}; }},
    EntityColumn{"slice", [](const Entity& e) { return pattern(e.slice); }},
    EntityColumn{"weight", [](const Entity& e) { return pattern(e.weight.fine); }},
};

constexpr std::array load_columns{
    LoadColumn{"last_update", [](const LoadAvg& a) { return pattern(a.last_update); }},
    LoadColumn{"period_contrib", [](const LoadAvg& a) { return std::int64_t{a.period_contrib}; }},
    LoadColumn{"load_sum", [](const LoadAvg& a) { return pattern(a.load_sum); }},
    LoadColumn{"runnable_sum", [](const LoadAvg& a) { return pattern(a.runnable_sum); }},
    LoadColumn{"util_sum", [](const LoadAvg& a) { return std::int64_t{a.util_sum}; }},
    LoadColumn{"load_avg", [](const LoadAvg& a) { return pattern(a.load_avg); }},
    LoadColumn{"runnable_avg", [](const LoadAvg& a) { return pattern(a.runnable_avg); }},
    LoadColumn{"util_avg", [](const LoadAvg& a) { return pattern(a.util_avg); }},
};

template <class Table>
auto select(const Table& table, const Value& names) {
    std::vector<typename Table::value_type> out;
    for (const Value& name : names.list()) {
        const auto* it = std::find_if(table.begin(), table.end(), [&](const auto& c) { return c.name == name.text(); });
        if (it == table.end()) throw Malformed(fmt::format("column {} is not known", name.text()));
        out.push_back(*it);
    }
    return out;
}

} // namespace

Columns read_columns(const Value& cols) {
    return {select(queue_columns, cols["q"]), select(entity_columns, cols["e"]), select(load_columns, cols["l"])};
}

} // namespace picknext::vectors
