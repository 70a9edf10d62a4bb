// SPDX-License-Identifier: GPL-3.0-or-later
// Numbers and names as people read them.
#include <array>
#include <utility>

#include <fmt/format.h>

#include "core/engine/driver.hpp"
#include "core/explain/explain.hpp"
#include "core/explain/moment.hpp"
#include "core/fair/views.hpp"

namespace picknext {
namespace {

constexpr std::string_view group_space = "\u202f"; // narrow no-break space
constexpr std::string_view minus = "\u2212";

constexpr std::array<std::uint64_t, 7> power_of_ten{1, 10, 100, 1'000, 10'000, 100'000, 1'000'000};

constexpr std::uint64_t magnitude(std::int64_t v) { return v < 0 ? 0 - static_cast<std::uint64_t>(v) : static_cast<std::uint64_t>(v); }

std::string grouped_digits(std::uint64_t value) {
    const std::string digits = fmt::format("{}", value);
    std::string out;
    for (std::size_t i = 0; i < digits.size(); ++i) {
        if (i > 0 && (digits.size() - i) % 3 == 0) out += group_space;
        out += digits[i];
    }
    return out;
}

/// |ns| in ms, rounded half away from zero; sets zero when nothing but zeros is left.
std::string ms_digits(std::int64_t ns, int decimals, bool& zero) {
    PICKNEXT_ASSERT(decimals >= 0 && decimals <= 6, "{} decimals of a millisecond", decimals);
    const std::uint64_t unit = power_of_ten[static_cast<std::size_t>(6 - decimals)];
    const std::uint64_t scale = power_of_ten[static_cast<std::size_t>(decimals)];
    const std::uint64_t rounded = (magnitude(ns) + unit / 2) / unit;
    zero = rounded == 0;
    std::string out = grouped_digits(rounded / scale);
    if (decimals == 0) return out;
    const std::string fraction = fmt::format("{:0{}}", rounded % scale, decimals);
    out += '.';
    for (std::size_t i = 0; i < fraction.size(); ++i) {
        if (i > 0 && i % 3 == 0) out += group_space;
        out += fraction[i];
    }
    return out;
}

constexpr std::array<std::pair<std::string_view, std::string_view>, 12> plain_spelling{{
    {"\u202f", ""},   {"\u2212", "-"}, {"\u2192", "->"}, {"\u2264", "<="}, {"\u2265", ">="},  {"\u2260", "!="},
    {"\u2713 ", ""},  {"\u2717 ", ""}, {"\u2013 ", ""},  {"\u00b7 ", ""},  {"\u2026", "..."}, {"\u03a3", "sum"},
}};

/// The number in a circled digit that `text` starts with, 0 = none.
int circled_number(std::string_view text) {
    if (text.size() < 3 || text[0] != '\xe2' || text[1] != '\x91') return 0;
    const int low = static_cast<unsigned char>(text[2]) - 0x9f; // U+2460 is e2 91 a0
    return low >= 1 && low <= 20 ? low : 0;
}

} // namespace

std::string ms_text(std::int64_t ns, int decimals) {
    bool zero = false;
    std::string digits = ms_digits(ns, decimals, zero);
    if (zero) return digits;
    return std::string(ns < 0 ? minus : std::string_view("+")) + digits;
}

std::string ms_length(std::int64_t ns, int decimals) {
    bool zero = false;
    std::string digits = ms_digits(ns, decimals, zero);
    return ns < 0 && !zero ? std::string(minus) + digits : digits;
}

std::string grouped(std::int64_t value) { return std::string(value < 0 ? minus : std::string_view()) + grouped_digits(magnitude(value)); }

std::string plain(std::string_view text) {
    std::string out;
    while (!text.empty()) {
        if (const int n = circled_number(text); n > 0) {
            out += fmt::format(".{}", n);
            text.remove_prefix(3);
            continue;
        }
        bool replaced = false;
        for (const auto& [from, to] : plain_spelling) {
            if (!text.starts_with(from)) continue;
            out += to;
            text.remove_prefix(from.size());
            replaced = true;
            break;
        }
        if (replaced) continue;
        out += text.front();
        text.remove_prefix(1);
    }
    return out;
}

std::string name_of(const Scenario& scenario, const State& st, TaskId task) {
    if (!task || task.index() >= st.tasks.size()) return "idle";
    return task_name(scenario.workload, st.task(task));
}

std::string name_of(const Scenario& scenario, const State& /*st*/, GroupId group) {
    if (!group || group.index() == 0) return "root group";
    const std::vector<GroupSpec> groups = engine::make_plan(scenario).groups; // those only implied by a path too
    PICKNEXT_ASSERT(group.index() <= groups.size(), "group {} of {}", group, groups.size());
    return fmt::format("group {}", groups[group.index() - 1].path);
}

std::string name_of(const Scenario& scenario, const State& st, EntityId entity) {
    if (!entity || entity.index() >= st.entities.size()) return "none";
    const Entity& e = st.entity(entity);
    if (e.task) return name_of(scenario, st, e.task);
    return e.my_queue ? name_of(scenario, st, st.queue(e.my_queue).group) : "group";
}

std::string cpu_text(const Scenario& scenario, CpuId cpu) {
    if (!cpu || cpu.index() >= scenario.machine.cpu_count()) return "no CPU";
    return fmt::format("CPU {}", scenario.machine.cpu(cpu).number);
}

namespace {

/// The queue a decision is about: that of the entity it speaks of, else the CPU's root queue.
QueueId queue_of(const State& st, const DecisionHeader& header, std::span<const Check> checks) {
    const auto of_entity = [&](std::int32_t id) {
        return id >= 0 && static_cast<std::size_t>(id) < st.entities.size() ? st.entities[static_cast<std::size_t>(id)].queue
                                                                            : QueueId::none();
    };
    QueueId found;
    if (info(header.kind).outcome == OutcomeType::entity) found = of_entity(header.outcome);
    for (const Check& c : checks) {
        if (found) break;
        if (info(c.id).subject == SubjectType::entity) found = of_entity(c.subject);
    }
    return found ? found : QueueId{static_cast<std::int32_t>(header.cpu)};
}

} // namespace

Moment::Moment(const Scenario& a_scenario, const State& a_state, const DecisionHeader& a_header, std::span<const Check> a_checks)
    : scenario(a_scenario), st(a_state), header(a_header), checks(a_checks), queue(queue_of(st, header, checks)) {
    if (queue.index() < st.queues.size()) zero = fair::average_vruntime(st.settings, st, queue);
}

} // namespace picknext
