// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/fair/average.hpp"

#include <algorithm>

#include "core/fair/weights.hpp"

namespace picknext::fair {
namespace {

/// max(ns, TICK_NSEC). The tick's length takes a division; most slices are seen to be longer without it.
std::uint64_t at_least_a_tick(const Settings& settings, std::uint64_t ns) {
    constexpr std::uint64_t second = 1'000'000'000;
    const auto hz = static_cast<std::uint64_t>(settings[Tunable::hz]);
    return ns * hz > second + hz ? ns : std::max(ns, static_cast<std::uint64_t>(settings.tick_ns()));
}

} // namespace

std::int64_t limited_lag(const State& st, VTime average, const Entity& entity) {
    const auto limit =
        static_cast<std::int64_t>(to_virtual(at_least_a_tick(st.settings, 2 * entity.slice), entity));
    return std::clamp(average - entity.vruntime, -limit, limit);
}

void store_lag(State& st, Queue& q, Entity& entity) {
    entity.vlag = limited_lag(st, follow_average(st, q), entity);
}

} // namespace picknext::fair
