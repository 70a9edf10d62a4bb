// SPDX-License-Identifier: GPL-3.0-or-later
#include <algorithm>

#include "core/pelt/pelt.hpp"
#include "core/pelt/util_unchanged.hpp"

namespace picknext::pelt {

namespace {

constexpr std::int64_t margin = 1024 / 100;  // about one percent of a CPU
constexpr std::int64_t inertia = 4;          // a new sample counts a quarter

bool within_margin(std::int64_t difference) { return difference > -margin && difference < margin; }
std::int64_t blend(std::int64_t average, std::int64_t sample) { return (average * inertia + sample - average) / inertia; }
std::uint32_t u32(std::int64_t v) { return static_cast<std::uint32_t>(v); }

/// One value per task (6.8 and later).
void update_single(const State& st, LoadAvg& avg, CpuId cpu) {
    const auto sample = static_cast<std::int64_t>(avg.util_avg);
    const auto estimate = static_cast<std::int64_t>(avg.util_est);
    std::int64_t value = estimate;
    if (estimate <= sample) {
        value = sample; // up at once
    } else if (estimate - sample >= margin) {
        if (sample > st.rq(cpu).capacity) return;
        // Waiting kept it from running: the low sample says nothing about what it wants.
        if (sample + margin >= static_cast<std::int64_t>(avg.runnable_avg)) value = blend(estimate, sample);
    }
    avg.util_est = u32(value) | util_unchanged;
}

/// The last value and a moving average beside it (before 6.8).
void update_pair(const State& st, LoadAvg& avg, CpuId cpu) {
    const auto sample = static_cast<std::int64_t>(avg.util_avg);
    const auto last = static_cast<std::int64_t>(avg.util_est);
    const auto average = static_cast<std::int64_t>(avg.util_est_ewma);
    if (st.settings.on(Feature::util_est_fastup) && average < sample) {
        avg.util_est_ewma = u32(sample);
    } else if (within_margin(sample - average)) {
        if (within_margin(last - sample)) return;
    } else {
        if (sample > st.rq(cpu).capacity) return;
        avg.util_est_ewma = u32(blend(average, sample));
    }
    avg.util_est = u32(sample) | util_unchanged;
}

} // namespace

void util_est_sample(State& st, TaskId task) {
    LoadAvg& avg = st.entity(task).avg;
    if ((avg.util_est & util_unchanged) != 0) return;
    if (st.settings.kernel >= Kernel::eevdf_6_8) {
        update_single(st, avg, st.task(task).cpu);
    } else {
        update_pair(st, avg, st.task(task).cpu);
    }
}

} // namespace picknext::pelt
