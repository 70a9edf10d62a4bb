// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/io/generators.hpp"

#include <algorithm>
#include <array>

#include <fmt/ranges.h>

#include "core/base/duration.hpp"
#include "core/commands/benchmark.hpp"
#include "core/io/json_reader.hpp"
#include "core/io/native_keys.hpp"

namespace picknext::io {
namespace {

enum class As : std::uint8_t {
    number,   // the option with it
    flag,     // the option alone, if true
    us,       // a duration; the option takes microseconds
    duration, // a duration; the option takes one
    word      // not an option: said in words of its own (rr)
};
struct Parameter {
    std::string_view kind, key, option;
    As as = As::number;
};
constexpr std::array parameters{
    Parameter{"hackbench", "groups", "-g"}, Parameter{"hackbench", "fds", "-f"}, Parameter{"hackbench", "loops", "-l"},
    Parameter{"hackbench", "pipe", "-p", As::flag}, Parameter{"hackbench", "bytes", "-s"}, Parameter{"hackbench", "threads", "-T", As::flag},
    Parameter{"schbench", "message_threads", "-m"}, Parameter{"schbench", "workers", "-t"}, Parameter{"schbench", "reply", "-s", As::us},
    Parameter{"schbench", "spin", "-c", As::us}, Parameter{"pipe", "loops", "-l"}, Parameter{"pipe", "threads", "-T", As::flag},
    Parameter{"rr", "protocol", "", As::word}, Parameter{"rr", "pairs", "", As::word}, Parameter{"rr", "request", "", As::word},
    Parameter{"rr", "response", "", As::word}, Parameter{"storm", "tasks", "-n"}, Parameter{"storm", "period", "-p", As::duration},
    Parameter{"storm", "work", "-w", As::duration}};

constexpr std::array<std::string_view, 5> tools{"hackbench", "schbench-2020", "perf bench sched pipe", "netperf", "storm"}; // of generator_kinds

std::string option_of(const JsonNode& value, const Parameter& p) {
    switch (p.as) {
    case As::flag: return value.boolean() ? fmt::format(" {}", p.option) : std::string{};
    case As::us: {
        const std::int64_t ns = value.duration();
        if (ns % 1000 != 0) value.fail("E-RANGE", fmt::format("{} is finer than a microsecond, in which the tool counts", write_duration(ns)));
        return fmt::format(" {} {}", p.option, ns / 1000);
    }
    case As::duration: return fmt::format(" {} {}", p.option, write_duration(value.duration()));
    case As::number: return fmt::format(" {} {}", p.option, value.integer(1, INT32_MAX));
    case As::word: break;
    }
    return {};
}

std::string rr_command(const JsonNode& node) {
    constexpr std::array<std::string_view, 2> protocols{"tcp", "udp"};
    const auto number = [&](std::string_view key) {
        const auto n = node.find(key);
        return n ? n->integer(1, INT32_MAX) : 1;
    };
    const auto protocol = node.find("protocol");
    const bool udp = protocol && protocol->word(protocols) == 1;
    return fmt::format(" -t {} x{} -- -r {},{}", udp ? "UDP_RR" : "TCP_RR", number("pairs"), number("request"), number("response"));
}

/// The command a generator with parameters stands for.
std::string command_of(const JsonNode& node) {
    const std::size_t kind = node.required("kind").word(words::generator_kinds);
    const std::string_view name = words::generator_kinds[kind];
    std::vector<std::string_view> known;
    std::string options;
    for (const Parameter& p : parameters) {
        if (p.kind != name) continue;
        known.push_back(p.key);
        if (const auto value = node.find(p.key)) options += option_of(*value, p);
    }
    for (const JsonNode& member : node.members()) {
        const std::string_view key = member.key();
        const bool common = key == "kind" || key == "affinity" || std::find(keys::generator.begin(), keys::generator.end(), key) == keys::generator.end();
        if (!common && std::find(known.begin(), known.end(), key) == known.end())
            member.fail("E-GENERATOR", fmt::format("\"{}\" is no parameter of {}; there are {}", key, name, fmt::join(known, ", ")));
    }
    if (name == "rr") options = rr_command(node);
    std::string where;
    if (const auto affinity = node.find("affinity")) where = fmt::format("taskset -c {} ", affinity->text());
    return fmt::format("{}{}{}", where, tools[kind], options);
}

/// The object without what was not understood, and without the user's own keys, which are kept elsewhere.
std::string understood(const JsonNode& node) {
    JsonValue out = JsonValue::object();
    for (const std::string_view key : keys::generator)
        if (const auto n = node.find(key)) out.add(key, n->value());
    std::string text = json_text(out);
    text.pop_back(); // the newline of a whole text
    return text;
}

void add_one(const JsonNode& node, const Machine& machine, Workload& to) {
    if (!node.keys(keys::generator)) return;
    const auto command = node.find("command");
    if (command.has_value() == node.find("kind").has_value())
        return node.fail("E-GENERATOR", "a generator is {\"command\": \"hackbench -p -g 4\"}, or {\"kind\": \"hackbench\"} with its parameters");
    const std::string line = command ? command->text() : command_of(node);
    if (node.reading().failed()) return;
    if (command && node.find("affinity")) return node.fail("E-GENERATOR", "with a command, \"taskset -c LIST\" stands in front of it");
    Result<commands::Benchmark> benchmark = commands::read_benchmark(line, machine);
    if (!benchmark) {
        const Error& e = benchmark.error();
        return (command ? *command : node).fail(e.code, fmt::format("in column {} of the command {}: {}", e.place.column, line, e.message));
    }
    for (const std::string& note : benchmark->notes) node.note("N-COMMAND", note);
    std::size_t total = 0;
    for (const Workload* w : {&to, &benchmark->workload})
        for (const TaskSpec& t : w->tasks) total += static_cast<std::size_t>(std::max(t.count, 1));
    if (total > max_tasks) return node.fail("E-LIMIT", fmt::format("more than {} tasks", max_tasks));
    benchmark->workload.generated.generators = {command ? Generator{line, {}} : Generator{line, understood(node)}};
    append(to, std::move(benchmark->workload));
}

} // namespace

void add_generated(const JsonNode& list, const Machine& machine, Workload& to) {
    const std::vector<JsonNode> items = list.items();
    if (items.empty() && to.tasks.empty() && !list.reading().failed()) list.fail("E-MISSING", "no task is described; one at least is needed");
    for (const JsonNode& item : items)
        if (!list.reading().failed()) add_one(item, machine, to);
}

JsonValue tree_of(const Generated& generated) {
    JsonValue list = JsonValue::array();
    for (const Generator& g : generated.generators) {
        JsonValue v = JsonValue::object();
        if (g.json.empty()) {
            v.add("command", JsonValue::of(std::string_view{g.command}));
        } else {
            const Source source("generator", g.json);
            Report ignored;
            if (Result<JsonValue> tree = parse_json(source, ignored)) v = std::move(tree).value();
        }
        list.items.push_back(std::move(v));
    }
    return list;
}

} // namespace picknext::io
