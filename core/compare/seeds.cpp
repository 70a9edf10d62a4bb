// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/compare/seeds.hpp"

#include <bit>

#include "core/base/assert.hpp"

namespace picknext::compare {
namespace {

Paired summary(const std::vector<double>& a, const std::vector<double>& b, const std::vector<double>& differences) {
    Paired out;
    out.seeds = differences.size();
    if (differences.empty()) return out;
    out.a = metrics::mean(a);
    out.b = metrics::mean(b);
    out.difference = metrics::mean(differences);
    out.interval = metrics::mean_interval(differences);
    return out;
}

} // namespace

Samples sample(const Scenario& scenario, std::uint64_t seeds, const RunLimit& limit, std::stop_token stop, const Progress& progress) {
    Samples out;
    for (std::uint64_t i = 0; i < seeds; ++i) {
        auto seeded = std::make_shared<Scenario>(scenario);
        seeded->seed += i;
        Measured measured = measure(std::move(seeded), limit, stop, progress);
        if (!measured.whole) break;
        out.push_back(measured);
    }
    return out;
}

Paired paired(const Samples& a, const Samples& b, Measure measure) {
    const std::array arms{a, b};
    return interaction(arms, 1, measure);
}

Paired interaction(std::span<const Samples> arms, unsigned toggles, Measure measure) {
    PICKNEXT_ASSERT(toggles != 0 && toggles < arms.size() && std::has_single_bit(arms.size()), "toggles {} of {} arms", toggles, arms.size());
    std::vector<double> none, all, differences;
    std::size_t seeds = SIZE_MAX;
    for (const Samples& arm : arms) seeds = std::min(seeds, arm.size());
    for (std::size_t seed = 0; seed < seeds; ++seed) {
        double sum = 0;
        bool whole = true;
        for (unsigned on = toggles;; on = (on - 1) & toggles) { // each subset, the empty one last
            const std::optional<std::int64_t>& value = arms[on][seed][measure];
            whole = whole && value.has_value();
            const bool odd = (std::popcount(toggles ^ on) & 1) != 0;
            if (value) sum += (odd ? -1.0 : 1.0) * static_cast<double>(*value);
            if (on == 0) break;
        }
        if (!whole) continue;
        none.push_back(static_cast<double>(*arms[0][seed][measure]));
        all.push_back(static_cast<double>(*arms[toggles][seed][measure]));
        differences.push_back(sum);
    }
    return summary(none, all, differences);
}

} // namespace picknext::compare
