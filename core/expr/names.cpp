// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/expr/names.hpp"

#include <algorithm>
#include <array>
#include <charconv>

#include <fmt/format.h>

namespace picknext::expr {
std::string_view with_article(Type type) {
    switch (type) {
    case Type::condition: return "a condition";
    case Type::number: return "a number";
    case Type::time: return "a time";
    case Type::vtime: return "a virtual time";
    case Type::cpu: return "a CPU";
    case Type::llc: return "a last-level cache";
    case Type::task: return "a task";
    case Type::group: return "a task group";
    case Type::kind: return "a kind of decision";
    case Type::reason: return "a reason";
    case Type::path: return "a path of a pick";
    case Type::site: return "a site of a pick";
    case Type::policy: return "a policy";
    case Type::state: return "a state of a task";
    case Type::check: return "a check";
    case Type::checks: return "a list of checks";
    case Type::mask: return "a set of CPUs";
    case Type::outcome: return "an outcome";
    case Type::name: return "a name";
    case Type::text: return "a name in quotes";
    }
    return {};
}

std::vector<Name> names_of(Type type) {
    std::vector<Name> out;
    switch (type) {
    case Type::condition: out = {{"yes", 1, "it is so"}, {"no", 0, "it is not so"}}; break;
    case Type::kind:
        for (const KindInfo& row : kind_table()) out.push_back({row.name, static_cast<std::int64_t>(row.id), row.what});
        break;
    case Type::reason:
        for (const ReasonInfo& row : reason_table())
            if (row.id != Reason::none) out.push_back({row.name, static_cast<std::int64_t>(row.id), row.sentence});
        break;
    case Type::check:
        for (const ChkInfo& row : chk_table()) out.push_back({row.name, static_cast<std::int64_t>(row.id), row.question});
        break;
    case Type::path:
        for (std::size_t i = 1; i < pick_path_count; ++i) out.push_back({name_of(static_cast<PickPath>(i)), static_cast<std::int64_t>(i), "path of a pick"});
        break;
    case Type::site: out = {{"schedule", 0, "the CPU schedules"}, {"preempt", 1, "a wakeup asks whether to preempt"}}; break;
    case Type::policy:
        out = {{"normal", static_cast<int>(Policy::normal), "SCHED_OTHER"},
               {"batch", static_cast<int>(Policy::batch), "SCHED_BATCH"},
               {"idle", static_cast<int>(Policy::idle), "SCHED_IDLE"}};
        break;
    case Type::state:
        out = {{"waiting_to_start", static_cast<int>(TaskState::waiting_to_start), "it starts later"},
               {"runnable", static_cast<int>(TaskState::runnable), "queued or running"},
               {"sleeping", static_cast<int>(TaskState::sleeping), "blocked; may still be queued when its dequeue is delayed"},
               {"dead", static_cast<int>(TaskState::dead), "it has ended"}};
        break;
    case Type::task: out = {{"none", -1, "nobody: the idle task"}}; break;
    case Type::cpu: out = {{"none", -1, "no CPU"}}; break;
    default: break;
    }
    return out;
}

bool matches(std::string_view pattern, std::string_view text) {
    std::size_t p = 0, t = 0;
    std::size_t star = pattern.npos, resumed = 0; // where to go on when a guess about the last "*" was wrong
    while (t < text.size()) {
        if (p < pattern.size() && pattern[p] == '*') {
            star = p++;
            resumed = t;
        } else if (p < pattern.size() && (pattern[p] == '?' || pattern[p] == text[t])) {
            ++p;
            ++t;
        } else if (star != pattern.npos) {
            p = star + 1;
            t = ++resumed;
        } else {
            return false;
        }
    }
    while (p < pattern.size() && pattern[p] == '*') ++p;
    return p == pattern.size();
}

bool is_meant(const Match& match, std::int32_t instance) {
    if (match.instance >= 0) return match.instance == instance;
    if (match.pattern.empty()) return true;
    std::array<char, max_task_name + 16> name; // not initialised: only what was copied is read
    if (match.stem.size() > max_task_name + 1) return false;
    char* end = std::copy(match.stem.begin(), match.stem.end(), name.data());
    end = std::to_chars(end, name.data() + name.size(), instance).ptr;
    return matches(match.pattern, std::string_view(name.data(), static_cast<std::size_t>(end - name.data())));
}

std::vector<Match> find_tasks(const Workload& workload, std::string_view pattern) {
    constexpr int ranks_tried = 1000; // of instances that are yet to be forked
    std::vector<Match> out;
    for (std::size_t i = 0; i < workload.tasks.size(); ++i) {
        const TaskSpec& spec = workload.tasks[i];
        Match match{static_cast<std::int32_t>(i), -1, {}, spec.name + "#"};
        if (matches(pattern, spec.name)) {
            // The name of a single task is its own alone; a pattern, or the name of several, means them all.
            if (!is_pattern(pattern) && spec.count == 1) match.instance = 0;
            out.push_back(match);
            continue;
        }
        int rank = 0;
        if (pattern.starts_with(match.stem)) {
            const std::string_view digits = pattern.substr(match.stem.size());
            const auto [end, problem] = std::from_chars(digits.data(), digits.data() + digits.size(), rank);
            const bool is_rank = problem == std::errc{} && end == digits.data() + digits.size() && fmt::format("{}", rank) == digits;
            if (is_rank && rank >= 0 && !(spec.count == 1 && rank == 0)) {
                match.instance = rank;
                out.push_back(match);
                continue;
            }
        }
        if (!is_pattern(pattern)) continue;
        match.pattern = pattern;
        for (rank = 0; rank < std::max(spec.count, ranks_tried) && !is_meant(match, rank); ++rank) {}
        if (rank < std::max(spec.count, ranks_tried)) out.push_back(match);
    }
    return out;
}

std::vector<std::string> task_names(const Workload& workload) {
    constexpr int shown_instances = 8;
    std::vector<std::string> out;
    for (const TaskSpec& spec : workload.tasks) {
        out.push_back(spec.name);
        for (int i = 0; spec.count != 1 && i < std::min(spec.count, shown_instances); ++i) out.push_back(fmt::format("{}#{}", spec.name, i));
    }
    return out;
}

std::vector<std::string> group_paths(const engine::Plan& plan) {
    std::vector<std::string> out{"/"};
    for (const GroupSpec& g : plan.groups) out.push_back(g.path);
    return out;
}

} // namespace picknext::expr
