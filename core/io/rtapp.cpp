// SPDX-License-Identifier: GPL-3.0-or-later
// rt-app's structure: tasks, phases and their attributes. Events are in rtapp_events.cpp.
#include "core/io/rtapp.hpp"

#include <algorithm>
#include <map>

#include <fmt/ranges.h>

#include "core/base/nearest.hpp"
#include "core/io/json_node.hpp"
#include "core/io/rtapp_dialect.hpp"
#include "core/io/rtapp_events.hpp"
#include "core/io/rtapp_keys.hpp"
#include "core/io/topology_checks.hpp"
#include "core/io/workload_rules.hpp"

namespace picknext::io {
namespace {

using Kind = JsonValue::Kind;
using namespace rtapp;

enum class Class : std::uint8_t { other, batch, idle, fifo, rr, deadline }; // order of rtapp::policies
bool real_time(Class c) { return c >= Class::fifo; }
Policy policy_of(Class c) {
    return c == Class::batch ? Policy::batch : c == Class::idle ? Policy::idle : Policy::normal;
}

bool is_known(std::string_view key, std::span<const std::string_view> table) { return std::find(table.begin(), table.end(), key) != table.end(); }

/// A member that counts, and the place its value has in the order.
struct Effective {
    JsonNode key;   // where the event stands
    JsonNode value; // whose value it has
};

class Importer {
  public:
    Importer(const JsonNode& root, const Machine& machine, const RtappOptions& options)
        : m_root(root), m_reading(root.reading()), m_machine(machine), m_options(options), m_events(m_out.workload, options) {}

    RtappImport run() {
        if (!m_root.expect_object()) return {};
        if (const auto n = m_root.find("threads")) n->fail("E-DIALECT", fmt::format("this is the rt-muse dialect (key \"threads\", line {}), which rt-app does not read", n->line()));
        const JsonNode tasks = m_root.required("tasks");
        if (m_reading.failed() || !tasks.expect_object()) return {};
        refuse_other_dialects(tasks);
        if (m_reading.failed()) return {};
        for (const JsonNode& n : m_root.members())
            if (!is_known(n.key(), root_keys))
                n.warn_at_key("W-UNKNOWN-KEY", fmt::format("key \"{}\" is not known and was ignored{}", n.key(), did_you_mean(n.key(), root_keys)));
        if (const auto n = m_root.find("resources")) n->note("N-UNUSED", "\"resources\" is obsolete; rt-app finds them by their use");
        if (const auto n = m_root.find("global")) global(*n);
        if (m_reading.failed()) return {};
        const std::vector<Effective> list = effective(tasks, "task");
        declare(tasks, list);
        for (std::size_t i = 0; i < list.size() && !m_reading.failed(); ++i) task(list[i].value, m_out.workload.tasks[i]);
        if (m_reading.failed()) return {};
        finish(list);
        return std::move(m_out);
    }

  private:
    // ---- other dialects
    void refuse_other_dialects(const JsonNode& tasks) {
        for (const JsonNode& task : tasks.members()) {
            if (!task.is(Kind::object)) continue;
            for (const JsonNode& n : task.members()) {
                if (is_known(n.key(), keys_of_2014))
                    return n.fail("E-DIALECT", fmt::format("this is the 2014 rt-app dialect (key \"{}\", line {}), which current rt-app refuses too", n.key(), n.line()));
                if (n.key() == "c0" || n.key() == "l0" || n.key() == "s0" || n.key() == "m0")
                    return n.fail("E-DIALECT", fmt::format("this is the rt-muse dialect (key \"{}\", line {}), which rt-app does not read", n.key(), n.line()));
                if (n.key() == "phases" && n.is(Kind::object)) refuse_by_phases(n);
            }
        }
    }
    void refuse_by_phases(const JsonNode& phases) {
        for (const JsonNode& phase : phases.members()) {
            if (!phase.is(Kind::object)) continue;
            for (const JsonNode& n : phase.members()) {
                if (n.key() == "duration")
                    return n.fail("E-DIALECT", fmt::format("this is the dialect of a deadline fork of rt-app (key \"duration\", line {}), which current rt-app refuses too", n.line()));
                if (is_known(n.key(), keys_of_2014))
                    return n.fail("E-DIALECT", fmt::format("this is the 2014 rt-app dialect (key \"{}\", line {}), which current rt-app refuses too", n.key(), n.line()));
            }
        }
    }

    // ---- repeated keys
    std::vector<Effective> effective(const JsonNode& object, std::string_view what) {
        std::vector<Effective> out;
        std::map<std::string_view, std::size_t> first;
        std::uint64_t repeats = 0;
        std::optional<JsonNode> shown;
        for (const JsonNode& n : object.members()) {
            const bool own_thing = what != "event" || (event_of(n.key()) && !is_known(n.key(), attributes));
            const auto [at, fresh] = first.emplace(n.key(), out.size());
            if (fresh || (own_thing && m_options.duplicates == RtappOptions::Duplicates::as_written)) out.push_back({n, n});
            else out[at->second].value = n;
            if (fresh) continue;
            if (own_thing) {
                ++repeats;
                if (!shown) shown = n;
            } else {
                n.warn_at_key("W-DUPKEY", fmt::format("key \"{}\" repeats line {}; the last one counts", n.key(), object.first_line(n.key())));
            }
        }
        if (shown) {
            const bool kept = m_options.duplicates == RtappOptions::Duplicates::as_written;
            shown->warn_at_key("W-DUPKEY",
                               fmt::format("key \"{}\" repeats line {}; {}", shown->key(), object.first_line(shown->key()),
                                           kept ? fmt::format("kept as a second {} (rt-app itself would keep one)", what)
                                                : std::string{"its value replaces the earlier one, as in rt-app"}),
                               repeats);
        }
        return out;
    }

    // ---- global
    void global(const JsonNode& object) {
        if (!object.expect_object()) return;
        for (const Effective& e : effective(object, "key")) {
            const JsonNode& n = e.value;
            if (n.key() == "duration") {
                const std::int64_t seconds = n.integer(-1, longest_duration / 1'000'000'000);
                if (seconds >= 0) m_out.duration = seconds * 1'000'000'000;
            } else if (n.key() == "calibration") {
                calibration(n);
            } else if (n.key() == "default_policy") {
                m_default = static_cast<Class>(n.word(policies));
            } else if (n.key() == "pi_enabled") {
                if (n.is(Kind::boolean) && n.value().truth) n.warn_at_key("W-UNSUPPORTED", "priority inheritance is not modelled; mutexes are plain");
            } else if (is_known(n.key(), global_ignored)) {
                m_ignored.push_back(n.key());
            } else {
                n.warn_at_key("W-UNKNOWN-KEY", fmt::format("key \"{}\" is not known and was ignored{}", n.key(), did_you_mean(n.key(), global_keys)));
            }
        }
        if (!m_ignored.empty()) object.note("N-UNUSED", fmt::format("without meaning for a simulation: {}", fmt::join(m_ignored, ", ")));
    }
    void calibration(const JsonNode& n) {
        if (!n.is(Kind::string)) return (void)n.integer(0, INT32_MAX);
        const std::string& text = n.value().text;
        const std::string_view digits = std::string_view{text}.substr(std::min<std::size_t>(3, text.size()));
        const bool good = text.starts_with("CPU") && !digits.empty() && digits.size() < 6 && digits.find_first_not_of("0123456789") == std::string_view::npos;
        if (!good) return n.fail("E-CALIBRATION", fmt::format("\"{}\" is no calibration; it is \"CPU0\" or a number", text));
        const CpuId cpu = m_machine.by_number(std::stoi(std::string{digits}));
        if (cpu) m_events.set_capacity(m_machine.cpu(cpu).capacity);
        else n.warn_at_key("W-CPUS", fmt::format("this machine has no {}; amounts of work are taken as of a CPU of capacity 1024", text));
    }

    // ---- tasks
    /// Names first: events may name later tasks.
    void declare(const JsonNode& tasks, const std::vector<Effective>& list) {
        if (list.empty()) return tasks.fail("E-MISSING", "no task is described; one at least is needed");
        std::int64_t total = 0;
        for (const Effective& e : list) {
            const JsonNode& n = e.value;
            if (!n.expect_object()) return;
            TaskSpec t;
            t.name = unique_name(e.key);
            if (const auto instance = n.find("instance")) t.count = instance->small(0, static_cast<int>(max_tasks));
            total += std::max(t.count, 1);
            if (total > static_cast<std::int64_t>(max_tasks)) n.fail("E-LIMIT", fmt::format("more than {} tasks", max_tasks));
            if (m_reading.failed()) return;
            m_events.declare_task(t.name);
            m_out.workload.tasks.push_back(std::move(t));
        }
    }
    std::string unique_name(const JsonNode& n) {
        std::string name(n.key());
        if (const auto problem = name_problem(fmt::format("{}{}", name, name.empty() ? "" : "_100000"))) n.fail("E-NAME", *problem); // room for a number
        for (int i = 2; m_events.has_task(name); ++i) name = fmt::format("{}_{}", n.key(), i);
        return name;
    }

    void task(const JsonNode& n, TaskSpec& t) {
        m_events.begin_task(t);
        m_warned_policy = false;
        const std::vector<Effective> members = effective(n, "event");
        unknown_keys(members, true);
        m_class = m_default;
        m_cpus = {};
        Attributes a;
        attributes_of(n, a);
        if (!a.nice && real_time(m_class)) as_nice(n, a, m_class);
        t.policy = a.policy.value_or(policy_of(m_class));
        t.nice = a.nice.value_or(0);
        t.slice = a.slice.value_or(0);
        t.group = a.group.value_or("");
        t.util_min = a.util_min.value_or(0);
        t.util_max = a.util_max.value_or(full_capacity);
        t.affinity = m_cpus;
        if (const auto delay = n.find("delay")) t.start = Nanos{m_events.microseconds(*delay)};
        if (const auto phases = n.find("phases")) return with_phases(n, *phases, members, t);
        if (n.find("runtime") && n.find("period"))
            n.find("runtime")->warn_at_key("W-DIALECT", "\"runtime\" beside \"period\" looks like an old deadline task; rt-app runs it as an event, and so it is here");
        std::int64_t rounds = 0;
        if (const auto loop = n.find("loop")) rounds = loop->integer(INT32_MIN, INT32_MAX);
        Phase p;
        events(members, p);
        if (p.ops.empty()) return n.fail("E-MISSING", fmt::format("task \"{}\" has no event; rt-app refuses it too", t.name));
        if (rounds > 0) { // the single phase so often, once
            p.loop = rounds;
            t.loop = 1;
        }
        t.phases.push_back(std::move(p));
    }

    void with_phases(const JsonNode& n, const JsonNode& phases, const std::vector<Effective>& members, TaskSpec& t) {
        for (const Effective& e : members)
            if (event_of(e.key.key()) && !is_known(e.key.key(), attributes))
                e.key.warn_at_key("W-IGNORED", fmt::format("event \"{}\" stands beside \"phases\"; rt-app ignores it, and so it is here", e.key.key()));
        if (!phases.expect_object()) return;
        if (const auto loop = n.find("loop")) t.loop = loop->integer(INT32_MIN, INT32_MAX);
        if (t.loop < 0) t.loop = forever;
        const std::vector<Effective> list = effective(phases, "phase");
        if (list.empty()) return phases.fail("E-MISSING", "\"phases\" is empty; rt-app crashes on that");
        const bool any_cpus = std::any_of(list.begin(), list.end(), [](const Effective& e) { return e.value.is(Kind::object) && e.value.find("cpus"); });
        for (std::size_t i = 0; i < list.size() && !m_reading.failed(); ++i) {
            t.phases.push_back(phase(list[i], any_cpus, t.affinity));
            if (t.phases.back().loop != forever || i + 1 == list.size()) continue;
            list[i].value.warn_at_key("W-UNREACHABLE", fmt::format("phase \"{}\" loops for ever; the {} after it are never reached and were left out",
                                                                 list[i].key.key(), list.size() - i - 1));
            break;
        }
        if (t.loop == 0) {
            n.find("loop")->warn_at_key("W-IDLE", fmt::format("task \"{}\" loops 0 times: it does nothing", t.name));
            t.loop = 1;
            Op leave;
            leave.kind = OpKind::exit;
            t.phases.assign(1, Phase{{}, 1, {}, {leave}});
        }
    }

    Phase phase(const Effective& e, bool any_cpus, const CpuSet& cpus_of_task) {
        const JsonNode& n = e.value;
        Phase p;
        p.name = e.key.key();
        if (const auto problem = name_problem(p.name); problem && !p.name.empty()) e.key.fail("E-NAME", *problem);
        if (!n.expect_object()) return p;
        const std::vector<Effective> members = effective(n, "event");
        unknown_keys(members, false);
        m_cpus = cpus_of_task;
        attributes_of(n, p.set);
        if (any_cpus) p.set.affinity = m_cpus;
        if (const auto loop = n.find("loop")) p.loop = loop->integer(INT32_MIN, INT32_MAX);
        if (p.loop <= 0) p.loop = forever; // never equals the counter
        events(members, p);
        if (p.ops.empty()) n.fail("E-MISSING", fmt::format("phase \"{}\" has no event; rt-app refuses it too", p.name));
        return p;
    }

    void unknown_keys(const std::vector<Effective>& members, bool task) {
        for (const Effective& e : members) {
            const std::string_view key = e.key.key();
            const bool misplaced = !task && (key == "instance" || key == "delay" || key == "phases");
            if (misplaced) e.key.warn_at_key("W-UNKNOWN-KEY", fmt::format("key \"{}\" has no meaning in a phase and was ignored", key));
            else if (!is_known(key, attributes) && !event_of(key))
                e.key.warn_at_key("W-UNKNOWN-KEY", fmt::format("key \"{}\" is not known and was ignored{}", key, did_you_mean(key, task_words)));
        }
    }
    void events(const std::vector<Effective>& members, Phase& p) {
        for (const Effective& e : members) {
            if (m_reading.failed()) return;
            const auto event = event_of(e.key.key());
            if (event && !is_known(e.key.key(), attributes)) m_events.add(*event, e.value, p);
            if (p.ops.size() > max_ops_per_phase)
                e.key.fail("E-LIMIT", fmt::format("more than {} events in a phase", max_ops_per_phase));
        }
    }

    // ---- attributes
    void attributes_of(const JsonNode& n, Attributes& a) {
        const Class before = m_class;
        const auto policy = n.find("policy");
        if (policy) m_class = static_cast<Class>(policy->word(policies));
        if (policy) a.policy = policy_of(m_class);
        const auto priority = n.find("priority");
        if (priority && real_time(m_class)) (void)priority->integer(0, 99);
        else if (priority) a.nice = priority->small(-20, 19);
        if (policy && real_time(m_class)) as_nice(*policy, a, m_class);
        else if (policy && real_time(before) && !a.nice) a.nice = 0;
        if (const auto d = n.find("dl-runtime"); d && !real_time(m_class)) a.slice = m_events.microseconds(*d);
        for (const std::string_view key : {"dl-period", "dl-deadline"})
            if (const auto d = n.find(key); d && !real_time(m_class)) d->note("N-UNUSED", fmt::format("\"{}\" has no meaning for this policy", key));
        if (const auto u = n.find("util_min")) a.util_min = std::max(u->small(-1, full_capacity), 0);
        if (const auto u = n.find("util_max")) {
            const int most = u->small(-1, full_capacity);
            a.util_max = most < 0 ? full_capacity : most;
        }
        if (const auto g = n.find("taskgroup")) a.group = group(*g);
        if (const auto c = n.find("cpus")) m_cpus = cpus(*c);
        if (const auto m = n.find("nodes_membind")) m->warn_at_key("W-UNSUPPORTED", "memory is not modelled; \"nodes_membind\" was ignored");
    }
    void as_nice(const JsonNode& n, Attributes& a, Class c) {
        a.nice = -20;
        if (m_warned_policy) return;
        m_warned_policy = true;
        n.warn("W-POLICY", fmt::format("{} is not modelled; the task runs as a normal one of nice -20", policies[static_cast<std::size_t>(c)]));
    }

    CpuSet cpus(const JsonNode& n) {
        std::vector<int> numbers;
        for (const JsonNode& item : n.items()) numbers.push_back(item.small(0, max_cpu_number));
        if (m_reading.failed() || numbers.empty()) return {};
        std::vector<int> missing;
        CpuSet set = cpus_numbered(m_machine, numbers, missing);
        if (missing.empty()) return set;
        if (set.empty()) {
            n.fail("E-AFFINITY", fmt::format("this machine has none of the CPUs {}; it has {}", fmt::join(missing, ", "),
                                             cpu_list(m_machine, CpuSet::all(m_machine.cpu_count()))));
        } else {
            n.warn_at_key("W-CPUS", fmt::format("this machine has no CPU {}; left out (rt-app would end)", fmt::join(missing, ", ")));
        }
        return set;
    }

    std::string group(const JsonNode& n) {
        std::string path = n.text();
        if (const auto problem = name_problem(path); problem && !path.empty()) n.fail("E-NAME", *problem);
        while (path.size() > 1 && path.back() == '/') path.pop_back();
        if (path.empty() || path == "/") return {};
        if (path.front() != '/' || path.find("//") != std::string::npos) {
            n.fail("E-GROUP", fmt::format("\"{}\" is no task group; it begins with \"/\"", path));
            return {};
        }
        auto& groups = m_out.workload.groups;
        for (std::size_t slash = path.find('/', 1);; slash = path.find('/', slash + 1)) { // each ancestor, then itself
            const std::string part = path.substr(0, slash);
            if (std::none_of(groups.begin(), groups.end(), [&](const GroupSpec& g) { return g.path == part; })) groups.push_back(GroupSpec{part});
            if (slash == std::string::npos) break;
        }
        if (groups.size() > max_groups) n.fail("E-LIMIT", fmt::format("more than {} groups", max_groups));
        return path;
    }

    // ---- the whole
    void finish(const std::vector<Effective>& list) {
        m_events.finish();
        for (const std::size_t t : never_woken(m_out.workload)) m_events.warn_never_woken(t);
        if (const auto loop = find_zero_time_loop(m_out.workload)) list[loop->task].key.fail("E-ZEROTIME", loop->sentence);
    }

    const JsonNode& m_root;
    Reading& m_reading;
    const Machine& m_machine;
    const RtappOptions& m_options;
    RtappImport m_out;
    RtappEvents m_events;
    Class m_default = Class::other;
    Class m_class = Class::other; // of the task being read, as it stands
    CpuSet m_cpus;                // of the task or phase being read
    bool m_warned_policy = false;
    std::vector<std::string_view> m_ignored;
};

} // namespace

Result<RtappImport> read_rtapp(std::string_view text, const std::string& name, const Machine& machine, Report& report,
                               const RtappOptions& options) {
    const Source source(name, text);
    const Result<JsonValue> tree = parse_rtapp(source, report);
    if (!tree) return tree.error();
    Reading reading(source, report);
    const JsonNode root(reading, *tree);
    RtappImport import = Importer(root, machine, options).run();
    if (reading.failed()) return reading.error();
    return import;
}

} // namespace picknext::io
