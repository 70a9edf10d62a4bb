// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/state/state.hpp"

#include <fmt/format.h>

namespace picknext {
namespace {

/// Calls f(name, array) for each array of the state.
template <class St, class F>
void for_each_array(St& st, F&& f) {
    f("tasks", st.tasks);
    f("entities", st.entities);
    f("queues", st.queues);
    f("rqs", st.rqs);
    f("groups", st.groups);
    f("resources", st.resources);
    f("events", st.events);
    f("masks", st.masks);
    f("domains", st.domains);
    f("group_capacities", st.group_capacities);
    f("llc_shared", st.llc_shared);
    f("nohz_idle_cpus", st.nohz_idle_cpus);
    f("llc_idle_cpus", st.llc_idle_cpus);
    f("bandwidth", st.bandwidth);
    f("queue_bandwidth", st.queue_bandwidth);
    f("samples", st.samples);
    f("idle_histories", st.idle_histories);
    f("cache_lines", st.cache_lines.lines);
    f("cache_line_holders", st.cache_lines.holders);
    f("cache_lines_held", st.cache_lines.held);
}

constexpr std::array scalar_names{"now", "event", "decisions", "switches", "ticks", "wakeups", "next_seq", "seed", "mask_words", "pelt_epoch"};
std::array<std::uint64_t, scalar_names.size()> scalars(const State& st) {
    return {static_cast<std::uint64_t>(st.now), st.event, st.decisions, st.switches, st.ticks, st.wakeups, st.next_seq, st.seed, st.mask_words, st.pelt_epoch};
}

} // namespace

std::uint64_t digest(const State& st) {
    Hasher h;
    for (std::uint64_t v : scalars(st)) h.word(v);
    h.value(st.settings);
    h.value(st.nohz);
    h.value(st.accounts);
    for_each_array(st, [&]<class T>(const char*, const std::vector<T>& a) {
        constexpr bool of_bandwidth = std::is_same_v<T, Bandwidth> || std::is_same_v<T, QueueBandwidth>;
        if (!of_bandwidth || st.bandwidth_used()) h.array(a);
    });
    return h.digest();
}

std::size_t size_in_bytes(const State& st) {
    std::size_t n = sizeof st;
    for_each_array(st, [&](const char*, const auto& a) { n += a.size() * sizeof a[0]; });
    return n;
}

std::string first_difference(const State& a, const State& b) {
    const auto sa = scalars(a), sb = scalars(b);
    for (std::size_t i = 0; i < sa.size(); ++i)
        if (sa[i] != sb[i]) return fmt::format("{}: {} against {}", scalar_names[i], sa[i], sb[i]);
    if (!(a.settings == b.settings)) return "settings differ";
    if (!(a.nohz == b.nohz)) return "nohz differs";
    if (!(a.accounts == b.accounts)) return "accounts differ";
    std::string out;
    for_each_array(a, [&](const char* name, const auto& array) {
        if (!out.empty()) return;
        for_each_array(b, [&](const char* other_name, const auto& other) {
            if constexpr (std::is_same_v<decltype(array), decltype(other)>) {
                if (std::string_view(name) != other_name || !out.empty()) return;
                if (array.size() != other.size()) {
                    out = fmt::format("{}: {} against {} elements", name, array.size(), other.size());
                    return;
                }
                for (std::size_t i = 0; i < array.size() && out.empty(); ++i) {
                    if (array[i] == other[i]) continue;
                    const auto* pa = reinterpret_cast<const unsigned char*>(&array[i]);
                    const auto* pb = reinterpret_cast<const unsigned char*>(&other[i]);
                    std::size_t byte = 0;
                    while (pa[byte] == pb[byte]) ++byte;
                    out = fmt::format("{}[{}] differs at byte {}", name, i, byte);
                }
            }
        });
    });
    return out;
}

} // namespace picknext
