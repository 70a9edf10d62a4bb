// SPDX-License-Identifier: GPL-3.0-or-later
// workload/1, writing.
#include <algorithm>
#include <span>

#include "core/base/duration.hpp"
#include "core/io/extra_keys.hpp"
#include "core/io/generators.hpp"
#include "core/io/native.hpp"
#include "core/io/native_keys.hpp"

namespace picknext::io {
namespace {

/// Names only what is not the default, so that files stay short.
class WorkloadWriter {
  public:
    WorkloadWriter(const Workload& workload, const Machine& machine) : m_in(workload), m_machine(machine) {}

    [[nodiscard]] JsonValue write() const {
        JsonValue v = JsonValue::object();
        v.add("format", JsonValue::of("picknext-workload/1"));
        if (!m_in.name.empty()) v.add("name", text(m_in.name));
        if (!m_in.description.empty()) v.add("description", text(m_in.description));
        if (JsonValue g = groups(); !g.items.empty()) v.add("groups", std::move(g));
        if (JsonValue r = resources(); !r.members.empty()) v.add("resources", std::move(r));
        if (JsonValue s = series(); !s.items.empty()) v.add("series", std::move(s));
        JsonValue tasks = JsonValue::array();
        for (const TaskSpec& t : own(m_in.tasks, m_in.generated.tasks)) tasks.items.push_back(task(t));
        if (!tasks.items.empty()) v.add("tasks", std::move(tasks));
        if (!m_in.generated.generators.empty()) v.add("generators", tree_of(m_in.generated));
        put_back(v, m_in.extras);
        return v;
    }

  private:
    static JsonValue text(std::string_view s) { return JsonValue::of(s); }
    static JsonValue duration(std::int64_t ns) { return text(write_duration(ns)); }

    /// What no generator added.
    template <class T>
    static std::span<const T> own(const std::vector<T>& all, std::size_t generated) {
        return std::span(all).first(all.size() - generated);
    }

    [[nodiscard]] JsonValue series() const {
        JsonValue list = JsonValue::array();
        for (const std::string& s : own(m_in.series, m_in.generated.series)) list.items.push_back(text(s));
        return list;
    }

    [[nodiscard]] JsonValue groups() const {
        JsonValue list = JsonValue::array();
        for (const GroupSpec& g : own(m_in.groups, m_in.generated.groups)) {
            JsonValue v = JsonValue::object();
            v.add("path", text(g.path)).add("shares", JsonValue::of(g.shares));
            if (g.idle) v.add("idle", JsonValue::of(true));
            if (g.quota != 0) v.add("quota", duration(g.quota));
            if (g.period != GroupSpec{}.period) v.add("period", duration(g.period));
            if (g.burst != 0) v.add("burst", duration(g.burst));
            list.items.push_back(std::move(v));
        }
        return list;
    }

    [[nodiscard]] JsonValue resources() const {
        JsonValue v = JsonValue::object();
        const auto list = [&](std::string_view key, ResourceKind kind, auto describe) {
            JsonValue items = JsonValue::array();
            for (const ResourceSpec& r : own(m_in.resources, m_in.generated.resources)) {
                if (is_socket(kind) ? !is_socket(r.kind) : r.kind != kind) continue;
                JsonValue item = JsonValue::object();
                item.add("name", text(r.name));
                describe(item, r);
                items.items.push_back(item.members.size() == 1 ? text(r.name) : std::move(item));
            }
            if (!items.items.empty()) v.add(key, std::move(items));
        };
        const auto nothing = [](JsonValue&, const ResourceSpec&) {};
        list("mutexes", ResourceKind::mutex, nothing);
        list("conds", ResourceKind::cond, nothing);
        list("sems", ResourceKind::sem, [](JsonValue& item, const ResourceSpec& r) {
            if (r.initial != 0) item.add("initial", JsonValue::of(r.initial));
        });
        list("barriers", ResourceKind::barrier, [](JsonValue& item, const ResourceSpec& r) { item.add("parties", JsonValue::of(r.initial)); });
        list("pipes", ResourceKind::pipe, [](JsonValue& item, const ResourceSpec& r) {
            if (r.initial != default_pipe_capacity) item.add("capacity", JsonValue::of(r.initial));
        });
        list("timers", ResourceKind::timer, [](JsonValue& item, const ResourceSpec& r) {
            if (!r.shared) item.add("shared", JsonValue::of(false));
        });
        list("sockets", ResourceKind::unix_socket, [](JsonValue& item, const ResourceSpec& r) { // of all kinds
            if (r.kind != ResourceKind::unix_socket) item.add("kind", socket_kind(r.kind));
            if (r.initial != 0) item.add("capacity", JsonValue::of(r.initial));
        });
        list("mailboxes", ResourceKind::mailbox, nothing);
        return v;
    }

    [[nodiscard]] JsonValue task(const TaskSpec& t) const {
        JsonValue v = JsonValue::object();
        v.add("name", text(t.name));
        if (t.count != 1) v.add("count", JsonValue::of(t.count));
        if (t.policy != Policy::normal) v.add("policy", policy(t.policy));
        if (t.nice != 0) v.add("nice", JsonValue::of(t.nice));
        if (t.slice != 0) v.add("slice", duration(t.slice));
        if (!t.group.empty()) v.add("group", text(t.group));
        if (!t.affinity.empty()) v.add("affinity", cpus(t.affinity));
        if (t.util_min != 0) v.add("util_min", JsonValue::of(t.util_min));
        if (t.util_max != full_capacity) v.add("util_max", JsonValue::of(t.util_max));
        if (t.start.ns != 0) v.add("start", duration(t.start.ns));
        if (t.start_cpu) v.add("start_cpu", JsonValue::of(m_machine.cpu(*t.start_cpu).number));
        if (t.process) v.add("process", JsonValue::of(true));
        if (t.loop != forever) v.add("loop", JsonValue::of(t.loop));
        JsonValue phases = JsonValue::array();
        for (const Phase& p : t.phases) phases.items.push_back(phase(p));
        v.add("phases", std::move(phases));
        return v;
    }

    [[nodiscard]] JsonValue phase(const Phase& p) const {
        JsonValue v = JsonValue::object();
        if (!p.name.empty()) v.add("name", text(p.name));
        if (p.loop == forever) v.add("loop", text("forever"));
        else if (p.loop != 1) v.add("loop", JsonValue::of(p.loop));
        if (p.set != Attributes{}) v.add("set", attributes(p.set));
        JsonValue ops = JsonValue::array();
        for (const Op& op : p.ops) {
            JsonValue one = JsonValue::object();
            one.add(keys::op[static_cast<std::size_t>(op.kind)], value_of(op));
            ops.items.push_back(std::move(one));
        }
        v.add("ops", std::move(ops));
        return v;
    }

    [[nodiscard]] JsonValue attributes(const Attributes& a) const {
        JsonValue v = JsonValue::object();
        if (a.nice) v.add("nice", JsonValue::of(*a.nice));
        if (a.policy) v.add("policy", policy(*a.policy));
        if (a.slice) v.add("slice", *a.slice == 0 ? JsonValue{} : duration(*a.slice));
        if (a.affinity) v.add("affinity", a.affinity->empty() ? text("all") : cpus(*a.affinity));
        if (a.group) v.add("group", text(a.group->empty() ? std::string_view{"/"} : std::string_view{*a.group}));
        if (a.util_min) v.add("util_min", JsonValue::of(*a.util_min));
        if (a.util_max) v.add("util_max", JsonValue::of(*a.util_max));
        return v;
    }

    [[nodiscard]] JsonValue value_of(const Op& op) const {
        const auto named = [&](std::int32_t resource) { return text(m_in.resources[static_cast<std::size_t>(resource)].name); };
        const auto named_series = [&](std::int32_t series) { return text(m_in.series[static_cast<std::size_t>(series)]); };
        JsonValue v = JsonValue::object();
        switch (op.kind) {
        case OpKind::run:
        case OpKind::spin:
        case OpKind::sleep: return dist(op.amount);
        case OpKind::timer:
            v.add("name", named(op.resource)).add("period", duration(op.period));
            if (op.absolute) v.add("mode", text(words::timer_modes[1]));
            return v;
        case OpKind::wait: return v.add("cond", named(op.resource)).add("mutex", named(op.second));
        case OpKind::wake:
        case OpKind::fork: return text(m_in.tasks[static_cast<std::size_t>(op.target)].name);
        case OpKind::yield:
        case OpKind::stamp:
        case OpKind::exit: return JsonValue::of(true);
        case OpKind::read:
        case OpKind::write:
            return v.add(is_socket(m_in.resources[static_cast<std::size_t>(op.resource)].kind) ? "socket" : "pipe", named(op.resource)).add("bytes", JsonValue::of(op.bytes));
        case OpKind::post: return v.add("mailbox", named(op.resource)).add("series", named_series(op.target));
        case OpKind::sample: return named_series(op.target);
        case OpKind::set: return attributes(op.attributes);
        case OpKind::mark: return text(op.text);
        default: return named(op.resource);
        }
    }

    static JsonValue dist(const Dist& d) {
        if (d.kind == Dist::Kind::fixed) return duration(d.a);
        JsonValue list = JsonValue::array();
        JsonValue v = JsonValue::object();
        switch (d.kind) {
        case Dist::Kind::exponential: return v.add("exp", duration(d.a));
        case Dist::Kind::list:
            for (const std::int64_t ns : d.values) list.items.push_back(duration(ns));
            v.add("list", std::move(list));
            if (!d.repeat) v.add("repeat", JsonValue::of(false));
            return v;
        default:
            list.items.push_back(duration(d.a));
            list.items.push_back(duration(d.b));
            return v.add(d.kind == Dist::Kind::uniform ? "uniform" : "normal", std::move(list));
        }
    }

    static JsonValue socket_kind(ResourceKind kind) {
        const auto at = std::find(words::socket_kind_values.begin(), words::socket_kind_values.end(), kind);
        return text(words::socket_kinds[static_cast<std::size_t>(at - words::socket_kind_values.begin())]);
    }
    static JsonValue policy(Policy p) {
        const auto at = std::find(words::policy_values.begin(), words::policy_values.end(), p);
        return text(words::policies[static_cast<std::size_t>(at - words::policy_values.begin())]);
    }
    [[nodiscard]] JsonValue cpus(const CpuSet& set) const { return text(cpu_list(m_machine, set)); }

    const Workload& m_in;
    const Machine& m_machine;
};

} // namespace

JsonValue tree_of(const Workload& workload, const Machine& machine) { return WorkloadWriter(workload, machine).write(); }

} // namespace picknext::io
