// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/io/workload_rules.hpp"

#include <algorithm>

#include <fmt/ranges.h>

namespace picknext::io {
namespace {

constexpr std::int64_t practically_endless = 1'000'000; // rounds

bool endless(std::int64_t loop) { return loop == forever || loop >= practically_endless; }

/// The operations a task repeats without end; empty if it ends.
std::vector<const Op*> endless_ops(const TaskSpec& task) {
    std::vector<const Op*> ops;
    for (const Phase& phase : task.phases)
        if (endless(phase.loop)) {
            for (const Op& op : phase.ops) ops.push_back(&op);
            return ops;
        }
    if (!endless(task.loop)) return ops;
    for (const Phase& phase : task.phases)
        for (const Op& op : phase.ops) ops.push_back(&op);
    return ops;
}

bool passes_time(const Op& op) {
    switch (op.kind) {
    case OpKind::run:
    case OpKind::spin:
    case OpKind::sleep: return takes_time(op.amount);
    case OpKind::timer:
    case OpKind::exit: return true; // an exit ends the loop
    default: return false;
    }
}

/// Tasks whose endless loop holds no operation that takes time.
struct Timeless {
    std::size_t task;
    std::vector<const Op*> ops;
};

/// What some op waits for, and whether another op provides it.
bool provides(const Op& waiting, const Op& other) {
    switch (waiting.kind) {
    case OpKind::wait: return (other.kind == OpKind::signal || other.kind == OpKind::broadcast) && other.resource == waiting.resource;
    case OpKind::sem_wait: return other.kind == OpKind::sem_post && other.resource == waiting.resource;
    case OpKind::suspend: return other.kind == OpKind::resume && other.resource == waiting.resource;
    case OpKind::read: return waiting.bytes == 0 || (other.kind == OpKind::write && other.resource == waiting.resource && other.bytes > 0);
    case OpKind::write: return waiting.bytes == 0 || (other.kind == OpKind::read && other.resource == waiting.resource && other.bytes > 0);
    default: return true; // does not wait
    }
}

bool barrier_fills(const Workload& w, const Op& barrier, const std::vector<Timeless>& set) {
    std::int64_t arrivals = 0;
    for (const Timeless& t : set)
        for (const Op* op : t.ops)
            if (op->kind == OpKind::barrier && op->resource == barrier.resource) arrivals += std::max(w.tasks[t.task].count, 1);
    return arrivals >= w.resources[static_cast<std::size_t>(barrier.resource)].initial;
}

bool can_pass(const Workload& w, const Op& op, const std::vector<Timeless>& set) {
    if (op.kind == OpKind::barrier) return barrier_fills(w, op, set);
    return std::any_of(set.begin(), set.end(), [&](const Timeless& t) {
        return std::any_of(t.ops.begin(), t.ops.end(), [&](const Op* other) { return provides(op, *other); });
    });
}

void renumber(Workload& w, const std::vector<std::int32_t>& renumbered) {
    for (TaskSpec& task : w.tasks)
        for_each_op(task, [&](Op& op) {
            if (op.resource >= 0) op.resource = renumbered[static_cast<std::size_t>(op.resource)];
            if (op.second >= 0) op.second = renumbered[static_cast<std::size_t>(op.second)];
        });
}

} // namespace

bool takes_time(const Dist& d) {
    switch (d.kind) {
    case Dist::Kind::uniform: return d.b > 0;
    case Dist::Kind::normal: return d.a > 0 || d.b > 0;
    case Dist::Kind::list:
        return d.repeat ? std::any_of(d.values.begin(), d.values.end(), [](std::int64_t v) { return v > 0; })
                        : !d.values.empty() && d.values.back() > 0;
    default: return d.a > 0;
    }
}

std::optional<ZeroTimeLoop> find_zero_time_loop(const Workload& w) {
    std::vector<Timeless> set;
    for (std::size_t t = 0; t < w.tasks.size(); ++t) {
        std::vector<const Op*> ops = endless_ops(w.tasks[t]);
        if (!ops.empty() && std::none_of(ops.begin(), ops.end(), [](const Op* op) { return passes_time(*op); }))
            set.push_back({t, std::move(ops)});
    }
    // Take out whoever waits for somebody outside, until nobody does.
    for (bool changed = true; changed && !set.empty();) {
        const std::size_t before = set.size();
        const std::vector<Timeless> all = set;
        std::erase_if(set, [&](const Timeless& t) {
            return std::any_of(t.ops.begin(), t.ops.end(), [&](const Op* op) { return !can_pass(w, *op, all); });
        });
        changed = set.size() != before;
    }
    if (set.empty()) return std::nullopt;
    std::vector<std::string> names;
    for (std::size_t i = 0; i < set.size() && i < 5; ++i) names.push_back(fmt::format("\"{}\"", w.tasks[set[i].task].name));
    if (set.size() > names.size()) names.push_back("...");
    return ZeroTimeLoop{set[0].task,
                        set.size() == 1
                            ? fmt::format("task {} would loop in zero time: nothing it repeats takes time; add a run or a sleep", names[0])
                            : fmt::format("tasks {} would loop in zero time: they only wake each other and nothing they repeat takes time; add a run or a sleep",
                                          fmt::join(names, ", "))};
}

std::vector<std::size_t> never_woken(const Workload& w) {
    std::vector<bool> resumed(w.resources.size());
    std::vector<bool> woken(w.tasks.size());
    for (const TaskSpec& task : w.tasks)
        for_each_op(task, [&](const Op& op) {
            if (op.kind == OpKind::resume) resumed[static_cast<std::size_t>(op.resource)] = true;
            if (op.kind == OpKind::wake) woken[static_cast<std::size_t>(op.target)] = true;
        });
    std::vector<std::size_t> out;
    for (std::size_t t = 0; t < w.tasks.size(); ++t) {
        bool sleeps = false;
        for_each_op(w.tasks[t], [&](const Op& op) {
            sleeps = sleeps || (op.kind == OpKind::suspend && !resumed[static_cast<std::size_t>(op.resource)]);
        });
        if (sleeps && !woken[t]) out.push_back(t);
    }
    return out;
}

void sort_resources(Workload& w) {
    std::vector<std::size_t> order(w.resources.size());
    for (std::size_t i = 0; i < order.size(); ++i) order[i] = i;
    std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) { return w.resources[a].kind < w.resources[b].kind; });
    std::vector<std::int32_t> renumbered(w.resources.size());
    std::vector<ResourceSpec> sorted;
    for (const std::size_t i : order) {
        renumbered[i] = static_cast<std::int32_t>(sorted.size());
        sorted.push_back(std::move(w.resources[i]));
    }
    w.resources = std::move(sorted);
    renumber(w, renumbered);
}

void drop_unused_suspends(Workload& w) {
    std::vector<bool> used(w.resources.size());
    for (const TaskSpec& task : w.tasks)
        for_each_op(task, [&](const Op& op) {
            if (op.kind == OpKind::suspend || op.kind == OpKind::resume) used[static_cast<std::size_t>(op.resource)] = true;
        });
    std::vector<std::int32_t> renumbered(w.resources.size(), -1);
    std::vector<ResourceSpec> kept;
    for (std::size_t i = 0; i < w.resources.size(); ++i) {
        if (w.resources[i].kind == ResourceKind::suspend && !used[i]) continue;
        renumbered[i] = static_cast<std::int32_t>(kept.size());
        kept.push_back(std::move(w.resources[i]));
    }
    w.resources = std::move(kept);
    renumber(w, renumbered);
}

} // namespace picknext::io
