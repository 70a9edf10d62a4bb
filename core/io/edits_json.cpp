// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/io/edits_json.hpp"

#include <algorithm>
#include <charconv>

#include <fmt/format.h>

#include "core/base/duration.hpp"
#include "core/io/native_keys.hpp"
#include "core/io/topology_checks.hpp"

namespace picknext::io {
namespace {

CpuId cpu_of(const JsonNode& n, const Machine& machine) {
    const CpuId cpu = machine.by_number(n.small(0, max_cpu_number));
    if (!cpu && !n.reading().failed()) n.fail("E-CPU", "this machine has no such CPU");
    return cpu;
}

/// "worker#2", or "worker" for the first instance.
void read_task(const JsonNode& n, const Workload& workload, Edit& edit) {
    const std::string text = n.text();
    const auto find = [&](std::string_view name) {
        const auto at = std::find_if(workload.tasks.begin(), workload.tasks.end(), [&](const TaskSpec& t) { return t.name == name; });
        return at == workload.tasks.end() ? -1 : static_cast<std::int32_t>(at - workload.tasks.begin());
    };
    edit.task = find(text); // a name may hold a # itself
    if (const std::size_t mark = text.rfind('#'); edit.task < 0 && mark != std::string::npos) {
        const auto [end, error] = std::from_chars(text.data() + mark + 1, text.data() + text.size(), edit.instance);
        if (error == std::errc{} && end == text.data() + text.size() && edit.instance >= 0) edit.task = find(text.substr(0, mark));
    }
    if (edit.task < 0 && !n.reading().failed())
        n.fail("E-TASK", fmt::format("the workload has no task \"{}\"; write the name of a task, or name#k for its instance k from 0", text));
}

void read_affinity(const JsonNode& n, const Scenario& scenario, Edit& edit) {
    if (!n.keys(keys::edit_affinity)) return;
    read_task(n.required("task"), scenario.workload, edit);
    const JsonNode cpus = n.required("cpus");
    if (cpus.is(JsonValue::Kind::string) && cpus.value().text == "all") return;
    std::vector<int> missing;
    const std::vector<int> numbers = cpus.cpulist();
    edit.cpus = cpus_numbered(scenario.machine, numbers, missing);
    if (n.reading().failed()) return;
    if (!missing.empty()) cpus.fail("E-AFFINITY", fmt::format("this machine has no CPU {}", missing.front()));
    else if (numbers.empty()) cpus.fail("E-AFFINITY", "the list holds no CPU; write \"all\" for all of them");
}

std::optional<Edit> edit_of(const JsonNode& item, const Scenario& scenario) {
    if (!item.keys(keys::edit_item)) return std::nullopt;
    Edit edit;
    const JsonNode at = item.required("at"), what = item.required("edit");
    if (item.reading().failed()) return std::nullopt;
    if (at.is(JsonValue::Kind::object)) {
        at.warn("W-UNSUPPORTED", "an edit at a position of the history is not acted on by this version, and not saved; give a time");
        return std::nullopt;
    }
    edit.at = at.duration();
    if (!what.keys(keys::edit)) return std::nullopt;
    const auto offline = what.find("offline"), online = what.find("online"), affinity = what.find("affinity");
    if ((offline ? 1 : 0) + (online ? 1 : 0) + (affinity ? 1 : 0) != 1) {
        what.fail("E-EDIT", "an edit is exactly one of \"offline\", \"online\" and \"affinity\"");
        return std::nullopt;
    }
    if (affinity) {
        edit.kind = EditKind::affinity;
        read_affinity(*affinity, scenario, edit);
    } else {
        edit.kind = offline ? EditKind::offline : EditKind::online;
        edit.cpu = cpu_of(offline ? *offline : *online, scenario.machine);
    }
    return edit;
}

/// The last online CPU cannot go: looks at the edits in the order they happen.
void check_online(const JsonNode& list, const std::vector<Edit>& edits, const std::vector<std::size_t>& places, CpuSet online) {
    std::vector<std::size_t> order(edits.size());
    for (std::size_t i = 0; i < order.size(); ++i) order[i] = i;
    std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) { return edits[a].at < edits[b].at; });
    const std::vector<JsonNode> items = list.items();
    for (const std::size_t i : order) {
        if (edits[i].kind == EditKind::online) online.add(edits[i].cpu);
        if (edits[i].kind != EditKind::offline || !online.has(edits[i].cpu)) continue;
        if (online.size() == 1) {
            items[places[i]].fail("E-CPU", "this is the last CPU that is online then; it cannot go offline");
            return;
        }
        online.remove(edits[i].cpu);
    }
}

} // namespace

std::vector<Edit> edits_of(const JsonNode& list, const Scenario& scenario) {
    std::vector<Edit> edits;
    std::vector<std::size_t> places; // in the list
    const std::vector<JsonNode> items = list.items();
    for (std::size_t i = 0; i < items.size(); ++i) {
        const std::optional<Edit> edit = edit_of(items[i], scenario);
        if (list.reading().failed()) return {};
        if (!edit) continue;
        edits.push_back(*edit);
        places.push_back(i);
    }
    check_online(list, edits, places, scenario.machine.online());
    return edits;
}

JsonValue tree_of_edits(const Scenario& scenario) {
    const auto text = [](const std::string& t) { return JsonValue::of(std::string_view{t}); };
    JsonValue list = JsonValue::array();
    for (const Edit& e : scenario.edits) {
        JsonValue what = JsonValue::object();
        if (e.kind == EditKind::affinity) {
            const TaskSpec& spec = scenario.workload.tasks[static_cast<std::size_t>(e.task)];
            const bool alone = spec.count == 1 && e.instance == 0;
            JsonValue affinity = JsonValue::object();
            affinity.add("task", text(alone ? spec.name : fmt::format("{}#{}", spec.name, e.instance)));
            affinity.add("cpus", text(e.cpus.empty() ? "all" : cpu_list(scenario.machine, e.cpus)));
            what.add("affinity", std::move(affinity));
        } else {
            what.add(e.kind == EditKind::offline ? "offline" : "online", JsonValue::of(scenario.machine.cpu(e.cpu).number));
        }
        JsonValue item = JsonValue::object();
        item.add("at", text(write_duration(e.at))).add("edit", std::move(what));
        list.items.push_back(std::move(item));
    }
    return list;
}

} // namespace picknext::io
