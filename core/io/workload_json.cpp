// SPDX-License-Identifier: GPL-3.0-or-later
// workload/1, reading.
#include <algorithm>
#include <map>

#include "core/base/duration.hpp"
#include "core/base/nearest.hpp"
#include "core/engine/channel.hpp"
#include "core/io/extra_keys.hpp"
#include "core/io/generators.hpp"
#include "core/io/native.hpp"
#include "core/io/native_keys.hpp"
#include "core/io/topology_checks.hpp"
#include "core/io/workload_rules.hpp"

namespace picknext::io {
namespace {

constexpr std::int64_t most_rounds = INT64_MAX / 2;
constexpr std::int64_t most_bytes = std::int64_t{1} << 40;
constexpr ResourceKind any_socket = ResourceKind::unix_socket; // under which sockets of all kinds are looked up: they share their names
constexpr std::int64_t most_units = 1'000'000'000; // of a semaphore, parties of a barrier

class WorkloadReader {
  public:
    WorkloadReader(const JsonNode& root, const Machine& machine) : m_root(root), m_reading(root.reading()), m_machine(machine) {}

    Workload read() {
        if (const auto n = m_root.find("name")) m_out.name = n->text();
        if (const auto n = m_root.find("description")) m_out.description = n->text();
        if (const auto n = m_root.find("groups")) groups(*n);
        if (const auto n = m_root.find("resources")) resources(*n);
        if (const auto n = m_root.find("series")) series(*n);
        const std::optional<JsonNode> generators = m_root.find("generators");
        const JsonNode tasks = generators && !m_root.find("tasks") ? *generators : m_root.required("tasks");
        const bool described = !generators || m_root.find("tasks");
        if (described) names(tasks);
        if (m_reading.failed()) return {};
        const std::vector<JsonNode> items = described ? tasks.items() : std::vector<JsonNode>{};
        for (std::size_t i = 0; i < items.size() && !m_reading.failed(); ++i) task(items[i], m_out.tasks[i]);
        if (m_reading.failed()) return {};
        drop_unused_suspends(m_out);
        for (const std::size_t t : never_woken(m_out))
            items[t].warn("W-NEVER-WOKEN", fmt::format("task \"{}\" suspends itself, and no resume or wake names it", m_out.tasks[t].name));
        if (const auto loop = find_zero_time_loop(m_out)) items[loop->task].fail("E-ZEROTIME", loop->sentence);
        if (generators && !m_reading.failed()) add_generated(*generators, m_machine, m_out);
        m_out.extras = extra_keys(m_root.value());
        return std::move(m_out);
    }

  private:
    void groups(const JsonNode& list) {
        const std::vector<JsonNode> items = list.items();
        if (items.size() > max_groups) return list.fail("E-LIMIT", fmt::format("{} groups, at most {} are possible", items.size(), max_groups));
        for (const JsonNode& item : items) {
            if (!item.keys(keys::group)) return;
            GroupSpec g;
            const JsonNode path = item.required("path");
            g.path = path.name();
            if (!m_reading.failed() && (g.path.front() != '/' || g.path.size() < 2 || g.path.back() == '/' || g.path.find("//") != std::string::npos))
                path.fail("E-GROUP", fmt::format("\"{}\" is no group path; write it like \"/a/b\"", g.path));
            if (m_group.contains(g.path)) path.fail("E-DUPLICATE", fmt::format("group \"{}\" is described twice", g.path));
            if (const auto n = item.find("shares")) g.shares = n->integer(2, 262'144);
            if (const auto n = item.find("idle")) g.idle = n->boolean();
            limit(item, g);
            m_group.emplace(g.path, m_out.groups.size());
            m_out.groups.push_back(std::move(g));
        }
    }

    /// The limits the kernel puts on cpu.max and cpu.max.burst (fn: tg_set_cfs_bandwidth).
    void limit(const JsonNode& item, GroupSpec& g) {
        const auto bounded = [&](const JsonNode& n, std::int64_t low, std::int64_t high, std::string_view mend) {
            const std::int64_t ns = n.duration();
            if (!m_reading.failed() && (ns < low || ns > high)) n.fail("E-RANGE", fmt::format("{} is out of range; {}", write_duration(ns), mend));
            return ns;
        };
        if (const auto n = item.find("period"))
            g.period = bounded(*n, least_period, longest_period, "a period is 1ms to 1s long");
        const auto quota = item.find("quota");
        if (quota && !quota->is(JsonValue::Kind::null))
            g.quota = bounded(*quota, least_period, longest_quota, "a quota is at least 1ms, or null for no limit");
        if (const auto n = item.find("burst"))
            g.burst = bounded(*n, 0, g.quota, "a burst is at most the quota");
    }

    void series(const JsonNode& list) {
        for (const JsonNode& item : list.items()) {
            const std::string name = item.name();
            if (std::find(m_out.series.begin(), m_out.series.end(), name) != m_out.series.end())
                item.fail("E-DUPLICATE", fmt::format("\"{}\" is declared twice in series", name));
            m_out.series.push_back(name);
        }
    }

    /// A list of resources of one kind; `describe` reads what an object says beside its name.
    template <class Describe>
    void resource_list(const JsonNode& all, std::string_view key, ResourceKind kind, Describe describe) {
        const auto list = all.find(key);
        if (!list) return;
        for (const JsonNode& item : list->items()) {
            ResourceSpec r;
            r.kind = kind;
            if (kind == ResourceKind::pipe) r.initial = default_pipe_capacity;
            const bool bare = item.is(JsonValue::Kind::string) && kind != ResourceKind::barrier; // a barrier needs its parties
            const JsonNode name = bare ? item : item.required("name");
            r.name = name.name();
            if (!bare) describe(item, r);
            if (!m_resource.emplace(std::pair{kind, r.name}, static_cast<std::int32_t>(m_out.resources.size())).second)
                name.fail("E-DUPLICATE", fmt::format("\"{}\" is declared twice in {}", r.name, key));
            if (m_reading.failed()) return;
            m_out.resources.push_back(std::move(r));
        }
    }
    void resources(const JsonNode& all) {
        if (!all.keys(keys::resources)) return;
        const auto plain = [](const JsonNode& item, ResourceSpec&) { item.keys(std::span(keys::sem).first(1)); };
        resource_list(all, "mutexes", ResourceKind::mutex, plain);
        resource_list(all, "conds", ResourceKind::cond, plain);
        resource_list(all, "sems", ResourceKind::sem, [](const JsonNode& item, ResourceSpec& r) {
            item.keys(keys::sem);
            if (const auto n = item.find("initial")) r.initial = n->integer(0, most_units);
        });
        resource_list(all, "barriers", ResourceKind::barrier, [](const JsonNode& item, ResourceSpec& r) {
            item.keys(keys::barrier);
            r.initial = item.required("parties").integer(1, most_units);
        });
        resource_list(all, "pipes", ResourceKind::pipe, [](const JsonNode& item, ResourceSpec& r) {
            item.keys(keys::pipe);
            if (const auto n = item.find("capacity")) r.initial = n->integer(1, most_bytes);
        });
        resource_list(all, "timers", ResourceKind::timer, [](const JsonNode& item, ResourceSpec& r) {
            item.keys(keys::timer);
            if (const auto n = item.find("shared")) r.shared = n->boolean();
        });
        resource_list(all, "sockets", any_socket, [](const JsonNode& item, ResourceSpec& r) {
            item.keys(keys::socket);
            if (const auto n = item.find("kind")) r.kind = words::socket_kind_values[n->word(words::socket_kinds)];
            if (const auto n = item.find("capacity")) r.initial = n->integer(1, most_bytes);
        });
        resource_list(all, "mailboxes", ResourceKind::mailbox, plain);
    }

    /// Names and counts first, so that an operation may name a later task. Each may be suspended.
    void names(const JsonNode& list) {
        const std::vector<JsonNode> items = list.items();
        if (items.empty() && !m_reading.failed()) list.fail("E-MISSING", "no task is described; one at least is needed");
        std::int64_t total = 0;
        for (const JsonNode& item : items) {
            if (!item.keys(keys::task)) return;
            TaskSpec t;
            const JsonNode name = item.required("name");
            t.name = name.name();
            if (const auto n = item.find("count")) t.count = n->small(0, static_cast<int>(max_tasks));
            total += std::max(t.count, 1);
            if (total > static_cast<std::int64_t>(max_tasks)) item.fail("E-LIMIT", fmt::format("more than {} tasks", max_tasks));
            if (!m_task.emplace(t.name, m_out.tasks.size()).second) name.fail("E-DUPLICATE", fmt::format("two tasks have the name \"{}\"", t.name));
            if (m_reading.failed()) return;
            m_suspend.push_back(static_cast<std::int32_t>(m_out.resources.size()));
            m_out.resources.push_back(ResourceSpec{t.name, ResourceKind::suspend, 0, true});
            m_out.tasks.push_back(std::move(t));
        }
    }

    void task(const JsonNode& item, TaskSpec& t) {
        m_current = static_cast<std::size_t>(&t - m_out.tasks.data());
        Attributes a;
        attributes(item, a);
        t.policy = a.policy.value_or(t.policy);
        t.nice = a.nice.value_or(t.nice);
        t.slice = a.slice.value_or(t.slice);
        t.group = a.group.value_or(t.group);
        t.affinity = a.affinity.value_or(t.affinity);
        t.util_min = a.util_min.value_or(t.util_min);
        t.util_max = a.util_max.value_or(t.util_max);
        if (const auto n = item.find("start")) t.start = Nanos{n->duration()};
        if (const auto n = item.find("start_cpu")) t.start_cpu = cpu(*n);
        if (const auto n = item.find("process")) t.process = n->boolean();
        if (const auto n = item.find("loop")) t.loop = n->integer(forever, most_rounds);
        const JsonNode phases = item.required("phases");
        const std::vector<JsonNode> list = phases.items();
        if (list.empty()) phases.fail("E-MISSING", fmt::format("task \"{}\" has no phase; one at least is needed", t.name));
        for (std::size_t i = 0; i < list.size() && !m_reading.failed(); ++i) t.phases.push_back(phase(list[i], i + 1 == list.size()));
    }

    Phase phase(const JsonNode& item, bool last) {
        Phase p;
        if (!item.keys(keys::phase)) return p;
        if (const auto n = item.find("name")) p.name = n->name();
        if (const auto n = item.find("loop")) {
            if (n->is(JsonValue::Kind::string)) {
                constexpr std::array<std::string_view, 1> word{"forever"};
                (void)n->word(word);
                p.loop = forever;
                if (!last) n->fail("E-FOREVER", "only the last phase may loop forever; the ones after it would never be reached");
            } else {
                p.loop = n->integer(1, most_rounds);
            }
        }
        if (const auto n = item.find("set"); n && n->keys(keys::set)) attributes(*n, p.set);
        const JsonNode ops = item.required("ops");
        const std::vector<JsonNode> list = ops.items();
        if (list.empty()) ops.fail("E-MISSING", "a phase needs one operation at least");
        if (list.size() > max_ops_per_phase)
            ops.fail("E-LIMIT", fmt::format("{} operations in a phase, at most {} are possible", list.size(), max_ops_per_phase));
        for (const JsonNode& op : list) {
            if (m_reading.failed()) break;
            p.ops.push_back(operation(op));
        }
        return p;
    }

    /// What tasks, phases and `set` have in common.
    void attributes(const JsonNode& item, Attributes& a) {
        if (const auto n = item.find("nice")) a.nice = n->small(-20, 19);
        if (const auto n = item.find("policy")) a.policy = words::policy_values[n->word(words::policies)];
        if (const auto n = item.find("slice")) a.slice = n->is(JsonValue::Kind::null) ? 0 : n->duration();
        if (const auto n = item.find("affinity")) a.affinity = affinity(*n);
        if (const auto n = item.find("group")) a.group = group(*n);
        if (const auto n = item.find("util_min")) a.util_min = n->small(0, full_capacity);
        if (const auto n = item.find("util_max")) a.util_max = n->small(0, full_capacity);
    }

    CpuSet affinity(const JsonNode& n) {
        if (n.is(JsonValue::Kind::string) && n.value().text == "all") return {};
        const std::vector<int> numbers = n.cpulist();
        std::vector<int> missing;
        const CpuSet set = cpus_numbered(m_machine, numbers, missing);
        if (!m_reading.failed() && numbers.empty()) n.fail("E-AFFINITY", "the list holds no CPU; leave it out or write \"all\"");
        if (!missing.empty()) n.fail("E-AFFINITY", no_such_cpu(missing.front()));
        return set;
    }
    CpuId cpu(const JsonNode& n) {
        const int number = n.small(0, max_cpu_number);
        const CpuId c = m_machine.by_number(number);
        if (!c) n.fail("E-CPU", no_such_cpu(number));
        return c;
    }
    [[nodiscard]] std::string no_such_cpu(int number) const {
        return fmt::format("this machine has no CPU {}; it has {}", number, cpu_list(m_machine, CpuSet::all(m_machine.cpu_count())));
    }
    std::string group(const JsonNode& n) {
        std::string path = n.text();
        if (path == "/") path.clear();
        if (!path.empty() && !m_group.contains(path)) n.fail("E-UNKNOWN", fmt::format("no group \"{}\" is described in \"groups\"", path));
        return path;
    }

    std::int32_t resource(const JsonNode& n, ResourceKind kind, std::string_view list) {
        const std::string name = n.text();
        const auto found = m_resource.find(std::pair{kind, name});
        if (found != m_resource.end()) return found->second;
        if (n.is(JsonValue::Kind::string))
            n.fail("E-UNKNOWN", fmt::format("\"{}\" is not declared in \"resources\" under \"{}\"", name, list));
        return -1;
    }
    std::int32_t named_task(const JsonNode& n) {
        const std::string name = n.text();
        const auto found = m_task.find(name);
        if (found != m_task.end()) return static_cast<std::int32_t>(found->second);
        if (n.is(JsonValue::Kind::string)) n.fail("E-UNKNOWN", fmt::format("no task has the name \"{}\"", name));
        return 0;
    }

    Op operation(const JsonNode& item) {
        Op op;
        if (!item.expect_object()) return op;
        std::optional<JsonNode> what;
        const std::vector<JsonNode> members = item.members();
        for (const JsonNode& member : members)
            if (member.key().substr(0, 2) != "x-") {
                if (what) item.fail("E-OP", fmt::format("an operation has one key; this has \"{}\" and \"{}\"", what->key(), member.key()));
                what = member;
            }
        if (!what) item.fail("E-OP", "an operation has one key, like {\"run\": \"5us\"}");
        if (m_reading.failed()) return op;
        const auto at = std::find(keys::op.begin(), keys::op.end(), what->key());
        if (at == keys::op.end()) {
            what->fail("E-OP", fmt::format("\"{}\" is no operation{}", what->key(), did_you_mean(what->key(), keys::op)));
            return op;
        }
        op.kind = static_cast<OpKind>(at - keys::op.begin());
        value_of(*what, op);
        return op;
    }
    void value_of(const JsonNode& n, Op& op) {
        switch (op.kind) {
        case OpKind::run:
        case OpKind::spin:
        case OpKind::sleep: op.amount = dist(n); break;
        case OpKind::timer: timer(n, op); break;
        case OpKind::lock:
        case OpKind::unlock: op.resource = resource(n, ResourceKind::mutex, "mutexes"); break;
        case OpKind::wait:
            if (!n.keys(keys::op_wait)) break;
            op.resource = resource(n.required("cond"), ResourceKind::cond, "conds");
            op.second = resource(n.required("mutex"), ResourceKind::mutex, "mutexes");
            break;
        case OpKind::signal:
        case OpKind::broadcast: op.resource = resource(n, ResourceKind::cond, "conds"); break;
        case OpKind::barrier: op.resource = resource(n, ResourceKind::barrier, "barriers"); break;
        case OpKind::sem_post:
        case OpKind::sem_wait: op.resource = resource(n, ResourceKind::sem, "sems"); break;
        case OpKind::suspend:
            op.resource = m_suspend[m_current];
            if (n.text() != m_out.tasks[m_current].name)
                n.fail("E-SUSPEND", fmt::format("a task suspends only itself: write its own name, \"{}\"", m_out.tasks[m_current].name));
            break;
        case OpKind::resume: op.resource = m_suspend[static_cast<std::size_t>(named_task(n))]; break;
        case OpKind::wake:
        case OpKind::fork: op.target = named_task(n); break;
        case OpKind::yield:
        case OpKind::stamp:
        case OpKind::exit:
            if (!n.boolean() && !m_reading.failed()) n.fail("E-TYPE", "only true makes sense here");
            break;
        case OpKind::read:
        case OpKind::write:
            if (n.keys(keys::op_channel)) transfer(n, op);
            break;
        case OpKind::set:
            if (n.keys(keys::set)) attributes(n, op.attributes);
            break;
        case OpKind::mark: op.text = n.text(); break;
        case OpKind::post:
            if (!n.keys(keys::op_post)) break;
            op.resource = resource(n.required("mailbox"), ResourceKind::mailbox, "mailboxes");
            op.target = named_series(n.required("series"));
            break;
        case OpKind::serve:
        case OpKind::collect: op.resource = resource(n, ResourceKind::mailbox, "mailboxes"); break;
        case OpKind::sample: op.target = named_series(n); break;
        }
    }

    /// read and write. Bytes move all at once or not at all, so they must fit.
    void transfer(const JsonNode& n, Op& op) {
        const std::optional<JsonNode> pipe = n.find("pipe"), socket = n.find("socket");
        if (pipe && socket) return n.fail("E-BOTH", "\"pipe\" and \"socket\" both say where to; give one of them");
        op.resource = socket ? resource(*socket, any_socket, "sockets") : resource(n.required("pipe"), ResourceKind::pipe, "pipes");
        const JsonNode bytes = n.required("bytes");
        op.bytes = bytes.integer(1, most_bytes);
        if (m_reading.failed()) return;
        const std::int64_t most = engine::capacity(m_out.resources[static_cast<std::size_t>(op.resource)]);
        if (op.bytes > most) bytes.fail("E-RANGE", fmt::format("{} bytes never fit: \"{}\" holds {}", op.bytes, (socket ? *socket : *pipe).text(), most));
    }
    std::int32_t named_series(const JsonNode& n) {
        const std::string name = n.text();
        const auto found = std::find(m_out.series.begin(), m_out.series.end(), name);
        if (found != m_out.series.end()) return static_cast<std::int32_t>(found - m_out.series.begin());
        if (n.is(JsonValue::Kind::string)) n.fail("E-UNKNOWN", fmt::format("\"{}\" is not declared in \"series\"", name));
        return -1;
    }

    void timer(const JsonNode& n, Op& op) {
        if (!n.keys(keys::op_timer)) return;
        op.resource = resource(n.required("name"), ResourceKind::timer, "timers");
        const JsonNode period = n.required("period");
        op.period = period.duration();
        if (op.period == 0) period.fail("E-RANGE", "a timer needs a period longer than 0");
        if (const auto mode = n.find("mode")) op.absolute = mode->word(words::timer_modes) == 1;
    }

    Dist dist(const JsonNode& n) {
        Dist d;
        if (!n.is(JsonValue::Kind::object)) {
            d.a = n.duration();
            return d;
        }
        n.keys(keys::dist);
        const std::vector<JsonNode> members = n.members();
        std::optional<JsonNode> what;
        for (const JsonNode& member : members) {
            if (member.key() == "repeat" || std::find(keys::dist.begin(), keys::dist.end(), member.key()) == keys::dist.end()) continue;
            if (what) n.fail("E-DIST", fmt::format("a distribution is of one kind; this is \"{}\" and \"{}\"", what->key(), member.key()));
            what = member;
        }
        if (!what) {
            n.fail("E-DIST", "a distribution is {\"uniform\": [a, b]}, {\"exp\": mean}, {\"normal\": [mean, sd]} or {\"list\": [...]}");
            return d;
        }
        if (what->key() == "exp") {
            d.kind = Dist::Kind::exponential;
            d.a = what->duration();
        } else if (what->key() == "list") {
            d.kind = Dist::Kind::list;
            for (const JsonNode& item : what->items()) d.values.push_back(item.duration());
            if (d.values.empty()) what->fail("E-DIST", "a list needs one value at least");
            if (const auto repeat = n.find("repeat")) d.repeat = repeat->boolean();
        } else {
            pair(*what, d);
        }
        return d;
    }
    void pair(const JsonNode& n, Dist& d) {
        const std::vector<JsonNode> two = n.items();
        if (two.size() != 2) return n.fail("E-DIST", fmt::format("two durations are needed here, not {}", two.size()));
        d.kind = n.key() == "uniform" ? Dist::Kind::uniform : Dist::Kind::normal;
        d.a = two[0].duration();
        d.b = two[1].duration();
        if (d.kind == Dist::Kind::uniform && d.b < d.a) n.fail("E-DIST", "the lower end of a uniform distribution comes first");
    }

    const JsonNode& m_root;
    Reading& m_reading;
    const Machine& m_machine;
    Workload m_out;
    std::map<std::string, std::size_t, std::less<>> m_group, m_task;
    std::map<std::pair<ResourceKind, std::string>, std::int32_t> m_resource;
    std::vector<std::int32_t> m_suspend; // by task: its suspend point
    std::size_t m_current = 0;
};

} // namespace

Workload workload_of(const JsonNode& root, const Machine& machine, bool inside) {
    if (!check_envelope(root, "workload", inside) || !root.keys(keys::workload)) return {};
    return WorkloadReader(root, machine).read();
}

} // namespace picknext::io
